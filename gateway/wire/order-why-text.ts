import { Result } from '../../schemas/results.js'
import type { OrderStatusName } from './wire-types.js'

/** Refusals of a signature or a window: nothing of them is an order, but `GET /orders/why` tells of them. */
export const refusedAtTheDoor = [
  Result.SignatureFailed,
  Result.Unauthorized,
  Result.RateLimitExceeded,
] as const

/**
 * Microseconds that one order spent in each stage, in their order; null: not measured. Where all are known they add up to
 * the total.
 */
export interface OrderStages {
  /** From the moment that its request was there: its fields read, its digest worked out. */
  readonly socket_micros: number | null
  /** Its signer recovered, standing and window looked at, its command written; of a bulk, of all its items. */
  readonly recovery_micros: number | null
  /** In the ring to the core, until a batch began. */
  readonly ring_micros: number | null
  /** Until the commands of its batch were all decided. */
  readonly batch_micros: number | null
  /** Until the matchers had answered, and all of the batch was applied and told. */
  readonly match_micros: number | null
  /** Until its batch was durable; null with durability `memory`, where nobody waits for that. */
  readonly flush_micros: number | null
  /** Until its answer had left the gateway. */
  readonly pump_micros: number | null
  readonly total_micros: number | null
}

/** The batch that decided an order. */
export interface OrderBatch {
  readonly number: number
  /** Sequences of its first and last event. */
  readonly first_seq: number
  readonly last_seq: number
  /** Commands that it decided, the items of bulks one by one. */
  readonly commands: number
  /** How many of them were answered up to this one. */
  readonly place: number
  /** Its engine time, milliseconds. */
  readonly time: number
}

/** Another command of the same batch. */
export interface BatchNeighbour {
  readonly seq: number
  readonly place: number
  readonly order_id: number | null
  readonly action: string | null
  /** Which gateway had it; null: the operator. */
  readonly gateway: number | null
  readonly status: OrderStatusName | null
}

/** The check that refused an order. */
export interface FailedCheck {
  /** As `reason_code` of the answer. */
  readonly name: string
  /** What the wallet had, and what it would have had to have, where the check compares two amounts. */
  readonly has: string | number | null
  readonly needs: string | number | null
  /** All values that the engine has told. */
  readonly details: Readonly<Record<string, unknown>> | null
  /** Why there are no values. */
  readonly note: string | null
}

/** The shock that bound a refused margin check, as the model's table has it. */
export interface BindingScenario {
  readonly kind: string
  readonly id: string
  /** Fractions: -0.4 is 40 % down. */
  readonly spot_shift: number
  readonly vol_shift: number
  readonly skew: number
  readonly kurtosis: number
  readonly weight: number
  /** What the wallet's book in the underlying loses by it with the order working, before the weight: decimal text. */
  readonly loss: string
}

/** What a refused margin check was bound by. */
export interface BindingMargin {
  readonly model: 'standard' | 'defined_risk' | 'portfolio'
  /** null: the model has none. */
  readonly scenario: BindingScenario | null
  /** As `details.bound_by` of the answer. */
  readonly binding: string | null
}

/** `data` of GET /orders/why. */
export interface OrderWhy {
  /** null: none was made. */
  readonly order_id: number | null
  /** null, as the nonce: it was asked for by its id, which says nothing of whose it is. */
  readonly wallet: string | null
  readonly nonce: number | string | null
  /** Struct that was signed, of orders of perps that of an option's. */
  readonly action: string | null
  readonly symbol: string | null
  /** That its answer carried; null: there is none yet, or the gateway refused it alone. */
  readonly seq: number | null
  /** As its answer said; of an order that only the store knows, as it is now. */
  readonly status: OrderStatusName | 'IN_FLIGHT'
  readonly reason: string | null
  /** `store`: from before the start, or too old, so that nothing of it is measured. */
  readonly source: 'measured' | 'store'
  readonly gateway: number | null
  /** Engine time, milliseconds. */
  readonly received_at: number | null
  readonly stages: OrderStages
  readonly batch: OrderBatch | null
  /** Up to five before it and five behind. */
  readonly neighbours: readonly BatchNeighbour[]
  readonly check: FailedCheck | null
  readonly margin: BindingMargin | null
}
