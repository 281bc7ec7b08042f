import { rfqStatusNames, sideNames } from '../domain.js'
import { Result } from '../results.js'
import { bare, whole } from './answer.js'
import { reasonCode, reasonDetails } from './errors.js'
import * as param from './parameter.js'
import { read, walletRead } from './read.js'
import { acceptBody, rfqStructs, submitBody } from './rfq-bodies.js'
import {
  count,
  decimal,
  type JsonOf,
  list,
  millis,
  nullable,
  object,
  oneOf,
  seq,
  text,
  uuid,
} from './shape.js'
import { write } from './write.js'

const legFields = {
  instrument: text('Canonical symbol'),
  side: oneOf(sideNames, 'Side of the taker'),
  size: decimal('Contracts'),
}

const rfqQuote = object({
  quote_id: uuid('Id of the quote, assigned by the venue'),
  net_premium: decimal(
    'Net premium of all legs in USD, from the view of the taker: a buy leg adds -price x size, a sell leg +price ' +
      'x size',
  ),
  legs: list(
    object({ ...legFields, price: decimal('Quoted price in USD per contract') }),
    'Prices of the legs, in the order of the request',
  ),
  expires_at: millis('Expiry of the quote'),
})

const ids = {
  rfq_id: uuid('Id of the request, chosen by the taker'),
  quote_id: uuid('Id of the accepted quote'),
}

/** Reason for the end of a request. */
const endFields = {
  'reason?': nullable(text('Reason, for people; may change; null: executed; absent: still open')),
  'reason_code?': nullable(
    reasonCode,
    'Stable code of the reason; null: executed; absent: still open',
  ),
}

const rfqFields = {
  rfq_id: ids.rfq_id,
  status: oneOf(rfqStatusNames, 'Status; see `x-states`'),
  underlying: text('Name of the underlying'),
  legs: list(object(legFields), 'Legs, in the order of the request'),
  quotes: list(
    rfqQuote,
    'Live quotes, best for the taker first; for an ended request, the quotes that were live at the end',
  ),
  created_at: millis('Time of acceptance'),
  expires_at: millis('Expiry of the request'),
  ...endFields,
  'fill_id?': text('Id of the trade of the first leg; absent: not executed'),
  'fallback_order_id?': count(
    'Id of the limit order that the unfilled request fell back to; absent: none',
  ),
}
const rfq = object(rfqFields)
export type Rfq = JsonOf<typeof rfq>

const reasonFields = {
  'reason?': nullable(text('Reason for a failure, for people; may change; absent: none')),
  'reason_code?': nullable(reasonCode, 'Stable code of the reason; absent: none'),
  'details?': nullable(reasonDetails, 'Values of the reason, by name; null or absent: none'),
  seq: seq('Sequence of the event'),
}

const submittedRfq = object({ ...rfqFields, ...reasonFields })
export type SubmittedRfq = JsonOf<typeof submittedRfq>

const acceptedQuote = object({
  ...ids,
  status: oneOf(['executed', 'failed'], 'Result of the acceptance'),
  fill_id: text('Id of the trade of the first leg; empty: nothing traded'),
  ...reasonFields,
})
export type AcceptedQuote = JsonOf<typeof acceptedQuote>

export const rfqReads = {
  'GET /rfq': walletRead({
    group: 'RFQ',
    summary: 'Returns the requests for quote of a wallet',
    description:
      'Newest first, open and ended requests. To follow quotes and statuses, subscribe to the channel `rfq` of the ' +
      'stream.',
    answeredBy: 'history',
    query: { status: param.rfqStatus, ...param.page(100, 50) },
    answer: bare({ rfqs: list(rfq, 'Requests that match the filter') }),
  }),
  'GET /rfq/': read({
    group: 'RFQ',
    summary: 'Returns a request for quote by its id',
    description:
      'The taker, named in `wallet`, sees quotes as they arrive. Any other reader sees them after the response ' +
      'deadline or, ' +
      'where private reads are signed, gets 404.',
    answeredBy: 'history',
    reader: 'wallet',
    pathId: 'Id of the request',
    query: {
      wallet: param.address('Wallet of the taker, to see quotes as they arrive; absent: none'),
    },
    errors: [Result.NotFound],
    answer: bare(rfqFields),
  }),
}

export const rfqWrites = {
  'POST /rfq/request': write({
    group: 'RFQ',
    summary: 'Requests quotes for up to ten legs',
    description:
      'With `auto_accept_limit` the first quote within the limit executes without an acceptance. A request that ' +
      'breaks a ' +
      'trading rule gets status `failed` and a reason. Read quotes from the channel `rfq` or with GET /rfq/{id}.',
    body: submitBody,
    structs: [rfqStructs.SubmitRFQ, rfqStructs.SubmitAutoExecuteRfq],
    categories: ['OrderPlacement'],
    latency: 'rfq',
    errors: [Result.RfqIdUsed, Result.RfqLimitContradicts],
    example: {
      rfq_id: '6f1c3f0e-8f0f-4d57-9b1c-2a4be2f0a001',
      legs: [{ instrument: 'BTC-20301227-100000-C', side: 'Buy', size: '1' }],
    },
    answer: whole(submittedRfq),
  }),
  'POST /rfq/accept': write({
    group: 'RFQ',
    summary: 'Accepts a quote of a request',
    description:
      'All legs trade in one step, or none. The signature also covers the net premium of the quote. An acceptance ' +
      'that ' +
      'breaks a trading rule gets status `failed` and a reason.',
    body: acceptBody,
    structs: [rfqStructs.AcceptRFQQuote],
    categories: ['OrderPlacement'],
    latency: 'rfq',
    errors: [
      Result.RfqUnknown,
      Result.RfqClosed,
      Result.RfqAlreadyFilled,
      Result.QuoteUnknown,
      Result.QuoteExpired,
    ],
    example: {
      rfq_id: '6f1c3f0e-8f0f-4d57-9b1c-2a4be2f0a001',
      quote_id: '6f1c3f0e-8f0f-4d57-9b1c-2a4be2f0a001',
    },
    answer: whole(acceptedQuote),
  }),
}
