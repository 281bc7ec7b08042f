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
    metric('withdrawals', 'Withdrawals without an end; stuck: say what became of them', () =>
      by('state', counts(figures().open)),
    ),
    metric('withdrawals_usd', 'What they come to', () => by('state', amounts(figures().open))),
    metric('withdrawals_ended_total', 'Withdrawals that have arrived, or were given back', () =>
      by('result', counts(figures().ended)),
    ),
    metric('withdrawals_ended_usd_total', 'What they come to', () =>
      by('result', amounts(figures().ended)),
    ),
    metric('withdrawals_oldest_seconds', 'Age of the oldest withdrawal without an end', () => {
      const { oldestMillis } = figures()
      return alone(oldestMillis === null ? 0 : Math.max(0, nowMillis() - oldestMillis) / 1000)
    }),
    metric('rail_errors_total', 'What the settlement rail failed at, and what it was refused', () =>
      alone(figures().errors),
    ),
    metric('rail_retries_total', 'Further attempts at a delivery, or at telling of it', () =>
      alone(figures().retries),
    ),
    metric('withdrawals_missing', 'Withdrawals sent away whose debit an accepted loss took', () =>
      alone(figures().missing.count),
    ),
    metric('withdrawals_missing_usd', 'What their wallets have once more', () =>
      alone(microsToNumber(figures().missing.micros)),
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
