import { isUtf8 } from 'node:buffer'
import { clockNonceBytesMax } from '../../schemas/bounds.js'
import { Result } from '../../schemas/results.js'
import { rateLimitsOf } from '../admission/rate-limit-status.js'
import { countRead } from '../admission/read-admission.js'
import {
  areReadsSigned,
  otherWallet,
  readSessionOf,
  sessionNeeded,
} from '../admission/read-session.js'
import type { GatewayContext } from '../link/gateway-context.js'
import { Fault } from '../wire/fault.js'
import { notUtf8, parseJson } from '../wire/parse-json.js'
import {
  invalidField,
  isJsonObject,
  type JsonObject,
  requiredText,
  takeWallet,
} from '../wire/request-fields.js'
import { printable } from '../wire/shown-text.js'
import { accountFrames } from './account-frames.js'
import { cancelByClientId, cancelOrder } from './cancel-order.js'
import { type ErrorContext, encode, errorMessage } from './messages.js'
import { placeOrder, replaceOrder } from './place-order.js'
import { acceptRfqQuote, submitRfq } from './rfq-frames.js'
import type { Session } from './session.js'
import { signedContext } from './signed-frames.js'
import type { StreamHub } from './stream-hub.js'
import { readFromSeq, readSeqAsked, readSubscription } from './subscriptions.js'
import { unknownSymbols } from './unknown-symbols.js'

/** Handles a frame. @returns The fault if the frame fails immediately, or null: an answer was or will be sent. */
export type FrameHandler = (frame: JsonObject, parts: FrameParts) => Fault | null

/** Dependencies of a frame handler. */
export interface FrameParts {
  readonly context: GatewayContext
  readonly hub: StreamHub
  readonly session: Session
}

/** Handlers of signed frames, by type. */
const signedHandlers: ReadonlyMap<string, FrameHandler> = new Map([
  ['PlaceOrder', placeOrder],
  ['ReplaceOrder', replaceOrder],
  ['CancelOrder', cancelOrder],
  ['CancelOrderByClientId', cancelByClientId],
  ['SubmitRfq', submitRfq('SubmitRfq')],
  ['SubmitAutoExecuteRfq', submitRfq('SubmitAutoExecuteRfq')],
  ['AcceptRfqQuote', acceptRfqQuote],
  ...Object.entries(accountFrames),
])
const handlers: ReadonlyMap<string, FrameHandler> = new Map([
  ['ClockSync', clockSync],
  ['Authenticate', authenticate],
  ['Subscribe', subscribe],
  ['Unsubscribe', unsubscribe],
  ['GetRateLimits', rateLimits],
  ...signedHandlers,
])
/** All supported frame types. */
export const frameTypes: readonly string[] = [...handlers.keys()]

/** Handles one frame of a client. Answers a fault with an Error. */
export function takeFrame(data: Buffer, isBinary: boolean, parts: FrameParts): void {
  const { context, hub, session } = parts
  const frame = isBinary ? new Fault(Result.InvalidRequest) : parseFrame(data)
  if (frame instanceof Fault) {
    if (session.unparsed.isTooMany(context.socketMillis())) {
      context.floods.close(session, 'unparsed_frames')
    } else hub.reply(session, errorMessage(frame, {}))
    return
  }
  const type = frame['type']
  const handler = typeof type === 'string' ? handlers.get(type) : undefined
  const fault = handler === undefined ? badType(type) : handler(frame, parts)
  if (fault !== null) hub.reply(session, errorMessage(fault, errorContext(frame)))
}

/**
 * Identifies the session.
 * @param shown Read session, or null. Required if the venue requires signed private reads.
 * @returns `InvalidWallet`, `Unauthorized`, or null.
 */
export function identify(
  text: string,
  { context, hub, session }: FrameParts,
  shown: string | null = null,
): Fault | null {
  const fault = takeWallet(text, scratch)
  if (fault !== null) return fault
  const wallet = text.toLowerCase()
  if (shown === null && areReadsSigned(context)) return sessionNeeded()
  const read = shown === null ? null : readSessionOf(context, shown, session.socket.address)
  if (read instanceof Fault) return read
  if (read !== null && read.wallet !== wallet) return otherWallet()
  hub.identify(session, wallet, read)
  return null
}

