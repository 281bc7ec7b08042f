import type { DeliveryStatus, DomainStatus } from '../../schemas/domain.js'

/** Withdrawal, from its latest event. */
export interface WithdrawalEntry {
  readonly directiveId: string
  /** Lower-case addresses. */
  readonly wallet: string
  readonly destination: string
  readonly amountMicros: number
  readonly createdMillis: number
  readonly domain: DomainStatus
  readonly delivery: DeliveryStatus
  /** Sequence of that event. */
  readonly seq: number
}
