import { sideNames } from '../domain.js'
import { errorCode } from './errors.js'
import { reply } from './message.js'
import {
  address,
  decimal,
  described,
  flag,
  integer,
  list,
  lowerCase,
  millis,
  nullable,
  object,
  oneOf,
  text,
  uuid,
} from './shape.js'
import { symbol } from './terms.js'

// Messages of the venue to quote providers.

const rfqId = uuid('Id of the request')
const quoteId = uuid('Id of the quote, assigned by the venue')

/** Messages of `/ws/quotes`, by type. */
export const providerMessages = {
  authenticated: reply(
    {
      wallet: address('Wallet of the provider'),
      capabilities: list(text(), 'Optional features of the venue: `scoped_indicative`'),
    },
    { summary: 'Confirms the handshake' },
  ),
  auth_failed: reply(
    { reason: text('Reason; the rules of provider frames list them all') },
    {
      summary: 'Reports a failed handshake or the end of the session',
      description: 'The venue then closes the connection with the same reason.',
    },
  ),
  error: reply(
    {
      message: text('Description for people; may change'),
      code: described(errorCode, 'Stable code of the error'),
      'rows?': list(
        object({
          instrument: text('Instrument of the row, as received'),
          reason: text('Reason for people; may change'),
        }),
        'Rows that the venue did not accept; absent: the error is not about rows',
        { maxItems: 1000 },
      ),
      'rfq_id?': text('Id of the request in the frame; absent: none'),
    },
    {
      summary: 'Reports the failure of a frame or of some of its rows',
      description: 'The session stays open. The valid rows of a frame with `rows` are in force.',
    },
  ),
  rfq_request: reply(
    {
      rfq_id: rfqId,
      legs: list(
        object({
          instrument: symbol,
          side: oneOf(lowerCase(sideNames), 'Side of the taker, in lower case'),
          size: decimal('Contracts'),
        }),
        'Legs in the order of the request',
      ),
      taker_wallet: address('Wallet of the taker; the zero address for an order in auction'),
      request_timestamp: millis('Engine time of the request'),
      response_deadline_ms: integer(
        'Milliseconds after `request_timestamp` in which the venue accepts quotes',
      ),
      'auto_accept_limit?': decimal(
        'Limit of the taker for all legs in USD; absent: none, or not disclosed',
      ),
      auto_execute: flag('True if an eligible quote trades without an acceptance'),
      'taker_limit_price?': decimal(
        'Limit of the taker in USD, for all legs, or per contract of an order in auction; absent: none, or not disclosed',
      ),
      'reference_price?': decimal(
        'Price per contract in USD to compare with: the best price of the book within the limit, else the limit; absent: ' +
          'not an auction',
      ),
      'min_improvement_tick?': decimal(
        'Least improvement over `reference_price` in USD where it is required; absent: not an auction',
      ),
      'auction_deadline_ms?': integer(
        'Milliseconds after `request_timestamp` at which the auction is decided; absent: not an auction',
      ),
      requires_price_improvement: flag('True if a quote must better `reference_price`'),
    },
    {
      summary: 'Requests a firm quote',
      description: 'Answer it with rfq_response. A newer quote replaces the earlier one.',
    },
  ),
  qp_margin_rejection: reply(
    {
      rfq_id: rfqId,
      quote_id: quoteId,
      reason: nullable(text('Reason for people; may change; null: none')),
    },
    {
      summary: 'Rejects a quote that the margin of the provider does not cover',
      description: 'The quote is dropped. The request continues with the other quotes.',
    },
  ),
  rfq_already_filled: reply(
    { rfq_id: rfqId, filled_by_quote_id: described(quoteId, 'Id of the executed quote') },
    { summary: 'Reports that the quote of another provider filled the request' },
  ),
}
