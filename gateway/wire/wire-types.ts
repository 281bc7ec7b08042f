import type {
  optionTifNames,
  orderStatusNames,
  routeNames,
  selfTradeModeNames,
  sideNames,
  tifNames,
} from '../../schemas/domain.js'

// Bodies and answers as they stand in JSON; names are the specification's. Decimals are texts.

export type SideName = (typeof sideNames)[number]
export type TifName = (typeof tifNames)[number]
export type OptionTifName = (typeof optionTifNames)[number]
export type PerpTifName = Exclude<TifName, 'fok'>
export type RouteName = (typeof routeNames)[number]
export type OrderStatusName = Exclude<(typeof orderStatusNames)[number], ''>

/** What a new order says, before it is signed. */
export interface OrderTerms {
  readonly symbol: string
  readonly side: SideName
  /** Decimal text, contracts. */
  readonly size: string
  /** Decimal text, USD per contract, at most 5 significant figures. */
  readonly price: string
  readonly tif?: OptionTifName
  /** Default `book_only`; `null` leaves it out, which the exchange reads as `best_execution`. */
  readonly route?: RouteName | null
  readonly clientId?: string
  readonly reduceOnly?: boolean
  readonly mmpEnabled?: boolean
  readonly builderCodeAddress?: string
}

/** What a replacement says: the order it replaces, and the new one, which trades on the book only. */
export interface ReplaceTerms extends Omit<OrderTerms, 'route'> {
  readonly orderId: number
}

/** What a new order of a perp says, before it is signed. */
export interface PerpOrderTerms {
  /** Asset number of the perp: `perps` of GET /exchange-info. */
  readonly asset: number
  readonly side: SideName
  /** Canonical decimal text, without zeros at its ends: it is signed as it is. */
  readonly size: string
  /** The same, USD per contract, at most 5 significant figures. */
  readonly price: string
  /** `alo` only rests: where it would trade it is `REJECTED` with `post_only_would_trade`. Default `gtc`. */
  readonly tif?: PerpTifName
  /** `0x` and 32 hexadecimal digits. */
  readonly clientId?: string
  readonly reduceOnly?: boolean
  /** Unix milliseconds after which the exchange refuses the order. */
  readonly expiresAfterMillis?: number
}

/** Answer of every order write. `REJECTED` is an answer, not an error. */
export interface OrderUpdate {
  readonly timestamp: number
  readonly info: {
    readonly symbol: string
    readonly price: string
    readonly size: string
    readonly side: SideName
    /** Absent of an order that only adds liquidity. */
    readonly tif?: TifName
    readonly add_liquidity_only?: true
    readonly client_id: string | null
    readonly order_id: number | null
    readonly underlying: string | null
    readonly is_perp: boolean
    readonly reduce_only: boolean | null
    readonly mmp_enabled: boolean
  }
  readonly status: OrderStatusName
  readonly reason: string | null
  readonly reason_code: string | null
  readonly details: Readonly<Record<string, unknown>> | null
  readonly filled_size: number
  readonly order_id: number | null
  readonly wallet_address: string
  readonly mmp_triggered: boolean
  readonly seq: number
}

/** One item of a bulk answer. */
export interface BulkResult {
  readonly index: number
  readonly success: boolean
  readonly data: OrderUpdate | null
  readonly error?: string
  readonly code?: string
}

/** Answer of agent writes; `wallet` is the recovered owner: compare it, a wrong domain gives another one. */
export interface AgentAnswer {
  readonly success: boolean
  readonly error: null
  readonly wallet: string
}

export type MarginMode = 'standard' | 'portfolio'

/** POST /margin-mode. */
export interface MarginModeAnswer {
  readonly wallet: string
  readonly margin_mode: MarginMode
  readonly previous_mode: MarginMode
}

/** POST /self-trade-prevention. */
export interface SelfTradeAnswer {
  readonly wallet: string
  readonly mode: (typeof selfTradeModeNames)[number]
}

/** POST /liquidation/standard-margin: the share was won. */
export interface BidAnswer {
  readonly request_id: string
  readonly auction_id: string
  readonly liquidated_wallet: string
  readonly liquidator_wallet: string
}

/** Market-maker protection of a wallet in one underlying. */
export interface MmpConfig {
  readonly wallet_address: string
  readonly currency: string
  readonly interval_ms: number
  readonly frozen_time_ms: number
  readonly qty_limit: string | null
  readonly delta_limit: string | null
  readonly vega_limit: string | null
  readonly enabled: boolean
  readonly nonce: number | string
  readonly frozen: boolean
  /** null: not frozen, or frozen until a reset. */
  readonly frozen_until_ms: number | null
  readonly window: { readonly qty: string; readonly delta: string; readonly vega: string }
}

/** A listed perp. A perp that is listed again has another number. */
export interface PerpRow {
  readonly asset: number
  readonly underlying: string
  readonly symbol: string
}

/** GET /exchange-info, the part that signing needs. */
export interface ExchangeInfo {
  readonly chain_id: number
  readonly signing_domain: { readonly name: string; readonly version: string }
  readonly preset: string
  readonly perp_source: string
  readonly perps: readonly PerpRow[]
}

