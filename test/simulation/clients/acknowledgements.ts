import { OrderStatus } from '../../../schemas/domain.js'
import { Result } from '../../../schemas/results.js'
import type { Outcome } from '../published/log-events.js'
import { mustHold } from '../run/simulation-errors.js'
import type { Action } from './action.js'
import { maySeeRows } from './shown-rows.js'

/** Action whose acknowledgement a client has received, with the first one. */
interface Acknowledgement {
  readonly action: Action
  outcome: Outcome
  /** Answer to retries while an order waited for quotes; null if there was none. */
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
 * Every action that the engine has acknowledged, by wallet and nonce. Checks that no nonce works twice, that a retry
 * gets the first answer, and that no crash takes an acknowledgement back. While an order waits for quotes a retry is
 * answered with that, and afterwards never again.
 */
export class Acknowledgements {
  readonly #byKey = new Map<string, Acknowledgement>()

  /** Records the answer to an action. An unsigned action has no nonce and is ignored. */
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
    const isLagging = known.waited === null || known.waited.eventSeq < outcome.eventSeq
    mustHold(isLagging, () => `${key}: it waits once more after its end`)
  }

  /** Drops acknowledgements after this sequence: without a flush before every answer, a crash takes some back. */
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

/** True if two answers to one order may differ: one was given to a retry while the order waited, before the other. */
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

/** True if the engine carried out the action, so that its nonce is used up. */
function isCarriedOut(action: Action, { orderId, result, status }: Outcome): boolean {
  // The answer to a waiting order reports what ended its wait.
  const isEnded = status === OrderStatus.Canceled && orderId !== 0
  if (isEnded && maySeeRows(action)) return true
  if (result === Result.ReduceOnly) return status === OrderStatus.Canceled
  return carriedOut.includes(result)
}
