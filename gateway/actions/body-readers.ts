import {
  payoutIdsMax,
  referralCodeBytesMax,
  referralCodeBytesMin,
  rfqLegsMax,
  underlyingBytesMax,
  usernameBytesMax,
} from '../../schemas/bounds.js'
import {
  type DecimalParser,
  formatMicros,
  parseAmountMicros,
  parsePriceMicros,
  parseSignedMicros,
  parseSizeLots,
} from '../../schemas/decimal.js'
import type {
  BodyField,
  BodyKind,
  BodyShape,
  LegJson,
  SubscriptionJson,
} from '../../schemas/interface/body.js'
import { CancelScope } from '../../schemas/record-values.js'
import { uuidToBytes32 } from '../../schemas/signing/rfq-encoding.js'
import { type InstrumentSymbol, isUnderlying, parseSymbol, perpOf } from '../../schemas/symbol.js'
import { isUsername } from '../../schemas/username.js'
import { isZeroAddress, parseAddress } from '../../schemas/wallet.js'
import type { Fault } from '../wire/fault.js'
import type { FieldKind } from '../wire/json-shape.js'
import { mustBePushUrl, pushUrlOf } from '../wire/push-url.js'
import { referralCodeOf } from '../wire/referral-text.js'
import {
  clientIdFault,
  invalidDecimal,
  invalidField,
  invalidParameter,
  invalidWallet,
  orderIdText,
} from '../wire/request-fields.js'
import { patternOf } from '../wire/schema-pattern.js'
import { quoted } from '../wire/shown-text.js'
import { type BidPosition, readPositions } from './bid-positions.js'
import { type ComboLeg, readLegs, readPremiumLimit } from './combo-legs.js'
import { type PushTarget, readPushTarget, targetFault } from './push-target.js'

/** Scope of a cancel-all. */
export interface CancelTarget {
  readonly scope: CancelScope
  /** Terms that name an underlying or an instrument; null for `all`. */
  readonly terms: InstrumentSymbol | null
}

/** Type of the value that the reader of each kind returns. */
export interface BodyValues {
  readonly wallet: Uint8Array
  readonly agent: Uint8Array
  readonly builder: Uint8Array
  readonly text: string
  /** Index among the names. */
  readonly choice: number
  readonly size: number
  readonly price: number
  readonly amount: number
  readonly signedAmount: number
  readonly limit: number
  readonly integer: number
  readonly count: number
  readonly boolean: boolean
  readonly uuid: string
  readonly uuidWord: string
  readonly sha256: string
  readonly printable: string
  readonly underlying: string
  readonly username: string
  readonly orderId: string
  readonly clientId: string
  readonly payoutIds: readonly number[]
  readonly cancelScope: CancelTarget
  readonly referralCode: string
  readonly constant: string
  readonly pushUrl: string
  readonly subscription: PushTarget
  readonly legs: readonly ComboLeg[]
  readonly premiumLimit: number
  readonly netPremium: string
  readonly positions: readonly BidPosition[]
}

/** Values of the fields of a body. */
export type Values<F extends BodyShape> = { readonly [Name in keyof F]: ValueOf<F[Name]> }
type ValueOf<F> =
  // biome-ignore lint/suspicious/noExplicitAny: the JSON type does not count here
  F extends BodyField<infer Kind, any, infer IsOptional, infer Absent>
    ? BodyValues[Kind] | (IsOptional extends true ? Absent : never)
    : never

/** Reader of one kind of fields. */
interface BodyReader<Value> {
  /** JSON type that every check of a body's types expects; `any`: `shapeFault` or `read` checks it. */
  readonly type: FieldKind
  /** Returns the fault of a nested value that is missing or of a wrong type. */
  shapeFault?(json: unknown, name: string): Fault | null
  /**
   * @param refusesUnknown True if objects in the field may not have unknown fields.
   */
  read(json: never, name: string, field: BodyField, refusesUnknown: boolean): Value | Fault
}

const usernameText = /^[A-Za-z0-9_]+$/
const printableText = /^[\x20-\x7e]+$/
const visibleText = /^[\x21-\x7e]+$/
const uuidText = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i

