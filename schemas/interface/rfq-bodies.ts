import { rfqLegsMax } from '../bounds.js'
import * as body from './body.js'

// Bodies of requests for quote and of acceptances, over HTTP and the stream, and their structs.

const limitWords =
  'Limit for the net premium of all legs in USD, with at most 6 decimals; the first quote within it executes. ' +
  'Above 0: ' +
  'the maximum debit of a request whose first leg is a buy, or the minimum credit of one whose first leg is a ' +
  'sell. ' +
  'Below 0: the net premium itself'

const wallet = body.signedAs('wallet', body.wallet('Wallet of the taker'))
const rfqId = body.uuidWord('Id of the request: a UUID chosen by the client, used once')
const quoteId = body.uuidWord('Id of the quote, assigned by the venue')
const request = {
  rfq_id: rfqId,
  legs: body.legs(`1 to ${rfqLegsMax} distinct instruments of one underlying`),
}

/** A request for quote. With a limit, the first quote within it executes. */
export const submitBody = {
  ...request,
  auto_accept_limit: body.optional(body.premiumLimit(limitWords), null),
  wallet_address: wallet,
}
/** The stream's request without a limit. */
export const submitFrame = { ...request, wallet_address: wallet }
/** The stream's request with a limit, which has another name there. */
export const submitAutoFrame = {
  ...request,
  limit_price: body.premiumLimit(limitWords),
  wallet_address: wallet,
}
/** An acceptance. */
export const acceptBody = { rfq_id: rfqId, quote_id: quoteId, wallet_address: wallet }
/** The signed fields of an acceptance: the premium of the quote is in no body. */
export const signedAccept = {
  rfq_id: rfqId,
  quote_id: quoteId,
  net_premium: body.netPremium('Net premium of the quote in USD'),
  wallet_address: wallet,
}

export const rfqStructs = {
  SubmitRFQ: body.structOfBody('SubmitRFQ', submitFrame),
  SubmitAutoExecuteRfq: body.structOfBody('SubmitAutoExecuteRfq', submitBody),
  AcceptRFQQuote: body.structOfBody('AcceptRFQQuote', signedAccept),
}
