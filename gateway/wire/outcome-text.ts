import type { OrderStatusName, SideName } from './wire-types.js'

/** What an accepted order, replacement or cancel has come to, as its repeat would be answered. */
export interface OrderOutcomeText {
  readonly status: OrderStatusName
  readonly order_id: number | null
  /** Canonical; '' where it is unknown. */
  readonly symbol: string
  readonly side: SideName
  /** Decimal texts. */
  readonly price: string
  readonly size: string
  readonly filled_size: string
  readonly client_id: string | null
  readonly reason: string | null
  readonly reason_code: string | null
  readonly mmp_triggered: boolean
}

/** How much of a wallet's past is kept. */
export interface KeptText {
  /** Accepted actions whose outcomes are kept: the latest ones. */
  readonly count: number
  readonly max: number
  /** Engine time of the oldest of them in milliseconds; null: there is none. */
  readonly oldest_ms: number | null
  /** Whether these are all that the wallet ever had accepted. Else what is older than `oldest_ms` is forgotten. */
  readonly is_complete: boolean
}

/** `data` of GET /actions/outcome. */
export interface ActionOutcome {
  readonly wallet: string
  readonly digest: string
  /**
   * `accepted`; `in_flight`: accepted, and the order waits for quotes just now; `unknown`: not accepted so far, or
   * forgotten, which `kept` tells.
   */
  readonly status: 'accepted' | 'in_flight' | 'unknown'
  /** Struct that was signed, of orders of perps that of an option's; null: unknown. */
  readonly action: string | null
  readonly nonce: number | string | null
  /** Engine time of the outcome, milliseconds. */
  readonly timestamp: number | null
  /** Sequence of its answer. */
  readonly seq: number | null
  /** Of an action that is about no order what else its answer says. */
  readonly outcome: OrderOutcomeText | Readonly<Record<string, unknown>> | null
  readonly kept: KeptText
}
