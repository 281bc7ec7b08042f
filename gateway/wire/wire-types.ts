import type {
  deliveryStatusNames,
  domainStatusNames,
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

/** POST /order/debug, and `details` of what is refused for its signature: what was hashed, and whom it recovers to. */
export interface SignatureView {
  readonly layout: string
  readonly fields: Readonly<Record<string, string>>
  readonly digest: string
  /** null: the signature recovers to nobody. */
  readonly recovered_address: string | null
  readonly domain: { readonly name: string; readonly version: string; readonly chain_id: string }
  readonly is_wallet: boolean
  /** The layout that the wallet has signed in its place, with a route or without one. */
  readonly matches_other_layout: string | null
}

/** From the first millisecond of a span to the first one behind it. */
export type SpanQuery = { readonly from_ts_ms?: number; readonly to_ts_ms?: number }

/** GET /username. */
export interface UsernameAnswer {
  readonly wallet_address: string
  readonly username: string
}

/** GET /profile; amounts are decimal texts of USD. */
export interface Profile {
  readonly wallet: string
  readonly account_wallet: string
  /** Of a wallet without a name its address, cut short. */
  readonly username: string
  readonly account_first_seen_ts_ms: number | null
  readonly account_age_days: number | null
  readonly margin: {
    readonly in_use: string
    readonly available: string
    readonly total: string
    readonly deposits: string
    readonly withdraws: string
  }
  readonly pnl: {
    readonly unrealized: string
    readonly pnl_24h: string
    readonly lifetime_realized: string
  }
}

/** A row of GET /profile/realized-pnl. */
export interface RealizedPnlRow {
  readonly symbol: string
  readonly realized_pnl: string
  readonly event_count: number
}

/** GET /profile/historical-pnl. */
export interface HistoricalPnl {
  readonly wallet_address: string
  readonly interval: string
  readonly points: readonly {
    readonly timestamp: number
    readonly equity: string
    readonly net_deposits: string
    /** By symbol: position, entry price, realized, unrealized, total. */
    readonly attribution?: Readonly<Record<string, readonly number[]>>
  }[]
}

/** POST /submitUsernameRequest. */
export interface UsernameRequestAnswer {
  readonly wallet_address: string
  /** As it is shown: in lower case. */
  readonly requested_username: string
  readonly status: 'approved' | 'pending'
}

/** POST /cancel-all. */
export interface CancelAllAnswer {
  readonly wallet: string
  readonly scope: string
  /** Orders that it has ended. */
  readonly canceled: number
}

/** POST /withdraw/usdc: the money is on its way. */
export interface WithdrawalAnswer {
  readonly success: true
  readonly request_id: string
  /** To be asked for with GET /v1/directives/{id}. */
  readonly directive_id: string
  readonly domain_status: (typeof domainStatusNames)[number]
  readonly delivery_status: (typeof deliveryStatusNames)[number]
  /** Cash behind it. */
  readonly balance_after: string
  readonly message: string
  readonly seq: number
}

/** POST /dead-man. */
export interface DeadManAnswer {
  readonly wallet: string
  readonly timeout_ms: number
  /** Engine time, milliseconds, if the wallet does nothing meanwhile; null: there is no timer. */
  readonly fires_at: number | null
}

/** What a wallet is notified of. */
export interface PushPreferences {
  readonly fills: boolean
  readonly liquidations: boolean
  readonly settlements: boolean
}

/** POST /push/subscribe, with its endpoint, and POST /push/preferences. */
export interface PushAnswer {
  readonly wallet: string
  readonly preferences: PushPreferences
}

/** POST /push/unsubscribe: how many subscriptions it has ended. */
export interface UnsubscribeAnswer {
  readonly wallet: string
  readonly removed: number
}

/** POST /referrals/code. */
export interface ReferralCodeAnswer {
  /** As it is kept: in capitals. */
  readonly code: string
  readonly owner_wallet: string
  readonly created_at: string
}

/** POST /referrals/set-referrer. */
export interface ReferrerAnswer {
  readonly referred_wallet: string
  readonly referrer_wallet: string
}

/** A wallet that another has brought here. */
export interface ReferredRow {
  readonly referred_wallet: string
  /** Decimal text: what its fills were of their underlyings, so far. */
  readonly volume_usd: string
}

/** SetCancelOnDisconnect, over the stream alone. */
export interface CancelOnDisconnectAnswer {
  readonly wallet: string
  /** As signed. */
  readonly enabled: boolean
  /** Whether the wallet's orders end with the connection that asked: a repeat binds no other than the first one. */
  readonly bound: boolean
}

/** POST /liquidation/standard-margin: the share was won. */
export interface BidAnswer {
  readonly request_id: string
  readonly auction_id: string
  readonly liquidated_wallet: string
  readonly liquidator_wallet: string
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

/** POST /settlement-payouts/seen: ids named, and how many of them are payouts of the wallet. */
export interface PayoutsSeenAnswer {
  readonly requested: number
  readonly affected: number
}

/** A leg of a package, as its taker trades it. */
export interface RfqLegTerms {
  readonly instrument: string
  readonly side: SideName
  /** Decimal text, contracts. */
  readonly size: string
}

/** What a request for quote says, before it is signed. */
export interface RfqTerms {
  /** UUID of the client's own; it works once. */
  readonly rfqId: string
  /** One to ten, of distinct instruments of one underlying. */
  readonly legs: readonly RfqLegTerms[]
  /**
   * Decimal text, USD for the package: then the first quote within it is executed at once. Above 0 it is the most that
   * is paid, or the least that is got where the first leg sells; below 0 the net premium itself.
   */
  readonly autoAcceptLimit?: string
}

/** What an acceptance says, before it is signed. */
export interface RfqAcceptTerms {
  readonly rfqId: string
  readonly quoteId: string
  /** `net_premium` of the quote, as it was told. */
  readonly netPremium: string
}

/** Answer of POST /rfq/accept. `failed` is an answer, not an error. */
export interface RfqAcceptAnswer {
  readonly rfq_id: string
  readonly quote_id: string
  readonly status: 'executed' | 'failed'
  /** Text of the trade of the first leg; '' where nothing was traded. */
  readonly fill_id: string
  readonly reason?: string | null
  readonly reason_code?: string | null
  readonly seq: number
}

/** Page of a list. */
export type PageQuery = { readonly limit?: number; readonly offset?: number }

/** POST /v1/actions/{actionKey}. */
export interface DirectiveAnswer {
  /** The engine answers at once, so an accepted action is `submitted`. */
  readonly stage: 'rejected' | 'submitted'
  /** For GET /v1/directives/{directiveId}. */
  readonly directiveId: string
  readonly actionKey: string
  readonly account: string
  readonly nonce: number | string
  readonly recoveredSigner: string
  readonly txHash: null
  readonly rejection: { readonly code: string; readonly message: string } | null
  /** Of an accepted order: what traded at once; null of all else. */
  readonly fills: readonly DirectiveFill[] | null
  /** Of the order that is placed or cancelled, if there is one. */
  readonly orderId?: number
  readonly orderStatus?: OrderStatusName
  readonly seq: number
}

export interface DirectiveFill {
  /** The underlying. */
  readonly coin: string
  readonly side: SideName
  readonly size: string
  readonly price: string
  /** Unix milliseconds. */
  readonly time: number
}
