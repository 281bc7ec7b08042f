import { EventType } from '../../schemas/generated/events.js'
import {
  mmpEventAccountAt,
  mmpEventAmountsAt,
  mmpEventBytes,
  mmpEventChangeAt,
  mmpEventDeltaMicrosAt,
  mmpEventEntryMillisAt,
  mmpEventFrozenMillisAt,
  mmpEventFrozenUntilMillisAt,
  mmpEventIntervalMillisAt,
  mmpEventLimitsAt,
  mmpEventNonceHighAt,
  mmpEventNonceLowAt,
  mmpEventSizeLotsAt,
  mmpEventTriggersAt,
  mmpEventUnderlyingAt,
  mmpEventVegaMicrosAt,
} from '../../schemas/mmp.js'
import { MmpChange } from '../../schemas/record-values.js'
import { type CountedFill, entryAt, measureCount } from '../matching/mmp-window.js'
import type { CoreState } from '../state/core-state.js'
import { unheard } from '../state/event-sink.js'
import type { MmpRow } from '../state/mmp-table.js'

const amountCount = 2 * measureCount

/** Terms and freeze of a protection, as they are now. */
export function publishMmp(state: CoreState, row: MmpRow, change: MmpChange): void {
  claimMmp(state, row, change)
}

/** A fill was counted; the window is as it left it. */
export function publishMmpFill(state: CoreState, row: MmpRow, fill: CountedFill): void {
  const change = fill.triggers === 0 ? MmpChange.Filled : MmpChange.Triggered
  const at = claimMmp(state, row, change)
  if (at === unheard) return
  const { f64, i32 } = state.sink.views
  i32[(at + mmpEventTriggersAt) >> 2] = fill.triggers
  f64[(at + mmpEventSizeLotsAt) >> 3] = fill.sizeLots
  f64[(at + mmpEventDeltaMicrosAt) >> 3] = fill.deltaMicros
  f64[(at + mmpEventVegaMicrosAt) >> 3] = fill.vegaMicros
}

/** Everything there is to know of a protection. @param makeRoom called before each record. */
export function publishMmpWhole(state: CoreState, row: MmpRow, makeRoom: () => void): void {
  makeRoom()
  publishMmp(state, row, MmpChange.Bootstrap)
  for (let index = 0; index < row.count; index++) {
    makeRoom()
    const at = claimMmp(state, row, MmpChange.Entry)
    if (at === unheard) return
    const { f64 } = state.sink.views
    const entry = entryAt(row, index)
    f64[(at + mmpEventEntryMillisAt) >> 3] = row.entries[entry]
    for (let i = 0; i < amountCount; i++) {
      f64[((at + mmpEventAmountsAt) >> 3) + i] = row.entries[entry + 1 + i]
    }
  }
}

function claimMmp(state: CoreState, row: MmpRow, change: MmpChange): number {
  const at = state.sink.tryClaim(mmpEventBytes, EventType.Mmp)
  if (at === unheard) return at
  const { f64, i32, u8 } = state.sink.views
  u8.fill(0, at + mmpEventChangeAt, at + mmpEventBytes)
  i32[(at + mmpEventChangeAt) >> 2] = change
  i32[(at + mmpEventAccountAt) >> 2] = row.account
  i32[(at + mmpEventUnderlyingAt) >> 2] = row.underlying
  f64[(at + mmpEventIntervalMillisAt) >> 3] = row.intervalMillis
  f64[(at + mmpEventFrozenMillisAt) >> 3] = row.frozenMillis
  f64.set(row.limitMicros, (at + mmpEventLimitsAt) >> 3)
  f64[(at + mmpEventFrozenUntilMillisAt) >> 3] = row.frozenUntilMillis
  i32[(at + mmpEventNonceHighAt) >> 2] = row.nonceHigh
  i32[(at + mmpEventNonceLowAt) >> 2] = row.nonceLow
  return at
}
