import { DomainStatus } from '../../schemas/domain.js'
import type { WithdrawalFigures } from '../operator/withdrawal-metrics.js'
import type { WithdrawalEntry } from '../wire/withdrawal-entry.js'

/** Counts withdrawals from durable events, and failures of the rail. */
export class WithdrawalTally {
  readonly #open = new Map<string, WithdrawalEntry>()
  readonly #delivered = { count: 0, micros: 0 }
  readonly #failed = { count: 0, micros: 0 }
  /** Failures of the rail or of its reports to the engine. */
  errors = 0
  retries = 0

  take(withdrawal: WithdrawalEntry): void {
    const { amountMicros, directiveId, domain } = withdrawal
    if (domain !== DomainStatus.Completed && domain !== DomainStatus.Failed) {
      this.#open.set(directiveId, withdrawal)
      return
    }
    this.#open.delete(directiveId)
    const ended = domain === DomainStatus.Completed ? this.#delivered : this.#failed
    ended.count++
    ended.micros += amountMicros
  }

  /** Returns the figures, without those of an accepted loss. */
  figures(): Omit<WithdrawalFigures, 'missing'> {
    const [pending, inTransit, stuck] = [0, 0, 0].map(() => ({ count: 0, micros: 0 }))
    let oldestMillis: number | null = null
    for (const { amountMicros, createdMillis, delivery, domain } of this.#open.values()) {
      const onItsWay = delivery === 0 ? pending! : inTransit!
      const sum = domain === DomainStatus.PendingManualReview ? stuck! : onItsWay
      sum.count++
      sum.micros += amountMicros
      oldestMillis = Math.min(oldestMillis ?? createdMillis, createdMillis)
    }
    const { errors, retries } = this
    const open = { pending: pending!, in_transit: inTransit!, stuck: stuck! }
    const ended = { delivered: { ...this.#delivered }, failed: { ...this.#failed } }
    return { open, ended, oldestMillis, errors, retries }
  }
}
