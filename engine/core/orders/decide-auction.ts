import { assert } from '../../../schemas/assert.js'
import { OrderFlag, OrderStatus, RfqKind, RfqStatus, Side } from '../../../schemas/domain.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import { Result } from '../../../schemas/results.js'
import { formatUuid, uuidOf } from '../../../schemas/uuid.js'
import { addressBytes } from '../../../schemas/wallet.js'
import { answerClient, finishOrder } from '../../lifecycle/finish-order.js'
import { revive } from '../../lifecycle/liquidation-gate.js'
import { openTicket, ticketsLeft } from '../../lifecycle/liquidation-orders.js'
import { microsOfUsd } from '../../pricing/rounding.js'
import { factsOfOrder } from '../../publish/publish-orders.js'
import { isWithin, reaches, referenceOf, worstMicros } from '../../rfq/auction-limit.js'
import { compareQuotes } from '../../rfq/rfq-limit.js'
import { noteDue, openAuctionRfq, publishRfqEnd } from '../../rfq/rfq-states.js'
import { dropExpiredQuotes, endStaleAuctions } from '../../rfq/rfq-timers.js'
import { ownFacts } from '../../state/accounts/kept-results.js'
import { type Batch, signerOfAccepted, TicketFlag, TicketState } from '../../state/batch.js'
import type { CoreState } from '../../state/core-state.js'
import type { Auction } from '../../state/rfq/auction-row.js'
import { Answer, type Invited } from '../../state/rfq/rfq-row.js'
import { sendDecision, sendPlace } from '../../state/send-order.js'
import { fillByQuote } from '../rfq/execute-rfq.js'
import { acceptAction } from '../steps/signed.js'
import { type BookTop, hasBook, shownTo } from './auction-rows.js'

/** Lifetime of an auction's request after its deadline for quotes. The auction is decided long before. */
const lifetimeMillis = 60_000

const facts = ownFacts()
const noSigner = new Uint8Array(addressBytes)

/**
 * Opens an auction for an order that a provider may fill better than the book. Its nonce is burned, so a retry finds
 * the order accepted. The client gets its answer when the auction ends.
 * @param top best prices of its book.
 */
export function beginAuction(
  state: CoreState,
  batch: Batch,
  ticket: number,
  top: Readonly<BookTop>,
): void {
  const { config, nowMillis, orders } = state
  const { rpi } = config
  const slot = batch.slot[ticket]
  assert(orders.filledLots[slot] === 0, 'auction: its order has no fills')
  const side = orders.side[slot] as Side
  const limitMicros = orders.priceMicros[slot]
  const bestMicros = side === Side.Buy ? top.askMicros : top.bidMicros
  const reference = referenceOf(side, limitMicros, bestMicros, microsOfUsd(rpi.minImprovementTick))
  const shown = shownTo(state, batch, ticket, top)
  const canImprove =
    reference.mustImprove || shown.some((one) => reaches(side, limitMicros, one.priceMicros))
  const { gateway, nonceHigh, nonceLow, request } = batch.command(ticket)
  state.setWorkingStatus(slot, OrderStatus.Acked)
  factsOfOrder(state, slot, OrderStatus.Acked, facts)
  acceptAction(state, batch, ticket, Result.Accepted, facts, orders.publishedSeq[slot])
  revive(state, batch.account[ticket])
  batch.state[ticket] = TicketState.Done
  const responseMillis = nowMillis + rpi.auctionMillis
  const auction = openAuctionRfq(
    state,
    {
      id: nextId(state),
      account: orders.account[slot],
      signer: noSigner,
      kind: RfqKind.Auction,
      limitMicros,
      legs: [{ instrument: orders.instrument[slot], side, sizeLots: orders.openLots[slot] }],
      createdMillis: nowMillis,
      responseMillis,
      expiresMillis: responseMillis + lifetimeMillis,
    },
    {
      orderId: orders.orderId[slot],
      ...reference,
      ...{ gateway, request, nonceHigh, nonceLow },
      signer: signerOfAccepted(batch, ticket),
      batchNumber: batch.number,
      shown: canImprove ? shown : [],
    },
    slot,
  )
  if (auction.row.invited.length === 0) noteDue(state, auction.row)
}

