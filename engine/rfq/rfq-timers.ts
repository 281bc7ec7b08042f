import { assert } from '../../schemas/assert.js'
import { HaltMode, InstrumentState, OrderStatus, RfqKind, RfqStatus } from '../../schemas/domain.js'
import { RfqQuoteChange } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import { type FinishOrderState, finishOrder } from '../lifecycle/finish-order.js'
import { type LiquidationGateState, liquidationGate } from '../lifecycle/liquidation-gate.js'
import { LiquidationGate } from '../risk/order-check.js'
import type { WalletStops } from '../state/accounts/wallet-stops.js'
import type { Rfq } from '../state/rfq/rfq-row.js'
import { dropQuote, endIfIdle, endRfq, noteDue, type RfqStatesState } from './rfq-states.js'

interface RfqTimersState extends RfqStatesState, FinishOrderState, LiquidationGateState {
  haltModeOf(underlying: number): HaltMode
  readonly walletStops: WalletStops
}

/** Maximum number of due requests that one batch processes; the others wait for the next batch. */
const duePerBatchMax = 1024

/**
 * Applies the deadlines of open requests: of quotes, of the time for quotes, and of the requests. Each ends after its
 * last millisecond, so a command in that millisecond is in time.
 */
export function passRfqDeadlines(state: RfqTimersState): void {
  const { rfqs, nowMillis } = state
  for (let left = duePerBatchMax; left > 0 && rfqs.nextMillis <= nowMillis; left--) {
    const row = rfqs.nextDue
    assert(row.dueMillis <= nowMillis, 'rfq: its deadline has passed')
    passDeadline(state, row)
    assert(row.dueMillis > nowMillis || rfqs.find(row.key) === null, 'rfq: what is due is done')
  }
}

/** Ends the expired quotes of a request. */
export function dropExpiredQuotes(state: RfqTimersState, row: Rfq): void {
  for (const invited of row.invited) {
    const isOver = invited.quote !== null && invited.quote.expiresMillis < state.nowMillis
    if (isOver) dropQuote(state, row, invited, RfqQuoteChange.Expired)
  }
}

function passDeadline(state: RfqTimersState, row: Rfq): void {
  const { nowMillis, rfqs } = state
  const { expiresMillis, kind, responseMillis } = row.terms
  dropExpiredQuotes(state, row)
  const isResponseOver = responseMillis < nowMillis
  if (isResponseOver && !row.isResponseOver) {
    rfqs.amend(row, (changed) => {
      changed.isResponseOver = true
    })
  }
  if (row.isAuction) {
    if (isResponseOver) noteDue(state, row)
    return
  }
  const isOver = expiresMillis < nowMillis
  if (row.status === RfqStatus.SentToQps && (isOver || isResponseOver)) {
    endRfq(state, row, RfqStatus.NoQuotes, Result.RfqUnanswered)
  } else if (isResponseOver && kind === RfqKind.Auto) {
    endRfq(state, row, RfqStatus.Expired, Result.RfqNoEligibleQuote)
  } else if (isOver) {
    endRfq(state, row, RfqStatus.Expired, Result.RfqExpired)
  } else {
    endIfIdle(state, row)
  }
}

/**
 * Cancels orders in auction whose instruments no longer trade, whose wallets are stopped or in liquidation, or that a
 * halt ends. `mayBeStale` stays set, for `endStaleRfqs`.
 */
export function endStaleAuctions(state: RfqTimersState): void {
  const { auctions, rfqs } = state
  if (!rfqs.mayBeStale || auctions.count === 0) return
  for (const { row, slot } of [...auctions.rows]) {
    const reason = staleReasonOf(state, row)
    if (reason !== Result.Accepted) finishOrder(state, slot, OrderStatus.Canceled, reason)
  }
}

/**
 * Ends requests whose legs no longer trade, whose takers are stopped or in liquidation, or that a halt ends. Does
 * nothing unless `mayBeStale` is set.
 */
export function endStaleRfqs(state: RfqTimersState): void {
  const { rfqs } = state
  if (!rfqs.mayBeStale) return
  rfqs.mayBeStale = false
  for (const row of [...rfqs.rows]) {
    if (row.isAuction) continue
    const reason = staleReasonOf(state, row)
    if (reason !== Result.Accepted) endRfq(state, row, RfqStatus.Failed, reason)
  }
}

function staleReasonOf(state: RfqTimersState, { terms }: Rfq): Result {
  const { instruments } = state
  const { account, legs } = terms
  for (const { instrument } of legs) {
    const listed = instruments.state[instrument]
    if (listed === InstrumentState.Deleted) return Result.InstrumentDelisted
    if (listed !== InstrumentState.Active) return Result.InstrumentExpired
  }
  const halt = state.haltModeOf(instruments.underlying[legs[0].instrument])
  if (halt === HaltMode.Halted) return Result.TradingHalted
  if (halt === HaltMode.CancelOnly) return Result.CancelOnly
  if (state.walletStops.has(account)) return Result.WalletStopped
  const isClosed = liquidationGate(state, account) === LiquidationGate.Closed
  return isClosed ? Result.AccountInLiquidation : Result.Accepted
}
