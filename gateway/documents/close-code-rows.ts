import type { Config } from '../config/config-schema.js'
import { arrivalLimits } from '../limits/arrivals.js'
import {
  controlFramesMax,
  type FloodCause,
  floodCauses,
  floodClose,
  unparsedFramesMax,
} from '../limits/flood-close.js'
import {
  earlyBytesMax,
  earlyFramesMax,
  providerWaitingBytesMax,
  quoteFramesMax,
  waitingBytesMax,
  waitingFramesMax,
} from '../limits/waiting-limits.js'
import { authReasons } from '../providers/provider-messages.js'
import { queueClose } from '../providers/provider-session.js'
import { closeCodes, internalClose, lappedClose, shutdownClose } from '../transport/close-codes.js'
import { streamPaths } from '../transport/stream-paths.js'
import { pongMissed } from '../ws/heartbeat.js'
import { idleClose } from '../ws/session.js'

/** Actions of a client after a close frame, by their names in the document. */
export const closeActions = {
  reconnect: 'connect again',
  reconnect_after_wait: 'connect again after pauses that grow',
  fix_request:
    'connect again, but do not send the same frames: they would end the connection again',
  do_not_reconnect: 'do not connect again before the operator has admitted you',
} as const
type CloseAction = keyof typeof closeActions

/** Close frame of the venue. */
interface CloseCodeRow {
  readonly paths: readonly string[]
  readonly code: number
  /** Reason of the frame; '' if it has none. */
  readonly reason: string
  readonly when: string
  readonly action_code: CloseAction
  /** The action as text for people, with further advice. */
  readonly action: string
}

/** Advice to a client after a close frame. */
type Advice = Pick<CloseCodeRow, 'action_code' | 'action'>

const { clients, providers } = streamPaths
const both = [clients, providers]
const registerAdvice: Advice = {
  action_code: 'do_not_reconnect',
  action: 'Ask the operator to admit the provider, then connect again.',
}
const signAdvice = fixed(
  'Connect again, and sign `connect_quote_provider` with the current time and a new nonce.',
)
const authAdvice: Readonly<Record<keyof typeof authReasons, Advice>> = {
  notConnect: fixed('Connect again, and send `connect_quote_provider` first.'),
  timeout: fixed('Connect again, and send `connect_quote_provider` at once.'),
  resume: fixed('Connect again, and send `connect_quote_provider`: a session cannot be resumed.'),
  ...{ signature: signAdvice, timestamp: signAdvice, nonce: signAdvice },
  ...{ unknown: registerAdvice, suspended: registerAdvice },
}
/** Conditions under which the venue closes a stream that sends too much. */
const floodWords: Readonly<Record<(typeof floodCauses)[number], string>> = {
  frame_limit:
    `${waitingFramesMax} frames of the connection wait, or its share of ${arrivalLimits.itemsMax} frames, and one more ` +
    `arrives; of a provider also: ${earlyFramesMax} frames wait for the answer to its handshake, or ${quoteFramesMax} for ` +
    'their rows to be read',
  byte_limit:
    `the frames that wait exceed ${waitingBytesMax} bytes (${providerWaitingBytesMax} after the handshake of a provider, ` +
    `${earlyBytesMax} before its answer), or the share of ${arrivalLimits.bytesMax} bytes`,
  unparsed_frames: `more than ${unparsedFramesMax} frames in a minute are no JSON object`,
  control_frames: `more than ${controlFramesMax} pings and pongs in a minute`,
}
const waitAdvice = paused('Connect again. Wait for answers before you send more frames.')
const smallerAdvice = fixed(
  'Connect again, and send smaller frames. The venue did not process this one.',
)
const resendAction = 'A signed frame without an answer may be sent again unchanged.'
const floodAdvice: Readonly<Record<FloodCause, Advice>> = {
  ...{ frame_limit: waitAdvice, byte_limit: waitAdvice },
  unparsed_frames: fixed(
    'Correct the client: each frame must be a JSON object. Then connect again.',
  ),
  control_frames: fixed('Connect again, and send fewer pings.'),
}

