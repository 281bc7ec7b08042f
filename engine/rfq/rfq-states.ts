import { assert } from '../../schemas/assert.js'
import { isFinalRfq, RfqKind, RfqStatus } from '../../schemas/domain.js'
import { RfqQuoteChange } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import type { PublishOrdersState } from '../publish/publish-orders.js'
import {
  publishRfq,
  publishRfqQuote,
  type QuoteFacts,
  type RfqFacts,
  republishRfq,
} from '../publish/publish-rfq.js'
import { Auction, type AuctionTerms } from '../state/rfq/auction-row.js'
import type { ProviderTable } from '../state/rfq/provider-table.js'
import { Answer, Invited, type Rfq, type RfqQuote, type RfqTerms } from '../state/rfq/rfq-row.js'
import type { RfqTable } from '../state/rfq/rfq-table.js'
import { boundMicros, fallbackPriceMicros } from './rfq-limit.js'

export interface RfqStatesState extends PublishOrdersState {
  readonly providers: ProviderTable
  readonly rfqs: RfqTable
}

// Transitions between statuses, one event each. A final status is entered once: the request is then removed from its
// table.

/** Opens a request, and invites every connected provider except the taker itself. */
export function openRfq(state: RfqStatesState, terms: RfqTerms): Rfq {
  const { providers, rfqs } = state
  assert(terms.kind !== RfqKind.Auction, 'rfq: an auction starts with its order')
  assert(terms.legs.length > 0, 'rfq: the request has legs')
  const row = rfqs.add(terms)
  publishRfq(state, row, { boundMicros: boundOf(row) })
  for (const { account, isConnected } of providers.rows) {
    if (!isConnected || account === terms.account) continue
    rfqs.amend(row, ({ invited }) => invited.push(new Invited(account)))
    publishRfqQuote(state, row, account, RfqQuoteChange.Invited, null)
  }
  if (row.invited.length === 0) endRfq(state, row, RfqStatus.NoQuotes, Result.RfqNoProvider)
  else setStatus(state, row, RfqStatus.SentToQps)
  return row
}

/** Opens an auction, and invites the providers with a counting row for the order. */
export function openAuctionRfq(
  state: RfqStatesState,
  terms: RfqTerms,
  auctionTerms: AuctionTerms,
  slot: number,
): Auction {
  const { auctions, rfqs } = state
  assert(
    terms.kind === RfqKind.Auction && terms.legs.length === 1,
    'auction: it has one order with one leg',
  )
  const row = rfqs.add(terms)
  const auction = new Auction(auctionTerms, slot, row)
  auctions.add(auction)
  publishRfq(state, row, {})
  for (const { account } of auctionTerms.shown) {
    rfqs.amend(row, ({ invited }) => invited.push(new Invited(account)))
    publishRfqQuote(state, row, account, RfqQuoteChange.Invited, null)
  }
  if (row.invited.length > 0) setStatus(state, row, RfqStatus.SentToQps)
  return auction
}

/** Notes that the auction of a request must be decided in this step. */
export function noteDue(state: RfqStatesState, { auction }: Rfq): void {
  if (auction !== null) state.auctions.due.add(auction)
}

/** Changes to another status that is not final. */
export function setStatus(
  state: RfqStatesState,
  row: Rfq,
  status: RfqStatus,
  facts: RfqFacts = {},
): void {
  if (row.status === status) return
  assert(!isFinalRfq(status), 'rfq: this change does not end the request')
  state.rfqs.amend(row, (changed) => {
    changed.status = status
  })
  publishRfq(state, row, { ...facts, boundMicros: boundOf(row) })
}

/**
 * Ends a request without a trade. An automatic request with a single leg leaves a fallback order, placed when
 * everything else of the batch is executed. Its end is then published with the id of that order.
 * @param facts further facts of its end.
 */
export function endRfq(
  state: RfqStatesState,
  row: Rfq,
  status: RfqStatus,
  reason: Result,
  facts: Pick<RfqFacts, 'details' | 'quote'> = {},
): void {
  assert(isFinalRfq(status) && status !== RfqStatus.Executed, 'rfq: it ends without a trade')
  assert(!row.isAuction, 'rfq: an auction ends with its order')
  state.rfqs.end(row, status)
  const hasFallback = status !== RfqStatus.Failed && fallbackMicros(row) > 0
  if (hasFallback) state.rfqs.fallbacks.push({ row, reason })
  else publishRfqEnd(state, row, { reason, ...facts })
}

/** Publishes the final status. */
export function publishRfqEnd(state: RfqStatesState, row: Rfq, facts: RfqFacts): void {
  assert(isFinalRfq(row.status), 'rfq: it has ended before its end is published')
  publishRfq(state, row, { ...facts, boundMicros: boundOf(row) })
}

/** Returns the price of the fallback order of a request without a fill; 0 if it has none. */
export function fallbackMicros({ terms }: Rfq): number {
  const { kind, legs, limitMicros } = terms
  if (kind !== RfqKind.Auto || legs.length !== 1) return 0
  return fallbackPriceMicros(legs[0].side, limitMicros, legs[0].sizeLots)
}