/** Returns the next id that no request has used. */
function nextId({ auctions, nowMillis, rfqs }: CoreState): Uint8Array {
  for (;;) {
    const id = uuidOf(nowMillis, auctions.nextNumber())
    if (!rfqs.isUsed(formatUuid(id, 0))) return id
  }
}

/**
 * Decides due auctions after everything else of the batch is executed. The best quote or the book fills the order,
 * whichever is better. Auctions are decided one after the other, because each may change positions and books.
 * @returns true if there were any; call again after they are answered.
 */
export function decideAuctions(state: CoreState, batch: Batch): boolean {
  const { auctions, liquidations, rfqs } = state
  const { deciding, due } = auctions
  if (auctions.count === 0) due.clear()
  // Matchers must receive moved positions first.
  if (auctions.count === 0 || liquidations.moved.length > 0) return false
  endStaleAuctions(state)
  noteExceeding(state)
  auctions.deciding = null
  if (deciding !== null) takeWinner(state, deciding)
  let isBusy = deciding !== null
  for (let [auction] = due; auction !== undefined; [auction] = due) {
    // The quote that just filled an order may have moved positions, or frozen a wallet.
    const mustSend = liquidations.moved.length > 0 || rfqs.frozen.length > 0
    if (mustSend || ticketsLeft(batch) === 0) break
    isBusy = true
    if (auctions.find(auction.slot) !== auction) due.delete(auction)
    else if (sendsDecision(state, batch, auction)) break
  }
  return isBusy
}

/**
 * Sends an order to its book after its matcher found a better price there than the best quote. The matcher has begun to
 * execute it.
 */
export function leaveForBook(state: CoreState, ticket: number): void {
  const { auctions } = state
  const auction = auctions.deciding
  assert(auction !== null, 'auction: the matcher has received a query for it')
  auctions.deciding = null
  leave(state, ticket, auction)
}

/**
 * Decides an auction as far as the core can without a matcher.
 * @returns true if the best quote was sent to the matcher for comparison with the book.
 */
function sendsDecision(state: CoreState, batch: Batch, auction: Auction): boolean {
  const { auctions, orders } = state
  const { slot } = auction
  assert(auctions.deciding === null, 'auction: one is decided at a time')
  const isBooked = hasBook(state, orders.instrument[slot])
  // If all providers answered early, some quotes may be valid for less than the auction's duration.
  dropExpiredQuotes(state, auction.row)
  const best = bestOf(state, auction)
  if (best !== null && isBooked) {
    const ticket = openOwnTicket(state, batch, slot)
    auctions.deciding = auction
    auctions.decidingTicket = ticket
    sendDecision(state, ticket, slot, best.quote!.pricesMicros[0])
    return true
  }
  if (best !== null) takeWinner(state, auction)
  else if (isBooked) {
    const ticket = openOwnTicket(state, batch, slot)
    leave(state, ticket, auction)
    sendPlace(state, ticket, slot)
  } else {
    close(state, auction)
    finishOrder(state, slot, OrderStatus.Canceled, Result.RfqNoEligibleQuote)
    answerClient(state, auction, OrderStatus.Canceled, Result.RfqNoEligibleQuote)
  }
  return false
}

/** Fills the order by the best eligible quote, which beats the book, unless its provider fails the margin check. */
function takeWinner(state: CoreState, auction: Auction): void {
  const { auctions } = state
  const { row, slot } = auction
  const best = auctions.find(slot) === auction ? bestOf(state, auction) : null
  if (best === null) return
  const { quote } = best
  const fillId = state.tradeCount + 1
  if (fillByQuote(state, auction, best) !== Result.Accepted) return
  barUnhelpful(state, auction)
  auctions.end(auction, RfqStatus.Executed)
  publishRfqEnd(state, row, { quote: quote!, fillId })
  finishOrder(state, slot, OrderStatus.Filled, Result.Accepted)
  answerClient(state, auction, OrderStatus.Filled, Result.Accepted)
}

