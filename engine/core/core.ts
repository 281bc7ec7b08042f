import { assert } from '../../schemas/assert.js'
import { batchCommandBytesMax, commandBytesMax, commandsPerBatchMax } from '../../schemas/bounds.js'
import { AnyCommand, CommandType } from '../../schemas/generated/commands.js'
import { AnyResult } from '../../schemas/generated/results.js'
import type { RecordViews } from '../../schemas/record-views.js'
import type { LossBorder } from '../journal/journal-loss.js'
import { expireDue } from '../lifecycle/closing.js'
import { fundPerps, nextFunding } from '../lifecycle/funding.js'
import { beginChecks, hasWaiting, liquidate } from '../lifecycle/liquidate.js'
import { payDue } from '../lifecycle/payouts.js'
import { estimateDue, hasSettlementWork, priceDue } from '../lifecycle/settlement.js'
import type { Ring } from '../memory/ring.js'
import { endStaleAuctions, endStaleRfqs, passRfqDeadlines } from '../rfq/rfq-timers.js'
import { Batch, TicketState } from '../state/batch.js'
import type { CoreState } from '../state/core-state.js'
import { cancelPurged, fireDeadMen } from './account/decide-safety.js'
import { decide } from './decide.js'
import { decidePlace, decideReplace } from './decide-signed.js'
import { lossBorderOf, passLost } from './operator/accept-loss.js'
import { turnCompetitions } from './operator/decide-competition.js'
import { nextRemark, remarkDue } from './operator/remark.js'
import { cancelClosing } from './orders/cancel-closing.js'
import { decideAuctions } from './orders/decide-auction.js'
import { cancelUnbooked, takeResult } from './orders/take-results.js'
import { warmCommands, warmResults, warmWaiting } from './orders/warm.js'
import { cancelFrozen } from './rfq/count-rfq.js'
import { placeFallbacks } from './rfq-fallback.js'
import { answerDecided, answerEcho } from './steps/answer.js'
import { tellFees } from './steps/charge-fees.js'

/**
 * Event-log room, as a share of the log, that answering never goes below; a batch begins with twice of it. What
 * begin and decisions may publish (4096 closing orders, 256 halts of all underlyings) fits with room to spare.
 */
const eventRoomShare = 8
/** Events per working order, at most, of a batch: its trade, fills, builders, protection, updates and levels. */
const eventsPerOrderMax = 14

/** Where closed batches go. */
export interface BatchSink {
  /** Whether one more batch of any size fits. */
  hasRoom(): boolean
  /** Takes the commands of a closed batch. */
  append(state: CoreState, batch: Batch, end: BatchEnd): void
}

/** Hears how far each batch has come: of the shell, which has clocks. */
export interface BatchWatch {
  /** Its commands are decided, and with the matchers where they have to be. */
  onCollected(): void
  /** All of it is told, and goes to the journal next. @param commands that it decided. */
  onClosed(
    batchNumber: number,
    firstSeq: number,
    lastSeq: number,
    commands: number,
    timeMillis: number,
  ): void
}

/** Says how many commands a batch takes, where that is not to follow from when they come. */
export interface CommandGrouping {
  /** @param taken commands that the batch has, the latest of which was read just now. */
  goesOn(taken: number): boolean
  took(commands: number): void
}

/** What is kept of a closed batch beside its commands. */
export interface BatchEnd {
  /** Of the state before it. */
  readonly hashLow: number
  readonly hashHigh: number
  /** Event-log offset that may be opened once the batch is durable. */
  readonly eventEnd: number
  /** Sequence of its last event; of a batch that is journaled early, a bound of it. */
  readonly seqAfter: number
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
  /** Where time is virtual: a batch takes what belongs together, and nothing while anything else is due. */
  grouping: CommandGrouping | null = null
  watch: BatchWatch | null = null
  /** Commands that the batch has read, a bulk being one. */
  #readCount = 0
  /** Commands of the latest batch, the items of bulks one by one. */
  decidedCount = 0
  readonly #sources: readonly Ring[]
  readonly #journal: BatchSink | null
  readonly #pause: () => void
  readonly #eventRoomBytes: number
  /** By source: waiting commands that were read ahead; a batch may take fewer. */
  readonly #warmedCounts: Int32Array
  readonly #command = new AnyCommand()
  readonly #result = new AnyResult()
  #commandBytes = 0
  #concluded = 0
  #firstSeq = 0
  readonly #end = { hashLow: 0, hashHigh: 0, eventEnd: 0, seqAfter: 0 }
  #isJournaled = false
  /** A loss that the next batch begins behind. */
  #loss: LossBorder | null = null
  /** Asker that the next batch begins with, so that a busy gateway cannot starve the others. */
  #firstAsker = 0

