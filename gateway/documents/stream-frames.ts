import { resumedMessagesMax } from '../../schemas/bounds.js'
import { channelRows } from '../../schemas/interface/channels.js'
import { operationRows } from '../../schemas/interface/operations.js'
import type { JsonSchema } from '../../schemas/interface/shape.js'
import type { StructType } from '../../schemas/typed-data.js'
import { accountActions } from '../actions/account-actions.js'
import type { Fields } from '../actions/action.js'
import {
  cancelByClientIdFields,
  cancelFields,
  orderStructs,
  replaceFields,
  streamFields,
} from '../actions/order-actions.js'
import { rfqForms, rfqStructs } from '../actions/rfq-actions.js'
import { streamActions } from '../actions/stream-actions.js'
import type { Config } from '../config/config-schema.js'
import { windowLimits } from '../link/event-window.js'
import { readSessionPattern } from '../wire/read-session-text.js'
import { eventsOfChannels } from '../ws/event-channels.js'
import { clockNonceBytesMax } from '../ws/frames.js'
import { exampleSymbol, exampleWallet } from './example-names.js'
import { anyAddress, signedBody } from './request-bodies.js'
import {
  described,
  exactly,
  flag,
  list,
  nullable,
  object,
  oneOf,
  seq,
  text,
} from './shapes/shape.js'

/** A frame of a client. */
export interface StreamFrame {
  readonly summary: string
  readonly schema: JsonSchema
  /** Types of the messages that answer it, in addition to Error. */
  readonly answers: readonly string[]
  /** Structs that may be signed; empty for an unsigned frame. */
  readonly structs: readonly StructType[]
  /** The window that it counts in; null: none. */
  readonly category: string | null
  /** Without what every signed frame has. */
  readonly example: Readonly<Record<string, unknown>>
}

const { PlaceOrder, PlaceOrderWithoutRoute, PlaceOrderReduceOnly, ...cancels } = orderStructs
const placing = 'OrderPlacement'
const canceling = 'OrderCancellation'
const settings = 'ApiRequest'
const { eventsMax, ageMillisMax } = windowLimits
const resumeText =
  `Resumes after this sequence, on ${Object.keys(eventsOfChannels).join(', ')}: the venue sends the missed messages again ` +
  `unchanged, then Resumed, then live messages. A resume has at most ${resumedMessagesMax} messages of the latest ${eventsMax} ` +
  `events and ${ageMillisMax / 1000} seconds, on a gateway that has run since then. Otherwise, and on all other channels, ` +
  'Error resume_unavailable follows Subscribed, and then everything that a Subscribe without it sends. If a client address, ' +
  'or a wallet with a read session, exceeds its messages per minute, the error has retry_after_secs and limit'

const sessionText =
  'Read session, as over HTTP: required for private channels where private reads are signed. The channels end with it; a ' +
  'later session in another Authenticate continues them'

/** Frames of `/ws` by type, in a venue of this configuration. */
export function streamFrames({
  stream,
}: Pick<Config, 'stream'>): Readonly<Record<string, StreamFrame>> {
  const subscription = {
    channel: oneOf(Object.keys(channelRows)),
    'symbols?': nullable(list(text, { maxItems: stream.maxSymbolsPerFrame })),
    'expiry?': nullable(text),
    'option_type?': nullable(text),
  }
  const start = {
    'from_seq?': described(nullable(seq), resumeText),
    'as_of_seq?': described(
      nullable(flag),
      'True to include in Subscribed the sequence at which it begins',
    ),
  }
  const session = { type: 'string', pattern: readSessionPattern }
  const wallet = { wallet: anyAddress, 'session?': described(nullable(session), sessionText) }
  const trades = { channel: 'trades', symbols: [exampleSymbol] }
  const clock = { nonce: { type: 'string', maxLength: clockNonceBytesMax } }
  const me = { wallet: exampleWallet }
  return {
    ClockSync: plain('ClockSync', ['ClockSynced'], 'Requests the time of the venue', clock, {
      nonce: 'now-1',
    }),
    Authenticate: plain('Authenticate', ['Authenticated'], 'Identifies the wallet', wallet, me),
    Subscribe: plain(
      'Subscribe',
      ['Subscribed', 'Resumed'],
      'Subscribes to a channel',
      { ...subscription, ...start },
      trades,
    ),
    Unsubscribe: plain(
      'Unsubscribe',
      ['Unsubscribed'],
      'Ends a subscription',
      subscription,
      trades,
    ),
    GetRateLimits: {
      ...plain(
        'GetRateLimits',
        ['RateLimits'],
        'Requests the rate-limit windows',
        { 'wallet?': nullable(anyAddress) },
        me,
      ),
      category: settings,
    },
    ...orderFrames(),
    ...rfqFrames(),
    ...accountFrames(),
  }
}