const readers: { readonly [Kind in BodyKind]: BodyReader<BodyValues[Kind]> } = {
  wallet: texts((text, name) => {
    const bytes = parseAddress(text)
    return bytes === null || isZeroAddress(bytes, 0) ? invalidWallet(text, name) : bytes
  }),
  agent: texts((text, name) => {
    const bytes = parseAddress(text)
    if (bytes === null) return notAnAddress(name, text)
    return isZeroAddress(bytes, 0) ? invalidField(name, 'must not be the zero address') : bytes
  }),
  builder: texts((text, name) => parseAddress(text) ?? notAnAddress(name, text)),
  text: texts((text) => text),
  choice: texts((text, name, { names, allowed }) => {
    const index = names.indexOf(text)
    return index < 0 ? invalidField(name, `must be ${allowed}, not ${quoted(text)}`) : index
  }),
  size: decimals(parseSizeLots),
  price: decimals(parsePriceMicros),
  amount: decimals(parseAmountMicros),
  signedAmount: texts((text, name) => {
    const micros = parseSignedMicros(text)
    if (!Number.isNaN(micros)) return micros
    return invalidField(name, `must be a decimal amount, not ${quoted(text)}`)
  }),
  limit: texts((text, name, { microsMax }) => {
    const micros = text === '' ? 0 : parseAmountMicros(text)
    if (micros < 0) return invalidDecimal(name, text, micros, parseAmountMicros)
    if (micros <= microsMax) return micros
    return invalidField(name, `must be at most ${formatMicros(microsMax)}, not ${quoted(text)}`)
  }),
  integer: {
    type: 'integer',
    read(value: number, name, { schema: { minimum, maximum } }) {
      if (value >= Number(minimum) && value <= Number(maximum)) return value
      return invalidField(name, `must be ${minimum} to ${maximum}, not ${value}`)
    },
  },
  count: {
    type: 'any',
    shapeFault(value, name) {
      const isCount = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
      return isCount ? null : invalidParameter(name, 'must be an integer from 0 to 2^53 - 1')
    },
    read: (value: number) => value,
  },
  boolean: { type: 'boolean', read: (value: boolean) => value },
  uuid: texts((text, name) => (uuidText.test(text) ? text : noUuid(text, name))),
  uuidWord: texts((text, name) =>
    uuidToBytes32(text) === null ? noUuid(text, name) : text.toLowerCase(),
  ),
  sha256: texts((text, name, { schema }) =>
    patternOf(schema).test(text)
      ? text
      : invalidField(
          name,
          `must be sha256: followed by 64 lowercase hexadecimal digits, not ${quoted(text)}`,
        ),
  ),
  printable: texts((text, name, { schema: { maxLength } }) => {
    if (printableText.test(text) && text.length <= Number(maxLength)) return text
    return invalidField(name, `must be 1 to ${maxLength} printable ASCII characters`)
  }),
  underlying: texts((text, name) => {
    if (visibleText.test(text) && text.length <= underlyingBytesMax) return text
    return invalidField(name, `must be the name of a listed underlying, not ${quoted(text)}`)
  }),
  username: texts((text, name) => {
    const lower = text.toLowerCase()
    if (usernameText.test(text) && isUsername(lower)) return lower
    const allowed = `3 to ${usernameBytesMax} letters, digits and underscores, starting with a letter`
    return invalidField(name, `must be ${allowed}`)
  }),
  orderId: { type: 'any', read: orderIdText },
  clientId: texts((text) => clientIdFault(text) ?? text),
  payoutIds: {
    type: 'any',
    shapeFault(ids, name) {
      const isList = Array.isArray(ids) && ids.every((id) => Number.isSafeInteger(id))
      if (isList && ids.length >= 1 && ids.length <= payoutIdsMax) return null
      return invalidParameter(name, `must be a list of 1 to ${payoutIdsMax} integers`)
    },
    read: (ids: readonly number[], name) =>
      ids.every((id) => id >= 1) ? ids : invalidField(name, 'each id must be at least 1'),
  },
  cancelScope: texts((text, name) => {
    if (text === 'all') return { scope: CancelScope.All, terms: null }
    if (isUnderlying(text)) return { scope: CancelScope.Underlying, terms: perpOf(text) }
    const terms = parseSymbol(text)
    if (typeof terms !== 'string') return { scope: CancelScope.Instrument, terms }
    return invalidField(name, `must be all, an underlying or a symbol, not ${quoted(text)}`)
  }),
  referralCode: texts((text, name) => {
    const lengths = `${referralCodeBytesMin} to ${referralCodeBytesMax}`
    return (
      referralCodeOf(text) ??
      invalidField(name, `must be ${lengths} characters of A-Z, 0-9, _ and -`)
    )
  }),
  constant: texts((text, name, { names: [only] }) =>
    text === only ? text : invalidField(name, `must be ${only}`),
  ),
  pushUrl: texts((text, name) =>
    pushUrlOf(text) === null ? invalidField(name, mustBePushUrl) : text,
  ),
  subscription: {
    type: 'object',
    shapeFault: targetFault,
    read: (value: SubscriptionJson, name) => readPushTarget(value, name),
  },
  legs: {
    type: 'list',
    read: (given: readonly LegJson[], name, _, refusesUnknown) =>
      given.length < 1 || given.length > rfqLegsMax
        ? invalidField(name, `must be 1 to ${rfqLegsMax} legs, not ${given.length}`)
        : readLegs(given, name, refusesUnknown),
  },
  premiumLimit: texts((text, name) => readPremiumLimit(text, name)),
  netPremium: texts((text) => text),
  positions: {
    type: 'any',
    read: (value: unknown, name, _, refusesUnknown) => readPositions(value, name, refusesUnknown),
  },
}

/** Returns the JSON type that a field must have; `any`: its reader checks. */
export function jsonTypeOf({ kind }: BodyField): FieldKind {
  return readers[kind].type
}

/** Returns the fault of a nested value that is missing or of a wrong type. */
export function shapeFaultOf(field: BodyField, json: unknown, name: string): Fault | null {
  return readers[field.kind].shapeFault?.(json, name) ?? null
}

/** Reads a field whose JSON type was checked. */
export function readField<F extends BodyField>(
  field: F,
  json: unknown,
  name: string,
  refusesUnknown = false,
): ValueOf<F> | Fault {
  if (json === undefined && field.isOptional) return field.absent as ValueOf<F>
  return readers[field.kind].read(json as never, name, field, refusesUnknown) as ValueOf<F> | Fault
}

// Function declarations, because the table above is built while this file loads.

function texts<Value>(
  read: (text: string, name: string, field: BodyField) => Value | Fault,
): BodyReader<Value> {
  return { type: 'text', read }
}

/** Reads decimal text as a scaled integer. @param parse Returns a negative fault for a malformed text. */
function decimals(parse: DecimalParser): BodyReader<number> {
  return texts((text, name) => {
    const scaled = parse(text)
    return scaled < 0 ? invalidDecimal(name, text, scaled, parse) : scaled
  })
}

function notAnAddress(name: string, text: string): Fault {
  return invalidField(name, `must be 0x followed by 40 hexadecimal digits, not ${quoted(text)}`)
}

function noUuid(text: string, name: string): Fault {
  return invalidField(name, `must be a UUID, not ${quoted(text)}`)
}
