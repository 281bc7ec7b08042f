import type {
  marginModeNames,
  optionTifNames,
  orderStatusNames,
  routeNames,
  sideNames,
  tifNames,
} from './domain.js'

// Names of the interface, and terms of requests before signing. Decimals are texts.

export type SideName = (typeof sideNames)[number]
export type TifName = (typeof tifNames)[number]
export type OptionTifName = (typeof optionTifNames)[number]
export type PerpTifName = Exclude<TifName, 'fok'>
export type RouteName = (typeof routeNames)[number]
export type OrderStatusName = Exclude<(typeof orderStatusNames)[number], ''>
export type MarginMode = (typeof marginModeNames)[number]

/** Terms of a new order. */
export interface OrderTerms {
  readonly symbol: string
  readonly side: SideName
  /** Decimal text, contracts. */
  readonly size: string
  /** Decimal text, USD per contract, at most 5 significant figures. */
  readonly price: string
  readonly tif?: OptionTifName
  /** Default `book_only`; `null` omits it, which means `best_execution`. */
  readonly route?: RouteName | null
  readonly clientId?: string
  readonly reduceOnly?: boolean
  readonly mmpEnabled?: boolean
  readonly builderCodeAddress?: string
}

/** Terms of a replacement: the order to replace, and the new order, which trades on the book only. */
export interface ReplaceTerms extends Omit<OrderTerms, 'route'> {
  readonly orderId: number
}

/** Terms of a new order of a perp. */
export interface PerpOrderTerms {
  /** Asset number of the perp: `perps` of GET /exchange-info. */
  readonly asset: number
  readonly side: SideName
  /** Canonical decimal text, without leading or trailing zeros; signed as it is. */
  readonly size: string
  /** Canonical decimal text, USD per contract, at most 5 significant figures. */
  readonly price: string
  /** `alo` only rests: if it would trade, it is `REJECTED` with `post_only_would_trade`. Default `gtc`. */
  readonly tif?: PerpTifName
  /** `0x` and 32 hexadecimal digits. */
  readonly clientId?: string
  readonly reduceOnly?: boolean
  /** Unix milliseconds after which the order fails. */
  readonly expiresAfterMillis?: number
}

/** Time range, from its first millisecond to the one before its end. */
export type SpanQuery = { readonly from_ts_ms?: number; readonly to_ts_ms?: number }

/** Page of a list. */
export type PageQuery = { readonly limit?: number; readonly offset?: number }

/** Leg of a request for quote, as its taker trades it. */
export interface RfqLegTerms {
  readonly instrument: string
  readonly side: SideName
  /** Decimal text, contracts. */
  readonly size: string
}

/** Terms of a request for quote. */
export interface RfqTerms {
  /** UUID chosen by the client; it works once. */
  readonly rfqId: string
  /** One to ten, of distinct instruments of one underlying. */
  readonly legs: readonly RfqLegTerms[]
  /**
   * Decimal text, USD for all legs: the first quote within it executes at once. Above 0 it is the highest cost, or the
   * lowest proceeds if the first leg sells; below 0 it is the net premium itself.
   */
  readonly autoAcceptLimit?: string
}

/** Terms of an acceptance. */
export interface RfqAcceptTerms {
  readonly rfqId: string
  readonly quoteId: string
  /** `net_premium` of the quote, as received. */
  readonly netPremium: string
}
