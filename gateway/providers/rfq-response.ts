import { rfqLegsMax } from '../../schemas/bounds.js'
import { parseSizeLots } from '../../schemas/decimal.js'
import { type Side, sideNames } from '../../schemas/domain.js'
import { AnyCommand, DeclineRfqCommand, QuoteRfqCommand } from '../../schemas/generated/commands.js'
import { formatNonce, parseNonce } from '../../schemas/nonce.js'
import type { RecordSink } from '../../schemas/record-views.js'
import { Result } from '../../schemas/results.js'
import {
  type LegTexts,
  legsHash,
  parsePremiumMicros,
  uuidToBytes32,
} from '../../schemas/signing/rfq-encoding.js'
import type { TypedMessage } from '../../schemas/signing/typed-data-digest.js'
import { parseSymbol } from '../../schemas/symbol.js'
import { addressBytes, writeAddress } from '../../schemas/wallet.js'
import { uuidBytesOf } from '../actions/rfq-actions.js'
import type { Signing } from '../actions/signing.js'
import { writeSigned } from '../commands/write-order.js'
import { BodyFields } from '../wire/body-fields.js'
import { Fault } from '../wire/fault.js'
import { writeKey } from '../wire/instrument-key.js'
import {
  badNonce,
  invalidField,
  invalidParameter,
  isJsonObject,
  type JsonObject,
} from '../wire/request-fields.js'

/** Type of the frames that answer an RFQ. */
export const rfqResponse = 'rfq_response'

/** Leg as a provider writes it. */
interface QuotedTexts extends LegTexts {
  readonly price: string
}

/** Firm quote with its texts as received. Wallet and nonce are in `Signing`. */
export interface RfqQuoteResponse {
  readonly rfqId: string
  readonly legs: readonly QuotedTexts[]
  /** Null: the text is not a premium, and cannot have been signed. */
  readonly netPremiumMicros: bigint | null
  readonly validForMillis: bigint
  readonly nonce: string
  readonly signature: string
}

/** A provider declines, or withdraws its quote. */
export interface RfqDecline {
  readonly rfqId: string
  readonly legs: null
}

const bytesMax = 64 * 1024
const idLengthMax = 64
const frameShape = { type: 'text', rfq_id: 'text', action: 'text', 'wallet?': 'any' } as const
const declineFields = new BodyFields(frameShape)
const quoteFields = new BodyFields({
  ...frameShape,
  ...{ legs: 'list', net_premium: 'text', valid_for_ms: 'any', signature: 'text', nonce: 'any' },
})
const legFields = new BodyFields({
  ...{ instrument: 'text', side: 'text', price: 'text', size: 'text' },
})
const quoted = new QuoteRfqCommand()
const declined = new DeclineRfqCommand()
const command = new AnyCommand()
const halves = new Uint32Array(2)
const noSide = -1

/** Parses a frame that is valid JSON, unless it is longer than any response. */
export function parseResponse(bytes: Uint8Array): JsonObject | Fault {
  if (bytes.length > bytesMax) return new Fault(Result.InvalidRequest)
  return JSON.parse(Buffer.from(bytes).toString('utf8')) as JsonObject
}

/** Returns the id of a frame, valid or not, so that an error can identify it. */
export function rfqIdIn(frame: JsonObject): string | undefined {
  const text = frame['rfq_id']
  return typeof text === 'string' ? text.slice(0, idLengthMax) : undefined
}

/** Reads a frame. The engine checks the values, in the order of its checks. */
export function readResponse(
  frame: JsonObject,
  signing: Signing,
): RfqQuoteResponse | RfqDecline | Fault {
  const action = frame['action']
  const isDecline = action === 'decline'
  if (typeof action === 'string' && !isDecline && action !== 'quote') {
    return invalidField('action', 'must be quote or decline')
  }
  const fault = (isDecline ? declineFields : quoteFields).fault(frame, false)
  if (fault !== null) return fault
  const rfqId = (frame['rfq_id'] as string).toLowerCase()
  if (uuidToBytes32(rfqId) === null) return invalidField('rfq_id', 'must be a UUID')
  return isDecline ? { rfqId, legs: null } : readQuote(frame, rfqId, signing)
}

