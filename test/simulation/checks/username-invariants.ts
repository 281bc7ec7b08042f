import type { UsernameTable } from '../../../engine/state/accounts/username-table.js'
import { isUsername } from '../../../schemas/username.js'
import { mustHold } from '../run/simulation-errors.js'

interface UsernameInvariantsState {
  readonly usernames: UsernameTable
}

/** Checks that each shown or pending name is well-formed and belongs to one wallet alone. */
export function checkUsernames({ usernames }: UsernameInvariantsState): void {
  const holders = new Map<string, number>()
  for (const account of usernames.accounts) {
    const { username, pending } = usernames.namesOf(account)
    const given = [username, pending].filter((name) => name !== '')
    mustHold(given.length > 0, () => `account ${account} has a row without a name`)
    for (const name of given) {
      mustHold(isUsername(name), () => `account ${account} is called ${name}`)
      const other = holders.get(name)
      mustHold(other === undefined, () => `${name} is the name of ${other} and ${account}`)
      holders.set(name, account)
      mustHold(!usernames.isTaken(name, account), () => `${name} is not that of ${account}`)
    }
  }
}
