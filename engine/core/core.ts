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
import { prefetchCommands, prefetchResults, prefetchWaiting } from './orders/prefetch.js'
import { cancelUnbooked, takeResult } from './orders/take-results.js'
import { cancelFrozen } from './rfq/count-rfq.js'
import { placeFallbacks } from './rfq-fallback.js'
import { answerDecided, answerEcho } from './steps/answer.js'
import { publishTradingFees } from './steps/charge-fees.js'

/**
 * Divisor that gives the share of the event log that answers keep free; a batch begins with twice that. The events of
 * `#begin` and of the decisions (4096 closing orders, 256 halts of all underlyings) fit with room to spare.
 */
const eventRoomShare = 8
/** Maximum events per working order in a batch: its trade, fills, builders, protection, updates and levels. */
const eventsPerOrderMax = 14

/** Receiver of closed batches. */
export interface BatchSink {
  /** Returns true if one more batch of any size fits. */
  hasRoom(): boolean
  /** Appends the commands of a closed batch. */
  append(state: CoreState, batch: Batch, end: BatchEnd): void
}

/** Callbacks for the progress of each batch. The shell implements them, because it has clocks. */
export interface BatchWatch {
  /** Called when the commands are decided, and sent to the matchers where needed. */
  onCollected(): void
  /**
   * Called when all events are published, just before the batch goes to the journal.
   * @param commands number of decided commands.
   */
  onClosed(
    batchNumber: number,
    firstSeq: number,
    lastSeq: number,
    commands: number,
    timeMillis: number,
  ): void
}

/** Decides the size of batches where it must not depend on the arrival time of commands. */
export interface CommandGrouping {
  /** @param taken number of commands in the batch, including the one just read. */
  continues(taken: number): boolean
  took(commands: number): void
}

/** Fields of a closed batch that the journal stores after its commands. */
export interface BatchEnd {
  /** State hash from before the batch. */
  readonly hashLow: number
  readonly hashHigh: number
  /** Event-log offset up to which readers may read once the batch is durable. */
  readonly eventEnd: number
  /** Sequence of the last event, or an upper bound if the batch is journaled early. */
  readonly seqAfter: number
}

/**
 * The single writer of order. It works in closed batches: it decides the queued commands and sends orders to the
 * matchers. Then it collects all results, applies and publishes them in command order, and journals the batch. Only
 * then does it read the next command. Time is passed to `doWork` and never goes back.
 */
export class Core {
  readonly role = 'core'
  readonly state: CoreState
  readonly batch = new Batch()
  /**
   * Set where time is virtual. A batch then takes the commands that belong together, and none while anything else is
   * due.
   */
  grouping: CommandGrouping | null = null
  watch: BatchWatch | null = null
  /** Commands read by the batch; a bulk counts as one. */
  #readCount = 0
  /** Commands decided by the latest batch; each item of a bulk counts. */
  decidedCount = 0
  readonly #sources: readonly Ring[]
  readonly #journal: BatchSink | null
  readonly #pause: () => void
  readonly #eventRoomBytes: number
  /** Per source: the number of waiting commands that are prefetched. A batch may take fewer. */
  readonly #prefetchedCounts: Int32Array
  readonly #command = new AnyCommand()
  readonly #result = new AnyResult()
  #commandBytes = 0
  #concluded = 0
  #firstSeq = 0
  readonly #end = { hashLow: 0, hashHigh: 0, eventEnd: 0, seqAfter: 0 }
  #isJournaled = false
  /** Loss after which the next batch begins. */
  #loss: LossBorder | null = null
  /** Gateway source that the next batch reads first, so that a busy gateway cannot starve the others. */
  #firstGateway = 0

  /**
   * @param sources consumer's ends of the command rings; none in a replica. Every batch reads the first one first: it
   * is the shell's own, so a stepped clock is known before any later command.
   * @param journal null if batches are only replayed.
   * @param pause waits briefly while readers of the event log catch up.
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
    this.#prefetchedCounts = new Int32Array(sources.length)
    this.#journal = journal
    state.sink.makeRoom = (bytes) => this.#makeRoom(bytes)
  }

  /** Earliest time with work that needs no command: expiries, re-marks, funding, remaining cancels and payouts. */
  get nextDeadlineMillis(): number {
    return Math.min(nextRemark(this.state), this.nextEventMillis)
  }

