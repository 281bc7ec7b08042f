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

/** Takes a step. @returns once it is settled, whether the engine has journaled it. */
export type UpdateListener = (update: DeliveryUpdate) => Promise<boolean>

/** Delivery with its latest recorded progress. */
export interface RecordedDelivery extends Delivery, DeliveryUpdate {}

/**
 * A path by which withdrawn money leaves. The engine has debited it when a delivery begins, and gives it back only when
 * the rail reports that it will never arrive (`CoreRejected`, `Reverted`). For each id a rail
 *
 * - begins one delivery, however often and by whichever process it is requested: it has a durable record, and writes to
 *   it before it does anything that cannot be undone;
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
   * Returns, before the debit, whether an address can receive money now: `Accepted`, or one of
   * `WithdrawalDestinationInactive`, `WithdrawalDestinationModeUnsupported`, `WithdrawalPreflightUnavailable`,
   * `WithdrawalSourceUnavailable`. This is no promise about the delivery.
   */
  preflight(destination: string): Promise<Result>
  /**
   * Takes over a delivery, and sends its progress to the listener. For a delivery that it has already, it sends the
   * progress again.
   * @returns once the delivery is durable in the record. @throws Error if the caller must retry later.
   */
  deliver(delivery: Delivery): Promise<void>
  /** Returns the progress of a delivery; null: the rail never took it over. */
  status(directiveId: string): DeliveryUpdate | null
  /** Returns all deliveries that it ever took over, which a start compares with the journal. */
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
