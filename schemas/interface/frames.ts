import {
  clockNonceBytesMax,
  quoteMillisMax,
  resumedAgeMillisMax,
  resumedEventsMax,
  resumedMessagesMax,
} from '../bounds.js'
import { type rateCategoryNames, sideNames } from '../domain.js'
import { readSessionPattern } from '../read-session.js'
import { type StructType, struct } from '../typed-data.js'
import { whole } from './answer.js'
import * as body from './body.js'
import { channelNames, resumableChannels } from './channels.js'
import { signedFields } from './directives.js'
import {
  cancelBody,
  cancelByClientIdBody,
  orderStructs,
  replaceBody,
  streamPlaceBody,
} from './order-bodies.js'
import { ordersWrites } from './orders.js'
import { rfqWrites } from './rfq.js'
import { acceptBody, rfqStructs, submitAutoFrame, submitFrame } from './rfq-bodies.js'
import {
  address,
  anyAddress,
  decimal,
  flag,
  list,
  lowerCase,
  nullable,
  object,
  oneOf,
  type Shape,
  type ShapeFields,
  seq,
  text,
  uuid,
} from './shape.js'
import { accountWrite } from './write.js'

/** A frame that clients send over `/ws`, by its type. */
export interface FrameRow {
  readonly summary: string
  /** Types of the messages that answer it, in addition to Error. */
  readonly answers: readonly string[]
  /** Fields of an unsigned frame, without `type`; of a signed one null. */
  readonly fields: ShapeFields | null
  /** Fields of a signed frame, without `type`, nonce and signature. */
  readonly body: body.BodyShape
  /** A signature covers one of them; empty for an unsigned frame. */
  readonly structs: readonly StructType[]
  /** Category of the rate limit; null: none. */
  readonly category: (typeof rateCategoryNames)[number] | null
  /** Fields as an example, without wallet, nonce and signature of a signed frame. */
  readonly example: Readonly<Record<string, unknown>>
}

const exampleWallet = '0x0123456789abcdef0123456789abcdef01234567'
const trades = { channel: 'trades', symbols: ['BTC-20301227-100000-C'] }
const resumeWords =
  `Sequence to resume after, on ${resumableChannels.join(', ')}. The venue sends the missed messages again, ` +
  `unchanged, then ` +
  `Resumed, then live messages. A resume covers at most ${resumedMessagesMax} messages from the latest ` +
  `${resumedEventsMax} events and ${resumedAgeMillisMax / 1000} seconds, on a gateway that has run since then. ` +
  `Otherwise, and on ` +
  'all other channels, the venue sends Subscribed, Error resume_unavailable, and then the messages of a ' +
  'Subscribe without ' +
  'from_seq. If a client address, or a wallet with a read session, exceeds its messages per minute, the error ' +
  'carries ' +
  'retry_after_secs and limit'
const sessionWords =
  'Token of a read session, as over HTTP; required for private channels where private reads are signed. The ' +
  'private ' +
  'channels end when the session expires; another Authenticate with a later session extends them'
const subscription = {
  channel: oneOf(channelNames, 'Channel; `x-channels` describes each'),
  'symbols?': nullable(
    list(
      text(),
      'Instruments or underlyings, as `x-channels` states; absent or null: all; empty list: none',
    ),
  ),
  'expiry?': nullable(text('Expiry as `YYYY-MM-DD`, as `YYYYMMDD`, or in Unix seconds')),
  'option_type?': nullable(text('`call` or `put`, or `C` or `P`; not case-sensitive')),
}

/** Binds the orders of a wallet to the connection that asks first. */
export const cancelOnDisconnect = accountWrite({
  group: 'Orders',
  action: 'SetCancelOnDisconnect',
  summary: 'Cancels all orders of the wallet when this connection closes',
  body: {
    wallet: body.wallet('Wallet whose orders to cancel'),
    enabled: body.boolean('True to cancel the orders when this connection closes, for any reason'),
  },
  example: { enabled: true },
  answer: whole(
    object({
      wallet: address('Wallet of the request'),
      enabled: flag('Value of the request'),
      bound: flag('True if the close of this connection cancels the orders'),
    }),
  ),
})

