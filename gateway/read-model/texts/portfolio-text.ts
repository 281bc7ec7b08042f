import { valueMicros } from '../../../engine/risk/money.js'
import { MarginSummary, PositionMargin } from '../../../engine/risk/order-check.js'
import { mayWithdraw } from '../../../engine/risk/withdrawable.js'
import { lotsPerContract } from '../../../schemas/bounds.js'
import { formatLots, formatMicros } from '../../../schemas/decimal.js'
import { MarginMode, marginModeNames } from '../../../schemas/domain.js'
import type {
  MarginSummary as MarginSummaryText,
  Position,
  SpanMargin,
} from '../../../schemas/interface/risk.js'
import type { PortfolioContent } from '../../../schemas/interface/wallet-messages.js'
import { formatNumber } from '../../../schemas/number-text.js'
import { LiquidationState } from '../../../schemas/record-values.js'
import { instrumentTypeOf } from '../../../schemas/symbol.js'
import type { EventViews } from '../views/event-views.js'
import { markMicrosOf } from './market-text.js'

// Fields that GET /portfolio and the portfolio channel have in common.

type GreeksContent = Extract<PortfolioContent, { readonly kind: 'GreeksUpdate' }>

/** Computes the margin of an account with the core's own code; all zeros for -1, an unknown wallet. */
export function marginOf(views: EventViews, account: number): MarginSummary {
  const { risk } = views.accounts
  const summary = new MarginSummary()
  risk.setTime(views.timeMillis)
  if (account >= 0) risk.summarize(account, summary)
  return summary
}

/** Returns the amount that the account could withdraw now, by the rule of the engine. @param summary Result of `marginOf`. */
export function withdrawableOf(views: EventViews, account: number, summary: MarginSummary): number {
  if (account < 0) return 0
  const { accounts, liquidations, market } = views
  const state = liquidations.of(account)?.state
  const standing = {
    isFree: (state === undefined || isFreeState(state)) && !accounts.stopped.has(account),
    isClockDoubted: views.isClockDoubted(),
    haltModes: market.haltModes,
  }
  return mayWithdraw(accounts.risk, account, standing) ? summary.withdrawable : 0
}

function isFreeState(state: number): boolean {
  return state === LiquidationState.Healthy || state === LiquidationState.Liquidated
}

export function spanMargin(summary: MarginSummary): SpanMargin {
  return {
    equity: formatMicros(summary.equity),
    initial_margin_required: formatMicros(summary.positionIm),
    maintenance_margin_required: formatMicros(summary.positionMm),
    open_orders_initial_margin: formatMicros(summary.openOrdersIm),
    option_margin_required: formatMicros(summary.positionIm - summary.perpIm),
    scanning_risk: formatMicros(summary.scanningRisk),
    option_floor: formatMicros(summary.optionFloor),
    gamma_overlay: formatMicros(summary.gammaOverlay),
    hypercore_margin_required: formatMicros(summary.perpIm),
  }
}

