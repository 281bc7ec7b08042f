// Generated from gateway/documents/stream-messages.ts: npm run generate

/** An address in lower case. */
export type Address = string

/** A decimal number as text, without an exponent. */
export type Decimal = string

export type CompetitionStanding = {
  readonly competition_id: number
  readonly competition_name: string
  readonly competition_state: 'pre' | 'active' | 'post'
  readonly rank: number | null
  readonly pnl: Decimal
  readonly volume: Decimal
  readonly efficiency: Decimal
  readonly medal: number | null
}

export type ErrorCode = 'invalid_request' | 'invalid_json' | 'missing_field' | 'invalid_wallet' | 'invalid_parameter' | 'invalid_field' | 'signature_verification_failed' | 'unsupported_endpoint' | 'unauthorized' | 'limit_exceeded' | 'margin_mode_unavailable' | 'not_found' | 'method_not_allowed' | 'conflict' | 'payload_too_large' | 'insufficient_balance' | 'rate_limit_exceeded' | 'internal_error' | 'engine_busy' | 'signing_disabled' | 'not_ready' | 'withdrawal_destination_inactive' | 'withdrawal_destination_mode_unsupported' | 'withdrawal_preflight_unavailable' | 'withdrawal_source_unavailable' | 'no_account' | 'resume_unavailable' | 'trading_halted' | 'rfq_closed' | 'rfq_already_filled' | 'deadline_passed' | 'legs_mismatch' | 'premium_mismatch'

export type FillSource = {
  readonly type: 'orderbook' | 'rfq'
  readonly rfq_id?: string
  readonly quote_id?: string
}

export type FullLiquidation = {
  readonly auction_id: string
  readonly request_id: string
  readonly tx_hash: null
  /** Unix time in milliseconds. */
  readonly started_at: number
  readonly chain_start_time: null
  readonly margin_needed: Decimal
  readonly stop_request_id: null
  readonly stop_tx_hash: null
  /** Unix time in milliseconds. */
  readonly liquidated_at: number | null
  readonly winner: Address | null
  readonly bonus: Decimal | null
  readonly resolution_tx_hash: null
  readonly current_required_bid_usdc: Decimal | null
  readonly current_equity: Decimal | null
  readonly current_mm_required: Decimal | null
  readonly current_maintenance_margin: Decimal | null
  readonly current_positions: readonly ({
    readonly symbol: string
    readonly quantity: Decimal
    readonly entry_price: Decimal
  })[]
  readonly current_portfolio_hash: string
  readonly current_auction_terms_hash: string
  readonly current_auction_version: number
  /** Unix time in milliseconds. */
  readonly current_valuation_timestamp_ms: number
}

export type MarginSummary = {
  readonly mode: 'standard' | 'portfolio'
  readonly equity: Decimal
  readonly position_im: Decimal
  readonly open_orders_im: Decimal
  readonly initial_margin: Decimal
  readonly maintenance_margin: Decimal
  readonly open_orders_premium_reserved?: Decimal
}

/** As it was sent: above 2^53 a decimal text. */
export type Nonce = number | string

export type PartialLiquidation = {
  /** Unix time in milliseconds. */
  readonly entered_at: number
  readonly target_equity: Decimal
  readonly mm_shortfall: Decimal
  /** Unix time in milliseconds. */
  readonly escalation_deadline: number
  /** Unix time in milliseconds. */
  readonly last_reprice_at: number | null
  readonly active_order_request_ids: readonly (string)[]
  readonly active_order_client_ids: readonly (string)[]
  readonly bonus_bps: number
  readonly pending_full_auction_id: null
  readonly pending_full_request_id: null
  readonly pending_full_tx_hash: null
  readonly pending_full_margin_needed: null
}

export type Position = {
  readonly wallet_address: Address
  readonly symbol: string
  readonly amount: Decimal
  readonly entry_price: Decimal
  readonly margin_posted: Decimal
  readonly realized_pnl: Decimal
  readonly unrealized_pnl: Decimal
  /** UTC. */
  readonly updated_at: string
  readonly instrument_type: 'option' | 'perp'
  readonly notional_value: Decimal
  readonly maintenance_margin: Decimal
  readonly liquidation_price: Decimal
  readonly margin_ratio: Decimal
}