const scratch = new Uint8Array(20)

function parseFrame(data: Buffer): JsonObject | Fault {
  const value = isUtf8(data) ? parseJson(data) : notUtf8()
  return value instanceof Fault || isJsonObject(value) ? value : new Fault(Result.InvalidRequest)
}

function badType(type: unknown): Fault {
  if (type === undefined || type === null) return new Fault(Result.MissingField, { name: 'type' })
  if (typeof type !== 'string') return invalidField('type', 'must be a string')
  return new Fault(Result.InvalidRequest, {}, `Unknown message type: ${printable(type)}`)
}

function errorContext(frame: JsonObject): ErrorContext {
  const { type, channel, rfq_id: rfqId } = frame
  return {
    ...(typeof type === 'string' ? { request_type: type.slice(0, 64) } : {}),
    ...(typeof channel === 'string' ? { channel: channel.slice(0, 64) } : {}),
    ...(typeof rfqId === 'string' ? { rfq_id: rfqId.slice(0, 64) } : {}),
    ...(typeof type === 'string' && signedHandlers.has(type) ? signedContext(frame) : {}),
  }
}

function clockSync(frame: JsonObject, { context, hub, session }: FrameParts): Fault | null {
  const rule = `must be text of at most ${clockNonceBytesMax} bytes`
  const nonce = requiredText(frame, 'nonce', rule, clockNonceBytesMax)
  if (nonce instanceof Fault) return nonce
  hub.reply(session, encode({ type: 'ClockSynced', nonce, server_at: context.nowMillis() }))
  return null
}

function authenticate(frame: JsonObject, parts: FrameParts): Fault | null {
  const wallet = requiredText(frame, 'wallet')
  if (wallet instanceof Fault) return wallet
  const { session: shown = null } = frame
  if (shown !== null && typeof shown !== 'string')
    return invalidField('session', 'must be a string')
  const fault = identify(wallet, parts, shown)
  if (fault !== null) return fault
  const { hub, session } = parts
  const until = session.read === null ? {} : { session_expires_ms: session.read.expiresMillis }
  hub.reply(session, encode({ type: 'Authenticated', wallet: session.wallet, ...until }))
  return null
}

/** Handles GetRateLimits like GET /rate-limits, for the named wallet or that of the session. */
function rateLimits(frame: JsonObject, { context, hub, session }: FrameParts): Fault | null {
  const identified = session.wallet === '' ? undefined : session.wallet
  const text = requiredText({ wallet: frame['wallet'] ?? identified }, 'wallet')
  if (text instanceof Fault) return text
  const wallet = text.toLowerCase()
  const { address } = session.socket
  const isHidden = areReadsSigned(context) && session.wallet !== wallet
  const refused =
    takeWallet(text, scratch) ?? (isHidden ? sessionNeeded() : countRead(context, address, wallet))
  if (refused !== null) return refused
  const limits = rateLimitsOf(context, address, wallet)
  hub.reply(session, encode({ type: 'RateLimits', ...limits, as_of_seq: context.lastSeq() }))
  return null
}

function subscribe(frame: JsonObject, { context, hub, session }: FrameParts): Fault | null {
  const read = readSubscription(frame, context.config.stream.maxSymbolsPerFrame)
  if (read instanceof Fault) return read
  const fromSeq = readFromSeq(frame)
  if (fromSeq instanceof Fault) return fromSeq
  const isSeqAsked = readSeqAsked(frame)
  if (isSeqAsked instanceof Fault) return isSeqAsked
  const unknown = unknownSymbols(read.channel, frame['symbols'], context.names.instruments)
  return hub.subscribe(session, read, { fromSeq, isSeqAsked, unknown })
}

function unsubscribe(frame: JsonObject, { context, hub, session }: FrameParts): Fault | null {
  const read = readSubscription(frame, context.config.stream.maxSymbolsPerFrame)
  return read instanceof Fault ? read : hub.unsubscribe(session, read)
}