const submit = rfqWrites['POST /rfq/request']
const accept = rfqWrites['POST /rfq/accept']
const cancelAll = ordersWrites['POST /cancel-all']
const deadMan = ordersWrites['POST /dead-man']

/** Frames of `/ws` by type. */
export const frames: Readonly<Record<string, FrameRow>> = {
  ClockSync: plain(
    ['ClockSynced'],
    'Requests the time of the venue',
    {
      nonce: {
        schema: {
          type: 'string',
          maxLength: clockNonceBytesMax,
          description: 'Text that ClockSynced echoes',
        },
      },
    },
    { nonce: 'now-1' },
  ),
  Authenticate: plain(
    ['Authenticated'],
    'Identifies the wallet for private channels',
    {
      wallet: anyAddress('Wallet of the private channels'),
      'session?': {
        schema: {
          type: ['string', 'null'],
          pattern: readSessionPattern,
          description: sessionWords,
        },
      },
    },
    { wallet: exampleWallet },
  ),
  Subscribe: plain(
    ['Subscribed', 'Resumed'],
    'Subscribes to a channel',
    {
      ...subscription,
      'from_seq?': nullable(seq(resumeWords)),
      'as_of_seq?': nullable(
        flag(
          'True to include `as_of_seq` in Subscribed: the sequence at which the subscription begins',
        ),
      ),
    },
    trades,
  ),
  Unsubscribe: plain(['Unsubscribed'], 'Ends a subscription', subscription, trades),
  GetRateLimits: {
    ...plain(
      ['RateLimits'],
      'Requests the rate-limit windows',
      { 'wallet?': nullable(anyAddress('Wallet of the windows; absent: that of Authenticate')) },
      { wallet: exampleWallet },
    ),
    category: 'ApiRequest',
  },
  PlaceOrder: signed(ordersWrites['POST /order'], streamPlaceBody, 'OrderResult', {
    category: 'OrderPlacement',
  }),
  ReplaceOrder: signed(ordersWrites['PUT /order'], replaceBody, 'OrderResult', {
    category: 'OrderPlacement',
  }),
  CancelOrder: signed(ordersWrites['DELETE /order'], cancelBody, 'OrderResult', {
    category: 'OrderCancellation',
    structs: [orderStructs.CancelOrder],
  }),
  CancelOrderByClientId: signed(
    ordersWrites['DELETE /order_cloid'],
    cancelByClientIdBody,
    'OrderResult',
    { category: 'OrderCancellation' },
  ),
  SubmitRfq: signed(submit, submitFrame, 'RfqStatusUpdate', {
    category: 'OrderPlacement',
    structs: [rfqStructs.SubmitRFQ],
  }),
  SubmitAutoExecuteRfq: signed(submit, submitAutoFrame, 'RfqStatusUpdate', {
    category: 'OrderPlacement',
    structs: [rfqStructs.SubmitAutoExecuteRfq],
    example: { ...submit.example, limit_price: '500' },
  }),
  AcceptRfqQuote: signed(accept, acceptBody, 'RfqAcceptResult', { category: 'OrderPlacement' }),
  CancelAll: signed(cancelAll, cancelAll.body, 'CancelAllResult', { category: 'ApiRequest' }),
  SetDeadMan: signed(deadMan, deadMan.body, 'DeadManResult', { category: 'ApiRequest' }),
  SetCancelOnDisconnect: signed(
    cancelOnDisconnect,
    cancelOnDisconnect.body,
    'CancelOnDisconnectResult',
    { category: 'ApiRequest' },
  ),
}

/** A frame that quote providers send over `/ws/quotes`, by its type. */
export interface ProviderFrameRow {
  readonly summary: string
  /** Fields without `type`. */
  readonly fields: ShapeFields
  /** Null: not signed. */
  readonly struct: StructType | null
}

