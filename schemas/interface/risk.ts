import { auctionIdCharsMax, intentBytesMax } from '../bounds.js'
import { instrumentTypeNames, marginModeNames } from '../domain.js'
import { liquidationModeNames, liquidationStateNames } from '../record-values.js'
import { Result } from '../results.js'
import { cursorRows, data, rows } from './answer.js'
import * as body from './body.js'
import * as param from './parameter.js'
import { read, walletRead } from './read.js'
import {
  address,
  count,
  decimal,
  described,
  flag,
  integer,
  iso,
  type JsonOf,
  list,
  millis,
  named,
  nothing,
  nullable,
  number,
  object,
  oneOf,
  text,
} from './shape.js'
import { accountWrite } from './write.js'

export const position = named('Position', {
  wallet_address: address('Wallet of the account'),
  symbol: text('Canonical symbol of the instrument'),
  amount: decimal('Position in contracts; negative: short'),
  entry_price: decimal('Mean entry price in USD'),
  margin_posted: decimal('Initial margin of the position'),
  realized_pnl: decimal('Realized profit in USD'),
  unrealized_pnl: decimal('Profit at the mark, in USD'),
  updated_at: iso('Time of the latest change'),
  instrument_type: oneOf(instrumentTypeNames, '`option` or `perp`'),
  notional_value: decimal('Contracts times mark, in USD; below 0 of a short position'),
  maintenance_margin: decimal('Maintenance margin of the position'),
  liquidation_price: decimal('Always 0: it depends on the whole account'),
  margin_ratio: decimal(
    'Maintenance margin of the account as a share of its equity, at most 1; 1 without equity',
  ),
})
export type Position = JsonOf<typeof position>

export const spanMargin = named('SpanMargin', {
  equity: decimal('Equity in USD: cash plus positions at mark'),
  initial_margin_required: decimal('Initial margin of positions and open orders'),
  maintenance_margin_required: decimal('Maintenance margin of the positions'),
  open_orders_initial_margin: decimal('Initial margin of open orders'),
  option_margin_required: decimal('Initial margin of the options'),
  scanning_risk: decimal('Portfolio margin: loss in the worst scenario; otherwise 0'),
  option_floor: decimal('Portfolio margin: least margin of short options; otherwise 0'),
  gamma_overlay: decimal('Portfolio margin: charge for gamma near expiry; otherwise 0'),
  hypercore_margin_required: decimal('Initial margin of the perps'),
})
export type SpanMargin = JsonOf<typeof spanMargin>

export const marginSummary = named('MarginSummary', {
  mode: oneOf(marginModeNames, 'Mode in force'),
  equity: decimal('Equity in USD: cash plus positions at mark'),
  position_im: decimal('Initial margin of the positions'),
  open_orders_im: decimal('Initial margin of open orders'),
  initial_margin: decimal('Excess: equity less position_im and open_orders_im; may be below 0'),
  maintenance_margin: decimal(
    'Excess: equity less the maintenance margin of the positions; may be below 0',
  ),
  'open_orders_premium_reserved?': decimal('Premium that open buy orders reserve'),
})
export type MarginSummary = JsonOf<typeof marginSummary>

export const portfolio = named('Portfolio', {
  wallet_address: address('Wallet of the account'),
  positions: list(position, 'Open positions'),
  equity: decimal('Equity in USD: cash plus positions at mark'),
  total_margin_used: decimal('Initial margin of positions and open orders'),
  available_balance: decimal('Equity less total_margin_used'),
  withdrawable_usdc: decimal('Withdrawable amount in USD'),
  scanning_risk: decimal('Portfolio margin: loss in the worst scenario; otherwise 0'),
  option_floor: decimal('Portfolio margin: least margin of short options; otherwise 0'),
  gamma_overlay: decimal('Portfolio margin: charge for gamma near expiry; otherwise 0'),
  margin_mode: oneOf(marginModeNames, 'Margin model of the wallet'),
  portfolio_snapshot_timestamp_ms: nullable(millis('Time of the marks; null: there are none')),
  span_margin: described(spanMargin, 'Required margin by component'),
  margin_summary: described(marginSummary, 'Margin and balance'),
})
export type Portfolio = JsonOf<typeof portfolio>

export const shocks = {
  id: text('Id of the scenario'),
  kind: text('Kind of the shock'),
  spot_shock_pct: decimal('Change of the index as a fraction: -0.15'),
  vol_shock_pct: decimal('Change of volatility as a fraction'),
  skew_shock: decimal('Change of the skew of the smile'),
  kurtosis_shock: decimal('Change of the wings of the smile'),
  pnl_weight: decimal('Share of the loss that counts'),
  is_tail: flag('True for an extreme move, of which a share counts'),
}

