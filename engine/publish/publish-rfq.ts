import { detailsCount } from '../../schemas/bounds.js'
import { Side } from '../../schemas/domain.js'
import {
  ComboFillEvent,
  RfqEvent,
  RfqQuoteEvent,
  TradeEvent,
} from '../../schemas/generated/events.js'
import { RfqChange, RfqQuoteChange } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import { none } from '../memory/rows.js'
import type { FillEffect, FillTerms } from '../risk/order-check.js'
import type { Rfq, RfqQuote } from '../state/rfq/rfq-row.js'
import { writeCompetitionFields } from './publish-competitions.js'
import { notionalMicrosOf, type PublishOrdersState } from './publish-orders.js'

const event = new RfqEvent()
const quoteEvent = new RfqQuoteEvent()
const trade = new TradeEvent()
const fill = new ComboFillEvent()

/** Facts about an RFQ in addition to the RFQ itself. */
export interface RfqFacts {
  /** Reason of its end; omitted if there is none. */
  readonly reason?: Result
  /** Values in the text of the reason. */
  readonly details?: Float64Array
  /** The executed quote, or the one whose execution failed. */
  readonly quote?: RfqQuote
  readonly fillId?: number
  readonly fallbackOrderId?: number
  /** Auto-execute: minimum net premium that executes at once, micros. */
  readonly boundMicros?: number
}

/** Publishes the current state of an RFQ. */
export function publishRfq(
  state: PublishOrdersState,
  row: Rfq,
  facts: RfqFacts,
  change: RfqChange = RfqChange.Status,
): void {
  const { terms } = row
  const { length: count } = terms.legs
  if (!event.claim(state.sink, RfqEvent.bytesWith(count))) return
  event.clear()
  event.u8.set(terms.id, event.rfqIdAt)
  if (facts.quote !== undefined) event.u8.set(facts.quote.id, event.quoteIdAt)
  event.createdMillis = terms.createdMillis
  event.responseMillis = terms.responseMillis
  event.expiresMillis = terms.expiresMillis
  event.limitMicros = terms.limitMicros
  event.boundMicros = facts.boundMicros ?? 0
  event.netPremiumMicros = facts.quote?.netPremiumMicros ?? 0
  event.fillId = facts.fillId ?? 0
  event.fallbackOrderId = facts.fallbackOrderId ?? 0
  event.account = terms.account
  event.change = change
  event.status = row.status
  event.kind = terms.kind
  event.reason = facts.reason ?? Result.Accepted
  state.accounts.addresses.write(terms.account, event.u8, event.walletAt)
  if (facts.details !== undefined) {
    for (let i = 0; i < detailsCount; i++) event.setDetails(i, facts.details[i])
  }
  if (row.auction !== null) {
    const { mustImprove, orderId, referenceMicros, tickMicros } = row.auction.terms
    event.referenceMicros = referenceMicros
    event.tickMicros = tickMicros
    event.orderId = orderId
    event.mustImprove = mustImprove ? 1 : 0
  }
  event.count = count
  for (const [index, { instrument, side, sizeLots }] of terms.legs.entries()) {
    const leg = event.legs(index)
    leg.sizeLots = sizeLots
    leg.instrument = instrument
    leg.side = side
  }
}

/** Reason why a quote was dropped or rejected. */
export interface QuoteFacts {
  readonly reason: Result
  readonly details?: Float64Array
}

/** Publishes the relation of a provider to an RFQ after a change. @param quote that changed; null for none. */
export function publishRfqQuote(
  state: PublishOrdersState,
  row: Rfq,
  account: number,
  change: RfqQuoteChange,
  quote: RfqQuote | null,
  facts: QuoteFacts | null = null,
): void {
  const count = quote?.pricesMicros.length ?? 0
  if (!quoteEvent.claim(state.sink, RfqQuoteEvent.bytesWith(count))) return
  quoteEvent.clear()
  quoteEvent.u8.set(row.terms.id, quoteEvent.rfqIdAt)
  quoteEvent.account = account
  quoteEvent.taker = row.isAuction ? -1 : row.terms.account
  quoteEvent.change = change
  quoteEvent.reason = facts?.reason ?? Result.Accepted
  state.accounts.addresses.write(account, quoteEvent.u8, quoteEvent.walletAt)
  if (facts?.details !== undefined) {
    for (let i = 0; i < detailsCount; i++) quoteEvent.setDetails(i, facts.details[i])
  }
  if (quote === null) return
  quoteEvent.u8.set(quote.id, quoteEvent.quoteIdAt)
  quoteEvent.netPremiumMicros = quote.netPremiumMicros
  quoteEvent.madeMillis = quote.madeMillis
  quoteEvent.expiresMillis = quote.expiresMillis
  quoteEvent.count = count
  for (let i = 0; i < count; i++) quoteEvent.setPricesMicros(i, quote.pricesMicros[i])
}

