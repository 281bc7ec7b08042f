import {
  AnyCommand,
  CancelByClientIdCommand,
  CancelOrderCommand,
  CommandType,
  PerpTerms,
} from '../../schemas/generated/commands.js'
import { cancelByClientIdBody, cancelEitherBody } from '../../schemas/interface/order-bodies.js'
import { formatNonce } from '../../schemas/nonce.js'
import type { RecordSink } from '../../schemas/record-views.js'
import { formatSymbol, type InstrumentSymbol } from '../../schemas/symbol.js'
import { bodyFieldsOf } from '../actions/action.js'
import type { CancelFields } from '../actions/order-digest.js'
import type { Signing } from '../actions/signing.js'
import { Fault } from '../wire/fault.js'
import {
  badNonce,
  clientIdFault,
  invalidField,
  invalidParameter,
  type JsonObject,
  orderIdText,
  takeWallet,
} from '../wire/request-fields.js'
import { type PerpValues, writePerpTerms, writeSigned } from './write-order.js'

/** Cancel as requested. `wallet` is the thread's buffer in `Signing`. */
export interface CancelRequest extends CancelFields {
  readonly walletText: string
  readonly signature: string
  /** Values of a perp action (perp-request.ts), which cancels orders of its asset only; null for other actions. */
  readonly terms: PerpValues | null
  /** True if an agent may not sign it. */
  readonly isOwnersOnly: boolean
  /** The perp of these terms, if the gateway knows it. */
  readonly perp: InstrumentSymbol | null
}

const command = new AnyCommand()
const byOrderId = new CancelOrderCommand()
const byClientId = new CancelByClientIdCommand()

const fieldsByEither = bodyFieldsOf(cancelEitherBody)
const fieldsByClientId = bodyFieldsOf(cancelByClientIdBody)

/**
 * Reads a cancel from JSON. Also sets its wallet and nonce in `signing`.
 * @param byClientId True if only a client id is allowed (DELETE /order_cloid).
 */
export function readCancel(
  body: JsonObject,
  byClientId: boolean,
  signing: Signing,
): CancelRequest | Fault {
  const isPresent = (name: string) => body[name] !== undefined && body[name] !== null
  const hasOrderId = !byClientId && isPresent('order_id')
  const hasClientId = isPresent('client_id')
  const fields = byClientId ? fieldsByClientId : fieldsByEither
  const alsoRequired = hasOrderId || hasClientId ? null : 'order_id'
  const fault = fields.fault(body, signing.refusesUnknownFields, alsoRequired)
  if (fault !== null) return fault
  if (hasOrderId && hasClientId) {
    return invalidParameter('order_id', 'must be absent if client_id is present')
  }
  const nonceFault = badNonce(body, signing.nonce)
  if (nonceFault !== null) return nonceFault
  const orderId = hasOrderId ? orderIdText(body['order_id']) : ''
  if (orderId instanceof Fault) return orderId
  const walletText = body['wallet'] as string
  const clientId = hasClientId ? (body['client_id'] as string) : ''
  const badValue =
    takeWallet(walletText, signing.wallet) ??
    clientIdFault(clientId) ??
    (hasClientId && clientId === '' ? invalidField('client_id', 'must not be empty') : null)
  if (badValue !== null) return badValue
  return {
    wallet: signing.wallet,
    walletText: walletText.toLowerCase(),
    orderId,
    clientId,
    nonceHigh: signing.nonce[0],
    nonceLow: signing.nonce[1],
    signature: body['signature'] as string,
    terms: null,
    perp: null,
    isOwnersOnly: false,
  }
}

/** Writes the cancel whose signer is in `signing`. @returns False if the sink has no room. */
export function writeCancel(sink: RecordSink, signing: Signing, cancel: CancelRequest): boolean {
  const { orderId, clientId, terms, nonceHigh, nonceLow } = cancel
  const [type, bytes] =
    orderId === ''
      ? [CommandType.CancelByClientId, CancelByClientIdCommand.bytes]
      : [CommandType.CancelOrder, CancelOrderCommand.bytes]
  const at = sink.tryClaim(bytes + (terms === null ? 0 : PerpTerms.bytes), type)
  if (at < 0) return false
  command.over(sink.views, at)
  writeSigned(command, signing, cancel.wallet, nonceHigh, nonceLow)
  if (terms !== null) writePerpTerms(command, terms)
  if (orderId === '') byClientId.of(command).clientIdText = clientId
  else byOrderId.of(command).orderId = Number(orderId)
  return true
}

/** Returns the placeholder values of the request for reason texts; the order's facts provide the rest. */
export function valuesOfCancel(cancel: CancelRequest): Readonly<Record<string, string>> {
  const { orderId, clientId, perp } = cancel
  const nonce = formatNonce(cancel.nonceHigh, cancel.nonceLow)
  return {
    ...(orderId === '' ? { client_id: clientId } : { order_id: orderId }),
    ...(perp === null ? {} : { symbol: formatSymbol(perp) }),
    nonce,
  }
}
