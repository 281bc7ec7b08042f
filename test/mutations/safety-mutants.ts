import type { Mutant } from './mutant.js'

export const safetyMutants: readonly Mutant[] = [
  {
    file: 'engine/core/account/decide-safety.ts',
    fault: 'a cancel-all of an underlying ends everything',
    original: 'return instruments.underlying[instrument] === target',
    replacement: 'return true',
  },
  {
    file: 'engine/core/account/decide-safety.ts',
    fault: 'the end of a connection ends wallets that it has not bound',
    original: '!state.safety.unbind(account, { gateway, session })',
    replacement: '(state.safety.unbind(account, { gateway, session }), false)',
  },
  {
    file: 'engine/core/account/decide-safety.ts',
    fault: 'a purge ends the orders of the books, and no requests and quotes',
    original: 'endRfqsBy(state, account, reason, () => true, isConcerned)',
    replacement: 'endRfqsBy(state, account, reason, () => false, isConcerned)',
  },
  {
    file: 'engine/state/accounts/safety-table.ts',
    fault: 'an action of the wallet does not put its timer off',
    original: 'row === undefined || row.timeoutMillis === 0',
    replacement: 'true',
  },
  {
    file: 'engine/state/rfq/provider-table.ts',
    fault: 'a connection is another one where its gateway is another, whatever its number',
    original: 'gateway === other.gateway && session === other.session',
    replacement: 'gateway === other.gateway',
  },
  {
    file: 'engine/core/core.ts',
    fault: 'what a timer ends goes before the word of a loss, of which a replay then knows nothing',
    original: 'isFree || isBehindLoss',
    replacement: 'isFree',
  },
  {
    file: 'engine/core/account/look-up.ts',
    fault: 'an order that waits for quotes is told as one that has come to its end',
    original: 'slot !== none && state.auctions.has(slot)',
    replacement: 'false',
  },
  {
    file: 'engine/threads/lookup-desk.ts',
    fault: 'a question is answered before the commands that were sent before it',
    original: 'if (!this.#core.hasDecided(this.#commandEnds))',
    replacement: 'if (false)',
  },
]
