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

/** A delivery as it was written down last. */
export interface RecordedDelivery extends Delivery, DeliveryUpdate {}

/**
 * What brings withdrawn money to where it is to go. The engine has debited it when a delivery begins, and gives it back
 * only where the rail says that it will never arrive (`CoreRejected`, `Reverted`). So of one id a rail
 *
 * - begins one delivery, however often it is asked, in whatever process: it keeps a durable record of its own, and
 *   writes down that it begins before it does anything that cannot be taken back;
 * - says of it only what stands: once it has told a final status, it never tells another one;
 * - says `Expired` or `DeadLettered` where it does not know: then a person looks for the money, and tells the operator
 *   interface what was found.
 *
 * A rail for a chain keeps its keys, nonces and transactions to itself. It writes the signed transaction down before it
 * broadcasts it, so that a process that begins anew sends the same one, which the chain takes once.
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
  /** All that it has ever taken over: what a start holds the journal against. */
  deliveries(): Iterable<RecordedDelivery>
  /** Who hears of each step; durable in the rail's record when it is told. */
  follow(listener: (update: DeliveryUpdate) => void): void
  /** Nothing is told any more; deliveries under way go on when they are asked for again. */
  close(): Promise<void>
}
