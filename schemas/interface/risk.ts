import { auctionIdCharsMax, intentBytesMax } from '../bounds.js'
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
  type ObjectOf,
  object,
  oneOf,
  text,
} from './shape.js'
import {
  entryPrice,
  equity,
  instrumentType,
  marginMode,
  positionSize,
  symbol,
  underlying,
  wallet,
} from './terms.js'
import { accountWrite } from './write.js'

const noChain = nothing('Always null: the venue uses no chain')

export const position = named('Position', {
  wallet_address: address('Wallet of the position'),
  symbol,
  amount: decimal('Size of the position in contracts; negative: short; 0: closed'),
  entry_price: entryPrice,
  margin_posted: decimal('Initial margin of this position on its own, in USD'),
  realized_pnl: decimal('Realized profit of the position in USD, before fees'),
  unrealized_pnl: decimal(
    'Unrealized profit in USD: value at the mark less cost. Without a mark, an option counts as worthless and a ' +
      'perp as flat',
  ),
  updated_at: iso('Time of the latest change'),
  instrument_type: instrumentType,
  notional_value: decimal('Contracts times mark price, in USD; negative: short; 0: no mark'),
  maintenance_margin: decimal('Maintenance margin of this position on its own, in USD'),
  liquidation_price: decimal('Always 0: liquidation depends on the whole account'),
  margin_ratio: decimal(
    'Maintenance margin of the account as a fraction of its equity, at most 1; 1: no equity',
  ),
})
export type Position = JsonOf<typeof position>

const openOrdersMargin = decimal('Initial margin that open orders reserve, in USD')
const positionMargin = decimal('Initial margin of the positions, in USD')
const maintenanceMargin = decimal('Maintenance margin of the positions, in USD')
const maintenanceExcess = decimal(
  'Maintenance margin excess in USD: equity less the maintenance margin of the positions; negative: a shortfall',
)
export const totalMarginUsed = decimal('Initial margin of positions and open orders, in USD')
export const availableBalance = decimal('Equity less `total_margin_used`, in USD')

/** Components of portfolio margin. */
const portfolioComponents = {
  scanning_risk: decimal(
    'Scanning risk in USD: the weighted loss in the worst scenario, summed over the underlyings; 0 outside ' +
      'portfolio margin',
  ),
  option_floor: decimal(
    'Option floor in USD: the minimum margin of short options; 0 outside portfolio margin',
  ),
  gamma_overlay: decimal(
    'Gamma overlay in USD: additional margin of short options close to expiry; 0 outside portfolio margin',
  ),
}

export const spanMargin = named('SpanMargin', {
  equity,
  initial_margin_required: positionMargin,
  maintenance_margin_required: maintenanceMargin,
  open_orders_initial_margin: openOrdersMargin,
  option_margin_required: decimal('Initial margin of the option positions, in USD'),
  ...portfolioComponents,
  hypercore_margin_required: decimal(
    'Initial margin of the perp positions, in USD; 0 under portfolio margin, whose scenarios include perps',
  ),
})
export type SpanMargin = JsonOf<typeof spanMargin>

export const marginSummary = named('MarginSummary', {
  mode: marginMode,
  equity,
  position_im: positionMargin,
  open_orders_im: openOrdersMargin,
  initial_margin: decimal(
    'Initial margin excess in USD: equity less `position_im` and `open_orders_im`; negative: a shortfall',
  ),
  maintenance_margin: maintenanceExcess,
  'open_orders_premium_reserved?': decimal(
    'Premium and fees that open buy orders of options reserve, in USD; absent under portfolio margin',
  ),
})
export type MarginSummary = JsonOf<typeof marginSummary>

/** Margin of an account by its parts. */
export const marginParts = {
  span_margin: described(spanMargin, 'Required margin by component'),
  margin_summary: described(marginSummary, 'Margin, and the equity in excess of it'),
}

export const portfolio = named('Portfolio', {
  wallet_address: wallet,
  positions: list(position, 'Open positions in order of listing'),
  equity,
  total_margin_used: totalMarginUsed,
  available_balance: availableBalance,
  withdrawable_usdc: decimal('Amount in USD that the wallet can withdraw now'),
  ...portfolioComponents,
  margin_mode: marginMode,
  portfolio_snapshot_timestamp_ms: nullable(
    millis('Engine time of the latest event that the answer includes; null: no event yet'),
  ),
  ...marginParts,
})
export type Portfolio = JsonOf<typeof portfolio>