export type ProviderQuote = {
  readonly wallet: Address
  readonly bid_price?: Decimal
  readonly ask_price?: Decimal
  readonly max_bid_size?: Decimal
  readonly max_ask_size?: Decimal
  /** Unix time in milliseconds. */
  readonly updated_at: number
}

export type ReasonCode = 'nonce_used' | 'no_funds' | 'insufficient_margin' | 'insufficient_cash' | 'no_spot_price' | 'tier_long_only' | 'account_in_liquidation' | 'reduce_only' | 'mmp_frozen' | 'price_band' | 'trading_halted' | 'limit_exceeded' | 'instrument_expired' | 'invalid_symbol' | 'symbol_unparseable' | 'orderbook_not_found' | 'order_not_found' | 'order_already_filled' | 'order_already_canceled' | 'perp_missing_underlying' | 'duplicate_client_id' | 'route_not_supported' | 'post_only_would_trade' | 'self_trade_prevention' | 'ioc_remainder' | 'fok_not_filled' | 'replaced' | 'instrument_delisted' | 'mmp_triggered' | 'mmp_canceled' | 'cancel_all' | 'dead_man' | 'cancel_on_disconnect' | 'rfq_not_supported' | 'qp_margin_rejection' | 'no_quotes' | 'rfq_expired' | 'no_eligible_quote' | 'agent_revoked' | 'provider_suspended'

/** Values of a rejection that its reason names. */
export type ReasonDetails = {
  readonly cause?: 'naked_short'
  /** Decimal text of USD. */
  readonly required?: string
  /** Decimal text of USD. */
  readonly equity?: string
  /** Decimal text of USD. */
  readonly shortfall?: string
  /** Decimal text of USD. */
  readonly consumed_im?: string
  /** Decimal text of USD. */
  readonly incremental_im?: string
  /** Decimal text of USD. */
  readonly consumed_mm?: string
  /** Decimal text of USD. */
  readonly incremental_mm?: string
  readonly scenario?: {
    readonly kind: string
    readonly id: string
  } | null
  readonly bound_by?: string | null
  readonly symbol?: string
  readonly underlying?: string
  readonly expiry?: number
  /** Decimal text of USD. */
  readonly needed?: string
  /** Decimal text of USD. */
  readonly available?: string
  /** Decimal text of contracts. */
  readonly long_position?: string
  /** Decimal text of contracts. */
  readonly working_sells?: string
  /** Decimal text of contracts. */
  readonly order_size?: string
  readonly until?: number | 'reset' | null
  /** Decimal text of USD. */
  readonly lower?: string
  /** Decimal text of USD. */
  readonly upper?: string
  /** Decimal text of USD. */
  readonly used?: string
  readonly bound?: string | string | number
  /** Decimal text of USD. */
  readonly cost?: string
  /** Decimal text of USD. */
  readonly cash?: string
  readonly route?: string
  readonly entry?: number
  /** Decimal text of USD. */
  readonly amount?: string
  /** Decimal text of USD. */
  readonly withdrawable?: string
  readonly leg?: number
}

/** Place in the one sequence of events; a read with min_seq waits until it includes it. */
export type Sequence = number

export type SignatureDetails = {
  readonly layout: string
  readonly fields: { readonly [name: string]: unknown }
  readonly digest: string
  readonly recovered_address: string | null
  readonly domain: {
    readonly name: string
    readonly version: string
    readonly chain_id: string
  }
  readonly is_wallet?: boolean
  readonly matches_other_layout?: string | null
}

export type SpanMargin = {
  readonly equity: Decimal
  readonly initial_margin_required: Decimal
  readonly maintenance_margin_required: Decimal
  readonly open_orders_initial_margin: Decimal
  readonly option_margin_required: Decimal
  readonly scanning_risk: Decimal
  readonly option_floor: Decimal
  readonly gamma_overlay: Decimal
  readonly hypercore_margin_required: Decimal
}

