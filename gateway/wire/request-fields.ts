import { clientIdBytesMax } from '../../schemas/bounds.js'
import { type DecimalParser, decimalFaultText } from '../../schemas/decimal.js'
import { parseNonce } from '../../schemas/nonce.js'
import { Result } from '../../schemas/results.js'
import { isZeroAddress, writeAddress } from '../../schemas/wallet.js'
import { Fault } from './fault.js'
import { printable, quoted } from './shown-text.js'

/** JSON object as parsed, with unchecked fields. */
export type JsonObject = Readonly<Record<string, unknown>>

const clientIdPattern = /^[\x20-\x7e]{0,64}$/
const orderIdPattern = /^[0-9]{1,16}$/

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads a required text. @param wrong Error for any other value, or for more than `bytesMax` bytes. */
export function requiredText(
  body: JsonObject,
  name: string,
  wrong = 'must be a string',
  bytesMax = Number.POSITIVE_INFINITY,
): string | Fault {
  const value = body[name]
  if (value === undefined || value === null) return new Fault(Result.MissingField, { name })
  if (typeof value === 'string' && Buffer.byteLength(value) <= bytesMax) return value
  return invalidField(name, wrong)
}

/** Reads an optional field whose type was checked. Distinguishes '' from null. */
export function optionalText(body: JsonObject, name: string): string | null {
  const value = body[name]
  return typeof value === 'string' ? value : null
}

/** Writes a wallet's 20 bytes. The zero address is invalid. */
export function takeWallet(text: string, out: Uint8Array): Fault | null {
  return writeAddress(text, out, 0) && !isZeroAddress(out, 0) ? null : invalidWallet(text)
}

/**
 * @param name Name of the field, if it is not `wallet`.
 */
export function invalidWallet(text: string, name = 'wallet'): Fault {
  return new Fault(Result.InvalidWallet, {}, `Invalid ${name}: ${printable(text)}`)
}

/**
 * @param nonce Receives the two halves of the nonce.
 */
export function badNonce(body: JsonObject, nonce: Uint32Array): Fault | null {
  if (parseNonce(body['nonce'], nonce)) return null
  return invalidParameter(
    'nonce',
    'must be an integer from 0 to 2^53 - 1, or decimal text up to 2^64 - 1',
  )
}

/** Returns the fault of a client id, which must be at most 64 printable ASCII characters; null if it is valid. */
export function clientIdFault(text: string): Fault | null {
  if (clientIdPattern.test(text)) return null
  const has =
    text.length > clientIdBytesMax ? `has ${text.length} characters` : 'has other characters'
  return invalidField(
    'client_id',
    `must be at most ${clientIdBytesMax} printable ASCII characters, ${has} (${quoted(text)})`,
  )
}

/** Returns an order id, given as number or text, as decimal text without leading zeros. */
export function orderIdText(value: unknown): string | Fault {
  const isNumber = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
  if (isNumber && !Object.is(value, -0)) return String(value)
  const isDigits = typeof value === 'string' && orderIdPattern.test(value)
  if (isDigits && Number.isSafeInteger(Number(value))) return String(Number(value))
  return invalidParameter('order_id', 'must be an integer from 0, or its decimal text')
}

export function invalidParameter(name: string, detail: string): Fault {
  return new Fault(Result.InvalidParameter, { name, detail })
}

export function invalidField(name: string, detail: string): Fault {
  return new Fault(Result.InvalidField, { name, detail })
}

/**
 * @param fault Result of `parse` for the text.
 */
export function invalidDecimal(
  name: string,
  text: string,
  fault: number,
  parse: DecimalParser,
): Fault {
  return invalidField(name, decimalDetail(text, fault, parse))
}

/** Returns the fault of a decimal text, with the text, as the end of a sentence. */
export function decimalDetail(text: string, fault: number, parse: DecimalParser): string {
  return `${decimalFaultText(fault, parse)} (${quoted(text)})`
}
