import type { JsonSchema } from '../wire/json-shape.js'
import { fieldWords, worded } from './field-words.js'
import { accountWords } from './words/account-words.js'
import { contestWords } from './words/contest-words.js'
import { marketWords } from './words/market-words.js'
import { riskWords } from './words/risk-words.js'
import { venueWords } from './words/venue-words.js'

// What each field of an answer or a message means, by its name. A place is an operation, a message, or a schema that
// stands once under a name.

type Words = Readonly<Record<string, string>>

/** The tables, each with the places where it comes before the others. */
const tables: readonly { readonly places: RegExp; readonly words: Words }[] = [
  { places: /ompetition|leaderboard/, words: contestWords },
  { places: /\/operator|\/livez|\/readyz|^GET \/$/, words: venueWords },
  {
    places: /^(Instrument|Market|Orderbook|OptionS|OptionsC|MarketUpdate|Indicative)/,
    words: marketWords,
  },
  {
    places: /^(Position|Portfolio|SpanM|MarginS|RiskG|.*Liquidation)|\/risk|\/liquidation/,
    words: riskWords,
  },
  { places: /^/, words: accountWords },
]

/** By place and name, where the name means something else there. */
const ownWords: Words = {
  'GET / name': 'Name of the venue',
  'GET /exchange-info name': 'Name of the domain',
  'GET /exchange-info version': 'Version of the domain',
  'GET /version version': 'Version of the package',
  'GET /ready name': 'Name of the part',
  'GET /ready status': 'Whether it takes orders',
  'GET /ready message': 'What it waits for',
  'GET /authorized-agents name': 'Name of the key',
  'GET /health status': 'It answers',
  'GET /orders/why status': 'What it came to; `IN_FLIGHT`: it is not decided yet',
  'GET /orders/why name': 'Code of the check',
  'GET /orders/why details': 'Its numbers, by name; null: it has none',
  'GET /orders/why time': 'Time of the step',
  'GET /orders/why margin': 'What bound its margin; null: not known',
  'GET /orders/why kind': 'What is changed in it',
  'GET /orders/why id': 'Its id',
  'GET /orders/why model': 'Margin model',
  'GET /actions/outcome status':
    'Whether the action was accepted; of its outcome how far it has come',
  'GET /actions/outcome count': 'How many of them there are now',
  'GET /orderbook state': 'Whether it trades now',
  'InstrumentSpec state': 'Whether it trades, waits for its price, or is settled',
  'InstrumentSpec instrument_id': 'The instrument, by its canonical name',
  'Market id': 'The instrument, by its canonical name',
  'Market status': 'How far the instrument has come: `x-states` has its moves',
  'Market expiry': 'Expiry',
  'Orderbook state': 'Whether it trades now',
  'Orderbook settlement_price':
    'What a contract was worth at the end, in USD; 0 until it is settled',
  'Orderbook underlying_price': 'The index in USD; 0: not known',
  'OptionSummary underlying_price': 'The index in USD; 0: not known',
  'Orderbook volume': 'Contracts that were traded',
  'OptionSummary volume': 'Contracts that were traded in 24 hours',
  'Orderbook volume_usd': 'The same in USD of the underlying',
  'OptionSummary volume_usd': 'The same in USD of the underlying',
  'Orderbook timestamp': 'When the book last changed',
  'GET /orderbook error': 'Why there is no result',
  'GET /orderbook result': 'The book; null: there is no such instrument',
  'ProviderQuote wallet': 'The provider',
  'ProviderQuote bid_price': 'What the provider pays, as it has written it; absent: no bid',
  'ProviderQuote ask_price': 'What the provider asks, as it has written it; absent: no ask',
  'ProviderQuote updated_at': 'When it came',
  'TheoreticalPrices timestamp': 'Beginning of the span',
  'TheoreticalPrices theoretical_price': 'The last one of the span, in USD',
  'GET /historical-theos data': 'Its points',
  'Trade side': 'Side of the taker, in lower case',
  'Order price': 'Its limit in USD',
  'FillSource type': '`orderbook`, or `rfq`',
  'GET /v1/transfers id': 'Id of the transfer',
  'GET /v1/transfers status': 'Whether the money is there',
  'SettlementPayout id': 'Id of the payout',
  'Liquidation id': 'Id of the change',
  'Liquidation details': 'What it has cost, and whom',
  'GET /profile total': 'Equity',
  'GET /profile margin': 'Margin and money in USD',
  'MmpConfig delta': 'Sum of delta',
  'MmpConfig vega': 'Sum of vega, of one point of volatility',
  'MmpConfig nonce': 'Of its latest change',
  'MmpConfig enabled': 'True while it is set',
  'GET /profile/historical-pnl timestamp': 'End of the span',
  'GET /historical-pnl timestamp': 'End of the span',
  'GET /rfq/ status': 'How far it has come: `x-states` has its moves',
  'GET /rfq status': 'How far it has come: `x-states` has its moves',
  'POST /rfq/request status': 'How far it has come: `x-states` has its moves',
  'RfqStatusUpdate status': 'How far it has come: `x-states` has its moves',
  'RfqQuotes status': 'How far it has come: `x-states` has its moves',
  'POST /rfq/accept status': 'Whether it was executed',
  'RfqAcceptResult status': 'Whether it was executed',
  'RfqAcceptResult nonce':
    'Nonce of the AcceptRfqQuote that this answers; other connections get none',
  'POST /faucet amount': 'What was credited, in USD',
  'POST /settlement-payouts/seen error': 'Always null',
  'POST /submitUsernameRequest status': 'Whether it holds, or waits for the operator',
  'POST /push/preferences fills': 'Whether fills are told',
  'POST /push/subscribe fills': 'Whether fills are told',
  'ReasonDetails id': 'Id of the scenario',
  'ReasonDetails kind': 'What is changed in it',
  'ReasonDetails expiry': 'Expiry that was named, Unix seconds',
  'ReasonDetails bound': 'What it is bounded by',
  'ReasonDetails route': 'The route that was named',
  'ReasonDetails amount': 'What was asked for',
  'ReasonDetails symbol': 'The instrument that was named',
  'ReasonDetails required': 'What is required',
  'ReasonDetails equity': 'Equity of the account',
  'ReasonDetails shortfall': 'By how much it is short',
  'RiskGrid id': 'Id of the scenario',
  'RiskGrid kind': 'What is changed in it',
  'RiskGrid symbol': 'The instrument',
  'POST /risk/simulate/orders id': 'Id of the scenario',
  'POST /risk/simulate/orders kind': 'What is changed in it',
  'SignatureDetails name': 'Name of the domain',
  'SignatureDetails version': 'Version of the domain',
  'POST /order/debug name': 'Name of the domain',
  'POST /order/debug version': 'Version of the domain',
  'Error code': 'Which one it is',
  'ErrorOfList code': 'Which one it is',
  'ErrorOfData code': 'Which one it is',
  'error code': 'Which one it is',
  'BulkResult code': 'Which error or reason it is; null: none',
  'Error message': 'What is wrong, in words that may change',
  'ErrorOfList message': 'What is wrong, in words that may change',
  'ErrorOfData message': 'What is wrong, in words that may change',
  'error message': 'What is wrong, in words that may change',
  'Error nonce': 'Of the frame at fault',
  'Error client_id': 'Of the frame at fault',
  'Error rfq_id': 'Of the frame at fault',
  'Error details': 'The values behind it, by name',
  'ErrorOfList details': 'The values behind it, by name',
  'ErrorOfData details': 'The values behind it, by name',
  'DirectiveAnswer code': 'Why, as a stable code',
  'DirectiveAnswer message': 'Why, in words that may change',
  'ClockSynced nonce': 'As the frame had it',
  'RateLimits limit': 'How many there may be in a minute; -1: unlimited',
  'GET /rate-limits limit': 'How many there may be in a minute; -1: unlimited',
  'CancelAllResult wallet': 'Whose orders they were',
  'MarketUpdate action': 'What has become of it',
  'OptionsChainUpdate action': 'Whether it stands or is gone',
  'MarketUpdate strike': 'Strike in USD',
  'IndexPriceUpdate price': 'The index in USD',
  'IndexPriceUpdate timestamp': 'When it was observed; of the message the oldest of them',
  'IndicativeMarketData timestamp': 'When the newest of them came',
  'PortfolioUpdate kind': 'What it is about',
  'PortfolioUpdate delta': 'Delta times size',
  'PortfolioUpdate gamma': 'Gamma times size',
  'PortfolioUpdate theta': 'Theta of a day times size',
  'PortfolioUpdate vega': 'Vega of one point times size',
  'PositionExpired symbol': 'The option that has expired',
  'auth_failed reason': 'Why: one of those that the words about frames of providers name',
  'qp_margin_rejection reason': 'Why, in words that may change',
  'error reason': 'Why the row was left out',
  'error rfq_id': 'The request that it is about',
  'GET /readyz status': 'Whether it takes orders',
  'GET /livez status': 'Whether all of it is alive',
  'GET /operator/audit id': 'Number of the line, rising',
  'GET /operator/audit outcome': 'What became of it',
  'GET /operator/audit address': 'Where the request came from',
  'GET /operator/audit code': 'Code of the error; null: there was none',
  'GET /operator/audit requested': 'What was approved or rejected; null: it was no such word',
  'GET /operator/audit seq': 'Sequence of what it has done; null: nothing',
  'GET /operator/quote-providers wallet': 'The provider',
  'GET /operator/quote-providers status': 'Whether it may quote',
  'POST /operator/quote-providers status': 'Whether it may quote',
  'POST /operator/builders status': 'Whether it is listed',
  'POST /operator/builders builder': 'The builder',
  'GET /operator/state mode': 'What is taken still',
  'POST /operator/halts mode': 'What is taken still',
  'POST /operator/wallet-halts mode': 'What the wallet may do: everything',
  'POST /operator/halts underlying': 'What is halted; null: everything',
  'GET /operator/state ready': 'Whether it takes orders',
  'GET /operator/state liquidations': 'Wallets in liquidation',
  'GET /operator/state seq': 'Sequence of the latest event',
  'GET /operator/state underlying': 'Name of the underlying',
  'GET /operator/usernames username': 'The name that it has now; null: none',
  'POST /operator/index-prices prices': 'As they were taken',
  'POST /operator/index-prices price': 'The index in USD',
  'POST /operator/index-prices timestamp': 'When it was observed; of the answer when it was taken',
  'POST /operator/settlement-prices price': 'The index in USD at which it settles',
  'POST /operator/vol-surfaces kind': 'How the surface was told',
  'POST /operator/competitions id': 'Id of the competition',
  'POST /operator/competitions name': 'Its name',
  'POST /operator/deposits wallet': 'Who was credited',
  'POST /operator/withdrawals directive_id': 'The withdrawal',
  'GET /orderbook code': 'Always 13020: there is no such instrument',
  'GET /orderbook message': 'Always `not_found`',
  'Error limit': 'How many there may be',
  'ErrorOfList limit': 'How many there may be',
  'ErrorOfData limit': 'How many there may be',
  'GET /livez state': 'Whether the clock was stepped, or that was accepted',
  'GET /exchange-info perps': 'The perps, with their numbers',
  'Position maintenance_margin': 'Maintenance margin of the position',
  'GET / version': 'Version of the package; of the domain its own',
  'Order status': 'How far it has come, in lower case: `x-states` has its moves',
  'OrderUpdate status': 'How far it has come: `x-states` has its moves',
  'OrderResult status': 'How far it has come: `x-states` has its moves',
  'Instrument instrument_type': 'How it pays: linearly, in USD',
  'POST /withdraw/usdc request_id': 'Id of the request',
  'Subscribed as_of_seq': 'Where it begins, for who has asked',
  'Resumed as_of_seq': 'Up to this one; what is behind it is told as it happens',
  'Error as_of_seq': 'From behind this one on its subscription is told what happens',
}

/** What a field of an answer or a message means; null: no words are known. */
export function answerWords(place: string, name: string): string | null {
  const own = ownWords[`${place} ${name}`]
  if (own !== undefined) return own
  const here = tables.filter(({ places }) => places.test(place))
  const found = [...here, ...tables].find(({ words }) => words[name] !== undefined)
  return found?.words[name] ?? fieldWords(place, name)
}

/** @returns an answer or message, with the meaning of every field at any depth. */
export function wordedAnswer(place: string, schema: JsonSchema): JsonSchema {
  return worded(place, schema, answerWords)
}

/** The same of schemas that stand under names. */
export function wordedSchemas(
  schemas: Readonly<Record<string, JsonSchema>>,
): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, wordedAnswer(name, schema)]),
  )
}

/** Every text of the tables. */
export const allAnswerWords: readonly string[] = [
  ...Object.values(ownWords),
  ...tables.flatMap(({ words }) => Object.values(words)),
]
