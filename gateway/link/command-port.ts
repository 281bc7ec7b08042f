import { type ExchangeMemory, wakeupOf } from '../../engine/memory/exchange-memory.js'
import { noTimestamp, OrderTimestamps } from '../../engine/memory/order-timestamps.js'
import { Ring } from '../../engine/memory/ring.js'
import { Wakeup } from '../../engine/memory/wakeup.js'
import { assert } from '../../schemas/assert.js'
import { bulkItemsMax, orderTracesKept } from '../../schemas/bounds.js'
import { AnyCommand, BulkCommand } from '../../schemas/generated/commands.js'
import { type AnyEvent, OutcomeEvent } from '../../schemas/generated/events.js'
import { answerSeqOf } from '../../schemas/record-rules/answer-seq.js'
import { walletAtOf } from '../../schemas/record-rules/commands.js'
import type { RecordSink, RecordViews } from '../../schemas/record-views.js'
import { Result } from '../../schemas/results.js'
import { Fault } from '../wire/fault.js'

/** Requester that waits for the acknowledgement of a command. */
export interface OutcomeListener {
  /**
   * @param event Valid during the call only.
   */
  onOutcome(event: OutcomeEvent): void
}

/** Request of a bulk's own header: the items are answered, the header is not. */
const noRequest = -1
/** Replaces a listener that has given up. */
const abandoned: OutcomeListener = { onOutcome() {} }

const command = new AnyCommand()
const bulk = new BulkCommand()

/**
 * The only path from a gateway thread (or the operator interface) to the core. Claims command records, registers their
 * listeners, and dispatches each acknowledgement to its listener.
 */
export class CommandPort implements RecordSink {
  readonly #ring: Ring
  readonly #gateway: number
  readonly #core: Wakeup
  readonly #pending: (OutcomeListener | null)[] = []
  readonly #freeSlots: number[] = []
  readonly #outcome = new OutcomeEvent()
  readonly #pendingMax: number
  /** Timestamps of each command, readable by every thread. */
  readonly timestamps: OrderTimestamps
  /** Timestamp rows of the pending commands, by slot. */
  readonly #rows: Float64Array
  /** Slots of the commands claimed since the last submit, and their offsets in the ring. */
  readonly #claimedSlots = new Int32Array(bulkItemsMax)
  readonly #claimedAts = new Int32Array(bulkItemsMax)
  #claimed = 0
  #count = 0
  /** Listener of the commands being claimed. */
  #listener = abandoned
  /** Claims that found no room. */
  ringFull = 0
  /**
   * Minimum time between two wakeups of the core; a wakeup costs both threads more than a command. If above 0, the
   * submitter calls `ringOwed` before its thread's turn ends.
   */
  ringGapMillis = 0
  #rungMillis = 0
  #owesRing = false

  /**
   * @param gateway Index of the requester; the operator's is `memory.gateways`.
   */
  constructor(memory: ExchangeMemory, gateway: number, waitingMax = orderTracesKept) {
    this.#ring = new Ring(memory.commandRings[gateway], 'producer')
    this.#gateway = gateway
    this.#core = new Wakeup(memory.wakeups, wakeupOf.core)
    this.#pendingMax = waitingMax
    this.timestamps = new OrderTimestamps(memory.orderTimestamps[gateway])
    this.#rows = new Float64Array(waitingMax)
  }

  /** Number of commands without an acknowledgement. */
  get waiting(): number {
    return this.#count
  }

  /**
   * Sends the command that `write` claims from this port. `listener` receives its acknowledgement.
   * @returns `EngineBusy` if `write` found no room; nothing was done then.
   */
  send(listener: OutcomeListener, write: (sink: RecordSink) => boolean): Fault | null {
    if (!this.claim(listener, write)) return new Fault(Result.EngineBusy)
    this.submit()
    return null
  }

  /** Claims like `send`, without submitting. @returns False if there is no room. */
  claim(listener: OutcomeListener, write: (sink: RecordSink) => boolean): boolean {
    this.#listener = listener
    return write(this)
  }

  get views(): RecordViews {
    return this.#ring
  }

  /**
   * Claims a command of `bytes`. Writes the type and requester of its header and zeroes the rest, so that nothing of an
   * older record reaches the journal.
   */
  tryClaim(bytes: number, type: number): number {
    const isFull = this.#count === this.#pendingMax
    const at = isFull ? -1 : this.#ring.tryClaim(bytes, type)
    if (at < 0) this.ringFull++
    else this.#expect(command.over(this.#ring, at).clear(), this.#listener)
    return at
  }

  /**
   * Claims a Bulk command with its items: whole records, back to back, each with its own acknowledgement.
   * @param items Their bytes, with length and type in each header, without requester and request.
   * @param listeners One per item.
   * @returns False if there is no room.
   */
  claimBulk(items: Uint8Array, listeners: readonly OutcomeListener[]): boolean {
    const ring = this.#ring
    const isFull = this.#count + listeners.length > this.#pendingMax
    if (isFull || !bulk.claim(ring, BulkCommand.bytesWith(items.length))) {
      this.ringFull++
      return false
    }
    bulk.clear()
    bulk.gateway = this.#gateway
    bulk.request = noRequest
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

  /** Submits the claimed commands, and wakes the core if it sleeps. */
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

  /** Notes the time of the claimed records. They stay in the ring until the next claim, even if the core has read them. */
  #stampClaimed(nowMillis: number): void {
    this.timestamps.beginSubmit()
    for (let index = 0; index < this.#claimed; index++) {
      command.over(this.#ring, this.#claimedAts[index])
      const row = this.timestamps.send(command, walletAtOf(command), nowMillis)
      this.#rows[this.#claimedSlots[index]] = row
    }
    this.#claimed = 0
  }

  /** Wakes the core for commands submitted since the last wakeup. */
  ringOwed(): void {
    if (!this.#owesRing) return
    this.#owesRing = false
    this.#rungMillis = performance.now()
    this.#core.ring()
  }

  /**
   * Drops all pending listeners, because their acknowledgements may have been lost with a part of the log. Each slot is
   * reused only after its acknowledgement arrives, so that it cannot reach another listener.
   */
  forget(): void {
    for (let slot = 0; slot < this.#pending.length; slot++) {
      if (this.#pending[slot] !== null) this.#pending[slot] = abandoned
    }
    this.#count = 0
  }

  /** Dispatches an acknowledgement to this port. Called by the event pump. */
  dispatch(event: AnyEvent): void {
    const outcome = this.#outcome.of(event)
    if (outcome.gateway !== this.#gateway) return
    const slot = outcome.request
    const listener = this.#pending[slot]
    if (!listener) return
    this.#pending[slot] = null
    this.#freeSlots.push(slot)
    this.timestamps.decide(this.#rows[slot], outcome, answerSeqOf(outcome))
    if (listener === abandoned) return
    this.#count--
    listener.onOutcome(outcome)
    this.timestamps.decidedRow = noTimestamp
  }

  /** Writes the requester into a command, and registers its listener. */
  #expect(claimed: AnyCommand, listener: OutcomeListener): void {
    const slot = this.#freeSlots.pop() ?? this.#pending.length
    this.#pending[slot] = listener
    this.#count++
    claimed.gateway = this.#gateway
    claimed.request = slot
    this.#rows[slot] = noTimestamp
    if (this.#claimed === bulkItemsMax) return
    this.#claimedSlots[this.#claimed] = slot
    this.#claimedAts[this.#claimed++] = claimed.at
  }
}
