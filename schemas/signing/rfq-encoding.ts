import { decimalCharsMax, uuidBytes } from '../bounds.js'
import { writeHex } from '../hex.js'
import { keccak256 } from './keccak.js'
import { digestBytes } from './typed-data-digest.js'

/** A leg as received; the texts are not normalized. */
export interface LegTexts {
  readonly instrument: string
  readonly side: string
  readonly size: string
}

const uuidPattern = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/
const premiumPattern = /^(-?)(\d+)(?:\.(\d+))?$/
const premiumDecimals = 6
const int64Min = -(2n ** 63n)
const int64Max = 2n ** 63n - 1n
const utf8 = new TextEncoder()

/**
 * Converts the UUID text of an `rfq_id` or `quote_id` to bytes32: 16 zero bytes, then those of the UUID.
 * @returns null if the text is no UUID.
 */
export function uuidToBytes32(uuid: string): Uint8Array | null {
  if (!uuidPattern.test(uuid)) return null
  const word = new Uint8Array(digestBytes)
  writeHex(uuid.replaceAll('-', ''), 0, word, digestBytes - uuidBytes, uuidBytes)
  return word
}

/** Returns the Keccak-256 of `legsText`, 32 fresh bytes. */
export function legsHash(legs: readonly LegTexts[]): Uint8Array {
  return keccak256(utf8.encode(legsText(legs)))
}

/**
 * Returns the text that `legsHash` hashes: `instrument|side|size` of every leg, in request order, joined by `;`, with
 * the side in lower case and the size without leading zeros.
 */
export function legsText(legs: readonly LegTexts[]): string {
  return legs
    .map(
      (leg) => `${leg.instrument}|${leg.side.toLowerCase()}|${leg.size.replace(/^0+(?=\d)/, '')}`,
    )
    .join(';')
}

/**
 * Parses the decimal text of a premium, with its sign, to micros as signed (int256).
 * @param excess treatment of more than 6 decimals: a `limit_price` refuses them, a firm quote's `net_premium` is
 * truncated toward zero.
 * @returns null if the text is no decimal, has more than 64 characters, or is outside the signed 64-bit range.
 */
export function parsePremiumMicros(text: string, excess: 'refuse' | 'truncate'): bigint | null {
  const match = text.length > decimalCharsMax ? null : premiumPattern.exec(text)
  if (match === null) return null
  const [, sign, whole, fraction = ''] = match
  if (excess === 'refuse' && /[1-9]/.test(fraction.slice(premiumDecimals))) return null
  // 64 bits have 19 digits; longer texts are refused before they cause a long multiplication.
  if (whole!.replace(/^0+/, '').length > 19) return null
  const magnitude = BigInt(whole! + fraction.slice(0, premiumDecimals).padEnd(premiumDecimals, '0'))
  const micros = sign === '-' ? -magnitude : magnitude
  return micros < int64Min || micros > int64Max ? null : micros
}
