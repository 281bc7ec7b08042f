// Generated from schemas/records by `npm run generate`; not to be edited.
import type { OutcomeStanding } from '../record-values.js'
import type { Result } from '../results.js'
import type { CommandType } from './commands.js'
import { OrderFacts } from './events.js'
import { noViews, type RecordPlace, type RecordSink, type RecordViews } from '../record-views.js'

/** What a gateway asks the core beside its commands, and what comes back. No journal has them. */
export const LookupRecord = {
  Lookup: 1,
  Found: 2,
} as const
export type LookupRecord = (typeof LookupRecord)[keyof typeof LookupRecord]

/** The outcome of an action of a wallet. 72 bytes. */
export class LookupRequest {
  static readonly bytes = 72
  views: RecordViews = noViews
  i32 = noViews.i32
  u32 = noViews.u32
  f64 = noViews.f64
  u8 = noViews.u8
  /** Offset of the record in its views. */
  at = 0

  /** The record at this offset of these views. */
  over(views: RecordViews, at: number): this {
    if (views !== this.views) {
      this.views = views
      this.i32 = views.i32
      this.u32 = views.u32
      this.f64 = views.f64
      this.u8 = views.u8
    }
    this.at = at
    return this
  }

  /** The record that another cursor stands on. */
  of(record: RecordPlace): this {
    return this.over(record.views, record.at)
  }

  /**
   * Room for a new one, its header written, zeros in what is unused; `over` it then. @returns
   * false: the sink has given none.
   */
  claim(sink: RecordSink): boolean {
    const at = sink.tryClaim(72, 1)
    if (at < 0) return false
    this.over(sink.views, at)
    this.i32[(at + 12) >> 2] = 0
    this.i32[(at + 36) >> 2] = 0
    return true
  }

  /** Zeros in all fields but the 8 bytes that `claim` writes. */
  clear(): this {
    this.u8.fill(0, this.at + 8, this.at + this.recordBytes)
    return this
  }

  /** length, this header included */
  get recordBytes(): number {
    return this.i32[this.at >> 2]!
  }

  set recordBytes(value: number) {
    this.i32[this.at >> 2] = value
  }

  get recordType(): number {
    return this.i32[(this.at + 4) >> 2]!
  }

  set recordType(value: number) {
    this.i32[(this.at + 4) >> 2] = value
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

  copyWallet(from: RecordViews, at: number): void {
    const to = (this.at + 16) >> 2
    const first = at >> 2
    for (let i = 0; i < 5; i++) this.i32[to + i] = from.i32[first + i]!
  }

  /** that was signed */
  get digestAt(): number {
    return this.at + 40
  }

  copyDigest(from: RecordViews, at: number): void {
    const to = (this.at + 40) >> 2
    const first = at >> 2
    for (let i = 0; i < 8; i++) this.i32[to + i] = from.i32[first + i]!
  }
}

/** What is kept of it. 248 bytes. */
export class FoundReply {
  static readonly bytes = 248
  views: RecordViews = noViews
  i32 = noViews.i32
  u32 = noViews.u32
  f64 = noViews.f64
  u8 = noViews.u8
  /** Offset of the record in its views. */
  at = 0
  readonly #facts = new OrderFacts()

  /** The record at this offset of these views. */
  over(views: RecordViews, at: number): this {
    if (views !== this.views) {
      this.views = views
      this.i32 = views.i32
      this.u32 = views.u32
      this.f64 = views.f64
      this.u8 = views.u8
    }
    this.at = at
    return this
  }

  /** The record that another cursor stands on. */
  of(record: RecordPlace): this {
    return this.over(record.views, record.at)
  }

  /**
   * Room for a new one, its header written, zeros in what is unused; `over` it then. @returns
   * false: the sink has given none.
   */
  claim(sink: RecordSink): boolean {
    const at = sink.tryClaim(248, 2)
    if (at < 0) return false
    this.over(sink.views, at)
    return true
  }

  /** Zeros in all fields but the 8 bytes that `claim` writes. */
  clear(): this {
    this.u8.fill(0, this.at + 8, this.at + this.recordBytes)
    return this
  }

  /** length, this header included */
  get recordBytes(): number {
    return this.i32[this.at >> 2]!
  }

  set recordBytes(value: number) {
    this.i32[this.at >> 2] = value
  }

  get recordType(): number {
    return this.i32[(this.at + 4) >> 2]!
  }

  set recordType(value: number) {
    this.i32[(this.at + 4) >> 2] = value
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

  /** actions of the wallet whose outcomes are kept */
  get keptCount(): number {
    return this.i32[(this.at + 32) >> 2]!
  }

  set keptCount(value: number) {
    this.i32[(this.at + 32) >> 2] = value
  }

  /** as many as may be: then older ones are forgotten */
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

  /** engine time of its outcome */
  get millis(): number {
    return this.f64[(this.at + 48) >> 3]!
  }

  set millis(value: number) {
    this.f64[(this.at + 48) >> 3] = value
  }

  /** of the oldest that is kept; 0: there is none */
  get oldestMillis(): number {
    return this.f64[(this.at + 56) >> 3]!
  }

  set oldestMillis(value: number) {
    this.f64[(this.at + 56) >> 3] = value
  }

  /** of the last event that the core has told when it looked */
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