export const riskGrid = named('RiskGrid', {
  model: text('Margin model'),
  parameters: object(
    {
      im_factor: number('Initial margin as a share of the loss in the worst scenario'),
      mm_factor: number('Maintenance margin as a share of it'),
      short_minimum_im: number(
        'Least initial margin of an uncovered short, as a share of the value of the underlying',
      ),
      short_minimum_mm: number(
        'Least maintenance margin of an uncovered short, as a share of the value of the underlying',
      ),
      vol_floor: number('Lowest volatility after a shock'),
      z_clip: number('Bound of the standardised moneyness'),
      mm_ratio: number('Maintenance margin as a share of initial margin'),
      option_floor_factor: number(
        'Share of the value of the underlying of short options that is option_floor',
      ),
      gamma_overlay_factor: number(
        'Share of the value of the underlying of short options that is gamma_overlay',
      ),
      overlay_hours: number('Hours before expiry in which gamma_overlay counts'),
      floor_netting: text('Long options that reduce option_floor'),
      perp_initial_fraction: number('Initial margin of a perp as a share of its value'),
      perp_maintenance_fraction: number('Maintenance margin of a perp as a share of its value'),
    },
    'Parameters of the model, as configured',
  ),
  equity: decimal('Equity in USD: cash plus positions at mark'),
  position_initial_margin: decimal('Initial margin of the positions'),
  position_maintenance_margin: decimal('Maintenance margin of the positions'),
  open_orders_initial_margin: decimal('Initial margin of open orders'),
  total_initial_margin: decimal('Initial margin of positions and open orders'),
  scanning_risk: decimal('Portfolio margin: loss in the worst scenario; otherwise 0'),
  option_floor: decimal('Portfolio margin: least margin of short options; otherwise 0'),
  gamma_overlay: decimal('Portfolio margin: charge for gamma near expiry; otherwise 0'),
  underlyings: list(
    object({
      underlying: text('Name of the underlying'),
      scenarios: list(
        object({
          ...shocks,
          total_pnl: decimal('Profit of the account in the scenario, in USD; below 0 a loss'),
        }),
        'The scenarios, all of those that the model has',
      ),
      extended_risk_matrix: object(
        {
          scenarios: list(
            object({
              ...shocks,
            }),
            'The scenarios, all of those that the model has',
          ),
          instruments: list(
            object({
              symbol: text('The instrument'),
              underlying: text('Name of the underlying'),
              amount: decimal('Position in contracts; negative: short'),
              base_amount: decimal('The same as amount'),
              current_value: decimal('Contracts times mark, in USD'),
              scenario_pnls: list(
                decimal(),
                'Profit of the position in each scenario, in USD, in their order',
              ),
            }),
            'Instruments of the market',
          ),
          total_pnls: list(
            decimal(),
            'Sums over the instruments, one of each scenario in their order',
          ),
          worst_scenario_index: count('Index of the worst scenario, from 0'),
          worst_scenario_pnl: decimal('Profit in the worst scenario, in USD'),
        },
        'The same by instrument',
      ),
    }),
    'Underlyings of its positions',
  ),
})
export type RiskGrid = JsonOf<typeof riskGrid>

export const liquidationSummary = {
  liquidation_mode: nullable(
    oneOf(
      liquidationModeNames,
      '`partial`: the venue sells positions by orders; `full`: the whole account is in auction; null: neither',
    ),
  ),
  margin_mode: oneOf(marginModeNames, 'Margin model of the wallet'),
  equity: decimal('Equity in USD: cash plus positions at mark'),
  mm_required: decimal('Required maintenance margin in USD'),
  maintenance_margin: decimal(
    'Excess: equity less the maintenance margin of the positions; may be below 0',
  ),
  shortfall: decimal('Maintenance margin less equity, at least 0'),
}

export const partialLiquidation = named('PartialLiquidation', {
  entered_at: millis('Time of creation'),
  target_equity: decimal('Equity at which it ends'),
  mm_shortfall: decimal('Amount by which equity is below the maintenance margin'),
  escalation_deadline: millis(
    'Time at which the whole account goes to auction unless it is healthy',
  ),
  last_reprice_at: nullable(
    millis('Time at which its orders were last priced; null: it has none yet'),
  ),
  active_order_request_ids: list(text(), 'Ids of its working orders'),
  active_order_client_ids: list(text(), 'Client ids of its working orders'),
  bonus_bps: integer('Distance of its orders from the mark, in hundredths of a percent'),
  pending_full_auction_id: nothing('Always null: the venue uses no chain'),
  pending_full_request_id: nothing('Always null: the venue uses no chain'),
  pending_full_tx_hash: nothing('Always null: the venue uses no chain'),
  pending_full_margin_needed: nothing('Always null: the venue uses no chain'),
})
export type PartialLiquidation = JsonOf<typeof partialLiquidation>

