import { Result, resultText } from '../../schemas/results.js'
import { Fault } from '../fault.js'

/**
 * Why an account write was refused. It has no order status to be rejected with: a used nonce is a conflict.
 * @param nonce decimal text.
 * @see rest-and-signing.md 1.5
 */
export function accountWriteFault(result: Result, nonce: string): Fault {
  if (result !== Result.NonceUsed) return new Fault(result)
  return new Fault(Result.Conflict, {}, resultText(Result.NonceUsed, { nonce }))
}
