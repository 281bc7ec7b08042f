import type { DeliveryStatus } from '../../schemas/domain.js'
import type { Result } from '../../schemas/results.js'

/** Withdrawal to deliver; its terms never change. */
export interface Delivery {
  readonly directiveId: string
  /** Lower-case addresses of the owner and of the destination. */
  readonly wallet: string
  readonly destination: string
  readonly amountMicros: number
  /** Sequence of its first event: a journal that ends before it lacks the debit. */
  readonly seq: number
}

/** Progress of a delivery. */
export interface DeliveryUpdate {
  readonly directiveId: string
  readonly delivery: DeliveryStatus
  /** Lower-case hexadecimal text of 32 bytes; null: unknown. */
  readonly txHash: string | null
}

/** Receives a step. @returns true if the engine has journaled it, once that is settled. */
export type UpdateListener = (update: DeliveryUpdate) => Promise<boolean>

/** Delivery with its latest recorded progress. */
export interface RecordedDelivery extends Delivery, DeliveryUpdate {}

/**
 * Path by which withdrawn money leaves. The engine debits the money before a delivery begins. It returns the money only
 * if the rail reports that it will never arrive (`CoreRejected`, `Reverted`). For each id a rail
 *
 * - begins one delivery, no matter how often and by which process it is requested: it has a durable record, and writes
 * to
 *   it before it does anything that cannot be undone;
 * - reports `Broadcasted` and waits until the engine has journaled it, before it does anything that cannot be undone:
 * so
 *   the journal knows what may have left, even if the record is lost;
 * - never reports two different final statuses;
 * - reports `Expired` or `DeadLettered` if it does not know: then a person finds out where the money is, and reports it
 *   on the operator interface.
 *
 * A rail for a chain keeps its keys, nonces and transactions to itself. It stores the signed transaction before it
 * broadcasts it, so that a new process sends the same one, which the chain accepts once.
 */
export interface SettlementRail {
  /**
   * Checks before the debit that an address can receive money now. Returns `Accepted`, or one of
   * `WithdrawalDestinationInactive`, `WithdrawalDestinationModeUnsupported`, `WithdrawalPreflightUnavailable`,
   * `WithdrawalSourceUnavailable`. The delivery may still fail.
   */
  preflight(destination: string): Promise<Result>
  /**
   * Takes over a delivery, and sends its progress to the listener. Sends the progress again if it already has the
   * delivery.
   * @returns once the delivery is durable in the record. @throws Error if the caller must retry later.
   */
  deliver(delivery: Delivery): Promise<void>
  /** Returns the progress of a delivery; null: the rail never took it over. */
  status(directiveId: string): DeliveryUpdate | null
  /** Returns all deliveries that it ever took over. A start compares them with the journal. */
  deliveries(): Iterable<RecordedDelivery>
  /** Length of its record; the journal notes it. */
  readonly recordBytes: number
  /** Returns the fault of the record's file as a sentence with its name; null: none. */
  fault(): string | null
  /** Sends each step to a listener once it is durable in the rail's record. */
  follow(listener: UpdateListener): void
  /** Stops reporting. Open deliveries continue when they are requested again. */
  close(): Promise<void>
}