export const fullLiquidation = named('FullLiquidation', {
  auction_id: text('Id of the auction; null: none'),
  request_id: text('Id of the liquidation; null: none'),
  tx_hash: nothing('Always null: the venue uses no chain'),
  started_at: millis('Start of the auction'),
  chain_start_time: nothing('Always null: the venue uses no chain'),
  margin_needed: decimal('Maintenance margin less equity, in USD'),
  stop_request_id: nothing('Always null: the venue uses no chain'),
  stop_tx_hash: nothing('Always null: the venue uses no chain'),
  liquidated_at: nullable(millis('End of the auction; null: it runs')),
  winner: nullable(address('Wallet that won the auction; null: none')),
  bonus: nullable(decimal('Bonus of the winner beyond its bid, in USD; null: none')),
  resolution_tx_hash: nothing('Always null: the venue uses no chain'),
  current_required_bid_usdc: nullable(decimal('Required bid now; null: no bid is accepted')),
  current_equity: nullable(decimal('Equity now; null: it is not known')),
  current_mm_required: nullable(
    decimal('Maintenance margin that is required now; null: it is not known'),
  ),
  current_maintenance_margin: nullable(decimal('Excess over it now; null: it is not known')),
  current_positions: list(
    object({
      symbol: text('Canonical symbol of the instrument'),
      quantity: decimal('Position in contracts; negative: short'),
      entry_price: decimal('Mean entry price in USD'),
    }),
    'Positions in auction, in the order of a bid',
  ),
  current_portfolio_hash: text('Hash of current_positions: `x-hashes` says how it is made'),
  current_auction_terms_hash: text('Hash of the terms of a bid: `x-hashes` says how it is made'),
  current_auction_version: count('Rises with each change of the terms'),
  current_valuation_timestamp_ms: millis('Time of the marks of the terms'),
})
export type FullLiquidation = JsonOf<typeof fullLiquidation>

export const liquidation = named('Liquidation', {
  id: count('Id of the change'),
  wallet: address('Wallet of the account'),
  previous_state: oneOf(liquidationStateNames, 'Liquidation state before'),
  new_state: oneOf(liquidationStateNames, 'Liquidation state now'),
  ...liquidationSummary,
  auction_id: nullable(text('Id of the auction; null: none')),
  request_id: nullable(text('Id of the liquidation; null: none')),
  tx_hash: nothing('Always null: the venue uses no chain'),
  margin_needed: nullable(decimal('Maintenance margin less equity, in USD')),
  winner_address: nullable(address('Wallet that won the auction; null: none')),
  bonus: nullable(decimal('Bonus of the winner beyond its bid, in USD; null: none')),
  details: object(
    {
      previous_liquidation_mode: nullable(oneOf(liquidationModeNames, 'liquidation_mode before')),
      insurance_paid: decimal('Payment of the insurance fund, in USD'),
      deleveraged: decimal(
        'Loss borne by others through closed positions (auto-deleveraging), in USD',
      ),
      shared: decimal('Loss borne by others through lower payouts at an expiry, in USD'),
      uncovered: decimal('Uncovered loss, in USD'),
      fees_paid: decimal('Liquidation fees of the wallet, in USD'),
    },
    'Bearers of the loss, with their amounts',
  ),
  timestamp: millis('Time of the event'),
})
export type Liquidation = JsonOf<typeof liquidation>

