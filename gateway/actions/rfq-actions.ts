import { decimalCharsMax, moneyMicrosMax, rfqLegsMax, uuidBytes } from '../../schemas/bounds.js'
import { formatMicros, parseSizeLots } from '../../schemas/decimal.js'
import { type Side, sideNames } from '../../schemas/domain.js'
import { formatSymbol, type InstrumentSymbol, parseSymbol } from '../../schemas/symbol.js'
import { structOf } from '../../schemas/typed-data.js'
import { type LegTexts, legsHash, parsePremiumMicros, uuidToBytes32 } from '../auth/rfq-encoding.js'
import { BodyFields } from '../wire/body-fields.js'
import { Fault } from '../wire/fault.js'
import {
  invalidDecimal,
  invalidField,
  invalidParameter,
  isJsonObject,
  type JsonObject,
} from '../wire/request-fields.js'
import { quoted } from '../wire/shown-text.js'
import { type ActionForm, bodyFieldsOf, type Fields, signedFieldsOf } from './action.js'
import { field, optional, signedAs, textField, wallet } from './fields.js'

// Requests for quote and their acceptance. Body and stream name the limit differently, and the premium that an
// acceptance signs is in neither: it is that of the quote.

/** A leg of a package as the taker trades it. */
export interface PackageLeg {
  /** Canonical. */
  readonly symbol: string
  readonly terms: InstrumentSymbol
  readonly side: Side
  readonly sizeLots: number
}

const legFields = new BodyFields({ instrument: 'text', side: 'text', size: 'text' })
const textSchema = { type: 'string' } as const

/** A UUID of any version, the nil one too; read in lower case. */
const uuidWord = {
  ...textField({ type: 'string', format: 'uuid' }, (text, name) =>
    uuidToBytes32(text) === null
      ? invalidField(name, `must be a UUID, not ${quoted(text)}`)
      : text.toLowerCase(),
  ),
  signedType: 'bytes32',
  sign: (text: string | undefined) => uuidToBytes32(text!)!,
}

/** One to ten legs of distinct instruments of one underlying. */
const legs = signedAs(
  'legsHash',
  field({
    schema: {
      type: 'array',
      minItems: 1,
      maxItems: rfqLegsMax,
      items: {
        type: 'object',
        properties: {
          instrument: textSchema,
          side: { type: 'string', enum: sideNames },
          size: { type: 'string', format: 'decimal' },
        },
        required: ['instrument', 'side', 'size'],
      },
    },
    kind: 'list',
    signedType: 'bytes32',
    sign: (given) => legsHash(given as readonly LegTexts[]),
    read: (given, name, { refusesUnknown }) => readLegs(given, name, refusesUnknown),
  }),
)

/**
 * Above 0 the most that a buy costs or the least that a sell brings, else the net premium itself: micros. Signed as
 * a decimal text times a million.
 */
const limit = signedAs('limitPrice', {
  ...textField({ type: 'string', format: 'decimal' }, (text, name) => {
    const micros = parsePremiumMicros(text, 'refuse')
    if (micros === null)
      return invalidField(
        name,
        `must be a decimal of at most ${decimalCharsMax} characters, 6 of them decimals, not ${quoted(text)}`,
      )
    const number = Number(micros)
    if (Number.isSafeInteger(number)) return number
    return invalidField(name, `is more than ${formatMicros(moneyMicrosMax)} (${quoted(text)})`)
  }),
  signedType: 'int256',
  sign: (text: string | undefined) => parsePremiumMicros(text!, 'refuse')!,
})

const netPremium = {
  ...textField({ type: 'string', format: 'decimal' }, (text) => text),
  signedType: 'int256',
  sign: (text: string | undefined) => parsePremiumMicros(text!, 'truncate')!,
}

const walletAddress = signedAs('wallet', wallet)
const frameType = {
  type: optional(field({ schema: {}, kind: 'any', read: () => null }), null),
}
const request = { rfq_id: uuidWord, legs }

