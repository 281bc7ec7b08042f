// Generated from schemas/interface: npm run generate

import type { SignedShape } from '../../../schemas/interface/body.js'
import type { StructType } from '../../../schemas/typed-data.js'

/** Address in lower case. */
export type Address = string

export type ErrorCode = 'invalid_request' | 'invalid_json' | 'missing_field' | 'invalid_wallet' | 'invalid_parameter' | 'invalid_field' | 'signature_verification_failed' | 'unsupported_endpoint' | 'unauthorized' | 'limit_exceeded' | 'margin_mode_unavailable' | 'not_found' | 'method_not_allowed' | 'conflict' | 'payload_too_large' | 'insufficient_balance' | 'rate_limit_exceeded' | 'internal_error' | 'engine_busy' | 'signing_disabled' | 'not_ready' | 'withdrawal_destination_inactive' | 'withdrawal_destination_mode_unsupported' | 'withdrawal_preflight_unavailable' | 'withdrawal_source_unavailable' | 'no_account' | 'resume_unavailable' | 'trading_halted' | 'rfq_closed' | 'rfq_already_filled' | 'deadline_passed' | 'legs_mismatch' | 'premium_mismatch'

/** Decimal number as text, without an exponent. */
export type Decimal = string

/** Nonce as received: a number, or decimal text above 2^53. */
export type Nonce = number | string

export type ReasonCode = 'nonce_used' | 'no_funds' | 'insufficient_margin' | 'insufficient_cash' | 'no_spot_price' | 'tier_long_only' | 'account_in_liquidation' | 'reduce_only' | 'mmp_frozen' | 'price_band' | 'trading_halted' | 'limit_exceeded' | 'instrument_expired' | 'invalid_symbol' | 'symbol_unparseable' | 'orderbook_not_found' | 'order_not_found' | 'order_already_filled' | 'order_already_canceled' | 'perp_missing_underlying' | 'duplicate_client_id' | 'route_not_supported' | 'post_only_would_trade' | 'self_trade_prevention' | 'ioc_remainder' | 'fok_not_filled' | 'replaced' | 'instrument_delisted' | 'mmp_triggered' | 'mmp_canceled' | 'cancel_all' | 'dead_man' | 'cancel_on_disconnect' | 'rfq_not_supported' | 'qp_margin_rejection' | 'no_quotes' | 'rfq_expired' | 'no_eligible_quote' | 'agent_revoked' | 'provider_suspended'

/** Values of a reason by name; each reason has its own set. */
export type ReasonDetails = {
  /** Cause of the rejection; present if the order would open an uncovered short position. */
  readonly cause?: 'naked_short' | undefined
  /** Required equity in USD. */
  readonly required?: string | undefined
  /** Equity of the account in USD. */
  readonly equity?: string | undefined
  /** Shortfall of equity in USD. */
  readonly shortfall?: string | undefined
  /** Initial margin in use without the order, in USD. */
  readonly consumed_im?: string | undefined
  /** Initial margin that the order adds, in USD. */
  readonly incremental_im?: string | undefined
  /** Maintenance margin in use without the order, in USD. */
  readonly consumed_mm?: string | undefined
  /** Maintenance margin that the order adds when filled, in USD. */
  readonly incremental_mm?: string | undefined
  /** Binding scenario; null: the margin model has none. */
  readonly scenario?: {
    /** Kind of the shock. */
    readonly kind: string
    /** Id of the scenario. */
    readonly id: string
  } | null | undefined
  /** Term that determines the required margin; null: unknown. */
  readonly bound_by?: string | null | undefined
  /** Canonical symbol of the instrument. */
  readonly symbol?: string | undefined
  /** Name of the underlying. */
  readonly underlying?: string | undefined
  /** Expiry as YYYYMMDD. */
  readonly expiry?: number | undefined
  /** Cash that the order and all working buy orders need, in USD. */
  readonly needed?: string | undefined
  /** Cash of the wallet in USD. */
  readonly available?: string | undefined
  /** Long position of the wallet in contracts. */
  readonly long_position?: string | undefined
  /** Total size of the working sell orders in contracts. */
  readonly working_sells?: string | undefined
  /** Size of the order in contracts. */
  readonly order_size?: string | undefined
  /** End of the freeze in Unix milliseconds; `reset`: frozen until a reset. */
  readonly until?: number | 'reset' | null | undefined
  /** Lowest accepted price in USD. */
  readonly lower?: string | undefined
  /** Highest accepted price in USD. */
  readonly upper?: string | undefined
  /** Amount in use, in the unit of `bound`. */
  readonly used?: string | undefined
  /** Limit of the check: USD or contracts as decimal text, or a count as an integer. */
  readonly bound?: string | string | number | undefined
  /** Price times size of the order in USD. */
  readonly cost?: string | undefined
  /** Cash of the wallet in USD. */
  readonly cash?: string | undefined
  /** Route of the order. */
  readonly route?: string | undefined
  /** Position in the list of the request, from 0. */
  readonly entry?: number | undefined
  /** Amount of the earlier deposit with the same id, in USD. */
  readonly amount?: string | undefined
  /** Withdrawable amount in USD. */
  readonly withdrawable?: string | undefined
  /** Position of the leg in the request, from 0. */
  readonly leg?: number | undefined
}

/** Sequence number: position in the sequence of all events. A read with min_seq waits until its answer includes that event. */
export type Sequence = number

export type OrderUpdate = {
  /** Engine time of the result, in Unix milliseconds. */
  readonly timestamp: number
  /** The order as received; for a cancel, the order to cancel. */
  readonly info: {
    /** Canonical symbol; empty: a cancel of an unknown order. */
    readonly symbol: string
    /** Limit price in USD per contract, as received. */
    readonly price: string
    /** Contracts, as received. */
    readonly size: string
    /** Side of the order. */
    readonly side: 'Buy' | 'Sell'
    /** Time in force. `gtc` rests until it is canceled. `ioc` cancels the part that does not trade on arrival. `fok` trades in full on arrival or not at all. Absent for an order that only adds liquidity. */
    readonly tif?: 'gtc' | 'ioc' | 'fok' | undefined
    /** True for a perp order that the venue rejects if it would trade on arrival; absent for any other order. */
    readonly add_liquidity_only?: true | undefined
    /** Client id of the order; null: none. */
    readonly client_id: string | null
    /** Name of the underlying; null: unknown. */
    readonly underlying: string | null
    /** Builder that the order names; null: none. */
    readonly builder_code_address: Address | null
    /** Id of the order; for a replacement, the id of the old order; null: none. */
    readonly order_id: number | null
    /** True for a perp order. */
    readonly is_perp: boolean
    /** True if market-maker protection counts fills of the order and may cancel it. */
    readonly mmp_enabled: boolean
    /** True if the order may only reduce a position; null: the request omits it, or unknown. */
    readonly reduce_only: boolean | null
    /** Signed nonce; null for a cancel. */
    readonly nonce: Nonce | null
    /** Signature as received; null for a cancel. */
    readonly signature: string | null
  }
  /** Status after the first pass through auction and book, or `REJECTED`; see `x-states`. */
  readonly status: 'ACKED' | 'OPEN' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'REJECTED'
  /** Reason for the rejection or cancellation, for people; may change; null: none. */
  readonly reason: string | null
  /** Stable code of the reason; null: none. */
  readonly reason_code: ReasonCode | null
  /** Values of the reason, by name; null: none. */
  readonly details: ReasonDetails | null
  /** Contracts filled so far: a number, or decimal text where `compat.decimalStrings` is true. */
  readonly filled_size: number | Decimal
  /** Id of the order; for a replacement, the id of the new order; null: rejected. */
  readonly order_id: number | null
  /** Wallet of the order. */
  readonly wallet_address: Address
  /** True if a fill of the order triggered market-maker protection. */
  readonly mmp_triggered: boolean
  /** Sequence of the event. */
  readonly seq: Sequence
  /** `X-Request-Id` of the request; absent: none. */
  readonly request_id?: string | undefined
}

export type SignatureDetails = {
  /** Name of the signed struct. */
  readonly layout: string
  /** Fields of the struct, as hashed. */
  readonly fields: { readonly [name: string]: unknown }
  /** EIP-712 digest. */
  readonly digest: string
  /** Recovered signer; null: the signature recovers no address. */
  readonly recovered_address: string | null
  /** EIP-712 domain of the digest. */
  readonly domain: {
    /** Name of the domain. */
    readonly name: string
    /** Version of the domain. */
    readonly version: string
    /** Chain id of the domain, as decimal text. */
    readonly chain_id: string
  }
  /** True if the wallet itself is the signer; absent: the request is not an order. */
  readonly is_wallet?: boolean | undefined
  /** Layout that the wallet did sign; null: none; absent: the request is not an order. */
  readonly matches_other_layout?: string | null | undefined
}

export type BulkResult = {
  /** Position in the list of the request, from 0. */
  readonly index: number
  /** True if the venue accepted the item or, for a cancel, canceled the order. */
  readonly success: boolean
  /** Update of the order; null: the item failed before the engine. */
  readonly data: OrderUpdate | null
  /** Reason for a failure or a rejection, for people; may change; absent: success. */
  readonly error?: string | null | undefined
  /** Code of the error, or `reason_code` of the rejection; absent: success. */
  readonly code?: ErrorCode | ReasonCode | null | undefined
  /** Values of the error, by name; absent: none. */
  readonly details?: ReasonDetails | SignatureDetails | undefined
}

export type CanceledUpdate = {
  /** Engine time of the result, in Unix milliseconds. */
  readonly timestamp: number
  /** The order as received; for a cancel, the order to cancel. */
  readonly info: {
    /** Canonical symbol; empty: a cancel of an unknown order. */
    readonly symbol: string
    /** Limit price in USD per contract, as received. */
    readonly price: string
    /** Contracts, as received. */
    readonly size: string
    /** Side of the order. */
    readonly side: 'Buy' | 'Sell'
    /** Time in force. `gtc` rests until it is canceled. `ioc` cancels the part that does not trade on arrival. `fok` trades in full on arrival or not at all. Absent for an order that only adds liquidity. */
    readonly tif?: 'gtc' | 'ioc' | 'fok' | undefined
    /** True for a perp order that the venue rejects if it would trade on arrival; absent for any other order. */
    readonly add_liquidity_only?: true | undefined
    /** Client id of the order; null: none. */
    readonly client_id: string | null
    /** Name of the underlying; null: unknown. */
    readonly underlying: string | null
    /** Builder that the order names; null: none. */
    readonly builder_code_address: Address | null
    /** Id of the order; for a replacement, the id of the old order; null: none. */
    readonly order_id: number | null
    /** True for a perp order. */
    readonly is_perp: boolean
    /** True if market-maker protection counts fills of the order and may cancel it. */
    readonly mmp_enabled: boolean
    /** True if the order may only reduce a position; null: the request omits it, or unknown. */
    readonly reduce_only: boolean | null
    /** Signed nonce; null for a cancel. */
    readonly nonce: Nonce | null
    /** Signature as received; null for a cancel. */
    readonly signature: string | null
  }
  /** Status after the first pass through auction and book, or `REJECTED`; see `x-states`. */
  readonly status: 'ACKED' | 'OPEN' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'REJECTED'
  /** Reason for the rejection or cancellation, for people; may change; null: none. */
  readonly reason: string | null
  /** Stable code of the reason; null: none. */
  readonly reason_code: ReasonCode | null
  /** Values of the reason, by name; null: none. */
  readonly details: ReasonDetails | null
  /** Contracts filled so far: a number, or decimal text where `compat.decimalStrings` is true. */
  readonly filled_size: number | Decimal
  /** Id of the order; for a replacement, the id of the new order; null: rejected. */
  readonly order_id: number | null
  /** Wallet of the order. */
  readonly wallet_address: Address
  /** True if a fill of the order triggered market-maker protection. */
  readonly mmp_triggered: boolean
  /** Sequence of the event. */
  readonly seq: Sequence
  /** `X-Request-Id` of the request; absent: none. */
  readonly request_id?: string | undefined
  /** True if the order was canceled. */
  readonly success: boolean
  /** Update of the order. */
  readonly data: OrderUpdate
  /** Reason for a rejection, for people; may change; null: none. */
  readonly error: string | null
}

export type Competition = {
  /** Id of the competition. */
  readonly id: number
  /** Name of the competition. */
  readonly name: string
  /** Description for participants; null: none. */
  readonly description: string | null
  /** URL of the rules; null: none. */
  readonly rules_url: string | null
  /** Text of the rules; null: none. */
  readonly rules_content: string | null
  /** Metrics that rank wallets, the primary one first. */
  readonly win_conditions: readonly ('pnl' | 'volume' | 'efficiency')[]
  /** Metric that decides the medals. */
  readonly primary_win_condition: 'pnl' | 'volume' | 'efficiency'
  /** Start of the competition, in Unix milliseconds. */
  readonly start_ts_ms: number
  /** End of the competition, in Unix milliseconds. */
  readonly end_ts_ms: number
  /** `pre`: not started; `active`: between start and end; `post`: ended. */
  readonly state: 'pre' | 'active' | 'post'
  /** Time of creation, in UTC. */
  readonly created_at: string
  /** Time of the latest change, in UTC. */
  readonly updated_at: string
}

export type CompetitionStanding = {
  /** Id of the competition. */
  readonly competition_id: number
  /** Name of the competition. */
  readonly competition_name: string
  /** State of the competition. */
  readonly competition_state: 'pre' | 'active' | 'post'
  /** Rank by the primary metric among the wallets that traded, from 1; null: the wallet has not traded. */
  readonly rank: number | null
  /** Realized profit less fees, in USD. */
  readonly pnl: Decimal
  /** Underlying value traded, in USD. */
  readonly volume: Decimal
  /** Profit divided by the largest initial margin after a fill; a margin below 1000 USD counts as 1000. */
  readonly efficiency: Decimal
  /** Medal by the primary metric: 1 for the first rank; null: the competition has not ended, or the rank is not among the first three. */
  readonly medal: number | null
}

/** 32 bytes in hexadecimal. */
export type Digest = string

export type Directive = {
  /** Id of the directive, for GET /v1/directives/{id}. */
  readonly directive_id: string
  /** Action of the directive; `hl_send_asset` is a withdrawal. */
  readonly action_key: 'hl_send_asset' | 'hl_limit_order' | 'hl_cancel_by_oid' | 'hl_cancel_by_cloid' | 'hl_set_abstraction' | 'hc_update_api_wallet'
  /** Status of the directive at the venue. */
  readonly domain_status: 'accepted' | 'rejected' | 'pending_chain_effect' | 'pending_manual_review' | 'completed' | 'failed'
  /** Status of the delivery; the final ones are `core_rejected`, `finalized`, `reverted`, `expired` and `dead_lettered`. */
  readonly delivery_status: 'pending' | 'broadcasted' | 'included' | 'pending_core_delivery' | 'awaiting_portfolio_snapshot' | 'manual_review' | 'core_rejected' | 'finalized' | 'reverted' | 'expired' | 'dead_lettered'
  /** Transaction hash of the delivery; null: none. */
  readonly tx_hash: string | null
  /** Time of acceptance, in UTC. */
  readonly created_at: string
}

export type DirectiveAnswer = {
  /** `submitted`: the engine accepted the action; `rejected`: the action changed nothing. */
  readonly stage: 'rejected' | 'submitted'
  /** Id of the directive, for GET /v1/directives/. */
  readonly directiveId: string
  /** Action key: the last part of the path. */
  readonly actionKey: string
  /** Wallet that the directive acts for. */
  readonly account: Address
  /** Signed nonce. */
  readonly nonce: Nonce
  /** Signer, as recovered from the signature. */
  readonly recoveredSigner: Address
  /** Always null: the venue uses no chain. */
  readonly txHash: null
  /** Reason for a rejection; null: not rejected. */
  readonly rejection: {
    /** Stable code of the reason; `risk_rejected`: margin or cash do not cover the order. */
    readonly code: string
    /** Reason for people; may change. */
    readonly message: string
  } | null
  /** Immediate fills of an accepted order; null for any other action. */
  readonly fills: readonly ({
    /** Underlying of the perp. */
    readonly coin: string
    /** Side of the order. */
    readonly side: 'Buy' | 'Sell'
    /** Contracts. */
    readonly size: Decimal
    /** Price in USD per contract. */
    readonly price: Decimal
    /** Engine time of the fill, in Unix milliseconds. */
    readonly time: number
  })[] | null
  /** Id of the placed or canceled order; absent: none. */
  readonly orderId?: number | undefined
  /** Status of that order; see `x-states`. */
  readonly orderStatus?: 'ACKED' | 'OPEN' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'REJECTED' | undefined
  /** Sequence of the event. */
  readonly seq: Sequence
}

export type FillSource = {
  /** `orderbook`; `rfq`: a request for quote or an auction. */
  readonly type: 'orderbook' | 'rfq'
  /** Id of the request or the auction; absent for a trade on the book. */
  readonly rfq_id?: string | undefined
  /** Id of the executed quote; absent for a trade on the book. */
  readonly quote_id?: string | undefined
}

export type Fill = {
  /** Id of the fill; each side of a trade has its own. */
  readonly fill_id: number
  /** Id of the trade, common to both sides; ids rise with time. */
  readonly trade_id: number
  /** Id of the order. Requests for quote and quotes are not orders: their fills carry 2^52 + `fill_id`, which no order uses. */
  readonly order_id: number
  /** Wallet of the fill. */
  readonly wallet_address: Address
  /** Canonical symbol. */
  readonly symbol: string
  /** Side of the wallet. */
  readonly side: 'Buy' | 'Sell'
  /** Price in USD per contract. */
  readonly price: Decimal
  /** Contracts. */
  readonly size: Decimal
  /** Fee in USD; negative: a rebate. */
  readonly fee: Decimal
  /** True if the wallet was the taker. */
  readonly is_taker: boolean
  /** Time of the fill, in Unix milliseconds. */
  readonly timestamp: number
  /** Builder that earned the builder fee; null: none. */
  readonly builder_code_address: Address | null
  /** Share of the fee that the builder earned, in USD; null: none. */
  readonly builder_code_fee: Decimal | null
  /** Type of the instrument. */
  readonly instrument_type: 'option' | 'perp'
  /** Origin of the fill. */
  readonly fill_source: FillSource
  /** Time of the fill, in UTC. */
  readonly created_at: string
  /** Realized profit of the fill in USD, before fees. */
  readonly realized_pnl: Decimal
  /** Always null: trades are not on a chain. */
  readonly explorer_url: null
}

export type FullLiquidation = {
  /** Id of the auction. */
  readonly auction_id: string
  /** Id of the liquidation request. */
  readonly request_id: string
  /** Always null: the venue uses no chain. */
  readonly tx_hash: null
  /** Start of the auction, in Unix milliseconds. */
  readonly started_at: number
  /** Always null: the venue uses no chain. */
  readonly chain_start_time: null
  /** Equity needed to stop the auction as of its latest state change, in USD, at least 0. */
  readonly margin_needed: Decimal
  /** Always null: the venue uses no chain. */
  readonly stop_request_id: null
  /** Always null: the venue uses no chain. */
  readonly stop_tx_hash: null
  /** Time at which the account had no position left, in Unix milliseconds; null: the auction is still open. */
  readonly liquidated_at: number | null
  /** Wallet of the latest winning bid; null: none. */
  readonly winner: Address | null
  /** Value of the positions that the winner received, less its bid, in USD; null: no winner. */
  readonly bonus: Decimal | null
  /** Always null: the venue uses no chain. */
  readonly resolution_tx_hash: null
  /** Lowest bid that wins now, in USD; negative: the bidder receives a payment; null: the auction has ended. */
  readonly current_required_bid_usdc: Decimal | null
  /** Equity in USD now; null: the auction has ended. */
  readonly current_equity: Decimal | null
  /** Required maintenance margin in USD now; null: the auction has ended. */
  readonly current_mm_required: Decimal | null
  /** `current_equity` less `current_mm_required`, in USD; may be negative; null: the auction has ended. */
  readonly current_maintenance_margin: Decimal | null
  /** Positions in auction, in the order of a bid; empty after the auction. */
  readonly current_positions: readonly ({
    /** Canonical symbol of the instrument. */
    readonly symbol: string
    /** Size of the position in contracts; negative: short. */
    readonly quantity: Decimal
    /** Average entry price in USD per contract. */
    readonly entry_price: Decimal
  })[]
  /** Hash of `current_positions`; see `x-hashes` for its definition. */
  readonly current_portfolio_hash: string
  /** Hash of the terms that a bid signs; see `x-hashes` for its definition. */
  readonly current_auction_terms_hash: string
  /** Version of the terms; increases with each change. */
  readonly current_auction_version: number
  /** Time of the marks that the terms use, in Unix milliseconds. */
  readonly current_valuation_timestamp_ms: number
}

export type Instrument = {
  /** Canonical symbol, such as `BTC-20301227-100000-C` or `BTC-PERP`. */
  readonly instrument_name: string
  /** Numeric id of the instrument; ids rise in order of listing. */
  readonly instrument_id: number
  /** `option`, or `future` for a perp. */
  readonly kind: 'option' | 'future'
  /** Always `linear`: quoted and settled in USD. */
  readonly instrument_type: 'linear'
  /** `call` or `put`; empty for a perp. */
  readonly option_type: 'call' | 'put' | ''
  /** Name of the index that prices and settles the instrument, such as `btc_usd`. */
  readonly price_index: string
  /** `day` for an option, `perpetual` for a perp. */
  readonly settlement_period: 'day' | 'perpetual'
  /** Currency of settlement. */
  readonly settlement_currency: 'USDC'
  /** Name of the underlying. */
  readonly base_currency: string
  /** Currency of the strike. */
  readonly counter_currency: 'USD'
  readonly quote_currency: 'USD'
  /** Expiry, in Unix milliseconds; 0 for a perp. */
  readonly expiration_timestamp: number
  /** Time of listing, in Unix milliseconds. */
  readonly creation_timestamp: number
  /** Always null: contracts are not tokens. */
  readonly option_token_address: null
  /** True if the instrument trades by request for quote. */
  readonly rfq: boolean
  /** True if the instrument trades on the order book. */
  readonly orderbook: boolean
  /** True until expiry, including during a trading halt. */
  readonly is_active: boolean
  /** Strike price in USD; 0 for a perp. */
  readonly strike: number
  /** Contract multiplier: units of the underlying per contract; always 1. */
  readonly contract_size: 1
  /** Smallest price step in USD; see `tick_size_steps` for higher prices. */
  readonly tick_size: number
  /** Larger price steps at higher prices; a price has at most 5 significant figures. */
  readonly tick_size_steps: readonly ({
    /** Price in USD above which the step applies. */
    readonly above_price: number
    /** Price step in USD. */
    readonly tick_size: number
  })[]
  /** Smallest order size in contracts. */
  readonly min_trade_amount: number
  /** Maker fee per contract as a fraction of the index for an option, of the price for a perp; negative: a rebate. */
  readonly maker_commission: number
  /** Taker fee per contract as a fraction of the index for an option, of the price for a perp; negative: a rebate. */
  readonly taker_commission: number
  /** Always 0: the venue has no block trades. */
  readonly block_trade_commission: 0
  /** Same as `min_trade_amount`. */
  readonly block_trade_min_trade_amount: number
  /** Same as `tick_size`. */
  readonly block_trade_tick_size: number
}

export type InstrumentSpec = {
  /** Canonical symbol, such as `BTC-20301227-100000-C` or `BTC-PERP`. */
  readonly instrument_id: string
  /** Numeric id of the instrument; ids rise in order of listing. */
  readonly instrument_numeric_id: number
  /** Same as `instrument_id`. */
  readonly exchange_symbol: string
  /** Underlying and quote currency, such as `BTC-USD`. */
  readonly sym: string
  /** Name of the exchange: `STRIKEBOOK`. */
  readonly exchange: string
  /** Always `CASH`: instruments settle in cash. */
  readonly delivery: 'CASH'
  /** Currency of settlement. */
  readonly settle_asset: 'USDC'
  /** Name of the underlying. */
  readonly base_asset: string
  /** Currency of prices. */
  readonly quote_asset: 'USD'
  /** Contract multiplier: units of the underlying per contract; always 1. */
  readonly contract_size: 1
  /** Smallest order size in contracts. */
  readonly min_trade_size: number
  /** Smallest price step in USD; see `min_price_increment_bands` for higher prices. */
  readonly tick_size: number
  /** Maximum number of decimals of a price. */
  readonly price_decimals: number
  /** Maximum number of decimals of a size. */
  readonly size_decimals: number
  /** Larger price steps at higher prices; a price has at most 5 significant figures. */
  readonly min_price_increment_bands: readonly ({
    /** Price in USD above which the step applies. */
    readonly above_price: number
    /** Price step in USD. */
    readonly tick_size: number
  })[]
  /** `OPEN`: active; `SETTLEMENT`: expired, awaiting its settlement price; `DELIVERED`: settled. */
  readonly state: 'OPEN' | 'SETTLEMENT' | 'DELIVERED'
  /** True if orders can rest on the book now: the instrument is active, has a book and is not halted. */
  readonly is_tradable: boolean
  /** Time of listing, in Unix nanoseconds. */
  readonly listed_time_ns: number
  /** Time of the latest change of state, in Unix nanoseconds. */
  readonly event_ts_ns: number
  /** Always null: no instrument has a position limit of its own. */
  readonly position_limit: null
  /** Always null: contracts are not tokens. */
  readonly option_token_address: null
  /** Always null: not used by this venue. */
  readonly settlement_oracle: null
  /** Always null: not used by this venue. */
  readonly condition_id: null
  /** Always null: not used by this venue. */
  readonly underlying_resolution_source: null
  /** Option or perp. */
  readonly instrument_kind: 'OPTION' | 'PERP'
  /** `C` for a call, `P` for a put; null for a perp. */
  readonly option_kind: 'C' | 'P' | null
  /** Strike price in USD; 0 for a perp. */
  readonly strike: Decimal
  /** Expiry, in Unix nanoseconds; 0 for a perp. */
  readonly expiry_ns: number
  /** Hour of the day of expiry, in UTC; null for a perp. */
  readonly settlement_hour_utc: number | null
  /** Time of the day of expiry as `HH:MM`, in UTC; null for a perp. */
  readonly settlement_time_utc: string | null
  /** Maker fee per contract in basis points of the index for an option, of the price for a perp; negative: a rebate. */
  readonly maker_fee_bps: number
  /** Taker fee per contract in basis points of the index for an option, of the price for a perp; negative: a rebate. */
  readonly taker_fee_bps: number
  /** Initial margin as a fraction of the underlying value; for an option, the minimum for an uncovered short position. */
  readonly initial_margin_fraction: number
  /** Maintenance margin as a fraction of the underlying value; for an option, the minimum for an uncovered short position. */
  readonly maintenance_margin_fraction: number
}

