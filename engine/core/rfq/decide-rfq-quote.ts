import { assert } from '../../../schemas/assert.js'
import {
  auctionQuotesMax,
  priceMicrosMax,
  quoteMillisMax,
  rfqQuotesMax,
} from '../../../schemas/bounds.js'
import { ProviderStatus, RfqKind, RfqStatus } from '../../../schemas/domain.js'
import {
  type AnyCommand,
  DeclineRfqCommand,
  QuoteRfqCommand,
} from '../../../schemas/generated/commands.js'
import { isPremiumOf, type PricedLeg } from '../../../schemas/net-premium.js'
import { RfqQuoteChange, Signer } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { formatUuid, uuidOf } from '../../../schemas/uuid.js'
import { addressBytes, isZeroAddress } from '../../../schemas/wallet.js'
import { none } from '../../memory/rows.js'
import { factsOfNothing } from '../../publish/publish-orders.js'
import { publishRfqQuote } from '../../publish/publish-rfq.js'
import { boundMicros, compareQuotes } from '../../rfq/rfq-limit.js'
import { decline, endIfIdle, makeQuote, setStatus } from '../../rfq/rfq-states.js'
import { ownFacts } from '../../state/accounts/kept-results.js'
import { type Batch, TicketFlag } from '../../state/batch.js'
import type { CoreState } from '../../state/core-state.js'
import type { Invited, Rfq, RfqQuote } from '../../state/rfq/rfq-row.js'
import { answerEarlier, answerNow } from '../steps/answer.js'
import { acceptAction, isNonceBurned, repeatOf, signerOf } from '../steps/signed.js'
import { checkOpen, closedAs } from './decide-rfq-accept.js'
import { checkProvider, executeQuote, failureDetails } from './execute-rfq.js'

const quoted = new QuoteRfqCommand()
const declined = new DeclineRfqCommand()
const facts = ownFacts()

/** An open request with the provider's invitation; null if the taker itself is the provider. */
interface OpenRequest {
  readonly row: Rfq
  readonly invited: Invited | null
}

/**
 * QuoteRfq: a provider's firm quote. Its terms are checked before its signature, as the provider protocol requires: the
 * sender has already signed for its session.
 */
export function decideQuote(state: CoreState, batch: Batch, command: AnyCommand): void {
  const { u32, walletAt } = command
  const account = state.accounts.findWords(u32, walletAt >> 2)
  const ticket = batch.add(command, account)
  answerEarlier(state, batch, ticket)
  const result = decide(state, batch, ticket, command)
  batch.result[ticket] = result
  if (result !== Result.Accepted || (batch.flags[ticket] & TicketFlag.Repeat) !== 0) return
  factsOfNothing(command, none, facts)
  acceptAction(state, batch, ticket, Result.Accepted, facts, 0)
  answerNow(state, batch, ticket, Result.Accepted, 0, facts)
}

/** DeclineRfq: a provider declines to quote, or withdraws its quote. */
export function decideDecline(state: CoreState, batch: Batch, command: AnyCommand): void {
  const { rfqIdAt, u8, u32, walletAt } = declined.of(command)
  const ticket = batch.add(command, none)
  answerEarlier(state, batch, ticket)
  const account = state.accounts.findWords(u32, walletAt >> 2)
  const request = find(state, account, formatUuid(u8, rfqIdAt))
  if (typeof request === 'number' || request.invited === null) {
    batch.result[ticket] = typeof request === 'number' ? request : Result.RfqUnknown
    return
  }
  decline(state, request.row, request.invited)
  factsOfNothing(command, none, facts)
  answerNow(state, batch, ticket, Result.Accepted, 0, facts)
}

/** Guard ladder of a quote, in the documented order. A quote that passes becomes live or executes. */
function decide(state: CoreState, batch: Batch, ticket: number, command: AnyCommand): Result {
  const account = batch.account[ticket]
  const { rfqIdAt, signerAt, u8 } = quoted.of(command)
  const hasSigner = !isZeroAddress(u8, signerAt)
  const signer = hasSigner ? signerOf(state, account, command) : Signer.Stranger
  if (signer === Signer.Agent) batch.flags[ticket] |= TicketFlag.ByAgent
  const isKnown = account >= 0 && signer !== Signer.Stranger
  const isBurned = isKnown && isNonceBurned(state, account, signer, command)
  if (isBurned && repeatOf(state, account, command) >= 0) {
    batch.flags[ticket] |= TicketFlag.Repeat
    return Result.Accepted
  }
  const request = find(state, account, formatUuid(u8, rfqIdAt))
  if (typeof request === 'number') return request
  const { row, invited } = request
  const terms = checkTerms(state, row)
  if (terms !== Result.Accepted) return terms
  if (!hasSigner) return Result.SignatureFailed
  if (signer === Signer.Stranger) return Result.Unauthorized
  if (isBurned) return Result.NonceUsed
  if (state.walletStops.has(account)) return Result.WalletStopped
  if (invited === null) return Result.RfqSelfTrade
  const quotesMax = row.isAuction ? auctionQuotesMax : rfqQuotesMax
  if (invited.quoteCount >= quotesMax) {
    batch.details[batch.beginDetails(ticket)] = quotesMax
    return Result.QuotesLimit
  }
  const openResult = checkOpen(state, row)
  if (openResult !== Result.Accepted) return openResult
  const result = take(state, row, invited)
  if (result !== Result.Accepted) batch.details.set(failureDetails, batch.beginDetails(ticket))
  return result
}

