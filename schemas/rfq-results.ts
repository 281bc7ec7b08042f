import { failed, failedWith, type ResultRow, rejected } from './result-row.js'

/** Results of rejected RFQs, and reasons of their end; part of `Result`. */
export const RfqResult = {
  RfqUnknown: -3051,
  RfqClosed: -3052,
  RfqAlreadyFilled: -3053,
  RfqIdUsed: -3054,
  RfqLimitContradicts: -3055,
  RfqLimit: -3056,
  RfqLegUnknown: -3057,
  RfqNotServed: -3058,
  RfqSelfTrade: -3059,
  RfqDeadlinePassed: -3060,
  RfqLegsMismatch: -3061,
  RfqPremiumMismatch: -3062,
  RfqValidity: -3063,
  QuoteUnknown: -3064,
  QuoteExpired: -3065,
  QuotesLimit: -3066,
  QuoteNotBorne: -3067,
  RfqNoProvider: -3068,
  RfqUnanswered: -3069,
  RfqExpired: -3070,
  RfqNoEligibleQuote: -3071,
  AgentRevoked: -3072,
  ProviderGone: -3073,
} as const

export const rfqResultRows: Record<(typeof RfqResult)[keyof typeof RfqResult], ResultRow> = {
  [RfqResult.RfqUnknown]: failed('not_found', 404, 'RFQ not found'),
  [RfqResult.RfqClosed]: failed('rfq_closed', 409, 'RFQ is closed'),
  [RfqResult.RfqAlreadyFilled]: failed('rfq_already_filled', 409, 'RFQ is already filled'),
  [RfqResult.RfqIdUsed]: failed('conflict', 409, 'Conflict: rfq_id is already used'),
  [RfqResult.RfqLimitContradicts]: failed(
    'invalid_field',
    400,
    'Invalid limit_price: the first leg sets the direction, but at mark prices a buy would be a credit, or a ' +
      'sell a ' +
      'debit; put another leg first, or pass the net premium',
  ),
  [RfqResult.RfqLimit]: rejected(
    'limit_exceeded',
    'Limit exceeded: at most {bound} open RFQs are allowed',
    [{ name: 'bound', unit: 'int' }],
  ),
  [RfqResult.RfqLegUnknown]: rejected('invalid_symbol', 'Invalid symbol in leg {leg}', [
    { name: 'leg', unit: 'int' },
  ]),
  [RfqResult.RfqNotServed]: rejected(
    'rfq_not_supported',
    'RFQ is not supported for symbol: {symbol}',
    [{ name: 'symbol', unit: 'instrument' }],
  ),
  [RfqResult.RfqSelfTrade]: rejected(
    'self_trade_prevention',
    'Self-trade prevention: taker wallet equals quote provider wallet',
  ),
  [RfqResult.RfqDeadlinePassed]: failed('deadline_passed', 409, 'The response deadline has passed'),
  [RfqResult.RfqLegsMismatch]: failed(
    'legs_mismatch',
    400,
    'The legs do not match those of the RFQ',
  ),
  [RfqResult.RfqPremiumMismatch]: failed(
    'premium_mismatch',
    400,
    'Each price must be greater than 0, and net_premium must equal the sum over the legs',
  ),
  [RfqResult.RfqValidity]: failed('invalid_field', 400, 'Invalid valid_for_ms: must be 1 or more'),
  [RfqResult.QuoteUnknown]: failed('not_found', 404, 'Quote not found'),
  [RfqResult.QuoteExpired]: failed('conflict', 409, 'Quote has expired'),
  [RfqResult.QuotesLimit]: failedWith(
    'limit_exceeded',
    403,
    'Limit exceeded: at most {bound} quotes per RFQ are allowed',
    [{ name: 'bound', unit: 'int' }],
  ),
  [RfqResult.QuoteNotBorne]: rejected(
    'qp_margin_rejection',
    'Quote provider could not meet margin',
  ),
  [RfqResult.RfqNoProvider]: rejected('no_quotes', 'No quote provider is connected'),
  [RfqResult.RfqUnanswered]: rejected('no_quotes', 'No quote provider has quoted'),
  [RfqResult.RfqExpired]: rejected('rfq_expired', 'RFQ has expired'),
  [RfqResult.RfqNoEligibleQuote]: rejected('no_eligible_quote', 'No eligible quote'),
  [RfqResult.AgentRevoked]: rejected('agent_revoked', 'Agent was revoked'),
  [RfqResult.ProviderGone]: rejected('provider_suspended', 'Quote provider was suspended'),
}
