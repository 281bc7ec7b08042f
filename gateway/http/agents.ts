import { agentAddressAt, agentCommandBytes, revokeAllAgentsBytes } from '../../schemas/commands.js'
import { CommandType } from '../../schemas/generated/commands.js'
import { formatNonce } from '../../schemas/nonce.js'
import { typedStructs } from '../../schemas/typed-data.js'
import { formatAddress, isZeroAddress, sameAddress, writeAddress } from '../../schemas/wallet.js'
import { BodyFields, signedFields } from '../commands/body-fields.js'
import { badNonce } from '../commands/order-request.js'
import {
  invalidField,
  type JsonObject,
  optionalText,
  takeWallet,
} from '../commands/request-fields.js'
import type { SignedMessage } from '../commands/signature-details.js'
import type { Signing } from '../commands/signing.js'
import { Fault } from '../fault.js'
import type { GatewayContext } from '../gateway-context.js'
import { Admission, admitSigner, checkSignature } from '../limits/admission.js'
import { RateCategory } from '../limits/rate-windows.js'
import { Envelope } from '../read-model/answers.js'
import type { HttpCall } from '../transport.js'
import { AccountWriteAnswer, sendAccountWrite } from './account-write.js'
import { answerFault } from './http-answer.js'
import { readJsonBody } from './json-body.js'

type AgentCommand =
  | typeof CommandType.ApproveAgent
  | typeof CommandType.RevokeAgent
  | typeof CommandType.RevokeAllAgents

const structs = {
  [CommandType.ApproveAgent]: typedStructs.ApproveAgent,
  [CommandType.RevokeAgent]: typedStructs.RevokeAgent,
  [CommandType.RevokeAllAgents]: typedStructs.RevokeAllAgents,
} as const
const signed = { ...signedFields, 'wallet?': 'text' } as const
const agentFields = new BodyFields({ agent: 'text', ...signed })
const revokeAllFields = new BodyFields(signed)

/** POST /approve-agent: the wallet is whoever signed. */
export function approveAgent(context: GatewayContext, call: HttpCall): void {
  write(context, call, CommandType.ApproveAgent)
}

/** DELETE /revoke-agent. */
export function revokeAgent(context: GatewayContext, call: HttpCall): void {
  write(context, call, CommandType.RevokeAgent)
}

/** DELETE /revoke-all-agents. */
export function revokeAllAgents(context: GatewayContext, call: HttpCall): void {
  write(context, call, CommandType.RevokeAllAgents)
}

function write(context: GatewayContext, call: HttpCall, command: AgentCommand): void {
  const fault = send(context, call, command)
  if (fault !== null) answerFault(call, fault, Envelope.Success)
}

function send(context: GatewayContext, call: HttpCall, command: AgentCommand): Fault | null {
  const { signing } = context
  const body = readJsonBody(call.body)
  if (body instanceof Fault) return body
  const isForAll = command === CommandType.RevokeAllAgents
  const fault =
    (isForAll ? revokeAllFields : agentFields).fault(body, signing.refusesUnknownFields) ??
    badNonce(body, signing) ??
    (isForAll ? null : takeAgent(body['agent'] as string, signing)) ??
    takeSentWallet(body, signing)
  if (fault !== null) return fault
  writeDigest(signing, command)
  const signature = body['signature'] as string
  const category = RateCategory.ApiRequest
  const { address } = call
  const claimed = optionalText(body, 'wallet')?.toLowerCase() ?? ''
  const subject = subjectOf(signing, command)
  const unsound = checkSignature(context, {
    ...{ address, wallet: claimed, signature, subject, category },
  })
  if (unsound !== null) return unsound
  const wallet = signing.signerText()
  const isOwnersResort = command !== CommandType.ApproveAgent
  const request = { address, wallet, signature, subject, category, isOwnersResort }
  if (namesAnother(body, signing)) return new Admission(context, request).refuseStranger()
  if (!isForAll && sameAddress(signing.signer, 0, signing.agent, 0)) {
    return invalidField('agent', 'is the wallet itself')
  }
  const admission = admitSigner(context, request)
  if (admission instanceof Fault) return admission
  const [nonceHigh, nonceLow] = signing.nonce
  const answer = new AccountWriteAnswer(context, call, {
    admission,
    nonce: formatNonce(nonceHigh, nonceLow),
    envelope: Envelope.Success,
    bodyOf: (seq) => ({ success: true, error: null, wallet, seq }),
  })
  const bytes = isForAll ? revokeAllAgentsBytes : agentCommandBytes
  sendAccountWrite(context, { bytes, type: command }, answer, null, ({ u8 }, at) => {
    if (!isForAll) u8.set(signing.agent, at + agentAddressAt)
  })
  return null
}

function takeAgent(text: string, signing: Signing): Fault | null {
  if (!writeAddress(text, signing.agent, 0)) return invalidField('agent', 'is no address')
  return isZeroAddress(signing.agent, 0) ? invalidField('agent', 'is the zero address') : null
}

function takeSentWallet(body: JsonObject, signing: Signing): Fault | null {
  const wallet = optionalText(body, 'wallet')
  return wallet === null ? null : takeWallet(wallet, signing.wallet)
}

/** Whether a `wallet` that came along is not the signer. */
function namesAnother(body: JsonObject, { signer, wallet }: Signing): boolean {
  return optionalText(body, 'wallet') !== null && !sameAddress(signer, 0, wallet, 0)
}

function subjectOf({ agent, nonce }: Signing, command: AgentCommand): SignedMessage {
  const message = { agent: formatAddress(agent, 0), nonce: formatNonce(nonce[0], nonce[1]) }
  return { struct: structs[command], message }
}

function writeDigest(signing: Signing, command: AgentCommand): void {
  const { digester, agent, digest } = signing
  const [nonceHigh, nonceLow] = signing.nonce
  if (command === CommandType.ApproveAgent)
    digester.approveAgent(agent, nonceHigh, nonceLow, digest)
  else if (command === CommandType.RevokeAgent)
    digester.revokeAgent(agent, nonceHigh, nonceLow, digest)
  else digester.revokeAllAgents(nonceHigh, nonceLow, digest)
}
