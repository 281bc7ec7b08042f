import type { AnyCommand } from '../../schemas/generated/commands.js'
import type { Result } from '../../schemas/results.js'
import type { AdmissionTrace } from '../risk/admission-trace.js'
import type { MarginVerdict, OrderCheck } from '../risk/order-check.js'
import type { Batch } from './batch.js'

/** Margin request and verdict of a new order that is being decided. */
export interface JudgedNew {
  readonly check: OrderCheck
  readonly verdict: MarginVerdict
}

/** Records signed commands while they are decided, in the state of that moment. It changes nothing. */
export interface DecisionTrace extends AdmissionTrace {
  /**
   * Called when a command arrives, with its signer and nonce unchecked.
   * @param account -1 if the wallet has none.
   */
  onCommand(command: AnyCommand, account: number): void
  /** The command is a duplicate of an accepted one, or has the nonce of an earlier item of its bulk. */
  onDuplicate(): void
  /** The check of a ticket's order begins, for the first time or again. */
  onChecksBegin(batch: Batch, ticket: number, order: JudgedNew): void
  /**
   * The check has ended; nothing has changed yet.
   * @param oldNamed the error if the order to replace cannot be replaced.
   */
  onChecksEnd(batch: Batch, ticket: number, oldNamed: Result, result: Result): void
  /** The order was accepted, and works in this slot. */
  onAccepted(batch: Batch, ticket: number, slot: number): void
  /** The core or its matcher rejected a ticket. */
  onRejected(batch: Batch, ticket: number, result: Result): void
}