function plain(action: string): Advice {
  return { action_code: 'reconnect', action }
}

function paused(action: string): Advice {
  return { action_code: 'reconnect_after_wait', action }
}

function fixed(action: string): Advice {
  return { action_code: 'fix_request', action }
}

/** Close frames of the library of the Node transport. The native transport ends such connections without one. */
const ofLibrary: readonly CloseCodeRow[] = [
  {
    ...{ paths: both, code: closeCodes.protocolError, reason: '' },
    when: 'a frame breaks the WebSocket protocol, for example without a mask; on the native transport: no close frame',
    ...fixed('Correct the client, or use a WebSocket library. Then connect again.'),
  },
  {
    ...{ paths: both, code: closeCodes.invalidText, reason: '' },
    when: 'a text frame or a close reason is not UTF-8; on the native transport: no close frame',
    ...fixed('Correct the client: each frame must be JSON in UTF-8. Then connect again.'),
  },
  {
    ...{ paths: both, code: closeCodes.policy, reason: '' },
    when: 'a message has too many fragments, or arrives in too many packets',
    ...fixed('Connect again, and send each message as one frame.'),
  },
  {
    ...{ paths: both, code: closeCodes.tooLarge, reason: '' },
    when: 'the head of a frame announces far more bytes than `x-limits` says',
    ...smallerAdvice,
  },
]

const ofVenue: readonly CloseCodeRow[] = [
  {
    ...{ paths: both, code: closeCodes.tooLarge, reason: 'frame too large' },
    when: 'a frame is longer than `x-limits` says',
    ...smallerAdvice,
  },
  ...floodCauses.map((cause) => ({
    ...{ paths: both, ...floodClose(cause) },
    ...{ when: floodWords[cause], ...floodAdvice[cause] },
  })),
  {
    ...{ paths: both, ...internalClose },
    when: 'a frame caused an internal error',
    ...fixed(
      'Connect again, but do not repeat the frame. GET /actions/outcome returns the result of a signed action.',
    ),
  },
  {
    ...{ paths: both, ...shutdownClose },
    when: 'the venue stops or restarts',
    ...paused(`Connect again, with growing pauses. ${resendAction}`),
  },
  {
    ...{ paths: both, ...lappedClose },
    when: 'a gateway thread fell so far behind that it lost events',
    ...plain(`Connect again at once. ${resendAction}`),
  },
]

/** Returns all close frames, by rising code. */
export function closeCodeRows({ stream, quotes }: Config): readonly CloseCodeRow[] {
  const rows = [...ofLibrary, ...ofVenue, ...ofClients(stream), ...ofProviders(quotes)]
  const pong = {
    ...{ paths: both, ...pongMissed, when: `no pong for ${stream.pongTimeoutMillis} ms` },
    ...plain('Connect again, and keep reading: a WebSocket library answers pings while it reads.'),
  }
  return [...rows, pong].sort((one, other) => one.code - other.code)
}

function ofClients(stream: Config['stream']): readonly CloseCodeRow[] {
  return [
    {
      ...{ paths: [clients], code: closeCodes.policy, reason: 'JSON: see x-slow-consumer' },
      when: 'the client is a slow consumer',
      ...plain('Connect again, read faster or subscribe to less, and recover as the reason says.'),
    },
    {
      ...{ paths: [clients], ...idleClose },
      when: `the client has no subscription, and sends nothing for ${stream.idleMillis} ms`,
      ...plain('Connect again when you need the stream.'),
    },
  ]
}

function ofProviders(quotes: Config['quotes']): readonly CloseCodeRow[] {
  const names = Object.keys(authReasons) as (keyof typeof authReasons)[]
  return [
    ...names.map((name) => ({
      ...{ paths: [providers], code: closeCodes.policy, reason: authReasons[name] },
      ...{ when: 'after `auth_failed`', ...authAdvice[name] },
    })),
    {
      ...{ paths: [providers], ...queueClose },
      when: `more than ${quotes.queueBytes} bytes are queued for it`,
      ...paused('Connect again after a pause, and read faster.'),
    },
  ]
}
