import { Doorbell } from '../../engine/memory/doorbell.js'
import { doorbellOf, type ExchangeMemory } from '../../engine/memory/exchange-memory.js'
import { recordBytesAt } from '../../engine/memory/layout.js'
import { Ring } from '../../engine/memory/ring.js'
import { assert } from '../../schemas/assert.js'
import {
  bulkCountAt,
  bulkItemsAt,
  commandGatewayAt,
  commandRequestAt,
} from '../../schemas/commands.js'
import { CommandType } from '../../schemas/generated/commands.js'
import { type AnyEvent, OutcomeEvent } from '../../schemas/generated/events.js'

/** Somebody who asked the engine for something and waits for the outcome. */
export interface OutcomeListener {
  /** @param event is read at once and never kept. */
  onOutcome(event: OutcomeEvent): void
}

/** Answer of `claim` when there is no room: nothing was done, the asker says `engine_busy`. */
export const engineBusy = -1
/** Request of a bulk's own header: its items are answered, it is not. */
const nobody = -1
/** Stands in the place of an asker that has given up. */
const forgotten: OutcomeListener = { onOutcome() {} }

/**
 * The one way from a gateway thread (or the operator interface) to the core: claims command records, remembers
 * who asked, and hands each outcome back to the one who asked.
 */
export class CommandPort {
  readonly ring: Ring
  readonly #gateway: number
  readonly #core: Doorbell
  readonly #waiting: (OutcomeListener | null)[] = []
  readonly #freeSlots: number[] = []
  readonly #outcome = new OutcomeEvent()
  readonly #waitingMax: number
  #count = 0
  /** Claims that found no room. */
  ringFull = 0
  /**
   * Least time between two rings of the core, whose wake-up costs both threads more than a command
   * does. Above 0 whoever submits calls `ringOwed` before its thread's turn is over.
   */
  ringGapMillis = 0
  #rungMillis = 0
  #owesRing = false

  /** @param gateway index of the asker; the operator's is `memory.gateways`. */
  constructor(memory: ExchangeMemory, gateway: number, waitingMax = 65_536) {
    this.ring = new Ring(memory.commandRings[gateway], 'producer')
    this.#gateway = gateway
    this.#core = new Doorbell(memory.doorbells, doorbellOf.core)
    this.#waitingMax = waitingMax
  }

  /** Commands sent and not answered yet. */
  get waiting(): number {
    return this.#count
  }

  /**
   * Room for a command of `bytes`, its header's type and asker written and its other bytes zeroed, so that
   * nothing of an older record reaches the journal.
   * @returns the record's offset in `ring`, or `engineBusy`.
   */
  claim(bytes: number, type: number, listener: OutcomeListener): number {
    if (this.#count === this.#waitingMax) return this.#busy()
    const at = this.ring.tryClaim(bytes, type)
    if (at < 0) return this.#busy()
    this.ring.u8.fill(0, at + 8, at + bytes)
    this.#expect(at, listener)
    return at
  }

  /**
   * Room for a Bulk command, its items filled in: whole records, back to back, each of which gets its own
   * outcome.
   * @param items their bytes; headers with length and type are written, asker and request are not.
   * @param listeners one per item.
   * @returns as `claim`.
   */
  claimBulk(items: Uint8Array, listeners: readonly OutcomeListener[]): number {
    if (this.#count + listeners.length > this.#waitingMax) return this.#busy()
    const at = this.ring.tryClaim(bulkItemsAt + items.length, CommandType.Bulk)
    if (at < 0) return this.#busy()
    const { i32, u8 } = this.ring
    u8.fill(0, at + 8, at + bulkItemsAt)
    i32[(at + commandGatewayAt) >> 2] = this.#gateway
    i32[(at + commandRequestAt) >> 2] = nobody
    i32[(at + bulkCountAt) >> 2] = listeners.length
    u8.set(items, at + bulkItemsAt)
    let itemAt = at + bulkItemsAt
    for (const listener of listeners) {
      this.#expect(itemAt, listener)
      itemAt += i32[(itemAt + recordBytesAt) >> 2]
    }
    assert(itemAt === at + bulkItemsAt + items.length, 'claim bulk: one listener per item')
    return at
  }

  #busy(): typeof engineBusy {
    this.ringFull++
    return engineBusy
  }

  /** Sends what was claimed, and wakes the core if it sleeps. */
  submit(): void {
    this.ring.commit()
    if (this.ringGapMillis > 0) {
      const now = performance.now()
      this.#owesRing = now - this.#rungMillis < this.ringGapMillis
      if (this.#owesRing) return
      this.#rungMillis = now
    }
    this.#core.ring()
  }

  /** Wakes the core for what was submitted since the last ring. */
  ringOwed(): void {
    if (!this.#owesRing) return
    this.#owesRing = false
    this.#rungMillis = performance.now()
    this.#core.ring()
  }

  /**
   * Gives up on all who wait: their outcomes may have been lost with a part of the log. Their places
   * are given to nobody else, unless an outcome still comes: it must never meet a stranger.
   */
  forget(): void {
    for (let slot = 0; slot < this.#waiting.length; slot++) {
      if (this.#waiting[slot] !== null) this.#waiting[slot] = forgotten
    }
    this.#count = 0
  }

  /** Event pump: passes an Outcome event on if it is one of this port's. */
  dispatch(event: AnyEvent): void {
    const outcome = this.#outcome.of(event)
    if (outcome.gateway !== this.#gateway) return
    const slot = outcome.request
    const listener = this.#waiting[slot]
    if (!listener) return
    this.#waiting[slot] = null
    this.#freeSlots.push(slot)
    if (listener === forgotten) return
    this.#count--
    listener.onOutcome(outcome)
  }

  /** Names the asker in the record at `at`, and remembers who that is. */
  #expect(at: number, listener: OutcomeListener): void {
    const slot = this.#freeSlots.pop() ?? this.#waiting.length
    this.#waiting[slot] = listener
    this.#count++
    this.ring.i32[(at + commandGatewayAt) >> 2] = this.#gateway
    this.ring.i32[(at + commandRequestAt) >> 2] = slot
  }
}
