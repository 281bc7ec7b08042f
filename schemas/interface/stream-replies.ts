import { orderStatusNames } from '../domain.js'
import { rateLimits } from './account.js'
import { channelNames } from './channels.js'
import { errorCode, reasonCode, reasonDetails, retryFields, signatureDetails } from './errors.js'
import { reply } from './message.js'
import { canceledAll, clientId, deadMan, whyFields } from './orders.js'
import {
  address,
  anyOf,
  count,
  decimal,
  flag,
  list,
  millis,
  nonce,
  nullable,
  number,
  oneOf,
  seq,
  text,
} from './shape.js'
import { eventSeq, side } from './terms.js'

// Messages of the venue to clients that answer a frame.

const channel = oneOf(channelNames, 'Channel of the frame')
const frameNonce = nonce('Nonce of the frame')

/** Replies of `/ws`, by type. */
export const streamReplies = {
  Error: reply(
    {
      message: text('Description for people; may change'),
      code: anyOf([errorCode, reasonCode], 'Stable code of the error'),
      ...retryFields,
      'details?': anyOf(
        [reasonDetails, signatureDetails],
        'Values of the error, by name; absent: none',
      ),
      'request_type?': text('Type of the frame; absent: the frame has none'),
      'channel?': text('Channel of the frame'),
      'rfq_id?': text('Id of the request in the frame'),
      'client_id?': text('Client id in the frame'),
      'nonce?': anyOf([number(), text()], 'Nonce of the frame'),
      'from_seq?': seq('Value of `from_seq` in the Subscribe that cannot resume'),
      'as_of_seq?': seq('Sequence after which the live messages of that subscription begin'),
    },
    {
      summary: 'Reports the failure of a frame',
      description:
        'The connection stays open. After `resume_unavailable` the subscription is live nevertheless: read missed ' +
        'messages ' +
        'over HTTP.',
    },
  ),
  ClockSynced: reply(
    {
      nonce: text('Value of `nonce` in the frame'),
      server_at: millis('Time of the venue'),
    },
    { summary: 'Returns the time of the venue' },
  ),
  Authenticated: reply(
    {
      wallet: address('Wallet of the private channels'),
      'session_expires_ms?': millis('Expiry of the read session; absent: the frame has none'),
    },
    { summary: 'Confirms the wallet of the private channels' },
  ),
  Subscribed: reply(
    {
      channel,
      'unknown_symbols?': list(
        text(),
        'First symbols of the filter that are not listed, as received; absent: all are listed',
        { maxItems: 100 },
      ),
      'unknown_symbol_count?': count('Number of symbols that are not listed; absent: 0'),
      'as_of_seq?': seq(
        'Sequence after which live messages begin; absent: the frame did not request it',
      ),
    },
    {
      summary: 'Confirms a subscription',
      description:
        'Follows each Subscribe and precedes the snapshot. A well-formed unknown symbol matches once the instrument ' +
        'is listed.',
    },
  ),
  Resumed: reply(
    {
      channel,
      from_seq: seq('Value of `from_seq` in the Subscribe'),
      as_of_seq: seq('Sequence of the last missed event; live messages have later ones'),
    },
    {
      summary: 'Marks the end of a resume',
      description: 'The venue has sent all missed messages. Live messages follow.',
    },
  ),
  Unsubscribed: reply({ channel }, { summary: 'Confirms the end of a subscription' }),
  RateLimits: reply(
    {
      ...rateLimits,
      as_of_seq: seq('Sequence of the latest event that the message includes'),
    },
    { summary: 'Returns the rate-limit windows of a wallet' },
  ),
  OrderResult: reply(
    {
      order_id: nullable(
        count('Id of the order; for a replacement, the id of the new order; null: rejected'),
      ),
      status: oneOf(
        orderStatusNames,
        'Status after the first pass through auction and book, or `REJECTED`; see `x-states`',
      ),
      symbol: text('Canonical symbol; empty: a cancel of an unknown order'),
      side,
      price: text('Limit price in USD per contract, as received'),
      size: text('Contracts, as received'),
      'reason?': text(
        'Reason for the rejection or cancellation, for people; may change; absent: none',
      ),
      nonce: frameNonce,
      client_id: clientId,
      filled_size: decimal('Contracts filled so far'),
      reason_code: whyFields.reason_code,
      details: nullable(reasonDetails, 'Values of the reason, by name; null: none'),
      mmp_triggered: flag('True if a fill of the order triggered market-maker protection'),
      seq: eventSeq,
    },
    {
      summary: 'Returns the result of an order, a replacement or a cancel',
      description:
        'After a cancel it describes the canceled order; if that order is unknown, price and size are 0 and the side ' +
        'is ' +
        '`Buy`. Match it to its frame by `nonce`.',
    },
  ),
  CancelAllResult: reply(
    { ...canceledAll, nonce: frameNonce, seq: eventSeq },
    { summary: 'Returns the result of a CancelAll' },
  ),
  DeadManResult: reply(
    { ...deadMan, nonce: frameNonce, seq: eventSeq },
    { summary: 'Returns the timer after a SetDeadMan' },
  ),
  CancelOnDisconnectResult: reply(
    {
      wallet: address('Wallet of the orders'),
      enabled: flag('Value of `enabled` in the frame'),
      bound: flag('True if the close of this connection cancels the orders'),
      nonce: frameNonce,
      seq: eventSeq,
    },
    {
      summary: 'Returns the result of a SetCancelOnDisconnect',
      description: 'A retry on another connection leaves the orders bound to the first connection.',
    },
  ),
}
