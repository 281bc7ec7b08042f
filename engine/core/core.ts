import { assert } from '../../schemas/assert.js'
import { batchCommandBytesMax, commandBytesMax, commandsPerBatchMax } from '../../schemas/bounds.js'
import { cancelClosing, expireDue } from '../lifecycle/closing.js'
import { recordBytesAt } from '../memory/layout.js'
import type { Ring } from '../memory/ring.js'
import { answerDecided } from './answer.js'
import { Batch, TicketState } from './batch.js'
import type { CoreState } from './core-state.js'
import { decide, decideReplace } from './decide.js'
import type { RecordViews } from './event-sink.js'
import { nextRemark, remarkDue } from './remark.js'
import { settle } from './settle.js'

/** Event-log room that a batch begins with, and below which it is journaled early. */
const eventRoomBytes = 1 << 23

/** Where closed batches go. */
export interface BatchSink {
  /** Whether one more batch of any size fits. */
  hasRoom(): boolean
  /** Takes the commands of a closed batch; `eventEnd` is the event-log position its events end at. */
  append(state: CoreState, batch: Batch, hashLow: number, hashHigh: number, eventEnd: number): void
}

/**
 * The single writer of order. It works in closed batches: decides the commands that are queued, sends orders to
 * the matchers, gathers all results, applies and publishes them in command order, journals the batch, and only
 * then looks at the next command. Time comes in with `doWork` and never goes back.
 */
export class Core {
  readonly role = 'core'
  readonly state: CoreState
  readonly batch = new Batch()
  readonly #sources: readonly Ring[]
  readonly #journal: BatchSink | null
  readonly #pause: () => void
  #current = 0
  #commandBytes = 0
  #hashLow = 0
  #hashHigh = 0
  #isJournaled = false
  /** Event-log position that the early record opens. */
  #earlyEnd = 0
  /** Source that the next batch begins with, so that a busy gateway cannot starve the others. */
  #firstSource = 0

  /**
   * @param sources the command rings, consumer's ends; none in a replica.
   * @param journal null where batches are only replayed.
   * @param pause passes a little time while readers of the event log catch up.
   */
  constructor(
    state: CoreState,
    sources: readonly Ring[],
    journal: BatchSink | null,
    pause: () => void,
  ) {
    this.#pause = pause
    this.state = state
    this.#sources = sources
    this.#journal = journal
  }

  /** Earliest time at which there is work without any command: expiries, re-marks, orders left to cancel. */
  get nextDeadlineMillis(): number {
    const { state } = this
    if (state.closing.length > 0) return state.nowMillis
    return Math.min(state.expiries.nextMillis, nextRemark(state))
  }

