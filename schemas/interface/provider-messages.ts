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
    { reason: text('Reason; the rules of provider frames list all reasons') },
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
      'rfq_id?': text('Id of the request that the frame names; absent: none'),
    },
    {
      summary: 'Reports the failure of a frame or of some of its rows',
      description:
        'The session stays open. If the error lists `rows`, the other rows of the frame are in force.',
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
      response_deadline_ms: integer('Time for quotes, in milliseconds after `request_timestamp`'),
      'auto_accept_limit?': decimal(
        'Limit of the taker for all legs in USD; absent: none, or not disclosed',
      ),
      auto_execute: flag('True if the venue executes an eligible quote without an acceptance'),
      'taker_limit_price?': decimal(
        'Limit of the taker in USD: for all legs, or per contract for an order in auction; absent: none, or not ' +
          'disclosed',
      ),
      'reference_price?': decimal(
        'Reference price in USD per contract: the best book price within the limit, otherwise the limit; absent: not ' +
          'an ' +
          'auction',
      ),
      'min_improvement_tick?': decimal(
        'Minimum improvement over `reference_price` in USD, where the auction requires one; absent: not an auction',
      ),
      'auction_deadline_ms?': integer(
        'Time of the auction decision, in milliseconds after `request_timestamp`; absent: not an auction',
      ),
      requires_price_improvement: flag('True if a quote must improve on `reference_price`'),
    },
    {
      summary: 'Requests a firm quote',
      description: 'Answer with rfq_response. A newer quote replaces an earlier one.',
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
      description: 'The venue drops the quote. The request continues with the other quotes.',
    },
  ),
  rfq_already_filled: reply(
    { rfq_id: rfqId, filled_by_quote_id: described(quoteId, 'Id of the executed quote') },
    { summary: 'Reports that the quote of another provider filled the request' },
  ),
}
