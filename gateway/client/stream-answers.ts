import type {
  CancelAllAnswer,
  CancelOnDisconnectAnswer,
  DeadManAnswer,
  OrderStatusName,
} from '../wire/wire-types.js'

// What the stream tells by itself, and answers.

/** A message of the stream; `type` names it. */
export interface StreamMessage {
  readonly type: string
  readonly [field: string]: unknown
}

/** Answer of an order, a replacement or a cancel over the stream. */
export interface OrderResult extends StreamMessage {
  readonly order_id: number | null
  readonly status: OrderStatusName
  readonly nonce: number | string
  readonly reason?: string
  readonly reason_code?: string | null
  readonly filled_size?: string
}

/** Answer of a CancelAll over the stream. */
export type CancelAllResult = StreamMessage & CancelAllAnswer
/** Answer of a SetDeadMan. */
export type DeadManResult = StreamMessage & DeadManAnswer
/** Answer of a SetCancelOnDisconnect. */
export type CancelOnDisconnectResult = StreamMessage & CancelOnDisconnectAnswer

/** How a request for quote has begun, or goes on. */
export interface RfqStatusUpdate extends StreamMessage {
  readonly rfq_id: string
  readonly status: string
  readonly reason?: string | null
  readonly reason_code?: string | null
}

/** Answer of an AcceptRfqQuote. */
export interface RfqAcceptResult extends StreamMessage {
  readonly rfq_id: string
  readonly quote_id: string
  readonly status: 'executed' | 'failed'
  readonly fill_id: string | null
  readonly reason?: string | null
  readonly reason_code?: string | null
}
