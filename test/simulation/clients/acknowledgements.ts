import { OrderStatus } from '../../../schemas/domain.js'
import { Result } from '../../../schemas/results.js'
import { mustHold } from '../run/simulation-errors.js'
import type { Outcome } from '../told/log-events.js'
import type { Action } from './action.js'
import { maySeeRows } from './shown-rows.js'

/** An action that a client was told was carried out, and how it was told so first. */
interface Acknowledgement {
  readonly action: Action
  outcome: Outcome
  /** Of an order that waited for quotes: the repeats that were answered meanwhile; null: none was. */
  waited: Outcome | null
}

const carriedOut: readonly number[] = [
  Result.Accepted,
  Result.CanceledOnRequest,
  Result.IocRemainder,
  Result.FokNotFilled,
  Result.SelfTrade,
  Result.MmpTriggered,
]

/**
 * Every action that the engine has acknowledged, by wallet and nonce. No nonce works
 * twice, a repeat is answered as the first time, and no crash takes an acknowledgement back. While an order waits for
 * quotes a repeat is told that it does, and then no more.
 */
export class Acknowledgements {
  readonly #byKey = new Map<string, Acknowledgement>()

  /** Takes the answer of an action in; those that nobody has signed have no nonce. */
  take(action: Action, outcome: Outcome): void {
    const { key } = action
    if (key === '') return
    const { seq, isRepeat } = outcome
    if (!isCarriedOut(action, outcome)) {
      mustHold(!isRepeat, () => `${key}: the repeat of a refusal`)
      return
    }
    const known = this.#byKey.get(key)
    if (known === undefined) {
      this.#byKey.set(key, { action, outcome, waited: null })
      return
    }
    if (takesAsWaiting(known, outcome)) return
    const first = known.outcome
    mustHold(first.seq === seq, () => {
      return `nonce ${key} works twice: by event ${first.seq} and by event ${seq}`
    })
    mustHold(isSame(first, outcome), () => `${key}: the repeat of ${seq} has another answer`)
    const isBehind = known.waited === null || known.waited.eventSeq < outcome.eventSeq
    mustHold(isBehind, () => `${key}: it waits once more behind its end`)
  }

  /** Without a flush before every answer a crash takes some back. */
  forgetAfter(seq: number): void {
    for (const [key, { action, outcome, waited }] of this.#byKey) {
      if (outcome.seq <= seq) continue
      this.#byKey.delete(key)
      if (waited !== null && waited.seq <= seq) {
        this.#byKey.set(key, { action, outcome: waited, waited: null })
      }
    }
  }

  get all(): Iterable<Acknowledgement> {
    return this.#byKey.values()
  }
}

/**
 * Whether two answers to one order differ as they may: one is the repeat of an order that waits, and was given before the
 * other.
 */
function takesAsWaiting(known: Acknowledgement, outcome: Outcome): boolean {
  if (!maySeeRows(known.action) || known.outcome.orderId !== outcome.orderId) return false
  if (isSame(known.outcome, outcome) && known.outcome.seq === outcome.seq) return false
  const { waited } = known
  const isOlder = outcome.eventSeq < known.outcome.eventSeq
  const [early, late] = isOlder ? [outcome, known.outcome] : [known.outcome, outcome]
  const isWaiting = early.isRepeat && early.status === OrderStatus.Acked && early.seq < late.seq
  const isKnown = waited === null || (waited.seq === early.seq && isSame(waited, early))
  if (!isWaiting || !isKnown) return false
  known.outcome = late
  if (waited === null || waited.eventSeq < early.eventSeq) known.waited = early
  return true
}

function isSame(one: Outcome, other: Outcome): boolean {
  const { orderId, result, status } = other
  return one.result === result && one.orderId === orderId && one.status === status
}

/** Whether the action was carried out, so that its nonce is used up. */
function isCarriedOut(action: Action, { orderId, result, status }: Outcome): boolean {
  // Whatever ends the wait of an order for quotes is told by the answer to it.
  const isEnded = status === OrderStatus.Canceled && orderId !== 0
  if (isEnded && maySeeRows(action)) return true
  if (result === Result.ReduceOnly) return status === OrderStatus.Canceled
  return carriedOut.includes(result)
}
