import { microsToNumber } from '../../schemas/decimal.js'
import { alone, by, type Metric, metric } from './metric-text.js'

interface CountedMicros {
  readonly count: number
  readonly micros: number
}

/** How the venue's withdrawals stand. */
export interface WithdrawalFigures {
  /** Debited: unheard of yet, on their way, or waiting for somebody who looks. */
  readonly open: Readonly<Record<'pending' | 'in_transit' | 'stuck', CountedMicros>>
  /** Since the start: arrived, or given back. */
  readonly ended: Readonly<Record<'delivered' | 'failed', CountedMicros>>
  /** Engine time at which the oldest of the open ones was debited; null: there is none. */
  readonly oldestMillis: number | null
  readonly errors: number
  readonly retries: number
  /** Delivered, or on their way, with a debit that an accepted loss has taken from the journal. */
  readonly missing: CountedMicros
}

/** Of withdrawals, one metric a row; shown at 0 too: what an alarm of the operator's own hangs on. */
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
