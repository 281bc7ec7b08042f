import { CommandType, marginModeAt, setMarginModeBytes } from '../../schemas/commands.js'
import { marginModeNames } from '../../schemas/domain.js'
import { factsPreviousModeAt, outcomeFactsAt } from '../../schemas/events.js'
import { typedStructs } from '../../schemas/typed-data.js'
import { typedDataDigest } from '../auth/typed-data-digest.js'
import { Fault } from '../fault.js'
import type { GatewayContext } from '../gateway-context.js'
import { admit } from '../limits/admission.js'
import { RateCategory } from '../limits/rate-windows.js'
import { Envelope } from '../read-model/answers.js'
import type { HttpCall } from '../transport.js'
import { type AccountRequest, readAccountRequest } from './account-request.js'
import { AccountWriteAnswer, sendAccountWrite } from './account-write.js'
import { answerFault } from './http-answer.js'

/**
 * POST /margin-mode: which model the wallet's book is judged by. Refused by the engine with 403
 * `margin_mode_unavailable`, and with 409 `conflict` when initial margin would not be met, or while the engine
 * liquidates the wallet.
 * @see rest-and-signing.md, section 5
 */
export function setMarginMode(context: GatewayContext, call: HttpCall): void {
  const request = readAccountRequest(call.body, 'margin_mode', marginModeNames, context.signing)
  const fault = request instanceof Fault ? request : send(context, call, request)
  if (fault !== null) answerFault(call, fault, Envelope.Data)
}

function send(context: GatewayContext, call: HttpCall, request: AccountRequest): Fault | null {
  const { signing } = context
  const { wallet, name, index, nonce, signature } = request
  const message = { wallet, marginMode: name, nonce }
  signing.digest.set(typedDataDigest(signing.domain, typedStructs.SetMarginMode, message))
  const category = RateCategory.ApiRequest
  const admission = admit(context, { address: call.address, wallet, signature, category })
  if (admission instanceof Fault) return admission
  const answer = new AccountWriteAnswer(context, call, {
    admission,
    nonce,
    envelope: Envelope.Data,
    bodyOf: (seq, { i32 }, at) => {
      const previous = i32[(at + outcomeFactsAt + factsPreviousModeAt) >> 2]
      const data = { wallet, margin_mode: name, previous_mode: marginModeNames[previous] }
      return { success: true, data, error: null, as_of_seq: seq }
    },
  })
  const record = { bytes: setMarginModeBytes, type: CommandType.SetMarginMode }
  sendAccountWrite(context, record, answer, signing.wallet, ({ i32 }, at) => {
    i32[(at + marginModeAt) >> 2] = index
  })
  return null
}
