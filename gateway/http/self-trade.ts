import { CommandType, selfTradeModeAt, setSelfTradeBytes } from '../../schemas/commands.js'
import { selfTradeModeNames } from '../../schemas/domain.js'
import { formatNonce } from '../../schemas/nonce.js'
import { Result } from '../../schemas/results.js'
import { typedStructs } from '../../schemas/typed-data.js'
import { typedDataDigest } from '../auth/typed-data-digest.js'
import { engineBusy } from '../command-port.js'
import { badNonce } from '../commands/order-request.js'
import {
  invalidField,
  type JsonObject,
  missingField,
  notText,
  takeWallet,
} from '../commands/request-fields.js'
import type { Signing } from '../commands/signing.js'
import { writeSigned } from '../commands/write-order.js'
import { Fault } from '../fault.js'
import type { GatewayContext } from '../gateway-context.js'
import { admit } from '../limits/admission.js'
import { RateCategory } from '../limits/rate-windows.js'
import { Envelope } from '../read-model/answers.js'
import type { HttpCall } from '../transport.js'
import { AccountWriteAnswer } from './account-write.js'
import { answerFault } from './http-answer.js'
import { readJsonBody } from './json-body.js'

/** A change of mode as asked for; wallet bytes and nonce stand in `Signing` as well. */
interface ModeRequest {
  readonly wallet: string
  readonly mode: string
  readonly modeIndex: number
  readonly nonce: string
  readonly signature: string
}

const requiredFields = ['wallet', 'mode', 'nonce', 'signature']

/** POST /self-trade-prevention: what happens when the wallet would trade with itself (decision 29). */
export function setSelfTrade(context: GatewayContext, call: HttpCall): void {
  const body = readJsonBody(call.body)
  const request = body instanceof Fault ? body : readRequest(body, context.signing)
  const fault = request instanceof Fault ? request : send(context, call, request)
  if (fault !== null) answerFault(call, fault, Envelope.Data)
}

function readRequest(body: JsonObject, signing: Signing): ModeRequest | Fault {
  const malformed =
    missingField(body, requiredFields) ??
    notText(body, ['wallet', 'mode', 'signature']) ??
    badNonce(body, signing)
  if (malformed !== null) return malformed
  const wallet = body['wallet'] as string
  const mode = body['mode'] as string
  const modeIndex = selfTradeModeNames.indexOf(mode as 'cancel_taker')
  const fault =
    takeWallet(wallet, signing.wallet) ??
    (modeIndex < 0 ? invalidField('mode', `must be one of ${selfTradeModeNames.join(', ')}`) : null)
  if (fault !== null) return fault
  return {
    wallet: wallet.toLowerCase(),
    mode,
    modeIndex,
    nonce: formatNonce(signing.nonce[0], signing.nonce[1]),
    signature: body['signature'] as string,
  }
}

function send(context: GatewayContext, call: HttpCall, request: ModeRequest): Fault | null {
  const { signing, port } = context
  const { wallet, mode, nonce, signature } = request
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
  const at = port.claim(setSelfTradeBytes, CommandType.SetSelfTrade, answer)
  if (at === engineBusy) {
    answer.refuse(new Fault(Result.EngineBusy))
    return null
  }
  writeSigned(port.ring, at, signing, signing.wallet, signing.nonce[0], signing.nonce[1])
  port.ring.i32[(at + selfTradeModeAt) >> 2] = request.modeIndex
  port.submit()
  return null
}
