import { AnyCommand, type CommandType } from '../../schemas/generated/commands.js'
import { Envelope } from '../../schemas/interface/answer.js'
import { formatNonce } from '../../schemas/nonce.js'
import type { RecordSink, RecordViews } from '../../schemas/record-views.js'
import { type StructType, structOf } from '../../schemas/typed-data.js'
import type { TypedMessage } from '../auth/typed-data-digest.js'
import { BodyFields, signedFields } from '../wire/body-fields.js'
import { Fault } from '../wire/fault.js'
import type { FieldKind } from '../wire/json-shape.js'
import { badNonce, type JsonObject } from '../wire/request-fields.js'
import { type Content, writeContent } from './command-content.js'
import type { Field } from './fields.js'
import type { Signing } from './signing.js'

const command = new AnyCommand()

// biome-ignore lint/suspicious/noExplicitAny: a table holds fields of every type
type AnyField = Field<any, any>
/** Fields by their names in JSON, in the order in which they are signed and looked at. */
export type Fields = Readonly<Record<string, AnyField>>

/** What was read of each field. */
export type Values<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<never, infer Value> ? Value : never
}

type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name
type OptionalNames<F extends Fields> = {
  [Name in keyof F]: F[Name]['isOptional'] extends true ? Name : never
}[keyof F]

/** What a client says of an action, beside its wallet: names are those in JSON, in camel case. */
export type TermsOf<F extends Fields> = {
  readonly [Name in Exclude<keyof F, OptionalNames<F> | 'wallet'> as CamelCase<Name>]: JsonOf<
    F[Name]
  >
} & {
  readonly [Name in Exclude<OptionalNames<F>, 'wallet'> as CamelCase<Name>]?: JsonOf<F[Name]>
}
type JsonOf<F> = F extends Field<infer Json> ? Frozen<Json> : never
type Frozen<T> = T extends object ? { readonly [Name in keyof T]: Frozen<T[Name]> } : T

/** Who may sign: the wallet or an agent of it, the wallet alone, or a signer of the operator. */
export type SignedBy = 'wallet' | 'owner' | 'operator'

/** What is generated of a command's description. */
interface CommandClass<Record> {
  readonly bytes: number
  new (): Record & { over(views: RecordViews, at: number): Record }
  /** Of a command with a list: the length with so many rows. */
  bytesWith?(count: number): number
}

/** A row of the table of signed writes of an account. Nonce and signature belong to every one. */
export interface ActionRow<F extends Fields, Answer, Record = object> {
  readonly endpoint: readonly [method: 'POST' | 'DELETE', path: string]
  readonly fields: F
  readonly command: CommandType
  readonly record: CommandClass<Record>
  /** Of a command with a list: its rows. */
  rows?(values: Values<F>): number
  /** What the command holds beside signer, wallet and nonce. */
  content?(values: Values<F>): Content<Record>
  /** A fault that no field has alone. */
  check?(values: Values<F>): Fault | null
  /** Default: `Data`. */
  readonly envelope?: Envelope
  /** Default: `wallet`. */
  readonly signedBy?: SignedBy
  /** Whether its agents are strangers to the wallet that the body names. Default: false. */
  readonly isOwnersOnly?: boolean
  /** Whether no window of the wallet keeps its owner from it. Default: false. */
  readonly isOwnersResort?: boolean
  /**
   * Whether it has the wallet's affairs told for longer than an agent may be one: where private reads are signed it is the
   * owner's alone. Default: false.
   */
  readonly outlivesAgents?: boolean
  /** What the client makes of the answer: `data` of one in the envelope `Data`, else all of it. */
  readonly answer: AnswerType<Answer>
}

/** Stands for a type of the wire in a row. */
export interface AnswerType<Answer> {
  readonly sample?: Answer
}

type OwnWork = 'record' | 'rows' | 'content' | 'check'

/** A row with what follows from it. */
export interface Action<F extends Fields = Fields, Answer = unknown>
  extends Required<Omit<ActionRow<F, Answer>, OwnWork>>,
    Pick<ActionRow<F, Answer>, 'check'> {
  readonly struct: StructType
  readonly bodyFields: BodyFields
  /** Claims the command and writes all but its header. @returns null: the sink has no room. */
  write(sink: RecordSink, values: Values<F>): AnyCommand | null
}

/** An action that has no endpoint, but a frame of the stream. */
export type StreamAction<F extends Fields = Fields, Answer = unknown> = Omit<
  Action<F, Answer>,
  'endpoint'
>

/** What reads a body. A wallet that acts stands in its `wallet` or `wallet_address`. */
export type ActionForm<F extends Fields = Fields> = Pick<
  Action<F>,
  'fields' | 'bodyFields' | 'check'
>