/** @returns the request, or the reason why the account must not answer it. */
function find(state: CoreState, account: number, key: string): OpenRequest | Result {
  const { nowMillis, providers, rfqs } = state
  const row = rfqs.find(key)
  if (row === null) {
    const status = rfqs.endOf(key)
    return status === null ? Result.RfqUnknown : closedAs(status)
  }
  if (row.terms.expiresMillis < nowMillis) return Result.RfqClosed
  const invited = row.invitedOf(account)
  const provider = providers.find(account)
  const isTaker = account === row.terms.account && provider !== null
  if (invited === null && !isTaker) return Result.RfqUnknown
  // Its messages may have been under way when it was suspended.
  return provider?.status === ProviderStatus.Active ? { row, invited } : Result.ProviderSuspended
}

/** Returns `Accepted` if the quote is in time, names these legs, is consistent, and is valid long enough. */
function checkTerms(state: CoreState, { terms }: Rfq): Result {
  const { count, netPremiumMicros, validForMillis } = quoted
  if (state.nowMillis > terms.responseMillis) return Result.RfqDeadlinePassed
  if (count !== terms.legs.length) return Result.RfqLegsMismatch
  for (const [index, { instrument, side, sizeLots }] of terms.legs.entries()) {
    const leg = quoted.legs(index)
    const isSame =
      leg.side === side &&
      leg.sizeLots === sizeLots &&
      state.instruments.findKey(leg.key) === instrument
    if (!isSame) return Result.RfqLegsMismatch
  }
  const legs = pricedLegs(terms.legs)
  const arePrices = legs.every(
    ({ priceMicros }) =>
      Number.isInteger(priceMicros) && priceMicros > 0 && priceMicros <= priceMicrosMax,
  )
  const isNet = Number.isSafeInteger(netPremiumMicros)
  if (!arePrices || !isNet || !isPremiumOf(legs, netPremiumMicros)) return Result.RfqPremiumMismatch
  return validForMillis >= 1 ? Result.Accepted : Result.RfqValidity
}

function pricedLegs(legs: Rfq['terms']['legs']): PricedLeg[] {
  return legs.map((leg, index) => ({ ...leg, priceMicros: quoted.legs(index).priceMicros }))
}

/**
 * Checks the provider's margin, then makes the quote live. If it meets the limit of an automatic request, it executes
 * at once.
 */
function take(state: CoreState, row: Rfq, invited: Invited): Result {
  const { nowMillis, rfqs } = state
  const { legs, account: taker } = row.terms
  const number = rfqs.nextQuoteNumber()
  const { netPremiumMicros, signerAt, u8, validForMillis } = quoted
  const lastMillis = nowMillis + Math.min(quoteMillisMax, Math.floor(validForMillis))
  const quote: RfqQuote = {
    id: uuidOf(nowMillis, number),
    number,
    netPremiumMicros: netPremiumMicros + 0,
    madeMillis: nowMillis,
    expiresMillis: Math.min(lastMillis, row.terms.expiresMillis),
    pricesMicros: pricedLegs(legs).map(({ priceMicros }) => priceMicros),
    signer: u8.slice(signerAt, signerAt + addressBytes),
  }
  const { pricesMicros } = quote
  const provider = invited.account
  rfqs.amend(row, () => {
    invited.quoteCount++
  })
  const takerOrder = row.auction?.slot ?? none
  const combo = { taker, takerOrder, provider, legs, pricesMicros, netPremiumMicros }
  const result = checkProvider(state, combo)
  if (result !== Result.Accepted) {
    const rejected = { reason: result, details: failureDetails }
    publishRfqQuote(state, row, provider, RfqQuoteChange.MarginRejected, quote, rejected)
    return result
  }
  assert(quote.expiresMillis >= nowMillis, 'quote: it has not expired')
  makeQuote(state, row, invited, quote)
  if (isEligible(row, quote)) executeBest(state, row)
  if (rfqs.find(row.key) !== null) setStatus(state, row, RfqStatus.QuotesReceived)
  if (row.isAuction) endIfIdle(state, row)
  return Result.Accepted
}

/** Executes the best eligible quote. If its provider fails the margin check, tries the next best one. */
function executeBest(state: CoreState, row: Rfq): void {
  for (;;) {
    const [best] = row.invited
      .filter(({ quote }) => quote !== null && isEligible(row, quote))
      .sort((one, other) => compareQuotes(one.quote!, other.quote!))
    if (best === undefined || !executeQuote(state, row, best).isProviderFailure) return
  }
}

function isEligible({ terms }: Rfq, { netPremiumMicros }: RfqQuote): boolean {
  const { kind, legs, limitMicros } = terms
  return kind === RfqKind.Auto && netPremiumMicros >= boundMicros(legs[0].side, limitMicros)
}
