import { formatLots, formatMicros } from '../../../schemas/decimal.js'
import { marginModeNames } from '../../../schemas/domain.js'
import type { LiquidationEvent } from '../../../schemas/generated/events.js'
import type {
  AuctionPosition,
  FullLiquidation,
  LiquidationSummary,
  PartialLiquidation,
} from '../../../schemas/interface/risk.js'
import {
  LiquidationMode,
  LiquidationState,
  liquidationModeNames,
} from '../../../schemas/record-values.js'
import { auctionTermsHash, portfolioHash } from '../../../schemas/signing/auction-terms-hash.js'
import { formatAddress, isZeroAddress } from '../../../schemas/wallet.js'
import { auctionIdText, auctionRequestId } from '../../wire/auction-ids.js'

// Fields that GET /liquidation/status, the history and the stream have in common.

/** Terms of an auction. */
export interface AuctionView {
  readonly equityMicros: number
  readonly mmMicros: number
  readonly requiredMicros: number
  readonly version: number
  readonly valuationMillis: number
  readonly positions: readonly AuctionPosition[]
}

/** Returns the values that decide on a liquidation. */
export function liquidationSummary(
  facts: { readonly mode: number; readonly marginMode: number },
  equityMicros: number,
  mmMicros: number,
): LiquidationSummary {
  return {
    liquidation_mode: liquidationModeNames[facts.mode] ?? null,
    margin_mode: marginModeNames[facts.marginMode] ?? marginModeNames[0],
    equity: formatMicros(equityMicros),
    mm_required: formatMicros(mmMicros),
    maintenance_margin: formatMicros(equityMicros - mmMicros),
    shortfall: formatMicros(Math.max(0, mmMicros - equityMicros)),
  }
}

/** Values that decide on a wallet, and the deadline of its state. */
type Judgement = Pick<LiquidationEvent, 'equityMicros' | 'mmMicros' | 'deadlineMillis'>

/**
 * Returns the object of the partial phase; null in any other state.
 * @param now Deciding values as of the answer or message.
 * @param orderIds Working orders of the engine for the wallet.
 */
export function partialText(
  facts: LiquidationEvent,
  now: Judgement,
  orderIds: readonly number[],
): PartialLiquidation | null {
  if (facts.mode !== LiquidationMode.Partial) return null
  return {
    entered_at: facts.enteredMillis,
    target_equity: formatMicros(facts.targetMicros),
    mm_shortfall: formatMicros(Math.max(0, now.mmMicros - now.equityMicros)),
    escalation_deadline: now.deadlineMillis,
    last_reprice_at: facts.repricedMillis === 0 ? null : facts.repricedMillis,
    active_order_request_ids: orderIds.map(String),
    active_order_client_ids: orderIds.map((orderId) => `liquidation-${orderId}`),
    bonus_bps: facts.bonusBps,
    pending_full_auction_id: null,
    pending_full_request_id: null,
    pending_full_tx_hash: null,
    pending_full_margin_needed: null,
  }
}

/**
 * Returns the object of the full phase, while it runs or after it has ended with the account cleared; otherwise null.
 * @param view Null if no auction runs.
 */
export function fullText(
  facts: LiquidationEvent,
  view: AuctionView | null,
): FullLiquidation | null {
  const isCleared = facts.state === LiquidationState.Liquidated
  if (facts.auction === 0 || (facts.mode !== LiquidationMode.Full && !isCleared)) return null
  const hasWinner = !isZeroAddress(facts.u8, facts.winnerAt)
  return {
    auction_id: auctionIdText(facts.auction)!,
    request_id: auctionRequestId(facts.auction)!,
    tx_hash: null,
    started_at: facts.auctionMillis,
    chain_start_time: null,
    margin_needed: formatMicros(facts.neededMicros),
    stop_request_id: null,
    stop_tx_hash: null,
    liquidated_at: isCleared ? facts.enteredMillis : null,
    winner: hasWinner ? formatAddress(facts.u8, facts.winnerAt) : null,
    bonus: hasWinner ? formatMicros(facts.bonusMicros) : null,
    resolution_tx_hash: null,
    ...termsText(facts, view),
  }
}

function termsText(facts: LiquidationEvent, view: AuctionView | null) {
  const positions = view?.positions ?? []
  const hash = portfolioHash(
    positions.map(({ symbol, quantity, entry_price }) => ({
      symbol,
      quantity,
      entryPrice: entry_price,
    })),
  )
  const version = view?.version ?? facts.version
  const valuationMillis = view?.valuationMillis ?? facts.timeMillis
  const bidUsdc = view === null ? null : formatMicros(view.requiredMicros)
  return {
    current_required_bid_usdc: bidUsdc,
    current_equity: view === null ? null : formatMicros(view.equityMicros),
    current_mm_required: view === null ? null : formatMicros(view.mmMicros),
    current_maintenance_margin:
      view === null ? null : formatMicros(view.equityMicros - view.mmMicros),
    current_positions: positions,
    current_portfolio_hash: hash,
    current_auction_terms_hash: auctionTermsHash({
      auctionId: auctionIdText(facts.auction) ?? '',
      liquidatedWallet: formatAddress(facts.u8, facts.walletAt),
      auctionVersion: version,
      portfolioHash: hash,
      bidUsdc: bidUsdc ?? '0',
      valuationTimestampMillis: valuationMillis,
    }),
    current_auction_version: version,
    current_valuation_timestamp_ms: valuationMillis,
  }
}

/** Returns a position as a bid states it. */
export function auctionPositionText(
  symbol: string,
  lots: number,
  entryMicros: number,
): AuctionPosition {
  return { symbol, quantity: formatLots(lots), entry_price: formatMicros(entryMicros) }
}
