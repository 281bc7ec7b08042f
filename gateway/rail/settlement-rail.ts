import type { DeliveryStatus } from '../../schemas/domain.js'
import type { Result } from '../../schemas/results.js'

/** A withdrawal that is to be delivered: what it says never changes. */
export interface Delivery {
  readonly directiveId: string
  /** Lower-case addresses: whose it was, and where it is to go. */
  readonly wallet: string
  readonly destination: string
  readonly amountMicros: number
  /** Sequence of the event that has told of it first: a journal that ends before it lacks the debit. */
  readonly seq: number
}

/** How far a delivery has come. */
export interface DeliveryUpdate {
  readonly directiveId: string
  readonly delivery: DeliveryStatus
  /** Lower-case hexadecimal text of 32 bytes; null: none is known. */
  readonly txHash: string | null
}

/** Takes a step. @returns once it is settled, whether the engine has journaled it. */
export type UpdateListener = (update: DeliveryUpdate) => Promise<boolean>

/** A delivery as it was written down last. */
export interface RecordedDelivery extends Delivery, DeliveryUpdate {}

/**
 * A path by which withdrawn money leaves. The engine has debited it when a delivery begins, and gives it back only when
 * the rail reports that it will never arrive (`CoreRejected`, `Reverted`). For each id a rail
 *
 * - begins one delivery, however often it is asked, in whatever process: it keeps a durable record of its own, and
 *   writes to it before it does anything that cannot be undone;
 * - reports `Broadcasted` and waits until the engine has journaled it, before it does anything that cannot be undone: so
 *   the journal knows what may have left, even if the record is lost;
 * - reports only what is final: it never reports two different final statuses;
 * - reports `Expired` or `DeadLettered` when it does not know: then a person finds out where the money is, and reports it
 *   on the operator interface.
 *
 * A rail for a chain keeps its keys, nonces and transactions to itself. It writes the signed transaction down before it
 * broadcasts it, so that a new process sends the same one, which the chain accepts once.
 */
export interface SettlementRail {
  /**
   * Whether something can be sent to an address just now, asked before the debit: `Accepted`, or one of
   * `WithdrawalDestinationInactive`, `WithdrawalDestinationModeUnsupported`, `WithdrawalPreflightUnavailable`,
   * `WithdrawalSourceUnavailable`. It promises nothing about the delivery.
   */
  preflight(destination: string): Promise<Result>
  /**
   * Takes a delivery over, or one that it has taken over already; what it has come to is told to whoever follows, again
   * if it was told before.
   * @returns once a crash no longer makes it forget that it has it. @throws Error: to be asked again later.
   */
  deliver(delivery: Delivery): Promise<void>
  /** How far a delivery has come; null: it was never taken over. */
  status(directiveId: string): DeliveryUpdate | null
  /** Deliveries that it has ever taken over: a start compares the journal with them. */
  deliveries(): Iterable<RecordedDelivery>
  /** Length of its record, which the journal notes. */
  readonly recordBytes: number
  /** Returns what has happened to the file of its record, as a sentence that names it; null: nothing. */
  fault(): string | null
  /** Sends each step to a listener once it is durable in the rail's record. */
  follow(listener: UpdateListener): void
  /** Nothing is told any more; deliveries under way go on when they are asked for again. */
  close(): Promise<void>
}
