import { channelRows, pacedText, recoveries } from '../../schemas/interface/channels.js'
import {
  type FrameRow,
  frames,
  type ProviderFrameRow,
  providerFrames,
} from '../../schemas/interface/frames.js'
import { messageSchema, type StreamMessage } from '../../schemas/interface/message.js'
import { providerMessages } from '../../schemas/interface/provider-messages.js'
import { anyAddress, exactly, type JsonSchema, object } from '../../schemas/interface/shape.js'
import { messages as streamMessages } from '../../schemas/interface/streams.js'
import type { Config } from '../config/config-schema.js'
import { streamPaths } from '../transport/stream-paths.js'
import { closeCodeRows } from './close-code-rows.js'
import { componentsOf } from './components.js'
import { messageExamples } from './examples.js'
import { hashesText } from './hashes.js'
import { limitsOf } from './limits.js'
import { type DocumentedVenue, exampleSigned, infoOf } from './openapi.js'
import { slowConsumer, streamRules } from './rules.js'
import { frameSignature, signedRule } from './signed-values.js'
import { statesText } from './states.js'
import { frameSchema } from './stream-frames.js'

type Json = Readonly<Record<string, unknown>>
type Messages = Readonly<Record<string, Json>>

const streamWords = [
  'Text frames of JSON. `/ws` takes subscriptions and signed commands. Private channels carry the',
  'messages of the wallet of Authenticate; where private reads are signed, this needs a read session.',
  'A snapshot comes first. `seq` is the place in the one sequence of events. `/ws/quotes` is for quote',
  'providers. Signed frames have `x-signature`.',
  signedRule,
].join(' ')

/** Query parameters of a connection. */
const walletQuery = object({
  'wallet?': anyAddress('Wallet of Authenticate, which replaces this query; deprecated'),
}).schema

/** Returns the AsyncAPI document of the messages and frames of a venue. */
export function asyncApi(venue: DocumentedVenue): Json {
  const { config } = venue
  const messages: Messages = {
    ...mapped(frames, (type, frame) => frameText(type, frame, config)),
    ...mapped(streamMessages, (type, row) => ({
      ...rowText(type, row),
      ...(row.channels.length === 0 ? {} : { 'x-channels': row.channels }),
    })),
    ...mapped<ProviderFrameRow>(providerFrames, (type, { summary, fields, struct }) => ({
      ...messageText(type, summary, object({ type: exactly(type), ...fields }).schema),
      ...messageExamples('frames', type),
      ...(struct === null ? {} : { 'x-signature': frameSignature([struct], config) }),
    })),
    ...mapped(providerMessages, rowText),
  }
  const clients = [...Object.keys(frames), ...Object.keys(streamMessages)]
  const providers = [...Object.keys(providerFrames), ...Object.keys(providerMessages)]
  return {
    asyncapi: '3.0.0',
    info: infoOf(venue, 'Strikebook streams', streamWords, streamRules(config)),
    defaultContentType: 'application/json',
    servers: { venue: { host: '{host}', protocol: 'ws', variables: { host: {} } } },
    channels: {
      clients: {
        ...channelText(streamPaths.clients, clients),
        bindings: { ws: { query: walletQuery } },
      },
      providers: channelText(streamPaths.providers, providers),
    },
    operations: {
      ...mapped(frames, (type, { answers }) =>
        receiveOperation(type, 'clients', [...answers, 'Error']),
      ),
      ...mapped(streamMessages, (type) => sendOperation(type, 'clients')),
      ...mapped(providerFrames, (type) => receiveOperation(type, 'providers', [])),
      ...mapped(providerMessages, (type) => sendOperation(type, 'providers')),
    },
    components: wrapReferences({ messages, schemas: componentsOf(messages) }) as Json,
    'x-channels': channelsText(config),
    'x-close-codes': closeCodeRows(config),
    'x-slow-consumer': slowConsumer(),
    'x-states': statesText(),
    'x-hashes': hashesText(),
    'x-limits': limitsOf(config),
  }
}

/** Describes each channel, with its messages and the recovery after a gap. */
function channelsText({ stream }: Config): Json {
  return mapped(channelRows, (channel, row) => ({
    private: row.isPrivate,
    symbols: row.symbols,
    message_class: row.messageClass,
    recovery: recoveries[row.messageClass],
    on_subscribe: pacedText(row.onSubscribe, stream),
    // biome-ignore lint/suspicious/noThenProperty: the document has this name
    then: pacedText(row.live, stream),
    messages: Object.entries(streamMessages)
      .filter(([, { channels }]) => channels.some((other) => other === channel))
      .map(([type]) => type),
  }))
}

/** Describes a message of the venue, with an example. */
function rowText(type: string, row: StreamMessage): Json {
  return {
    ...messageText(type, row.summary, messageSchema(type, row)),
    ...(row.description === undefined ? {} : { description: row.description }),
    ...messageExamples('messages', type),
  }
}

function channelText(address: string, types: readonly string[]): Json {
  const messages = types.map((type) => [type, { $ref: `#/components/messages/${type}` }] as const)
  return { address, messages: Object.fromEntries(messages) }
}

function messageText(type: string, summary: string, payload: JsonSchema): Json {
  // Code generators name the type of a payload by its own title.
  return { name: type, title: type, summary, payload: { title: type, ...payload } }
}

/** Wraps each reference that has a description. AsyncAPI ignores all fields next to `$ref`. */
function wrapReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wrapReferences)
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...others } = value as Json
  const wrapped = mapped(others, (_name, part) => wrapReferences(part) as Json)
  if ($ref === undefined) return wrapped
  return Object.keys(others).length === 0 ? { $ref } : { allOf: [{ $ref }], ...wrapped }
}

function frameText(type: string, frame: FrameRow, config: Config): Json {
  const { summary, structs, category, example } = frame
  const isSigned = structs.length > 0
  const own = isSigned ? exampleSigned(type.includes('Rfq') ? 'wallet_address' : 'wallet') : {}
  return {
    ...messageText(type, summary, frameSchema(type, config.stream.maxSymbolsPerFrame)),
    examples: [{ payload: { type, ...example, ...own } }],
    ...(isSigned ? { 'x-signature': frameSignature(structs, config) } : {}),
    ...(category === null ? {} : { 'x-rate-limit': { categories: [category], cost: 1 } }),
  }
}

/** Returns the operation of a frame that the venue receives, with its answers. */
function receiveOperation(type: string, channel: string, answers: readonly string[]): Json {
  const reply = {
    channel: { $ref: `#/channels/${channel}` },
    messages: answers.map((answer) => messageIn(channel, answer)),
  }
  return {
    action: 'receive',
    channel: { $ref: `#/channels/${channel}` },
    messages: [messageIn(channel, type)],
    ...(answers.length === 0 ? {} : { reply }),
  }
}

function sendOperation(type: string, channel: string): Json {
  return {
    action: 'send',
    channel: { $ref: `#/channels/${channel}` },
    messages: [messageIn(channel, type)],
  }
}

function messageIn(channel: string, type: string): Json {
  return { $ref: `#/channels/${channel}/messages/${type}` }
}

function mapped<Row>(
  rows: Readonly<Record<string, Row>>,
  textOf: (name: string, row: Row) => Json,
): Messages {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, textOf(name, row)]))
}