function readQuote(frame: JsonObject, rfqId: string, signing: Signing): RfqQuoteResponse | Fault {
  const { legs, net_premium: netPremium, signature } = frame
  for (const [index, leg] of (legs as readonly unknown[]).entries()) {
    const place = `legs[${index}]`
    if (!isJsonObject(leg)) return invalidParameter(place, 'must be an object')
    const fault = legFields.fault(leg, false)
    if (fault !== null) return new Fault(fault.result, {}, `${place}: ${fault.message}`)
  }
  if (!parseNonce(frame['valid_for_ms'], halves)) {
    return invalidField('valid_for_ms', 'must be an integer of at least 1')
  }
  const validForMillis = BigInt(formatNonce(halves[0]!, halves[1]!))
  const fault = badNonce(frame, signing.nonce)
  if (fault !== null) return fault
  return {
    ...{ rfqId, validForMillis, legs: legs as readonly QuotedTexts[] },
    netPremiumMicros: parsePremiumMicros(netPremium as string, 'truncate'),
    nonce: formatNonce(signing.nonce[0]!, signing.nonce[1]!),
    signature: signature as string,
  }
}

/** Returns the message that a quote signs; null if it cannot have been signed. @param qpWallet Lower-case address. */
export function messageOf(quote: RfqQuoteResponse, qpWallet: string): TypedMessage | null {
  const { rfqId, legs, netPremiumMicros: netPremium, validForMillis: validForMs, nonce } = quote
  if (netPremium === null) return null
  const ids = { rfqId: uuidToBytes32(rfqId)!, legsHash: legsHash(legs) }
  return { ...ids, netPremium, validForMs, qpWallet, nonce }
}

/**
 * Writes the command of a quote. Writes invalid legs as such; the engine reports them in the order of its checks.
 * @param isSigned True if a signer was recovered.
 * @returns False if the sink has no room.
 */
export function writeQuote(
  sink: RecordSink,
  signing: Signing,
  quote: RfqQuoteResponse,
  isSigned: boolean,
): boolean {
  const { rfqId, legs, netPremiumMicros, validForMillis } = quote
  const count = legs.length > rfqLegsMax ? 0 : legs.length
  if (!quoted.claim(sink, QuoteRfqCommand.bytesWith(count))) return false
  writeSigned(command.of(quoted), signing, signing.wallet, signing.nonce[0]!, signing.nonce[1]!)
  if (!isSigned) quoted.u8.fill(0, quoted.signerAt, quoted.signerAt + addressBytes)
  quoted.u8.set(uuidBytesOf(rfqId), quoted.rfqIdAt)
  quoted.netPremiumMicros = netPremiumMicros === null ? Number.NaN : Number(netPremiumMicros)
  quoted.validForMillis = Number(validForMillis)
  quoted.count = count
  for (let index = 0; index < count; index++) writeLeg(index, legs[index]!)
  return true
}

function writeLeg(index: number, { instrument, side, size, price }: QuotedTexts): void {
  const leg = quoted.legs(index)
  const terms = parseSymbol(instrument)
  if (typeof terms !== 'string') writeKey(leg.key, terms)
  // A quote may spell the side like the RFQ or like an order.
  const found = sideNames.findIndex((name) => side === name || side === name.toLowerCase())
  leg.side = (found < 0 ? noSide : found) as Side
  leg.sizeLots = parseSizeLots(size)
  leg.priceMicros = Number(parsePremiumMicros(price, 'truncate') ?? 0)
}

/** Writes the command of a decline. @returns False if the sink has no room. */
export function writeDecline(sink: RecordSink, wallet: string, { rfqId }: RfqDecline): boolean {
  if (!declined.claim(sink)) return false
  writeAddress(wallet, declined.u8, declined.walletAt)
  declined.u8.set(uuidBytesOf(rfqId), declined.rfqIdAt)
  return true
}
