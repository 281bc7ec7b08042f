import type { Mutant } from './mutant.js'

export const settlementMutants: readonly Mutant[] = [
  {
    file: 'engine/lifecycle/liquidation-transitions.ts',
    fault: 'orders of a cleared wallet wait for the check to come round to it',
    original: 'if (state.accounts.workingOrders[account] > 0)',
    replacement: 'if (false)',
  },
  {
    file: 'engine/lifecycle/liquidate.ts',
    fault: 'a cleared wallet that has traded since is not judged again',
    original: '!isBurdened(state, account)',
    replacement: 'true',
  },
  {
    file: 'engine/lifecycle/liquidate.ts',
    fault: 'orders of a debtor outlive the step that has cleared it',
    original: ' || state.safety.purges.length > 0',
    replacement: '',
  },
  {
    file: 'engine/lifecycle/payoff.ts',
    fault: 'an option out of the money costs whoever holds it',
    original: 'return Math.max(0, gain)',
    replacement: 'return gain',
  },
  {
    file: 'engine/lifecycle/payoff.ts',
    fault: 'the fee is the greater of rate and cap',
    original: 'byPrice < byPayoff ? byPrice : byPayoff',
    replacement: 'byPrice < byPayoff ? byPayoff : byPrice',
  },
  {
    file: 'engine/lifecycle/payouts.ts',
    fault: 'who owes is paid first',
    original: 'if (owedMicros <= 0) {',
    replacement: 'if (owedMicros > 0) {',
  },
  {
    file: 'engine/lifecycle/payouts.ts',
    fault: 'a fee becomes a loss that others bear',
    original: 'isLast ? Math.max(0, cashAfterMicros) : Number.POSITIVE_INFINITY',
    replacement: 'Number.POSITIVE_INFINITY',
  },
  {
    file: 'engine/lifecycle/payouts.ts',
    fault: 'what nobody paid is taken from nobody',
    original: 'const borneMicros = Number(upTo - row.borneMicros)',
    replacement: 'const borneMicros = 0',
  },
  {
    file: 'engine/lifecycle/payouts.ts',
    fault: 'what is lent may be more than what the other side is paid',
    original: 'const lentMicros = Math.min(wantedMicros, most)',
    replacement: 'const lentMicros = wantedMicros',
  },
  {
    file: 'engine/state/market/settlement-table.ts',
    fault: 'the first account is passed over',
    original: 'row.accountNext = 0',
    replacement: 'row.accountNext = 1',
  },
  {
    file: 'engine/state/market/index-samples.ts',
    fault: 'an observation of the sample’s own second counts for the next one',
    original: 'kept[next].fromMillis <= sampleMillis',
    replacement: 'kept[next].fromMillis < sampleMillis',
  },
  {
    file: 'engine/lifecycle/estimators.ts',
    fault: 'half a micro of a mean is always rounded up',
    original: '(twice === divisor && floor % 2 !== 0)',
    replacement: 'twice === divisor',
  },
]
