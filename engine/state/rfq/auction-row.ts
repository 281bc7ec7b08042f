import type { Signer } from '../../../schemas/record-values.js'
import type { Saved, StateSink } from '../../memory/state-codec.js'
import { HashCell, HashKind } from '../../memory/state-hash.js'
import type { Rfq } from './rfq-row.js'

/** Indicative row of an invited provider, as of the beginning of the auction. */
export interface Shown {
  readonly account: number
  /** Price on the side that the order would trade with. */
  readonly priceMicros: number
  /** Maximum size at that price; 0 if not stated. */
  readonly sizeLots: number
}

/** Terms of an auction, fixed at its beginning. */
export interface AuctionTerms {
  readonly orderId: number
  /** Price of a contract that quotes are compared with. */
  readonly referenceMicros: number
  /** Minimum improvement of a quote over the reference, if it must improve. */
  readonly tickMicros: number
  /** True if the book gives the reference; otherwise it is the limit of the order. */
  readonly mustImprove: boolean
  /** Client that waits for the answer, and the number of the batch with its command. */
  readonly gateway: number
  readonly request: number
  readonly batchNumber: number
  /** Nonce of the order, and its signer. */
  readonly nonceHigh: number
  readonly nonceLow: number
  readonly signer: Signer
  readonly shown: readonly Shown[]
}

/**
 * An order that waits for quotes before it enters its book. Providers, quotes and times are in the associated request
 * for quote.
 */
export class Auction implements Saved {
  readonly terms: AuctionTerms
  /** Slot of the order. */
  readonly slot: number
  readonly row: Rfq
  /**
   * True if the order must go to its book without a quote, because it would close more than the position. Set and used
   * in one step.
   */
  isCut = false
  readonly cell = new HashCell(HashKind.Auction, this)

  constructor(terms: AuctionTerms, slot: number, row: Rfq) {
    this.terms = terms
    this.slot = slot
    this.row = row
  }

  save(sink: StateSink): void {
    const { terms } = this
    sink.bytes(this.row.terms.id)
    sink.f64(terms.orderId)
    sink.f64(terms.referenceMicros)
    sink.f64(terms.tickMicros)
    sink.i32(terms.mustImprove ? 1 : 0)
    sink.i32(terms.gateway)
    sink.i32(terms.request)
    sink.f64(terms.batchNumber)
    sink.i32(terms.nonceHigh)
    sink.i32(terms.nonceLow)
    sink.i32(terms.signer)
    sink.i32(terms.shown.length)
    for (const { account, priceMicros, sizeLots } of terms.shown) {
      sink.i32(account)
      sink.f64(priceMicros)
      sink.f64(sizeLots)
    }
  }
}
