import { AnyCommand, type CommandType } from '../../schemas/generated/commands.js'
import type { BodyShape } from '../../schemas/interface/body.js'
import type { AccountRow } from '../../schemas/interface/write.js'
import { formatNonce } from '../../schemas/nonce.js'
import type { RecordSink, RecordViews } from '../../schemas/record-views.js'
import { messageOf } from '../../schemas/signing/signed-message.js'
import type { TypedMessage } from '../../schemas/signing/typed-data-digest.js'
import { BodyFields, signedFields } from '../wire/body-fields.js'
import { Fault } from '../wire/fault.js'
import type { FieldKind } from '../wire/json-shape.js'
import { badNonce, type JsonObject } from '../wire/request-fields.js'
import { jsonTypeOf, readField, shapeFaultOf, type Values } from './body-readers.js'
import { type Content, writeContent } from './command-content.js'
import type { Signing } from './signing.js'

const command = new AnyCommand()

/** Generated class of a command. */
interface CommandClass<Record> {
  readonly bytes: number
  new (): Record & { over(views: RecordViews, at: number): Record }
  /** Returns the length of a command with a list of `rows` rows. */
  bytesWith?(count: number): number
}

/** Command that an action becomes. */
export interface ActionWork<F extends BodyShape, Record = object> {
  readonly command: CommandType
  readonly record: CommandClass<Record>
  /** Number of rows of a command with a list. */
  rows?(values: Values<F>): number
  /** Fields of the command in addition to signer, wallet and nonce. */
  content?(values: Values<F>): Content<Record>
  /** Returns a fault that no single field has. */
  check?(values: Values<F>): Fault | null
}

/** Reader of a body. The acting wallet is in its `wallet` or `wallet_address`. */
export interface ActionForm<F extends BodyShape = BodyShape> {
  readonly body: F
  readonly bodyFields: BodyFields
  check?(values: Values<F>): Fault | null
}

/** Action: its row in the interface, and the command that it becomes. */
export interface Action<F extends BodyShape = BodyShape, Data = unknown> extends ActionForm<F> {
  readonly row: AccountRow<F, Data>
  readonly command: CommandType
  /** Claims the command and writes everything except its header. @returns Null if the sink has no room. */
  write(sink: RecordSink, values: Values<F>): AnyCommand | null
}

/** Valid body. Its wallet and nonce are also in `Signing`, as bytes. */
export interface ActionRequest<F extends BodyShape = BodyShape> {
  readonly values: Values<F>
  /** Lower-case text of the wallet that the body names; '' if none. */
  readonly wallet: string
  /** Decimal text. */
  readonly nonce: string
  readonly message: TypedMessage
  readonly signature: string
}

export function action<const F extends BodyShape, Data, Record extends object>(
  row: AccountRow<F, Data>,
  { record, rows, content, ...work }: ActionWork<F, Record>,
): Action<F, Data> {
  const cursor = new record()
  return {
    row,
    body: row.body,
    bodyFields: bodyFieldsOf(row.body),
    ...work,
    write(sink, values) {
      const bytes = rows === undefined ? record.bytes : record.bytesWith!(rows(values))
      const at = sink.tryClaim(bytes, work.command)
      if (at < 0) return null
      if (content !== undefined) writeContent(cursor.over(sink.views, at), content(values))
      return command.over(sink.views, at)
    },
  }
}

/**
 * Returns the fields of a body in the order of the checks: required ones, those of every signed body, optional ones.
 * @param more Additional optional fields.
 */
export function bodyFieldsOf(
  body: BodyShape,
  more: Readonly<Record<string, FieldKind>> = {},
): BodyFields {
  const kindsOf = (isOptional: boolean): Record<string, FieldKind> =>
    Object.fromEntries(
      Object.entries(body)
        .filter(([, field]) => field.isOptional === isOptional)
        .map(([name, field]) => [isOptional ? `${name}?` : name, jsonTypeOf(field)]),
    )
  return new BodyFields({ ...kindsOf(false), ...signedFields, ...kindsOf(true), ...more })
}

/** Reads a body. @returns The request or the first fault: missing fields, then types, then values. */
export function readAction<F extends BodyShape>(
  { body: shape, bodyFields, check }: ActionForm<F>,
  body: JsonObject,
  signing: Signing,
): ActionRequest<F> | Fault {
  const refusesUnknown = signing.refusesUnknownFields
  const malformed =
    bodyFields.fault(body, refusesUnknown) ??
    firstShapeFault(shape, body) ??
    badNonce(body, signing.nonce)
  if (malformed !== null) return malformed
  const values: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(shape)) {
    const value: unknown = readField(field, body[name] ?? undefined, name, refusesUnknown)
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
    message: messageOf(shape, body, nonce),
    signature: body['signature'] as string,
  }
}

function firstShapeFault(shape: BodyShape, body: JsonObject): Fault | null {
  for (const [name, field] of Object.entries(shape)) {
    const json = body[name]
    const isLeftOut = field.isOptional && (json === undefined || json === null)
    const fault = isLeftOut ? null : shapeFaultOf(field, json, name)
    if (fault !== null) return fault
  }
  return null
}
