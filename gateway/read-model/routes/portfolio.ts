import { valueMicros } from '../../../engine/risk/money.js'
import { MarginSummary, PositionMargin } from '../../../engine/risk/order-check.js'
import { formatLots, formatMicros } from '../../../schemas/decimal.js'
import { MarginMode, marginModeNames } from '../../../schemas/domain.js'
import { formatAddress } from '../../../schemas/wallet.js'
import { type Answer, dataAnswer, Envelope, refusedAnswer } from '../answers.js'
import { formatNumber, type JsonValue } from '../json-text.js'
import { markMicrosOf } from '../market-text.js'
import type { QueryReader } from '../query-reader.js'
import type { RouteContext } from '../route-context.js'

/**
 * GET /portfolio (rest-and-signing.md 9.1; risk-and-pricing.md 5.8): the core's own margin code.
 */
export function portfolioRoute(query: QueryReader, context: RouteContext): Answer {
  const wallet = formatAddress(query.wallet('wallet'), 0)
  if (query.refusal !== null) return refusedAnswer(Envelope.Data, query.refusal)
  const { accounts, seq, timeMillis } = context.views
  const account = accounts.find(wallet)
  const summary = new MarginSummary()
  accounts.risk.setTime(timeMillis)
  if (account >= 0) accounts.risk.summarize(account, summary)
  const positions = account < 0 ? [] : positionsOf(context, wallet, account, summary)
  const data = {
    wallet_address: wallet,
    positions,
    equity: formatMicros(summary.equity),
    total_margin_used: formatMicros(summary.totalMarginUsed),
    available_balance: formatMicros(summary.available),
    withdrawable_usdc: formatMicros(summary.withdrawable),
    scanning_risk: formatMicros(summary.scanningRisk),
    option_floor: formatMicros(summary.optionFloor),
    gamma_overlay: formatMicros(summary.gammaOverlay),
    margin_mode: marginModeNames[summary.mode],
    portfolio_snapshot_timestamp_ms: timeMillis === 0 ? null : timeMillis,
    span_margin: spanMargin(summary),
    margin_summary: marginSummary(summary),
  }
  return dataAnswer(data, seq)
}

function spanMargin(summary: MarginSummary): JsonValue {
  return {
    equity: formatMicros(summary.equity),
    initial_margin_required: formatMicros(summary.positionIm),
    maintenance_margin_required: formatMicros(summary.positionMm),
    open_orders_initial_margin: formatMicros(summary.openOrdersIm),
    option_margin_required: formatMicros(summary.positionIm),
    scanning_risk: formatMicros(summary.scanningRisk),
    option_floor: formatMicros(summary.optionFloor),
    gamma_overlay: formatMicros(summary.gammaOverlay),
    hypercore_margin_required: '0',
  }
}

/** `initial_margin` and `maintenance_margin` are excess here, and may be negative. */
function marginSummary(summary: MarginSummary): JsonValue {
  const isPortfolio = summary.mode === MarginMode.Portfolio
  return {
    mode: marginModeNames[summary.mode],
    equity: formatMicros(summary.equity),
    position_im: formatMicros(summary.positionIm),
    open_orders_im: formatMicros(summary.openOrdersIm),
    initial_margin: formatMicros(summary.equity - summary.positionIm - summary.openOrdersIm),
    maintenance_margin: formatMicros(summary.equity - summary.positionMm),
    open_orders_premium_reserved: isPortfolio ? undefined : formatMicros(summary.premiumReserved),
  }
}

function positionsOf(
  context: RouteContext,
  wallet: string,
  account: number,
  summary: MarginSummary,
): JsonValue[] {
  const { risk } = context.views.accounts
  const { exposures } = risk
  const rows: number[] = []
  for (let row = risk.firstExposure[account]; row >= 0; row = exposures.nextInAccount[row]) {
    if (exposures.positionLots[row] !== 0) rows.push(row)
  }
  rows.sort((one, other) => exposures.instrument[one] - exposures.instrument[other])
  const ratio = marginRatio(summary)
  return rows.map((row) => positionRow(context, wallet, row, ratio))
}

function positionRow(
  context: RouteContext,
  wallet: string,
  exposure: number,
  ratio: string,
): JsonValue {
  const { accounts, market } = context.views
  const { risk, changedMillis } = accounts
  const { exposures } = risk
  const instrument = exposures.instrument[exposure]
  const lots = exposures.positionLots[exposure]
  const markMicros = markMicrosOf(market, instrument)
  // A position without a mark counts 0, as it does in equity.
  const value = Number.isNaN(markMicros) ? 0 : valueMicros(markMicros, lots)
  const margin = new PositionMargin()
  risk.positionMargin(exposure, margin)
  return {
    wallet_address: wallet,
    symbol: market.symbols[instrument],
    amount: formatLots(lots),
    entry_price: formatMicros(risk.entryPriceMicros(exposure)),
    margin_posted: formatMicros(margin.imMicros),
    realized_pnl: formatMicros(exposures.realizedMicros[exposure]),
    unrealized_pnl: formatMicros(value - exposures.costMicros[exposure]),
    updated_at: new Date(changedMillis[exposure] ?? 0).toISOString(),
    instrument_type: 'option',
    notional_value: formatMicros(value),
    maintenance_margin: formatMicros(margin.mmMicros),
    liquidation_price: '0',
    margin_ratio: ratio,
  }
}

/** Maintenance margin over equity, at most 1; 1 without equity. */
function marginRatio(summary: MarginSummary): string {
  if (summary.equity <= 0) return '1'
  return formatNumber(Math.min(1, summary.positionMm / summary.equity))
}
