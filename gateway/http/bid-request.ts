import { parseSignedLots, parseSignedMicros } from '../../schemas/decimal.js'
import { bidIntentBytesMax, bidPositionsMax } from '../../schemas/liquidation.js'
import { formatNonce } from '../../schemas/nonce.js'
import { Result } from '../../schemas/results.js'
import { type InstrumentSymbol, parseSymbol } from '../../schemas/symbol.js'
import { addressBytes } from '../../schemas/wallet.js'
import type { AuctionPosition } from '../auth/auction-terms-hash.js'
import { BodyFields, signedFields } from '../commands/body-fields.js'
import { badNonce } from '../commands/order-request.js'
import {
  invalidField,
  invalidParameter,
  isJsonObject,
  type JsonObject,
  takeWallet,
} from '../commands/request-fields.js'
import type { Signing } from '../commands/signing.js'
import { Fault } from '../fault.js'
import { readJsonBody } from './json-body.js'

/** A position that the bid names: its texts as signed, and as numbers. */
export interface BidPosition extends AuctionPosition {
  readonly terms: InstrumentSymbol
  readonly lots: number
  readonly entryMicros: number
}

/** A bid as it came. Wallet bytes and nonce stand in `Signing` as well; texts are signed as received. */
export interface BidRequest {
  /** Lower-case text of the bidder. */
  readonly wallet: string
  /** As received, for the signature; then in lower case, and as bytes. */
  readonly liquidatedWallet: string
  readonly liquidatedText: string
  readonly liquidatedBytes: Uint8Array
  readonly requestId: string
  readonly auctionId: string
  readonly bidUsdc: string
  /** Below 0: the least that the bidder wants to be paid. */
  readonly bidMicros: number
  readonly positions: readonly BidPosition[]
  readonly portfolioHash: string
  readonly auctionTermsHash: string
  readonly auctionVersion: number
  readonly valuationMillis: number
  readonly bidIntentHash: string
  /** Decimal text. */
  readonly nonce: string
  readonly signature: string
}

const texts = [
  'wallet',
  'liquidated_wallet',
  'request_id',
  'auction_id',
  'bid_usdc',
  'portfolio_hash',
  'auction_terms_hash',
  'bid_intent_hash',
]
const fields = new BodyFields({
  ...Object.fromEntries(texts.map((name) => [name, 'text'] as const)),
  ...{ positions: 'any', auction_version: 'any', valuation_timestamp_ms: 'any', ...signedFields },
})
const positionFields = new BodyFields({ symbol: 'text', quantity: 'text', entry_price: 'text' })
const uuidPattern = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const printableText = /^[\x20-\x7e]+$/
const auctionIdCharsMax = 64

/** @returns the first fault: fields that lack, then types, then values. */
export function readBidRequest(bytes: Buffer | null, signing: Signing): BidRequest | Fault {
  const body = readJsonBody(bytes)
  if (body instanceof Fault) return body
  const malformed =
    fields.fault(body, signing.refusesUnknownFields) ??
    notCount(body, 'auction_version') ??
    notCount(body, 'valuation_timestamp_ms') ??
    badNonce(body, signing)
  if (malformed !== null) return malformed
  const text = (name: string) => body[name] as string
  const liquidatedBytes = new Uint8Array(addressBytes)
  const bidMicros = parseSignedMicros(text('bid_usdc'))
  const fault =
    takeWallet(text('wallet'), signing.wallet) ??
    takeWallet(text('liquidated_wallet'), liquidatedBytes) ??
    (uuidPattern.test(text('request_id')) ? null : invalidField('request_id', 'must be a UUID')) ??
    badText(text('auction_id'), 'auction_id', auctionIdCharsMax) ??
    (Number.isNaN(bidMicros) ? invalidField('bid_usdc', 'must be a decimal amount') : null) ??
    badText(text('bid_intent_hash'), 'bid_intent_hash', bidIntentBytesMax)
  if (fault !== null) return fault
  const positions = readPositions(body['positions'], signing.refusesUnknownFields)
  if (positions instanceof Fault) return positions
  return {
    wallet: text('wallet').toLowerCase(),
    liquidatedWallet: text('liquidated_wallet'),
    liquidatedText: text('liquidated_wallet').toLowerCase(),
    liquidatedBytes,
    requestId: text('request_id'),
    auctionId: text('auction_id'),
    bidUsdc: text('bid_usdc'),
    bidMicros,
    positions,
    portfolioHash: text('portfolio_hash'),
    auctionTermsHash: text('auction_terms_hash'),
    auctionVersion: body['auction_version'] as number,
    valuationMillis: body['valuation_timestamp_ms'] as number,
    bidIntentHash: text('bid_intent_hash'),
    nonce: formatNonce(signing.nonce[0], signing.nonce[1]),
    signature: text('signature'),
  }
}

function readPositions(value: unknown, refusesUnknown: boolean): readonly BidPosition[] | Fault {
  if (!Array.isArray(value) || value.length === 0 || value.length > bidPositionsMax) {
    return invalidParameter('positions', `must be an array of 1 to ${bidPositionsMax}`)
  }
  const positions: BidPosition[] = []
  for (const item of value) {
    const fault = isJsonObject(item) ? positionFields.fault(item, refusesUnknown) : null
    if (fault?.result === Result.InvalidField) return fault
    const position = isJsonObject(item) && fault === null ? readPosition(item) : null
    if (position === null) {
      return invalidField('positions', 'each has symbol, quantity and entry_price')
    }
    positions.push(position)
  }
  return positions
}

function readPosition(item: JsonObject): BidPosition | null {
  const { symbol, quantity, entry_price: entryPrice } = item
  if (typeof symbol !== 'string' || typeof quantity !== 'string') return null
  if (typeof entryPrice !== 'string') return null
  const terms = parseSymbol(symbol)
  const lots = parseSignedLots(quantity)
  const entryMicros = parseSignedMicros(entryPrice)
  if (typeof terms === 'string' || !Number.isInteger(lots) || !(entryMicros >= 0)) return null
  return { symbol, quantity, entryPrice, terms, lots, entryMicros }
}

function notCount(body: JsonObject, name: string): Fault | null {
  const value = body[name]
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return null
  return invalidParameter(name, 'must be an integer from 0')
}

function badText(text: string, name: string, charsMax: number): Fault | null {
  if (printableText.test(text) && text.length <= charsMax) return null
  return invalidField(name, `must be 1 to ${charsMax} printable ASCII characters`)
}