/** Returns the best live quote that is within the limit and, where required, better than the reference. */
function bestOf({ orders }: CoreState, { isCut, row, slot, terms }: Auction): Invited | null {
  if (isCut) return null
  const [{ side, sizeLots }] = row.terms.legs
  const worst = worstMicros(side, orders.priceMicros[slot], terms)
  const [best] = row.invited
    .filter(({ quote }) => {
      if (quote === null) return false
      const { netPremiumMicros, pricesMicros } = quote
      return isWithin(side, pricesMicros[0], netPremiumMicros, sizeLots, worst)
    })
    .sort((one, other) => compareQuotes(one.quote!, other.quote!))
  return best ?? null
}

/** Opens a ticket of the core's own for the order in `slot`, whose acceptance is published already. */
function openOwnTicket(state: CoreState, batch: Batch, slot: number): number {
  const { orders } = state
  const ticket = openTicket(state, batch, CommandType.PlaceOrder, orders.instrument[slot])
  batch.account[ticket] = orders.account[slot]
  batch.slot[ticket] = slot
  batch.flags[ticket] |= TicketFlag.Acked
  batch.touch(slot)
  return ticket
}

/** Moves the order to its book; the client's answer follows from there. */
function leave(state: CoreState, ticket: number, auction: Auction): void {
  close(state, auction)
  state.setWorkingStatus(auction.slot, OrderStatus.Open)
  assert(!state.auctions.leaving.has(ticket), 'auction: its order leaves once')
  state.auctions.leaving.set(ticket, auction)
}

/** Ends an auction that no quote has won. */
function close(state: CoreState, auction: Auction): void {
  const { row } = auction
  barUnhelpful(state, auction)
  const isQuoted = row.invited.some(({ quoteCount }) => quoteCount > 0)
  state.auctions.end(auction, isQuoted ? RfqStatus.Expired : RfqStatus.NoQuotes)
  const unanswered = row.invited.length > 0 ? Result.RfqUnanswered : Result.RfqNoProvider
  publishRfqEnd(state, row, { reason: isQuoted ? Result.RfqNoEligibleQuote : unanswered })
}

/**
 * Bars providers that did not help, for a while. These declined, kept silent, left, have no live quote, or quoted worse
 * than they showed for that size. A provider that left is included because it could return with its rows at once.
 * Declining an order larger than the shown size is legitimate: otherwise large orders could remove honest rows.
 */
function barUnhelpful(state: CoreState, { isCut, row, terms }: Auction): void {
  if (isCut) return
  const { nowMillis, auctions } = state
  const [{ instrument, side, sizeLots }] = row.terms.legs
  for (const { account, answer, quote } of row.invited) {
    const shown = terms.shown.find((one) => one.account === account)!
    const isShown = sizeLots <= shown.sizeLots
    const isWorse = quote !== null && !reaches(side, shown.priceMicros, quote.pricesMicros[0])
    const isSilent = quote === null && answer !== Answer.Declined
    const isUnreliable = isShown && (isWorse || answer === Answer.Declined)
    if (isSilent || isUnreliable) auctions.bar(account, instrument, nowMillis)
  }
}

/**
 * Notes reduce-only auctions whose lots, with those in the book, exceed the position. They go to the book, which
 * reduces them.
 */
function noteExceeding(state: CoreState): void {
  const { auctions, orders, risk } = state
  const { positionLots, reduceOnlyBuyLots, reduceOnlySellLots } = risk.exposures
  for (const auction of auctions.rows) {
    const { slot } = auction
    if ((orders.flags[slot] & OrderFlag.ReduceOnly) === 0 || auction.isCut) continue
    const exposure = orders.exposure[slot]
    const isSell = orders.side[slot] === Side.Sell
    const closableLots = Math.max(0, isSell ? positionLots[exposure] : -positionLots[exposure])
    const lots = isSell ? reduceOnlySellLots[exposure] : reduceOnlyBuyLots[exposure]
    if (lots <= closableLots) continue
    auction.isCut = true
    noteDue(state, auction.row)
  }
}
