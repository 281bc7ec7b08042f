import type { Channel } from './channels.js'
import {
  exactly,
  type JsonSchema,
  millis,
  type ObjectOf,
  object,
  type ShapeFields,
  seq,
} from './shape.js'
import { eventSeq } from './terms.js'

// Building blocks of the messages that the venue sends over WebSocket.

/** A message of the venue. `Json`: its fields, without `type`. */
export interface StreamMessage<Json = unknown> {
  /** Channels that carry it; none for a reply to a frame. */
  readonly channels: readonly Channel[]
  readonly summary: string
  /** Time of sending, contents of a snapshot or steps after a gap, where summary and fields are not enough. */
  readonly description?: string
  /** Fields of its forms, without `type`. */
  readonly forms: readonly ShapeFields[]
  /** Carries the type; never present. */
  readonly json?: Json
}

/** Messages by type. */
// biome-ignore lint/suspicious/noExplicitAny: a table holds messages of every type
export type MessageTable = Readonly<Record<string, StreamMessage<any>>>

type Typed<Type, Json> = Json extends unknown
  ? { readonly type: Type } & { readonly [Name in keyof Json]: Json[Name] }
  : never

/** Type of the messages of a table, with `type`. */
export type MessagesOf<Table extends MessageTable> = {
  readonly [Type in keyof Table]: Typed<Type, NonNullable<Table[Type]['json']>>
}

type AnyObjectOf<F> = F extends ShapeFields ? ObjectOf<F> : never

/** Summary and description of a message. */
type Words = Pick<StreamMessage, 'summary' | 'description'>

/** Fields of a message that reports one event. */
export const eventFields = { timestamp: millis('Engine time of the event'), seq: eventSeq }

/** Fields of a message that has a state. */
export const stateFields = {
  timestamp: millis('Engine time of the latest event that the message includes'),
  seq: seq('Sequence of the latest event that the message includes'),
}

/** Fields that a message has only in a snapshot. */
export const snapshotFields = {
  'snapshot?': exactly(
    true,
    'Always true: the message belongs to a snapshot; absent: a live message',
  ),
  'as_of_seq?': seq(
    'Sequence of the latest event that the snapshot includes; absent: a live message',
  ),
}

/** Returns the schema of a message. */
export function messageSchema(type: string, { forms }: StreamMessage): JsonSchema {
  const schemas = forms.map((fields) => object({ type: exactly(type), ...fields }).schema)
  return schemas.length === 1 ? schemas[0]! : { oneOf: schemas }
}

/** A message that answers a frame. */
export function reply<const F extends ShapeFields>(
  fields: F,
  words: Words,
): StreamMessage<ObjectOf<F>> {
  return { channels: [], forms: [fields], ...words }
}

/** A message of a channel. */
export function publication<const F extends ShapeFields>(
  channel: Channel,
  fields: F,
  words: Words,
): StreamMessage<ObjectOf<F>> {
  return { channels: [channel], forms: [fields], ...words }
}

/** A message of a channel that has one of several forms. */
export function choiceOfForms<const Forms extends readonly ShapeFields[]>(
  channel: Channel,
  forms: Forms,
  words: Words,
): StreamMessage<AnyObjectOf<Forms[number]>> {
  return { channels: [channel], forms, ...words }
}
