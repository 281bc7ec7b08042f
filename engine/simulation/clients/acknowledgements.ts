import { OrderStatus } from '../../../schemas/domain.js'
import { Result } from '../../../schemas/results.js'
import type { Outcome } from '../log-events.js'
import { mustHold } from '../simulation-errors.js'
import type { Action, Answer } from './action.js'

/** An action that a client was told was carried out. */
interface Acknowledgement {
  readonly action: Action
  readonly result: number
  readonly status: number
  readonly orderId: number
  readonly seq: number
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

  get count(): number {
    return this.#byKey.size
  }

  /** Takes the answer of a signed action in. @returns what the client keeps of it. */
  take(action: Action, outcome: Outcome): Answer {
    const { result, status, orderId } = outcome
    const isRepeat = outcome.firstSeq > 0
    const seq = isRepeat ? outcome.firstSeq : outcome.seq
    const answer = { result, status, orderId, seq, isRepeat }
    if (action.key === '' || !isCarriedOut(outcome)) {
      mustHold(!isRepeat || action.key === '', () => `${action.key}: the repeat of a refusal`)
      return answer
    }
    const known = this.#byKey.get(action.key)
    if (known === undefined) {
      this.#byKey.set(action.key, { action, result, status, orderId, seq })
      return answer
    }
    mustHold(known.seq === seq, () => {
      return `nonce ${action.key} works twice: by event ${known.seq} and by event ${seq}`
    })
    const same = known.result === result && known.orderId === orderId && known.status === status
    mustHold(same, () => `${action.key}: the repeat of ${known.seq} has another answer`)
    return answer
  }

  /** Without a flush before every answer a crash takes some back. */
  forgetAfter(seq: number): Action[] {
    const forgotten: Action[] = []
    for (const [key, known] of this.#byKey) {
      if (known.seq <= seq) continue
      this.#byKey.delete(key)
      forgotten.push(known.action)
    }
    return forgotten
  }

  /** Calls back for each, with the sequence of its event. */
  forEach(visit: (action: Action, seq: number) => void): void {
    for (const { action, seq } of this.#byKey.values()) visit(action, seq)
  }
}

/** Whether the action was carried out, so that its nonce is used up. */
function isCarriedOut({ result, status }: Outcome): boolean {
  if (result === Result.ReduceOnly) return status === OrderStatus.Canceled
  return carriedOut.includes(result)
}
