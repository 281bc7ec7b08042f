import { CommandType, commandWalletAt, setTierBytes, tierAt } from '../../schemas/commands.js'
import { type Tier, tierNames } from '../../schemas/domain.js'
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
import { Admission, checkSignature } from '../limits/admission.js'
import { RateCategory } from '../limits/rate-windows.js'
import { Envelope } from '../read-model/answers.js'
import { tierView } from '../read-model/routes/user-tier.js'
import type { HttpCall } from '../transport.js'
import { AccountWriteAnswer } from './account-write.js'
import { answerFault } from './http-answer.js'
import { readJsonBody } from './json-body.js'

/** A change of tier as asked for; wallet bytes and nonce stand in `Signing` as well. */
interface TierRequest {
  readonly wallet: string
  /** As signed. */
  readonly tierText: string
  readonly tier: Tier
  readonly nonce: string
  readonly signature: string
}

const requiredFields = ['wallet', 'tier', 'nonce', 'signature']
const tierInputs: readonly string[] = [...tierNames, 'mm']

/**
 * POST /user-tier on the public port: signed as SetUserTier by an address of `operator.signers`, the nonce
 * counting for that signer.
 * @see rest-and-signing.md, section 5
 */
export function setUserTier(context: GatewayContext, call: HttpCall): void {
  const body = readJsonBody(call.body)
  const request = body instanceof Fault ? body : readRequest(body, context.signing)
  const fault = request instanceof Fault ? request : send(context, call, request)
  if (fault !== null) answerFault(call, fault, Envelope.Data)
}

function readRequest(body: JsonObject, signing: Signing): TierRequest | Fault {
  const malformed =
    missingField(body, requiredFields) ??
    notText(body, ['wallet', 'tier', 'signature']) ??
    badNonce(body, signing)
  if (malformed !== null) return malformed
  const wallet = body['wallet'] as string
  const tierText = body['tier'] as string
  const input = tierInputs.indexOf(tierText)
  const fault =
    takeWallet(wallet, signing.wallet) ??
    (input < 0 ? invalidField('tier', `must be one of ${tierInputs.join(', ')}`) : null)
  if (fault !== null) return fault
  return {
    wallet: wallet.toLowerCase(),
    tierText,
    tier: (input < tierNames.length ? input : tierNames.indexOf('market_maker')) as Tier,
    nonce: formatNonce(signing.nonce[0], signing.nonce[1]),
    signature: body['signature'] as string,
  }
}

function send(context: GatewayContext, call: HttpCall, request: TierRequest): Fault | null {
  const { signing, port, config } = context
  const { wallet, tierText, tier, nonce, signature } = request
  const message = { wallet, tier: tierText, nonce }
  signing.digest.set(typedDataDigest(signing.domain, typedStructs.SetUserTier, message))
  const unsound = checkSignature(context, call.address, signature)
  if (unsound !== null) return unsound
  const signer = signing.signerText()
  const category = RateCategory.ApiRequest
  const admission = new Admission(context, {
    address: call.address,
    wallet: signer,
    signature,
    category,
  })
  const isSigner = config.operator.signers.some((address) => address.toLowerCase() === signer)
  if (!isSigner) {
    admission.settle(Result.Unauthorized)
    return new Fault(Result.Unauthorized)
  }
  const overLimit = admission.take()
  if (overLimit !== null) return overLimit
  const answer = new AccountWriteAnswer(context, call, {
    admission,
    nonce,
    envelope: Envelope.Data,
    bodyOf: (seq) => ({
      success: true,
      data: tierView(wallet, tier, context.tiers),
      error: null,
      as_of_seq: seq,
    }),
  })
  const at = port.claim(setTierBytes, CommandType.SetUserTier, answer)
  if (at === engineBusy) {
    answer.refuse(new Fault(Result.EngineBusy))
    return null
  }
  writeSigned(port.ring, at, signing, null, signing.nonce[0], signing.nonce[1])
  port.ring.u8.set(signing.wallet, at + commandWalletAt)
  port.ring.i32[(at + tierAt) >> 2] = tier
  port.submit()
  return null
}
