import { EventType } from '../../../schemas/generated/events.js'
import { mmpEventChangeAt } from '../../../schemas/mmp.js'
import { MmpChange } from '../../../schemas/record-values.js'
import type { HistoryEnd, LossBorder } from '../../journal/journal-loss.js'
import { type LogReader, millisOf, seqOf, takeEvents, typeOf } from '../log-events.js'
import { mustHold } from '../simulation-errors.js'
import { FundingLedger } from './funding-ledger.js'
import { NumberLedger } from './number-ledger.js'
import { PayoutLedger } from './payout-ledger.js'
import { ToldAnswers } from './told-answers.js'
import type { ToldEvents } from './told-events.js'

/**
 * A history store in small: what it has flushed outlives every crash, and recovery tells only what
 * comes after. It must never miss an event. The writer of the log waits for it.
 */
export class HistoryFollower {
  /** Sequence up to which it has everything for good. */
  flushedSeq = 0
  readonly answers = new ToldAnswers()
  readonly payouts = new PayoutLedger()
  readonly fundings = new FundingLedger()
  readonly numbers = new NumberLedger()
  /** Limits of protection that were reached, as often as they were told. */
  triggerCount = 0
  readonly #told: ToldEvents
  #lastSeq = 0
  #flushedMillis = 0
  #lastMillis = 0
  #log: LogReader | null = null
  #isBootstrap = false

  constructor(told: ToldEvents) {
    this.#told = told
  }

  get log(): LogReader {
    mustHold(this.#log !== null, () => 'history: read before there is a log')
    return this.#log
  }

  /** How far it has come, for a recovery to compare the journal with. */
  get end(): HistoryEnd {
    return {
      ...this.numbers.flushed,
      seq: this.flushedSeq,
      timeMillis: this.#flushedMillis,
      underlyings: [],
    }
  }

  /** Without a flush before every answer the store can have what a crash took back. */
  goBack(seq: number): void {
    this.payouts.forgetAfter(seq)
    this.fundings.forgetAfter(seq)
  }

  /** What it had beyond the journal is given up: it goes on where the new numbers begin. */
  pass(border: LossBorder): void {
    this.flushedSeq = border.seq
    this.#lastSeq = border.seq
    this.answers.goOnBehind(border.seq)
    this.payouts.pass(border.payoutCount)
  }

  /** A new process has a new log; what was not flushed is gone with the old one. */
  attach(log: LogReader): void {
    this.#log = log
    this.#lastSeq = this.flushedSeq
    this.answers.goOnBehind(this.flushedSeq)
    this.#isBootstrap = false
    this.numbers.forgetUnflushed()
  }

  /** Takes in up to `limit` events. @returns how many. */
  doWork(limit: number): number {
    const { log } = this
    return takeEvents(log, limit, (at) => this.#take(log, at))
  }

  flush(): void {
    this.flushedSeq = this.#lastSeq
    this.#flushedMillis = this.#lastMillis
    this.numbers.flush()
  }

  #take(log: LogReader, at: number): void {
    const type = typeOf(log, at)
    const seq = seqOf(log, at)
    if (type === EventType.BootstrapBegin) {
      this.#isBootstrap = true
      mustHold(seq === this.#lastSeq, () => `history: bootstrap at ${seq} after ${this.#lastSeq}`)
    }
    if (!this.#isBootstrap) {
      mustHold(seq === this.#lastSeq + 1, () => `history: event ${seq} after ${this.#lastSeq}`)
      this.#told.note(log, at)
      this.answers.note(log, at)
      this.payouts.take(type, seq, log, at)
      this.fundings.take(type, seq, log, at)
      this.numbers.take(type, seq, log, at)
      if (isTrigger(log, at)) this.triggerCount++
      this.#lastSeq = seq
      this.#lastMillis = millisOf(log, at)
    }
    if (type === EventType.BootstrapEnd) this.#isBootstrap = false
  }
}

function isTrigger(log: LogReader, at: number): boolean {
  return (
    typeOf(log, at) === EventType.Mmp &&
    log.i32[(at + mmpEventChangeAt) >> 2] === MmpChange.Triggered
  )
}
