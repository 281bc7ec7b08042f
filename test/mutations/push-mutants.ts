import type { Mutant } from './mutant.js'

export const pushMutants: readonly Mutant[] = [
  {
    file: 'engine/state/accounts/push-table.ts',
    fault: 'an eleventh subscription is kept',
    original: 'kept.length === pushPerWalletMax',
    replacement: 'false',
  },
  {
    file: 'engine/state/accounts/push-table.ts',
    fault: 'the same endpoint stands twice',
    original: '(one) => one.endpoint !== endpoint',
    replacement: '() => true',
  },
  {
    file: 'engine/state/accounts/push-table.ts',
    fault: 'numbers of subscriptions are given a second time after a start',
    original: 'this.#made = reader.f64()',
    replacement: 'reader.f64()',
  },
  {
    file: 'engine/core/account/decide-push.ts',
    fault: 'a subscription that has come again goes with the word of the one before',
    original: '({ id }) => id === subscriptionId',
    replacement: '() => true',
  },
  {
    file: 'engine/core/account/decide-push.ts',
    fault: 'topics that a request does not name are set, too',
    original: '(topics & ~mask) === 0',
    replacement: 'true',
  },
]