/** A row of GET /options-summary, the part that quoting needs. */
export interface OptionSummary {
  /** From 1 on. */
  readonly instrument_id: number
  readonly instrument_name: string
  readonly base_currency: string
  readonly expiration_timestamp: number
  readonly bid_price: number
  readonly ask_price: number
  /** 0: unknown. */
  readonly mark_price: number
  readonly theoretical_price: number
  readonly mark_iv: number
  readonly underlying_price: number
  readonly greeks: {
    readonly delta: number
    readonly gamma: number
    readonly vega: number
    readonly theta: number
    readonly rho: number
  }
}

/** GET /orderbook, the part that every market has. */
export interface OrderbookResult {
  readonly instrument_name: string
  readonly timestamp: number
  readonly state: string
  readonly change_id: number
  /** [price, size], best first. */
  readonly bids: readonly (readonly [number, number])[]
  readonly asks: readonly (readonly [number, number])[]
  readonly best_bid_price: number
  readonly best_ask_price: number
  readonly mark_price: number | null
  readonly index_price: number
}

/** A row of GET /orders. */
export interface OrderRow {
  readonly order_id: number
  readonly wallet_address: string
  readonly symbol: string
  readonly side: SideName
  readonly price: string
  readonly size: string
  /** Absent of an order that only adds liquidity. */
  readonly tif?: TifName
  readonly add_liquidity_only?: true
  readonly status: Lowercase<OrderStatusName>
  readonly created_at: number
  readonly filled_size: string
  readonly client_id: string | null
  readonly reason: string | null
}

/** A row of GET /fills. */
export interface FillRow {
  readonly fill_id: number
  readonly trade_id: number
  readonly order_id: number
  readonly wallet_address: string
  readonly symbol: string
  readonly side: SideName
  readonly price: string
  readonly size: string
  readonly fee: string
  readonly is_taker: boolean
  readonly timestamp: number
  readonly realized_pnl: string | null
}

/** A row of GET /trades. */
export interface TradeRow {
  readonly trade_id: number
  readonly symbol: string
  readonly price: string
  readonly size: string
  readonly taker_side: SideName
  readonly maker_address: string
  readonly taker_address: string
  readonly timestamp: number
}

/** A row of GET /settlement-payouts: one position that an expiry has settled. */
export interface PayoutRow {
  readonly id: number
  readonly wallet: string
  readonly symbol: string
  /** Unix seconds. */
  readonly expiry_ts: number
  /** Signed decimal text, contracts. */
  readonly position_size: string
  /** Payoff of one contract. */
  readonly settlement_price: string
  readonly settlement_value: string
  readonly settlement_entry_price: string | null
  readonly cost_basis: string | null
  readonly net_pnl: string | null
  readonly is_seen: boolean
  readonly created_at: number | null
  /** Settlement price of the underlying. */
  readonly underlying_price: string
  readonly fee: string
  /** What the value was lowered by, since others could not pay what they owed. */
  readonly borne: string
}

/** POST /settlement-payouts/seen: ids named, and how many of them are payouts of the wallet. */
export interface PayoutsSeenAnswer {
  readonly requested: number
  readonly affected: number
}

/** GET /portfolio. */
export interface Portfolio {
  readonly wallet_address: string
  readonly positions: readonly {
    readonly symbol: string
    /** Signed decimal text, contracts. */
    readonly amount: string
    readonly entry_price: string
    readonly realized_pnl: string
    readonly unrealized_pnl: string
  }[]
  readonly equity: string
  readonly total_margin_used: string
  readonly available_balance: string
  readonly margin_mode: string
}

/** GET /user-tier. */
export interface UserTier {
  readonly wallet_address: string
  readonly tier: string
  readonly limits: Readonly<Record<string, number>>
}

/** GET /liquidation/status. */
export interface LiquidationStatus {
  readonly wallet: string
  readonly state: 'healthy' | 'pre_liquidation' | 'in_liquidation' | 'liquidated'
  /** Grace, partial phase and auction wait, because a market of the wallet's positions is closed. */
  readonly timers_stand: boolean
  readonly liquidation_mode: 'partial' | 'full' | null
  readonly equity: string
  readonly mm_required: string
  readonly maintenance_margin: string
  readonly shortfall: string
  readonly partial_liquidation: {
    readonly entered_at: number
    readonly target_equity: string
    readonly escalation_deadline: number
    readonly active_order_request_ids: readonly string[]
    readonly bonus_bps: number
  } | null
  readonly full_liquidation: {
    readonly auction_id: string
    readonly request_id: string
    readonly current_required_bid_usdc: string | null
    readonly current_positions: readonly {
      readonly symbol: string
      readonly quantity: string
      readonly entry_price: string
    }[]
    readonly current_portfolio_hash: string
    readonly current_auction_terms_hash: string
    readonly current_auction_version: number
    readonly current_valuation_timestamp_ms: number
  } | null
}

/** A row of GET /liquidations and GET /liquidation/history. */
export interface LiquidationRow {
  readonly id: number
  readonly wallet: string
  readonly previous_state: string
  readonly new_state: string
  readonly liquidation_mode: string | null
  readonly equity: string
  readonly mm_required: string
  readonly shortfall: string
  readonly auction_id: string | null
  readonly winner_address: string | null
  readonly bonus: string | null
  readonly timestamp: number
}

/** Page of a list. */
export type PageQuery = { readonly limit?: number; readonly offset?: number }