/** A margin scenario. */
const scenarioFields = {
  id: text('Id of the scenario, such as `SP1`'),
  kind: text('Kind of the shock: `SpotChange`, `VolChange`, `SkewChange` or `KurtosisChange`'),
  spot_shock_pct: decimal('Change of the index as a fraction, such as -0.15'),
  vol_shock_pct: decimal('Relative change of implied volatility, such as 0.4'),
  skew_shock: decimal('Relative change of implied volatility per unit of standardized moneyness'),
  kurtosis_shock: decimal(
    'Relative change of implied volatility per unit of absolute standardized moneyness',
  ),
  pnl_weight: decimal('Fraction of the profit or loss that counts for margin'),
  is_tail: flag('True for an extreme move; only a fraction of its profit or loss counts'),
}

const scenario = object(scenarioFields)
const scenarioProfit = object({
  ...scenarioFields,
  total_pnl: decimal('Profit of the account in the scenario, in USD, before the weight'),
})

/** A position in each scenario of its underlying. */
const scenarioPosition = object({
  symbol,
  underlying,
  amount: positionSize,
  base_amount: decimal('Same as `amount`'),
  current_value: decimal('Contracts times mark price, in USD; 0: no mark'),
  scenario_pnls: list(
    decimal(),
    'Profit of the position in each scenario, in USD, in the order of `scenarios`; 0: no mark',
  ),
})

const riskParameters = object(
  {
    im_factor: number('Standard margin: initial margin as a fraction of the worst loss'),
    mm_factor: number('Standard margin: maintenance margin as a fraction of the worst loss'),
    short_minimum_im: number(
      'Standard margin: minimum initial margin of an uncovered short position, as a fraction of the index',
    ),
    short_minimum_mm: number(
      'Standard margin: minimum maintenance margin of an uncovered short position, as a fraction of the index',
    ),
    vol_floor: number('Minimum implied volatility after a shock, as a fraction'),
    z_clip: number('Maximum absolute value of the standardized moneyness in a shock'),
    mm_ratio: number('Portfolio margin: maintenance margin as a fraction of initial margin'),
    option_floor_factor: number(
      'Portfolio margin: `option_floor` per short contract, as a fraction of the index',
    ),
    gamma_overlay_factor: number(
      'Portfolio margin: `gamma_overlay` per short contract, as a fraction of the index',
    ),
    overlay_hours: number('Portfolio margin: hours before expiry in which `gamma_overlay` applies'),
    floor_netting: text(
      'Long options that reduce `option_floor`. `instrument`: those of the same instrument; `expiry_right`: those ' +
        'of ' +
        'the same expiry and right',
    ),
    perp_initial_fraction: number('Initial margin of a perp as a fraction of its value'),
    perp_maintenance_fraction: number('Maintenance margin of a perp as a fraction of its value'),
  },
  'Parameters of the margin models, as configured',
)

export const riskGrid = named('RiskGrid', {
  model: text('Margin model of the wallet: `standard`, `portfolio` or `defined_risk`'),
  parameters: riskParameters,
  equity,
  position_initial_margin: positionMargin,
  position_maintenance_margin: maintenanceMargin,
  open_orders_initial_margin: openOrdersMargin,
  total_initial_margin: totalMarginUsed,
  ...portfolioComponents,
  underlyings: list(
    object({
      underlying,
      scenarios: list(
        scenarioProfit,
        'Scenarios of the margin model, with the profit of the account; empty: the model is `defined_risk`',
      ),
      extended_risk_matrix: object(
        {
          scenarios: list(
            scenario,
            'Scenarios of the margin model, in the order of all profit lists',
          ),
          instruments: list(
            scenarioPosition,
            'Positions in the underlying; includes perps only under portfolio margin',
          ),
          total_pnls: list(
            decimal(),
            'Profit of all positions in each scenario, in USD, in the order of `scenarios`',
          ),
          worst_scenario_index: count(
            'Index in `scenarios` of the smallest weighted profit, from 0; 0: no position',
          ),
          worst_scenario_pnl: decimal(
            'Profit in the worst scenario in USD, before the weight; 0: no position',
          ),
        },
        'Profit of each position in each scenario',
      ),
    }),
    'All underlyings with instruments, including those without a position',
  ),
})
export type RiskGrid = JsonOf<typeof riskGrid>

const auctionId = text('Id of the auction')
const requestId = text('Id of the liquidation request')
const winner = nullable(address('Wallet of the latest winning bid; null: none'))
const bonus = nullable(
  decimal('Value of the positions that the winner received, less its bid, in USD; null: no winner'),
)
const liquidationState = oneOf(liquidationStateNames, 'Liquidation state of the account')

export const liquidationMode = nullable(
  oneOf(
    liquidationModeNames,
    '`partial`: the venue reduces positions with orders; `full`: the account is in auction; null: neither',
  ),
)
export const requiredMaintenance = decimal('Required maintenance margin in USD')
export const shortfall = decimal(
  'Maintenance margin shortfall in USD: maintenance margin less equity, at least 0',
)

