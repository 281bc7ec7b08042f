import { sideNames } from '../../schemas/domain.js'
import { typedStructs } from '../actions/typed-structs.js'
import { refusedRowsMax } from '../providers/quote-frame.js'
import type { JsonSchema } from '../wire/json-shape.js'
import { anyAddress, signedSchemas } from './request-bodies.js'
import { errorCode } from './shapes/errors.js'
import {
  address,
  decimal,
  exactly,
  flag,
  integer,
  list,
  millis,
  nullable,
  object,
  oneOf,
  text,
  uuid,
} from './shapes/shape.js'

// Messages between quote providers and the venue.

const anySide = oneOf([...sideNames, ...sideNames.map((name) => name.toLowerCase())])
const askedSide = { ...oneOf(['buy', 'sell']), description: 'Of the taker, in lower case' }
const shown = { 'bid_price?': nullable(decimal), 'ask_price?': nullable(decimal) }
const sizes = { 'max_bid_size?': nullable(decimal), 'max_ask_size?': nullable(decimal) }
const quotes = list(object({ instrument: text, ...shown, ...sizes }))
const milliseconds: JsonSchema = { anyOf: [integer, { type: 'string', pattern: '^[0-9]+$' }] }

/** Frames of a provider, with their structs where they are signed. */
export const providerFrames = {
  connect_quote_provider: {
    summary: 'The first frame: who is quoting',
    fields: { wallet: anyAddress, timestamp: milliseconds, ...signedSchemas },
    struct: typedStructs.ConnectQuoteProvider,
  },
  indicative_quote_update: {
    summary: 'All indicative quotes without a scope: those not named are over',
    fields: { quotes },
    struct: null,
  },
  scoped_indicative_quote_update: {
    summary: 'All indicative quotes of a scope',
    fields: { scope: { type: 'string', pattern: '^[0-9a-f]{32}$' }, quotes },
    struct: null,
  },
  rfq_response: {
    summary: 'A firm quote for a request, or that there is none',
    fields: {
      rfq_id: uuid,
      action: oneOf(['quote', 'decline']),
      'wallet?': anyAddress,
      'legs?': list(object({ instrument: text, side: anySide, price: decimal, size: decimal })),
      'net_premium?': decimal,
      'valid_for_ms?': milliseconds,
      'nonce?': signedSchemas.nonce,
      'signature?': signedSchemas.signature,
    },
    struct: typedStructs.SubmitRFQResponse,
  },
} as const

const refusedRow = object({ instrument: text, reason: text })

/** Messages to a provider. */
export const providerMessages = {
  authenticated: {
    summary: 'The handshake succeeded',
    fields: { wallet: address, capabilities: list(text) },
  },
  auth_failed: {
    summary: 'The handshake failed, or the session has ended',
    fields: { reason: text },
  },
  error: {
    summary: 'Error of a frame or of its rows',
    fields: {
      message: text,
      code: errorCode,
      'rows?': list(refusedRow, { maxItems: refusedRowsMax }),
      'rfq_id?': text,
    },
  },
  rfq_request: {
    summary: 'Requests a firm quote; for an order in auction without the taker',
    fields: {
      rfq_id: uuid,
      legs: list(object({ instrument: text, side: askedSide, size: decimal })),
      taker_wallet: address,
      request_timestamp: millis,
      response_deadline_ms: integer,
      'auto_accept_limit?': decimal,
      auto_execute: flag,
      'taker_limit_price?': decimal,
      'reference_price?': decimal,
      'min_improvement_tick?': decimal,
      'auction_deadline_ms?': integer,
      requires_price_improvement: flag,
    },
  },
  qp_margin_rejection: {
    summary: 'The margin of the provider does not cover its quote',
    fields: { rfq_id: uuid, quote_id: uuid, reason: nullable(text) },
  },
  rfq_already_filled: {
    summary: 'Another quote filled the request',
    fields: { rfq_id: uuid, filled_by_quote_id: uuid },
  },
} as const

/** Schema of a message or frame of a type. */
export function providerSchema(
  type: string,
  fields: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  return object({ type: exactly(type), ...fields })
}