/** POST /rfq/request. With a limit it is executed by itself. */
export const submitFields = {
  ...request,
  auto_accept_limit: optional(limit, null),
  wallet_address: walletAddress,
}
/** POST /rfq/accept. */
export const acceptFields = {
  rfq_id: uuidWord,
  quote_id: uuidWord,
  wallet_address: walletAddress,
}
/** What an acceptance signs: the premium of the quote, too. */
export const signedAcceptFields = {
  rfq_id: uuidWord,
  quote_id: uuidWord,
  net_premium: netPremium,
  wallet_address: walletAddress,
}

/** What reads each body, and each frame of the stream. */
export const rfqForms = {
  submit: formOf(submitFields),
  accept: formOf(acceptFields),
  SubmitRfq: formOf({ ...frameType, ...request, wallet_address: walletAddress }),
  SubmitAutoExecuteRfq: formOf({
    ...frameType,
    ...request,
    limit_price: limit,
    wallet_address: walletAddress,
  }),
  AcceptRfqQuote: formOf({ ...frameType, ...acceptFields }),
}

/** The structs by their primary type. */
export const rfqStructs = {
  SubmitRFQ: structOf('SubmitRFQ', signedFieldsOf({ ...request, wallet_address: walletAddress })),
  SubmitAutoExecuteRfq: structOf('SubmitAutoExecuteRfq', signedFieldsOf(submitFields)),
  AcceptRFQQuote: structOf('AcceptRFQQuote', signedFieldsOf(signedAcceptFields)),
}

const uuidAt = 16 // in the word that is signed

/** The 16 bytes of a UUID. */
export function uuidBytesOf(uuid: string): Uint8Array {
  return uuidToBytes32(uuid)!.subarray(uuidAt, uuidAt + uuidBytes)
}

// Function declarations, because the tables above are built while this file loads.

function formOf<F extends Fields>(fields: F): Omit<ActionForm<F>, 'check'> {
  return { fields, bodyFields: bodyFieldsOf(fields) }
}

/** The first fault of the legs: what is missing or no text, then values, then what they are together. */
function readLegs(
  given: readonly unknown[],
  name: string,
  refusesUnknown: boolean,
): readonly PackageLeg[] | Fault {
  if (given.length < 1 || given.length > rfqLegsMax) {
    return invalidField(name, `must be 1 to ${rfqLegsMax} legs, not ${given.length}`)
  }
  for (const [index, leg] of given.entries()) {
    const place = `${name}[${index}]`
    if (!isJsonObject(leg)) return invalidParameter(place, 'must be an object')
    const fault = legFields.fault(leg, refusesUnknown)
    if (fault !== null) return new Fault(fault.result, {}, `${place}: ${fault.message}`)
  }
  const legs: PackageLeg[] = []
  for (const [index, leg] of given.entries()) {
    const read = readLeg(leg as JsonObject, `${name}[${index}]`)
    if (read instanceof Fault) return read
    legs.push(read)
  }
  const [first] = legs
  if (new Set(legs.map(({ symbol }) => symbol)).size < legs.length) {
    return invalidField(name, 'must be distinct instruments')
  }
  const isOne = legs.every(({ terms }) => terms.underlying === first!.terms.underlying)
  return isOne ? legs : invalidField(name, 'must be of one underlying')
}

function readLeg(leg: JsonObject, place: string): PackageLeg | Fault {
  const { instrument, side: sideText, size } = leg as unknown as LegTexts
  const terms = parseSymbol(instrument)
  if (typeof terms === 'string') return invalidField(`${place}.instrument`, terms)
  const side = sideNames.indexOf(sideText as (typeof sideNames)[number])
  if (side < 0) return invalidField(`${place}.side`, `must be Buy or Sell, not ${quoted(sideText)}`)
  const sizeLots = parseSizeLots(size)
  if (sizeLots < 0) return invalidDecimal(`${place}.size`, size, sizeLots, parseSizeLots)
  return { symbol: formatSymbol(terms), terms, side: side as Side, sizeLots }
}
