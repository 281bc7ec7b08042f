import { assert } from '../../schemas/assert.js'
import type { MatcherMmp, MatcherMmpEntry } from '../../schemas/generated/orders.js'
import { MmpAction } from '../../schemas/record-values.js'
import { resetWindow, restoreEntry, setLimits } from './mmp-window.js'
import { dropWindow, findGroup, type ProtectionTable, windowFor } from './protection-table.js'

/** Sets, resets or ends the protection of an account and underlying. */
export function commandMmp(protections: ProtectionTable, mmp: MatcherMmp): void {
  const { account, action, underlying } = mmp
  if (action === MmpAction.Delete) {
    dropWindow(protections, account, underlying)
    return
  }
  assert(
    action === MmpAction.Set || findGroup(protections, account, underlying) !== 0,
    'mmp: only what was set is reset',
  )
  const window = windowFor(protections, account, underlying)
  if (action === MmpAction.Reset) {
    resetWindow(window)
    return
  }
  setLimits(window, mmp.nowMillis, mmp.intervalMillis, mmp.frozenMillis, mmp.limitsView())
  window.frozenUntilMillis = mmp.frozenUntilMillis
}

/** Puts a saved entry back into its window. */
export function restoreMmpEntry(protections: ProtectionTable, entry: MatcherMmpEntry): void {
  const window = windowFor(protections, entry.account, entry.underlying)
  restoreEntry(window, entry.entryMillis, entry.amountsView(), 0)
}
