import { MmpEvent } from '../../schemas/generated/events.js'
import { MmpChange } from '../../schemas/record-values.js'
import { type CountedFill, entryAt, measureCount } from '../matching/mmp-window.js'
import type { MmpRow } from '../state/accounts/mmp-table.js'
import type { EventSink } from '../state/event-sink.js'

export interface PublishMmpState {
  readonly sink: EventSink
}

const amountCount = 2 * measureCount
const mmp = new MmpEvent()

/** Publishes terms and freeze of a protection. */
export function publishMmp(state: PublishMmpState, row: MmpRow, change: MmpChange): void {
  claimMmp(state, row, change)
}

/** Publishes a counted fill, after the window was updated. */
export function publishMmpFill(state: PublishMmpState, row: MmpRow, fill: CountedFill): void {
  const change = fill.triggers === 0 ? MmpChange.Filled : MmpChange.Triggered
  if (!claimMmp(state, row, change)) return
  mmp.triggers = fill.triggers
  mmp.sizeLots = fill.sizeLots
  mmp.deltaMicros = fill.deltaMicros
  mmp.vegaMicros = fill.vegaMicros
}

/** Publishes the complete state of a protection. @param makeRoom called before each record. */
export function publishMmpWhole(state: PublishMmpState, row: MmpRow, makeRoom: () => void): void {
  makeRoom()
  publishMmp(state, row, MmpChange.Bootstrap)
  for (let index = 0; index < row.count; index++) {
    makeRoom()
    if (!claimMmp(state, row, MmpChange.Entry)) return
    const entry = entryAt(row, index)
    mmp.entryMillis = row.entries[entry]
    for (let i = 0; i < amountCount; i++) mmp.setAmounts(i, row.entries[entry + 1 + i])
  }
}

function claimMmp(state: PublishMmpState, row: MmpRow, change: MmpChange): boolean {
  if (!mmp.claim(state.sink)) return false
  mmp.clear()
  mmp.change = change
  mmp.account = row.account
  mmp.underlying = row.underlying
  mmp.intervalMillis = row.intervalMillis
  mmp.frozenMillis = row.frozenMillis
  for (let i = 0; i < measureCount; i++) mmp.setLimits(i, row.limitMicros[i])
  mmp.frozenUntilMillis = row.frozenUntilMillis
  mmp.nonceHigh = row.nonceHigh
  mmp.nonceLow = row.nonceLow
  return true
}