  /** Whether commands wait. */
  hasCommands(): boolean {
    for (const ring of this.#sources) if (ring.hasNext()) return true
    return false
  }

  /**
   * Runs one batch if there is anything to do and room for what it may cause.
   * @param clockMillis the shell's clock, read once for the batch.
   * @returns the commands decided, at least 1 when a batch was run.
   */
  doWork(clockMillis: number): number {
    const nowMillis = Math.max(this.state.nowMillis, clockMillis)
    if (!this.hasCommands() && this.nextDeadlineMillis > nowMillis) return 0
    if (!this.hasRoom()) return 0
    this.#begin(nowMillis)
    this.#collect()
    this.#finish()
    for (const ring of this.#sources) ring.release()
    return Math.max(1, this.batch.count)
  }

  /** Whether journal and event log have room for a batch; the rings to the matchers are empty in between. */
  hasRoom(): boolean {
    const { log } = this.state.sink
    if (log !== null && log.freeBytes() < 2 * eventRoomBytes) return false
    return this.#journal === null || this.#journal.hasRoom()
  }

  /**
   * Replays one journaled batch.
   * @param views the batch's command records, back to back from byte `from` to `to`.
   */
  replay(timeMillis: number, views: RecordViews, from: number, to: number): void {
    this.#begin(timeMillis)
    this.state.replaying = true
    for (let at = from; at < to; at += views.i32[(at + recordBytesAt) >> 2]) {
      assert(
        decide(this.state, this.batch, views, at),
        'replay: the batch was closed when it was journaled',
      )
    }
    this.#finish()
    this.state.replaying = false
  }

  /** Applies results that have arrived; called by an in-thread matcher whose result ring is full. */
  drainResults(): void {
    this.#settleAvailable()
  }

  #begin(nowMillis: number): void {
    const { state, batch } = this
    state.nowMillis = nowMillis
    state.sink.timeMillis = nowMillis
    state.risk.setTime(nowMillis)
    batch.begin(++state.batchNumber)
    this.#current = 0
    this.#commandBytes = 0
    this.#hashLow = state.hash.low
    this.#hashHigh = state.hash.high
    this.#isJournaled = false
    expireDue(state)
    remarkDue(state)
    cancelClosing(state, batch)
  }

  #collect(): void {
    const sources = this.#sources
    for (let i = 0; i < sources.length; i++) {
      const ring = sources[(this.#firstSource + i) % sources.length]
      if (!this.#collectFrom(ring)) break
    }
    this.#firstSource = (this.#firstSource + 1) % Math.max(1, sources.length)
  }

  /** @returns false when the batch is closed. */
  #collectFrom(ring: Ring): boolean {
    const { state, batch } = this
    for (;;) {
      if (batch.count === commandsPerBatchMax) return false
      if (this.#commandBytes > batchCommandBytesMax - commandBytesMax) return false
      const at = ring.next()
      if (at < 0) return true
      if (!decide(state, batch, ring, at)) {
        ring.unread(at)
        return false
      }
      this.#commandBytes += ring.i32[(at + recordBytesAt) >> 2]
    }
  }

  #finish(): void {
    this.#settleAll()
    while (this.#decideAgain()) this.#settleAll()
    // The early record opened the event log only as far as it was then; an empty batch opens the rest.
    if (this.#isJournaled) this.#begin(this.state.nowMillis)
    this.#close()
  }

  /** Sends replaces whose old orders had changed to their matchers again. @returns whether there were any. */
  #decideAgain(): boolean {
    const { state, batch } = this
    let again = false
    for (let ticket = 0; ticket < batch.count; ticket++) {
      if (batch.state[ticket] !== TicketState.Again) continue
      decideReplace(state, batch, ticket)
      again = true
    }
    this.#current = 0
    return again
  }

  #settleAll(): void {
    const { state, batch } = this
    state.matchers.commit()
    for (;;) {
      this.#settleAvailable()
      if (this.#current === batch.count) break
      state.matchers.rest(batch.matcher[this.#current])
    }
  }

  /** Answers tickets in order as far as their results are there. */
  #settleAvailable(): void {
    const { state, batch } = this
    const { results } = state.matchers
    while (this.#current < batch.count) {
      const ticket = this.#current
      if (batch.state[ticket] === TicketState.Matching) {
        const ring = results[batch.matcher[ticket]]
        const at = ring.next()
        if (at < 0) break
        if (!settle(state, batch, ticket, ring, at)) continue
      } else if (batch.state[ticket] === TicketState.Decided) {
        batch.state[ticket] = TicketState.Done
        answerDecided(state, batch, ticket)
      }
      this.#current++
      this.#makeEventRoom()
    }
    for (const ring of results) ring.release()
  }

  /**
   * Orders that sweep deep books may cause more events than were foreseen. Readers only free room behind the
   * durable position, so the batch is journaled early, its commands being decided, and the core waits for them.
   */
  #makeEventRoom(): void {
    const { log } = this.state.sink
    if (log === null || log.freeBytes() >= eventRoomBytes) return
    if (this.state.replaying) {
      this.#earlyEnd = log.publish()
      log.storeDurable(this.#earlyEnd)
    } else if (!this.#isJournaled) {
      this.#close()
      this.#isJournaled = true
      this.#earlyEnd = log.headPosition()
    }
    // Once journaled early, a batch may fill what room it leaves; eventLogBytes is sized for that.
    while (log.freeBytes() < eventRoomBytes && !log.isReadUpTo(this.#earlyEnd)) this.#pause()
    assert(log.freeBytes() > batchCommandBytesMax, 'event log: one batch outgrew it')
  }

  #close(): void {
    const { state, batch } = this
    const { log } = state.sink
    const eventEnd = log === null ? 0 : log.publish()
    if (!state.replaying && this.#journal !== null) {
      this.#journal.append(state, batch, this.#hashLow, this.#hashHigh, eventEnd)
    } else if (log !== null) {
      log.storeDurable(eventEnd)
    }
  }
}
