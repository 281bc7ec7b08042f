import {
  bidPositionsMax,
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
// (gateway/actions/signed-message.ts).

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
  /** Value that the venue reads for an absent one. */
  readonly absent: Absent
  /** EIP-712 type; null: not signed. */
  readonly signedType: string | null
  /** Name in the signed struct. */
  readonly signedName: string | null
  /** Signed value of an absent one. */
  readonly signedAbsent: string | boolean
  /** True if its text is signed as it was sent, where its kind signs another form. */
  readonly isSignedAsSent: boolean
  /** Names that a choice has, and how an error lists them. */
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

/** A leg of a package. */
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
const textSchema = { type: 'string' }

/** Address other than zero, signed in lower case. */
export function wallet(description: string) {
  return field<'wallet', string>('wallet', addressSchema, 'address', description)
}

/** Address of a key that may act, other than zero. */
export function agent(description: string) {
  return field<'agent', string>('agent', addressSchema, 'address', description)
}

/** Any address. */
export function builder(description: string) {
  return field<'builder', string>('builder', addressSchema, 'string', description)
}

export function text(description: string) {
  return field<'text', string>('text', textSchema, 'string', description)
}

/** One of several names. @param allowed the names, as an error lists them. */
export function choice<const Names extends readonly string[]>(
  names: Names,
  description: string,
  allowed = `one of ${names.join(', ')}`,
): BodyField<'choice', Names[number], false, never> {
  const schema = { type: 'string', enum: names }
  return {
    ...field<'choice', Names[number]>('choice', schema, 'string', description),
    ...{ names, allowed },
  }
}

/** Contracts, as decimal text. */
export function size(description: string) {
  return field<'size', string>('size', decimalSchema, 'string', description)
}

/** USD per contract, as decimal text. */
export function price(description: string) {
  return field<'price', string>('price', decimalSchema, 'string', description)
}

/** USD from 0, as decimal text. */
export function amount(description: string) {
  return field<'amount', string>('amount', decimalSchema, 'string', description)
}

/** USD, which may be below 0, as decimal text. */
export function signedAmount(description: string) {
  return field<'signedAmount', string>('signedAmount', decimalSchema, 'string', description)
}

/** A limit as decimal text; 0 and '' are no limit. */
export function limit(
  microsMax: number,
  description: string,
): BodyField<'limit', string, false, never> {
  return { ...field<'limit', string>('limit', decimalSchema, 'string', description), microsMax }
}

export function integer(minimum: number, maximum: number, description: string) {
  const schema = { type: 'integer', minimum, maximum }
  return field<'integer', number>('integer', schema, 'uint64', description)
}

/** An integer from 0. */
export function count(description: string) {
  return field<'count', number>('count', { type: 'integer', minimum: 0 }, 'uint64', description)
}

export function boolean(description: string) {
  return field<'boolean', boolean>('boolean', { type: 'boolean' }, 'bool', description)
}

export function uuid(description: string) {
  return field<'uuid', string>('uuid', uuidSchema, 'string', description)
}

/** A UUID of any version, signed as 32 bytes. */
export function uuidWord(description: string) {
  return field<'uuidWord', string>('uuidWord', uuidSchema, 'bytes32', description)
}

/** `sha256:` and 64 hexadecimal digits in lower case. */
export function sha256(description: string) {
  const schema = { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' }
  return field<'sha256', string>('sha256', schema, 'string', description)
}

/** Printable ASCII. */
export function printable(charsMax: number, description: string) {
  const schema = { type: 'string', minLength: 1, maxLength: charsMax }
  return field<'printable', string>('printable', schema, 'string', description)
}

/** Name of an underlying. */
export function underlying(description: string) {
  const schema = { type: 'string', minLength: 1, maxLength: underlyingBytesMax }
  return field<'underlying', string>('underlying', schema, 'string', description)
}

export function username(description: string) {
  const schema = { type: 'string', minLength: 3, maxLength: usernameBytesMax }
  return field<'username', string>('username', schema, 'string', description)
}

/** Order id as a number or decimal text, signed as decimal text. */
export function orderId(description: string) {
  const schema = { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'string' }] }
  return field<'orderId', number | string>('orderId', schema, 'string', description)
}

export function clientId(description: string) {
  return field<'clientId', string>(
    'clientId',
    { type: 'string', maxLength: 64 },
    'string',
    description,
  )
}