export type Liquidation = {
  /** Id of the change; ids rise with time. */
  readonly id: number
  /** Wallet of the account. */
  readonly wallet: Address
  /** Liquidation state before the change. */
  readonly previous_state: 'healthy' | 'pre_liquidation' | 'in_liquidation' | 'liquidated'
  /** Liquidation state after the change; equal to `previous_state` if only the mode changed. */
  readonly new_state: 'healthy' | 'pre_liquidation' | 'in_liquidation' | 'liquidated'
  /** `partial`: the venue reduces positions with orders; `full`: the account is in auction; null: neither. */
  readonly liquidation_mode: 'partial' | 'full' | null
  /** Margin model of the wallet. */
  readonly margin_mode: 'standard' | 'portfolio'
  /** Equity in USD: cash plus the value of all positions at the mark. */
  readonly equity: Decimal
  /** Required maintenance margin in USD. */
  readonly mm_required: Decimal
  /** Maintenance margin excess in USD: equity less the maintenance margin of the positions; negative: a shortfall. */
  readonly maintenance_margin: Decimal
  /** Maintenance margin shortfall in USD: maintenance margin less equity, at least 0. */
  readonly shortfall: Decimal
  /** Id of the auction; null: the change concerns no auction. */
  readonly auction_id: string | null
  /** Id of the liquidation request; null: the change concerns no auction. */
  readonly request_id: string | null
  /** Always null: the venue uses no chain. */
  readonly tx_hash: null
  /** Equity needed to stop the auction, in USD, at least 0; null: the change concerns no auction. */
  readonly margin_needed: Decimal | null
  /** Wallet of the latest winning bid; null: none. */
  readonly winner_address: Address | null
  /** Value of the positions that the winner received, less its bid, in USD; null: no winner. */
  readonly bonus: Decimal | null
  /** Loss and fees of the liquidation. */
  readonly details: {
    /** Mode before the change; null: none. */
    readonly previous_liquidation_mode: 'partial' | 'full' | null
    /** Loss that the insurance fund has covered so far, in USD. */
    readonly insurance_paid: Decimal
    /** Loss that other wallets have borne through auto-deleveraging so far, in USD. */
    readonly deleveraged: Decimal
    /** Loss that profitable wallets have shared in proportion so far, in USD. */
    readonly shared: Decimal
    /** Loss that remains uncovered so far, in USD. */
    readonly uncovered: Decimal
    /** Liquidation fees that the wallet has paid so far, in USD. */
    readonly fees_paid: Decimal
  }
  /** Engine time of the change, in Unix milliseconds. */
  readonly timestamp: number
}

export type MarginSummary = {
  /** Margin model of the wallet. */
  readonly mode: 'standard' | 'portfolio'
  /** Equity in USD: cash plus the value of all positions at the mark. */
  readonly equity: Decimal
  /** Initial margin of the positions, in USD. */
  readonly position_im: Decimal
  /** Initial margin that open orders reserve, in USD. */
  readonly open_orders_im: Decimal
  /** Initial margin excess in USD: equity less `position_im` and `open_orders_im`; negative: a shortfall. */
  readonly initial_margin: Decimal
  /** Maintenance margin excess in USD: equity less the maintenance margin of the positions; negative: a shortfall. */
  readonly maintenance_margin: Decimal
  /** Premium and fees that open buy orders of options reserve, in USD; absent under portfolio margin. */
  readonly open_orders_premium_reserved?: Decimal | undefined
}

export type Market = {
  /** Name of the underlying. */
  readonly underlying: string
  /** Expiry of the options, in Unix seconds. */
  readonly expiry: number
  /** Index price of the underlying in USD; 0: unknown or stale. */
  readonly index_price: Decimal
  /** At-the-money implied volatility as a fraction, such as 0.55; null: unknown. */
  readonly atm_vol: string | null
  /** Options sorted by strike, calls first; absent: not requested. */
  readonly instruments?: readonly ({
    /** Numeric id of the instrument; ids rise in order of listing. */
    readonly instrument_id: number
    /** Canonical symbol, such as `BTC-20301227-100000-C` or `BTC-PERP`. */
    readonly id: string
    /** Name of the underlying. */
    readonly underlying: string
    /** Strike price in USD. */
    readonly strike: Decimal
    /** Expiry, in Unix seconds. */
    readonly expiry: number
    /** `call` or `put`. */
    readonly option_type: 'call' | 'put'
    /** Always null: contracts are not tokens. */
    readonly option_token_address: null
    /** Implied volatility of the mark as a fraction, such as 0.55; null: no mark. */
    readonly mark_iv: string | null
    /** Underlying value traded in the current hour and the 23 hours before it, in USD. */
    readonly volume_24h: Decimal
    /** Open interest in contracts. */
    readonly open_interest: Decimal
    /** Theoretical price one day ago in USD; null: unknown. */
    readonly prev_day_px: Decimal | null
    /** Time of the latest change of state or marks in the underlying, in UTC. */
    readonly updated_at: string
    /** State of the instrument; see `x-states`. */
    readonly status: 'ACTIVE' | 'EXPIRED_PENDING_PRICE' | 'SETTLED' | 'DELETED'
    /** `orderbook`, `rfq` or `orderbook|rfq`; empty: trading is disabled. */
    readonly trading_mode: string
  })[] | undefined
  /** Underlying value traded in the current hour and the 23 hours before it, in USD, in all options of the market. */
  readonly total_volume_24h: Decimal
  /** Open interest in contracts, in all options of the market. */
  readonly total_open_interest: Decimal
  /** Index price one day ago in USD; null: unknown. */
  readonly prev_day_px: Decimal | null
  /** Same as `prev_day_px`. */
  readonly prev_day_price: Decimal | null
}

export type MmpConfig = {
  /** Wallet of the account. */
  readonly wallet_address: Address
  /** Underlying that the market-maker protection (MMP) covers. */
  readonly currency: string
  /** Length of the window in milliseconds. */
  readonly interval_ms: number
  /** Length of a freeze in milliseconds; 0: until a reset. */
  readonly frozen_time_ms: number
  /** Contracts filled within the window that trigger the protection; null: no limit. */
  readonly qty_limit: Decimal | null
  /** Absolute value of the net delta of the fills that triggers the protection; null: no limit. */
  readonly delta_limit: Decimal | null
  /** Absolute value of the net vega of the fills that triggers the protection; null: no limit. */
  readonly vega_limit: Decimal | null
  /** Always true: the list omits deleted protections. */
  readonly enabled: boolean
  /** Nonce of the latest change. */
  readonly nonce: Nonce
  /** True while new orders with `mmp_enabled` are rejected. */
  readonly frozen: boolean
  /** End of the freeze, in Unix milliseconds; null: not frozen, or frozen until a reset. */
  readonly frozen_until_ms: number | null
  /** Totals of the fills within the latest `interval_ms`. */
  readonly window: {
    /** Contracts filled on both sides. */
    readonly qty: Decimal
    /** Net delta; negative: net sold. */
    readonly delta: Decimal
    /** Net vega in USD per percentage point of volatility; negative: net sold. */
    readonly vega: Decimal
  }
}

export type ProviderQuote = {
  /** Wallet of the provider. */
  readonly wallet: Address
  /** Bid price in USD as received; absent: no bid. */
  readonly bid_price?: Decimal | undefined
  /** Ask price in USD as received; absent: no ask. */
  readonly ask_price?: Decimal | undefined
  /** Largest size of the bid in contracts; absent: no bid. */
  readonly max_bid_size?: Decimal | undefined
  /** Largest size of the ask in contracts; absent: no ask. */
  readonly max_ask_size?: Decimal | undefined
  /** Time of receipt, in Unix milliseconds. */
  readonly updated_at: number
}

export type OptionSummary = {
  /** Numeric id of the instrument; ids rise in order of listing. */
  readonly instrument_id: number
  /** Canonical symbol, such as `BTC-20301227-100000-C` or `BTC-PERP`. */
  readonly instrument_name: string
  /** Name of the index of the underlying, such as `BTC_USD`. */
  readonly underlying_index: string
  /** Name of the underlying. */
  readonly base_currency: string
  readonly quote_currency: 'USD'
  /** Always null: contracts are not tokens. */
  readonly option_token_address: null
  /** Expiry, in Unix milliseconds. */
  readonly expiration_timestamp: number
  /** Time of listing, in Unix milliseconds. */
  readonly creation_timestamp: number
  /** Price of the latest trade in USD; null: no trade. */
  readonly last: number | null
  /** Highest trade price of the period in USD; null: no trade. */
  readonly high: number | null
  /** Lowest trade price of the period in USD; null: no trade. */
  readonly low: number | null
  /** Change from the first to the last trade price of the period, in percent; null: no trade. */
  readonly price_change: number | null
  /** Volume of the period in contracts. */
  readonly volume: number
  /** Underlying value traded in the period, in USD. */
  readonly volume_usd: number
  /** Open interest in contracts. */
  readonly open_interest: number
  /** Index price of the underlying in USD; 0: unknown or stale. */
  readonly underlying_price: number
  /** Settlement price of the expiry or, before settlement, its current estimate, in USD; 0: unknown. */
  readonly estimated_delivery_price: number
  /** Interest rate of the pricing model, as a fraction per year. */
  readonly interest_rate: number
  /** Mark price in USD, which margin and profit use; 0: unknown. */
  readonly mark_price: number
  /** Model price in USD; 0: unknown. */
  readonly theoretical_price: number
  /** Implied volatility of the mark as a fraction, such as 0.55; 0: unknown. */
  readonly mark_iv: number
  /** Sensitivities of the price of one contract; all 0 without a mark. */
  readonly greeks: {
    /** Change of the price per USD of the index. */
    readonly delta: number
    /** Change of delta per USD of the index. */
    readonly gamma: number
    /** Change of the price per percentage point of volatility, in USD. */
    readonly vega: number
    /** Change of the price per day, in USD. */
    readonly theta: number
    /** Change of the price per percentage point of the interest rate, in USD. */
    readonly rho: number
  }
  /** Highest bid price of the book in USD; 0: no bid. */
  readonly bid_price: number
  /** Lowest ask price of the book in USD; 0: no ask. */
  readonly ask_price: number
  /** Mean of `bid_price` and `ask_price` in USD; 0: the bid or the ask is missing. */
  readonly mid_price: number
  /** Contracts at the highest bid price; absent: no bid. */
  readonly best_bid_size?: number | undefined
  /** Contracts at the lowest ask price; absent: no ask. */
  readonly best_ask_size?: number | undefined
  /** Implied volatility of the best bid as a fraction; absent: none. */
  readonly bid_iv?: number | undefined
  /** Implied volatility of the best ask as a fraction; absent: none. */
  readonly ask_iv?: number | undefined
  /** Highest indicative bid price of the quote providers in USD; absent: no bid. */
  readonly indicative_bid_price?: number | undefined
  /** Lowest indicative ask price of the quote providers in USD; absent: no ask. */
  readonly indicative_ask_price?: number | undefined
  /** Contracts of all providers at the highest indicative bid. */
  readonly indicative_bid_size?: number | undefined
  /** Contracts of all providers at the lowest indicative ask. */
  readonly indicative_ask_size?: number | undefined
  /** Indicative quotes, one per provider, best first; absent: not requested. */
  readonly rfq_provider_quotes?: readonly (ProviderQuote)[] | undefined
}

export type Order = {
  /** Id of the order, assigned by the venue. */
  readonly order_id: number
  /** Wallet of the order. */
  readonly wallet_address: Address
  /** Canonical symbol. */
  readonly symbol: string
  /** Side of the order. */
  readonly side: 'Buy' | 'Sell'
  /** Limit price in USD per contract. */
  readonly price: Decimal
  /** Size in contracts. */
  readonly size: Decimal
  /** Time in force. `gtc` rests until it is canceled. `ioc` cancels the part that does not trade on arrival. `fok` trades in full on arrival or not at all. Absent for an order that only adds liquidity. */
  readonly tif?: 'gtc' | 'ioc' | 'fok' | undefined
  /** True for a perp order that the venue rejects if it would trade on arrival; absent for any other order. */
  readonly add_liquidity_only?: true | undefined
  /** Status in lower case; see `x-states`. */
  readonly status: 'acked' | 'open' | 'partially_filled' | 'filled' | 'canceled' | 'rejected'
  /** Time of acceptance, in Unix milliseconds. */
  readonly created_at: number
  /** Time of the latest change, in UTC. */
  readonly updated_at: string
  /** Contracts filled so far. */
  readonly filled_size: Decimal
  /** Client id of the order; null: none. */
  readonly client_id: string | null
  /** True if the order may only reduce a position. */
  readonly reduce_only: boolean
  /** True if market-maker protection counts fills of the order and may cancel it. */
  readonly mmp_enabled: boolean
  /** Type of the instrument. */
  readonly instrument_type: 'option' | 'perp'
  /** Reason for the rejection or cancellation, for people; may change; null: none. */
  readonly reason: string | null
  /** Stable code of the reason; null: none. */
  readonly reason_code: ReasonCode | null
  /** Average fill price in USD per contract; null: no fill. */
  readonly avg_fill_price: Decimal | null
}

export type Orderbook = {
  /** Canonical symbol, such as `BTC-20301227-100000-C` or `BTC-PERP`. */
  readonly instrument_name: string
  /** Time of the latest change of the book, in Unix milliseconds. */
  readonly timestamp: number
  /** `open` while orders can rest on the book, else `closed`. */
  readonly state: 'open' | 'closed'
  /** Sequence of the latest event of the book. */
  readonly change_id: number
  /** Bid levels as pairs of price in USD and size in contracts, highest price first. */
  readonly bids: readonly (readonly [number, number])[]
  /** Ask levels as pairs of price in USD and size in contracts, lowest price first. */
  readonly asks: readonly (readonly [number, number])[]
  /** Highest bid price in USD; 0: no bid. */
  readonly best_bid_price: number
  /** Lowest ask price in USD; 0: no ask. */
  readonly best_ask_price: number
  /** Contracts at the highest bid price; 0: no bid. */
  readonly best_bid_amount: number
  /** Contracts at the lowest ask price; 0: no ask. */
  readonly best_ask_amount: number
  /** Price of the latest trade in USD; null: no trade. */
  readonly last_price: number | null
  /** Mark price in USD, which margin and profit use; 0: unknown. */
  readonly mark_price: number
  /** Model price in USD; absent: unknown. */
  readonly theoretical_price?: number | undefined
  /** Implied volatility of the mark as a fraction, such as 0.55; absent: unknown, or a perp. */
  readonly mark_iv?: number | undefined
  /** Implied volatility of the best bid as a fraction; absent: none. */
  readonly bid_iv?: number | undefined
  /** Implied volatility of the best ask as a fraction; absent: none. */
  readonly ask_iv?: number | undefined
  /** Index price of the underlying in USD; 0: unknown or stale. */
  readonly index_price: number
  /** Same as `index_price`. */
  readonly underlying_price: number
  /** Name of the index of the underlying, such as `BTC_USD`. */
  readonly underlying_index: string
  /** Settlement price of the expiry in USD; 0: not settled yet. */
  readonly settlement_price: number
  /** Lowest accepted price of a sell order in USD. */
  readonly min_price: number
  /** Highest accepted price of a buy order in USD. */
  readonly max_price: number
  /** Open interest in contracts. */
  readonly open_interest: number
  /** Interest rate of the pricing model, as a fraction per year. */
  readonly interest_rate: number
  /** Funding rate of the latest period of a perp, as a fraction of the index; negative: shorts paid longs. */
  readonly funding_rate?: number | undefined
  /** End of the latest funding period of a perp, in Unix milliseconds. */
  readonly funding_timestamp?: number | undefined
  /** Settlement price of the expiry or, before settlement, its current estimate, in USD; 0: unknown. */
  readonly estimated_delivery_price: number
  /** Always null: contracts are not tokens. */
  readonly option_token_address: null
  /** Statistics of the current hour and the 23 hours before it. */
  readonly stats: {
    /** Highest trade price of the period in USD; null: no trade. */
    readonly high: number | null
    /** Lowest trade price of the period in USD; null: no trade. */
    readonly low: number | null
    /** Change from the first to the last trade price of the period, in percent; null: no trade. */
    readonly price_change: number | null
    /** Volume of the period in contracts. */
    readonly volume: number
    /** Underlying value traded in the period, in USD. */
    readonly volume_usd: number
  }
  /** Sensitivities of the price of one contract; absent: no mark. */
  readonly greeks?: {
    /** Change of the price per USD of the index. */
    readonly delta: number
    /** Change of delta per USD of the index. */
    readonly gamma: number
    /** Change of the price per percentage point of volatility, in USD. */
    readonly vega: number
    /** Change of the price per day, in USD. */
    readonly theta: number
    /** Change of the price per percentage point of the interest rate, in USD. */
    readonly rho: number
  } | undefined
}

export type PartialLiquidation = {
  /** Start of the partial liquidation, in Unix milliseconds. */
  readonly entered_at: number
  /** Equity in USD at which the partial liquidation ends. */
  readonly target_equity: Decimal
  /** Maintenance margin shortfall in USD: maintenance margin less equity, at least 0. */
  readonly mm_shortfall: Decimal
  /** Time at which the auction of the account starts unless its equity recovers, in Unix milliseconds. */
  readonly escalation_deadline: number
  /** Time at which the venue last placed liquidation orders, in Unix milliseconds; null: not yet. */
  readonly last_reprice_at: number | null
  /** Ids of the working liquidation orders as text; always empty on the stream. */
  readonly active_order_request_ids: readonly (string)[]
  /** Client ids of the same orders, such as `liquidation-4096`. */
  readonly active_order_client_ids: readonly (string)[]
  /** Discount of the liquidation orders from the mark, in basis points. */
  readonly bonus_bps: number
  /** Always null: the venue uses no chain. */
  readonly pending_full_auction_id: null
  /** Always null: the venue uses no chain. */
  readonly pending_full_request_id: null
  /** Always null: the venue uses no chain. */
  readonly pending_full_tx_hash: null
  /** Always null: the venue uses no chain. */
  readonly pending_full_margin_needed: null
}

export type Position = {
  /** Wallet of the position. */
  readonly wallet_address: Address
  /** Canonical symbol of the instrument. */
  readonly symbol: string
  /** Size of the position in contracts; negative: short; 0: closed. */
  readonly amount: Decimal
  /** Average entry price in USD per contract. */
  readonly entry_price: Decimal
  /** Initial margin of this position on its own, in USD. */
  readonly margin_posted: Decimal
  /** Realized profit of the position in USD, before fees. */
  readonly realized_pnl: Decimal
  /** Unrealized profit in USD: value at the mark less cost. Without a mark, an option counts as worthless and a perp as flat. */
  readonly unrealized_pnl: Decimal
  /** Time of the latest change, in UTC. */
  readonly updated_at: string
  /** Type of the instrument. */
  readonly instrument_type: 'option' | 'perp'
  /** Contracts times mark price, in USD; negative: short; 0: no mark. */
  readonly notional_value: Decimal
  /** Maintenance margin of this position on its own, in USD. */
  readonly maintenance_margin: Decimal
  /** Always 0: liquidation depends on the whole account. */
  readonly liquidation_price: Decimal
  /** Maintenance margin of the account as a fraction of its equity, at most 1; 1: no equity. */
  readonly margin_ratio: Decimal
}

export type SpanMargin = {
  /** Equity in USD: cash plus the value of all positions at the mark. */
  readonly equity: Decimal
  /** Initial margin of the positions, in USD. */
  readonly initial_margin_required: Decimal
  /** Maintenance margin of the positions, in USD. */
  readonly maintenance_margin_required: Decimal
  /** Initial margin that open orders reserve, in USD. */
  readonly open_orders_initial_margin: Decimal
  /** Initial margin of the option positions, in USD. */
  readonly option_margin_required: Decimal
  /** Scanning risk in USD: the weighted loss in the worst scenario, summed over the underlyings; 0 outside portfolio margin. */
  readonly scanning_risk: Decimal
  /** Option floor in USD: the minimum margin of short options; 0 outside portfolio margin. */
  readonly option_floor: Decimal
  /** Gamma overlay in USD: additional margin of short options close to expiry; 0 outside portfolio margin. */
  readonly gamma_overlay: Decimal
  /** Initial margin of the perp positions, in USD; 0 under portfolio margin, whose scenarios include perps. */
  readonly hypercore_margin_required: Decimal
}

export type Portfolio = {
  /** Wallet of the account. */
  readonly wallet_address: Address
  /** Open positions in order of listing. */
  readonly positions: readonly (Position)[]
  /** Equity in USD: cash plus the value of all positions at the mark. */
  readonly equity: Decimal
  /** Initial margin of positions and open orders, in USD. */
  readonly total_margin_used: Decimal
  /** Equity less `total_margin_used`, in USD. */
  readonly available_balance: Decimal
  /** Amount in USD that the wallet can withdraw now. */
  readonly withdrawable_usdc: Decimal
  /** Scanning risk in USD: the weighted loss in the worst scenario, summed over the underlyings; 0 outside portfolio margin. */
  readonly scanning_risk: Decimal
  /** Option floor in USD: the minimum margin of short options; 0 outside portfolio margin. */
  readonly option_floor: Decimal
  /** Gamma overlay in USD: additional margin of short options close to expiry; 0 outside portfolio margin. */
  readonly gamma_overlay: Decimal
  /** Margin model of the wallet. */
  readonly margin_mode: 'standard' | 'portfolio'
  /** Engine time of the latest event that the answer includes, in Unix milliseconds; null: no event yet. */
  readonly portfolio_snapshot_timestamp_ms: number | null
  /** Required margin by component. */
  readonly span_margin: SpanMargin
  /** Margin, and the equity in excess of it. */
  readonly margin_summary: MarginSummary
}

export type RiskGrid = {
  /** Margin model of the wallet: `standard`, `portfolio` or `defined_risk`. */
  readonly model: string
  /** Parameters of the margin models, as configured. */
  readonly parameters: {
    /** Standard margin: initial margin as a fraction of the worst loss. */
    readonly im_factor: number
    /** Standard margin: maintenance margin as a fraction of the worst loss. */
    readonly mm_factor: number
    /** Standard margin: minimum initial margin of an uncovered short position, as a fraction of the index. */
    readonly short_minimum_im: number
    /** Standard margin: minimum maintenance margin of an uncovered short position, as a fraction of the index. */
    readonly short_minimum_mm: number
    /** Minimum implied volatility after a shock, as a fraction. */
    readonly vol_floor: number
    /** Maximum absolute value of the standardized moneyness in a shock. */
    readonly z_clip: number
    /** Portfolio margin: maintenance margin as a fraction of initial margin. */
    readonly mm_ratio: number
    /** Portfolio margin: `option_floor` per short contract, as a fraction of the index. */
    readonly option_floor_factor: number
    /** Portfolio margin: `gamma_overlay` per short contract, as a fraction of the index. */
    readonly gamma_overlay_factor: number
    /** Portfolio margin: hours before expiry in which `gamma_overlay` applies. */
    readonly overlay_hours: number
    /** Long options that reduce `option_floor`. `instrument`: those of the same instrument; `expiry_right`: those of the same expiry and right. */
    readonly floor_netting: string
    /** Initial margin of a perp as a fraction of its value. */
    readonly perp_initial_fraction: number
    /** Maintenance margin of a perp as a fraction of its value. */
    readonly perp_maintenance_fraction: number
  }
  /** Equity in USD: cash plus the value of all positions at the mark. */
  readonly equity: Decimal
  /** Initial margin of the positions, in USD. */
  readonly position_initial_margin: Decimal
  /** Maintenance margin of the positions, in USD. */
  readonly position_maintenance_margin: Decimal
  /** Initial margin that open orders reserve, in USD. */
  readonly open_orders_initial_margin: Decimal
  /** Initial margin of positions and open orders, in USD. */
  readonly total_initial_margin: Decimal
  /** Scanning risk in USD: the weighted loss in the worst scenario, summed over the underlyings; 0 outside portfolio margin. */
  readonly scanning_risk: Decimal
  /** Option floor in USD: the minimum margin of short options; 0 outside portfolio margin. */
  readonly option_floor: Decimal
  /** Gamma overlay in USD: additional margin of short options close to expiry; 0 outside portfolio margin. */
  readonly gamma_overlay: Decimal
  /** All underlyings with instruments, including those without a position. */
  readonly underlyings: readonly ({
    /** Name of the underlying. */
    readonly underlying: string
    /** Scenarios of the margin model, with the profit of the account; empty: the model is `defined_risk`. */
    readonly scenarios: readonly ({
      /** Id of the scenario, such as `SP1`. */
      readonly id: string
      /** Kind of the shock: `SpotChange`, `VolChange`, `SkewChange` or `KurtosisChange`. */
      readonly kind: string
      /** Change of the index as a fraction, such as -0.15. */
      readonly spot_shock_pct: Decimal
      /** Relative change of implied volatility, such as 0.4. */
      readonly vol_shock_pct: Decimal
      /** Relative change of implied volatility per unit of standardized moneyness. */
      readonly skew_shock: Decimal
      /** Relative change of implied volatility per unit of absolute standardized moneyness. */
      readonly kurtosis_shock: Decimal
      /** Fraction of the profit or loss that counts for margin. */
      readonly pnl_weight: Decimal
      /** True for an extreme move; only a fraction of its profit or loss counts. */
      readonly is_tail: boolean
      /** Profit of the account in the scenario, in USD, before the weight. */
      readonly total_pnl: Decimal
    })[]
    /** Profit of each position in each scenario. */
    readonly extended_risk_matrix: {
      /** Scenarios of the margin model, in the order of all profit lists. */
      readonly scenarios: readonly ({
        /** Id of the scenario, such as `SP1`. */
        readonly id: string
        /** Kind of the shock: `SpotChange`, `VolChange`, `SkewChange` or `KurtosisChange`. */
        readonly kind: string
        /** Change of the index as a fraction, such as -0.15. */
        readonly spot_shock_pct: Decimal
        /** Relative change of implied volatility, such as 0.4. */
        readonly vol_shock_pct: Decimal
        /** Relative change of implied volatility per unit of standardized moneyness. */
        readonly skew_shock: Decimal
        /** Relative change of implied volatility per unit of absolute standardized moneyness. */
        readonly kurtosis_shock: Decimal
        /** Fraction of the profit or loss that counts for margin. */
        readonly pnl_weight: Decimal
        /** True for an extreme move; only a fraction of its profit or loss counts. */
        readonly is_tail: boolean
      })[]
      /** Positions in the underlying; includes perps only under portfolio margin. */
      readonly instruments: readonly ({
        /** Canonical symbol of the instrument. */
        readonly symbol: string
        /** Name of the underlying. */
        readonly underlying: string
        /** Size of the position in contracts; negative: short. */
        readonly amount: Decimal
        /** Same as `amount`. */
        readonly base_amount: Decimal
        /** Contracts times mark price, in USD; 0: no mark. */
        readonly current_value: Decimal
        /** Profit of the position in each scenario, in USD, in the order of `scenarios`; 0: no mark. */
        readonly scenario_pnls: readonly (Decimal)[]
      })[]
      /** Profit of all positions in each scenario, in USD, in the order of `scenarios`. */
      readonly total_pnls: readonly (Decimal)[]
      /** Index in `scenarios` of the smallest weighted profit, from 0; 0: no position. */
      readonly worst_scenario_index: number
      /** Profit in the worst scenario in USD, before the weight; 0: no position. */
      readonly worst_scenario_pnl: Decimal
    }
  })[]
}

