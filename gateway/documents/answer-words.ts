import type { JsonSchema } from '../wire/json-shape.js'
import { fieldWords, worded } from './field-words.js'
import { accountWords } from './words/account-words.js'
import { contestWords } from './words/contest-words.js'
import { marketWords } from './words/market-words.js'
import { riskWords } from './words/risk-words.js'
import { venueWords } from './words/venue-words.js'

// Descriptions of the fields of answers and messages, by name. A place is an operation, a message, or a named schema.

type Words = Readonly<Record<string, string>>

/** Tables, each with the places where it precedes the others. */
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

/** Descriptions by place and name, where the name has another meaning. */
const ownWords: Words = {
  'GET / name': 'Name of the venue',
  'GET /exchange-info name': 'Name of the domain',
  'GET /exchange-info version': 'Version of the domain',
  'GET /version version': 'Version of the package',
  'GET /ready name': 'Name of the part',
  'GET /ready status': '`ready`, or `not_ready` with HTTP status 503',
  'GET /ready degraded': 'Reasons why the venue trades without one of its parts',
  'GET / status': '`degraded` while the venue trades without one of its parts',
  'GET /ready message': 'Reason why it is not ready',
  'GET /authorized-agents name': 'Name of the key',
  'GET /health status': 'Always `ok`',
  'GET /orders/why status': 'Result; `IN_FLIGHT`: not yet decided',
  'GET /orders/why name': 'Code of the check',
  'GET /orders/why details': 'Numbers of the check, by name; null: it has none',
  'GET /orders/why time': 'Time of the batch',
  'GET /orders/why margin': 'Term that determined the margin; null: unknown',
  'GET /orders/why kind': 'Kind of the shock',
  'GET /orders/why id': 'Its id',
  'GET /orders/why model': 'Margin model',
  'GET /actions/outcome status': 'Result of the action; in `outcome` the status of the order',
  'GET /actions/outcome count': 'Number kept now',
  'GET /orderbook state': '`open` while it trades, else `closed`',
  'InstrumentSpec state': 'Active, waiting for its settlement price, or settled',
  'InstrumentSpec instrument_id': 'The instrument, by its canonical name',
  'Market id': 'The instrument, by its canonical name',
  'Market status': 'State of the instrument; see `x-states`',
  'Market expiry': 'Expiry',
  'Orderbook state': '`open` while it trades, else `closed`',
  'Orderbook settlement_price': 'Settlement value of a contract in USD; 0 until it settles',
  'Orderbook underlying_price': 'The index in USD; 0: not known',
  'OptionSummary underlying_price': 'The index in USD; 0: not known',
  'Orderbook volume': 'Contracts traded',
  'OptionSummary volume': 'Contracts traded in 24 hours',
  'Orderbook volume_usd': 'The same in USD of the underlying',
  'OptionSummary volume_usd': 'The same in USD of the underlying',
  'Orderbook timestamp': 'Time of the last change of the book',
  'GET /orderbook error': 'Reason why there is no result',
  'GET /orderbook result': 'The book; null: there is no such instrument',
  'ProviderQuote wallet': 'The provider',
  'ProviderQuote bid_price': 'Bid of the provider as received; absent: no bid',
  'ProviderQuote ask_price': 'Ask of the provider as received; absent: no ask',
  'ProviderQuote updated_at': 'Time of receipt',
  'TheoreticalPrices timestamp': 'Start of the interval',
  'TheoreticalPrices theoretical_price': 'Last theoretical price of the interval, in USD',
  'GET /historical-theos data': 'Points of the series',
  'Trade side': 'Side of the taker, in lower case',
  'Order price': 'Its limit in USD',
  'FillSource type': '`orderbook`, or `rfq`',
  'GET /v1/transfers id': 'Id of the transfer',
  'GET /v1/transfers status': 'Status of the transfer',
  'SettlementPayout id': 'Id of the payout',
  'Liquidation id': 'Id of the change',
  'Liquidation details': 'Who bore the loss, and how much',
  'GET /profile total': 'Equity',
  'GET /profile margin': 'Margin and money in USD',
  'MmpConfig delta': 'Sum of delta',
  'MmpConfig vega': 'Sum of vega, of one point of volatility',
  'MmpConfig nonce': 'Of its latest change',
  'MmpConfig enabled': 'True while it is set',
  'GET /profile/historical-pnl timestamp': 'End of the interval',
  'GET /historical-pnl timestamp': 'End of the interval',
  'GET /rfq/ status': 'Status; see `x-states`',
  'GET /rfq status': 'Status; see `x-states`',
  'POST /rfq/request status': 'Status; see `x-states`',
  'RfqStatusUpdate status': 'Status; see `x-states`',
  'RfqQuotes status': 'Status; see `x-states`',
  'POST /rfq/accept status': 'Status of the acceptance',
  'RfqAcceptResult status': 'Status of the acceptance',
  'RfqAcceptResult nonce':
    'Nonce of the AcceptRfqQuote that this answers; other connections get none',
  'POST /faucet amount': 'Credited amount in USD',
  'POST /settlement-payouts/seen error': 'Always null',
  'POST /submitUsernameRequest status': '`approved`, or `pending` until the operator decides',
  'POST /push/preferences fills': 'True if fills are sent',
  'POST /push/subscribe fills': 'True if fills are sent',
  'ReasonDetails id': 'Id of the scenario',
  'ReasonDetails kind': 'Kind of the shock',
  'ReasonDetails expiry': 'Expiry as YYYYMMDD',
  'ReasonDetails bound': 'Bound of the check',
  'ReasonDetails route': 'Route of the order',
  'ReasonDetails amount': 'Requested amount',
  'ReasonDetails symbol': 'Instrument without a mark',
  'ReasonDetails required': 'Required equity in USD',
  'ReasonDetails equity': 'Equity of the account',
  'ReasonDetails needed': 'Cash that the order needs with all working buys, in USD',
  'ReasonDetails available': 'Cash of the wallet in USD',
  'ReasonDetails cost': 'Price times size in USD',
  'ReasonDetails cash': 'Cash of the wallet in USD',
  'ReasonDetails shortfall': 'Missing equity in USD',
  'RiskGrid id': 'Id of the scenario',
  'RiskGrid kind': 'Kind of the shock',
  'RiskGrid symbol': 'The instrument',
  'POST /risk/simulate/orders id': 'Id of the scenario',
  'POST /risk/simulate/orders kind': 'Kind of the shock',
  'SignatureDetails name': 'Name of the domain',
  'SignatureDetails version': 'Version of the domain',
  'POST /order/debug name': 'Name of the domain',
  'POST /order/debug version': 'Version of the domain',
  'Error code': 'Stable code of the error',
  'ErrorOfList code': 'Stable code of the error',
  'ErrorOfData code': 'Stable code of the error',
  'error code': 'Stable code of the error',
  'BulkResult code': 'Code of the error or the reason; null: none',
  'Error message': 'Description for people; may change',
  'ErrorOfList message': 'Description for people; may change',
  'ErrorOfData message': 'Description for people; may change',
  'error message': 'Description for people; may change',
  'Error nonce': 'Of the frame at fault',
  'Error client_id': 'Of the frame at fault',
  'Error rfq_id': 'Of the frame at fault',
  'Error details': 'Values of the message, by name',
  'ErrorOfList details': 'Values of the message, by name',
  'ErrorOfData details': 'Values of the message, by name',
  'DirectiveAnswer code': 'Stable code of the reason',
  'DirectiveAnswer message': 'Description for people; may change',
  'ClockSynced nonce': 'Nonce of the frame',
  'RateLimits limit': 'Limit per minute; -1: unlimited',
  'GET /rate-limits limit': 'Limit per minute; -1: unlimited',
  'CancelAllResult wallet': 'Wallet of the orders',
  'MarketUpdate action': 'Change of the instrument',
  'OptionsChainUpdate action': '`Upsert`: the row as it is now; `Delete`: the row is removed',
  'MarketUpdate strike': 'Strike in USD',
  'IndexPriceUpdate price': 'The index in USD',
  'IndexPriceUpdate timestamp': 'Time of the observation; of the message, of the oldest one',
  'IndicativeMarketData timestamp': 'Time of receipt of the newest quote',
  'PortfolioUpdate kind': 'Kind of the update',
  'PortfolioUpdate delta': 'Delta times size',
  'PortfolioUpdate gamma': 'Gamma times size',
  'PortfolioUpdate theta': 'Theta of a day times size',
  'PortfolioUpdate vega': 'Vega of one point times size',
  'PositionExpired symbol': 'The option that has expired',
  'auth_failed reason': 'Reason; the rules of provider frames list all',
  'qp_margin_rejection reason': 'Description for people; may change',
  'error reason': 'Reason why the row was left out',
  'error rfq_id': 'Request at fault',
  'GET /readyz status': '`degraded` while the venue trades without one of its parts',
  'GET /livez status': '`failing` with HTTP status 503, else `ok`',
  'GET /operator/audit id': 'Number of the line, rising',
  'GET /operator/audit outcome': 'Outcome',
  'GET /operator/audit address': 'Client address of the request',
  'GET /operator/audit code': 'Code of the error; null: there was none',
  'GET /operator/audit requested':
    'Request that was approved or rejected; null: the action is no approval',
  'GET /operator/audit seq': 'Sequence of the change; null: none',
  'GET /operator/quote-providers wallet': 'The provider',
  'GET /operator/quote-providers status': '`active` if the wallet may quote',
  'POST /operator/quote-providers status': '`active` if the wallet may quote',
  'POST /operator/builders status': '`active` if the builder is listed',
  'POST /operator/builders builder': 'The builder',
  'GET /operator/state mode': 'Halt mode',
  'POST /operator/halts mode': 'Halt mode',
  'POST /operator/wallet-halts mode': 'Always `open`: the wallet trades again',
  'POST /operator/halts underlying': 'Underlying of the halt; null: all',
  'GET /operator/state ready': 'True if the venue takes orders',
  'GET /operator/state liquidations': 'Wallets in liquidation',
  'GET /operator/state seq': 'Sequence of the latest event',
  'GET /operator/state underlying': 'Name of the underlying',
  'GET /operator/usernames username': 'Current name; null: none',
  'POST /operator/index-prices prices': 'Prices as the venue took them',
  'POST /operator/index-prices price': 'The index in USD',
  'POST /operator/index-prices timestamp':
    'Time of the observation; of the answer, time at which it was taken',
  'POST /operator/settlement-prices price': 'Settlement price of the index in USD',
  'POST /operator/vol-surfaces kind': 'Form of the surface',
  'POST /operator/competitions id': 'Id of the competition',
  'POST /operator/competitions name': 'Its name',
  'POST /operator/deposits wallet': 'Credited wallet',
  'POST /operator/withdrawals directive_id': 'The withdrawal',
  'GET /orderbook code': 'Always 13020: there is no such instrument',
  'GET /orderbook message': 'Always `not_found`',
  'Error limit': 'Limit per minute',
  'ErrorOfList limit': 'Limit per minute',
  'ErrorOfData limit': 'Limit per minute',
  'GET /livez state': '`stepped`, or `accepted` by the operator',
  'GET /exchange-info perps': 'The perps, with their numbers',
  'Position maintenance_margin': 'Maintenance margin of the position',
  'GET / version': 'Version of the package; of the domain its own',
  'Order status': 'Status in lower case; see `x-states`',
  'OrderUpdate status': 'Status; see `x-states`',
  'OrderResult status': 'Status; see `x-states`',
  'Instrument instrument_type': 'Always linear, in USD',
  'POST /withdraw/usdc request_id': 'Id of the request',
  'Subscribed as_of_seq': 'Sequence at which it begins; present if the frame asked for it',
  'Resumed as_of_seq': 'Last sequence sent again; later events follow live',
  'Error as_of_seq': 'Live updates start after this sequence',
}

/** Returns the description of a field of an answer or a message; null: there is none. */
export function answerWords(place: string, name: string): string | null {
  const own = ownWords[`${place} ${name}`]
  if (own !== undefined) return own
  const here = tables.filter(({ places }) => places.test(place))
  const found = [...here, ...tables].find(({ words }) => words[name] !== undefined)
  return found?.words[name] ?? fieldWords(place, name)
}

/** Returns the schema of an answer or message with a description of every field at any depth. */
export function wordedAnswer(place: string, schema: JsonSchema): JsonSchema {
  return worded(place, schema, answerWords)
}

/** Returns named schemas with descriptions. */
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