/** Ids of payouts, signed in their order and joined by commas. */
export function payoutIds(description: string) {
  const items = { type: 'integer', minimum: 1 }
  const schema = { type: 'array', items, minItems: 1, maxItems: payoutIdsMax }
  return field<'payoutIds', readonly number[]>('payoutIds', schema, 'string', description)
}

/** `all`, an underlying, or a symbol. */
export function cancelScope(description: string) {
  const schema = { type: 'string', minLength: 1 }
  return field<'cancelScope', string>('cancelScope', schema, 'string', description)
}

export function referralCode(description: string) {
  const schema = { type: 'string', minLength: 1 }
  return field<'referralCode', string>('referralCode', schema, 'string', description)
}

/** A text that is signed even where the body omits it. */
export function constant<const Text extends string>(
  value: Text,
  description: string,
): BodyField<'constant', Text, true, Text> {
  const schema = { type: 'string', enum: [value] }
  const one = field<'constant', Text>('constant', schema, 'string', description)
  return { ...optional(one, value, value), names: [value] }
}

/** Address of a push service. */
export function pushUrl(description: string) {
  return field<'pushUrl', string>(
    'pushUrl',
    { type: 'string', format: 'uri' },
    'string',
    description,
  )
}

/** A subscription, as the browser has it. It is not signed. */
export function subscription(description: string) {
  const keys = {
    type: 'object',
    properties: {
      p256dh: { ...textSchema, description: 'Uncompressed point of P-256 in base64url' },
      auth: { ...textSchema, description: 'Secret in base64url' },
    },
    required: ['p256dh', 'auth'],
    description: 'Keys that encrypt notifications for this browser',
  }
  const schema = {
    type: 'object',
    properties: {
      endpoint: { type: 'string', format: 'uri', description: 'Address of the push service' },
      expirationTime: { type: ['number', 'null'], description: 'Ignored' },
      keys,
    },
    required: ['endpoint', 'keys'],
  }
  return field<'subscription', SubscriptionJson>('subscription', schema, null, description)
}

/** Legs of a package, signed as their hash. */
export function legs(description: string) {
  const items = {
    type: 'object',
    properties: {
      instrument: { ...textSchema, description: 'Symbol of the option, signed as sent' },
      side: { type: 'string', enum: sideNames, description: 'Side of the taker' },
      size: { ...decimalSchema, description: 'Contracts' },
    },
    required: ['instrument', 'side', 'size'],
  }
  const schema = { type: 'array', minItems: 1, maxItems: rfqLegsMax, items }
  return signedAs(
    'legsHash',
    field<'legs', readonly LegJson[]>('legs', schema, 'bytes32', description),
  )
}

/** Limit of a package in USD, signed times a million. */
export function premiumLimit(description: string) {
  return signedAs(
    'limitPrice',
    field<'premiumLimit', string>('premiumLimit', decimalSchema, 'int256', description),
  )
}

/** Premium of a package in USD, signed times a million. */
export function netPremium(description: string) {
  return field<'netPremium', string>('netPremium', decimalSchema, 'int256', description)
}

/** Positions of a wallet in auction. They are not signed. */
export function positions(description: string) {
  const items = {
    type: 'object',
    properties: {
      symbol: { ...textSchema, description: 'The instrument, as in current_positions' },
      quantity: { ...textSchema, description: 'Contracts, as in current_positions' },
      entry_price: { ...textSchema, description: 'Mean entry price, as in current_positions' },
    },
    required: ['symbol', 'quantity', 'entry_price'],
  }
  const schema = { type: 'array', minItems: 1, maxItems: bidPositionsMax, items }
  return field<'positions', readonly PositionJson[]>('positions', schema, null, description)
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
export function signedNameOf(name: string, { signedName }: AnyField): string {
  return signedName ?? camelCaseOf(name)
}

// A function declaration, because tables of other files are built while this file loads.

function field<Kind extends BodyKind, Json>(
  kind: Kind,
  schema: JsonSchema,
  signedType: string | null,
  description: string,
): BodyField<Kind, Json, false, never> {
  return {
    ...{ kind, description, schema, signedType, signedName: null, isSignedAsSent: false },
    ...{ isOptional: false, absent: undefined as never, signedAbsent: '' },
    ...{ names: [], allowed: '', microsMax: 0 },
  }
}