  /** The same without the next regular re-mark. */
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

  /** Returns true if commands are waiting. */
  hasCommands(): boolean {
    const sources = this.#sources
    for (let i = 0; i < sources.length; i++) if (sources[i].hasNext()) return true
    return false
  }

  /** Returns the current end of each source, for `hasDecided`. */
  commandEnds(): readonly number[] {
    return this.#sources.map((ring) => ring.end())
  }

  /** Returns true if all commands before these ends are decided. */
  hasDecided(ends: readonly number[]): boolean {
    return this.#sources.every((ring, index) => ring.hasRead(ends[index]!))
  }

  /**
   * Runs one batch if there is work, and room for everything that it may cause.
   * @param clockMillis the shell's clock, read once for the batch.
   * @returns the number of decided commands, at least 1 if a batch ran.
   */
  doWork(clockMillis: number): number {
    const nowMillis = Math.max(this.state.nowMillis, clockMillis, this.#loss?.timeMillis ?? 0)
    if (!this.hasCommands() && this.nextDeadlineMillis > nowMillis) return 0
    if (!this.hasRoom()) return 0
    const isTimeOnly = this.grouping !== null && this.nextDeadlineMillis <= nowMillis
    const followsLoss = this.#loss !== null
    this.#firstSeq = this.state.sink.seq + 1
    this.#begin(nowMillis)
    // Due auctions are decided, and due cancel-alls are executed, before any command. The command that records a loss
    // is the exception: it tells a replay where its batch begins.
    const { auctions, safety } = this.state
    const isFree = auctions.due.size === 0 && safety.purges.length === 0 && !isTimeOnly
    this.#readCount = 0
    if (isFree || followsLoss) this.#collect()
    this.grouping?.took(this.#readCount)
    this.watch?.onCollected()
    this.#finish()
    for (let i = 0; i < this.#sources.length; i++) this.#sources[i].release()
    return Math.max(1, this.decidedCount)
  }

  /**
   * Makes the next batch continue after an accepted loss. Its first command records the loss for the replay. The
   * sequence advances at once, so that the bootstrap has the new one.
   */
  beginAfterLoss(border: LossBorder): void {
    assert(this.#loss === null, 'core: one journal loss at a time')
    this.#loss = border
    this.state.sink.seq = Math.max(this.state.sink.seq, border.seq)
  }

  /**
   * Returns true if the journal and the event log have room for a batch. The rings to the matchers are empty between
   * batches.
   */
  hasRoom(): boolean {
    if (this.state.sink.lookForRoom() < 2 * this.#eventRoomBytes) return false
    return this.#journal === null || this.#journal.hasRoom()
  }

  /**
   * Replays one journaled batch.
   * @param views the command records of the batch, back to back from byte `from` to `to`.
   */
  replay(timeMillis: number, views: RecordViews, from: number, to: number): void {
    const command = this.#command
    if (from < to) this.#loss = lossBorderOf(command.over(views, from))
    this.state.replaying = true
    this.#begin(timeMillis)
    prefetchCommands(this.state, views, from, to)
    for (let at = from; at < to; at += command.recordBytes) {
      const isDecided = decide(this.state, this.batch, command.over(views, at))
      assert(isDecided, 'replay: the batch was closed when it was journaled')
      assert(command.recordBytes > 0, 'replay: the record has a length')
    }
    this.#finish()
    this.state.replaying = false
  }

  /**
   * Called by an in-thread matcher whose result ring is full. Applies the results that have arrived. If the ticket that
   * is next belongs to another in-thread matcher, runs that matcher first.
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
    const gateways = sources.length - 1
    for (let i = 0; i < gateways; i++) {
      if (!this.#collectFrom(1 + ((this.#firstGateway + i) % gateways))) break
    }
    this.#firstGateway = (this.#firstGateway + 1) % Math.max(1, gateways)
  }

  /** @returns false if the batch is closed. */
  #collectFrom(source: number): boolean {
    const { state, batch } = this
    const ring = this.#sources[source]
    const command = this.#command
    const { alarm } = state.clock
    if (this.#prefetchedCounts[source] <= 0) {
      this.#prefetchedCounts[source] = prefetchWaiting(state, ring)
    }
    for (;;) {
      if (Math.max(batch.count, batch.recordCount) === commandsPerBatchMax) return false
      if (this.#commandBytes > batchCommandBytesMax - commandBytesMax) return false
      // Events published at once by decisions (a rejection, the cancels of a bulk) must leave the share for answers.
      // The first command of a batch is never deferred: it may record a loss.
      if (batch.recordCount > 0 && state.sink.roomBytes < this.#eventRoomBytes) return false
      const at = ring.next()
      if (at < 0) return true
      if (!decide(state, batch, command.over(ring, at))) {
        ring.unread(at)
        return false
      }
      this.#prefetchedCounts[source]--
      this.#commandBytes += command.recordBytes
      this.#readCount++
      if (this.grouping?.continues(this.#readCount) === false) return false
      // These end the batch: matchers must receive moved positions before they trade again. After a clock alarm,
      // liquidations come first, because orders in the books are from before it. A finished auction is decided next.
      const { auctions, liquidations, rfqs, safety } = state
      const mustCancel = rfqs.frozen.length > 0 || safety.purges.length > 0
      const mustSend = mustCancel || liquidations.moved.length > 0
      if (mustSend || auctions.due.size > 0 || state.clock.alarm !== alarm) return false
    }
  }

  #finish(): void {
    this.#conclude()
    this.decidedCount = this.#concluded
    // The journal record exists already, without all events of the batch. An empty batch follows it.
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

  /** Answers everything that was decided, then liquidates with the new cash, positions and marks. */
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
    if (state.funds.hasUntoldFees) publishTradingFees(state)
    state.cells.close()
  }

  /**
   * Decides again the tickets that depended on others of the batch: replaces whose old orders had changed, and
   * risk-reducing orders after replaces of their wallets.
   * @returns true if there was any.
   */
  #decideAgain(): boolean {
    const { state, batch } = this
    let isAny = false
    for (let ticket = 0; ticket < batch.count; ticket++) {
      if (batch.state[ticket] !== TicketState.Again) continue
      if (batch.type[ticket] === CommandType.ReplaceOrder) decideReplace(state, batch, ticket)
      else decidePlace(state, batch, ticket)
      isAny = true
    }
    batch.current = 0
    return isAny
  }

  #answerAll(): void {
    const { state, batch } = this
    state.matchers.commit()
    for (;;) {
      this.#answerAvailable()
      if (batch.current === batch.count) break
      const matcher = batch.matcher[batch.current]
      state.matchers.awaitMatcher(matcher)
      prefetchResults(state, state.matchers.results[matcher])
    }
  }

  /** Answers tickets in order until a result is missing. */
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
   * Orders that sweep deep books may cause more events than the log holds, and readers free only durable events. The
   * core therefore journals the batch early: its commands are decided, and once they are durable, so are all events
   * that they cause. The core then lets the readers read those events itself.
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
   * Makes room where none was checked in advance. A replayed batch may come from a run with a larger log, and publish
   * more at once than this one holds. A live batch begins before all readers have read the batches before it.
   */
  #makeRoom(bytes: number): void {
    const { replaying, sink } = this.state
    const { log } = sink
    if (replaying || this.#isJournaled || log === null) {
      this.#letReadersCatchUp()
      return
    }
    // Events of this batch become durable only with its commands.
    if (log.capacityBytes - log.unpublishedBytes() < bytes) return
    while (sink.lookForRoom() < bytes) this.#pause()
  }

  /** Call only if everything published so far is durable. */
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
  assert(rfqs.frozen.length === 0, 'core: no frozen wallet is left at the end of a batch')
  assert(safety.purges.length === 0, 'core: no cancel-all is left at the end of a batch')
}
