import {
  bidPositionsMax,
  clientIdBytesMax,
  payoutIdsMax,
  rfqLegsMax,
  underlyingBytesMax,
  usernameBytesMax,
} from '../bounds.js'
import { camelCaseOf } from '../camel-case.js'
import { sideNames } from '../domain.js'
import { type StructType, structOf } from '../typed-data.js'
import type { JsonSchema } from './shape.js'

// Fields of signed bodies, as data. A kind has one reader (gateway/actions/body-readers.ts) and one form in the signature
// (schemas/signing/signed-message.ts).

/** Kinds of fields. */
export type BodyKind =
  | 'wallet'
  | 'agent'
  | 'builder'
  | 'text'
  | 'choice'
  | 'size'
  | 'price'
  | 'amount'
  | 'signedAmount'
  | 'limit'
  | 'integer'
  | 'count'
  | 'boolean'
  | 'uuid'
  | 'uuidWord'
  | 'sha256'
  | 'printable'
  | 'underlying'
  | 'username'
  | 'orderId'
  | 'clientId'
  | 'payoutIds'
  | 'cancelScope'
  | 'referralCode'
  | 'constant'
  | 'pushUrl'
  | 'subscription'
  | 'legs'
  | 'premiumLimit'
  | 'netPremium'
  | 'positions'

/** A field of a signed body. */
export interface BodyField<
  Kind extends BodyKind = BodyKind,
  Json = unknown,
  IsOptional extends boolean = boolean,
  Absent = unknown,
> {
  readonly kind: Kind
  readonly description: string
  readonly schema: JsonSchema
  /** True if it may be absent or null. */
  readonly isOptional: IsOptional
  /** Value of an absent field. */
  readonly absent: Absent
  /** EIP-712 type; null: not signed. */
  readonly signedType: string | null
  /** Name in the signed struct. */
  readonly signedName: string | null
  /** Signed value of an absent field. */
  readonly signedAbsent: string | boolean
  /** True if it is signed as sent, although its kind signs another form. */
  readonly isSignedAsSent: boolean
  /** Names of a choice, and the list of them in an error. */
  readonly names: readonly string[]
  readonly allowed: string
  /** Largest limit in micros. */
  readonly microsMax: number
  /** Carries the type of the JSON value; never present. */
  readonly json?: Json
}

// biome-ignore lint/suspicious/noExplicitAny: a table holds fields of every type
type AnyField = BodyField<BodyKind, any, boolean, any>
/** Fields by name, in the order in which they are signed and checked. */
export type BodyShape = Readonly<Record<string, AnyField>>

/** The part of a field that its signature needs. */
export type SignedField = Pick<
  BodyField,
  'kind' | 'isOptional' | 'signedType' | 'signedName' | 'signedAbsent' | 'isSignedAsSent'
>
/** The part of a body that its signature needs. */
export type SignedShape = Readonly<Record<string, SignedField>>

/** Name of a field in TypeScript. */
export type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name
type OptionalNames<F extends BodyShape> = {
  [Name in keyof F]: F[Name]['isOptional'] extends true ? Name : never
}[keyof F]
// biome-ignore lint/suspicious/noExplicitAny: only the type of the JSON value counts
type JsonOf<F> = F extends BodyField<any, infer Json, any, any> ? Json : never

/** Terms of an action, as a client states them: fields in camel case, without the wallet. */
export type TermsOf<F extends BodyShape> = {
  readonly [Name in Exclude<keyof F, OptionalNames<F> | 'wallet'> as CamelCase<Name>]: JsonOf<
    F[Name]
  >
} & {
  readonly [Name in Exclude<OptionalNames<F>, 'wallet'> as CamelCase<Name>]?: JsonOf<F[Name]>
}

/** A leg of a request for quote. */
export interface LegJson {
  readonly instrument: string
  readonly side: string
  readonly size: string
}

/** A position of a wallet in auction. */
export interface PositionJson {
  readonly symbol: string
  readonly quantity: string
  readonly entry_price: string
}