/** Values that decide on a liquidation. */
export const liquidationSummary = {
  liquidation_mode: liquidationMode,
  margin_mode: marginMode,
  equity,
  mm_required: requiredMaintenance,
  maintenance_margin: maintenanceExcess,
  shortfall,
}
export type LiquidationSummary = ObjectOf<typeof liquidationSummary>

export const partialLiquidation = named('PartialLiquidation', {
  entered_at: millis('Start of the partial liquidation'),
  target_equity: decimal('Equity in USD at which the partial liquidation ends'),
  mm_shortfall: shortfall,
  escalation_deadline: millis(
    'Time at which the auction of the account starts unless its equity recovers',
  ),
  last_reprice_at: nullable(
    millis('Time at which the venue last placed liquidation orders; null: not yet'),
  ),
  active_order_request_ids: list(
    text(),
    'Ids of the working liquidation orders as text; always empty on the stream',
  ),
  active_order_client_ids: list(
    text(),
    'Client ids of the same orders, such as `liquidation-4096`',
  ),
  bonus_bps: integer('Discount of the liquidation orders from the mark, in basis points'),
  pending_full_auction_id: noChain,
  pending_full_request_id: noChain,
  pending_full_tx_hash: noChain,
  pending_full_margin_needed: noChain,
})
export type PartialLiquidation = JsonOf<typeof partialLiquidation>

/** A position of an account in auction, as a bid names it. */
const auctionPosition = object({
  symbol,
  quantity: positionSize,
  entry_price: entryPrice,
})
export type AuctionPosition = JsonOf<typeof auctionPosition>

export const fullLiquidation = named('FullLiquidation', {
  auction_id: auctionId,
  request_id: requestId,
  tx_hash: noChain,
  started_at: millis('Start of the auction'),
  chain_start_time: noChain,
  margin_needed: decimal(
    'Equity needed to stop the auction as of its latest state change, in USD, at least 0',
  ),
  stop_request_id: noChain,
  stop_tx_hash: noChain,
  liquidated_at: nullable(
    millis('Time at which the account had no position left; null: the auction is still open'),
  ),
  winner,
  bonus,
  resolution_tx_hash: noChain,
  current_required_bid_usdc: nullable(
    decimal(
      'Lowest bid that wins now, in USD; negative: the bidder receives a payment; null: the auction has ended',
    ),
  ),
  current_equity: nullable(decimal('Equity in USD now; null: the auction has ended')),
  current_mm_required: nullable(
    decimal('Required maintenance margin in USD now; null: the auction has ended'),
  ),
  current_maintenance_margin: nullable(
    decimal(
      '`current_equity` less `current_mm_required`, in USD; may be negative; null: the auction has ended',
    ),
  ),
  current_positions: list(
    auctionPosition,
    'Positions in auction, in the order of a bid; empty after the auction',
  ),
  current_portfolio_hash: text('Hash of `current_positions`; see `x-hashes` for its definition'),
  current_auction_terms_hash: text(
    'Hash of the terms that a bid signs; see `x-hashes` for its definition',
  ),
  current_auction_version: count('Version of the terms; increases with each change'),
  current_valuation_timestamp_ms: millis('Time of the marks that the terms use'),
})
export type FullLiquidation = JsonOf<typeof fullLiquidation>

/** Phases of a liquidation. At most one of them runs. */
export const liquidationPhases = {
  partial_liquidation: nullable(partialLiquidation, 'State of the partial liquidation; null: none'),
  full_liquidation: nullable(
    fullLiquidation,
    'State of the auction, including after it has cleared the account; null: none',
  ),
}

/** A change of the liquidation state. */
export const stateChange = {
  previous_state: oneOf(liquidationStateNames, 'Liquidation state before the change'),
  new_state: oneOf(
    liquidationStateNames,
    'Liquidation state after the change; equal to `previous_state` if only the mode changed',
  ),
}

export const timersStand = flag(
  'True while the deadlines are paused: trading is halted, or the clock is in alarm',
)

export const liquidation = named('Liquidation', {
  id: count('Id of the change; ids rise with time'),
  wallet,
  ...stateChange,
  ...liquidationSummary,
  auction_id: nullable(
    described(auctionId, 'Id of the auction; null: the change concerns no auction'),
  ),
  request_id: nullable(
    described(requestId, 'Id of the liquidation request; null: the change concerns no auction'),
  ),
  tx_hash: noChain,
  margin_needed: nullable(
    decimal(
      'Equity needed to stop the auction, in USD, at least 0; null: the change concerns no auction',
    ),
  ),
  winner_address: winner,
  bonus,
  details: object(
    {
      previous_liquidation_mode: nullable(
        oneOf(liquidationModeNames, 'Mode before the change; null: none'),
      ),
      insurance_paid: decimal('Loss that the insurance fund has covered so far, in USD'),
      deleveraged: decimal(
        'Loss that other wallets have borne through auto-deleveraging so far, in USD',
      ),
      shared: decimal('Loss that profitable wallets have shared in proportion so far, in USD'),
      uncovered: decimal('Loss that remains uncovered so far, in USD'),
      fees_paid: decimal('Liquidation fees that the wallet has paid so far, in USD'),
    },
    'Loss and fees of the liquidation',
  ),
  timestamp: millis('Engine time of the change'),
})
export type Liquidation = JsonOf<typeof liquidation>