export const riskReads = {
  'GET /portfolio': walletRead({
    group: 'Account',
    summary: 'Returns positions, equity and margin of a wallet',
    answer: data(portfolio),
  }),
  'GET /risk/grid': walletRead({
    group: 'Account',
    summary: 'Returns the profit of each position in each margin scenario',
    query: {
      include_open_orders: param.ignored('Accepted and ignored: the grid has no working orders'),
    },
    answer: data(riskGrid),
  }),
  'POST /risk/simulate/orders': read({
    group: 'Account',
    summary: 'Simulates the admission of orders; it places nothing and needs no signature',
    reader: 'wallet',
    example: {
      orders: [{ symbol: 'BTC-20301227-100000-C', side: 'Buy', size: '0.5', price: '1250' }],
    },
    answer: data(
      object({
        admissible: flag('True if the venue would accept all of them'),
        rejection_reason: nullable(
          text('Reason of the first rejection; null if all would be accepted'),
        ),
        required: decimal('Initial margin with the orders'),
        equity: decimal('Equity in USD: cash plus positions at mark'),
        consumed_im: decimal('Initial margin without the orders'),
        incremental_im: decimal('Increase by the orders'),
        consumed_mm: decimal('Maintenance margin without the orders'),
        incremental_mm: decimal('Increase by the orders'),
        scenario: nullable(
          object(
            {
              kind: text('Kind of the shock'),
              id: text('Id of the scenario'),
            },
            'Binding scenario; null: none',
          ),
        ),
      }),
    ),
  }),
  'GET /liquidation/status': walletRead({
    group: 'Account',
    summary: 'Returns the liquidation state of a wallet',
    reader: 'auctioned',
    answer: data(
      object({
        wallet: address('Wallet of the account'),
        state: oneOf(liquidationStateNames, 'Liquidation state of the account'),
        timers_stand: flag(
          'True while its deadlines are paused, because trading is halted or the clock is in alarm',
        ),
        ...liquidationSummary,
        partial_liquidation: nullable(
          partialLiquidation,
          'State of the partial liquidation; null: there is none',
        ),
        full_liquidation: nullable(fullLiquidation, 'State of the auction; null: there is none'),
      }),
    ),
  }),
  'GET /liquidations': read({
    group: 'Market',
    summary: 'Returns changes of liquidation state, of all wallets or of one, newest first',
    answeredBy: 'history',
    query: {
      wallet: param.address('Wallet that acts, or that is read'),
      status: param.liquidationState,
      margin_mode: param.marginMode,
      liquidation_mode: param.liquidationMode,
      limit: param.integer([1, 100], 50, 'Largest number of rows'),
      cursor: param.cursor,
    },
    answer: cursorRows(liquidation, 'Changes of liquidation state, newest first'),
  }),
  'GET /liquidation/history': walletRead({
    group: 'Account',
    summary: 'Returns changes of liquidation state of a wallet, newest first',
    answeredBy: 'history',
    query: { ...param.page(100, 50) },
    answer: rows(liquidation, 'Changes of liquidation state, newest first', {
      error: nothing('Reason of the failure; null: the request succeeded'),
    }),
  }),
}

export const riskWrites = {
  'POST /liquidation/standard-margin': accountWrite({
    group: 'Account',
    summary: 'Bids for a wallet in auction, on the terms of GET /liquidation/status',
    action: 'StandardMarginLiquidationOrder',
    body: {
      wallet: body.wallet('Wallet that bids'),
      liquidated_wallet: body.asSent(body.wallet('Wallet in auction, as in the status')),
      request_id: body.uuid('request_id of GET /liquidation/status'),
      auction_id: body.printable(auctionIdCharsMax, 'auction_id of GET /liquidation/status'),
      bid_usdc: body.signedAmount(
        'Bid in USD, at least current_required_bid_usdc; below 0: the payment that the bidder asks for',
      ),
      portfolio_hash: body.sha256('current_portfolio_hash of the status'),
      auction_terms_hash: body.sha256('current_auction_terms_hash of the status'),
      bid_intent_hash: body.printable(
        intentBytesMax,
        'Text chosen by the bidder; signed and stored, not interpreted',
      ),
      positions: body.positions('All positions in auction, as in current_positions'),
      auction_version: body.count('current_auction_version of the status'),
      valuation_timestamp_ms: body.unsigned(
        body.count('current_valuation_timestamp_ms of the status'),
      ),
    },
    errors: [Result.InsufficientBalance],
    example: {
      liquidated_wallet: '0x89abcdef0123456789abcdef0123456789abcdef',
      request_id: '6f1c3f0e-8f0f-4d57-9b1c-2a4be2f0a001',
      auction_id: '1',
      bid_usdc: '100',
      portfolio_hash: 'sha256:0000000000000000000000000000000000000000000000000000000000000000',
      auction_terms_hash: 'sha256:0000000000000000000000000000000000000000000000000000000000000000',
      bid_intent_hash: 'intent-1',
      auction_version: 1,
      valuation_timestamp_ms: 1,
      positions: [{ symbol: 'BTC-20301227-100000-C', quantity: '1', entry_price: '1250' }],
    },
    answer: data(
      object({
        request_id: text('Id of the liquidation; null: none'),
        auction_id: text('Id of the auction; null: none'),
        liquidated_wallet: address('Wallet that is taken over'),
        liquidator_wallet: address('Wallet that takes it over'),
      }),
    ),
  }),
}
