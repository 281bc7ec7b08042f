import type { AnyCommand } from '../../schemas/generated/commands.js'
import type { Result } from '../../schemas/results.js'
import type { AdmissionWitness } from '../risk/admission-witness.js'
import type { MarginVerdict, OrderCheck } from '../risk/order-check.js'
import type { Batch } from './batch.js'

/** A new order while it is judged: what margin is asked, and what it said. */
export interface JudgedNew {
  readonly check: OrderCheck
  readonly verdict: MarginVerdict
}

/** Looks on while signed commands are decided, each in the state that it is decided in. It changes nothing of it. */
export interface DecisionWitness extends AdmissionWitness {
  /** A command is looked at: who has signed it, and with which nonce. @param account -1: its wallet has none. */
  comes(command: AnyCommand, account: number): void
  /** It repeats what was accepted, to the letter, or has the nonce of an earlier item of its bulk. */
  repeats(): void
  /** The order that a ticket asks for is judged, the first time or once more. */
  begins(batch: Batch, ticket: number, order: JudgedNew): void
  /** It is judged: nothing has been changed yet. @param oldNamed why the order that it replaces cannot give way. */
  ends(batch: Batch, ticket: number, oldNamed: Result, result: Result): void
  /** It was accepted, and works in this slot. */
  starts(batch: Batch, ticket: number, slot: number): void
  /** A ticket is refused, by the core or its matcher. */
  refuses(batch: Batch, ticket: number, result: Result): void
}
