import {
  CountedFill,
  countFill,
  dropOld,
  isFrozen,
  MmpWindow,
  measureCount,
  resetWindow,
  restoreEntry,
  setLimits,
  signedSumMicros,
} from '../../../engine/matching/mmp-window.js'
import type { EventLogReader } from '../../../engine/memory/event-log.js'
import { assert } from '../../../schemas/assert.js'
import { eventMillisAt } from '../../../schemas/events.js'
import {
  mmpEventAccountAt,
  mmpEventAmountsAt,
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
} from '../../../schemas/mmp.js'
import { formatNonce } from '../../../schemas/nonce.js'
import { MmpChange } from '../../../schemas/record-values.js'

/** One wallet's protection in one underlying. */
export class MmpView extends MmpWindow {
  /** Decimal text of the nonce of the latest accepted change. */
  nonce = ''
}

/** All protections, their windows kept by the code that the engine counts with. */
export class MmpViews {
  readonly #log: EventLogReader
  /** By account, then by underlying. */
  readonly #views = new Map<number, Map<number, MmpView>>()
  readonly #fill = new CountedFill()

  constructor(log: EventLogReader) {
    this.#log = log
  }

  /** An account's protections, by underlying, in the order in which they were first set. */
  of(account: number): ReadonlyMap<number, MmpView> {
    return this.#views.get(account) ?? none
  }

  /** Takes in the Mmp event at `at`. */
  apply(at: number): void {
    const { i32, f64 } = this.#log
    const account = i32[(at + mmpEventAccountAt) >> 2]!
    const underlying = i32[(at + mmpEventUnderlyingAt) >> 2]!
    const change = i32[(at + mmpEventChangeAt) >> 2]
    if (change === MmpChange.Deleted) {
      this.#views.get(account)?.delete(underlying)
      return
    }
    const view = this.#viewFor(account, underlying)
    if (change === MmpChange.Set || change === MmpChange.Bootstrap) this.#set(view, at)
    else if (change === MmpChange.Reset) resetWindow(view)
    else if (change === MmpChange.Entry) {
      const millis = f64[(at + mmpEventEntryMillisAt) >> 3]!
      restoreEntry(view, millis, f64, (at + mmpEventAmountsAt) >> 3)
    } else this.#count(view, at)
  }

  #set(view: MmpView, at: number): void {
    const { i32, f64 } = this.#log
    const limits = (at + mmpEventLimitsAt) >> 3
    setLimits(
      view,
      f64[(at + eventMillisAt) >> 3]!,
      f64[(at + mmpEventIntervalMillisAt) >> 3]!,
      f64[(at + mmpEventFrozenMillisAt) >> 3]!,
      f64.subarray(limits, limits + measureCount),
    )
    view.frozenUntilMillis = f64[(at + mmpEventFrozenUntilMillisAt) >> 3]!
    const [high, low] = [
      i32[(at + mmpEventNonceHighAt) >> 2]!,
      i32[(at + mmpEventNonceLowAt) >> 2]!,
    ]
    view.nonce = formatNonce(high >>> 0, low >>> 0)
  }

  #count(view: MmpView, at: number): void {
    const { i32, f64 } = this.#log
    const fill = this.#fill
    fill.nowMillis = f64[(at + eventMillisAt) >> 3]!
    fill.sizeLots = f64[(at + mmpEventSizeLotsAt) >> 3]!
    fill.deltaMicros = f64[(at + mmpEventDeltaMicrosAt) >> 3]!
    fill.vegaMicros = f64[(at + mmpEventVegaMicrosAt) >> 3]!
    const triggers = countFill(view, fill)
    assert(triggers === i32[(at + mmpEventTriggersAt) >> 2], 'mmp: the window of the engine')
  }

  #viewFor(account: number, underlying: number): MmpView {
    let views = this.#views.get(account)
    if (views === undefined) {
      views = new Map()
      this.#views.set(account, views)
    }
    let view = views.get(underlying)
    if (view === undefined) {
      view = new MmpView()
      views.set(underlying, view)
    }
    return view
  }
}

/** Sums of quantity, delta and vega at an engine time, signed micros. */
export function windowMicrosAt(view: MmpView, nowMillis: number): number[] {
  dropOld(view, nowMillis)
  return [0, 1, 2].map((measure) => signedSumMicros(view.sums, measure))
}

/** End of the freeze at an engine time: 0: not frozen, Infinity: until a reset. */
export function frozenUntilAt(view: MmpView, nowMillis: number): number {
  return isFrozen(view, nowMillis) ? view.frozenUntilMillis : 0
}

const none: ReadonlyMap<number, MmpView> = new Map()