  /**
   * @param sources the command rings, consumer's ends; none in a replica. Every batch begins with the first, which is
   * the shell's own: a clock that was stepped is known before whatever comes with it.
   * @param journal null where batches are only replayed.
   * @param pause passes a little time while readers of the event log catch up.
   */
  constructor(
    state: CoreState,
    sources: readonly Ring[],
    journal: BatchSink | null,
    pause: () => void,
  ) {
    const { log } = state.sink
    this.#pause = pause
    this.#eventRoomBytes = log === null ? 0 : log.capacityBytes / eventRoomShare
    this.state = state
    this.#sources = sources
    this.#warmedCounts = new Int32Array(sources.length)
    this.#journal = journal
    state.sink.makeRoom = (bytes) => this.#makeRoom(bytes)
  }

  /**
   * Earliest time at which there is work without any command: expiries, re-marks, funding, cancels and payouts left.
   */
  get nextDeadlineMillis(): number {
    return Math.min(nextRemark(this.state), this.nextEventMillis)
  }

  /** Of these, the earliest that is more than the next regular re-mark. */
  get nextEventMillis(): number {
    const { state } = this
    if (state.closing.length > 0 || hasSettlementWork(state)) return state.nowMillis
    const { competitions, expiries, liquidations, rfqs, safety } = state
    const alwaysMillis = Math.min(safety.nextMillis, nextFunding(state))
    if (state.clockAlarm) return alwaysMillis
    if (hasWaiting(state)) return state.nowMillis
    const tradedMillis = Math.min(expiries.nextMillis, liquidations.nextMillis, rfqs.nextMillis)
    return Math.min(alwaysMillis, tradedMillis, competitions.nextMillis)
  }

  /** Whether commands wait. */
  hasCommands(): boolean {
    const sources = this.#sources
    for (let i = 0; i < sources.length; i++) if (sources[i].hasNext()) return true
    return false
  }

  /** How far commands have been sent by now; for `hasDecided`. */
  commandEnds(): readonly number[] {
    return this.#sources.map((ring) => ring.end())
  }

  /** Whether all commands up to such ends are decided. */
  hasDecided(ends: readonly number[]): boolean {
    return this.#sources.every((ring, index) => ring.hasRead(ends[index]!))
  }

