import type { HistoryEnd, LossBorder } from '../../../engine/journal/journal-loss.js'
import { type AnyEvent, EventType, MmpEvent } from '../../../schemas/generated/events.js'
import { MmpChange } from '../../../schemas/record-values.js'
import { mustHold } from '../run/simulation-errors.js'
import { FundingLedger } from './funding-ledger.js'
import { type LogReader, takeEvents } from './log-events.js'
import { NumberLedger } from './number-ledger.js'
import { PayoutLedger } from './payout-ledger.js'
import { PublishedAnswers } from './published-answers.js'
import { PublishedDirectives } from './published-directives.js'
import { type PublishedEvents, SequenceCheck } from './published-events.js'

const mmp = new MmpEvent()

/**
 * Small history store. Its flushed state outlives every crash, and recovery publishes only later events. It must never
 * miss an event. The log's writer waits for it.
 */
export class HistoryFollower {
  /** Sequence up to which it has everything for good. */
  flushedSeq = 0
  readonly answers = new PublishedAnswers()
  readonly payouts = new PayoutLedger()
  readonly fundings = new FundingLedger()
  readonly numbers = new NumberLedger()
  readonly directives = new PublishedDirectives()
  /** Protection triggers, counted as often as they were published. */
  triggerCount = 0
  readonly #published: PublishedEvents
  readonly #sequence = new SequenceCheck('history')
  #flushedMillis = 0
  #lastMillis = 0
  #log: LogReader | null = null

  constructor(published: PublishedEvents) {
    this.#published = published
  }

  /** Position that a recovery compares the journal with. */
  get end(): HistoryEnd {
    const { flushed } = this.numbers
    const timeMillis = this.#flushedMillis
    return { ...flushed, seq: this.flushedSeq, timeMillis, underlyings: [] }
  }

  /** Drops events that a crash lost: without a flush before every answer, the store can be ahead of the journal. */
  goBack(seq: number): void {
    this.payouts.forgetAfter(seq)
    this.fundings.forgetAfter(seq)
  }

  /** Gives up what it had beyond the journal, and continues where the new numbers begin. */
  pass(border: LossBorder): void {
    this.flushedSeq = border.seq
    this.#goOn()
    this.payouts.pass(border.payoutCount)
  }

  /** Attaches the new log of a new process. Unflushed state is gone with the old one. */
  attach(log: LogReader): void {
    this.#log = log
    this.#goOn()
    this.numbers.forgetUnflushed()
  }

  /**
   * Reads up to `limit` events.
   * @returns the number read
   */
  doWork(limit: number): number {
    mustHold(this.#log !== null, () => 'history: read before there is a log')
    return takeEvents(this.#log, limit, (event) => this.#take(event))
  }

  flush(): void {
    this.flushedSeq = this.#sequence.last
    this.#flushedMillis = this.#lastMillis
    this.numbers.flush()
  }

  #goOn(): void {
    this.#sequence.goOnBehind(this.flushedSeq)
    this.answers.goOnBehind(this.flushedSeq)
    this.directives.begin()
  }

  #take(event: AnyEvent): void {
    if (this.#sequence.take(event)) return
    this.#published.note(event)
    this.answers.note(event)
    this.payouts.take(event)
    this.fundings.take(event)
    this.numbers.take(event)
    this.directives.take(event)
    const isMmp = event.recordType === EventType.Mmp
    if (isMmp && mmp.of(event).change === MmpChange.Triggered) this.triggerCount++
    this.#lastMillis = event.timeMillis
  }
}