const liquidationStatus = object({
  wallet,
  state: liquidationState,
  timers_stand: timersStand,
  ...liquidationSummary,
  ...liquidationPhases,
})

const simulation = object({
  admissible: flag('True if the venue would accept all orders'),
  rejection_reason: nullable(
    text('Reason for the first rejection, for people; may change; null: none'),
  ),
  required: decimal('Initial margin including the orders, in USD'),
  equity,
  consumed_im: decimal('Initial margin without the orders, in USD'),
  incremental_im: decimal('`required` less `consumed_im`, in USD'),
  consumed_mm: decimal('Maintenance margin of the positions now, in USD'),
  incremental_mm: decimal(
    'Maintenance margin that the orders add once filled, in USD; negative: they release margin',
  ),
  scenario: nullable(
    object(
      {
        kind: text('Kind of the shock'),
        id: text('Id of the scenario'),
      },
      'Worst scenario of a rejection for insufficient margin; null: none',
    ),
  ),
})

export const riskReads = {
  'GET /portfolio': walletRead({
    group: 'Account',
    summary: 'Returns positions, equity and margin of a wallet',
    description:
      'For a wallet without an account, all amounts are 0 and there are no positions. To follow a portfolio, ' +
      'subscribe to ' +
      'the channel `portfolio` of the stream.',
    answer: data(described(portfolio, 'Portfolio of the wallet')),
  }),
  'GET /risk/grid': walletRead({
    group: 'Account',
    summary: 'Returns the profit of each position in each margin scenario',
    description:
      'Profits are before the weights of the scenarios. A position without a mark counts as 0.',
    query: {
      include_open_orders: param.ignored('Ignored: the grid never includes open orders'),
    },
    answer: data(described(riskGrid, 'Risk grid of the wallet')),
  }),
  'POST /risk/simulate/orders': read({
    group: 'Account',
    summary: 'Simulates the admission of orders without placing them',
    description:
      'Adds the orders to the working orders of the wallet one by one, and checks each as the engine would. It ' +
      'needs no ' +
      'signature.',
    reader: 'wallet',
    example: {
      orders: [{ symbol: 'BTC-20301227-100000-C', side: 'Buy', size: '0.5', price: '1250' }],
    },
    answer: data(described(simulation, 'Result of the simulation')),
  }),
  'GET /liquidation/status': walletRead({
    group: 'Account',
    summary: 'Returns the liquidation state of a wallet',
    description:
      'Equity and margin are current; the terms of an auction date from its latest valuation. Anybody may read a ' +
      'wallet in ' +
      'auction, in order to bid.',
    reader: 'auctioned',
    answer: data(described(liquidationStatus, 'Status of the wallet')),
  }),
  'GET /liquidations': read({
    group: 'Market',
    summary: 'Returns liquidation state changes of all wallets or of one',
    description: 'Newest first; filters combine.',
    answeredBy: 'history',
    query: {
      wallet: param.address('Wallet to filter by; absent: all'),
      status: param.liquidationState,
      margin_mode: param.marginMode,
      liquidation_mode: param.liquidationMode,
      limit: param.integer([1, 100], 50, 'Maximum number of rows'),
      cursor: param.cursor,
    },
    answer: cursorRows(liquidation, 'Changes that match the filters'),
  }),
  'GET /liquidation/history': walletRead({
    group: 'Account',
    summary: 'Returns liquidation state changes of a wallet',
    description: 'Newest first.',
    answeredBy: 'history',
    query: { ...param.page(100, 50) },
    answer: rows(liquidation, 'Changes of the wallet', {
      error: nothing('Always null: the request succeeded'),
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
        'Bid in USD, at least current_required_bid_usdc; negative: a payment to the bidder',
      ),
      portfolio_hash: body.sha256('current_portfolio_hash of the status'),
      auction_terms_hash: body.sha256('current_auction_terms_hash of the status'),
      bid_intent_hash: body.printable(
        intentBytesMax,
        'Text of the choice of the bidder; the venue stores it and does not interpret it',
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
        request_id: requestId,
        auction_id: auctionId,
        liquidated_wallet: address('Wallet in auction'),
        liquidator_wallet: address('Wallet that won the bid'),
      }),
    ),
  }),
}
