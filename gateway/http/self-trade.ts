import { CommandType, selfTradeModeAt, setSelfTradeBytes } from '../../schemas/commands.js'
import { selfTradeModeNames } from '../../schemas/domain.js'
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

/** POST /self-trade-prevention: what happens when the wallet would trade with itself (decision 29). */
export function setSelfTrade(context: GatewayContext, call: HttpCall): void {
  const request = readAccountRequest(call.body, 'mode', selfTradeModeNames, context.signing)
  const fault = request instanceof Fault ? request : send(context, call, request)
  if (fault !== null) answerFault(call, fault, Envelope.Data)
}

function send(context: GatewayContext, call: HttpCall, request: AccountRequest): Fault | null {
  const { signing } = context
  const { wallet, name: mode, index, nonce, signature } = request
  const struct = typedStructs.SetSelfTradePrevention
  signing.digest.set(typedDataDigest(signing.domain, struct, { wallet, mode, nonce }))
  const category = RateCategory.ApiRequest
  const admission = admit(context, { address: call.address, wallet, signature, category })
  if (admission instanceof Fault) return admission
  const answer = new AccountWriteAnswer(context, call, {
    admission,
    nonce,
    envelope: Envelope.Data,
    bodyOf: (seq) => ({ success: true, data: { wallet, mode }, error: null, seq }),
  })
  const record = { bytes: setSelfTradeBytes, type: CommandType.SetSelfTrade }
  sendAccountWrite(context, record, answer, signing.wallet, ({ i32 }, at) => {
    i32[(at + selfTradeModeAt) >> 2] = index
  })
  return null
}
