import { OrderStatus } from '../../../schemas/domain.js'
import { Result } from '../../../schemas/results.js'
import { mustHold } from '../run/simulation-errors.js'
import type { Outcome } from '../told/log-events.js'
import type { Action } from './action.js'

/** An action that a client was told was carried out, and how it was told so first. */
interface Acknowledgement {
  readonly action: Action
  readonly outcome: Outcome
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
 * twice, a repeat is answered as the first time, and no crash takes an acknowledgement back.
 */
export class Acknowledgements {
  readonly #byKey = new Map<string, Acknowledgement>()

  /** Takes the answer of an action in; those that nobody has signed have no nonce. */
  take(action: Action, outcome: Outcome): void {
    const { key } = action
    if (key === '') return
    const { seq, result, status, orderId, isRepeat } = outcome
    if (!isCarriedOut(outcome)) {
      mustHold(!isRepeat, () => `${key}: the repeat of a refusal`)
      return
    }
    const known = this.#byKey.get(key)?.outcome
    if (known === undefined) {
      this.#byKey.set(key, { action, outcome })
      return
    }
    mustHold(known.seq === seq, () => {
      return `nonce ${key} works twice: by event ${known.seq} and by event ${seq}`
    })
    const same = known.result === result && known.orderId === orderId && known.status === status
    mustHold(same, () => `${key}: the repeat of ${seq} has another answer`)
  }

  /** Without a flush before every answer a crash takes some back. */
  forgetAfter(seq: number): void {
    for (const [key, { outcome }] of this.#byKey) if (outcome.seq > seq) this.#byKey.delete(key)
  }

  get all(): Iterable<Acknowledgement> {
    return this.#byKey.values()
  }
}

/** Whether the action was carried out, so that its nonce is used up. */
function isCarriedOut({ result, status }: Outcome): boolean {
  if (result === Result.ReduceOnly) return status === OrderStatus.Canceled
  return carriedOut.includes(result)
}