/** Makes a provider's quote live; it replaces the provider's earlier one. */
export function makeQuote(
  state: RfqStatesState,
  row: Rfq,
  invited: Invited,
  quote: RfqQuote,
): void {
  const { account, quote: before } = invited
  assert(quote.pricesMicros.length === row.terms.legs.length, 'quote: each leg has a price')
  if (before !== null) publishRfqQuote(state, row, account, RfqQuoteChange.Replaced, before)
  state.rfqs.amend(row, () => {
    invited.quote = quote
    invited.answer = Answer.Quoted
  })
  publishRfqQuote(state, row, account, RfqQuoteChange.Made, quote)
}

/** Ends a live quote without execution or replacement. */
export function dropQuote(
  state: RfqStatesState,
  row: Rfq,
  invited: Invited,
  change: RfqQuoteChange,
  facts: QuoteFacts | null = null,
): void {
  const { quote } = invited
  if (quote === null) return
  state.rfqs.amend(row, () => {
    invited.quote = null
    if (change === RfqQuoteChange.Expired) invited.expiredIds.push(quote.id)
  })
  publishRfqQuote(state, row, invited.account, change, quote, facts)
}

/** Records that a provider declines to quote, or withdraws its quote. */
export function decline(state: RfqStatesState, row: Rfq, invited: Invited): void {
  if (invited.answer === Answer.Declined) return
  dropQuote(state, row, invited, RfqQuoteChange.Withdrawn)
  answer(state, row, invited, Answer.Declined)
}

/** Ends a request that can no longer be filled, or notes that an auction is due. */
export function endIfIdle(state: RfqStatesState, row: Rfq): void {
  if (row.isAuction) {
    if (row.isAnswered) noteDue(state, row)
  } else if (row.status === RfqStatus.SentToQps) {
    const mayQuote = row.invited.some(
      ({ answer: newAnswer }) => newAnswer === Answer.None || newAnswer === Answer.Quoted,
    )
    if (!mayQuote) endRfq(state, row, RfqStatus.NoQuotes, Result.RfqUnanswered)
  } else if (row.isResponseOver && !row.hasLiveQuote) {
    endRfq(state, row, RfqStatus.Expired, Result.RfqExpired)
  }
}

/**
 * Records that a provider has no session left. Its live quotes are signed, and stay live.
 * @param isSuspended true if it must not quote any more: its live quotes then end.
 */
export function leaveRfqs(state: RfqStatesState, account: number, isSuspended: boolean): void {
  for (const row of [...state.rfqs.rows]) {
    const invited = row.invitedOf(account)
    if (invited === null) continue
    if (isSuspended) {
      dropQuote(state, row, invited, RfqQuoteChange.Withdrawn, { reason: Result.ProviderGone })
    }
    assert(!isSuspended || invited.quote === null, 'provider: a suspended provider has no quotes')
    if (invited.quote === null) answer(state, row, invited, Answer.Left)
  }
}

/**
 * Ends the wallet's requests and live quotes with matching signers, without fallback orders. An auction ends with its
 * order.
 * @param reason published with each.
 * @param isConcerned selects requests; default: all.
 */
export function endRfqsBy(
  state: RfqStatesState,
  account: number,
  reason: Result,
  isSigner: (signer: Uint8Array) => boolean,
  isConcerned: (row: Rfq) => boolean = () => true,
): void {
  for (const row of [...state.rfqs.rows]) {
    if (!isConcerned(row)) continue
    const isOwn = row.terms.account === account && !row.isAuction
    if (isOwn && isSigner(row.terms.signer)) {
      endRfq(state, row, RfqStatus.Failed, reason)
      continue
    }
    const invited = row.invitedOf(account)
    if (invited?.quote == null || !isSigner(invited.quote.signer)) continue
    dropQuote(state, row, invited, RfqQuoteChange.Withdrawn, { reason })
    endIfIdle(state, row)
  }
  dropFallbacks(state, (row) => {
    const { account: taker, signer } = row.terms
    return taker === account && isSigner(signer) && isConcerned(row)
  })
}

/**
 * Drops the fallback orders of requests that ended earlier in this batch, because those orders would be placed after
 * the event that ends everything.
 */
function dropFallbacks(state: RfqStatesState, isDropped: (row: Rfq) => boolean): void {
  const { fallbacks } = state.rfqs
  const kept = fallbacks.filter(({ row }) => !isDropped(row))
  const dropped = fallbacks.filter(({ row }) => isDropped(row))
  fallbacks.splice(0, fallbacks.length, ...kept)
  for (const { reason, row } of dropped) publishRfqEnd(state, row, { reason })
}

/** Publishes open requests to readers of a bootstrap. */
export function republishRfqs(state: RfqStatesState, makeRoom: () => void): void {
  for (const row of state.rfqs.rows) {
    makeRoom()
    republishRfq(state, row, boundOf(row))
  }
}

function answer(state: RfqStatesState, row: Rfq, invited: Invited, newAnswer: Answer): void {
  if (invited.answer === newAnswer) return
  assert(invited.quote === null, 'quote: a provider that declined has no live quote')
  state.rfqs.amend(row, () => {
    invited.answer = newAnswer
  })
  const change = newAnswer === Answer.Left ? RfqQuoteChange.Left : RfqQuoteChange.Declined
  publishRfqQuote(state, row, invited.account, change, null)
  endIfIdle(state, row)
}

/** Returns the minimum net premium of an automatic request, otherwise 0. */
function boundOf({ terms }: Rfq): number {
  const { kind, legs, limitMicros } = terms
  return kind === RfqKind.Auto ? boundMicros(legs[0].side, limitMicros) : 0
}
