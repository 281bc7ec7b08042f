import { Doorbell } from '../../engine/memory/doorbell.js'
import { doorbellOf, type ExchangeMemory } from '../../engine/memory/exchange-memory.js'
import { noStamp, OrderStamps } from '../../engine/memory/order-stamps.js'
import { Ring } from '../../engine/memory/ring.js'
import { assert } from '../../schemas/assert.js'
import { bulkItemsMax, orderTracesKept } from '../../schemas/bounds.js'
import { AnyCommand, BulkCommand } from '../../schemas/generated/commands.js'
import { type AnyEvent, OutcomeEvent } from '../../schemas/generated/events.js'
import { answerSeqOf } from '../../schemas/record-rules/answer-seq.js'
import { walletAtOf } from '../../schemas/record-rules/commands.js'
import type { RecordSink, RecordViews } from '../../schemas/record-views.js'
import { Result } from '../../schemas/results.js'
import { Fault } from '../wire/fault.js'

/** Somebody who asked the engine for something and waits for the outcome. */
export interface OutcomeListener {
  /** @param event is read at once and never kept. */
  onOutcome(event: OutcomeEvent): void
}

/** Request of a bulk's own header: its items are answered, it is not. */
const nobody = -1
/** Stands in the place of an asker that has given up. */
const forgotten: OutcomeListener = { onOutcome() {} }

const command = new AnyCommand()
const bulk = new BulkCommand()

/**
 * The one way from a gateway thread (or the operator interface) to the core: claims command records, remembers
 * who asked, and hands each outcome back to the one who asked.
 */
export class CommandPort implements RecordSink {
  readonly #ring: Ring
  readonly #gateway: number
  readonly #core: Doorbell
  readonly #waiting: (OutcomeListener | null)[] = []
  readonly #freeSlots: number[] = []
  readonly #outcome = new OutcomeEvent()
  readonly #waitingMax: number
  /** What becomes of each command, where every thread can look it up. */
  readonly stamps: OrderStamps
  /** Rows of those who wait, by slot. */
  readonly #rows: Float64Array
  /** Commands that were claimed since the last submit: their slots, and where they stand in the ring. */
  readonly #claimedSlots = new Int32Array(bulkItemsMax)
  readonly #claimedAts = new Int32Array(bulkItemsMax)
  #claimed = 0
  #count = 0
  /** Whose commands are being claimed. */
  #asker = forgotten
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
  constructor(memory: ExchangeMemory, gateway: number, waitingMax = orderTracesKept) {
    this.#ring = new Ring(memory.commandRings[gateway], 'producer')
    this.#gateway = gateway
    this.#core = new Doorbell(memory.doorbells, doorbellOf.core)
    this.#waitingMax = waitingMax
    this.stamps = new OrderStamps(memory.orderStamps[gateway])
    this.#rows = new Float64Array(waitingMax)
  }

  /** Commands sent and not answered yet. */
  get waiting(): number {
    return this.#count
  }

  /**
   * Sends the command that `write` claims of this port; `listener` hears its outcome.
   * @returns `EngineBusy` where `write` found no room: nothing was done then.
   */
  send(listener: OutcomeListener, write: (sink: RecordSink) => boolean): Fault | null {
    if (!this.claim(listener, write)) return new Fault(Result.EngineBusy)
    this.submit()
    return null
  }

  /** Claims as `send` does; the command is seen with all that is submitted with it. @returns false: there is no room. */
  claim(listener: OutcomeListener, write: (sink: RecordSink) => boolean): boolean {
    this.#asker = listener
    return write(this)
  }

  get views(): RecordViews {
    return this.#ring
  }

  /**
   * Room for a command of `bytes`, its header's type and asker written and its other bytes zeroed, so that
   * nothing of an older record reaches the journal.
   */
  tryClaim(bytes: number, type: number): number {
    const isFull = this.#count === this.#waitingMax
    const at = isFull ? -1 : this.#ring.tryClaim(bytes, type)
    if (at < 0) this.ringFull++
    else this.#expect(command.over(this.#ring, at).clear(), this.#asker)
    return at
  }

  /**
   * Claims a Bulk command, its items filled in: whole records, back to back, each of which gets its own
   * outcome.
   * @param items their bytes; headers with length and type are written, asker and request are not.
   * @param listeners one per item.
   * @returns false: there is no room.
   */
  claimBulk(items: Uint8Array, listeners: readonly OutcomeListener[]): boolean {
    const ring = this.#ring
    const isFull = this.#count + listeners.length > this.#waitingMax
    if (isFull || !bulk.claim(ring, BulkCommand.bytesWith(items.length))) {
      this.ringFull++
      return false
    }
    bulk.clear()
    bulk.gateway = this.#gateway
    bulk.request = nobody
    bulk.count = listeners.length
    ring.u8.set(items, bulk.itemsAt)
    let itemAt = bulk.itemsAt
    for (const listener of listeners) {
      this.#expect(command.over(ring, itemAt), listener)
      itemAt += command.recordBytes
    }
    assert(itemAt === bulk.itemsAt + items.length, 'claim bulk: one listener per item')
    return true
  }

  /** Sends what was claimed, and wakes the core if it sleeps. */
  submit(): void {
    const now = performance.now()
    this.#ring.commit()
    this.#owesRing = now - this.#rungMillis < this.ringGapMillis
    if (!this.#owesRing) {
      this.#rungMillis = now
      this.#core.ring()
    }
    this.#stampClaimed(now)
  }

  /** In the ring they stand until others are claimed, whoever has read them. */
  #stampClaimed(nowMillis: number): void {
    this.stamps.beginSubmit()
    for (let index = 0; index < this.#claimed; index++) {
      command.over(this.#ring, this.#claimedAts[index])
      const row = this.stamps.send(command, walletAtOf(command), nowMillis)
      this.#rows[this.#claimedSlots[index]] = row
    }
    this.#claimed = 0
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
    this.stamps.decide(this.#rows[slot], outcome, answerSeqOf(outcome))
    if (listener === forgotten) return
    this.#count--
    listener.onOutcome(outcome)
    this.stamps.told = noStamp
  }

  /** Names the asker in the command, and remembers who that is. */
  #expect(asked: AnyCommand, listener: OutcomeListener): void {
    const slot = this.#freeSlots.pop() ?? this.#waiting.length
    this.#waiting[slot] = listener
    this.#count++
    asked.gateway = this.#gateway
    asked.request = slot
    this.#rows[slot] = noStamp
    if (this.#claimed === bulkItemsMax) return
    this.#claimedSlots[this.#claimed] = slot
    this.#claimedAts[this.#claimed++] = asked.at
  }
}