/** Formats a margin summary, in which `initial_margin` and `maintenance_margin` are excess and may be negative. */
export function marginSummary(summary: MarginSummary): MarginSummaryText {
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

/** Returns the exposures of an account that have a position, by ascending instrument. */
export function positionRows(views: EventViews, account: number): number[] {
  if (account < 0) return []
  const { exposures, firstExposure } = views.accounts.risk
  const rows: number[] = []
  for (let row = firstExposure[account]; row >= 0; row = exposures.nextInAccount[row]) {
    if (exposures.positionLots[row] !== 0) rows.push(row)
  }
  return rows.sort((one, other) => exposures.instrument[one] - exposures.instrument[other])
}

/** Returns the unrealized profit of a position. Without a mark its value counts as 0, and the profit of a perp as 0. */
export function unrealizedOf({ accounts, market }: EventViews, exposure: number): number {
  const { exposures } = accounts.risk
  const instrument = exposures.instrument[exposure]
  const costMicros = exposures.costMicros[exposure]!
  const markMicros = markMicrosOf(market, instrument)
  if (Number.isNaN(markMicros)) return market.instruments.isPerp(instrument) ? 0 : -costMicros
  return valueMicros(markMicros, exposures.positionLots[exposure]) - costMicros
}

/** Formats a position of an account. `exposure` must have one. */
export function positionText(
  views: EventViews,
  wallet: string,
  exposure: number,
  summary: MarginSummary,
): Position {
  const { accounts, market } = views
  const { risk, changedMillis } = accounts
  const { exposures } = risk
  const instrument = exposures.instrument[exposure]
  const symbol = market.symbols[instrument]!
  const lots = exposures.positionLots[exposure]
  const markMicros = markMicrosOf(market, instrument)
  const value = Number.isNaN(markMicros) ? 0 : valueMicros(markMicros, lots)
  const margin = new PositionMargin()
  risk.positionMargin(exposure, margin)
  return positionFields(wallet, symbol, summary, {
    lots,
    entryMicros: risk.entryPriceMicros(exposure),
    imMicros: margin.imMicros,
    realizedMicros: exposures.realizedMicros[exposure]!,
    unrealizedMicros: unrealizedOf(views, exposure),
    changedMillis: changedMillis[exposure] ?? 0,
    valueMicros: value,
    mmMicros: margin.mmMicros,
  })
}

/** Formats a closed position: amount `"0"`, and its realized profit. */
export function closedPositionText(
  views: EventViews,
  wallet: string,
  instrument: number,
  realizedMicros: number,
  summary: MarginSummary,
): Position {
  const facts = { ...noPosition, realizedMicros, changedMillis: views.timeMillis }
  return positionFields(wallet, views.market.symbols[instrument]!, summary, facts)
}

const noPosition = {
  lots: 0,
  entryMicros: 0,
  imMicros: 0,
  realizedMicros: 0,
  unrealizedMicros: 0,
  changedMillis: 0,
  valueMicros: 0,
  mmMicros: 0,
}

function positionFields(
  wallet: string,
  symbol: string,
  summary: MarginSummary,
  facts: typeof noPosition,
): Position {
  return {
    wallet_address: wallet,
    symbol,
    amount: formatLots(facts.lots),
    entry_price: formatMicros(facts.entryMicros),
    margin_posted: formatMicros(facts.imMicros),
    realized_pnl: formatMicros(facts.realizedMicros),
    unrealized_pnl: formatMicros(facts.unrealizedMicros),
    updated_at: new Date(facts.changedMillis).toISOString(),
    instrument_type: instrumentTypeOf(symbol),
    notional_value: formatMicros(facts.valueMicros),
    maintenance_margin: formatMicros(facts.mmMicros),
    liquidation_price: '0',
    margin_ratio: marginRatio(summary),
  }
}

/**
 * Returns the greeks of the positions that have a mark, times their size, and their sum. The aggregate volatility is
 * the mean weighted by the magnitude of vega, so that it lies between those of the legs when long and short vega
 * cancel. A leg without a volatility, such as every perp, shows 0, because its field cannot be null.
 */
export function greeksText(
  views: EventViews,
  rows: readonly number[],
): Omit<GreeksContent, 'kind'> {
  const { market, accounts } = views
  const { exposures } = accounts.risk
  const { marks } = market
  const sum = { delta: 0, gamma: 0, theta: 0, vega: 0 }
  let weight = 0
  let weightedIv = 0
  const legs: GreeksContent['per_leg'][number][] = []
  for (const row of rows) {
    const id = exposures.instrument[row]
    if (Number.isNaN(markMicrosOf(market, id))) continue
    const contracts = exposures.positionLots[row] / lotsPerContract
    const leg = {
      delta: contracts * marks.delta[id],
      gamma: contracts * marks.gamma[id],
      theta: contracts * marks.thetaPerDay[id],
      vega: contracts * marks.vegaPerPoint[id],
    }
    for (const name of greekNames) sum[name] += leg[name]
    const iv = marks.iv[id]
    if (!Number.isNaN(iv)) {
      weight += Math.abs(leg.vega)
      weightedIv += Math.abs(leg.vega) * iv
    }
    const quantity = formatLots(exposures.positionLots[row])
    legs.push({ symbol: market.symbols[id]!, quantity, ...leg, iv: Number.isNaN(iv) ? 0 : iv })
  }
  const iv = weight > 0 ? weightedIv / weight : null
  return { per_leg: legs, aggregate: legs.length === 0 ? null : { ...sum, iv } }
}

const greekNames = ['delta', 'gamma', 'theta', 'vega'] as const

/** Returns maintenance margin divided by equity, at most 1; 1 without equity. */
function marginRatio(summary: MarginSummary): string {
  if (summary.equity <= 0) return '1'
  return formatNumber(Math.min(1, summary.positionMm / summary.equity))
}
