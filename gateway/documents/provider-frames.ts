import { sideNames } from '../../schemas/domain.js'
import type { JsonSchema } from '../../schemas/interface/shape.js'
import { typedStructs } from '../actions/typed-structs.js'
import { anyAddress, signedSchemas } from './request-bodies.js'
import {
  decimal,
  exactly,
  integer,
  list,
  nullable,
  object,
  oneOf,
  text,
  uuid,
} from './shapes/shape.js'

// Frames of quote providers.

const anySide = oneOf([...sideNames, ...sideNames.map((name) => name.toLowerCase())])
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

/** Schema of a frame of a type. */
export function providerSchema(
  type: string,
  fields: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  return object({ type: exactly(type), ...fields })
}
