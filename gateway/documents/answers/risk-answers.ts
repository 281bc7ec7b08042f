import { instrumentTypeNames, marginModeNames } from '../../../schemas/domain.js'
import { liquidationModeNames, liquidationStateNames } from '../../../schemas/record-values.js'
import {
  address,
  component,
  count,
  decimal,
  flag,
  integer,
  iso,
  list,
  millis,
  nothing,
  nullable,
  number,
  object,
  oneOf,
  text,
} from '../shapes/shape.js'
import { cursorRows, data, rows } from './envelopes.js'

// Answers about margin, positions and liquidation of a wallet.

export const instrumentType = oneOf(instrumentTypeNames)
export const marginMode = oneOf(marginModeNames)
const liquidationState = oneOf(liquidationStateNames)
const liquidationMode = nullable(oneOf(liquidationModeNames))
export const maybeDecimal = nullable(decimal)
export const position = component(
  'Position',
  object({
    wallet_address: address,
    symbol: text,
    amount: decimal,
    entry_price: decimal,
    margin_posted: decimal,
    realized_pnl: decimal,
    unrealized_pnl: decimal,
    updated_at: iso,
    instrument_type: instrumentType,
    notional_value: decimal,
    maintenance_margin: decimal,
    liquidation_price: decimal,
    margin_ratio: decimal,
  }),
)

export const spanMargin = component(
  'SpanMargin',
  object({
    equity: decimal,
    initial_margin_required: decimal,
    maintenance_margin_required: decimal,
    open_orders_initial_margin: decimal,
    option_margin_required: decimal,
    scanning_risk: decimal,
    option_floor: decimal,
    gamma_overlay: decimal,
    hypercore_margin_required: decimal,
  }),
)

export const marginSummary = component(
  'MarginSummary',
  object({
    mode: marginMode,
    equity: decimal,
    position_im: decimal,
    open_orders_im: decimal,
    initial_margin: decimal,
    maintenance_margin: decimal,
    'open_orders_premium_reserved?': decimal,
  }),
)

const portfolio = component(
  'Portfolio',
  object({
    wallet_address: address,
    positions: list(position),
    equity: decimal,
    total_margin_used: decimal,
    available_balance: decimal,
    withdrawable_usdc: decimal,
    scanning_risk: decimal,
    option_floor: decimal,
    gamma_overlay: decimal,
    margin_mode: marginMode,
    portfolio_snapshot_timestamp_ms: nullable(millis),
    span_margin: spanMargin,
    margin_summary: marginSummary,
  }),
)

/** First fields of every row about a liquidation. */
export const liquidationSummary = {
  liquidation_mode: liquidationMode,
  margin_mode: marginMode,
  equity: decimal,
  mm_required: decimal,
  maintenance_margin: decimal,
  shortfall: decimal,
}

const liquidation = component(
  'Liquidation',
  object({
    id: count,
    wallet: address,
    previous_state: liquidationState,
    new_state: liquidationState,
    ...liquidationSummary,
    auction_id: nullable(text),
    request_id: nullable(text),
    tx_hash: nothing,
    margin_needed: maybeDecimal,
    winner_address: nullable(address),
    bonus: maybeDecimal,
    details: object({
      previous_liquidation_mode: liquidationMode,
      insurance_paid: decimal,
      deleveraged: decimal,
      shared: decimal,
      uncovered: decimal,
      fees_paid: decimal,
    }),
    timestamp: millis,
  }),
)

export const partialLiquidation = component(
  'PartialLiquidation',
  object({
    entered_at: millis,
    target_equity: decimal,
    mm_shortfall: decimal,
    escalation_deadline: millis,
    last_reprice_at: nullable(millis),
    active_order_request_ids: list(text),
    active_order_client_ids: list(text),
    bonus_bps: integer,
    pending_full_auction_id: nothing,
    pending_full_request_id: nothing,
    pending_full_tx_hash: nothing,
    pending_full_margin_needed: nothing,
  }),
)

export const fullLiquidation = component(
  'FullLiquidation',
  object({
    auction_id: text,
    request_id: text,
    tx_hash: nothing,
    started_at: millis,
    chain_start_time: nothing,
    margin_needed: decimal,
    stop_request_id: nothing,
    stop_tx_hash: nothing,
    liquidated_at: nullable(millis),
    winner: nullable(address),
    bonus: maybeDecimal,
    resolution_tx_hash: nothing,
    current_required_bid_usdc: maybeDecimal,
    current_equity: maybeDecimal,
    current_mm_required: maybeDecimal,
    current_maintenance_margin: maybeDecimal,
    current_positions: list(object({ symbol: text, quantity: decimal, entry_price: decimal })),
    current_portfolio_hash: text,
    current_auction_terms_hash: text,
    current_auction_version: count,
    current_valuation_timestamp_ms: millis,
  }),
)

const shocks = {
  id: text,
  kind: text,
  spot_shock_pct: decimal,
  vol_shock_pct: decimal,
  skew_shock: decimal,
  kurtosis_shock: decimal,
  pnl_weight: decimal,
  is_tail: flag,
}
const riskGrid = component(
  'RiskGrid',
  object({
    model: text,
    parameters: object({
      im_factor: number,
      mm_factor: number,
      short_minimum_im: number,
      short_minimum_mm: number,
      vol_floor: number,
      z_clip: number,
      mm_ratio: number,
      option_floor_factor: number,
      gamma_overlay_factor: number,
      overlay_hours: number,
      floor_netting: text,
      perp_initial_fraction: number,
      perp_maintenance_fraction: number,
    }),
    equity: decimal,
    position_initial_margin: decimal,
    position_maintenance_margin: decimal,
    open_orders_initial_margin: decimal,
    total_initial_margin: decimal,
    scanning_risk: decimal,
    option_floor: decimal,
    gamma_overlay: decimal,
    underlyings: list(
      object({
        underlying: text,
        scenarios: list(object({ ...shocks, total_pnl: decimal })),
        extended_risk_matrix: object({
          scenarios: list(object(shocks)),
          instruments: list(
            object({
              symbol: text,
              underlying: text,
              amount: decimal,
              base_amount: decimal,
              current_value: decimal,
              scenario_pnls: list(decimal),
            }),
          ),
          total_pnls: list(decimal),
          worst_scenario_index: count,
          worst_scenario_pnl: decimal,
        }),
      }),
    ),
  }),
)

/** Answers by method and path. */
export const riskAnswers = {
  'GET /portfolio': data(portfolio),
  'GET /risk/grid': data(riskGrid),
  'POST /risk/simulate/orders': data(
    object({
      admissible: flag,
      rejection_reason: nullable(text),
      required: decimal,
      equity: decimal,
      consumed_im: decimal,
      incremental_im: decimal,
      consumed_mm: decimal,
      incremental_mm: decimal,
      scenario: nullable(object({ kind: text, id: text })),
    }),
  ),
  'GET /liquidation/status': data(
    object({
      wallet: address,
      state: liquidationState,
      timers_stand: flag,
      ...liquidationSummary,
      partial_liquidation: nullable(partialLiquidation),
      full_liquidation: nullable(fullLiquidation),
    }),
  ),
  'GET /liquidations': cursorRows(liquidation),
  'GET /liquidation/history': rows(liquidation, { error: nothing }),
}