function orderFrames(): Readonly<Record<string, StreamFrame>> {
  const answers = ['OrderResult']
  const canceled = { answers, category: canceling }
  return {
    PlaceOrder: signed('PlaceOrder', 'POST /order', streamFields, {
      ...{ answers, category: placing },
      structs: [PlaceOrder, PlaceOrderWithoutRoute, PlaceOrderReduceOnly],
    }),
    ReplaceOrder: signed('ReplaceOrder', 'PUT /order', replaceFields, {
      ...{ answers, category: placing },
      structs: [cancels.ReplaceOrder, cancels.ReplaceOrderReduceOnly],
    }),
    CancelOrder: signed('CancelOrder', 'DELETE /order', cancelFields, {
      ...canceled,
      structs: [cancels.CancelOrder],
    }),
    CancelOrderByClientId: signed(
      'CancelOrderByClientId',
      'DELETE /order_cloid',
      cancelByClientIdFields,
      { ...canceled, structs: [cancels.CancelOrderByClientId] },
    ),
  }
}

function rfqFrames(): Readonly<Record<string, StreamFrame>> {
  const asked = { answers: ['RfqStatusUpdate'], category: placing }
  const submit = 'POST /rfq/request'
  const { SubmitAutoExecuteRfq } = rfqForms
  const auto = signed('SubmitAutoExecuteRfq', submit, SubmitAutoExecuteRfq.fields, {
    ...asked,
    structs: [rfqStructs.SubmitAutoExecuteRfq],
  })
  return {
    SubmitRfq: signed('SubmitRfq', submit, rfqForms.SubmitRfq.fields, {
      ...asked,
      structs: [rfqStructs.SubmitRFQ],
    }),
    SubmitAutoExecuteRfq: { ...auto, example: { ...auto.example, limit_price: '500' } },
    AcceptRfqQuote: signed('AcceptRfqQuote', 'POST /rfq/accept', rfqForms.AcceptRfqQuote.fields, {
      ...{ answers: ['RfqAcceptResult'], category: placing },
      structs: [rfqStructs.AcceptRFQQuote],
    }),
  }
}

function accountFrames(): Readonly<Record<string, StreamFrame>> {
  const { CancelAll, SetDeadMan } = accountActions
  const { SetCancelOnDisconnect: onDisconnect } = streamActions
  const ofAccount = (
    type: string,
    { fields, struct }: { readonly fields: Fields; readonly struct: StructType },
    key: string,
    answer: string,
  ) => signed(type, key, fields, { answers: [answer], category: settings, structs: [struct] })
  const ends = ofAccount(
    'SetCancelOnDisconnect',
    onDisconnect,
    'POST /cancel-all',
    'CancelOnDisconnectResult',
  )
  return {
    CancelAll: ofAccount('CancelAll', CancelAll, 'POST /cancel-all', 'CancelAllResult'),
    SetDeadMan: ofAccount('SetDeadMan', SetDeadMan, 'POST /dead-man', 'DeadManResult'),
    SetCancelOnDisconnect: {
      ...ends,
      summary: 'Cancels all orders of the wallet when this connection closes',
      example: { enabled: true },
    },
  }
}

function plain(
  type: string,
  answers: readonly string[],
  summary: string,
  fields: Readonly<Record<string, JsonSchema>>,
  example: Readonly<Record<string, unknown>>,
): StreamFrame {
  const schema = object({ type: exactly(type), ...fields })
  return { summary, schema, answers, structs: [], category: null, example }
}

/** @param key of the operation that does the same by HTTP. */
function signed(
  type: string,
  key: string,
  fields: Fields,
  facts: Pick<StreamFrame, 'answers' | 'structs' | 'category'>,
): StreamFrame {
  const row = operationRows[key]!
  const { summary } = row
  const body = 'example' in row ? (row.example ?? {}) : {}
  const { type: _, ...own } = fields
  const { properties, required, ...rest } = signedBody(own)
  const schema = {
    ...rest,
    properties: { type: exactly(type), ...(properties as object) },
    required: ['type', ...(required as readonly string[])],
  }
  return { summary, schema, ...facts, example: body }
}
