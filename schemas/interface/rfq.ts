import { rfqStatusNames, sideNames } from '../domain.js'
import { Result } from '../results.js'
import { bare, whole } from './answer.js'
import { reasonCode, reasonDetails } from './errors.js'
import * as param from './parameter.js'
import { read, walletRead } from './read.js'
import { acceptBody, rfqStructs, submitBody } from './rfq-bodies.js'
import { count, decimal, list, millis, nullable, object, oneOf, seq, text, uuid } from './shape.js'
import { write } from './write.js'

export const legFields = {
  instrument: text('Canonical symbol of the instrument'),
  side: oneOf(sideNames, 'Side: `Buy` or `Sell`'),
  size: decimal('Size in contracts'),
}

export const rfqReads = {
  'GET /rfq': walletRead({
    group: 'RFQ',
    summary: 'Returns requests for quote of a wallet, newest first',
    answeredBy: 'history',
    query: { status: param.rfqStatus, ...param.page(100, 50) },
    answer: bare({
      rfqs: list(
        object({
          rfq_id: uuid('Id of the request, chosen by its taker'),
          status: oneOf(rfqStatusNames, 'Status, one of `x-states`'),
          underlying: text('Name of the underlying'),
          legs: list(
            object({
              ...legFields,
            }),
            'Legs in the order of the request',
          ),
          quotes: list(
            object({
              quote_id: uuid('Id of the quote, assigned by the venue'),
              net_premium: decimal(
                'Net premium in USD from the side of the taker: a buy leg counts -price x size, a sell leg +price x size',
              ),
              legs: list(
                object({
                  ...legFields,
                  price: decimal('Price in USD per contract'),
                }),
                'Legs in the order of the request',
              ),
              expires_at: millis('Time at which it expires'),
            }),
            'Live quotes, best for the taker first',
          ),
          created_at: millis('Time of creation'),
          expires_at: millis('Time at which it expires'),
          'reason?': nullable(text('Reason as text for people, which may change; null: none')),
          'reason_code?': nullable(reasonCode, 'Stable code of the reason; null: none'),
          'fill_id?': text(
            'Id of the fill; for a package, the trade id of its first leg; empty or null: no fill',
          ),
          'fallback_order_id?': count('Order that replaced the unfilled request'),
        }),
        'Requests, the newest first',
      ),
    }),
  }),
  'GET /rfq/': read({
    group: 'RFQ',
    summary: 'Returns a request for quote',
    answeredBy: 'history',
    reader: 'wallet',
    pathId: 'Id of the request',
    query: { wallet: param.address('Wallet that acts, or that is read') },
    errors: [Result.NotFound],
    answer: bare({
      rfq_id: uuid('Id of the request, chosen by its taker'),
      status: oneOf(rfqStatusNames, 'Status, one of `x-states`'),
      underlying: text('Name of the underlying'),
      legs: list(
        object({
          ...legFields,
        }),
        'Legs in the order of the request',
      ),
      quotes: list(
        object({
          quote_id: uuid('Id of the quote, assigned by the venue'),
          net_premium: decimal(
            'Net premium in USD from the side of the taker: a buy leg counts -price x size, a sell leg +price x size',
          ),
          legs: list(
            object({
              ...legFields,
              price: decimal('Price in USD per contract'),
            }),
            'Legs in the order of the request',
          ),
          expires_at: millis('Time at which it expires'),
        }),
        'Live quotes, best for the taker first',
      ),
      created_at: millis('Time of creation'),
      expires_at: millis('Time at which it expires'),
      'reason?': nullable(text('Reason as text for people, which may change; null: none')),
      'reason_code?': nullable(reasonCode, 'Stable code of the reason; null: none'),
      'fill_id?': text(
        'Id of the fill; for a package, the trade id of its first leg; empty or null: no fill',
      ),
      'fallback_order_id?': count('Order that replaced the unfilled request'),
    }),
  }),
}

export const rfqWrites = {
  'POST /rfq/request': write({
    group: 'RFQ',
    summary: 'Requests quotes for a package; with a limit, the first quote within it executes',
    body: submitBody,
    structs: [rfqStructs.SubmitRFQ, rfqStructs.SubmitAutoExecuteRfq],
    categories: ['OrderPlacement'],
    latency: 'rfq',
    errors: [Result.RfqIdUsed, Result.RfqLimitContradicts],
    example: {
      rfq_id: '6f1c3f0e-8f0f-4d57-9b1c-2a4be2f0a001',
      legs: [{ instrument: 'BTC-20301227-100000-C', side: 'Buy', size: '1' }],
    },
    answer: whole(
      object({
        rfq_id: uuid('Id of the request, chosen by its taker'),
        status: oneOf(rfqStatusNames, 'Status, one of `x-states`'),
        underlying: text('Name of the underlying'),
        legs: list(
          object({
            ...legFields,
          }),
          'Legs in the order of the request',
        ),
        quotes: list(
          object({
            quote_id: uuid('Id of the quote, assigned by the venue'),
            net_premium: decimal(
              'Net premium in USD from the side of the taker: a buy leg counts -price x size, a sell leg +price x size',
            ),
            legs: list(
              object({
                ...legFields,
                price: decimal('Price in USD per contract'),
              }),
              'Legs in the order of the request',
            ),
            expires_at: millis('Time at which it expires'),
          }),
          'Live quotes, best for the taker first',
        ),
        created_at: millis('Time of creation'),
        expires_at: millis('Time at which it expires'),
        'reason?': nullable(text('Reason as text for people, which may change; null: none')),
        'reason_code?': nullable(reasonCode, 'Stable code of the reason; null: none'),
        'fill_id?': text(
          'Id of the fill; for a package, the trade id of its first leg; empty or null: no fill',
        ),
        'fallback_order_id?': count('Order that replaced the unfilled request'),
        'details?': nullable(reasonDetails, 'Values that the reason names'),
        seq: seq('Sequence of the event'),
      }),
    ),
  }),
  'POST /rfq/accept': write({
    group: 'RFQ',
    summary: 'Accepts a quote; the signature also covers the net premium of the quote',
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
    answer: whole(
      object({
        rfq_id: uuid('Id of the request, chosen by its taker'),
        quote_id: uuid('Id of the quote, assigned by the venue'),
        status: oneOf(['executed', 'failed'], 'Status of the acceptance'),
        fill_id: text(
          'Id of the fill; for a package, the trade id of its first leg; empty or null: no fill',
        ),
        'reason?': nullable(text('Reason as text for people, which may change; null: none')),
        'reason_code?': nullable(reasonCode, 'Stable code of the reason; null: none'),
        'details?': nullable(reasonDetails, 'Values that the reason names'),
        seq: seq('Sequence of the event'),
      }),
    ),
  }),
}