/** Everything that the stream tells, by its `type`. */
export type StreamMessages = {
  /** Error of a frame or of the connection. */
  readonly Error: {
    readonly type: 'Error'
    readonly message: string
    readonly code: ErrorCode | ReasonCode
    /** Seconds until the window ends. */
    readonly retry_after_secs?: number
    /** Limit per minute. */
    readonly limit?: number
    readonly details?: ReasonDetails | SignatureDetails
    readonly request_type?: string
    readonly channel?: string
    readonly rfq_id?: string
    readonly client_id?: string
    readonly nonce?: number | string
    /** from_seq of the Subscribe that cannot be resumed. */
    readonly from_seq?: Sequence
    /** Live updates start after this sequence. */
    readonly as_of_seq?: Sequence
  }
  /** Time of the venue. */
  readonly ClockSynced: {
    readonly type: 'ClockSynced'
    readonly nonce: string
    /** Unix time in milliseconds. */
    readonly server_at: number
  }
  /** Confirms the wallet of the private channels. */
  readonly Authenticated: {
    readonly type: 'Authenticated'
    readonly wallet: Address
    /** End of its read session. */
    readonly session_expires_ms?: number
  }
  /** Acknowledges a subscription. */
  readonly Subscribed: {
    readonly type: 'Subscribed'
    readonly channel: 'orderbook' | 'options_chain' | 'trades' | 'market_updates' | 'index_prices' | 'indicative_market_data' | 'order_updates' | 'fills' | 'liquidation' | 'rfq' | 'portfolio' | 'competition' | 'competition_engagement'
    readonly unknown_symbols?: readonly (string)[]
    readonly unknown_symbol_count?: number
    /** Sequence at which it begins; present if the frame asked for it. */
    readonly as_of_seq?: Sequence
  }
  /** Ends a resume: all missed messages are sent. */
  readonly Resumed: {
    readonly type: 'Resumed'
    readonly channel: 'orderbook' | 'options_chain' | 'trades' | 'market_updates' | 'index_prices' | 'indicative_market_data' | 'order_updates' | 'fills' | 'liquidation' | 'rfq' | 'portfolio' | 'competition' | 'competition_engagement'
    /** from_seq of the Subscribe. */
    readonly from_seq: Sequence
    /** Last sequence sent again; later events follow live. */
    readonly as_of_seq: Sequence
  }
  /** Acknowledges the end of a subscription. */
  readonly Unsubscribed: {
    readonly type: 'Unsubscribed'
    readonly channel: 'orderbook' | 'options_chain' | 'trades' | 'market_updates' | 'index_prices' | 'indicative_market_data' | 'order_updates' | 'fills' | 'liquidation' | 'rfq' | 'portfolio' | 'competition' | 'competition_engagement'
  }
  /** Rate-limit windows of a wallet. */
  readonly RateLimits: {
    readonly type: 'RateLimits'
    readonly wallet: Address
    readonly tier: 'default' | 'tier1' | 'tier2' | 'market_maker'
    readonly windows: readonly ({
      readonly category: 'OrderPlacement' | 'OrderCancellation' | 'ApiRequest'
      readonly limit: number
      readonly remaining: number
      /** Unix time in seconds. */
      readonly reset: number
    })[]
    readonly reads: {
      readonly category: 'OrderPlacement' | 'OrderCancellation' | 'ApiRequest'
      readonly limit: number
      readonly remaining: number
      /** Unix time in seconds. */
      readonly reset: number
    }
    readonly as_of_seq: Sequence
  }
  /** Result of an order or a cancel. */
  readonly OrderResult: {
    readonly type: 'OrderResult'
    readonly order_id: number | null
    readonly status: 'ACKED' | 'OPEN' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'REJECTED'
    readonly symbol: string
    readonly side: 'Buy' | 'Sell'
    readonly price: string
    readonly size: string
    readonly reason?: string
    readonly nonce: Nonce
    readonly client_id: string | null
    readonly filled_size: Decimal
    readonly reason_code: ReasonCode | null
    readonly details: ReasonDetails | null
    readonly mmp_triggered: boolean
    readonly seq: Sequence
  }
  /** What a CancelAll has ended. */
  readonly CancelAllResult: {
    readonly type: 'CancelAllResult'
    readonly wallet: Address
    readonly scope: string
    readonly canceled: number
    readonly nonce: Nonce
    readonly seq: Sequence
  }
  /** When a SetDeadMan ends all. */
  readonly DeadManResult: {
    readonly type: 'DeadManResult'
    readonly wallet: Address
    readonly timeout_ms: number
    /** Unix time in milliseconds. */
    readonly fires_at: number | null
    readonly nonce: Nonce
    readonly seq: Sequence
  }
  /** Acknowledges CancelOnDisconnect. */
  readonly CancelOnDisconnectResult: {
    readonly type: 'CancelOnDisconnectResult'
    readonly wallet: Address
    readonly enabled: boolean
    readonly bound: boolean
    readonly nonce: Nonce
    readonly seq: Sequence
  }
  /** The whole ladder of a book. */
  readonly OrderbookUpdate: {
    readonly type: 'OrderbookUpdate'
    readonly symbol: string
    readonly option_token_address: null
    readonly bids: readonly (readonly [Decimal, Decimal])[]
    readonly asks: readonly (readonly [Decimal, Decimal])[]
    /** Unix time in milliseconds. */
    readonly timestamp: number
    readonly seq: Sequence
    readonly snapshot?: true
    readonly as_of_seq?: Sequence
  }
  /** A row of the chain: both options of a strike, or one that is gone. */
  readonly OptionsChainUpdate: {
    readonly type: 'OptionsChainUpdate'
    readonly action: 'Upsert'
    readonly currency: string
    /** Unix time in seconds. */
    readonly expiry: number
    readonly row: {
      readonly strike: number
      readonly call?: {
        readonly symbol: string
        readonly option_token_address: null
        readonly bid_price_usd: number | null
        readonly bid_iv: number | null
        readonly bid_size_contracts: number | null
        readonly bid_size_usd_notional: number | null
        readonly ask_price_usd: number | null
        readonly ask_iv: number | null
        readonly ask_size_contracts: number | null
        readonly ask_size_usd_notional: number | null
        readonly greeks_abs: {
          readonly delta: number
          readonly gamma: number
          readonly theta: number
          readonly vega: number
        } | null
        readonly greeks_cash: {
          readonly delta_1pct_usd: number
          readonly gamma_1pct_usd: number
          readonly theta_1d_usd: number
          readonly vega_1vol_usd: number
        } | null
      }
      readonly put?: {
        readonly symbol: string
        readonly option_token_address: null
        readonly bid_price_usd: number | null
        readonly bid_iv: number | null
        readonly bid_size_contracts: number | null
        readonly bid_size_usd_notional: number | null
        readonly ask_price_usd: number | null
        readonly ask_iv: number | null
        readonly ask_size_contracts: number | null
        readonly ask_size_usd_notional: number | null
        readonly greeks_abs: {
          readonly delta: number
          readonly gamma: number
          readonly theta: number
          readonly vega: number
        } | null
        readonly greeks_cash: {
          readonly delta_1pct_usd: number
          readonly gamma_1pct_usd: number
          readonly theta_1d_usd: number
          readonly vega_1vol_usd: number
        } | null
      }
    }
    /** Unix time in milliseconds. */
    readonly timestamp: number
    readonly seq: Sequence
    readonly snapshot?: true
    readonly as_of_seq?: Sequence
  } | {
    readonly type: 'OptionsChainUpdate'
    readonly action: 'Remove'
    readonly currency: string
    /** Unix time in seconds. */
    readonly expiry: number
    readonly strike: number
    readonly option_type: 'call' | 'put'
    readonly symbol: string
    /** Unix time in milliseconds. */
    readonly timestamp: number
    readonly seq: Sequence
  }
  /** A trade. */
  readonly Trade: {
    readonly type: 'Trade'
    readonly symbol: string
    readonly price: Decimal
    readonly size: Decimal
    readonly side: 'buy' | 'sell'
    /** Unix time in milliseconds. */
    readonly timestamp: number
    readonly trade_id: number
    readonly seq: Sequence
  }
  /** An instrument was listed, expired or delisted. */
  readonly MarketUpdate: {
    readonly type: 'MarketUpdate'
    readonly action: 'Created' | 'Expired' | 'Deleted'
    readonly symbol: string
    readonly strike?: number | Decimal
    readonly is_call?: boolean
    readonly underlying?: string
    /** Unix time in seconds. */
    readonly expiry?: number
    readonly instrument_type?: 'option' | 'perp'
    /** Unix time in milliseconds. */
    readonly timestamp: number
    readonly seq: Sequence
  }
  /** Index prices. */
  readonly IndexPriceUpdate: {
    readonly type: 'IndexPriceUpdate'
    readonly prices: readonly ({
      readonly underlying: string
      readonly price: Decimal
      /** Unix time in milliseconds. */
      readonly timestamp: number
    })[]
    /** Unix time in milliseconds. */
    readonly timestamp: number
    readonly seq: Sequence
    readonly snapshot?: true
    readonly as_of_seq?: Sequence
  }
  /** Indicative quotes of providers. */
  readonly IndicativeMarketData: {
    readonly type: 'IndicativeMarketData'
    readonly instrument: string
    readonly best_bid?: Decimal
    readonly best_ask?: Decimal
    readonly bid_iv?: number
    readonly ask_iv?: number
    readonly indicative_bid_size?: Decimal
    readonly indicative_ask_size?: Decimal
    readonly num_providers: number
    readonly rfq_provider_quotes: readonly (ProviderQuote)[]
    /** Unix time in milliseconds. */
    readonly published_at: number
    /** Unix time in milliseconds. */
    readonly timestamp: number
    readonly snapshot?: true
    readonly as_of_seq?: Sequence
    readonly seq?: Sequence
  }
  /** Change of an order. */
  readonly OrderUpdate: {
    readonly type: 'OrderUpdate'
    readonly order_id: number | null
    readonly request: {
      readonly price: string
      readonly size: string
      readonly symbol: string
      readonly side: 'Buy' | 'Sell'
      readonly tif?: 'gtc' | 'ioc' | 'fok'
      readonly add_liquidity_only?: true
    }
    readonly status: 'ACKED' | 'OPEN' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'REJECTED'
    readonly filled_size: Decimal
    /** Unix time in milliseconds. */
    readonly timestamp: number
    readonly wallet_address: Address
    readonly instrument_type: 'option' | 'perp'
    readonly client_id: string | null
    readonly nonce?: Nonce
    readonly reason: string | null
    readonly reason_code: ReasonCode | null
    readonly details: ReasonDetails | null
    readonly mmp_triggered: boolean
    readonly seq: Sequence
  }
  /** A fill. */
  readonly Fill: {
    readonly type: 'Fill'
    /** Of the order that was filled. A request for quote and its quotes are no orders: their fills have 2^52 + fill_id here, which no order has. */
    readonly order_id: number
    readonly fill_id: number
    readonly symbol: string
    readonly side: 'Buy' | 'Sell'
    readonly price: Decimal
    readonly size: Decimal
    /** Unix time in milliseconds. */
    readonly timestamp: number
    readonly wallet_address: Address
    readonly fee: Decimal
    readonly trade_id: number
    readonly is_taker: boolean
    readonly builder_code_address: Address | null
    readonly builder_code_fee: Decimal | null
    readonly instrument_type: 'option' | 'perp'
    readonly fill_source: FillSource
    readonly client_id: string | null
    readonly seq: Sequence
  }
  /** Settlement of a position. */
  readonly PositionExpired: {
    readonly type: 'PositionExpired'
    readonly wallet_address: Address
    readonly symbol: string
    readonly position_size: Decimal
    readonly settlement_price: Decimal
    readonly settlement_value: Decimal
    readonly settlement_entry_price: Decimal
    readonly cost_basis: Decimal
    readonly net_pnl: Decimal
    /** Unix time in milliseconds. */
    readonly timestamp: number
    readonly underlying_price: Decimal
    readonly fee: Decimal
    readonly borne: Decimal
    readonly seq: Sequence
  }
  /** Change of the liquidation state of the wallet. */
  readonly LiquidationStateChange: {
    readonly type: 'LiquidationStateChange'
    readonly wallet_address: Address
    readonly previous_state: 'healthy' | 'pre_liquidation' | 'in_liquidation' | 'liquidated'
    readonly new_state: 'healthy' | 'pre_liquidation' | 'in_liquidation' | 'liquidated'
    readonly timers_stand: boolean
    readonly liquidation_mode: 'partial' | 'full' | null
    readonly margin_mode: 'standard' | 'portfolio'
    readonly equity: Decimal
    readonly mm_required: Decimal
    readonly maintenance_margin: Decimal
    readonly shortfall: Decimal
    readonly partial_liquidation: PartialLiquidation | null
    readonly full_liquidation: FullLiquidation | null
    /** Unix time in milliseconds. */
    readonly timestamp: number
    readonly seq: Sequence
  }
  /** Positions, balance, margin or greeks of the wallet. */
  readonly PortfolioUpdate: {
    readonly type: 'PortfolioUpdate'
    readonly kind: 'Initial'
    readonly positions: readonly (Position)[]
    /** Unix time in milliseconds. */
    readonly timestamp: number
    readonly seq: Sequence
    readonly snapshot?: true
    readonly as_of_seq?: Sequence
  } | {
    readonly type: 'PortfolioUpdate'
    readonly kind: 'PositionUpdate'
    readonly position: Position
    /** Unix time in milliseconds. */
    readonly timestamp: number
    readonly seq: Sequence
    readonly snapshot?: true
    readonly as_of_seq?: Sequence
  } | {
    readonly type: 'PortfolioUpdate'
    readonly kind: 'BalanceUpdate'
    readonly total_margin_used: Decimal
    readonly cash: Decimal
    readonly equity: Decimal
    /** Unix time in milliseconds. */
    readonly timestamp: number
    readonly seq: Sequence
    readonly snapshot?: true
    readonly as_of_seq?: Sequence
  } | {
    readonly type: 'PortfolioUpdate'
    readonly kind: 'MarginUpdate'
    readonly span_margin: SpanMargin
    readonly margin_summary: MarginSummary
    readonly margin_mode: 'standard' | 'portfolio'
    readonly total_margin_used: Decimal
    readonly available_balance: Decimal
    /** Unix time in milliseconds. */
    readonly timestamp: number
    readonly seq: Sequence
    readonly snapshot?: true
    readonly as_of_seq?: Sequence
  } | {
    readonly type: 'PortfolioUpdate'
    readonly kind: 'GreeksUpdate'
    readonly per_leg: readonly ({
      readonly symbol: string
      readonly quantity: Decimal
      readonly delta: number
      readonly gamma: number
      readonly theta: number
      readonly vega: number
      readonly iv: number
    })[]
    readonly aggregate: {
      readonly delta: number
      readonly gamma: number
      readonly theta: number
      readonly vega: number
      readonly iv: number | null
    } | null
    /** Unix time in milliseconds. */
    readonly timestamp: number
    readonly seq: Sequence
    readonly snapshot?: true
    readonly as_of_seq?: Sequence
  }
  /** Change of a request for quote. */
  readonly RfqStatusUpdate: {
    readonly type: 'RfqStatusUpdate'
    readonly rfq_id: string
    readonly status: 'created' | 'sent_to_qps' | 'quotes_received' | 'accepted' | 'executed' | 'no_quotes' | 'expired' | 'failed'
    readonly taker_wallet: Address
    readonly reason?: string | null
    readonly reason_code?: ReasonCode | null
    readonly details?: ReasonDetails | null
    readonly fill_id?: string
    readonly fallback_order_id?: number
    /** Unix time in milliseconds. */
    readonly expires_at?: number
    /** Unix time in milliseconds. */
    readonly timestamp: number
    readonly seq: Sequence
  }
  /** Live quotes of a request. */
  readonly RfqQuotes: {
    readonly type: 'RfqQuotes'
    readonly rfq_id: string
    readonly quotes: readonly ({
      readonly quote_id: string
      readonly net_premium: Decimal
      /** Unix time in milliseconds. */
      readonly expires_at: number
    })[]
    readonly status: 'created' | 'sent_to_qps' | 'quotes_received' | 'accepted' | 'executed' | 'no_quotes' | 'expired' | 'failed'
    readonly taker_wallet: Address
    readonly seq: Sequence
  }
  /** Result of an acceptance. */
  readonly RfqAcceptResult: {
    readonly type: 'RfqAcceptResult'
    readonly rfq_id: string
    readonly quote_id: string
    readonly status: 'executed' | 'failed'
    readonly fill_id: string | null
    readonly reason: string | null
    readonly reason_code: ReasonCode | null
    readonly details?: ReasonDetails
    readonly nonce?: Nonce
    readonly seq: Sequence
  }
  /** Rank and values have changed. */
  readonly CompetitionUpdate: {
    readonly type: 'CompetitionUpdate'
    readonly wallet_address: Address
    readonly competition_id: number
    readonly rank: number | null
    readonly pnl: Decimal
    readonly volume: Decimal
    readonly efficiency: Decimal
    /** Unix time in milliseconds. */
    readonly timestamp: number
    readonly seq: Sequence
  }
  /** Standing of the wallet. */
  readonly CompetitionPnlSummary: {
    readonly type: 'CompetitionPnlSummary'
    readonly wallet_address: Address
    readonly lifetime_realized_pnl: Decimal
    readonly active_competition: CompetitionStanding | null
    /** Unix time in milliseconds. */
    readonly timestamp: number
    readonly seq: Sequence
    readonly snapshot?: true
    readonly as_of_seq?: Sequence
  }
  /** It has ended. */
  readonly CompetitionFinalStats: {
    readonly type: 'CompetitionFinalStats'
    readonly wallet_address: Address
    readonly competition_id: number
    readonly rank: number | null
    readonly pnl: Decimal
    readonly volume: Decimal
    readonly efficiency: Decimal
    readonly medal: number | null
    /** Unix time in milliseconds. */
    readonly timestamp: number
    readonly seq: Sequence
  }
  /** The rank is another. */
  readonly CompetitionRankChange: {
    readonly type: 'CompetitionRankChange'
    readonly wallet_address: Address
    readonly competition_id: number
    readonly from_rank: number
    readonly to_rank: number
    readonly delta_places: number
    readonly pnl: Decimal
    /** Unix time in milliseconds. */
    readonly timestamp: number
    readonly seq: Sequence
  }
  /** How far the next rank is. */
  readonly CompetitionGapUpdate: {
    readonly type: 'CompetitionGapUpdate'
    readonly wallet_address: Address
    readonly competition_id: number
    readonly rank: number
    readonly next_rank: number | null
    readonly gap_metric_value: Decimal | null
    /** Unix time in milliseconds. */
    readonly timestamp: number
    readonly seq: Sequence
  }
  /** It has ended. */
  readonly CompetitionFinalStanding: {
    readonly type: 'CompetitionFinalStanding'
    readonly wallet_address: Address
    readonly competition_id: number
    readonly rank: number | null
    readonly pnl: Decimal
    readonly volume: Decimal
    readonly efficiency: Decimal
    readonly medal: number | null
    /** Unix time in milliseconds. */
    readonly timestamp: number
    readonly seq: Sequence
  }
}

/** Types of what each channel tells. */
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
