import { uuidBytes } from '../../../schemas/bounds.js'
import { RfqKind, RfqStatus, type Side } from '../../../schemas/domain.js'
import { formatUuid } from '../../../schemas/uuid.js'
import { addressBytes } from '../../../schemas/wallet.js'
import type { Due } from '../../memory/deadline-heap.js'
import type { Saved, StateReader, StateSink } from '../../memory/state-codec.js'
import { HashCell, HashKind } from '../../memory/state-hash.js'
import type { Auction } from './auction-row.js'

/** A leg from the taker's side. */
export interface RfqLeg {
  readonly instrument: number
  readonly side: Side
  readonly sizeLots: number
}

/** A firm quote while it is live. */
export interface RfqQuote {
  readonly id: Uint8Array
  /** Increases in order of arrival; ranks equal quotes. */
  readonly number: number
  readonly netPremiumMicros: number
  readonly madeMillis: number
  /** Last millisecond in which it may be executed. */
  readonly expiresMillis: number
  /** By leg, as quoted. */
  readonly pricesMicros: readonly number[]
  /** Signer: the provider's wallet or an agent of it. */
  readonly signer: Uint8Array
}

/** Latest answer of an invited provider. */
export const Answer = { None: 0, Quoted: 1, Declined: 2, Left: 3 } as const
export type Answer = (typeof Answer)[keyof typeof Answer]

/** A provider that was asked. */
export class Invited {
  readonly account: number
  answer: Answer = Answer.None
  /** Number of quotes whose margin was checked, whatever the result. */
  quoteCount = 0
  quote: RfqQuote | null = null
  /** Ids of its expired quotes, so that an acceptance of one fails with `QuoteExpired`. */
  readonly expiredIds: Uint8Array[] = []

  constructor(account: number) {
    this.account = account
  }

  save(sink: StateSink): void {
    sink.i32(this.account)
    sink.i32(this.answer)
    sink.i32(this.quoteCount)
    sink.i32(this.quote === null ? 0 : 1)
    if (this.quote !== null) saveQuote(this.quote, sink)
    sink.i32(this.expiredIds.length)
    for (const id of this.expiredIds) sink.bytes(id)
  }
}

/** Terms of a request for quote, fixed at its beginning. */
export interface RfqTerms {
  readonly id: Uint8Array
  /** Account of the taker. */
  readonly account: number
  /** Signer: the taker's wallet or an agent of it. */
  readonly signer: Uint8Array
  readonly kind: RfqKind
  /** Signed limit; 0 for a plain request. An auction has the order's limit per contract. */
  readonly limitMicros: number
  readonly legs: readonly RfqLeg[]
  readonly createdMillis: number
  /** Last milliseconds in which providers may quote, and in which a quote may be accepted. */
  readonly responseMillis: number
  readonly expiresMillis: number
}

/** A request for quote while it is open. */
export class Rfq implements Saved, Due {
  readonly terms: RfqTerms
  /** Text of its id. */
  readonly key: string
  status: RfqStatus = RfqStatus.Created
  /** True once the time for quotes has ended and its effects are applied. */
  isResponseOver = false
  /** In order of invitation. */
  readonly invited: Invited[] = []
  /** Time of the next deadline; derived, like its place in the heap. */
  deadlineMillis = 0
  place = 0
  /** Order and reference of an auction, which are saved elsewhere. */
  auction: Auction | null = null
  readonly cell = new HashCell(HashKind.Rfq, this)

  constructor(terms: RfqTerms) {
    this.terms = terms
    this.key = formatUuid(terms.id, 0)
  }

  /** @returns null if the account was not asked. */
  invitedOf(account: number): Invited | null {
    return this.invited.find((one) => one.account === account) ?? null
  }

  get hasLiveQuote(): boolean {
    return this.invited.some(({ quote }) => quote !== null)
  }

  get isAuction(): boolean {
    return this.terms.kind === RfqKind.Auction
  }

  /** True if every invited provider has answered, or no longer can. */
  get isAnswered(): boolean {
    return this.invited.every(({ answer }) => answer !== Answer.None)
  }

  /** Time of the next deadline: the first millisecond after a last valid one. */
  get dueMillis(): number {
    const { expiresMillis, responseMillis } = this.terms
    // The auction is decided in the step in which its time ends.
    if (this.isAuction && this.isResponseOver) return Number.POSITIVE_INFINITY
    let last = this.isResponseOver ? expiresMillis : Math.min(expiresMillis, responseMillis)
    for (const { quote } of this.invited) {
      if (quote !== null) last = Math.min(last, quote.expiresMillis)
    }
    return last + 1
  }

  save(sink: StateSink): void {
    const { terms } = this
    sink.bytes(terms.id)
    sink.i32(terms.account)
    sink.bytes(terms.signer)
    sink.i32(terms.kind)
    sink.f64(terms.limitMicros)
    sink.f64(terms.createdMillis)
    sink.f64(terms.responseMillis)
    sink.f64(terms.expiresMillis)
    sink.i32(terms.legs.length)
    for (const { instrument, side, sizeLots } of terms.legs) {
      sink.i32(instrument)
      sink.i32(side)
      sink.f64(sizeLots)
    }
    sink.i32(this.status)
    sink.i32(this.isResponseOver ? 1 : 0)
    sink.i32(this.invited.length)
    for (const one of this.invited) one.save(sink)
  }

  static load(reader: StateReader): Rfq {
    const row = new Rfq({
      id: reader.bytes(uuidBytes).slice(),
      account: reader.i32(),
      signer: reader.bytes(addressBytes).slice(),
      kind: reader.i32() as RfqKind,
      limitMicros: reader.f64(),
      createdMillis: reader.f64(),
      responseMillis: reader.f64(),
      expiresMillis: reader.f64(),
      legs: Array.from({ length: reader.i32() }, () => ({
        instrument: reader.i32(),
        side: reader.i32() as Side,
        sizeLots: reader.f64(),
      })),
    })
    row.status = reader.i32() as RfqStatus
    row.isResponseOver = reader.i32() === 1
    for (let count = reader.i32(); count > 0; count--) row.invited.push(loadInvited(reader, row))
    return row
  }
}

function saveQuote(quote: RfqQuote, sink: StateSink): void {
  sink.bytes(quote.id)
  sink.f64(quote.number)
  sink.f64(quote.netPremiumMicros)
  sink.f64(quote.madeMillis)
  sink.f64(quote.expiresMillis)
  for (const micros of quote.pricesMicros) sink.f64(micros)
  sink.bytes(quote.signer)
}

function loadInvited(reader: StateReader, { terms }: Rfq): Invited {
  const invited = new Invited(reader.i32())
  invited.answer = reader.i32() as Answer
  invited.quoteCount = reader.i32()
  if (reader.i32() === 1) invited.quote = loadQuote(reader, terms.legs.length)
  for (let count = reader.i32(); count > 0; count--) {
    invited.expiredIds.push(reader.bytes(uuidBytes).slice())
  }
  return invited
}

function loadQuote(reader: StateReader, legs: number): RfqQuote {
  return {
    id: reader.bytes(uuidBytes).slice(),
    number: reader.f64(),
    netPremiumMicros: reader.f64(),
    madeMillis: reader.f64(),
    expiresMillis: reader.f64(),
    pricesMicros: Array.from({ length: legs }, () => reader.f64()),
    signer: reader.bytes(addressBytes).slice(),
  }
}
