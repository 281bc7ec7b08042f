import { p256 } from '@noble/curves/nist.js'
import { pushKeyBytes, pushPointBytes, pushSecretBytes } from '../../schemas/bounds.js'
import { CommandType, PushActionCommand } from '../../schemas/generated/commands.js'
import { PushActionKind, PushTopic } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import { Fault } from '../wire/fault.js'
import { isAbsent, objectIn, ShapeFaults } from '../wire/json-shape.js'
import { mustBePushUrl, pushUrlOf } from '../wire/push-url.js'
import { invalidField, type JsonObject } from '../wire/request-fields.js'
import type { PushAnswer, UnsubscribeAnswer } from '../wire/wire-types.js'
import { action, answers } from './action.js'
import { boolean, field, optional, textField, unsigned, wallet } from './fields.js'

/** A subscription as the browser gives it. */
export interface PushTarget {
  readonly endpoint: string
  /** Point and secret. */
  readonly keys: Uint8Array
}

const struct = 'PushAction'
const base64 = /^[A-Za-z0-9_-]+={0,2}$/

/** What is signed of an action beside wallet and nonce: its name, which the body need not have. */
function named<const Name extends string>(name: Name) {
  const read = (text: string, field: string) =>
    text === name ? name : invalidField(field, `must be ${name}`)
  return optional(textField<string, Name>({ type: 'string', enum: [name] }, read), name, name)
}

const endpoint = unsigned(
  textField({ type: 'string', format: 'uri' }, (text, name) =>
    pushUrlOf(text) === null ? invalidField(name, mustBePushUrl) : text,
  ),
)

/** The browser's own JSON. */
const subscription = field({
  schema: {
    type: 'object',
    properties: {
      endpoint: { type: 'string', format: 'uri' },
      expirationTime: { type: ['number', 'null'] },
      keys: {
        type: 'object',
        properties: { p256dh: { type: 'string' }, auth: { type: 'string' } },
        required: ['p256dh', 'auth'],
      },
    },
    required: ['endpoint', 'keys'],
  },
  kind: 'object',
  shapeFault: targetFault,
  read(value: unknown, name): PushTarget | Fault {
    const { endpoint: url, keys } = value as TargetJson
    if (pushUrlOf(url) === null) return invalidField(`${name}.endpoint`, mustBePushUrl)
    const point = bytesOf(keys.p256dh, pushPointBytes)
    if (point === null || !isPoint(point)) {
      return invalidField(`${name}.keys.p256dh`, 'must be a point of P-256, uncompressed')
    }
    const secret = bytesOf(keys.auth, pushSecretBytes)
    if (secret === null) {
      return invalidField(`${name}.keys.auth`, `must be ${pushSecretBytes} bytes`)
    }
    const both = new Uint8Array(pushKeyBytes)
    both.set(point)
    both.set(secret, pushPointBytes)
    return { endpoint: url, keys: both }
  },
})

const topic = optional(unsigned(boolean), null)

/** Notifications of browsers: all of one struct, which says only what is done. */
export const pushActions = {
  /** Has a browser notified. Subscribed again it is the newest; of more than ten the oldest gives way. */
  PushSubscribe: action(struct, {
    endpoint: ['POST', '/push/subscribe'],
    fields: { wallet, action: named('subscribe'), subscription },
    command: CommandType.PushAction,
    record: PushActionCommand,
    // A subscription does not end with the agent that made it.
    outlivesAgents: true,
    rows: ({ subscription: { endpoint: url } }) => url.length,
    content:
      ({ subscription: { endpoint: url, keys } }) =>
      (command) => {
        command.kind = PushActionKind.Subscribe
        command.u8.set(keys, command.keysAt)
        writeEndpoint(command, url)
      },
    answer: answers<PushAnswer & { readonly endpoint: string }>(),
  }),
  /** No longer. */
  PushUnsubscribe: action(struct, {
    endpoint: ['POST', '/push/unsubscribe'],
    fields: { wallet, action: named('unsubscribe'), endpoint },
    command: CommandType.PushAction,
    record: PushActionCommand,
    rows: ({ endpoint: url }) => url.length,
    content:
      ({ endpoint: url }) =>
      (command) => {
        command.kind = PushActionKind.Unsubscribe
        writeEndpoint(command, url)
      },
    answer: answers<UnsubscribeAnswer>(),
  }),
  /** What a wallet wants to be notified of; what is left out stays as it is. */
  PushPreferences: action(struct, {
    endpoint: ['POST', '/push/preferences'],
    fields: {
      wallet,
      action: named('preferences'),
      fills: topic,
      liquidations: topic,
      settlements: topic,
    },
    command: CommandType.PushAction,
    record: PushActionCommand,
    rows: () => 0,
    check: (terms) =>
      topicsOf(terms).mask === 0
        ? new Fault(Result.MissingField, { name: 'fills, liquidations or settlements' })
        : null,
    content: (terms) => ({ kind: PushActionKind.Preferences, ...topicsOf(terms) }),
    answer: answers<PushAnswer>(),
  }),
}

export type PushActionName = keyof typeof pushActions

interface TargetJson {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

/** What it lacks, or is of a wrong type; what else a browser says is its own business. */
function targetFault(value: unknown, name: string): Fault | null {
  const faults = new ShapeFaults()
  const target = value as JsonObject
  faults.check(target, `${name}.`, { endpoint: 'text', keys: 'object' })
  const keys = objectIn(target, 'keys')
  if (keys !== null) faults.check(keys, `${name}.keys.`, { p256dh: 'text', auth: 'text' })
  const { expirationTime } = target
  if (!isAbsent(expirationTime) && typeof expirationTime !== 'number') {
    faults.type(`${name}.expirationTime`, 'must be a number')
  }
  return faults.isMisshapen ? faults.first : null
}

/** So many bytes of a text in either base64; null: it is none, or of another length. */
function bytesOf(text: string, length: number): Uint8Array | null {
  if (!base64.test(text)) return null
  const bytes = Buffer.from(text, 'base64url')
  return bytes.length === length ? bytes : null
}

/** A point beside the curve would tell of our key what nobody may know, and no browser has one. */
function isPoint(point: Uint8Array): boolean {
  try {
    p256.Point.fromBytes(point)
    return true
  } catch {
    return false
  }
}

function writeEndpoint(command: PushActionCommand, endpoint: string): void {
  command.endpointBytes = endpoint.length
  for (let i = 0; i < endpoint.length; i++) {
    command.u8[command.endpointAt + i] = endpoint.charCodeAt(i)
  }
}

/** Bits that are set, and what they are set to. */
function topicsOf(terms: {
  readonly fills: boolean | null
  readonly liquidations: boolean | null
  readonly settlements: boolean | null
}) {
  const given = [
    [terms.fills, PushTopic.Fills],
    [terms.liquidations, PushTopic.Liquidations],
    [terms.settlements, PushTopic.Settlements],
  ] as const
  const bits = (which: (value: boolean | null) => boolean) =>
    given.reduce((sum, [value, bit]) => (which(value) ? sum | bit : sum), 0)
  return { mask: bits((value) => value !== null), topics: bits((value) => value === true) }
}