/** Publishes an open RFQ and all its providers, for readers without state. */
export function republishRfq(state: PublishOrdersState, row: Rfq, boundMicros: number): void {
  publishRfq(state, row, { boundMicros }, RfqChange.Bootstrap)
  for (const { account, quote } of row.invited) {
    publishRfqQuote(state, row, account, RfqQuoteChange.Bootstrap, quote)
  }
}

/** Publishes the public trade of a leg; the provider is its maker. */
export function publishLegTrade(
  state: PublishOrdersState,
  made: FillTerms,
  taken: FillTerms,
  makerFeeMicros: number,
  takerFeeMicros: number,
): void {
  if (!trade.claim(state.sink)) return
  const { addresses } = state.accounts
  trade.tradeId = state.tradeCount
  trade.priceMicros = taken.priceMicros
  trade.sizeLots = taken.sizeLots
  trade.makerFeeMicros = makerFeeMicros
  trade.takerFeeMicros = takerFeeMicros
  trade.instrument = taken.instrument
  trade.takerSide = taken.side === Side.Buy ? Side.Buy : Side.Sell
  addresses.write(made.account, trade.u8, trade.makerAt)
  addresses.write(taken.account, trade.u8, trade.takerAt)
}

/**
 * Publishes one wallet's fill of a leg, after the wallet was changed.
 * @param slot of the order that it fills; `none` without one.
 */
export function publishLegFill(
  state: PublishOrdersState,
  row: Rfq,
  quote: RfqQuote,
  terms: FillTerms,
  effect: FillEffect,
  slot: number = none,
): void {
  const { orders } = state
  if (slot !== none) orders.publishedSeq[slot] = state.sink.seq + 1
  if (!fill.claim(state.sink)) return
  fill.clear()
  const isTaker = terms.account === row.terms.account ? 1 : 0
  fill.fillId = state.tradeCount * 2 + isTaker
  fill.tradeId = state.tradeCount
  fill.priceMicros = terms.priceMicros
  fill.sizeLots = terms.sizeLots
  fill.feeMicros = effect.feeMicros
  fill.realizedMicros = effect.realizedMicros
  fill.positionLots = effect.positionLots
  fill.costMicros = effect.costMicros
  fill.cashMicros = effect.cashMicros
  fill.positionRealizedMicros = effect.positionRealizedMicros
  fill.cumFilledLots = terms.sizeLots
  fill.instrument = terms.instrument
  fill.side = terms.side === Side.Buy ? Side.Buy : Side.Sell
  fill.isTaker = isTaker
  fill.account = terms.account
  fill.notionalMicros = notionalMicrosOf(state, terms.instrument, terms.sizeLots)
  state.accounts.addresses.write(terms.account, fill.u8, fill.walletAt)
  fill.u8.set(row.terms.id, fill.rfqIdAt)
  fill.u8.set(quote.id, fill.quoteIdAt)
  writeCompetitionFields(state, terms.account, terms.instrument, fill)
  if (slot === none) return
  fill.orderId = orders.orderId[slot]
  fill.cumFilledLots = orders.filledLots[slot]
  fill.flags = orders.flags[slot]
  fill.builderFeeMicros = effect.builderFeeMicros
  fill.clientIdBytes = orders.clientIdBytes[slot]
  orders.copyClientId(slot, fill.i32, fill.clientIdAt >> 2)
  orders.copyBuilder(slot, fill.i32, fill.builderAt >> 2)
}