  /**
   * Runs one batch if there is anything to do and room for what it may cause.
   * @param clockMillis the shell's clock, read once for the batch.
   * @returns the commands decided, at least 1 when a batch was run.
   */
  doWork(clockMillis: number): number {
    const nowMillis = Math.max(this.state.nowMillis, clockMillis, this.#loss?.timeMillis ?? 0)
    if (!this.hasCommands() && this.nextDeadlineMillis > nowMillis) return 0
    if (!this.hasRoom()) return 0
    const mustRest = this.grouping !== null && this.nextDeadlineMillis <= nowMillis
    const isBehindLoss = this.#loss !== null
    this.#firstSeq = this.state.sink.seq + 1
    this.#begin(nowMillis)
    // Auctions that time has ended are decided, and what nobody looks after is cancelled, before any command, but for one
    // about a loss: by it a replay knows where its batch begins.
    const { auctions, safety } = this.state
    const isFree = auctions.due.size === 0 && safety.purges.length === 0 && !mustRest
    this.#readCount = 0
    if (isFree || isBehindLoss) this.#collect()
    this.grouping?.took(this.#readCount)
    this.watch?.onCollected()
    this.#finish()
    for (let i = 0; i < this.#sources.length; i++) this.#sources[i].release()
    return Math.max(1, this.decidedCount)
  }

  /**
   * The next batch goes on behind an accepted loss; its first command says so, too, for the replay. Sequences do so
   * at once: what is told of the state before it has the new one.
   */
  beginBehind(border: LossBorder): void {
    assert(this.#loss === null, 'core: one journal loss at a time')
    this.#loss = border
    this.state.sink.seq = Math.max(this.state.sink.seq, border.seq)
  }

  /** Whether journal and event log have room for a batch; the rings to the matchers are empty in between. */
  hasRoom(): boolean {
    if (this.state.sink.lookForRoom() < 2 * this.#eventRoomBytes) return false
    return this.#journal === null || this.#journal.hasRoom()
  }

  /**
   * Replays one journaled batch.
   * @param views the batch's command records, back to back from byte `from` to `to`.
   */
  replay(timeMillis: number, views: RecordViews, from: number, to: number): void {
    const command = this.#command
    if (from < to) this.#loss = lossBorderOf(command.over(views, from))
    this.state.replaying = true
    this.#begin(timeMillis)
    warmCommands(this.state, views, from, to)
    for (let at = from; at < to; at += command.recordBytes) {
      const isDecided = decide(this.state, this.batch, command.over(views, at))
      assert(isDecided, 'replay: the batch was closed when it was journaled')
      assert(command.recordBytes > 0, 'replay: the record has a length')
    }
    this.#finish()
    this.state.replaying = false
  }

  /**
   * Called by an in-thread matcher whose result ring is full: applies results that have arrived, and when the ticket
   * whose turn it is belongs to another in-thread matcher, lets that one run first.
   */
  drainResults(): void {
    const { state, batch } = this
    this.#answerAvailable()
    if (batch.current < batch.count) state.matchers.awaitMatcher(batch.matcher[batch.current])
  }

  #begin(nowMillis: number): void {
    const { state, batch } = this
    const loss = this.#loss
    const beforeMillis = state.nowMillis
    assert(nowMillis >= beforeMillis, 'core: engine time never goes back')
    if (loss !== null) state.batchNumber = Math.max(state.batchNumber, loss.batchNumber)
    state.nowMillis = nowMillis
    state.sink.timeMillis = nowMillis
    state.risk.setTime(nowMillis)
    batch.begin(++state.batchNumber)
    this.#commandBytes = 0
    this.#end.hashLow = state.hash.low
    this.#end.hashHigh = state.hash.high
    this.#isJournaled = false
    if (loss !== null) passLost(state, loss)
    this.#loss = null
    turnCompetitions(state)
    expireDue(state)
    endStaleAuctions(state)
    endStaleRfqs(state)
    fireDeadMen(state)
    passRfqDeadlines(state)
    priceDue(state)
    estimateDue(state, beforeMillis)
    remarkDue(state)
    cancelClosing(state, batch)
    payDue(state)
    fundPerps(state)
    beginChecks(state)
  }

  #collect(): void {
    const sources = this.#sources
    if (sources.length === 0 || !this.#collectFrom(0)) return
    const askers = sources.length - 1
    for (let i = 0; i < askers; i++) {
      if (!this.#collectFrom(1 + ((this.#firstAsker + i) % askers))) break
    }
    this.#firstAsker = (this.#firstAsker + 1) % Math.max(1, askers)
  }

  /** @returns false when the batch is closed. */
  #collectFrom(source: number): boolean {
    const { state, batch } = this
    const ring = this.#sources[source]
    const command = this.#command
    const { alarm } = state.clock
    if (this.#warmedCounts[source] <= 0) this.#warmedCounts[source] = warmWaiting(state, ring)
    for (;;) {
      if (Math.max(batch.count, batch.recordCount) === commandsPerBatchMax) return false
      if (this.#commandBytes > batchCommandBytesMax - commandBytesMax) return false
      // What decisions tell at once (a rejection, a bulk's cancels) leaves answering its share; a batch's first command,
      // which may be about a loss, is never put off.
      if (batch.recordCount > 0 && state.sink.roomBytes < this.#eventRoomBytes) return false
      const at = ring.next()
      if (at < 0) return true
      if (!decide(state, batch, command.over(ring, at))) {
        ring.unread(at)
        return false
      }
      this.#warmedCounts[source]--
      this.#commandBytes += command.recordBytes
      this.#readCount++
      if (this.grouping?.goesOn(this.#readCount) === false) return false
      // Matchers hear of positions that moved before they trade again. Behind an alarm of the clock liquidations come
      // first: their orders in the books are of before it. An auction that everybody has answered is decided next.
      const { auctions, liquidations, rfqs, safety } = state
      const mustCancel = rfqs.frozen.length > 0 || safety.purges.length > 0
      const mustTell = mustCancel || liquidations.moved.length > 0
      if (mustTell || auctions.due.size > 0 || state.clock.alarm !== alarm) return false
    }
  }

  #finish(): void {
    this.#conclude()
    this.decidedCount = this.#concluded
    // The record is out already, with less than all of the batch's events: an empty batch follows it.
    while (this.#isJournaled) {
      this.#begin(this.state.nowMillis)
      this.#conclude()
    }
    const { batchNumber, nowMillis, replaying, sink } = this.state
    if (!replaying) {
      this.watch?.onClosed(batchNumber, this.#firstSeq, sink.seq, this.decidedCount, nowMillis)
    }
    this.#close(sink.seq)
  }

  /** Settles what was decided, then does what liquidations want now that cash, positions and marks are known. */
  #conclude(): void {
    const { state, batch } = this
    this.#answerAll()
    while (this.#decideAgain()) this.#answerAll()
    this.#concluded = batch.count
    batch.rewind()
    while (
      cancelPurged(state, batch) ||
      cancelFrozen(state, batch) ||
      placeFallbacks(state, batch) ||
      decideAuctions(state, batch) ||
      liquidate(state, batch)
    ) {
      this.#answerAll()
      batch.rewind()
    }
    endStaleAuctions(state)
    endStaleRfqs(state)
    assertIdle(state, batch)
    if (state.funds.hasUntoldFees) tellFees(state)
    state.cells.close()
  }

  /**
   * Decides once more what could not be decided beside the others of its batch: replaces whose old orders had changed,
   * and exempt orders behind replaces of their wallets. @returns whether there was anything.
   */
  #decideAgain(): boolean {
    const { state, batch } = this
    let again = false
    for (let ticket = 0; ticket < batch.count; ticket++) {
      if (batch.state[ticket] !== TicketState.Again) continue
      if (batch.type[ticket] === CommandType.ReplaceOrder) decideReplace(state, batch, ticket)
      else decidePlace(state, batch, ticket)
      again = true
    }
    batch.current = 0
    return again
  }

  #answerAll(): void {
    const { state, batch } = this
    state.matchers.commit()
    for (;;) {
      this.#answerAvailable()
      if (batch.current === batch.count) break
      const matcher = batch.matcher[batch.current]
      state.matchers.awaitMatcher(matcher)
      warmResults(state, state.matchers.results[matcher])
    }
  }

  /** Answers tickets in order as far as their results are there. */
  #answerAvailable(): void {
    const { state, batch } = this
    const { results } = state.matchers
    while (batch.current < batch.count) {
      const ticket = batch.current
      this.#makeEventRoom()
      if (batch.state[ticket] === TicketState.Matching) {
        const ring = results[batch.matcher[ticket]]
        const at = ring.next()
        if (at < 0) break
        if (!takeResult(state, batch, ticket, this.#result.over(ring, at))) continue
      } else if (batch.state[ticket] === TicketState.Decided) {
        answerDecided(state, batch, ticket)
      } else if (batch.state[ticket] === TicketState.Unbooked) {
        cancelUnbooked(state, batch, ticket)
      } else if (batch.state[ticket] === TicketState.Echo) {
        answerEcho(state, batch, ticket)
      }
      batch.current++
    }
    for (let matcher = 0; matcher < results.length; matcher++) results[matcher].release()
  }

  /**
   * Orders that sweep deep books may cause more events than the log holds, and readers only free what is durable.
   * So the batch is journaled early, since its commands are decided; once they are durable, so is everything that
   * they cause, and the core opens it to the readers itself.
   */
  #makeEventRoom(): void {
    const { sink, replaying } = this.state
    const { log } = sink
    if (log === null || sink.roomBytes >= this.#eventRoomBytes) return
    if (sink.lookForRoom() >= this.#eventRoomBytes) return
    if (!replaying && !this.#isJournaled) {
      this.#close(sink.seq + eventsPerOrderMax * (this.state.orders.high + commandsPerBatchMax))
      this.#isJournaled = true
      const end = log.headOffset()
      while (((log.durableOffset() - end) | 0) < 0) this.#pause()
    }
    this.#letReadersCatchUp()
  }

  /**
   * Room where none was looked for: a batch that was recorded beside a larger log may tell more at once than this one
   * takes, and a live one begins before all readers have read those before it.
   */
  #makeRoom(bytes: number): void {
    const { replaying, sink } = this.state
    const { log } = sink
    if (replaying || this.#isJournaled || log === null) {
      this.#letReadersCatchUp()
      return
    }
    // What this batch has told is durable only when its commands are.
    if (log.capacityBytes - log.unpublishedBytes() < bytes) return
    while (sink.lookForRoom() < bytes) this.#pause()
  }

  /** Only where everything told so far is durable. */
  #letReadersCatchUp(): void {
    const { sink } = this.state
    sink.log?.storeDurable(sink.log.publish())
    while (sink.lookForRoom() < 2 * this.#eventRoomBytes) this.#pause()
  }

  #close(seqAfter: number): void {
    const { state, batch } = this
    const { log } = state.sink
    const end = this.#end
    assert(batch.number === state.batchNumber, 'core: the journaled batch is the latest one')
    assert(seqAfter >= state.sink.seq, 'core: a batch ends after its last event')
    end.eventEnd = log === null ? 0 : log.publish()
    end.seqAfter = seqAfter
    if (!state.replaying && this.#journal !== null) this.#journal.append(state, batch, end)
    else log?.storeDurable(end.eventEnd)
  }
}

/** Asserts that a batch left nothing open. Open work is not part of the state, so a replay would lose it. */
function assertIdle({ auctions, liquidations, rfqs, safety }: CoreState, batch: Batch): void {
  assert(batch.undecided === 0, 'core: no ticket is open at the end of a batch')
  assert(liquidations.moved.length === 0, 'core: matchers have received every moved position')
  assert(
    auctions.deciding === null && auctions.leaving.size === 0,
    'core: no auction is undecided at the end of a batch',
  )
  assert(rfqs.fallbacks.length === 0, 'core: no fallback order is left at the end of a batch')
  assert(rfqs.frozen.length === 0, 'core: no frozen request is left at the end of a batch')
  assert(safety.purges.length === 0, 'core: no cancel-all is left at the end of a batch')
}
