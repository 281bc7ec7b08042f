import { formatMicros } from '../../../schemas/decimal.js'
import { marginModeNames } from '../../../schemas/domain.js'
import {
  marginOf,
  marginSummary,
  positionRows,
  positionText,
  spanMargin,
  withdrawableOf,
} from '../texts/portfolio-text.js'
import { type RouteContext, walletRoute } from '../texts/route-context.js'

/** GET /portfolio: the core's own margin code. */
export const portfolioRoute = walletRoute(portfolioOf)
export type Portfolio = ReturnType<typeof portfolioOf>

function portfolioOf(wallet: string, { views }: RouteContext) {
  const account = views.accounts.find(wallet)
  const summary = marginOf(views, account)
  const rows = positionRows(views, account)
  return {
    wallet_address: wallet,
    positions: rows.map((row) => positionText(views, wallet, row, summary)),
    equity: formatMicros(summary.equity),
    total_margin_used: formatMicros(summary.totalMarginUsed),
    available_balance: formatMicros(summary.available),
    withdrawable_usdc: formatMicros(withdrawableOf(views, account, summary)),
    scanning_risk: formatMicros(summary.scanningRisk),
    option_floor: formatMicros(summary.optionFloor),
    gamma_overlay: formatMicros(summary.gammaOverlay),
    margin_mode: marginModeNames[summary.mode],
    portfolio_snapshot_timestamp_ms: views.timeMillis === 0 ? null : views.timeMillis,
    span_margin: spanMargin(summary),
    margin_summary: marginSummary(summary),
  }
}
