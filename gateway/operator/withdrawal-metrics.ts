import { microsToNumber } from '../../schemas/decimal.js'
import { alone, by, type Metric, metric } from './metric-text.js'

interface CountedMicros {
  readonly count: number
  readonly micros: number
}

/** Totals of the venue's withdrawals. */
export interface WithdrawalFigures {
  /** Debited: not yet sent, in transit, or stuck until an operator resolves them. */
  readonly open: Readonly<Record<'pending' | 'in_transit' | 'stuck', CountedMicros>>
  /** Since the start: delivered or refunded. */
  readonly ended: Readonly<Record<'delivered' | 'failed', CountedMicros>>
  /** Engine time at which the oldest open one was debited; null if there is none. */
  readonly oldestMillis: number | null
  readonly errors: number
  readonly retries: number
  /** Sent or delivered withdrawals whose debit an accepted loss has removed from the journal. */
  readonly missing: CountedMicros
}

/** Returns the metrics of withdrawals. Includes samples of 0, because alerts depend on them. */
export function withdrawalMetrics(
  figures: () => WithdrawalFigures,
  nowMillis: () => number,
): readonly Metric[] {
  return [
    metric(
      'withdrawals',
      'Withdrawals that have not ended; stuck: the operator has to settle them',
      () => by('state', counts(figures().open)),
    ),
    metric('withdrawals_usd', 'Amount of withdrawals that have not ended', () =>
      by('state', amounts(figures().open)),
    ),
    metric('withdrawals_ended_total', 'Withdrawals that have arrived or were refunded', () =>
      by('result', counts(figures().ended)),
    ),
    metric('withdrawals_ended_usd_total', 'Amount of withdrawals that have ended', () =>
      by('result', amounts(figures().ended)),
    ),
    metric('withdrawals_oldest_seconds', 'Age of the oldest withdrawal that has not ended', () => {
      const { oldestMillis } = figures()
      return alone(oldestMillis === null ? 0 : Math.max(0, nowMillis() - oldestMillis) / 1000)
    }),
    metric('rail_errors_total', 'Failures and refusals of the settlement rail', () =>
      alone(figures().errors),
    ),
    metric('rail_retries_total', 'Retries of deliveries and of their reports', () =>
      alone(figures().retries),
    ),
    metric(
      'withdrawals_missing',
      'Delivered withdrawals whose debit an accepted loss removed',
      () => alone(figures().missing.count),
    ),
    metric(
      'withdrawals_missing_usd',
      'Amount of these withdrawals, which their wallets have again',
      () => alone(microsToNumber(figures().missing.micros)),
    ),
  ]
}

function counts(of: Readonly<Record<string, CountedMicros>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(of).map(([name, { count }]) => [name, count]))
}

function amounts(of: Readonly<Record<string, CountedMicros>>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(of).map(([name, { micros }]) => [name, microsToNumber(micros)]),
  )
}
