import { assert } from '../../schemas/assert.js'
import { MmpAction } from '../../schemas/record-values.js'
import type { Ring } from '../memory/ring.js'
import { measureCount, resetWindow, restoreEntry, setLimits } from './mmp-window.js'
import { dropWindow, findGroup, type Protections, windowFor } from './protections.js'
import {
  mmpAccountAt,
  mmpActionAt,
  mmpEntryAmountsAt,
  mmpEntryMillisAt,
  mmpFrozenMillisAt,
  mmpFrozenUntilMillisAt,
  mmpIntervalMillisAt,
  mmpLimitsAt,
  mmpNowMillisAt,
  mmpUnderlyingAt,
} from './records.js'

/** Carries out an Mmp record: sets, resets or ends the protection of an account and underlying. */
export function commandMmp(protections: Protections, ring: Ring, at: number): void {
  const { i32, f64 } = ring
  const account = i32[(at + mmpAccountAt) >> 2]
  const underlying = i32[(at + mmpUnderlyingAt) >> 2]
  const action = i32[(at + mmpActionAt) >> 2]
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
  const limits = (at + mmpLimitsAt) >> 3
  setLimits(
    window,
    f64[(at + mmpNowMillisAt) >> 3],
    f64[(at + mmpIntervalMillisAt) >> 3],
    f64[(at + mmpFrozenMillisAt) >> 3],
    f64.subarray(limits, limits + measureCount),
  )
  window.frozenUntilMillis = f64[(at + mmpFrozenUntilMillisAt) >> 3]
}

/** Carries out an MmpEntry record: puts a saved entry back into its window. */
export function restoreMmpEntry(protections: Protections, ring: Ring, at: number): void {
  const { i32, f64 } = ring
  const account = i32[(at + mmpAccountAt) >> 2]
  const underlying = i32[(at + mmpUnderlyingAt) >> 2]
  const window = windowFor(protections, account, underlying)
  restoreEntry(window, f64[(at + mmpEntryMillisAt) >> 3], f64, (at + mmpEntryAmountsAt) >> 3)
}