/** A subscription, as the browser has it. */
export interface SubscriptionJson {
  readonly endpoint: string
  readonly expirationTime?: number | null
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

const decimalSchema = { type: 'string', format: 'decimal' }
const addressSchema = { type: 'string', format: 'address' }
const uuidSchema = { type: 'string', format: 'uuid' }
const uriSchema = { type: 'string', format: 'uri' }
const textSchema = { type: 'string' }
const filledSchema = { type: 'string', minLength: 1 }

// Kinds of fields. Each takes the description of its field.

/** Address other than zero, signed in lower case. */
export const wallet = kind<'wallet', string>('wallet', addressSchema, 'address')
/** Address of a key that may act, other than zero. */
export const agent = kind<'agent', string>('agent', addressSchema, 'address')
/** Any address. */
export const builder = kind<'builder', string>('builder', addressSchema)
export const text = kind<'text', string>('text', textSchema)
/** Contracts, as decimal text. */
export const size = kind<'size', string>('size', decimalSchema)
/** USD per contract, as decimal text. */
export const price = kind<'price', string>('price', decimalSchema)
/** USD from 0, as decimal text. */
export const amount = kind<'amount', string>('amount', decimalSchema)
/** USD, which may be negative, as decimal text. */
export const signedAmount = kind<'signedAmount', string>('signedAmount', decimalSchema)
/** An integer from 0. */
export const count = kind<'count', number>('count', { type: 'integer', minimum: 0 }, 'uint64')
export const boolean = kind<'boolean', boolean>('boolean', { type: 'boolean' }, 'bool')
export const uuid = kind<'uuid', string>('uuid', uuidSchema)
/** A UUID of any version, signed as 32 bytes. */
export const uuidWord = kind<'uuidWord', string>('uuidWord', uuidSchema, 'bytes32')
/** `sha256:` and 64 hexadecimal digits in lower case. */
export const sha256 = kind<'sha256', string>('sha256', {
  type: 'string',
  pattern: '^sha256:[0-9a-f]{64}$',
})
/** Name of an underlying. */
export const underlying = kind<'underlying', string>('underlying', {
  ...filledSchema,
  maxLength: underlyingBytesMax,
})
export const username = kind<'username', string>('username', {
  type: 'string',
  minLength: 3,
  maxLength: usernameBytesMax,
})
/** Order id as a number or decimal text, signed as decimal text. */
export const orderId = kind<'orderId', number | string>('orderId', {
  anyOf: [{ type: 'integer', minimum: 0 }, textSchema],
})
export const clientId = kind<'clientId', string>('clientId', {
  type: 'string',
  maxLength: clientIdBytesMax,
})
/** Ids of payouts, signed in their order and joined by commas. */
export const payoutIds = kind<'payoutIds', readonly number[]>('payoutIds', {
  type: 'array',
  items: { type: 'integer', minimum: 1 },
  minItems: 1,
  maxItems: payoutIdsMax,
})
/** `all`, an underlying, or a symbol. */
export const cancelScope = kind<'cancelScope', string>('cancelScope', filledSchema)
export const referralCode = kind<'referralCode', string>('referralCode', filledSchema)
/** Address of a push service. */
export const pushUrl = kind<'pushUrl', string>('pushUrl', uriSchema)
/** A subscription, as the browser has it. It is not signed. */
export const subscription = kind<'subscription', SubscriptionJson>(
  'subscription',
  {
    type: 'object',
    properties: {
      endpoint: { ...uriSchema, description: 'Address of the push service' },
      expirationTime: { type: ['number', 'null'], description: 'Ignored' },
      keys: {
        type: 'object',
        properties: {
          p256dh: { ...textSchema, description: 'Uncompressed point of P-256 in base64url' },
          auth: { ...textSchema, description: 'Secret in base64url' },
        },
        required: ['p256dh', 'auth'],
        description: 'Keys that encrypt notifications for this browser',
      },
    },
    required: ['endpoint', 'keys'],
  },
  null,
)
/** Limit for the premium of all legs in USD, signed times a million. */
export const premiumLimit = kind<'premiumLimit', string>(
  'premiumLimit',
  decimalSchema,
  'int256',
  'limitPrice',
)
/** Premium of all legs in USD, signed times a million. */
export const netPremium = kind<'netPremium', string>('netPremium', decimalSchema, 'int256')
/** Legs of a request for quote, signed as their hash. */
export const legs = kind<'legs', readonly LegJson[]>(
  'legs',
  {
    type: 'array',
    minItems: 1,
    maxItems: rfqLegsMax,
    items: {
      type: 'object',
      properties: {
        instrument: { ...textSchema, description: 'Symbol of the option, signed as sent' },
        side: { type: 'string', enum: sideNames, description: 'Side of the taker' },
        size: { ...decimalSchema, description: 'Contracts' },
      },
      required: ['instrument', 'side', 'size'],
    },
  },
  'bytes32',
  'legsHash',
)
/** Positions of a wallet in auction. They are not signed. */
export const positions = kind<'positions', readonly PositionJson[]>(
  'positions',
  {
    type: 'array',
    minItems: 1,
    maxItems: bidPositionsMax,
    items: {
      type: 'object',
      properties: {
        symbol: { ...textSchema, description: 'Symbol of the instrument, as in current_positions' },
        quantity: { ...textSchema, description: 'Contracts, as in current_positions' },
        entry_price: { ...textSchema, description: 'Mean entry price, as in current_positions' },
      },
      required: ['symbol', 'quantity', 'entry_price'],
    },
  },
  null,
)

/** One of several names. @param allowed the names, as an error lists them. */
export function choice<const Names extends readonly string[]>(
  names: Names,
  description: string,
  allowed = `one of ${names.join(', ')}`,
): BodyField<'choice', Names[number], false, never> {
  const one = kind<'choice', Names[number]>('choice', { type: 'string', enum: names })
  return { ...one(description), names, allowed }
}

/** A limit as decimal text; 0 and '' are no limit. */
export function limit(
  microsMax: number,
  description: string,
): BodyField<'limit', string, false, never> {
  return { ...kind<'limit', string>('limit', decimalSchema)(description), microsMax }
}

export function integer(minimum: number, maximum: number, description: string) {
  const schema = { type: 'integer', minimum, maximum }
  return kind<'integer', number>('integer', schema, 'uint64')(description)
}

/** Printable ASCII. */
export function printable(charsMax: number, description: string) {
  return kind<'printable', string>('printable', { ...filledSchema, maxLength: charsMax })(
    description,
  )
}

/** A text that is signed even if the body omits it. */
export function constant<const Text extends string>(
  value: Text,
  description: string,
): BodyField<'constant', Text, true, Text> {
  const one = kind<'constant', Text>('constant', { type: 'string', enum: [value] })
  return { ...optional(one(description), value, value), names: [value] }
}

/** A field that may be absent. @param absent the value read then. @param signedAbsent the value signed then. */
export function optional<Kind extends BodyKind, Json, Absent>(
  present: BodyField<Kind, Json, false, never>,
  absent: Absent,
  signedAbsent: string | boolean = '',
): BodyField<Kind, Json, true, Absent> {
  return { ...present, isOptional: true, absent, signedAbsent }
}

/** A field that is not signed. */
export function unsigned<F extends AnyField>(signed: F): F {
  return { ...signed, signedType: null }
}

/** A field with a name of its own in the signed struct. */
export function signedAs<F extends AnyField>(signedName: string, signed: F): F {
  return { ...signed, signedName }
}

/** A field whose text is signed as it was sent. */
export function asSent<F extends AnyField>(signed: F): F {
  return { ...signed, isSignedAsSent: true }
}

/** Fields of the signed struct of a body, the nonce last. */
export function signedFieldsOf(fields: BodyShape): StructType['fields'] {
  const signed = Object.entries(fields).filter(([, { signedType }]) => signedType !== null)
  return [
    ...signed.map(([name, one]) => ({ name: signedNameOf(name, one), type: one.signedType! })),
    { name: 'nonce', type: 'uint64' },
  ]
}

/** Signed struct of a body. @param left names of the struct's fields that it lacks. */
export function structOfBody(
  primaryType: string,
  fields: BodyShape,
  ...left: readonly string[]
): StructType {
  const signed = signedFieldsOf(fields).filter(({ name }) => !left.includes(name))
  return structOf(primaryType, signed)
}

/** Name of a field in the signed struct. */
export function signedNameOf(name: string, { signedName }: SignedField): string {
  return signedName ?? camelCaseOf(name)
}

// A function declaration, because the kinds above are built while this file loads.

/**
 * @param signedType EIP-712 type; null: not signed.
 * @param signedName name in the signed struct; null: that of the field in camel case.
 */
function kind<Kind extends BodyKind, Json>(
  kindName: Kind,
  schema: JsonSchema,
  signedType: string | null = 'string',
  signedName: string | null = null,
): (description: string) => BodyField<Kind, Json, false, never> {
  return (description) => ({
    ...{ kind: kindName, description, schema, signedType, signedName, isSignedAsSent: false },
    ...{ isOptional: false, absent: undefined as never, signedAbsent: '' },
    ...{ names: [], allowed: '', microsMax: 0 },
  })
}
