// Generated from schemas/records by `npm run generate`; not to be edited.
import type { OutcomeStanding } from '../record-values.js'
import type { Result } from '../results.js'
import type { CommandType } from './commands.js'
import { AnyRecord } from './any-record.js'
import { OrderFacts } from './events.js'
import type { RecordSink } from '../record-views.js'

/** Requests of a gateway to the core other than commands, and replies. They are not journaled. */
export const LookupRecord = {
  Lookup: 1,
  Found: 2,
} as const
export type LookupRecord = (typeof LookupRecord)[keyof typeof LookupRecord]

/** Lookup of the result of an action of a wallet. 72 bytes. */
export class LookupRequest extends AnyRecord {
  static override readonly bytes: number = 72

  claim(sink: RecordSink): boolean {
    if (!this.claimIn(sink, 72, 1)) return false
    this.i32[(this.at + 12) >> 2] = 0
    this.i32[(this.at + 36) >> 2] = 0
    return true
  }

  /** the gateway's, of the waiting read */
  get slot(): number {
    return this.i32[(this.at + 8) >> 2]!
  }

  set slot(value: number) {
    this.i32[(this.at + 8) >> 2] = value
  }

  get walletAt(): number {
    return this.at + 16
  }

  /** that was signed */
  get digestAt(): number {
    return this.at + 40
  }
}

/** Stored result of the action. 248 bytes. */
export class FoundReply extends AnyRecord {
  static override readonly bytes: number = 248
  readonly #facts = new OrderFacts()

  claim(sink: RecordSink): boolean {
    return this.claimIn(sink, 248, 2)
  }

  get slot(): number {
    return this.i32[(this.at + 8) >> 2]!
  }

  set slot(value: number) {
    this.i32[(this.at + 8) >> 2] = value
  }

  get standing(): OutcomeStanding {
    return this.i32[(this.at + 12) >> 2] as OutcomeStanding
  }

  set standing(value: OutcomeStanding) {
    this.i32[(this.at + 12) >> 2] = value
  }

  get command(): CommandType {
    return this.i32[(this.at + 16) >> 2] as CommandType
  }

  set command(value: CommandType) {
    this.i32[(this.at + 16) >> 2] = value
  }

  get result(): Result {
    return this.i32[(this.at + 20) >> 2] as Result
  }

  set result(value: Result) {
    this.i32[(this.at + 20) >> 2] = value
  }

  get nonceHigh(): number {
    return this.i32[(this.at + 24) >> 2]!
  }

  set nonceHigh(value: number) {
    this.i32[(this.at + 24) >> 2] = value
  }

  get nonceLow(): number {
    return this.i32[(this.at + 28) >> 2]!
  }

  set nonceLow(value: number) {
    this.i32[(this.at + 28) >> 2] = value
  }

  /** number of stored results of the wallet */
  get keptCount(): number {
    return this.i32[(this.at + 32) >> 2]!
  }

  set keptCount(value: number) {
    this.i32[(this.at + 32) >> 2] = value
  }

  /** maximum number; older ones are dropped */
  get keptMax(): number {
    return this.i32[(this.at + 36) >> 2]!
  }

  set keptMax(value: number) {
    this.i32[(this.at + 36) >> 2] = value
  }

  /** of its answer */
  get seq(): number {
    return this.f64[(this.at + 40) >> 3]!
  }

  set seq(value: number) {
    this.f64[(this.at + 40) >> 3] = value
  }

  /** engine time of its result */
  get millis(): number {
    return this.f64[(this.at + 48) >> 3]!
  }

  set millis(value: number) {
    this.f64[(this.at + 48) >> 3] = value
  }

  /** of the oldest stored one; 0: none */
  get oldestMillis(): number {
    return this.f64[(this.at + 56) >> 3]!
  }

  set oldestMillis(value: number) {
    this.f64[(this.at + 56) >> 3] = value
  }

  /** of the last published event at the lookup */
  get seqNow(): number {
    return this.f64[(this.at + 64) >> 3]!
  }

  set seqNow(value: number) {
    this.f64[(this.at + 64) >> 3] = value
  }

  get facts(): OrderFacts {
    return this.#facts.over(this.views, this.at + 72)
  }
}