export const providerStructs = {
  SubmitRFQResponse: struct(
    'SubmitRFQResponse',
    'bytes32 rfqId,bytes32 legsHash,int256 netPremium,uint256 validForMs,address qpWallet,' +
      'uint64 nonce',
  ),
  ConnectQuoteProvider: struct(
    'ConnectQuoteProvider',
    'address wallet,uint256 timestamp,uint64 nonce',
  ),
}

const quotes = list(
  object({
    instrument: text('Symbol of the instrument'),
    'bid_price?': nullable(decimal('Bid price in USD; 0, empty or absent: no bid')),
    'ask_price?': nullable(decimal('Ask price in USD; 0, empty or absent: no ask')),
    'max_bid_size?': nullable(decimal('Largest size of the bid, in contracts')),
    'max_ask_size?': nullable(decimal('Largest size of the ask, in contracts')),
  }),
  'One row per instrument; an `error` message lists malformed rows and instruments without request for quote',
)
const anySides = [...sideNames, ...lowerCase(sideNames)]

/** Frames of `/ws/quotes` by type. */
export const providerFrames = {
  connect_quote_provider: {
    summary: 'Authenticates the provider; must be the first frame',
    fields: {
      wallet: anyAddress('Wallet of the provider'),
      timestamp: milliseconds(
        'Time of signing in Unix milliseconds, close to the time of the venue',
      ),
      ...signedFields,
    },
    struct: providerStructs.ConnectQuoteProvider,
  },
  indicative_quote_update: {
    summary: 'Replaces all unscoped indicative quotes of the provider',
    fields: { quotes },
    struct: null,
  },
  scoped_indicative_quote_update: {
    summary: 'Replaces the indicative quotes of one scope of the provider',
    fields: {
      scope: {
        schema: {
          type: 'string',
          pattern: '^[0-9a-f]{32}$',
          description:
            'Id of a set of rows, chosen by the provider. The frame withdraws the rows of the set that it does not repeat',
        },
      },
      quotes,
    },
    struct: null,
  },
  rfq_response: {
    summary: 'Answers a request with a firm quote, or declines it',
    fields: {
      rfq_id: uuid('Id of the request'),
      action: oneOf(
        ['quote', 'decline'],
        '`quote`: a firm quote; `decline`: no quote, needs no signature',
      ),
      'wallet?': anyAddress('Wallet of the session'),
      'legs?': list(
        object({
          instrument: text('Symbol of the option; signed exactly as sent'),
          side: oneOf(anySides, 'Side of the taker, as in the request'),
          price: decimal('Price of the leg in USD per contract'),
          size: decimal('Contracts'),
        }),
        'Legs of the request in its order, each with a price',
      ),
      'net_premium?': decimal(
        'Net premium in USD from the view of the taker: a buy leg adds -price x size, a sell leg +price x size',
      ),
      'valid_for_ms?': milliseconds(
        `Lifetime of the quote in milliseconds: at least 1; the venue reduces values above ${quoteMillisMax} to it`,
      ),
      'nonce?': signedFields.nonce,
      'signature?': signedFields.signature,
    },
    struct: providerStructs.SubmitRFQResponse,
  },
} as const satisfies Readonly<Record<string, ProviderFrameRow>>

// Function declarations, because the tables above are built while this file loads.

function plain(
  answers: readonly string[],
  summary: string,
  fields: ShapeFields,
  example: FrameRow['example'],
): FrameRow {
  return { summary, answers, fields, body: {}, structs: [], category: null, example }
}

/** A frame that does the same as an operation over HTTP. */
function signed(
  row: Pick<FrameRow, 'summary' | 'structs'> & { readonly example?: FrameRow['example'] },
  fields: body.BodyShape,
  answer: string,
  own: Pick<FrameRow, 'category'> & Partial<Pick<FrameRow, 'structs' | 'example'>>,
): FrameRow {
  const { summary, structs, example = {} } = row
  return { summary, answers: [answer], fields: null, body: fields, structs, example, ...own }
}

/** Milliseconds as an integer or its text. */
function milliseconds(description: string): Shape<number | string> {
  return {
    schema: { anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^[0-9]+$' }], description },
  }
}