export type SettlementPayout = {
  /** Id of the payout; ids rise with time. */
  readonly id: number
  /** Wallet of the account. */
  readonly wallet: Address
  /** Canonical symbol of the instrument. */
  readonly symbol: string
  /** Expiry of the option, in Unix seconds. */
  readonly expiry_ts: number
  /** Contracts of the settled position; negative: short. */
  readonly position_size: Decimal
  /** Payoff of one contract in USD. */
  readonly settlement_price: Decimal
  /** Payoff of the position less `borne`, in USD; negative: paid by the wallet. */
  readonly settlement_value: Decimal
  /** Average entry price in USD per contract. */
  readonly settlement_entry_price: Decimal
  /** Cost of the position in USD; negative: premium received. */
  readonly cost_basis: Decimal
  /** `settlement_value` less `cost_basis`, in USD, before the fee. */
  readonly net_pnl: Decimal
  /** Always true: the cash of the wallet includes every listed payout. */
  readonly ledger_applied: boolean
  /** True if the wallet marked the payout as seen. */
  readonly is_seen: boolean
  /** Time of the settlement, in Unix milliseconds. */
  readonly created_at: number
  /** Settlement price of the underlying in USD. */
  readonly underlying_price: Decimal
  /** Settlement fee in USD; negative: a rebate. */
  readonly fee: Decimal
  /** Reduction of the payoff in USD because other wallets could not pay. */
  readonly borne: Decimal
}

export type TheoreticalPrices = {
  /** Canonical symbol, such as `BTC-20301227-100000-C` or `BTC-PERP`. */
  readonly instrument_name: string
  /** Time between two points. */
  readonly interval: '5m' | '1h' | '1d'
  /** Points, oldest first; empty: the symbol is unknown. */
  readonly points: readonly ({
    /** Start of the interval, in Unix milliseconds. */
    readonly timestamp: number
    /** Last theoretical price in the interval, in USD. */
    readonly theoretical_price: number
  })[]
}

export type Trade = {
  /** Id of the trade, common to both sides; ids rise with time. */
  readonly trade_id: number
  /** Canonical symbol, such as `BTC-20301227-100000-C` or `BTC-PERP`. */
  readonly symbol: string
  /** Price in USD per contract. */
  readonly price: Decimal
  /** Contracts. */
  readonly size: Decimal
  /** Side of the taker; the maker traded the opposite side. */
  readonly taker_side: 'Buy' | 'Sell'
  /** Wallet of the maker; null where private reads are signed, unless it is the wallet of `account`. */
  readonly maker_address: Address | null
  /** Wallet of the taker; null where private reads are signed, unless it is the wallet of `account`. */
  readonly taker_address: Address | null
  /** Fee of the maker in USD; negative: a rebate. */
  readonly maker_fee: Decimal
  /** Fee of the taker in USD; negative: a rebate. */
  readonly taker_fee: Decimal
  /** Time of the trade, in Unix milliseconds. */
  readonly timestamp: number
  /** Time of the trade, in UTC. */
  readonly created_at: string
}

export type UserTier = {
  /** Wallet of the account. */
  readonly wallet_address: Address
  /** Tier of the wallet. */
  readonly tier: 'default' | 'tier1' | 'tier2' | 'market_maker'
  /** Limits of the tier. */
  readonly limits: {
    /** Maximum number of working orders; -1: unlimited. */
    readonly max_open_orders: number
    /** Maximum number of open positions; -1: unlimited. */
    readonly max_open_positions: number
    /** New orders and replacements per minute; -1: unlimited. */
    readonly orders_per_minute: number
    /** Cancels per minute; -1: unlimited. */
    readonly cancels_per_minute: number
    /** Other signed writes per minute; the same number of reads of the wallet per minute from one client address; -1: unlimited. */
    readonly api_requests_per_minute: number
  }
}