/** A valid body of an action. Wallet bytes and nonce stand in `Signing` as well. */
export interface ActionRequest<F extends Fields = Fields> {
  readonly values: Values<F>
  /** Lower-case text of the wallet that the body names; '': none. */
  readonly wallet: string
  /** Decimal text. */
  readonly nonce: string
  readonly message: TypedMessage
  readonly signature: string
}

export function answers<Answer>(): AnswerType<Answer> {
  return {}
}

/** @param name of the struct that is signed. */
export function action<const F extends Fields, Answer, Record extends object>(
  name: string,
  { endpoint, ...row }: ActionRow<F, Answer, Record>,
): Action<F, Answer> {
  return { endpoint, ...streamAction(name, row) }
}

/** An action of the stream alone. @param name of the struct that is signed. */
export function streamAction<const F extends Fields, Answer, Record extends object>(
  name: string,
  { record, rows, content, ...row }: Omit<ActionRow<F, Answer, Record>, 'endpoint'>,
): StreamAction<F, Answer> {
  const cursor = new record()
  return {
    ...{ envelope: Envelope.Data, signedBy: 'wallet' },
    ...{ isOwnersOnly: false, isOwnersResort: false, outlivesAgents: false },
    ...row,
    struct: structOf(name, signedFieldsOf(row.fields)),
    bodyFields: bodyFieldsOf(row.fields),
    write(sink, values) {
      const bytes = rows === undefined ? record.bytes : record.bytesWith!(rows(values))
      const at = sink.tryClaim(bytes, row.command)
      if (at < 0) return null
      if (content !== undefined) writeContent(cursor.over(sink.views, at), content(values))
      return command.over(sink.views, at)
    },
  }
}

/** The fields of a struct: those of a row that are signed, then the nonce. */
export function signedFieldsOf(fields: Fields): StructType['fields'] {
  const signed = Object.entries(fields).filter(([, { signedType }]) => signedType !== null)
  return [
    ...signed.map(([name, field]) => ({
      name: signedNameOf(name, field),
      type: field.signedType!,
    })),
    { name: 'nonce', type: 'uint64' },
  ]
}

/** In the order that faults are looked for: what must be there, what belongs to all, what may be there. */
export function bodyFieldsOf(fields: Fields): BodyFields {
  const kindsOf = (isOptional: boolean): Record<string, FieldKind> =>
    Object.fromEntries(
      Object.entries(fields)
        .filter(([, field]) => field.isOptional === isOptional)
        .map(([name, { kind }]) => [isOptional ? `${name}?` : name, kind]),
    )
  return new BodyFields({ ...kindsOf(false), ...signedFields, ...kindsOf(true) })
}

/** What is signed of a body, whose types were checked. @param nonce a number, or decimal text. */
export function messageOf(fields: Fields, body: JsonObject, nonce: number | string): TypedMessage {
  const signed = Object.entries(fields).filter(([, { signedType }]) => signedType !== null)
  const message = signed.map(
    ([name, field]) => [signedNameOf(name, field), field.sign(body[name] ?? undefined)] as const,
  )
  return { ...Object.fromEntries(message), nonce }
}

/** Reads a body. @returns the first fault: fields that lack, then types, then values. */
export function readAction<F extends Fields>(
  { fields, bodyFields, check }: ActionForm<F>,
  body: JsonObject,
  signing: Signing,
): ActionRequest<F> | Fault {
  const malformed =
    bodyFields.fault(body, signing.refusesUnknownFields) ??
    shapeFaultOf(fields, body) ??
    badNonce(body, signing.nonce)
  if (malformed !== null) return malformed
  const values: Record<string, unknown> = {}
  const scope = { body, refusesUnknown: signing.refusesUnknownFields, unknown: null }
  for (const [name, field] of Object.entries(fields)) {
    const value: unknown = field.read(body[name] ?? undefined, name, scope)
    if (value instanceof Fault) return value
    values[name] = value
  }
  const fault = check?.(values as Values<F>) ?? null
  if (fault !== null) return fault
  const walletName = values['wallet_address'] === undefined ? 'wallet' : 'wallet_address'
  const wallet = values[walletName] as Uint8Array | null | undefined
  if (wallet) signing.wallet.set(wallet)
  const nonce = formatNonce(signing.nonce[0], signing.nonce[1])
  return {
    values: values as Values<F>,
    wallet: wallet ? (body[walletName] as string).toLowerCase() : '',
    nonce,
    message: messageOf(fields, body, nonce),
    signature: body['signature'] as string,
  }
}

function shapeFaultOf(fields: Fields, body: JsonObject): Fault | null {
  for (const [name, field] of Object.entries(fields)) {
    const fault = field.shapeFault(body[name], name)
    if (fault !== null) return fault
  }
  return null
}

function signedNameOf(name: string, { signedName }: AnyField): string {
  return signedName ?? camelCaseOf(name)
}

/** `marginMode` of `margin_mode`. */
export function camelCaseOf(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
}
