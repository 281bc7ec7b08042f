import type { Mutant } from './mutant.js'

export const usernameMutants: readonly Mutant[] = [
  {
    file: 'engine/core/account/decide-username.ts',
    fault: 'a name is given to two wallets',
    original: 'state.usernames.isTaken(name, account) ? Result.UsernameTaken : Result.Accepted',
    replacement: 'Result.Accepted',
  },
  {
    file: 'engine/core/account/decide-username.ts',
    fault: 'a name that was asked for since is judged unseen',
    original: "usernameText !== '' && usernameText !== pending",
    replacement: 'false',
  },
  {
    file: 'engine/core/account/decide-username.ts',
    fault: 'names are shown before they are judged',
    original: 'state.config.usernames.moderated && !isOwn',
    replacement: 'false',
  },
  {
    file: 'engine/core/account/decide-username.ts',
    fault: 'who has a name loses it when it is reserved',
    original: '!isOwn && usernames.reserved',
    replacement: 'usernames.reserved',
  },
  {
    file: 'engine/state/accounts/username-table.ts',
    fault: 'a name that is given up stays taken',
    original: 'this.#holders.delete(row.username)',
    replacement: '',
  },
  {
    file: 'engine/state/accounts/username-table.ts',
    fault: 'a name that waits can be taken away',
    original: 'this.#holders.set(pending, account)',
    replacement: '',
  },
  {
    file: 'engine/state/accounts/username-table.ts',
    fault: 'a snapshot forgets what waits',
    original: 'sink.text(this.pending)',
    replacement: "sink.text('')",
  },
]
