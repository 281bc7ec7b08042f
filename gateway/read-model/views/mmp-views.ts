import {
  CountedFill,
  countFill,
  dropOld,
  isFrozen,
  MmpWindow,
  resetWindow,
  restoreEntry,
  setLimits,
  signedSumMicros,
} from '../../../engine/matching/mmp-window.js'
import { assert } from '../../../schemas/assert.js'
import type { MmpEvent } from '../../../schemas/generated/events.js'
import { formatNonce } from '../../../schemas/nonce.js'
import { MmpChange } from '../../../schemas/record-values.js'

/** Market-maker protection of one wallet in one underlying. */
export class MmpView extends MmpWindow {
  /** Decimal text of the nonce of the latest accepted change. */
  nonce = ''
}

/** All market-maker protections. Their windows use the engine's own code. */
export class MmpViews {
  /** By account, then by underlying. */
  readonly #views = new Map<number, Map<number, MmpView>>()
  readonly #fill = new CountedFill()

  /** Returns an account's protections by underlying, in the order in which they were first set. */
  of(account: number): ReadonlyMap<number, MmpView> {
    return this.#views.get(account) ?? none
  }

  apply(event: MmpEvent): void {
    const { account, underlying, change } = event
    if (change === MmpChange.Deleted) {
      this.#views.get(account)?.delete(underlying)
      return
    }
    const view = this.#viewFor(account, underlying)
    if (change === MmpChange.Set || change === MmpChange.Bootstrap) setTerms(view, event)
    else if (change === MmpChange.Reset) resetWindow(view)
    else if (change === MmpChange.Entry) {
      restoreEntry(view, event.entryMillis, event.amountsView(), 0)
    } else this.#count(view, event)
  }

  #count(view: MmpView, event: MmpEvent): void {
    const fill = this.#fill
    fill.nowMillis = event.timeMillis
    fill.sizeLots = event.sizeLots
    fill.deltaMicros = event.deltaMicros
    fill.vegaMicros = event.vegaMicros
    assert(countFill(view, fill) === event.triggers, 'mmp: the window of the engine')
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

function setTerms(view: MmpView, event: MmpEvent): void {
  const { timeMillis, intervalMillis, frozenMillis } = event
  setLimits(view, timeMillis, intervalMillis, frozenMillis, event.limitsView())
  view.frozenUntilMillis = event.frozenUntilMillis
  view.nonce = formatNonce(event.nonceHigh >>> 0, event.nonceLow >>> 0)
}

/** Returns the sums of quantity, delta and vega at an engine time, signed micros. */
export function windowMicrosAt(view: MmpView, nowMillis: number): number[] {
  dropOld(view, nowMillis)
  return [0, 1, 2].map((measure) => signedSumMicros(view.sums, measure))
}

/** Returns the end of the freeze at an engine time; 0: not frozen, Infinity: until a reset. */
export function frozenUntilAt(view: MmpView, nowMillis: number): number {
  return isFrozen(view, nowMillis) ? view.frozenUntilMillis : 0
}

const none: ReadonlyMap<number, MmpView> = new Map()
