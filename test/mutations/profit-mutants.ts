import type { Mutant } from './mutant.js'

const room = 'gateway/read-model/history'

/** Faults in what wallets have earned, which the history adds up. */
export const profitMutants: readonly Mutant[] = [
  {
    file: `${room}/profit-query.ts`,
    fault: 'what was withdrawn counts as realized',
    original: 'about === ProfitSource.Deposit || about === ProfitSource.Withdrawal',
    replacement: 'about === ProfitSource.Deposit',
  },
  {
    file: `${room}/profit-query.ts`,
    fault: 'whole days begin before the span',
    original: 'Math.ceil(fromMillis / intervalMillis)',
    replacement: 'Math.floor(fromMillis / intervalMillis)',
  },
  {
    file: `${room}/profit-query.ts`,
    fault: 'whole days end behind the span',
    original: 'Math.floor(toMillis / intervalMillis)',
    replacement: 'Math.ceil(toMillis / intervalMillis)',
  },
  {
    file: `${room}/profit-points.ts`,
    fault: 'net deposits are taken off',
    original: 'depositedMicros += one.realizedMicros',
    replacement: 'depositedMicros -= one.realizedMicros',
  },
  {
    file: `${room}/profit-points.ts`,
    fault: 'equity leaves out what positions would bring',
    original: 'gainedMicros += one.realizedMicros + unrealizedMicros',
    replacement: 'gainedMicros += one.realizedMicros',
  },
  {
    file: `${room}/profit-points.ts`,
    fault: 'all that a symbol has brought leaves out its position',
    original: 'unrealizedMicros, realizedMicros + unrealizedMicros',
    replacement: 'unrealizedMicros, realizedMicros',
  },
  {
    file: `${room}/profit-points.ts`,
    fault: 'what happens at a border counts before it',
    original: '.millis >= millis; next++',
    replacement: '.millis > millis; next++',
  },
  {
    file: `${room}/profit-sums.ts`,
    fault: 'a sum of five minutes is taken for one of its day',
    original: 'startOf(millis, longMillis)',
    replacement: 'startOf(millis, bucketIntervals[0])',
  },
  {
    file: `${room}/profit-sums.ts`,
    fault: 'a fill brings what it has cost in fees',
    original: "realized: 'realized_micros - fee_micros'",
    replacement: "realized: 'realized_micros + fee_micros'",
  },
  {
    file: `${room}/old-rows.ts`,
    fault: 'sums of five minutes go before points of an hour need them no more',
    original: "Math.max(keepMillis, theoBucketsKept * theoIntervalMillis['1h'])",
    replacement: 'keepMillis',
  },
  {
    file: `${room}/old-rows.ts`,
    fault: 'what old days have brought is forgotten',
    original: 'this.#old.all(values)',
    replacement: '[]',
  },
]
