import { setTierBytes, tierAt } from '../../schemas/commands.js'
import { tierInputs, tiersOfInputs } from '../../schemas/domain.js'
import { CommandType } from '../../schemas/generated/commands.js'
import { typedStructs } from '../../schemas/typed-data.js'
import { typedDataDigest } from '../auth/typed-data-digest.js'
import { Fault } from '../fault.js'
import type { GatewayContext } from '../gateway-context.js'
import { Admission, checkSignature } from '../limits/admission.js'
import { RateCategory } from '../limits/rate-windows.js'
import { Envelope } from '../read-model/answers.js'
import { tierView } from '../read-model/routes/user-tier.js'
import type { HttpCall } from '../transport.js'
import { type AccountRequest, readAccountRequest } from './account-request.js'
import { AccountWriteAnswer, sendAccountWrite } from './account-write.js'
import { answerFault } from './http-answer.js'
import { dataBody } from './signed-write.js'

/**
 * POST /user-tier on the public port: signed as SetUserTier by an address of `operator.signers`, the nonce
 * counting for that signer.
 */
export function setUserTier(context: GatewayContext, call: HttpCall): void {
  const request = readAccountRequest(call.body, 'tier', tierInputs, context.signing)
  const fault = request instanceof Fault ? request : send(context, call, request)
  if (fault !== null) answerFault(call, fault, Envelope.Data)
}

function send(context: GatewayContext, call: HttpCall, request: AccountRequest): Fault | null {
  const { signing, config } = context
  const { wallet, name, index, nonce, signature } = request
  const tier = tiersOfInputs[index]!
  const message = { wallet, tier: name, nonce }
  const struct = typedStructs.SetUserTier
  const subject = { struct, message }
  signing.digest.set(typedDataDigest(signing.domain, struct, message))
  const category = RateCategory.ApiRequest
  const { address } = call
  const unsound = checkSignature(context, { address, wallet: '', signature, subject, category })
  if (unsound !== null) return unsound
  const signer = signing.signerText()
  const admission = new Admission(context, {
    address,
    wallet: signer,
    signature,
    subject,
    category,
  })
  const isSigner = config.operator.signers.some((address) => address.toLowerCase() === signer)
  if (!isSigner) return admission.refuseStranger()
  const overLimit = admission.take()
  if (overLimit !== null) return overLimit
  const answer = new AccountWriteAnswer(context, call, {
    admission,
    nonce,
    envelope: Envelope.Data,
    bodyOf: (seq) => dataBody(tierView(wallet, tier, context.tiers), seq),
  })
  const record = { bytes: setTierBytes, type: CommandType.SetUserTier }
  sendAccountWrite(context, record, answer, signing.wallet, ({ i32 }, at) => {
    i32[(at + tierAt) >> 2] = tier
  })
  return null
}
