import type { Signer } from '../../../schemas/record-values.js'
import type { Saved, StateSink } from '../../memory/state-codec.js'
import { HashCell, HashKind } from '../../memory/state-hash.js'
import type { Rfq } from './rfq-row.js'

/** What an invited provider showed when the auction began. */
export interface Shown {
  readonly account: number
  /** Of the side that the order would trade with. */
  readonly priceMicros: number
  /** Most that it would trade there; 0: it did not say. */
  readonly sizeLots: number
}

/** What an auction is from its beginning. */
export interface AuctionTerms {
  readonly orderId: number
  /** Price of a contract that quotes are measured by. */
  readonly referenceMicros: number
  /** By how much at least a quote is to be better than it, where it has to be. */
  readonly tickMicros: number
  /** Whether the book gives the reference; else the limit of the order does. */
  readonly mustImprove: boolean
  /** Who waits for the answer, and the number of the batch in which that was asked. */
  readonly gateway: number
  readonly request: number
  readonly batchNumber: number
  /** Nonce of the order, and who has signed it. */
  readonly nonceHigh: number
  readonly nonceLow: number
  readonly signer: Signer
  readonly shown: readonly Shown[]
}

/**
 * An order that waits for quotes before it goes to its book. Providers, quotes and times stand in the request for quote
 * that goes with it.
 */
export class Auction implements Saved {
  readonly terms: AuctionTerms
  /** Of the order. */
  readonly slot: number
  readonly row: Rfq
  /** Whether it is to leave for its book without a quote, since it closes more than there is; of this step alone. */
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