/** Successful answers by method and path. */
export type Answers = {
  readonly 'GET /': {
    /** Name of the venue. */
    readonly name: string
    /** Short description of the venue. */
    readonly about: string
    /** Preset of the configuration. */
    readonly preset: 'development' | 'testnet' | 'mainnet-alpha'
    /** Version of the software. */
    readonly version: string
    /** Commit of the build; `unknown`: a package without its repository. */
    readonly commit: string
    /** `degraded`: the venue trades, but a part is out of service. */
    readonly status: 'ok' | 'degraded'
    /** Reasons, one per part that is out of service; absent: none. */
    readonly degraded?: readonly (string)[] | undefined
    /** Role of the node; `single`: the venue has no other node. */
    readonly role: 'single' | 'primary' | 'follower'
    /** Milliseconds since the venue was ready; steps of the clock do not change it. */
    readonly uptime_ms: number
    /** Halts of the market, of underlyings and of wallets. */
    readonly halts: {
      /** Number of halts, including those beyond the limit of the list. */
      readonly count: number
      /** Latest halts first, at most 20. */
      readonly rows: readonly ({
        /** `market`: every listed underlying; `wallets`: wallets that the venue has stopped. */
        readonly scope: 'market' | 'underlying' | 'wallets'
        /** Halted underlying; absent: another scope. */
        readonly underlying?: string | undefined
        /** Number of stopped wallets, which are not named; absent: another scope. */
        readonly wallets?: number | undefined
        /** Halt mode; cancels pass in both. */
        readonly mode: 'cancel_only' | 'halted'
        /** `clock`: the clock of the machine was stepped; `invariant`: an invariant is broken; `operator`: the operator halted it, or has not opened it since an accepted loss. */
        readonly reason: 'clock' | 'invariant' | 'operator'
        /** Engine time of the halt, in Unix milliseconds; after a restart the time of the start. */
        readonly since_ms: number
      })[]
    }
    /** Times from the arrival of a signed request until its answer leaves, over all gateways. Values are interpolated within a bucket of the histogram of /metrics; 5000 also means longer. They are computed at most once a second. */
    readonly acknowledgements: {
      /** Length of the window: 60 to 70 seconds, or less after the start. */
      readonly window_ms: number
      /** Number of acknowledged requests in the window. */
      readonly count: number
      /** 50 % of the acknowledgements took at most so many milliseconds; null: none yet. */
      readonly p50_ms: number | null
      /** 99 % of the acknowledgements took at most so many milliseconds; null: none yet. */
      readonly p99_ms: number | null
      /** 99.9 % of the acknowledgements took at most so many milliseconds; null: none yet. */
      readonly p999_ms: number | null
    }
    /** Paths of the pages and of the API documents. */
    readonly documents: readonly (string)[]
    /** Paths of the health checks. */
    readonly health: readonly (string)[]
    /** Paths of market reads, with a placeholder in braces for each required parameter. */
    readonly market: readonly (string)[]
    /** Parameters of signatures. */
    readonly signing: {
      /** True if the venue accepts signed writes. */
      readonly enabled: boolean
      /** EIP-712 domain of options, requests for quote and account actions. */
      readonly domain: {
        /** Name of the domain. */
        readonly name: string
        /** Version of the domain. */
        readonly version: string
        /** Chain id of the domain. */
        readonly chainId: number
        /** Contract of the domain: the zero address. */
        readonly verifyingContract: Address
      }
      /** `source` in the signatures of perp actions. */
      readonly perp_source: string
    }
    /** Source of funds. */
    readonly funds: {
      /** Source of funds. */
      readonly from: 'faucet' | 'operator'
      /** Instruction for people. */
      readonly how: string
    }
    /** WebSocket paths. */
    readonly streams: {
      /** Path of the stream for clients. */
      readonly clients: string
      /** Path of the stream for quote providers. */
      readonly quote_providers: string
    }
  }
  readonly 'GET /health': {
    /** Always `ok`. */
    readonly status: 'ok'
  }
  readonly 'GET /version': {
    /** Version of the software. */
    readonly version: string
    /** Commit of the build; null: unknown. */
    readonly commit: string | null
    /** Branch or tag of the build; null: unknown. */
    readonly ref: string | null
    /** Time of the build; null: unknown. */
    readonly build_time: string | null
    /** Chain id of the signing domain. */
    readonly signing_chain_id: number
  }
  readonly 'GET /ready': {
    /** Always `ready` with HTTP status 200. */
    readonly status: 'ready'
    /** Reasons, one per part that is out of service; absent: none. */
    readonly degraded?: readonly (string)[] | undefined
    /** Components of the gateway. */
    readonly components: readonly ({
      /** Name of the component. */
      readonly name: string
      /** True if the component is ready. */
      readonly ready: boolean
      /** Reason for not being ready; absent: ready. */
      readonly detail?: string | undefined
    })[]
  }
  readonly 'GET /openapi.json': { readonly [name: string]: unknown }
  readonly 'GET /asyncapi.json': { readonly [name: string]: unknown }
  readonly 'GET /instruments': {
    /** Version of JSON-RPC. */
    readonly jsonrpc: '2.0'
    /** Instruments that match the filters. */
    readonly result: readonly (Instrument)[]
    /** True on a test network. */
    readonly testnet: boolean
    /** Time at which the request arrived, in Unix microseconds. */
    readonly usIn: number
    /** Time at which the answer left, in Unix microseconds. */
    readonly usOut: number
    /** Time from request to answer, in microseconds. */
    readonly usDiff: number
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /instrument-specs': {
    /** Version of JSON-RPC. */
    readonly jsonrpc: '2.0'
    /** Instruments that match the filter. */
    readonly result: readonly (InstrumentSpec)[]
    /** True on a test network. */
    readonly testnet: boolean
    /** Time at which the request arrived, in Unix microseconds. */
    readonly usIn: number
    /** Time at which the answer left, in Unix microseconds. */
    readonly usOut: number
    /** Time from request to answer, in microseconds. */
    readonly usDiff: number
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /markets': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Markets, sorted by underlying, then by expiry. */
    readonly data: readonly (Market)[]
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /orderbook': {
    /** Version of JSON-RPC. */
    readonly jsonrpc: '2.0'
    /** The order book; null: the instrument does not exist. */
    readonly result: Orderbook | null
    /** Reason for a null result; absent: the result is not null. */
    readonly error?: {
      /** Always 13020: the instrument does not exist. */
      readonly code: 13020
      /** Always `not_found`. */
      readonly message: 'not_found'
    } | undefined
    /** True on a test network. */
    readonly testnet: boolean
    /** Time at which the request arrived, in Unix microseconds. */
    readonly usIn: number
    /** Time at which the answer left, in Unix microseconds. */
    readonly usOut: number
    /** Time from request to answer, in microseconds. */
    readonly usDiff: number
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /options-summary': {
    /** Version of JSON-RPC. */
    readonly jsonrpc: '2.0'
    /** Active options that match the filters. */
    readonly result: readonly (OptionSummary)[]
    /** True on a test network. */
    readonly testnet: boolean
    /** Time at which the request arrived, in Unix microseconds. */
    readonly usIn: number
    /** Time at which the answer left, in Unix microseconds. */
    readonly usOut: number
    /** Time from request to answer, in microseconds. */
    readonly usDiff: number
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /fees': {
    /** True if any fee differs from 0. */
    readonly enabled: boolean
    /** Fees of option trades. */
    readonly options: {
      /** Maker fee per contract as a fraction of the index; negative: a rebate. */
      readonly maker_rate: Decimal
      /** Taker fee per contract as a fraction of the index; negative: a rebate. */
      readonly taker_rate: Decimal
      /** Upper limit of a fee as a fraction of the option price. */
      readonly price_cap: Decimal
    }
    /** Fees of perp trades. */
    readonly perps: {
      /** Maker fee as a fraction of the price; negative: a rebate. */
      readonly maker_rate: Decimal
      /** Taker fee as a fraction of the price; negative: a rebate. */
      readonly taker_rate: Decimal
    }
    /** Fee of a settlement. */
    readonly settlement: {
      /** Fee per in-the-money contract as a fraction of the settlement price of the underlying. */
      readonly rate: Decimal
      /** Upper limit of the fee as a fraction of the payoff. */
      readonly payoff_cap: Decimal
    }
    /** Fee of liquidation orders; the insurance fund receives it. */
    readonly liquidation: {
      /** Fee per contract as a fraction of the index. */
      readonly rate: Decimal
    }
    /** Fee share of builders. */
    readonly builder: {
      /** Fraction of a trading fee that the builder of the order earns. */
      readonly share: Decimal
    }
    /** Fees of the requested wallet; absent: the query has no `wallet`. */
    readonly applied?: {
      /** The requested wallet. */
      readonly wallet: Address
      /** Tier of the wallet. */
      readonly tier: 'default' | 'tier1' | 'tier2' | 'market_maker'
      /** Fees of option trades. */
      readonly options: {
        /** Maker fee per contract as a fraction of the index; negative: a rebate. */
        readonly maker_rate: Decimal
        /** Taker fee per contract as a fraction of the index; negative: a rebate. */
        readonly taker_rate: Decimal
        /** Upper limit of a fee as a fraction of the option price. */
        readonly price_cap: Decimal
      }
      /** Fees of perp trades. */
      readonly perps: {
        /** Maker fee as a fraction of the price; negative: a rebate. */
        readonly maker_rate: Decimal
        /** Taker fee as a fraction of the price; negative: a rebate. */
        readonly taker_rate: Decimal
      }
      /** Fee of a settlement. */
      readonly settlement: {
        /** Fee per in-the-money contract as a fraction of the settlement price of the underlying. */
        readonly rate: Decimal
        /** Upper limit of the fee as a fraction of the payoff. */
        readonly payoff_cap: Decimal
      }
      /** Fee of liquidation orders; the insurance fund receives it. */
      readonly liquidation: {
        /** Fee per contract as a fraction of the index. */
        readonly rate: Decimal
      }
    } | undefined
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /trades': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Trades that match the filters. */
    readonly data: readonly (Trade)[]
    /** Position of these rows in the list. */
    readonly pagination: {
      /** Maximum number of rows. */
      readonly limit: number
      /** Number of rows skipped before these. */
      readonly offset: number
      /** Number of rows in this answer. */
      readonly count: number
    }
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /trades/': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** The trade. */
    readonly data: Trade
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /historical-theos': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Theoretical prices of the option. */
    readonly data: TheoreticalPrices
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /historical-theos/batch': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Theoretical prices by canonical symbol. */
    readonly data: { readonly [name: string]: TheoreticalPrices }
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /authorized-agents': {
    /** Agents that may sign for the wallet, in order of approval. */
    readonly agents: readonly (Address)[]
    /** Keys that may sign directives of the wallet. */
    readonly api_wallets: readonly ({
      /** Name of the key. */
      readonly name: string
      /** Address of the key. */
      readonly address: Address
    })[]
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /user-tier': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Tier of the wallet. */
    readonly data: UserTier
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /username': {
    /** Wallet of the account. */
    readonly wallet_address: Address
    /** Username in lower case. */
    readonly username: string
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /profile': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Profile of the wallet. */
    readonly data: {
      /** Wallet of the account. */
      readonly wallet: Address
      /** Same as `wallet`. */
      readonly account_wallet: Address
      /** Username of the wallet, or a name derived from its address if it has none. Use GET /username. */
      readonly username: string
      /** Time of the first credit, in Unix milliseconds; null: never. */
      readonly account_first_seen_ts_ms: number | null
      /** Whole days since the first credit; null: never. */
      readonly account_age_days: number | null
      /** Margin and transfers, in USD. */
      readonly margin: {
        /** Initial margin of positions and open orders. */
        readonly in_use: Decimal
        /** Amount that the wallet can withdraw now. */
        readonly available: Decimal
        /** Equity. */
        readonly total: Decimal
        /** Sum of all deposits. */
        readonly deposits: Decimal
        /** Sum of all withdrawals. */
        readonly withdraws: Decimal
      }
      /** Profit in USD. */
      readonly pnl: {
        /** Profit of the open positions at the mark price. */
        readonly unrealized: Decimal
        /** Profit realized in the last 24 hours, after fees. */
        readonly pnl_24h: Decimal
        /** Profit realized since the first credit, after fees. */
        readonly lifetime_realized: Decimal
      }
    }
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /profile/realized-pnl': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Realized profit by symbol, sorted by symbol. */
    readonly data: readonly ({
      /** Canonical symbol; `funding`, `liquidation` or `builder_fees` for amounts without an instrument. */
      readonly symbol: string
      /** Realized profit in USD, after fees. */
      readonly realized_pnl: Decimal
      /** Number of fills, settlements and payments in the sum. */
      readonly event_count: number
    })[]
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /self-trade-prevention': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Mode of the wallet. */
    readonly data: {
      /** Wallet of the account. */
      readonly wallet: Address
      /** Order that the venue cancels when the wallet would trade with itself. `cancel_taker`: the incoming order; `cancel_maker`: the resting order; `cancel_both`: both. */
      readonly mode: 'cancel_taker' | 'cancel_maker' | 'cancel_both'
    }
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /mmp-config': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Settings and state of the protection, one per underlying. */
    readonly data: readonly (MmpConfig)[]
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /profile/historical-pnl': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Equity of the wallet. */
    readonly data: {
      /** Wallet of the account. */
      readonly wallet_address: Address
      /** Time between two points. */
      readonly interval: '5m' | '1h' | '1d'
      /** Points, oldest first. */
      readonly points: readonly ({
        /** Time of the point, in Unix milliseconds. */
        readonly timestamp: number
        /** Equity in USD: cash plus the value of all positions at the mark. */
        readonly equity: Decimal
        /** Deposits less withdrawals up to that time, in USD. */
        readonly net_deposits: Decimal
        /** Attribution by symbol, or by `funding`, `liquidation` and `builder_fees`: position, entry price, realized profit, unrealized profit, and the sum of both profits; absent: not requested. */
        readonly attribution?: { readonly [name: string]: readonly (number)[] } | undefined
      })[]
    }
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /historical-pnl': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Equity of the wallet. */
    readonly data: {
      /** Wallet of the account. */
      readonly wallet_address: Address
      /** Time between two points. */
      readonly interval: '5m' | '1h' | '1d'
      /** Points, oldest first. */
      readonly points: readonly ({
        /** Time of the point, in Unix milliseconds. */
        readonly timestamp: number
        /** Equity in USD: cash plus the value of all positions at the mark. */
        readonly equity: Decimal
        /** Deposits less withdrawals up to that time, in USD. */
        readonly net_deposits: Decimal
        /** Attribution by symbol, or by `funding`, `liquidation` and `builder_fees`: position, entry price, realized profit, unrealized profit, and the sum of both profits; absent: not requested. */
        readonly attribution?: { readonly [name: string]: readonly (number)[] } | undefined
      })[]
    }
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /settlement-payouts': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Payouts that match the filters. */
    readonly data: readonly (SettlementPayout)[]
    /** Position of these rows in the list. */
    readonly pagination: {
      /** Maximum number of rows. */
      readonly limit: number
      /** Number of rows skipped before these. */
      readonly offset: number
      /** Number of rows in this answer. */
      readonly count: number
    }
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /rate-limits': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Windows of the wallet. */
    readonly data: {
      /** Wallet of the account. */
      readonly wallet: Address
      /** Tier of the wallet. */
      readonly tier: 'default' | 'tier1' | 'tier2' | 'market_maker'
      /** Windows for signed writes of the wallet, one per category; the owner and all agents share them. */
      readonly windows: readonly ({
        /** Category of requests. */
        readonly category: 'OrderPlacement' | 'OrderCancellation' | 'ApiRequest'
        /** Requests per minute; -1: unlimited. */
        readonly limit: number
        /** Requests left in the current window; -1: unlimited. */
        readonly remaining: number
        /** End of the current window, in Unix seconds. */
        readonly reset: number
      })[]
      /** Window for reads of the wallet from this client address. */
      readonly reads: {
        /** Category of requests. */
        readonly category: 'OrderPlacement' | 'OrderCancellation' | 'ApiRequest'
        /** Requests per minute; -1: unlimited. */
        readonly limit: number
        /** Requests left in the current window; -1: unlimited. */
        readonly remaining: number
        /** End of the current window, in Unix seconds. */
        readonly reset: number
      }
    }
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /actions/outcome': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Result of the action. */
    readonly data: {
      /** Wallet of the account. */
      readonly wallet: Address
      /** EIP-712 digest of the signed action. */
      readonly digest: Digest
      /** `accepted`; `in_flight`: accepted, and the order still waits for quotes; `unknown`: never accepted, or no longer kept; `kept` shows which results the venue still has. */
      readonly status: 'accepted' | 'in_flight' | 'unknown'
      /** Name of the signed struct; a perp order has the name of an option order; null: unknown. */
      readonly action: string | null
      /** Signed nonce; null: unknown. */
      readonly nonce: Nonce | null
      /** Engine time of the result, in Unix milliseconds; null: unknown. */
      readonly timestamp: number | null
      /** Sequence of the result; null: unknown. */
      readonly seq: Sequence | null
      /** Result of the order, or other values of the answer; null: unknown. */
      readonly outcome: {
        /** Status of the order after the action; see `x-states`. */
        readonly status: 'ACKED' | 'OPEN' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'REJECTED'
        /** Id of the order; null: none. */
        readonly order_id: number | null
        /** Canonical symbol; empty: unknown. */
        readonly symbol: string
        /** Side of the order. */
        readonly side: 'Buy' | 'Sell'
        /** Limit price in USD per contract. */
        readonly price: Decimal
        /** Contracts of the order. */
        readonly size: Decimal
        /** Contracts filled so far. */
        readonly filled_size: Decimal
        /** Client id of the order; null: none. */
        readonly client_id: string | null
        /** Reason for a cancellation, for people; may change; null: none. */
        readonly reason: string | null
        /** Stable code of the reason; null: none. */
        readonly reason_code: ReasonCode | null
        /** True if a fill of the order triggered market-maker protection. */
        readonly mmp_triggered: boolean
      } | {
        /** Number of canceled orders; present for CancelAll. */
        readonly canceled?: number | undefined
        /** Time at which the timer fires unless the wallet signs an action, in Unix milliseconds; null: no timer; present for SetDeadMan. */
        readonly fires_at?: number | null | undefined
        /** Cash after the withdrawal in USD; present for WithdrawUsdc. */
        readonly balance_after?: Decimal | undefined
        /** Mode before the change; present for SetMarginMode. */
        readonly previous_mode?: 'standard' | 'portfolio' | undefined
        /** Status of the request for quote; `executed` for an acceptance. */
        readonly status?: string | undefined
        /** Trade id of the first leg as text; present for AcceptRFQQuote. */
        readonly fill_id?: string | undefined
      } | null
      /** Kept results of the wallet. */
      readonly kept: {
        /** Number of kept results. */
        readonly count: number
        /** Maximum number of results that the venue keeps for a wallet. */
        readonly max: number
        /** Engine time of the oldest kept result, in Unix milliseconds; null: none. */
        readonly oldest_ms: number | null
        /** True if the venue still has every result of the wallet: it never accepted an action that is `unknown`. */
        readonly is_complete: boolean
      }
    }
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /orders': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Orders that match the filter. */
    readonly data: readonly (Order)[]
    /** Position of these rows in the list. */
    readonly pagination: {
      /** Maximum number of rows. */
      readonly limit: number
      /** Number of rows skipped before these. */
      readonly offset: number
      /** Number of rows in this answer. */
      readonly count: number
    }
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /orders/status': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** The order; null: unknown. */
    readonly data: Order | null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /fills': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Fills of the wallet. */
    readonly data: readonly (Fill)[]
    /** Position of these rows in the list. */
    readonly pagination: {
      /** Maximum number of rows. */
      readonly limit: number
      /** Number of rows skipped before these. */
      readonly offset: number
      /** Number of rows in this answer. */
      readonly count: number
    }
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /profile/trades': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Fills that match the filters. */
    readonly data: readonly (Fill)[]
    /** Position of these rows in the list. */
    readonly pagination: {
      /** Maximum number of rows. */
      readonly limit: number
      /** Number of rows skipped before these. */
      readonly offset: number
      /** Number of rows in this answer. */
      readonly count: number
    }
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /orders/why': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Explanation of the command. */
    readonly data: {
      /** Id of the order; null: none. */
      readonly order_id: number | null
      /** Wallet of the command; null: the query names the order id. */
      readonly wallet: Address | null
      /** Nonce of the command; null: the query names the order id. */
      readonly nonce: Nonce | null
      /** Name of the signed struct; a perp order has the name of an option order; null: unknown. */
      readonly action: string | null
      /** Canonical symbol; null: unknown. */
      readonly symbol: string | null
      /** Sequence in the answer to the command; null: no answer yet, or a gateway rejected the command. */
      readonly seq: Sequence | null
      /** Status in the answer to the command, or the current status if `source` is `store`; `IN_FLIGHT`: not decided yet. */
      readonly status: 'ACKED' | 'OPEN' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'REJECTED' | 'IN_FLIGHT'
      /** Stable code of the reason; null: none. */
      readonly reason: ReasonCode | 'signature_verification_failed' | 'unauthorized' | 'rate_limit_exceeded' | null
      /** `measured`: timestamps of all threads; `store`: the history store, without timings. */
      readonly source: 'measured' | 'store'
      /** Number of the gateway that received the command; null: unknown. */
      readonly gateway: number | null
      /** Engine time of arrival, in Unix milliseconds; null: unknown. */
      readonly received_at: number | null
      /** Duration of each stage. */
      readonly stages: {
        /** Time from the arrival of the request to its signature check, in microseconds; null: not measured. */
        readonly socket_micros: number | null
        /** Time of the signature recovery, until the write into the command ring, in microseconds; null: not measured. */
        readonly recovery_micros: number | null
        /** Wait in the command ring, until the batch began, in microseconds; null: not measured. */
        readonly ring_micros: number | null
        /** Time to decide all commands of the batch, in microseconds; null: not measured. */
        readonly batch_micros: number | null
        /** Time to match, apply and publish the batch, in microseconds; null: not measured. */
        readonly match_micros: number | null
        /** Journal flush, until the batch was durable, in microseconds; null: not measured. */
        readonly flush_micros: number | null
        /** Delivery, until the answer left the gateway, in microseconds; null: not measured. */
        readonly pump_micros: number | null
        /** Total of all stages, in microseconds; null: not measured. */
        readonly total_micros: number | null
      }
      /** Batch that decided the command; null: unknown, or an auction decided it later. */
      readonly batch: {
        /** Number of the batch; numbers rise. */
        readonly number: number
        /** Sequence of the first event of the batch. */
        readonly first_seq: Sequence
        /** Sequence of the last event of the batch. */
        readonly last_seq: Sequence
        /** Number of commands in the batch; each item of a bulk counts. */
        readonly commands: number
        /** Position of the command in the batch, from 1, in the order of the answers. */
        readonly place: number
        /** Engine time of the batch, in Unix milliseconds. */
        readonly time: number
      } | null
      /** Up to five commands before and five after it in the batch, in the order of the answers. */
      readonly neighbours: readonly ({
        /** Sequence of the event. */
        readonly seq: Sequence
        /** Position in the batch, from 1. */
        readonly place: number
        /** Id of the order; null: none. */
        readonly order_id: number | null
        /** Name of the signed struct; a perp order has the name of an option order; null: unknown. */
        readonly action: string | null
        /** Number of the gateway that received it; null: the operator. */
        readonly gateway: number | null
        /** Status of the order; null: neither an order nor a cancel. */
        readonly status: 'ACKED' | 'OPEN' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'REJECTED' | null
      })[]
      /** Check that rejected the command; null: not rejected. */
      readonly check: {
        /** Code of the check. */
        readonly name: ReasonCode | 'signature_verification_failed' | 'unauthorized' | 'rate_limit_exceeded'
        /** Actual value; null: the check compares no values. */
        readonly has: Decimal | number | null
        /** Required value or limit; null: the check compares no values. */
        readonly needs: Decimal | number | null
        /** Values of the check, by name; null: none. */
        readonly details: ReasonDetails | SignatureDetails | null
        /** Explanation for people; may change; null: none. */
        readonly note: string | null
      } | null
      /** Margin of an order rejected with `insufficient_margin`; null for any other command. */
      readonly margin: {
        /** Margin model of the wallet. */
        readonly model: 'standard' | 'defined_risk' | 'portfolio'
        /** Scenario with the largest loss; null: the model has none. */
        readonly scenario: {
          /** Kind of the shock. */
          readonly kind: 'SpotChange' | 'VolChange' | 'SkewChange' | 'KurtosisChange'
          /** Id of the scenario. */
          readonly id: string
          /** Relative change of the index; -0.4 is a fall of 40 %. */
          readonly spot_shift: number
          /** Relative change of implied volatility. */
          readonly vol_shift: number
          /** Change of the skew of the smile. */
          readonly skew: number
          /** Change of the wings of the smile. */
          readonly kurtosis: number
          /** Fraction of the loss that counts. */
          readonly weight: number
          /** Loss of the wallet in the underlying under this scenario, including the order and before the weight, in USD. */
          readonly loss: Decimal
        } | null
        /** Term that determines the margin; null: unknown. */
        readonly binding: 'scenario' | 'short_minimum' | 'option_floor' | 'max_loss' | 'premium' | 'perp' | 'exempt_orders' | null
      } | null
    }
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /portfolio': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Portfolio of the wallet. */
    readonly data: Portfolio
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /risk/grid': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Risk grid of the wallet. */
    readonly data: RiskGrid
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'POST /risk/simulate/orders': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Result of the simulation. */
    readonly data: {
      /** True if the venue would accept all orders. */
      readonly admissible: boolean
      /** Reason for the first rejection, for people; may change; null: none. */
      readonly rejection_reason: string | null
      /** Initial margin including the orders, in USD. */
      readonly required: Decimal
      /** Equity in USD: cash plus the value of all positions at the mark. */
      readonly equity: Decimal
      /** Initial margin without the orders, in USD. */
      readonly consumed_im: Decimal
      /** `required` less `consumed_im`, in USD. */
      readonly incremental_im: Decimal
      /** Maintenance margin of the positions now, in USD. */
      readonly consumed_mm: Decimal
      /** Maintenance margin that the orders add once filled, in USD; negative: they release margin. */
      readonly incremental_mm: Decimal
      /** Worst scenario of a rejection for insufficient margin; null: none. */
      readonly scenario: {
        /** Kind of the shock. */
        readonly kind: string
        /** Id of the scenario. */
        readonly id: string
      } | null
    }
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /liquidation/status': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Status of the wallet. */
    readonly data: {
      /** Wallet of the account. */
      readonly wallet: Address
      /** Liquidation state of the account. */
      readonly state: 'healthy' | 'pre_liquidation' | 'in_liquidation' | 'liquidated'
      /** True while the deadlines are paused: trading is halted, or the clock is in alarm. */
      readonly timers_stand: boolean
      /** `partial`: the venue reduces positions with orders; `full`: the account is in auction; null: neither. */
      readonly liquidation_mode: 'partial' | 'full' | null
      /** Margin model of the wallet. */
      readonly margin_mode: 'standard' | 'portfolio'
      /** Equity in USD: cash plus the value of all positions at the mark. */
      readonly equity: Decimal
      /** Required maintenance margin in USD. */
      readonly mm_required: Decimal
      /** Maintenance margin excess in USD: equity less the maintenance margin of the positions; negative: a shortfall. */
      readonly maintenance_margin: Decimal
      /** Maintenance margin shortfall in USD: maintenance margin less equity, at least 0. */
      readonly shortfall: Decimal
      /** State of the partial liquidation; null: none. */
      readonly partial_liquidation: PartialLiquidation | null
      /** State of the auction, including after it has cleared the account; null: none. */
      readonly full_liquidation: FullLiquidation | null
    }
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /liquidations': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Changes that match the filters. */
    readonly data: readonly (Liquidation)[]
    /** Position of the next page. */
    readonly page: {
      /** Maximum number of rows. */
      readonly limit: number
      /** Value of `cursor` for the next page; null: this is the last page. */
      readonly next_cursor: string | null
      /** True if there are more pages. */
      readonly has_more: boolean
    }
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /liquidation/history': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Changes of the wallet. */
    readonly data: readonly (Liquidation)[]
    /** Position of these rows in the list. */
    readonly pagination: {
      /** Maximum number of rows. */
      readonly limit: number
      /** Number of rows skipped before these. */
      readonly offset: number
      /** Number of rows in this answer. */
      readonly count: number
    }
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /v1/withdrawals': {
    /** Withdrawals of the wallet. */
    readonly withdrawals: readonly (Directive)[]
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /v1/directives/': {
    /** Id of the directive, for GET /v1/directives/{id}. */
    readonly directive_id: string
    /** Action of the directive; `hl_send_asset` is a withdrawal. */
    readonly action_key: 'hl_send_asset' | 'hl_limit_order' | 'hl_cancel_by_oid' | 'hl_cancel_by_cloid' | 'hl_set_abstraction' | 'hc_update_api_wallet'
    /** Status of the directive at the venue. */
    readonly domain_status: 'accepted' | 'rejected' | 'pending_chain_effect' | 'pending_manual_review' | 'completed' | 'failed'
    /** Status of the delivery; the final ones are `core_rejected`, `finalized`, `reverted`, `expired` and `dead_lettered`. */
    readonly delivery_status: 'pending' | 'broadcasted' | 'included' | 'pending_core_delivery' | 'awaiting_portfolio_snapshot' | 'manual_review' | 'core_rejected' | 'finalized' | 'reverted' | 'expired' | 'dead_lettered'
    /** Transaction hash of the delivery; null: none. */
    readonly tx_hash: string | null
    /** Time of acceptance, in UTC. */
    readonly created_at: string
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /v1/transfers': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Transfers that match the filters. */
    readonly data: readonly ({
      /** Id of the transfer; for a withdrawal, the id of its directive. */
      readonly id: string
      /** Type of the transfer. */
      readonly transaction_type: 'deposit' | 'withdrawal' | 'internal_transfer'
      /** `usdc_deposit` or `usdc_withdrawal`. */
      readonly subtype: string
      /** Always `token`. */
      readonly asset_type: 'token'
      /** Always `USDC`. */
      readonly asset_symbol: 'USDC'
      /** Amount in USD. */
      readonly amount: Decimal
      /** Status of the transfer; deposits are always `completed`. */
      readonly status: 'pending' | 'completed' | 'failed' | 'manual_review'
      /** Status of a withdrawal at the venue; null: a deposit. */
      readonly domain_status: 'accepted' | 'rejected' | 'pending_chain_effect' | 'pending_manual_review' | 'completed' | 'failed' | null
      /** Status of the delivery; the final ones are `core_rejected`, `finalized`, `reverted`, `expired` and `dead_lettered`; null: a deposit. */
      readonly delivery_status: 'pending' | 'broadcasted' | 'included' | 'pending_core_delivery' | 'awaiting_portfolio_snapshot' | 'manual_review' | 'core_rejected' | 'finalized' | 'reverted' | 'expired' | 'dead_lettered' | null
      /** Transaction hash of the delivery; null: none. */
      readonly tx_hash: string | null
      /** Ledger of the transaction: `hyper_evm` or `hypercore`. */
      readonly tx_hash_type: string
      /** Time of the transfer, in UTC. */
      readonly created_at: string
    })[]
    /** Position of the next page. */
    readonly page: {
      /** Maximum number of rows. */
      readonly limit: number
      /** Value of `cursor` for the next page; null: this is the last page. */
      readonly next_cursor: string | null
      /** True if there are more pages. */
      readonly has_more: boolean
    }
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /rfq': {
    /** Requests that match the filter. */
    readonly rfqs: readonly ({
      /** Id of the request, chosen by the taker. */
      readonly rfq_id: string
      /** Status; see `x-states`. */
      readonly status: 'created' | 'sent_to_qps' | 'quotes_received' | 'accepted' | 'executed' | 'no_quotes' | 'expired' | 'failed'
      /** Name of the underlying. */
      readonly underlying: string
      /** Legs, in the order of the request. */
      readonly legs: readonly ({
        /** Canonical symbol. */
        readonly instrument: string
        /** Side of the taker. */
        readonly side: 'Buy' | 'Sell'
        /** Contracts. */
        readonly size: Decimal
      })[]
      /** Live quotes, best for the taker first; for an ended request, the quotes that were live at the end. */
      readonly quotes: readonly ({
        /** Id of the quote, assigned by the venue. */
        readonly quote_id: string
        /** Net premium of all legs in USD, from the view of the taker: a buy leg adds -price x size, a sell leg +price x size. */
        readonly net_premium: Decimal
        /** Prices of the legs, in the order of the request. */
        readonly legs: readonly ({
          /** Canonical symbol. */
          readonly instrument: string
          /** Side of the taker. */
          readonly side: 'Buy' | 'Sell'
          /** Contracts. */
          readonly size: Decimal
          /** Quoted price in USD per contract. */
          readonly price: Decimal
        })[]
        /** Expiry of the quote, in Unix milliseconds. */
        readonly expires_at: number
      })[]
      /** Time of acceptance, in Unix milliseconds. */
      readonly created_at: number
      /** Expiry of the request, in Unix milliseconds. */
      readonly expires_at: number
      /** Reason, for people; may change; null: executed; absent: still open. */
      readonly reason?: string | null | undefined
      /** Stable code of the reason; null: executed; absent: still open. */
      readonly reason_code?: ReasonCode | null | undefined
      /** Id of the trade of the first leg; absent: not executed. */
      readonly fill_id?: string | undefined
      /** Id of the limit order that the unfilled request fell back to; absent: none. */
      readonly fallback_order_id?: number | undefined
    })[]
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /rfq/': {
    /** Id of the request, chosen by the taker. */
    readonly rfq_id: string
    /** Status; see `x-states`. */
    readonly status: 'created' | 'sent_to_qps' | 'quotes_received' | 'accepted' | 'executed' | 'no_quotes' | 'expired' | 'failed'
    /** Name of the underlying. */
    readonly underlying: string
    /** Legs, in the order of the request. */
    readonly legs: readonly ({
      /** Canonical symbol. */
      readonly instrument: string
      /** Side of the taker. */
      readonly side: 'Buy' | 'Sell'
      /** Contracts. */
      readonly size: Decimal
    })[]
    /** Live quotes, best for the taker first; for an ended request, the quotes that were live at the end. */
    readonly quotes: readonly ({
      /** Id of the quote, assigned by the venue. */
      readonly quote_id: string
      /** Net premium of all legs in USD, from the view of the taker: a buy leg adds -price x size, a sell leg +price x size. */
      readonly net_premium: Decimal
      /** Prices of the legs, in the order of the request. */
      readonly legs: readonly ({
        /** Canonical symbol. */
        readonly instrument: string
        /** Side of the taker. */
        readonly side: 'Buy' | 'Sell'
        /** Contracts. */
        readonly size: Decimal
        /** Quoted price in USD per contract. */
        readonly price: Decimal
      })[]
      /** Expiry of the quote, in Unix milliseconds. */
      readonly expires_at: number
    })[]
    /** Time of acceptance, in Unix milliseconds. */
    readonly created_at: number
    /** Expiry of the request, in Unix milliseconds. */
    readonly expires_at: number
    /** Reason, for people; may change; null: executed; absent: still open. */
    readonly reason?: string | null | undefined
    /** Stable code of the reason; null: executed; absent: still open. */
    readonly reason_code?: ReasonCode | null | undefined
    /** Id of the trade of the first leg; absent: not executed. */
    readonly fill_id?: string | undefined
    /** Id of the limit order that the unfilled request fell back to; absent: none. */
    readonly fallback_order_id?: number | undefined
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /competitions': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Competitions that match the filter. */
    readonly data: readonly (Competition)[]
    /** Position of these rows in the list. */
    readonly pagination: {
      /** Maximum number of rows. */
      readonly limit: number
      /** Number of rows skipped before these. */
      readonly offset: number
      /** Number of rows in this answer. */
      readonly count: number
    }
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /competitions/': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** The competition. */
    readonly data: Competition
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /leaderboard': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Rows in order of rank. */
    readonly data: readonly ({
      /** Rank by `sort_by`, from 1. */
      readonly rank: number
      /** Wallet of the participant. */
      readonly wallet: Address
      /** Username of the wallet, or a name derived from its address if it has none. */
      readonly username: string
      /** Realized profit less fees, in USD. */
      readonly pnl: Decimal
      /** Underlying value traded, in USD. */
      readonly volume: Decimal
      /** Profit divided by the largest initial margin after a fill; a margin below 1000 USD counts as 1000. */
      readonly efficiency: Decimal
      /** Medal by the primary metric: 1 for the first rank; null: the competition has not ended, or the rank is not among the first three. */
      readonly medal: number | null
      /** Name of the wallet at an external service, up to ten minutes old; null: unknown. */
      readonly hyperliquid_name: string | null
    })[]
    /** Position of these rows in the list. */
    readonly pagination: {
      /** Maximum number of rows. */
      readonly limit: number
      /** Number of rows skipped before these. */
      readonly offset: number
      /** Number of rows in this answer. */
      readonly count: number
    }
    /** Id of the competition; null: no competition has begun. */
    readonly competition_id: number | null
    /** Metric that sorts the rows. */
    readonly sort_by: 'pnl' | 'volume' | 'efficiency'
    /** `desc`: best rank first; `asc`: best rank last. */
    readonly sort_order: 'asc' | 'desc'
    /** Standing of the requested wallet; null: the query has no `wallet`. */
    readonly connected_user: {
      /** The requested wallet. */
      readonly wallet: Address
      /** Username of the wallet, or a name derived from its address if it has none. */
      readonly username: string
      /** Rank by `sort_by`, from 1; null: the wallet has not traded. */
      readonly rank: number | null
      /** Realized profit less fees, in USD; null: the wallet has not traded. */
      readonly pnl: Decimal | null
      /** Underlying value traded, in USD; null: the wallet has not traded. */
      readonly volume: Decimal | null
      /** Profit divided by the largest initial margin after a fill; a margin below 1000 USD counts as 1000; null: the wallet has not traded. */
      readonly efficiency: Decimal | null
      /** Medal by the primary metric: 1 for the first rank; null: the competition has not ended, or the rank is not among the first three. */
      readonly medal: number | null
    } | null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /competition-metric-ranks': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Ranks of the wallet. */
    readonly data: {
      /** Id of the competition; null: no competition has begun. */
      readonly competition_id: number | null
      /** The requested wallet. */
      readonly wallet: Address
      /** Number of wallets that traded. */
      readonly participants: number
      /** Rank and value by each metric. */
      readonly ranks: {
        /** Realized profit less fees, in USD. */
        readonly pnl: {
          /** Rank among the wallets that traded, from 1; null: the wallet has not traded. */
          readonly rank: number | null
          /** Value of the metric; 0: the wallet has not traded. */
          readonly value: Decimal
        }
        /** Underlying value traded, in USD. */
        readonly volume: {
          /** Rank among the wallets that traded, from 1; null: the wallet has not traded. */
          readonly rank: number | null
          /** Value of the metric; 0: the wallet has not traded. */
          readonly value: Decimal
        }
        /** Profit divided by the largest initial margin after a fill; a margin below 1000 USD counts as 1000. */
        readonly efficiency: {
          /** Rank among the wallets that traded, from 1; null: the wallet has not traded. */
          readonly rank: number | null
          /** Value of the metric; 0: the wallet has not traded. */
          readonly value: Decimal
        }
      }
    }
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /competition/summary': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Summary of the wallet. */
    readonly data: {
      /** The requested wallet. */
      readonly wallet: Address
      /** Realized profit since the account was opened, before fees, in USD. */
      readonly lifetime_realized_pnl: Decimal
      /** Standing in the active competition; null: no competition is active. */
      readonly active_competition: CompetitionStanding | null
    }
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /competition/leaderboard': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Rows in order of rank. */
    readonly data: readonly ({
      /** Rank by `sort_by`, from 1. */
      readonly rank: number
      /** Wallet of the participant. */
      readonly wallet: Address
      /** Username of the wallet, or a name derived from its address if it has none. */
      readonly username: string
      /** Realized profit less fees, in USD. */
      readonly pnl: Decimal
      /** Underlying value traded, in USD. */
      readonly volume: Decimal
      /** Profit divided by the largest initial margin after a fill; a margin below 1000 USD counts as 1000. */
      readonly efficiency: Decimal
      /** Medal by the primary metric: 1 for the first rank; null: the competition has not ended, or the rank is not among the first three. */
      readonly medal: number | null
      /** Name of the wallet at an external service, up to ten minutes old; null: unknown. */
      readonly hyperliquid_name: string | null
    })[]
    /** Position of these rows in the list. */
    readonly pagination: {
      /** Maximum number of rows. */
      readonly limit: number
      /** Number of rows skipped before these. */
      readonly offset: number
      /** Number of rows in this answer. */
      readonly count: number
    }
    /** Id of the competition; null: no competition has begun. */
    readonly competition_id: number | null
    /** Metric that sorts the rows. */
    readonly sort_by: 'pnl' | 'volume' | 'efficiency'
    /** `desc`: best rank first; `asc`: best rank last. */
    readonly sort_order: 'asc' | 'desc'
    /** Standing of the requested wallet; null: the query has no `wallet`. */
    readonly connected_user: {
      /** The requested wallet. */
      readonly wallet: Address
      /** Username of the wallet, or a name derived from its address if it has none. */
      readonly username: string
      /** Rank by `sort_by`, from 1; null: the wallet has not traded. */
      readonly rank: number | null
      /** Realized profit less fees, in USD; null: the wallet has not traded. */
      readonly pnl: Decimal | null
      /** Underlying value traded, in USD; null: the wallet has not traded. */
      readonly volume: Decimal | null
      /** Profit divided by the largest initial margin after a fill; a margin below 1000 USD counts as 1000; null: the wallet has not traded. */
      readonly efficiency: Decimal | null
      /** Medal by the primary metric: 1 for the first rank; null: the competition has not ended, or the rank is not among the first three. */
      readonly medal: number | null
    } | null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /competition/account': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Account of the wallet in the competition. */
    readonly data: {
      /** The requested wallet. */
      readonly wallet: Address
      /** Username of the wallet, or a name derived from its address if it has none. */
      readonly username: string
      /** Realized profit since the account was opened, before fees, in USD. */
      readonly lifetime_realized_pnl: Decimal
      /** Standing in the competition. */
      readonly competition: CompetitionStanding
    }
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /referrals/binding': {
    /** The referred wallet. */
    readonly referred_wallet: Address
    /** Referrer of the wallet; null: none. */
    readonly referrer_wallet: Address | null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /referrals/code': {
    /** Referral code in upper case. */
    readonly code: string
    /** Owner of the code. */
    readonly owner_wallet: Address
    /** Time of registration, in UTC. */
    readonly created_at: string
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  } | null
  readonly 'GET /referrals/code/': {
    /** Referral code in upper case. */
    readonly code: string
    /** Owner of the code. */
    readonly owner_wallet: Address
    /** Time of registration, in UTC. */
    readonly created_at: string
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /referrals/referred': {
    /** The requested wallet. */
    readonly referrer_wallet: Address
    /** Referred wallets. */
    readonly data: readonly ({
      /** The referred wallet. */
      readonly referred_wallet: Address
      /** Underlying value of all fills of the wallet so far, in USD. */
      readonly volume_usd: Decimal
    })[]
    /** Position of these rows in the list. */
    readonly pagination: {
      /** Maximum number of rows. */
      readonly limit: number
      /** Number of rows skipped before these. */
      readonly offset: number
      /** Number of rows in this answer. */
      readonly count: number
    }
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'GET /exchange-info': {
    /** Always the zero address: the venue has no contract. */
    readonly exchange_address: Address
    /** Chain id of the signing domain. */
    readonly chain_id: number
    /** EIP-712 domain of options, requests for quote and account actions. */
    readonly signing_domain: {
      /** Name of the domain. */
      readonly name: string
      /** Version of the domain. */
      readonly version: string
    }
    /** Always null: the venue has none. */
    readonly hl_builder_address: null
    /** Always null: the operator credits deposits. */
    readonly deposit_router_address: null
    /** Always false: the operator credits deposits. */
    readonly portfolio_margin_deposits_enabled: boolean
    /** Preset of the configuration. */
    readonly preset: 'development' | 'testnet' | 'mainnet-alpha'
    /** `source` in the signatures of perp actions. */
    readonly perp_source: string
    /** `signed`: private reads need a read session of the wallet; `open`: anybody may read. */
    readonly private_reads: 'open' | 'signed'
    /** Listed perps. */
    readonly perps: readonly ({
      /** Asset number of the perp in signed actions; the venue never reuses it. */
      readonly asset: number
      /** Name of the underlying. */
      readonly underlying: string
      /** Canonical symbol. */
      readonly symbol: string
    })[]
    /** Public VAPID key of browser notifications; null: notifications are off. */
    readonly push_public_key: string | null
    /** Maximum number of items in a bulk request. */
    readonly max_bulk_items: number
    /** Maximum number of legs in a request for quote. */
    readonly max_rfq_legs: number
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'POST /order': OrderUpdate
  readonly 'PUT /order': OrderUpdate
  readonly 'DELETE /order': CanceledUpdate
  readonly 'DELETE /order_cloid': {
    /** True if the order was canceled. */
    readonly success: boolean
    /** Update of the order. */
    readonly data: OrderUpdate
    /** Reason for a rejection, for people; may change; null: none. */
    readonly error: string | null
  }
  readonly 'POST /order/debug': {
    /** Name of the signed struct, with or without `route`. */
    readonly layout: string
    /** Fields of the struct, as hashed. */
    readonly fields: { readonly [name: string]: unknown }
    /** EIP-712 digest. */
    readonly digest: Digest
    /** Recovered signer; null: the signature recovers no address. */
    readonly recovered_address: Address | null
    /** EIP-712 domain of the digest. */
    readonly domain: {
      /** Name of the domain. */
      readonly name: string
      /** Version of the domain. */
      readonly version: string
      /** Chain id of the domain, as decimal text. */
      readonly chain_id: string
    }
    /** True if the wallet itself is the signer. */
    readonly is_wallet: boolean
    /** Layout that the wallet did sign, with or without `route`; null: none. */
    readonly matches_other_layout: string | null
  }
  readonly 'POST /bulk_order': {
    /** One result per item, in the order of the request. */
    readonly results: readonly (BulkResult)[]
  } | readonly (BulkResult)[]
  readonly 'PUT /bulk_order': {
    /** One result per item, in the order of the request. */
    readonly results: readonly (BulkResult)[]
  } | readonly (BulkResult)[]
  readonly 'DELETE /bulk_order': {
    /** One result per item, in the order of the request. */
    readonly results: readonly (BulkResult)[]
  } | readonly (BulkResult)[]
  readonly 'DELETE /bulk_order_cloid': {
    /** One result per item, in the order of the request. */
    readonly results: readonly (BulkResult)[]
  } | readonly (BulkResult)[]
  readonly 'POST /orders': {
    /** One result per item, in the order of the request. */
    readonly results: readonly (BulkResult)[]
  } | readonly (BulkResult)[]
  readonly 'POST /orders/cancel': {
    /** One result per item, in the order of the request. */
    readonly results: readonly (BulkResult)[]
  } | readonly (BulkResult)[]
  readonly 'POST /cancel-all': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Canceled orders. */
    readonly data: {
      /** Wallet of the orders. */
      readonly wallet: Address
      /** Scope of the request: `all`, an underlying or a symbol. */
      readonly scope: string
      /** Number of canceled orders, without requests for quote and quotes. */
      readonly canceled: number
    }
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'POST /dead-man': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Timer of the wallet. */
    readonly data: {
      /** Wallet of the timer. */
      readonly wallet: Address
      /** Timeout in milliseconds; 0: no timer. */
      readonly timeout_ms: number
      /** Time at which the timer fires unless the wallet signs an action, in Unix milliseconds; null: no timer. */
      readonly fires_at: number | null
    }
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'POST /perp-order': OrderUpdate | CanceledUpdate
  readonly 'POST /v1/actions/hl_limit_order': DirectiveAnswer
  readonly 'POST /v1/actions/hl_cancel_by_oid': DirectiveAnswer
  readonly 'POST /v1/actions/hl_cancel_by_cloid': DirectiveAnswer
  readonly 'POST /v1/actions/hl_set_abstraction': DirectiveAnswer
  readonly 'POST /v1/actions/hc_update_api_wallet': DirectiveAnswer
  readonly 'POST /rfq/request': {
    /** Id of the request, chosen by the taker. */
    readonly rfq_id: string
    /** Status; see `x-states`. */
    readonly status: 'created' | 'sent_to_qps' | 'quotes_received' | 'accepted' | 'executed' | 'no_quotes' | 'expired' | 'failed'
    /** Name of the underlying. */
    readonly underlying: string
    /** Legs, in the order of the request. */
    readonly legs: readonly ({
      /** Canonical symbol. */
      readonly instrument: string
      /** Side of the taker. */
      readonly side: 'Buy' | 'Sell'
      /** Contracts. */
      readonly size: Decimal
    })[]
    /** Live quotes, best for the taker first; for an ended request, the quotes that were live at the end. */
    readonly quotes: readonly ({
      /** Id of the quote, assigned by the venue. */
      readonly quote_id: string
      /** Net premium of all legs in USD, from the view of the taker: a buy leg adds -price x size, a sell leg +price x size. */
      readonly net_premium: Decimal
      /** Prices of the legs, in the order of the request. */
      readonly legs: readonly ({
        /** Canonical symbol. */
        readonly instrument: string
        /** Side of the taker. */
        readonly side: 'Buy' | 'Sell'
        /** Contracts. */
        readonly size: Decimal
        /** Quoted price in USD per contract. */
        readonly price: Decimal
      })[]
      /** Expiry of the quote, in Unix milliseconds. */
      readonly expires_at: number
    })[]
    /** Time of acceptance, in Unix milliseconds. */
    readonly created_at: number
    /** Expiry of the request, in Unix milliseconds. */
    readonly expires_at: number
    /** Reason for a failure, for people; may change; absent: none. */
    readonly reason?: string | null | undefined
    /** Stable code of the reason; absent: none. */
    readonly reason_code?: ReasonCode | null | undefined
    /** Id of the trade of the first leg; absent: not executed. */
    readonly fill_id?: string | undefined
    /** Id of the limit order that the unfilled request fell back to; absent: none. */
    readonly fallback_order_id?: number | undefined
    /** Values of the reason, by name; null or absent: none. */
    readonly details?: ReasonDetails | null | undefined
    /** Sequence of the event. */
    readonly seq: Sequence
  }
  readonly 'POST /rfq/accept': {
    /** Id of the request, chosen by the taker. */
    readonly rfq_id: string
    /** Id of the accepted quote. */
    readonly quote_id: string
    /** Result of the acceptance. */
    readonly status: 'executed' | 'failed'
    /** Id of the trade of the first leg; empty: nothing traded. */
    readonly fill_id: string
    /** Reason for a failure, for people; may change; absent: none. */
    readonly reason?: string | null | undefined
    /** Stable code of the reason; absent: none. */
    readonly reason_code?: ReasonCode | null | undefined
    /** Values of the reason, by name; null or absent: none. */
    readonly details?: ReasonDetails | null | undefined
    /** Sequence of the event. */
    readonly seq: Sequence
  }
  readonly 'POST /margin-mode': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Change of the margin model. */
    readonly data: {
      /** Wallet of the account. */
      readonly wallet: Address
      /** Margin model after the change. */
      readonly margin_mode: 'standard' | 'portfolio'
      /** Margin model before the change. */
      readonly previous_mode: 'standard' | 'portfolio'
    }
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'POST /self-trade-prevention': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Mode of the wallet. */
    readonly data: {
      /** Wallet of the account. */
      readonly wallet: Address
      /** Order that the venue cancels when the wallet would trade with itself. `cancel_taker`: the incoming order; `cancel_maker`: the resting order; `cancel_both`: both. */
      readonly mode: 'cancel_taker' | 'cancel_maker' | 'cancel_both'
    }
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'POST /user-tier': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Tier of the wallet. */
    readonly data: UserTier
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'POST /mmp-config': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Settings and state of the protection. */
    readonly data: MmpConfig
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'DELETE /mmp-config': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Always `deleted`. */
    readonly data: 'deleted'
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'POST /mmp-config/reset': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Always `reset`. */
    readonly data: 'reset'
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'POST /approve-agent': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Always null: the request succeeded. */
    readonly error: null
    /** Recovered signer; with a wrong signing domain, some other address. */
    readonly wallet: Address
    /** Sequence of the event. */
    readonly seq: Sequence
  }
  readonly 'DELETE /revoke-agent': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Always null: the request succeeded. */
    readonly error: null
    /** Recovered signer; with a wrong signing domain, some other address. */
    readonly wallet: Address
    /** Sequence of the event. */
    readonly seq: Sequence
  }
  readonly 'DELETE /revoke-all-agents': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Always null: the request succeeded. */
    readonly error: null
    /** Recovered signer; with a wrong signing domain, some other address. */
    readonly wallet: Address
    /** Sequence of the event. */
    readonly seq: Sequence
  }
  readonly 'POST /submitUsernameRequest': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Status of the request. */
    readonly data: {
      /** Wallet of the account. */
      readonly wallet_address: Address
      /** Requested username in lower case. */
      readonly requested_username: string
      /** `approved`; `pending`: the operator has not decided yet. */
      readonly status: 'approved' | 'pending'
    }
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'POST /settlement-payouts/seen': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Number of ids in the request. */
    readonly requested: number
    /** Number of distinct ids that belong to payouts of the wallet. */
    readonly affected: number
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the event. */
    readonly seq: Sequence
  }
  readonly 'POST /faucet': {
    /** Credited wallet. */
    readonly wallet: Address
    /** Credited amount in USD. */
    readonly amount: Decimal
    /** Sequence of the event. */
    readonly seq: Sequence
  }
  readonly 'POST /withdraw/usdc': {
    /** Always true: the venue accepted the withdrawal. */
    readonly success: true
    /** Same as `directive_id`. */
    readonly request_id: string
    /** Id of the directive, for GET /v1/directives/{id}. */
    readonly directive_id: string
    /** Status of the directive at the venue. */
    readonly domain_status: 'accepted' | 'rejected' | 'pending_chain_effect' | 'pending_manual_review' | 'completed' | 'failed'
    /** Status of the delivery; the final ones are `core_rejected`, `finalized`, `reverted`, `expired` and `dead_lettered`. */
    readonly delivery_status: 'pending' | 'broadcasted' | 'included' | 'pending_core_delivery' | 'awaiting_portfolio_snapshot' | 'manual_review' | 'core_rejected' | 'finalized' | 'reverted' | 'expired' | 'dead_lettered'
    /** Cash of the wallet after the debit, in USD. */
    readonly balance_after: Decimal
    /** Description for people; may change. */
    readonly message: string
    /** Sequence of the event. */
    readonly seq: Sequence
  }
  readonly 'POST /liquidation/standard-margin': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Content of the answer. */
    readonly data: {
      /** Id of the liquidation request. */
      readonly request_id: string
      /** Id of the auction. */
      readonly auction_id: string
      /** Wallet in auction. */
      readonly liquidated_wallet: Address
      /** Wallet that won the bid. */
      readonly liquidator_wallet: Address
    }
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'POST /referrals/code': {
    /** Referral code in upper case. */
    readonly code: string
    /** Owner of the code. */
    readonly owner_wallet: Address
    /** Time of registration, in UTC. */
    readonly created_at: string
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'POST /referrals/set-referrer': {
    /** The referred wallet. */
    readonly referred_wallet: Address
    /** Owner of the code that the wallet used. */
    readonly referrer_wallet: Address
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'POST /push/subscribe': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** The subscription. */
    readonly data: {
      /** Wallet of the account. */
      readonly wallet: Address
      /** URL of the push service, unique per wallet. */
      readonly endpoint: string
      /** Notification preferences, which all subscriptions of the wallet share. */
      readonly preferences: {
        /** True if the venue sends notifications of fills. */
        readonly fills: boolean
        /** True if the venue sends notifications of liquidation state changes. */
        readonly liquidations: boolean
        /** True if the venue sends notifications of settlements. */
        readonly settlements: boolean
      }
    }
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'POST /push/unsubscribe': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Removed subscriptions. */
    readonly data: {
      /** Wallet of the account. */
      readonly wallet: Address
      /** Number of removed subscriptions. */
      readonly removed: number
    }
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
  readonly 'POST /push/preferences': {
    /** Always true: the request succeeded. */
    readonly success: true
    /** Preferences of the wallet. */
    readonly data: {
      /** Wallet of the account. */
      readonly wallet: Address
      /** Notification preferences, which all subscriptions of the wallet share. */
      readonly preferences: {
        /** True if the venue sends notifications of fills. */
        readonly fills: boolean
        /** True if the venue sends notifications of liquidation state changes. */
        readonly liquidations: boolean
        /** True if the venue sends notifications of settlements. */
        readonly settlements: boolean
      }
    }
    /** Always null: the request succeeded. */
    readonly error: null
    /** Sequence of the latest event that the answer includes. */
    readonly as_of_seq: Sequence
  }
}

/** Messages of the stream by type. */
export type StreamMessages = {
  /** Reports the failure of a frame. The connection stays open. After `resume_unavailable` the subscription is live nevertheless: read missed messages over HTTP. */
  readonly Error: {
    readonly type: 'Error'
    /** Description for people; may change. */
    readonly message: string
    /** Stable code of the error. */
    readonly code: ErrorCode | ReasonCode
    /** Seconds until the rate-limit window ends. */
    readonly retry_after_secs?: number | undefined
    /** Requests that the window allows per minute. */
    readonly limit?: number | undefined
    /** Values of the error, by name; absent: none. */
    readonly details?: ReasonDetails | SignatureDetails | undefined
    /** Type of the frame; absent: the frame has none. */
    readonly request_type?: string | undefined
    /** Channel of the frame. */
    readonly channel?: string | undefined
    /** Id of the request in the frame. */
    readonly rfq_id?: string | undefined
    /** Client id in the frame. */
    readonly client_id?: string | undefined
    /** Nonce of the frame. */
    readonly nonce?: number | string | undefined
    /** Value of `from_seq` in the Subscribe that cannot resume. */
    readonly from_seq?: Sequence | undefined
    /** Sequence after which the live messages of that subscription begin. */
    readonly as_of_seq?: Sequence | undefined
  }
  /** Returns the time of the venue. */
  readonly ClockSynced: {
    readonly type: 'ClockSynced'
    /** Value of `nonce` in the frame. */
    readonly nonce: string
    /** Time of the venue, in Unix milliseconds. */
    readonly server_at: number
  }
  /** Confirms the wallet of the private channels. */
  readonly Authenticated: {
    readonly type: 'Authenticated'
    /** Wallet of the private channels. */
    readonly wallet: Address
    /** Expiry of the read session, in Unix milliseconds; absent: the frame has none. */
    readonly session_expires_ms?: number | undefined
  }
  /** Confirms a subscription. Follows each Subscribe and precedes the snapshot. A well-formed unknown symbol matches once the instrument is listed. */
  readonly Subscribed: {
    readonly type: 'Subscribed'
    /** Channel of the frame. */
    readonly channel: 'orderbook' | 'options_chain' | 'trades' | 'market_updates' | 'index_prices' | 'indicative_market_data' | 'order_updates' | 'fills' | 'liquidation' | 'rfq' | 'portfolio' | 'competition' | 'competition_engagement'
    /** First symbols of the filter that are not listed, as received; absent: all are listed. */
    readonly unknown_symbols?: readonly (string)[] | undefined
    /** Number of symbols that are not listed; absent: 0. */
    readonly unknown_symbol_count?: number | undefined
    /** Sequence after which live messages begin; absent: the frame did not request it. */
    readonly as_of_seq?: Sequence | undefined
  }
  /** Marks the end of a resume. The venue has sent all missed messages. Live messages follow. */
  readonly Resumed: {
    readonly type: 'Resumed'
    /** Channel of the frame. */
    readonly channel: 'orderbook' | 'options_chain' | 'trades' | 'market_updates' | 'index_prices' | 'indicative_market_data' | 'order_updates' | 'fills' | 'liquidation' | 'rfq' | 'portfolio' | 'competition' | 'competition_engagement'
    /** Value of `from_seq` in the Subscribe. */
    readonly from_seq: Sequence
    /** Sequence of the last missed event; live messages have later ones. */
    readonly as_of_seq: Sequence
  }
  /** Confirms the end of a subscription. */
  readonly Unsubscribed: {
    readonly type: 'Unsubscribed'
    /** Channel of the frame. */
    readonly channel: 'orderbook' | 'options_chain' | 'trades' | 'market_updates' | 'index_prices' | 'indicative_market_data' | 'order_updates' | 'fills' | 'liquidation' | 'rfq' | 'portfolio' | 'competition' | 'competition_engagement'
  }
  /** Returns the rate-limit windows of a wallet. */
  readonly RateLimits: {
    readonly type: 'RateLimits'
    /** Wallet of the account. */
    readonly wallet: Address
    /** Tier of the wallet. */
    readonly tier: 'default' | 'tier1' | 'tier2' | 'market_maker'
    /** Windows for signed writes of the wallet, one per category; the owner and all agents share them. */
    readonly windows: readonly ({
      /** Category of requests. */
      readonly category: 'OrderPlacement' | 'OrderCancellation' | 'ApiRequest'
      /** Requests per minute; -1: unlimited. */
      readonly limit: number
      /** Requests left in the current window; -1: unlimited. */
      readonly remaining: number
      /** End of the current window, in Unix seconds. */
      readonly reset: number
    })[]
    /** Window for reads of the wallet from this client address. */
    readonly reads: {
      /** Category of requests. */
      readonly category: 'OrderPlacement' | 'OrderCancellation' | 'ApiRequest'
      /** Requests per minute; -1: unlimited. */
      readonly limit: number
      /** Requests left in the current window; -1: unlimited. */
      readonly remaining: number
      /** End of the current window, in Unix seconds. */
      readonly reset: number
    }
    /** Sequence of the latest event that the message includes. */
    readonly as_of_seq: Sequence
  }
  /** Returns the result of an order, a replacement or a cancel. After a cancel it describes the canceled order; if that order is unknown, price and size are 0 and the side is `Buy`. Match it to its frame by `nonce`. */
  readonly OrderResult: {
    readonly type: 'OrderResult'
    /** Id of the order; for a replacement, the id of the new order; null: rejected. */
    readonly order_id: number | null
    /** Status after the first pass through auction and book, or `REJECTED`; see `x-states`. */
    readonly status: 'ACKED' | 'OPEN' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'REJECTED'
    /** Canonical symbol; empty: a cancel of an unknown order. */
    readonly symbol: string
    /** Side of the order. */
    readonly side: 'Buy' | 'Sell'
    /** Limit price in USD per contract, as received. */
    readonly price: string
    /** Contracts, as received. */
    readonly size: string
    /** Reason for the rejection or cancellation, for people; may change; absent: none. */
    readonly reason?: string | undefined
    /** Nonce of the frame. */
    readonly nonce: Nonce
    /** Client id of the order; null: none. */
    readonly client_id: string | null
    /** Contracts filled so far. */
    readonly filled_size: Decimal
    /** Stable code of the reason; null: none. */
    readonly reason_code: ReasonCode | null
    /** Values of the reason, by name; null: none. */
    readonly details: ReasonDetails | null
    /** True if a fill of the order triggered market-maker protection. */
    readonly mmp_triggered: boolean
    /** Sequence of the event. */
    readonly seq: Sequence
  }
  /** Returns the result of a CancelAll. */
  readonly CancelAllResult: {
    readonly type: 'CancelAllResult'
    /** Wallet of the orders. */
    readonly wallet: Address
    /** Scope of the request: `all`, an underlying or a symbol. */
    readonly scope: string
    /** Number of canceled orders, without requests for quote and quotes. */
    readonly canceled: number
    /** Nonce of the frame. */
    readonly nonce: Nonce
    /** Sequence of the event. */
    readonly seq: Sequence
  }
  /** Returns the timer after a SetDeadMan. */
  readonly DeadManResult: {
    readonly type: 'DeadManResult'
    /** Wallet of the timer. */
    readonly wallet: Address
    /** Timeout in milliseconds; 0: no timer. */
    readonly timeout_ms: number
    /** Time at which the timer fires unless the wallet signs an action, in Unix milliseconds; null: no timer. */
    readonly fires_at: number | null
    /** Nonce of the frame. */
    readonly nonce: Nonce
    /** Sequence of the event. */
    readonly seq: Sequence
  }
  /** Returns the result of a SetCancelOnDisconnect. A retry on another connection leaves the orders bound to the first connection. */
  readonly CancelOnDisconnectResult: {
    readonly type: 'CancelOnDisconnectResult'
    /** Wallet of the orders. */
    readonly wallet: Address
    /** Value of `enabled` in the frame. */
    readonly enabled: boolean
    /** True if the close of this connection cancels the orders. */
    readonly bound: boolean
    /** Nonce of the frame. */
    readonly nonce: Nonce
    /** Sequence of the event. */
    readonly seq: Sequence
  }
  /** Publishes the whole order book of an instrument after a change. Each message replaces all levels of its symbol. A snapshot has one message per matching book that has or had levels. After a gap, subscribe again. */
  readonly OrderbookUpdate: {
    readonly type: 'OrderbookUpdate'
    /** Canonical symbol of the instrument. */
    readonly symbol: string
    /** Always null: contracts are not tokens. */
    readonly option_token_address: null
    /** Bid levels as pairs of price in USD and size in contracts, highest price first. */
    readonly bids: readonly (readonly [Decimal, Decimal])[]
    /** Ask levels as pairs of price in USD and size in contracts, lowest price first. */
    readonly asks: readonly (readonly [Decimal, Decimal])[]
    /** Engine time of the latest change of the book, in Unix milliseconds. */
    readonly timestamp: number
    /** Sequence up to which the levels include every event of the book. */
    readonly seq: Sequence
    /** Always true: the message belongs to a snapshot; absent: a live message. */
    readonly snapshot?: true | undefined
    /** Sequence of the latest event that the snapshot includes; absent: a live message. */
    readonly as_of_seq?: Sequence | undefined
  }
  /** Publishes a changed row of the options chain, or the removal of an option. An `Upsert` replaces the row of its expiry and strike. A snapshot has one message per matching row. After a gap, subscribe again. */
  readonly OptionsChainUpdate: {
    readonly type: 'OptionsChainUpdate'
    /** Always `Upsert`: the row is new or has changed. */
    readonly action: 'Upsert'
    /** Name of the underlying. */
    readonly currency: string
    /** Expiry of the options, in Unix seconds. */
    readonly expiry: number
    /** Options of one strike. */
    readonly row: {
      /** Strike price in USD. */
      readonly strike: number
      /** Call of the strike; absent: not listed, or filtered out. */
      readonly call?: {
        /** Canonical symbol of the instrument. */
        readonly symbol: string
        /** Always null: contracts are not tokens. */
        readonly option_token_address: null
        /** Highest bid of the book and of the quote providers, in USD; null: none. */
        readonly bid_price_usd: number | null
        /** Implied volatility of that bid as a fraction; null: none. */
        readonly bid_iv: number | null
        /** Contracts at that bid; null: none. */
        readonly bid_size_contracts: number | null
        /** Underlying value at that bid, in USD; null: none. */
        readonly bid_size_usd_notional: number | null
        /** Lowest ask of the book and of the quote providers, in USD; null: none. */
        readonly ask_price_usd: number | null
        /** Implied volatility of that ask as a fraction; null: none. */
        readonly ask_iv: number | null
        /** Contracts at that ask; null: none. */
        readonly ask_size_contracts: number | null
        /** Underlying value at that ask, in USD; null: none. */
        readonly ask_size_usd_notional: number | null
        /** Source of that bid; only the book is firm; null: none. */
        readonly bid_source: 'book' | 'provider' | null
        /** Source of that ask; only the book is firm; null: none. */
        readonly ask_source: 'book' | 'provider' | null
        /** Mark price in USD; null: no mark. */
        readonly mark_price_usd: number | null
        /** Implied volatility of the mark as a fraction; null: no mark. */
        readonly mark_iv: number | null
        /** Open interest in contracts. */
        readonly open_interest: number
        /** Greeks of one contract; null: no mark. */
        readonly greeks_abs: {
          /** Change of the price per USD of the index. */
          readonly delta: number
          /** Change of delta per USD of the index. */
          readonly gamma: number
          /** Change of the price per day, in USD. */
          readonly theta: number
          /** Change of the price per percentage point of volatility, in USD. */
          readonly vega: number
        } | null
        /** Greeks of one contract in USD; null: no mark or no index. */
        readonly greeks_cash: {
          /** Change of the price when the index rises by 1 %, in USD. */
          readonly delta_1pct_usd: number
          /** Change of `delta_1pct_usd` when the index rises by 1 %, in USD. */
          readonly gamma_1pct_usd: number
          /** Change of the price per day, in USD. */
          readonly theta_1d_usd: number
          /** Change of the price per percentage point of volatility, in USD. */
          readonly vega_1vol_usd: number
        } | null
      } | undefined
      /** Put of the strike; absent: not listed, or filtered out. */
      readonly put?: {
        /** Canonical symbol of the instrument. */
        readonly symbol: string
        /** Always null: contracts are not tokens. */
        readonly option_token_address: null
        /** Highest bid of the book and of the quote providers, in USD; null: none. */
        readonly bid_price_usd: number | null
        /** Implied volatility of that bid as a fraction; null: none. */
        readonly bid_iv: number | null
        /** Contracts at that bid; null: none. */
        readonly bid_size_contracts: number | null
        /** Underlying value at that bid, in USD; null: none. */
        readonly bid_size_usd_notional: number | null
        /** Lowest ask of the book and of the quote providers, in USD; null: none. */
        readonly ask_price_usd: number | null
        /** Implied volatility of that ask as a fraction; null: none. */
        readonly ask_iv: number | null
        /** Contracts at that ask; null: none. */
        readonly ask_size_contracts: number | null
        /** Underlying value at that ask, in USD; null: none. */
        readonly ask_size_usd_notional: number | null
        /** Source of that bid; only the book is firm; null: none. */
        readonly bid_source: 'book' | 'provider' | null
        /** Source of that ask; only the book is firm; null: none. */
        readonly ask_source: 'book' | 'provider' | null
        /** Mark price in USD; null: no mark. */
        readonly mark_price_usd: number | null
        /** Implied volatility of the mark as a fraction; null: no mark. */
        readonly mark_iv: number | null
        /** Open interest in contracts. */
        readonly open_interest: number
        /** Greeks of one contract; null: no mark. */
        readonly greeks_abs: {
          /** Change of the price per USD of the index. */
          readonly delta: number
          /** Change of delta per USD of the index. */
          readonly gamma: number
          /** Change of the price per day, in USD. */
          readonly theta: number
          /** Change of the price per percentage point of volatility, in USD. */
          readonly vega: number
        } | null
        /** Greeks of one contract in USD; null: no mark or no index. */
        readonly greeks_cash: {
          /** Change of the price when the index rises by 1 %, in USD. */
          readonly delta_1pct_usd: number
          /** Change of `delta_1pct_usd` when the index rises by 1 %, in USD. */
          readonly gamma_1pct_usd: number
          /** Change of the price per day, in USD. */
          readonly theta_1d_usd: number
          /** Change of the price per percentage point of volatility, in USD. */
          readonly vega_1vol_usd: number
        } | null
      } | undefined
    }
    /** Engine time of the row, in Unix milliseconds. */
    readonly timestamp: number
    /** Sequence of the latest event of the channel. */
    readonly seq: Sequence
    /** Always true: the message belongs to a snapshot; absent: a live message. */
    readonly snapshot?: true | undefined
    /** Sequence of the latest event that the snapshot includes; absent: a live message. */
    readonly as_of_seq?: Sequence | undefined
  } | {
    readonly type: 'OptionsChainUpdate'
    /** Always `Remove`: the option expired or was delisted. */
    readonly action: 'Remove'
    /** Name of the underlying. */
    readonly currency: string
    /** Expiry of the options, in Unix seconds. */
    readonly expiry: number
    /** Strike price in USD. */
    readonly strike: number
    /** `call` or `put`. */
    readonly option_type: 'call' | 'put'
    /** Canonical symbol of the instrument. */
    readonly symbol: string
    /** Engine time of the removal, in Unix milliseconds. */
    readonly timestamp: number
    /** Sequence of the latest event of the channel. */
    readonly seq: Sequence
  }
  /** Publishes a trade. Each leg of a request for quote is a trade of its own. After a gap, resume with `from_seq`, or read GET /trades. */
  readonly Trade: {
    readonly type: 'Trade'
    /** Canonical symbol of the instrument. */
    readonly symbol: string
    /** Price in USD per contract. */
    readonly price: Decimal
    /** Contracts. */
    readonly size: Decimal
    /** Side of the taker, in lower case. */
    readonly side: 'buy' | 'sell'
    /** Id of the trade, common to both sides; ids rise with time. */
    readonly trade_id: number
    /** Engine time of the event, in Unix milliseconds. */
    readonly timestamp: number
    /** Sequence of the event. */
    readonly seq: Sequence
  }
  /** Publishes the listing, the expiry or the delisting of an instrument. After a gap, resume with `from_seq`, or read GET /instruments. */
  readonly MarketUpdate: {
    readonly type: 'MarketUpdate'
    /** Change: the instrument was listed, expired or delisted. */
    readonly action: 'Created' | 'Expired' | 'Deleted'
    /** Canonical symbol of the instrument. */
    readonly symbol: string
    /** Strike price in USD; 0 for a perp; absent if `action` is `Deleted`. */
    readonly strike?: number | Decimal | undefined
    /** True for a call, false for a put or a perp; absent if `action` is `Deleted`. */
    readonly is_call?: boolean | undefined
    /** Name of the underlying; absent if `action` is `Deleted`. */
    readonly underlying?: string | undefined
    /** Expiry, in Unix seconds; 0 for a perp; absent if `action` is `Deleted`. */
    readonly expiry?: number | undefined
    /** `perp` for a perp; absent: an option. */
    readonly instrument_type?: 'option' | 'perp' | undefined
    /** Engine time of the event, in Unix milliseconds. */
    readonly timestamp: number
    /** Sequence of the event. */
    readonly seq: Sequence
  }
  /** Publishes index prices after a change and at intervals. Each message has all underlyings of the subscriptions on the connection. */
  readonly IndexPriceUpdate: {
    readonly type: 'IndexPriceUpdate'
    /** Latest price of each subscribed underlying, sorted by name. */
    readonly prices: readonly ({
      /** Name of the underlying. */
      readonly underlying: string
      /** Index price in USD. */
      readonly price: Decimal
      /** Time of the observation, in Unix milliseconds. */
      readonly timestamp: number
    })[]
    /** Time of the oldest observation in the message, in Unix milliseconds. */
    readonly timestamp: number
    /** Sequence of the latest event that the message includes. */
    readonly seq: Sequence
    /** Always true: the message belongs to a snapshot; absent: a live message. */
    readonly snapshot?: true | undefined
    /** Sequence of the latest event that the snapshot includes; absent: a live message. */
    readonly as_of_seq?: Sequence | undefined
  }
  /** Publishes the indicative quotes of an instrument. Best bid and ask may come from different providers and may cross. Indicative quotes are not engine events and have no `seq`. A snapshot has one message per matching instrument with a quote. */
  readonly IndicativeMarketData: {
    readonly type: 'IndicativeMarketData'
    /** Canonical symbol of the instrument. */
    readonly instrument: string
    /** Highest indicative bid price in USD, as received; absent: no bid. */
    readonly best_bid?: Decimal | undefined
    /** Lowest indicative ask price in USD, as received; absent: no ask. */
    readonly best_ask?: Decimal | undefined
    /** Implied volatility of the best bid as a fraction; absent: none. */
    readonly bid_iv?: number | undefined
    /** Implied volatility of the best ask as a fraction; absent: none. */
    readonly ask_iv?: number | undefined
    /** Contracts of all providers at the best bid; absent: no bid. */
    readonly indicative_bid_size?: Decimal | undefined
    /** Contracts of all providers at the best ask; absent: no ask. */
    readonly indicative_ask_size?: Decimal | undefined
    /** Number of providers that quote the instrument; 0: no quote is left. */
    readonly num_providers: number
    /** Indicative quote of each provider. */
    readonly rfq_provider_quotes: readonly (ProviderQuote)[]
    /** Time of publication, in Unix milliseconds. */
    readonly published_at: number
    /** Time of receipt of the newest quote, in Unix milliseconds; the same as `published_at` if no quote is left. */
    readonly timestamp: number
    /** Always true: the message belongs to a snapshot; absent: a live message. */
    readonly snapshot?: true | undefined
    /** Sequence of the latest event that the snapshot includes; absent: a live message. */
    readonly as_of_seq?: Sequence | undefined
  }
  /** Publishes a change of an order. Sent once per engine step that changes the order, with the status after the step, and once per rejected order or cancel. After a gap, resume with `from_seq`, or read GET /orders. */
  readonly OrderUpdate: {
    readonly type: 'OrderUpdate'
    /** Id of the order; null: the order was rejected. */
    readonly order_id: number | null
    /** Terms of the order. */
    readonly request: {
      /** Limit price in USD per contract. */
      readonly price: string
      /** Contracts. */
      readonly size: string
      /** Canonical symbol of the instrument. */
      readonly symbol: string
      /** Side of the order. */
      readonly side: 'Buy' | 'Sell'
      /** Time in force. `gtc` rests until it is canceled. `ioc` cancels the part that does not trade on arrival. `fok` trades in full on arrival or not at all. Absent for an order that only adds liquidity. */
      readonly tif?: 'gtc' | 'ioc' | 'fok' | undefined
      /** True for a perp order that the venue rejects if it would trade on arrival; absent for any other order. */
      readonly add_liquidity_only?: true | undefined
    }
    /** Status of the order; see `x-states`. */
    readonly status: 'ACKED' | 'OPEN' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'REJECTED'
    /** Contracts filled so far. */
    readonly filled_size: Decimal
    /** Wallet of the order. */
    readonly wallet_address: Address
    /** Type of the instrument. */
    readonly instrument_type: 'option' | 'perp'
    /** Client id of the order; null: none. */
    readonly client_id: string | null
    /** Nonce of the rejected request; absent: not a rejection. */
    readonly nonce?: Nonce | undefined
    /** Reason for the rejection or cancellation, for people; may change; null: none. */
    readonly reason: string | null
    /** Stable code of the reason; null: none. */
    readonly reason_code: ReasonCode | null
    /** Values of the reason, by name; null: none. */
    readonly details: ReasonDetails | null
    /** True if a fill of the order triggered market-maker protection. */
    readonly mmp_triggered: boolean
    /** Engine time of the event, in Unix milliseconds. */
    readonly timestamp: number
    /** Sequence of the event. */
    readonly seq: Sequence
  }
  /** Publishes a fill of the wallet. After a gap, resume with `from_seq`, or read GET /fills. */
  readonly Fill: {
    readonly type: 'Fill'
    /** Id of the fill; each side of a trade has its own. */
    readonly fill_id: number
    /** Id of the trade, common to both sides; ids rise with time. */
    readonly trade_id: number
    /** Id of the order. Requests for quote and quotes are not orders: their fills carry 2^52 + `fill_id`, which no order uses. */
    readonly order_id: number
    /** Wallet of the fill. */
    readonly wallet_address: Address
    /** Canonical symbol. */
    readonly symbol: string
    /** Side of the wallet. */
    readonly side: 'Buy' | 'Sell'
    /** Price in USD per contract. */
    readonly price: Decimal
    /** Contracts. */
    readonly size: Decimal
    /** Fee in USD; negative: a rebate. */
    readonly fee: Decimal
    /** True if the wallet was the taker. */
    readonly is_taker: boolean
    /** Time of the fill, in Unix milliseconds. */
    readonly timestamp: number
    /** Builder that earned the builder fee; null: none. */
    readonly builder_code_address: Address | null
    /** Share of the fee that the builder earned, in USD; null: none. */
    readonly builder_code_fee: Decimal | null
    /** Type of the instrument. */
    readonly instrument_type: 'option' | 'perp'
    /** Origin of the fill. */
    readonly fill_source: FillSource
    /** Client id of the order; null: none. */
    readonly client_id: string | null
    /** Sequence of the event. */
    readonly seq: Sequence
  }
  /** Publishes the settlement of a position. After a gap, read GET /settlement-payouts. */
  readonly PositionExpired: {
    readonly type: 'PositionExpired'
    /** Wallet of the account. */
    readonly wallet_address: Address
    /** Canonical symbol of the expired option. */
    readonly symbol: string
    /** Contracts of the settled position; negative: short. */
    readonly position_size: Decimal
    /** Payoff of one contract in USD. */
    readonly settlement_price: Decimal
    /** Payoff of the position less `borne`, in USD; negative: paid by the wallet. */
    readonly settlement_value: Decimal
    /** Average entry price in USD per contract. */
    readonly settlement_entry_price: Decimal
    /** Cost of the position in USD; negative: premium received. */
    readonly cost_basis: Decimal
    /** `settlement_value` less `cost_basis`, in USD, before the fee. */
    readonly net_pnl: Decimal
    /** Settlement price of the underlying in USD. */
    readonly underlying_price: Decimal
    /** Settlement fee in USD; negative: a rebate. */
    readonly fee: Decimal
    /** Reduction of the payoff in USD because other wallets could not pay. */
    readonly borne: Decimal
    /** Engine time of the event, in Unix milliseconds. */
    readonly timestamp: number
    /** Sequence of the event. */
    readonly seq: Sequence
  }
  /** Publishes a change of the liquidation state or mode of the wallet. After a gap, resume with `from_seq`, or read GET /liquidation/status and GET /liquidation/history. */
  readonly LiquidationStateChange: {
    readonly type: 'LiquidationStateChange'
    /** Wallet of the account. */
    readonly wallet_address: Address
    /** Liquidation state before the change. */
    readonly previous_state: 'healthy' | 'pre_liquidation' | 'in_liquidation' | 'liquidated'
    /** Liquidation state after the change; equal to `previous_state` if only the mode changed. */
    readonly new_state: 'healthy' | 'pre_liquidation' | 'in_liquidation' | 'liquidated'
    /** True while the deadlines are paused: trading is halted, or the clock is in alarm. */
    readonly timers_stand: boolean
    /** `partial`: the venue reduces positions with orders; `full`: the account is in auction; null: neither. */
    readonly liquidation_mode: 'partial' | 'full' | null
    /** Margin model of the wallet. */
    readonly margin_mode: 'standard' | 'portfolio'
    /** Equity in USD: cash plus the value of all positions at the mark. */
    readonly equity: Decimal
    /** Required maintenance margin in USD. */
    readonly mm_required: Decimal
    /** Maintenance margin excess in USD: equity less the maintenance margin of the positions; negative: a shortfall. */
    readonly maintenance_margin: Decimal
    /** Maintenance margin shortfall in USD: maintenance margin less equity, at least 0. */
    readonly shortfall: Decimal
    /** State of the partial liquidation; null: none. */
    readonly partial_liquidation: PartialLiquidation | null
    /** State of the auction, including after it has cleared the account; null: none. */
    readonly full_liquidation: FullLiquidation | null
    /** Engine time of the event, in Unix milliseconds. */
    readonly timestamp: number
    /** Sequence of the event. */
    readonly seq: Sequence
  }
  /** Publishes positions, cash, margin or greeks of the wallet. A snapshot is `Initial`, then `MarginUpdate`. Each message has the state at the time of sending, so one message may include several changes. The venue sends `MarginUpdate` at most once per second and `GreeksUpdate` at most once per 5 seconds. After a gap, subscribe again. */
  readonly PortfolioUpdate: {
    readonly type: 'PortfolioUpdate'
    /** Always `Initial`: positions of a snapshot. */
    readonly kind: 'Initial'
    /** Open positions in order of listing. */
    readonly positions: readonly (Position)[]
    /** Engine time of the latest event that the message includes, in Unix milliseconds. */
    readonly timestamp: number
    /** Sequence of the latest event that the message includes. */
    readonly seq: Sequence
    /** Always true: the message belongs to a snapshot; absent: a live message. */
    readonly snapshot?: true | undefined
    /** Sequence of the latest event that the snapshot includes; absent: a live message. */
    readonly as_of_seq?: Sequence | undefined
  } | {
    readonly type: 'PortfolioUpdate'
    /** Always `PositionUpdate`: a position changed. */
    readonly kind: 'PositionUpdate'
    /** Position after the change; `amount` is 0 once it is closed. */
    readonly position: Position
    /** Engine time of the latest event that the message includes, in Unix milliseconds. */
    readonly timestamp: number
    /** Sequence of the latest event that the message includes. */
    readonly seq: Sequence
    /** Always true: the message belongs to a snapshot; absent: a live message. */
    readonly snapshot?: true | undefined
    /** Sequence of the latest event that the snapshot includes; absent: a live message. */
    readonly as_of_seq?: Sequence | undefined
  } | {
    readonly type: 'PortfolioUpdate'
    /** Always `BalanceUpdate`: cash changed. */
    readonly kind: 'BalanceUpdate'
    /** Initial margin of positions and open orders, in USD. */
    readonly total_margin_used: Decimal
    /** Cash in USD. */
    readonly cash: Decimal
    /** Equity in USD: cash plus the value of all positions at the mark. */
    readonly equity: Decimal
    /** Engine time of the latest event that the message includes, in Unix milliseconds. */
    readonly timestamp: number
    /** Sequence of the latest event that the message includes. */
    readonly seq: Sequence
    /** Always true: the message belongs to a snapshot; absent: a live message. */
    readonly snapshot?: true | undefined
    /** Sequence of the latest event that the snapshot includes; absent: a live message. */
    readonly as_of_seq?: Sequence | undefined
  } | {
    readonly type: 'PortfolioUpdate'
    /** Always `MarginUpdate`: margin changed, or margin of a snapshot. */
    readonly kind: 'MarginUpdate'
    /** Required margin by component. */
    readonly span_margin: SpanMargin
    /** Margin, and the equity in excess of it. */
    readonly margin_summary: MarginSummary
    /** Margin model of the wallet. */
    readonly margin_mode: 'standard' | 'portfolio'
    /** Initial margin of positions and open orders, in USD. */
    readonly total_margin_used: Decimal
    /** Equity less `total_margin_used`, in USD. */
    readonly available_balance: Decimal
    /** Engine time of the latest event that the message includes, in Unix milliseconds. */
    readonly timestamp: number
    /** Sequence of the latest event that the message includes. */
    readonly seq: Sequence
    /** Always true: the message belongs to a snapshot; absent: a live message. */
    readonly snapshot?: true | undefined
    /** Sequence of the latest event that the snapshot includes; absent: a live message. */
    readonly as_of_seq?: Sequence | undefined
  } | {
    readonly type: 'PortfolioUpdate'
    /** Always `GreeksUpdate`: greeks changed. */
    readonly kind: 'GreeksUpdate'
    /** Greeks of each position that has a mark. */
    readonly per_leg: readonly ({
      /** Canonical symbol of the instrument. */
      readonly symbol: string
      /** Size of the position in contracts; negative: short. */
      readonly quantity: Decimal
      /** Change of the value per USD of the index, in USD. */
      readonly delta: number
      /** Change of `delta` per USD of the index. */
      readonly gamma: number
      /** Change of the value per day, in USD. */
      readonly theta: number
      /** Change of the value per percentage point of volatility, in USD. */
      readonly vega: number
      /** Implied volatility of the mark as a fraction; 0: none, as for perps. */
      readonly iv: number
    })[]
    /** Totals over all positions that have a mark; null: no such position. */
    readonly aggregate: {
      /** Change of the value per USD of the index, in USD. */
      readonly delta: number
      /** Change of `delta` per USD of the index. */
      readonly gamma: number
      /** Change of the value per day, in USD. */
      readonly theta: number
      /** Change of the value per percentage point of volatility, in USD. */
      readonly vega: number
      /** Average implied volatility as a fraction, weighted by absolute vega; null: no vega. */
      readonly iv: number | null
    } | null
    /** Engine time of the latest event that the message includes, in Unix milliseconds. */
    readonly timestamp: number
    /** Sequence of the latest event that the message includes. */
    readonly seq: Sequence
    /** Always true: the message belongs to a snapshot; absent: a live message. */
    readonly snapshot?: true | undefined
    /** Sequence of the latest event that the snapshot includes; absent: a live message. */
    readonly as_of_seq?: Sequence | undefined
  }
  /** Publishes a change of the status of a request for quote. Also answers SubmitRfq and SubmitAutoExecuteRfq; their connection receives all messages of the request without a subscription. After a gap, resume with `from_seq`, or read GET /rfq/. */
  readonly RfqStatusUpdate: {
    readonly type: 'RfqStatusUpdate'
    /** Id of the request, chosen by the taker. */
    readonly rfq_id: string
    /** Status of the request; see `x-states`. */
    readonly status: 'created' | 'sent_to_qps' | 'quotes_received' | 'accepted' | 'executed' | 'no_quotes' | 'expired' | 'failed'
    /** Wallet of the taker. */
    readonly taker_wallet: Address
    /** Reason for a failure, for people; may change; null: none. */
    readonly reason?: string | null | undefined
    /** Stable code of the reason; null: none. */
    readonly reason_code?: ReasonCode | null | undefined
    /** Values of the reason, by name; null: none. */
    readonly details?: ReasonDetails | null | undefined
    /** Trade id of the first leg as text; absent: not executed. */
    readonly fill_id?: string | undefined
    /** Id of the limit order that the unfilled request fell back to; absent: none. */
    readonly fallback_order_id?: number | undefined
    /** Expiry of the request, in Unix milliseconds. */
    readonly expires_at?: number | undefined
    /** Engine time of the event, in Unix milliseconds. */
    readonly timestamp: number
    /** Sequence of the event. */
    readonly seq: Sequence
  }
  /** Publishes the live quotes of a request after a change. Each message replaces all quotes of its request. GET /rfq/ has the prices of the legs. */
  readonly RfqQuotes: {
    readonly type: 'RfqQuotes'
    /** Id of the request, chosen by the taker. */
    readonly rfq_id: string
    /** Live quotes, best for the taker first. */
    readonly quotes: readonly ({
      /** Id of the quote, assigned by the venue. */
      readonly quote_id: string
      /** Net premium in USD from the view of the taker: a buy leg adds -price x size, a sell leg +price x size. */
      readonly net_premium: Decimal
      /** Expiry of the quote, in Unix milliseconds. */
      readonly expires_at: number
    })[]
    /** Status of the request; see `x-states`. */
    readonly status: 'created' | 'sent_to_qps' | 'quotes_received' | 'accepted' | 'executed' | 'no_quotes' | 'expired' | 'failed'
    /** Wallet of the taker. */
    readonly taker_wallet: Address
    /** Sequence of the event. */
    readonly seq: Sequence
  }
  /** Publishes the result of an acceptance. Answers AcceptRfqQuote. The venue also sends it after an automatic execution. After `failed` the request may still have other quotes. */
  readonly RfqAcceptResult: {
    readonly type: 'RfqAcceptResult'
    /** Id of the request, chosen by the taker. */
    readonly rfq_id: string
    /** Id of the quote, assigned by the venue. */
    readonly quote_id: string
    /** Result of the acceptance. */
    readonly status: 'executed' | 'failed'
    /** Trade id of the first leg as text; null: failed. */
    readonly fill_id: string | null
    /** Reason for a failure, for people; may change; null: none. */
    readonly reason: string | null
    /** Stable code of the reason; null: none. */
    readonly reason_code: ReasonCode | null
    /** Values of the reason, by name; absent: none. */
    readonly details?: ReasonDetails | undefined
    /** Nonce of the AcceptRfqQuote; absent on other connections of the taker. */
    readonly nonce?: Nonce | undefined
    /** Sequence of the event. */
    readonly seq: Sequence
  }
  /** Publishes the rank and the metrics of the wallet after a change. Sent at most once per second and competition. */
  readonly CompetitionUpdate: {
    readonly type: 'CompetitionUpdate'
    /** Wallet of the account. */
    readonly wallet_address: Address
    /** Id of the competition. */
    readonly competition_id: number
    /** Rank by the primary metric among the wallets that traded, from 1. */
    readonly rank: number | null
    /** Realized profit less fees, in USD. */
    readonly pnl: Decimal
    /** Underlying value traded, in USD. */
    readonly volume: Decimal
    /** Profit divided by the largest initial margin after a fill; a margin below 1000 USD counts as 1000. */
    readonly efficiency: Decimal
    /** Engine time of the latest event that the message includes, in Unix milliseconds. */
    readonly timestamp: number
    /** Sequence of the latest event that the message includes. */
    readonly seq: Sequence
  }
  /** Publishes the standing of the wallet in the active competition. Serves as the snapshot of the channel. The venue also sends it when a competition begins or ends. */
  readonly CompetitionPnlSummary: {
    readonly type: 'CompetitionPnlSummary'
    /** Wallet of the account. */
    readonly wallet_address: Address
    /** Realized profit since the account was opened, before fees, in USD. */
    readonly lifetime_realized_pnl: Decimal
    /** Standing in the active competition; null: no competition is active. */
    readonly active_competition: CompetitionStanding | null
    /** Engine time of the latest event that the message includes, in Unix milliseconds. */
    readonly timestamp: number
    /** Sequence of the latest event that the message includes. */
    readonly seq: Sequence
    /** Always true: the message belongs to a snapshot; absent: a live message. */
    readonly snapshot?: true | undefined
    /** Sequence of the latest event that the snapshot includes; absent: a live message. */
    readonly as_of_seq?: Sequence | undefined
  }
  /** Publishes the final metrics of the wallet in an ended competition. */
  readonly CompetitionFinalStats: {
    readonly type: 'CompetitionFinalStats'
    /** Wallet of the account. */
    readonly wallet_address: Address
    /** Id of the competition. */
    readonly competition_id: number
    /** Rank by the primary metric among the wallets that traded, from 1. */
    readonly rank: number | null
    /** Realized profit less fees, in USD. */
    readonly pnl: Decimal
    /** Underlying value traded, in USD. */
    readonly volume: Decimal
    /** Profit divided by the largest initial margin after a fill; a margin below 1000 USD counts as 1000. */
    readonly efficiency: Decimal
    /** Medal by the primary metric: 1 for the first rank; null: the competition has not ended, or the rank is not among the first three. */
    readonly medal: number | null
    /** Engine time of the latest event that the message includes, in Unix milliseconds. */
    readonly timestamp: number
    /** Sequence of the latest event that the message includes. */
    readonly seq: Sequence
  }
  /** Publishes a change of the rank of the wallet. Sent at most once per second and competition. */
  readonly CompetitionRankChange: {
    readonly type: 'CompetitionRankChange'
    /** Wallet of the account. */
    readonly wallet_address: Address
    /** Id of the competition. */
    readonly competition_id: number
    /** Rank by the primary metric before the change, from 1. */
    readonly from_rank: number
    /** Rank by the primary metric now, from 1. */
    readonly to_rank: number
    /** `from_rank` less `to_rank`; positive: the wallet climbed. */
    readonly delta_places: number
    /** Realized profit less fees, in USD. */
    readonly pnl: Decimal
    /** Engine time of the latest event that the message includes, in Unix milliseconds. */
    readonly timestamp: number
    /** Sequence of the latest event that the message includes. */
    readonly seq: Sequence
  }
  /** Publishes the gap between the wallet and the next better rank after a change. Sent at most once per 5 seconds and competition. */
  readonly CompetitionGapUpdate: {
    readonly type: 'CompetitionGapUpdate'
    /** Wallet of the account. */
    readonly wallet_address: Address
    /** Id of the competition. */
    readonly competition_id: number
    /** Rank by the primary metric among the wallets that traded, from 1. */
    readonly rank: number
    /** Next better rank; null: the wallet leads. */
    readonly next_rank: number | null
    /** Gap to the next better rank in the primary metric; null: the wallet leads. */
    readonly gap_metric_value: Decimal | null
    /** Engine time of the latest event that the message includes, in Unix milliseconds. */
    readonly timestamp: number
    /** Sequence of the latest event that the message includes. */
    readonly seq: Sequence
  }
  /** Publishes the final rank of the wallet in an ended competition. */
  readonly CompetitionFinalStanding: {
    readonly type: 'CompetitionFinalStanding'
    /** Wallet of the account. */
    readonly wallet_address: Address
    /** Id of the competition. */
    readonly competition_id: number
    /** Rank by the primary metric among the wallets that traded, from 1. */
    readonly rank: number | null
    /** Realized profit less fees, in USD. */
    readonly pnl: Decimal
    /** Underlying value traded, in USD. */
    readonly volume: Decimal
    /** Profit divided by the largest initial margin after a fill; a margin below 1000 USD counts as 1000. */
    readonly efficiency: Decimal
    /** Medal by the primary metric: 1 for the first rank; null: the competition has not ended, or the rank is not among the first three. */
    readonly medal: number | null
    /** Engine time of the latest event that the message includes, in Unix milliseconds. */
    readonly timestamp: number
    /** Sequence of the latest event that the message includes. */
    readonly seq: Sequence
  }
}

/** Types of the messages of each channel. */
export const typesOfChannels = {
  orderbook: ['OrderbookUpdate'],
  options_chain: ['OptionsChainUpdate'],
  trades: ['Trade'],
  market_updates: ['MarketUpdate'],
  index_prices: ['IndexPriceUpdate'],
  indicative_market_data: ['IndicativeMarketData'],
  order_updates: ['OrderUpdate'],
  fills: ['Fill'],
  liquidation: ['LiquidationStateChange'],
  rfq: ['RfqStatusUpdate', 'RfqQuotes', 'RfqAcceptResult'],
  portfolio: ['PositionExpired', 'PortfolioUpdate'],
  competition: ['CompetitionUpdate', 'CompetitionPnlSummary', 'CompetitionFinalStats'],
  competition_engagement: ['CompetitionRankChange', 'CompetitionGapUpdate', 'CompetitionFinalStanding'],
} as const

/**
 * Shape of a JSON value. A text lists permitted kinds by letter: `s` text, `d` decimal text, `n` number, `i` integer,
 * `b` boolean, `0` null, `o` object, `*` anything; after `=` it is the permitted text itself. Fields whose names end in
 * `?` may be absent or null. A list starts with its meaning: `any` of several shapes, a `list` of one, a `pair`.
 */
export type Shape = string | readonly Shape[] | { readonly [field: string]: Shape }

/** Messages of the stream by type. */
export const streamShapes: Readonly<Record<string, Shape>> = {
  Error: {"type":"=Error","message":"s","code":"s","retry_after_secs?":"i","limit?":"i","details?":["any",{"cause?":"=naked_short","required?":"s","equity?":"s","shortfall?":"s","consumed_im?":"s","incremental_im?":"s","consumed_mm?":"s","incremental_mm?":"s","scenario?":["any","0",{"kind":"s","id":"s"}],"bound_by?":"s0","symbol?":"s","underlying?":"s","expiry?":"i","needed?":"s","available?":"s","long_position?":"s","working_sells?":"s","order_size?":"s","until?":["any","i0","=reset"],"lower?":"s","upper?":"s","used?":"s","bound?":"si","cost?":"s","cash?":"s","route?":"s","entry?":"i","amount?":"s","withdrawable?":"s","leg?":"i"},{"layout":"s","fields":"o","digest":"s","recovered_address":"s0","domain":{"name":"s","version":"s","chain_id":"s"},"is_wallet?":"b","matches_other_layout?":"s0"}],"request_type?":"s","channel?":"s","rfq_id?":"s","client_id?":"s","nonce?":"ns","from_seq?":"i","as_of_seq?":"i"},
  ClockSynced: {"type":"=ClockSynced","nonce":"s","server_at":"i"},
  Authenticated: {"type":"=Authenticated","wallet":"s","session_expires_ms?":"i"},
  Subscribed: {"type":"=Subscribed","channel":"s","unknown_symbols?":["list","s"],"unknown_symbol_count?":"i","as_of_seq?":"i"},
  Resumed: {"type":"=Resumed","channel":"s","from_seq":"i","as_of_seq":"i"},
  Unsubscribed: {"type":"=Unsubscribed","channel":"s"},
  RateLimits: {"type":"=RateLimits","wallet":"s","tier":"s","windows":["list",{"category":"s","limit":"i","remaining":"i","reset":"i"}],"reads":{"category":"s","limit":"i","remaining":"i","reset":"i"},"as_of_seq":"i"},
  OrderResult: {"type":"=OrderResult","order_id":"i0","status":"s","symbol":"s","side":"s","price":"s","size":"s","reason?":"s","nonce":"is","client_id":"s0","filled_size":"d","reason_code":"s0","details":["any","0",{"cause?":"=naked_short","required?":"s","equity?":"s","shortfall?":"s","consumed_im?":"s","incremental_im?":"s","consumed_mm?":"s","incremental_mm?":"s","scenario?":["any","0",{"kind":"s","id":"s"}],"bound_by?":"s0","symbol?":"s","underlying?":"s","expiry?":"i","needed?":"s","available?":"s","long_position?":"s","working_sells?":"s","order_size?":"s","until?":["any","i0","=reset"],"lower?":"s","upper?":"s","used?":"s","bound?":"si","cost?":"s","cash?":"s","route?":"s","entry?":"i","amount?":"s","withdrawable?":"s","leg?":"i"}],"mmp_triggered":"b","seq":"i"},
  CancelAllResult: {"type":"=CancelAllResult","wallet":"s","scope":"s","canceled":"i","nonce":"is","seq":"i"},
  DeadManResult: {"type":"=DeadManResult","wallet":"s","timeout_ms":"i","fires_at":"i0","nonce":"is","seq":"i"},
  CancelOnDisconnectResult: {"type":"=CancelOnDisconnectResult","wallet":"s","enabled":"b","bound":"b","nonce":"is","seq":"i"},
  OrderbookUpdate: {"type":"=OrderbookUpdate","symbol":"s","option_token_address":"0","bids":["list",["pair","d","d"]],"asks":["list",["pair","d","d"]],"timestamp":"i","seq":"i","snapshot?":"b","as_of_seq?":"i"},
  OptionsChainUpdate: ["any",{"type":"=OptionsChainUpdate","action":"=Upsert","currency":"s","expiry":"i","row":{"strike":"n","call?":{"symbol":"s","option_token_address":"0","bid_price_usd":"n0","bid_iv":"n0","bid_size_contracts":"n0","bid_size_usd_notional":"n0","ask_price_usd":"n0","ask_iv":"n0","ask_size_contracts":"n0","ask_size_usd_notional":"n0","bid_source":"s0","ask_source":"s0","mark_price_usd":"n0","mark_iv":"n0","open_interest":"n","greeks_abs":["any","0",{"delta":"n","gamma":"n","theta":"n","vega":"n"}],"greeks_cash":["any","0",{"delta_1pct_usd":"n","gamma_1pct_usd":"n","theta_1d_usd":"n","vega_1vol_usd":"n"}]},"put?":{"symbol":"s","option_token_address":"0","bid_price_usd":"n0","bid_iv":"n0","bid_size_contracts":"n0","bid_size_usd_notional":"n0","ask_price_usd":"n0","ask_iv":"n0","ask_size_contracts":"n0","ask_size_usd_notional":"n0","bid_source":"s0","ask_source":"s0","mark_price_usd":"n0","mark_iv":"n0","open_interest":"n","greeks_abs":["any","0",{"delta":"n","gamma":"n","theta":"n","vega":"n"}],"greeks_cash":["any","0",{"delta_1pct_usd":"n","gamma_1pct_usd":"n","theta_1d_usd":"n","vega_1vol_usd":"n"}]}},"timestamp":"i","seq":"i","snapshot?":"b","as_of_seq?":"i"},{"type":"=OptionsChainUpdate","action":"=Remove","currency":"s","expiry":"i","strike":"n","option_type":"s","symbol":"s","timestamp":"i","seq":"i"}],
  Trade: {"type":"=Trade","symbol":"s","price":"d","size":"d","side":"s","trade_id":"i","timestamp":"i","seq":"i"},
  MarketUpdate: {"type":"=MarketUpdate","action":"s","symbol":"s","strike?":"nd","is_call?":"b","underlying?":"s","expiry?":"i","instrument_type?":"s","timestamp":"i","seq":"i"},
  IndexPriceUpdate: {"type":"=IndexPriceUpdate","prices":["list",{"underlying":"s","price":"d","timestamp":"i"}],"timestamp":"i","seq":"i","snapshot?":"b","as_of_seq?":"i"},
  IndicativeMarketData: {"type":"=IndicativeMarketData","instrument":"s","best_bid?":"d","best_ask?":"d","bid_iv?":"n","ask_iv?":"n","indicative_bid_size?":"d","indicative_ask_size?":"d","num_providers":"i","rfq_provider_quotes":["list",{"wallet":"s","bid_price?":"d","ask_price?":"d","max_bid_size?":"d","max_ask_size?":"d","updated_at":"i"}],"published_at":"i","timestamp":"i","snapshot?":"b","as_of_seq?":"i"},
  OrderUpdate: {"type":"=OrderUpdate","order_id":"i0","request":{"price":"s","size":"s","symbol":"s","side":"s","tif?":"s","add_liquidity_only?":"b"},"status":"s","filled_size":"d","wallet_address":"s","instrument_type":"s","client_id":"s0","nonce?":"is","reason":"s0","reason_code":"s0","details":["any","0",{"cause?":"=naked_short","required?":"s","equity?":"s","shortfall?":"s","consumed_im?":"s","incremental_im?":"s","consumed_mm?":"s","incremental_mm?":"s","scenario?":["any","0",{"kind":"s","id":"s"}],"bound_by?":"s0","symbol?":"s","underlying?":"s","expiry?":"i","needed?":"s","available?":"s","long_position?":"s","working_sells?":"s","order_size?":"s","until?":["any","i0","=reset"],"lower?":"s","upper?":"s","used?":"s","bound?":"si","cost?":"s","cash?":"s","route?":"s","entry?":"i","amount?":"s","withdrawable?":"s","leg?":"i"}],"mmp_triggered":"b","timestamp":"i","seq":"i"},
  Fill: {"type":"=Fill","fill_id":"i","trade_id":"i","order_id":"i","wallet_address":"s","symbol":"s","side":"s","price":"d","size":"d","fee":"d","is_taker":"b","timestamp":"i","builder_code_address":"s0","builder_code_fee":"d0","instrument_type":"s","fill_source":{"type":"s","rfq_id?":"s","quote_id?":"s"},"client_id":"s0","seq":"i"},
  PositionExpired: {"type":"=PositionExpired","wallet_address":"s","symbol":"s","position_size":"d","settlement_price":"d","settlement_value":"d","settlement_entry_price":"d","cost_basis":"d","net_pnl":"d","underlying_price":"d","fee":"d","borne":"d","timestamp":"i","seq":"i"},
  LiquidationStateChange: {"type":"=LiquidationStateChange","wallet_address":"s","previous_state":"s","new_state":"s","timers_stand":"b","liquidation_mode":"s0","margin_mode":"s","equity":"d","mm_required":"d","maintenance_margin":"d","shortfall":"d","partial_liquidation":["any","0",{"entered_at":"i","target_equity":"d","mm_shortfall":"d","escalation_deadline":"i","last_reprice_at":"i0","active_order_request_ids":["list","s"],"active_order_client_ids":["list","s"],"bonus_bps":"i","pending_full_auction_id":"0","pending_full_request_id":"0","pending_full_tx_hash":"0","pending_full_margin_needed":"0"}],"full_liquidation":["any","0",{"auction_id":"s","request_id":"s","tx_hash":"0","started_at":"i","chain_start_time":"0","margin_needed":"d","stop_request_id":"0","stop_tx_hash":"0","liquidated_at":"i0","winner":"s0","bonus":"d0","resolution_tx_hash":"0","current_required_bid_usdc":"d0","current_equity":"d0","current_mm_required":"d0","current_maintenance_margin":"d0","current_positions":["list",{"symbol":"s","quantity":"d","entry_price":"d"}],"current_portfolio_hash":"s","current_auction_terms_hash":"s","current_auction_version":"i","current_valuation_timestamp_ms":"i"}],"timestamp":"i","seq":"i"},
  PortfolioUpdate: ["any",{"type":"=PortfolioUpdate","kind":"=Initial","positions":["list",{"wallet_address":"s","symbol":"s","amount":"d","entry_price":"d","margin_posted":"d","realized_pnl":"d","unrealized_pnl":"d","updated_at":"s","instrument_type":"s","notional_value":"d","maintenance_margin":"d","liquidation_price":"d","margin_ratio":"d"}],"timestamp":"i","seq":"i","snapshot?":"b","as_of_seq?":"i"},{"type":"=PortfolioUpdate","kind":"=PositionUpdate","position":{"wallet_address":"s","symbol":"s","amount":"d","entry_price":"d","margin_posted":"d","realized_pnl":"d","unrealized_pnl":"d","updated_at":"s","instrument_type":"s","notional_value":"d","maintenance_margin":"d","liquidation_price":"d","margin_ratio":"d"},"timestamp":"i","seq":"i","snapshot?":"b","as_of_seq?":"i"},{"type":"=PortfolioUpdate","kind":"=BalanceUpdate","total_margin_used":"d","cash":"d","equity":"d","timestamp":"i","seq":"i","snapshot?":"b","as_of_seq?":"i"},{"type":"=PortfolioUpdate","kind":"=MarginUpdate","span_margin":{"equity":"d","initial_margin_required":"d","maintenance_margin_required":"d","open_orders_initial_margin":"d","option_margin_required":"d","scanning_risk":"d","option_floor":"d","gamma_overlay":"d","hypercore_margin_required":"d"},"margin_summary":{"mode":"s","equity":"d","position_im":"d","open_orders_im":"d","initial_margin":"d","maintenance_margin":"d","open_orders_premium_reserved?":"d"},"margin_mode":"s","total_margin_used":"d","available_balance":"d","timestamp":"i","seq":"i","snapshot?":"b","as_of_seq?":"i"},{"type":"=PortfolioUpdate","kind":"=GreeksUpdate","per_leg":["list",{"symbol":"s","quantity":"d","delta":"n","gamma":"n","theta":"n","vega":"n","iv":"n"}],"aggregate":["any","0",{"delta":"n","gamma":"n","theta":"n","vega":"n","iv":"n0"}],"timestamp":"i","seq":"i","snapshot?":"b","as_of_seq?":"i"}],
  RfqStatusUpdate: {"type":"=RfqStatusUpdate","rfq_id":"s","status":"s","taker_wallet":"s","reason?":"s0","reason_code?":"s0","details?":["any","0",{"cause?":"=naked_short","required?":"s","equity?":"s","shortfall?":"s","consumed_im?":"s","incremental_im?":"s","consumed_mm?":"s","incremental_mm?":"s","scenario?":["any","0",{"kind":"s","id":"s"}],"bound_by?":"s0","symbol?":"s","underlying?":"s","expiry?":"i","needed?":"s","available?":"s","long_position?":"s","working_sells?":"s","order_size?":"s","until?":["any","i0","=reset"],"lower?":"s","upper?":"s","used?":"s","bound?":"si","cost?":"s","cash?":"s","route?":"s","entry?":"i","amount?":"s","withdrawable?":"s","leg?":"i"}],"fill_id?":"s","fallback_order_id?":"i","expires_at?":"i","timestamp":"i","seq":"i"},
  RfqQuotes: {"type":"=RfqQuotes","rfq_id":"s","quotes":["list",{"quote_id":"s","net_premium":"d","expires_at":"i"}],"status":"s","taker_wallet":"s","seq":"i"},
  RfqAcceptResult: {"type":"=RfqAcceptResult","rfq_id":"s","quote_id":"s","status":"s","fill_id":"s0","reason":"s0","reason_code":"s0","details?":{"cause?":"=naked_short","required?":"s","equity?":"s","shortfall?":"s","consumed_im?":"s","incremental_im?":"s","consumed_mm?":"s","incremental_mm?":"s","scenario?":["any","0",{"kind":"s","id":"s"}],"bound_by?":"s0","symbol?":"s","underlying?":"s","expiry?":"i","needed?":"s","available?":"s","long_position?":"s","working_sells?":"s","order_size?":"s","until?":["any","i0","=reset"],"lower?":"s","upper?":"s","used?":"s","bound?":"si","cost?":"s","cash?":"s","route?":"s","entry?":"i","amount?":"s","withdrawable?":"s","leg?":"i"},"nonce?":"is","seq":"i"},
  CompetitionUpdate: {"type":"=CompetitionUpdate","wallet_address":"s","competition_id":"i","rank":"i0","pnl":"d","volume":"d","efficiency":"d","timestamp":"i","seq":"i"},
  CompetitionPnlSummary: {"type":"=CompetitionPnlSummary","wallet_address":"s","lifetime_realized_pnl":"d","active_competition":["any","0",{"competition_id":"i","competition_name":"s","competition_state":"s","rank":"i0","pnl":"d","volume":"d","efficiency":"d","medal":"i0"}],"timestamp":"i","seq":"i","snapshot?":"b","as_of_seq?":"i"},
  CompetitionFinalStats: {"type":"=CompetitionFinalStats","wallet_address":"s","competition_id":"i","rank":"i0","pnl":"d","volume":"d","efficiency":"d","medal":"i0","timestamp":"i","seq":"i"},
  CompetitionRankChange: {"type":"=CompetitionRankChange","wallet_address":"s","competition_id":"i","from_rank":"i","to_rank":"i","delta_places":"i","pnl":"d","timestamp":"i","seq":"i"},
  CompetitionGapUpdate: {"type":"=CompetitionGapUpdate","wallet_address":"s","competition_id":"i","rank":"i","next_rank":"i0","gap_metric_value":"d0","timestamp":"i","seq":"i"},
  CompetitionFinalStanding: {"type":"=CompetitionFinalStanding","wallet_address":"s","competition_id":"i","rank":"i0","pnl":"d","volume":"d","efficiency":"d","medal":"i0","timestamp":"i","seq":"i"},
}

/** Messages to quote providers by type. */
export const providerShapes: Readonly<Record<string, Shape>> = {
  authenticated: {"type":"=authenticated","wallet":"s","capabilities":["list","s"]},
  auth_failed: {"type":"=auth_failed","reason":"s"},
  error: {"type":"=error","message":"s","code":"s","rows?":["list",{"instrument":"s","reason":"s"}],"rfq_id?":"s"},
  rfq_request: {"type":"=rfq_request","rfq_id":"s","legs":["list",{"instrument":"s","side":"s","size":"d"}],"taker_wallet":"s","request_timestamp":"i","response_deadline_ms":"i","auto_accept_limit?":"d","auto_execute":"b","taker_limit_price?":"d","reference_price?":"d","min_improvement_tick?":"d","auction_deadline_ms?":"i","requires_price_improvement":"b"},
  qp_margin_rejection: {"type":"=qp_margin_rejection","rfq_id":"s","quote_id":"s","reason":"s0"},
  rfq_already_filled: {"type":"=rfq_already_filled","rfq_id":"s","filled_by_quote_id":"s"},
}

/** Structs that clients sign, by name. */
export const structs = {"PlaceOrder":{"primaryType":"PlaceOrder","fields":[{"name":"wallet","type":"address"},{"name":"symbol","type":"string"},{"name":"side","type":"string"},{"name":"size","type":"string"},{"name":"price","type":"string"},{"name":"tif","type":"string"},{"name":"route","type":"string"},{"name":"clientId","type":"string"},{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"PlaceOrder(address wallet,string symbol,string side,string size,string price,string tif,string route,string clientId,uint64 nonce)"},"PlaceOrderWithoutRoute":{"primaryType":"PlaceOrder","fields":[{"name":"wallet","type":"address"},{"name":"symbol","type":"string"},{"name":"side","type":"string"},{"name":"size","type":"string"},{"name":"price","type":"string"},{"name":"tif","type":"string"},{"name":"clientId","type":"string"},{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"PlaceOrder(address wallet,string symbol,string side,string size,string price,string tif,string clientId,uint64 nonce)"},"PlaceOrderReduceOnly":{"primaryType":"PlaceOrderReduceOnly","fields":[{"name":"wallet","type":"address"},{"name":"symbol","type":"string"},{"name":"side","type":"string"},{"name":"size","type":"string"},{"name":"price","type":"string"},{"name":"tif","type":"string"},{"name":"route","type":"string"},{"name":"clientId","type":"string"},{"name":"reduceOnly","type":"bool"},{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"PlaceOrderReduceOnly(address wallet,string symbol,string side,string size,string price,string tif,string route,string clientId,bool reduceOnly,uint64 nonce)"},"ReplaceOrder":{"primaryType":"ReplaceOrder","fields":[{"name":"wallet","type":"address"},{"name":"orderId","type":"string"},{"name":"symbol","type":"string"},{"name":"side","type":"string"},{"name":"size","type":"string"},{"name":"price","type":"string"},{"name":"tif","type":"string"},{"name":"clientId","type":"string"},{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"ReplaceOrder(address wallet,string orderId,string symbol,string side,string size,string price,string tif,string clientId,uint64 nonce)"},"ReplaceOrderReduceOnly":{"primaryType":"ReplaceOrderReduceOnly","fields":[{"name":"wallet","type":"address"},{"name":"orderId","type":"string"},{"name":"symbol","type":"string"},{"name":"side","type":"string"},{"name":"size","type":"string"},{"name":"price","type":"string"},{"name":"tif","type":"string"},{"name":"clientId","type":"string"},{"name":"reduceOnly","type":"bool"},{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"ReplaceOrderReduceOnly(address wallet,string orderId,string symbol,string side,string size,string price,string tif,string clientId,bool reduceOnly,uint64 nonce)"},"CancelOrder":{"primaryType":"CancelOrder","fields":[{"name":"wallet","type":"address"},{"name":"orderId","type":"string"},{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"CancelOrder(address wallet,string orderId,uint64 nonce)"},"CancelOrderByClientId":{"primaryType":"CancelOrderByClientId","fields":[{"name":"wallet","type":"address"},{"name":"clientId","type":"string"},{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"CancelOrderByClientId(address wallet,string clientId,uint64 nonce)"},"SetMarginMode":{"primaryType":"SetMarginMode","fields":[{"name":"wallet","type":"address"},{"name":"marginMode","type":"string"},{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"SetMarginMode(address wallet,string marginMode,uint64 nonce)"},"SetSelfTradePrevention":{"primaryType":"SetSelfTradePrevention","fields":[{"name":"wallet","type":"address"},{"name":"mode","type":"string"},{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"SetSelfTradePrevention(address wallet,string mode,uint64 nonce)"},"CancelAll":{"primaryType":"CancelAll","fields":[{"name":"wallet","type":"address"},{"name":"scope","type":"string"},{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"CancelAll(address wallet,string scope,uint64 nonce)"},"SetDeadMan":{"primaryType":"SetDeadMan","fields":[{"name":"wallet","type":"address"},{"name":"timeoutMs","type":"uint64"},{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"SetDeadMan(address wallet,uint64 timeoutMs,uint64 nonce)"},"SetUserTier":{"primaryType":"SetUserTier","fields":[{"name":"wallet","type":"address"},{"name":"tier","type":"string"},{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"SetUserTier(address wallet,string tier,uint64 nonce)"},"SetMmpConfig":{"primaryType":"SetMmpConfig","fields":[{"name":"wallet","type":"address"},{"name":"currency","type":"string"},{"name":"intervalMs","type":"uint64"},{"name":"frozenTimeMs","type":"uint64"},{"name":"qtyLimit","type":"string"},{"name":"deltaLimit","type":"string"},{"name":"vegaLimit","type":"string"},{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"SetMmpConfig(address wallet,string currency,uint64 intervalMs,uint64 frozenTimeMs,string qtyLimit,string deltaLimit,string vegaLimit,uint64 nonce)"},"DeleteMmpConfig":{"primaryType":"DeleteMmpConfig","fields":[{"name":"wallet","type":"address"},{"name":"currency","type":"string"},{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"DeleteMmpConfig(address wallet,string currency,uint64 nonce)"},"ResetMmp":{"primaryType":"ResetMmp","fields":[{"name":"wallet","type":"address"},{"name":"currency","type":"string"},{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"ResetMmp(address wallet,string currency,uint64 nonce)"},"ApproveAgent":{"primaryType":"ApproveAgent","fields":[{"name":"agent","type":"address"},{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"ApproveAgent(address agent,uint64 nonce)"},"RevokeAgent":{"primaryType":"RevokeAgent","fields":[{"name":"agent","type":"address"},{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"RevokeAgent(address agent,uint64 nonce)"},"RevokeAllAgents":{"primaryType":"RevokeAllAgents","fields":[{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"RevokeAllAgents(uint64 nonce)"},"SubmitUsernameRequest":{"primaryType":"SubmitUsernameRequest","fields":[{"name":"wallet","type":"address"},{"name":"requestedUsername","type":"string"},{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"SubmitUsernameRequest(address wallet,string requestedUsername,uint64 nonce)"},"SetSettlementPayoutSeen":{"primaryType":"SetSettlementPayoutSeen","fields":[{"name":"wallet","type":"address"},{"name":"payoutIds","type":"string"},{"name":"seen","type":"bool"},{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"SetSettlementPayoutSeen(address wallet,string payoutIds,bool seen,uint64 nonce)"},"CreateReferralCode":{"primaryType":"CreateReferralCode","fields":[{"name":"wallet","type":"address"},{"name":"code","type":"string"},{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"CreateReferralCode(address wallet,string code,uint64 nonce)"},"SetReferrer":{"primaryType":"SetReferrer","fields":[{"name":"wallet","type":"address"},{"name":"referrer","type":"address"},{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"SetReferrer(address wallet,address referrer,uint64 nonce)"},"WithdrawUsdc":{"primaryType":"WithdrawUsdc","fields":[{"name":"wallet","type":"address"},{"name":"account","type":"address"},{"name":"destination","type":"address"},{"name":"amount","type":"string"},{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"WithdrawUsdc(address wallet,address account,address destination,string amount,uint64 nonce)"},"StandardMarginLiquidationOrder":{"primaryType":"StandardMarginLiquidationOrder","fields":[{"name":"wallet","type":"address"},{"name":"liquidatedWallet","type":"address"},{"name":"requestId","type":"string"},{"name":"auctionId","type":"string"},{"name":"bidUsdc","type":"string"},{"name":"portfolioHash","type":"string"},{"name":"auctionTermsHash","type":"string"},{"name":"bidIntentHash","type":"string"},{"name":"auctionVersion","type":"uint64"},{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"StandardMarginLiquidationOrder(address wallet,address liquidatedWallet,string requestId,string auctionId,string bidUsdc,string portfolioHash,string auctionTermsHash,string bidIntentHash,uint64 auctionVersion,uint64 nonce)"},"SetCancelOnDisconnect":{"primaryType":"SetCancelOnDisconnect","fields":[{"name":"wallet","type":"address"},{"name":"enabled","type":"bool"},{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"SetCancelOnDisconnect(address wallet,bool enabled,uint64 nonce)"},"SubmitRFQ":{"primaryType":"SubmitRFQ","fields":[{"name":"rfqId","type":"bytes32"},{"name":"legsHash","type":"bytes32"},{"name":"wallet","type":"address"},{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"SubmitRFQ(bytes32 rfqId,bytes32 legsHash,address wallet,uint64 nonce)"},"SubmitAutoExecuteRfq":{"primaryType":"SubmitAutoExecuteRfq","fields":[{"name":"rfqId","type":"bytes32"},{"name":"legsHash","type":"bytes32"},{"name":"limitPrice","type":"int256"},{"name":"wallet","type":"address"},{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"SubmitAutoExecuteRfq(bytes32 rfqId,bytes32 legsHash,int256 limitPrice,address wallet,uint64 nonce)"},"AcceptRFQQuote":{"primaryType":"AcceptRFQQuote","fields":[{"name":"rfqId","type":"bytes32"},{"name":"quoteId","type":"bytes32"},{"name":"netPremium","type":"int256"},{"name":"wallet","type":"address"},{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"AcceptRFQQuote(bytes32 rfqId,bytes32 quoteId,int256 netPremium,address wallet,uint64 nonce)"},"SubmitRFQResponse":{"primaryType":"SubmitRFQResponse","fields":[{"name":"rfqId","type":"bytes32"},{"name":"legsHash","type":"bytes32"},{"name":"netPremium","type":"int256"},{"name":"validForMs","type":"uint256"},{"name":"qpWallet","type":"address"},{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"SubmitRFQResponse(bytes32 rfqId,bytes32 legsHash,int256 netPremium,uint256 validForMs,address qpWallet,uint64 nonce)"},"ConnectQuoteProvider":{"primaryType":"ConnectQuoteProvider","fields":[{"name":"wallet","type":"address"},{"name":"timestamp","type":"uint256"},{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"ConnectQuoteProvider(address wallet,uint256 timestamp,uint64 nonce)"},"ReadSession":{"primaryType":"ReadSession","fields":[{"name":"wallet","type":"address"},{"name":"expiresAt","type":"uint64"}],"nested":{},"encodeType":"ReadSession(address wallet,uint64 expiresAt)"},"PushAction":{"primaryType":"PushAction","fields":[{"name":"wallet","type":"address"},{"name":"action","type":"string"},{"name":"nonce","type":"uint64"}],"nested":{},"encodeType":"PushAction(address wallet,string action,uint64 nonce)"},"Agent":{"primaryType":"Agent","fields":[{"name":"source","type":"string"},{"name":"connectionId","type":"bytes32"}],"nested":{},"encodeType":"Agent(string source,bytes32 connectionId)"},"HLOrder":{"primaryType":"HLOrder","fields":[{"name":"account","type":"address"},{"name":"nonce","type":"uint64"},{"name":"action","type":"LimitOrder"}],"nested":{"LimitOrder":[{"name":"asset","type":"uint32"},{"name":"isBuy","type":"bool"},{"name":"limitPx","type":"uint64"},{"name":"sz","type":"uint64"},{"name":"reduceOnly","type":"bool"},{"name":"encodedTif","type":"uint8"},{"name":"cloid","type":"uint128"}]},"encodeType":"HLOrder(address account,uint64 nonce,LimitOrder action)LimitOrder(uint32 asset,bool isBuy,uint64 limitPx,uint64 sz,bool reduceOnly,uint8 encodedTif,uint128 cloid)"},"HLCancel":{"primaryType":"HLCancel","fields":[{"name":"account","type":"address"},{"name":"nonce","type":"uint64"},{"name":"action","type":"CancelOrderByOid"}],"nested":{"CancelOrderByOid":[{"name":"asset","type":"uint32"},{"name":"oid","type":"uint64"}]},"encodeType":"HLCancel(address account,uint64 nonce,CancelOrderByOid action)CancelOrderByOid(uint32 asset,uint64 oid)"},"HLCancelByCloid":{"primaryType":"HLCancelByCloid","fields":[{"name":"account","type":"address"},{"name":"nonce","type":"uint64"},{"name":"action","type":"CancelOrderByCloid"}],"nested":{"CancelOrderByCloid":[{"name":"asset","type":"uint32"},{"name":"cloid","type":"uint128"}]},"encodeType":"HLCancelByCloid(address account,uint64 nonce,CancelOrderByCloid action)CancelOrderByCloid(uint32 asset,uint128 cloid)"},"HLSetAbstraction":{"primaryType":"HLSetAbstraction","fields":[{"name":"account","type":"address"},{"name":"nonce","type":"uint64"},{"name":"action","type":"SetAbstraction"}],"nested":{"SetAbstraction":[{"name":"user","type":"address"},{"name":"abstraction","type":"uint8"}]},"encodeType":"HLSetAbstraction(address account,uint64 nonce,SetAbstraction action)SetAbstraction(address user,uint8 abstraction)"},"HCUpdateApiWallet":{"primaryType":"HCUpdateApiWallet","fields":[{"name":"account","type":"address"},{"name":"nonce","type":"uint64"},{"name":"action","type":"UpdateApiWallet"}],"nested":{"UpdateApiWallet":[{"name":"name","type":"bytes32"},{"name":"addr","type":"address"}]},"encodeType":"HCUpdateApiWallet(address account,uint64 nonce,UpdateApiWallet action)UpdateApiWallet(bytes32 name,address addr)"},"HCPerpTriggerOrder":{"primaryType":"HCPerpTriggerOrder","fields":[{"name":"account","type":"address"},{"name":"nonce","type":"uint64"},{"name":"order","type":"PerpOrderTerms"}],"nested":{"PerpOrderTerms":[{"name":"asset","type":"uint32"},{"name":"isBuy","type":"bool"},{"name":"limitPx","type":"uint64"},{"name":"sz","type":"uint64"},{"name":"reduceOnly","type":"bool"},{"name":"encodedTif","type":"uint8"},{"name":"triggerPx","type":"uint64"},{"name":"isMarket","type":"bool"},{"name":"tpsl","type":"uint8"},{"name":"cloid","type":"uint128"}]},"encodeType":"HCPerpTriggerOrder(address account,uint64 nonce,PerpOrderTerms order)PerpOrderTerms(uint32 asset,bool isBuy,uint64 limitPx,uint64 sz,bool reduceOnly,uint8 encodedTif,uint64 triggerPx,bool isMarket,uint8 tpsl,uint128 cloid)"},"HCPerpOrderBatch":{"primaryType":"HCPerpOrderBatch","fields":[{"name":"account","type":"address"},{"name":"nonce","type":"uint64"},{"name":"grouping","type":"uint8"},{"name":"orders","type":"PerpOrderTerms[]"}],"nested":{"PerpOrderTerms":[{"name":"asset","type":"uint32"},{"name":"isBuy","type":"bool"},{"name":"limitPx","type":"uint64"},{"name":"sz","type":"uint64"},{"name":"reduceOnly","type":"bool"},{"name":"encodedTif","type":"uint8"},{"name":"triggerPx","type":"uint64"},{"name":"isMarket","type":"bool"},{"name":"tpsl","type":"uint8"},{"name":"cloid","type":"uint128"}]},"encodeType":"HCPerpOrderBatch(address account,uint64 nonce,uint8 grouping,PerpOrderTerms[] orders)PerpOrderTerms(uint32 asset,bool isBuy,uint64 limitPx,uint64 sz,bool reduceOnly,uint8 encodedTif,uint64 triggerPx,bool isMarket,uint8 tpsl,uint128 cloid)"},"HCPerpLeverageChange":{"primaryType":"HCPerpLeverageChange","fields":[{"name":"account","type":"address"},{"name":"nonce","type":"uint64"},{"name":"action","type":"PerpLeverageChange"}],"nested":{"PerpLeverageChange":[{"name":"asset","type":"uint32"},{"name":"isCross","type":"bool"},{"name":"leverage","type":"uint32"}]},"encodeType":"HCPerpLeverageChange(address account,uint64 nonce,PerpLeverageChange action)PerpLeverageChange(uint32 asset,bool isCross,uint32 leverage)"},"HLAddApiWallet":{"primaryType":"HLAddApiWallet","fields":[{"name":"account","type":"address"},{"name":"nonce","type":"uint64"},{"name":"action","type":"AddApiWallet"}],"nested":{"AddApiWallet":[{"name":"apiWalletAddress","type":"address"},{"name":"apiWalletName","type":"string"}]},"encodeType":"HLAddApiWallet(address account,uint64 nonce,AddApiWallet action)AddApiWallet(address apiWalletAddress,string apiWalletName)"}} satisfies Readonly<Record<string, StructType>>

/** The part of a signed write that a client needs. */
export interface SignedWrite {
  /** Name of an account action; null: another write. */
  readonly action: string | null
  /** Name of the list in a bulk; null: not a bulk. */
  readonly list: string | null
  /** True if the answer has its content in `data`. */
  readonly hasData: boolean
  /** A signature covers one of them. */
  readonly structs: readonly StructType[]
  readonly body: SignedShape
}

/** Signed writes by method and path, and by type where only the stream has them. */
export const signedWrites = {
  'POST /order': { action: null, list: null, hasData: false, structs: [structs.PlaceOrder, structs.PlaceOrderWithoutRoute, structs.PlaceOrderReduceOnly], body: {"wallet":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"symbol":{"kind":"text","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"side":{"kind":"choice","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"size":{"kind":"size","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"price":{"kind":"price","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"tif":{"kind":"choice","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"route":{"kind":"choice","isOptional":true,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"client_id":{"kind":"clientId","isOptional":true,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"builder_code_address":{"kind":"builder","isOptional":true,"signedType":null,"signedName":null,"signedAbsent":"","isSignedAsSent":false},"reduce_only":{"kind":"boolean","isOptional":true,"signedType":"bool","signedName":null,"signedAbsent":"","isSignedAsSent":false},"mmp_enabled":{"kind":"boolean","isOptional":true,"signedType":null,"signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
  'PUT /order': { action: null, list: null, hasData: false, structs: [structs.ReplaceOrder, structs.ReplaceOrderReduceOnly], body: {"wallet":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"order_id":{"kind":"orderId","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"symbol":{"kind":"text","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"side":{"kind":"choice","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"size":{"kind":"size","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"price":{"kind":"price","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"tif":{"kind":"choice","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"client_id":{"kind":"clientId","isOptional":true,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"builder_code_address":{"kind":"builder","isOptional":true,"signedType":null,"signedName":null,"signedAbsent":"","isSignedAsSent":false},"reduce_only":{"kind":"boolean","isOptional":true,"signedType":"bool","signedName":null,"signedAbsent":"","isSignedAsSent":false},"mmp_enabled":{"kind":"boolean","isOptional":true,"signedType":null,"signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
  'DELETE /order': { action: null, list: null, hasData: false, structs: [structs.CancelOrder, structs.CancelOrderByClientId], body: {"wallet":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"order_id":{"kind":"orderId","isOptional":true,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"client_id":{"kind":"clientId","isOptional":true,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
  'DELETE /order_cloid': { action: null, list: null, hasData: true, structs: [structs.CancelOrderByClientId], body: {"wallet":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"client_id":{"kind":"clientId","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
  'POST /order/debug': { action: null, list: null, hasData: false, structs: [structs.PlaceOrder, structs.PlaceOrderWithoutRoute, structs.PlaceOrderReduceOnly], body: {"wallet":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"symbol":{"kind":"text","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"side":{"kind":"choice","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"size":{"kind":"size","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"price":{"kind":"price","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"tif":{"kind":"choice","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"route":{"kind":"choice","isOptional":true,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"client_id":{"kind":"clientId","isOptional":true,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"builder_code_address":{"kind":"builder","isOptional":true,"signedType":null,"signedName":null,"signedAbsent":"","isSignedAsSent":false},"reduce_only":{"kind":"boolean","isOptional":true,"signedType":"bool","signedName":null,"signedAbsent":"","isSignedAsSent":false},"mmp_enabled":{"kind":"boolean","isOptional":true,"signedType":null,"signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
  'POST /bulk_order': { action: null, list: 'orders', hasData: false, structs: [structs.PlaceOrder, structs.PlaceOrderWithoutRoute, structs.PlaceOrderReduceOnly], body: {"wallet":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"symbol":{"kind":"text","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"side":{"kind":"choice","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"size":{"kind":"size","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"price":{"kind":"price","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"tif":{"kind":"choice","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"route":{"kind":"choice","isOptional":true,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"client_id":{"kind":"clientId","isOptional":true,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"builder_code_address":{"kind":"builder","isOptional":true,"signedType":null,"signedName":null,"signedAbsent":"","isSignedAsSent":false},"reduce_only":{"kind":"boolean","isOptional":true,"signedType":"bool","signedName":null,"signedAbsent":"","isSignedAsSent":false},"mmp_enabled":{"kind":"boolean","isOptional":true,"signedType":null,"signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
  'PUT /bulk_order': { action: null, list: 'replacements', hasData: false, structs: [structs.ReplaceOrder, structs.ReplaceOrderReduceOnly], body: {"wallet":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"order_id":{"kind":"orderId","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"symbol":{"kind":"text","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"side":{"kind":"choice","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"size":{"kind":"size","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"price":{"kind":"price","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"tif":{"kind":"choice","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"client_id":{"kind":"clientId","isOptional":true,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"builder_code_address":{"kind":"builder","isOptional":true,"signedType":null,"signedName":null,"signedAbsent":"","isSignedAsSent":false},"reduce_only":{"kind":"boolean","isOptional":true,"signedType":"bool","signedName":null,"signedAbsent":"","isSignedAsSent":false},"mmp_enabled":{"kind":"boolean","isOptional":true,"signedType":null,"signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
  'DELETE /bulk_order': { action: null, list: 'cancels', hasData: false, structs: [structs.CancelOrder, structs.CancelOrderByClientId], body: {"wallet":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"order_id":{"kind":"orderId","isOptional":true,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"client_id":{"kind":"clientId","isOptional":true,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
  'DELETE /bulk_order_cloid': { action: null, list: 'cancels', hasData: false, structs: [structs.CancelOrder, structs.CancelOrderByClientId], body: {"wallet":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"order_id":{"kind":"orderId","isOptional":true,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"client_id":{"kind":"clientId","isOptional":true,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
  'POST /orders': { action: null, list: 'orders', hasData: false, structs: [structs.PlaceOrder, structs.PlaceOrderWithoutRoute, structs.PlaceOrderReduceOnly], body: {"wallet":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"symbol":{"kind":"text","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"side":{"kind":"choice","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"size":{"kind":"size","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"price":{"kind":"price","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"tif":{"kind":"choice","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"route":{"kind":"choice","isOptional":true,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"client_id":{"kind":"clientId","isOptional":true,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"builder_code_address":{"kind":"builder","isOptional":true,"signedType":null,"signedName":null,"signedAbsent":"","isSignedAsSent":false},"reduce_only":{"kind":"boolean","isOptional":true,"signedType":"bool","signedName":null,"signedAbsent":"","isSignedAsSent":false},"mmp_enabled":{"kind":"boolean","isOptional":true,"signedType":null,"signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
  'POST /orders/cancel': { action: null, list: 'cancels', hasData: false, structs: [structs.CancelOrder, structs.CancelOrderByClientId], body: {"wallet":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"order_id":{"kind":"orderId","isOptional":true,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"client_id":{"kind":"clientId","isOptional":true,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
  'POST /cancel-all': { action: 'CancelAll', list: null, hasData: true, structs: [structs.CancelAll], body: {"wallet":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"scope":{"kind":"cancelScope","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
  'POST /dead-man': { action: 'SetDeadMan', list: null, hasData: true, structs: [structs.SetDeadMan], body: {"wallet":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"timeout_ms":{"kind":"integer","isOptional":false,"signedType":"uint64","signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
  'POST /perp-order': { action: null, list: null, hasData: false, structs: [structs.Agent], body: {} },
  'POST /v1/actions/hl_limit_order': { action: null, list: null, hasData: false, structs: [structs.HLOrder], body: {} },
  'POST /v1/actions/hl_cancel_by_oid': { action: null, list: null, hasData: false, structs: [structs.HLCancel], body: {} },
  'POST /v1/actions/hl_cancel_by_cloid': { action: null, list: null, hasData: false, structs: [structs.HLCancelByCloid], body: {} },
  'POST /v1/actions/hl_set_abstraction': { action: null, list: null, hasData: false, structs: [structs.HLSetAbstraction], body: {} },
  'POST /v1/actions/hc_update_api_wallet': { action: null, list: null, hasData: false, structs: [structs.HCUpdateApiWallet], body: {} },
  'POST /rfq/request': { action: null, list: null, hasData: false, structs: [structs.SubmitRFQ, structs.SubmitAutoExecuteRfq], body: {"rfq_id":{"kind":"uuidWord","isOptional":false,"signedType":"bytes32","signedName":null,"signedAbsent":"","isSignedAsSent":false},"legs":{"kind":"legs","isOptional":false,"signedType":"bytes32","signedName":"legsHash","signedAbsent":"","isSignedAsSent":false},"auto_accept_limit":{"kind":"premiumLimit","isOptional":true,"signedType":"int256","signedName":"limitPrice","signedAbsent":"","isSignedAsSent":false},"wallet_address":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":"wallet","signedAbsent":"","isSignedAsSent":false}} },
  'POST /rfq/accept': { action: null, list: null, hasData: false, structs: [structs.AcceptRFQQuote], body: {"rfq_id":{"kind":"uuidWord","isOptional":false,"signedType":"bytes32","signedName":null,"signedAbsent":"","isSignedAsSent":false},"quote_id":{"kind":"uuidWord","isOptional":false,"signedType":"bytes32","signedName":null,"signedAbsent":"","isSignedAsSent":false},"wallet_address":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":"wallet","signedAbsent":"","isSignedAsSent":false}} },
  'POST /margin-mode': { action: 'SetMarginMode', list: null, hasData: true, structs: [structs.SetMarginMode], body: {"wallet":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"margin_mode":{"kind":"choice","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
  'POST /self-trade-prevention': { action: 'SetSelfTradePrevention', list: null, hasData: true, structs: [structs.SetSelfTradePrevention], body: {"wallet":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"mode":{"kind":"choice","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
  'POST /user-tier': { action: 'SetUserTier', list: null, hasData: true, structs: [structs.SetUserTier], body: {"wallet":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"tier":{"kind":"choice","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
  'POST /mmp-config': { action: 'SetMmpConfig', list: null, hasData: true, structs: [structs.SetMmpConfig], body: {"wallet":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"currency":{"kind":"underlying","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"interval_ms":{"kind":"integer","isOptional":false,"signedType":"uint64","signedName":null,"signedAbsent":"","isSignedAsSent":false},"frozen_time_ms":{"kind":"integer","isOptional":false,"signedType":"uint64","signedName":null,"signedAbsent":"","isSignedAsSent":false},"qty_limit":{"kind":"limit","isOptional":true,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"delta_limit":{"kind":"limit","isOptional":true,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"vega_limit":{"kind":"limit","isOptional":true,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
  'DELETE /mmp-config': { action: 'DeleteMmpConfig', list: null, hasData: true, structs: [structs.DeleteMmpConfig], body: {"wallet":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"currency":{"kind":"underlying","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
  'POST /mmp-config/reset': { action: 'ResetMmp', list: null, hasData: true, structs: [structs.ResetMmp], body: {"wallet":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"currency":{"kind":"underlying","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
  'POST /approve-agent': { action: 'ApproveAgent', list: null, hasData: false, structs: [structs.ApproveAgent], body: {"agent":{"kind":"agent","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"wallet":{"kind":"wallet","isOptional":true,"signedType":null,"signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
  'DELETE /revoke-agent': { action: 'RevokeAgent', list: null, hasData: false, structs: [structs.RevokeAgent], body: {"agent":{"kind":"agent","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"wallet":{"kind":"wallet","isOptional":true,"signedType":null,"signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
  'DELETE /revoke-all-agents': { action: 'RevokeAllAgents', list: null, hasData: false, structs: [structs.RevokeAllAgents], body: {"wallet":{"kind":"wallet","isOptional":true,"signedType":null,"signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
  'POST /submitUsernameRequest': { action: 'SubmitUsernameRequest', list: null, hasData: true, structs: [structs.SubmitUsernameRequest], body: {"wallet":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"requested_username":{"kind":"username","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
  'POST /settlement-payouts/seen': { action: 'SetSettlementPayoutSeen', list: null, hasData: false, structs: [structs.SetSettlementPayoutSeen], body: {"wallet":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"ids":{"kind":"payoutIds","isOptional":false,"signedType":"string","signedName":"payoutIds","signedAbsent":"","isSignedAsSent":false},"seen":{"kind":"boolean","isOptional":true,"signedType":"bool","signedName":null,"signedAbsent":true,"isSignedAsSent":false}} },
  'POST /withdraw/usdc': { action: 'WithdrawUsdc', list: null, hasData: false, structs: [structs.WithdrawUsdc], body: {"wallet":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"account":{"kind":"agent","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"destination":{"kind":"agent","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"amount":{"kind":"amount","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
  'POST /liquidation/standard-margin': { action: 'StandardMarginLiquidationOrder', list: null, hasData: true, structs: [structs.StandardMarginLiquidationOrder], body: {"wallet":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"liquidated_wallet":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":true},"request_id":{"kind":"uuid","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"auction_id":{"kind":"printable","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"bid_usdc":{"kind":"signedAmount","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"portfolio_hash":{"kind":"sha256","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"auction_terms_hash":{"kind":"sha256","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"bid_intent_hash":{"kind":"printable","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false},"positions":{"kind":"positions","isOptional":false,"signedType":null,"signedName":null,"signedAbsent":"","isSignedAsSent":false},"auction_version":{"kind":"count","isOptional":false,"signedType":"uint64","signedName":null,"signedAbsent":"","isSignedAsSent":false},"valuation_timestamp_ms":{"kind":"count","isOptional":false,"signedType":null,"signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
  'POST /referrals/code': { action: 'CreateReferralCode', list: null, hasData: false, structs: [structs.CreateReferralCode], body: {"wallet":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"code":{"kind":"referralCode","isOptional":false,"signedType":"string","signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
  'POST /referrals/set-referrer': { action: 'SetReferrer', list: null, hasData: false, structs: [structs.SetReferrer], body: {"wallet":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"code":{"kind":"referralCode","isOptional":false,"signedType":null,"signedName":null,"signedAbsent":"","isSignedAsSent":false},"referrer":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
  'POST /push/subscribe': { action: 'PushSubscribe', list: null, hasData: true, structs: [structs.PushAction], body: {"wallet":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"action":{"kind":"constant","isOptional":true,"signedType":"string","signedName":null,"signedAbsent":"subscribe","isSignedAsSent":false},"subscription":{"kind":"subscription","isOptional":false,"signedType":null,"signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
  'POST /push/unsubscribe': { action: 'PushUnsubscribe', list: null, hasData: true, structs: [structs.PushAction], body: {"wallet":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"action":{"kind":"constant","isOptional":true,"signedType":"string","signedName":null,"signedAbsent":"unsubscribe","isSignedAsSent":false},"endpoint":{"kind":"pushUrl","isOptional":false,"signedType":null,"signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
  'POST /push/preferences': { action: 'PushPreferences', list: null, hasData: true, structs: [structs.PushAction], body: {"wallet":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"action":{"kind":"constant","isOptional":true,"signedType":"string","signedName":null,"signedAbsent":"preferences","isSignedAsSent":false},"fills":{"kind":"boolean","isOptional":true,"signedType":null,"signedName":null,"signedAbsent":"","isSignedAsSent":false},"liquidations":{"kind":"boolean","isOptional":true,"signedType":null,"signedName":null,"signedAbsent":"","isSignedAsSent":false},"settlements":{"kind":"boolean","isOptional":true,"signedType":null,"signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
  'SetCancelOnDisconnect': { action: 'SetCancelOnDisconnect', list: null, hasData: false, structs: [structs.SetCancelOnDisconnect], body: {"wallet":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":null,"signedAbsent":"","isSignedAsSent":false},"enabled":{"kind":"boolean","isOptional":false,"signedType":"bool","signedName":null,"signedAbsent":"","isSignedAsSent":false}} },
} satisfies Readonly<Record<string, SignedWrite>>

/** Signed fields of an acceptance. Its body lacks the premium. */
export const signedAcceptance = {"rfq_id":{"kind":"uuidWord","isOptional":false,"signedType":"bytes32","signedName":null,"signedAbsent":"","isSignedAsSent":false},"quote_id":{"kind":"uuidWord","isOptional":false,"signedType":"bytes32","signedName":null,"signedAbsent":"","isSignedAsSent":false},"net_premium":{"kind":"netPremium","isOptional":false,"signedType":"int256","signedName":null,"signedAbsent":"","isSignedAsSent":false},"wallet_address":{"kind":"wallet","isOptional":false,"signedType":"address","signedName":"wallet","signedAbsent":"","isSignedAsSent":false}} satisfies SignedShape
