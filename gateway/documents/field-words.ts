import {
  bulkItemsMax,
  clientIdBytesMax,
  depositIdBytesMax,
  indexEntriesMax,
  intentBytesMax,
  lotsPerContract,
  microsPerUsd,
  payoutIdsMax,
  priceMicrosMax,
  pushEndpointBytesMax,
  pushPointBytes,
  pushSecretBytes,
  quoteMillisMax,
  referralCodeBytesMax,
  referralCodeBytesMin,
  rfqLegsMax,
  significantFiguresMax,
  sizeLotsMax,
  surfacePointsMax,
} from '../../schemas/bounds.js'
import type { JsonSchema } from '../wire/json-shape.js'
import { simulatedOrdersMax } from '../wire/simulated-body.js'

// What each field of a request means, by its name: types and bounds of it stand in the tables by which it is read.

const decimalsOf = Math.log10
const symbolForm = '`UNDERLYING-YYYYMMDD-STRIKE-C` or `-P`; its date also as `30JUN26`'
const uuidText = 'UUID, chosen by the client'
const spanOf = 'The span of the competition does for from_ts_ms and to_ts_ms, and goes with neither'

/** By name, wherever no words of its own stand below. */
const commonWords: Readonly<Record<string, string>> = {
  // Orders
  wallet: 'The wallet that acts or is asked about',
  wallet_address: 'The wallet that acts',
  account: 'The wallet that acts or is asked about',
  symbol: `Option: ${symbolForm}. It is signed as it stands here`,
  side: 'Exactly `Buy` or `Sell`',
  size:
    `Contracts: above 0, at most ${sizeLotsMax / lotsPerContract}, at most ` +
    `${decimalsOf(lotsPerContract)} decimals`,
  price:
    `USD for a contract: above 0, at most ${priceMicrosMax / microsPerUsd}, at most ` +
    `${significantFiguresMax} significant figures and ${decimalsOf(microsPerUsd)} decimals`,
  tif:
    'How long it works: until it is cancelled (`gtc`); what does not trade at once is cancelled (`ioc`); it trades whole ' +
    'at once or not at all (`fok`)',
  route:
    '`best_execution`: an auction among quote providers where one can better the price, then the book; `book_only`: the ' +
    'book at once; `rfq_only`: rejected here. Omitted: best_execution, signed without a route',
  client_id:
    `Own id of an order, at most ${clientIdBytesMax} bytes of printable ASCII, unique among the working orders of the ` +
    'wallet. Absent, null and empty are the same',
  reduce_only: 'Whether it may only make a position smaller: a struct of its own is signed then',
  mmp_enabled:
    'Whether the market-maker protection of the wallet counts and cancels it; not signed',
  builder_code_address: 'Who earns the builder fee of it; not signed',
  order_id: 'Id that the venue has given it; signed as decimal text',
  orders: `1 to ${bulkItemsMax}, each with its own wallet, nonce and signature; they run in this order in one step`,
  replacements: `1 to ${bulkItemsMax}; each is atomic by itself, the list is not`,
  cancels: `1 to ${bulkItemsMax}, each with its own wallet, nonce and signature`,
  signer: 'Ignored: who has signed is recovered',
  scope: '`all`, an underlying, or a symbol',
  timeout_ms:
    'Silence of the wallet that ends its orders; renewed by each newly accepted signed action. 0 ends the timer, else from 1000 on',
  enabled: 'Whether the end of this connection ends them',
  // Requests for quote
  rfq_id: `${uuidText}; each works once`,
  quote_id: 'Id that the venue has given the quote',
  legs: `1 to ${rfqLegsMax} distinct instruments of one underlying`,
  instrument: 'Symbol of the option; it is signed as it stands here',
  auto_accept_limit:
    'Premium of the whole package at which the first quote executes by itself: above 0 the most that a buy costs or the ' +
    'least that a sell brings (a buy has `Buy` as its first leg), below 0 the net premium itself. At most 6 decimals',
  limit_price:
    'Premium of the whole package: above 0 the most that a buy costs or the least that a sell brings (a buy has `Buy` as ' +
    'its first leg), below 0 the net premium itself. At most 6 decimals',
  net_premium:
    'Sum over the legs as the taker has it: a buy leg -price x size, a sell leg +price x size',
  valid_for_ms: `Life of the quote: from 1 on; longer than ${quoteMillisMax} is cut to it`,
  // Accounts
  agent: 'Who may sign for the wallet that signs this',
  margin_mode:
    '`standard`, which is the model of the environment, or `portfolio`, in testnet and development alone',
  mode: 'What is cancelled where the wallet would trade with itself: the new order, the resting one, or both',
  tier: 'Which limits the wallet has',
  currency: 'An underlying',
  interval_ms: 'How far back its sums reach',
  frozen_time_ms:
    'How long new orders with mmp_enabled are refused after it has struck; 0: until it is reset',
  qty_limit:
    'Contracts traded that strike; one of the three limits at least is given, an absent one is none',
  delta_limit: 'Sum of signed delta, by its absolute value, that strikes',
  vega_limit: 'Sum of signed vega, by its absolute value, that strikes',
  requested_username: 'Letters, digits and underscores, a letter first; kept in lower case',
  ids: `1 to ${payoutIdsMax} ids of payouts; signed in their order, joined by commas`,
  seen: 'Whether they have been; absent: true',
  code:
    `A referral code: ${referralCodeBytesMin} to ${referralCodeBytesMax} of A-Z, 0-9, _ and -. Spaces around it are cut, ` +
    'letters made capital, after the signature was looked at',
  referrer: 'Who owns the code; neither the wallet nor referred by it',
  destination: 'Where the money goes',
  amount: `USD: above 0, at most ${decimalsOf(microsPerUsd)} decimals`,
  action: 'Signed as the last part of the path; where it is given it is that',
  subscription: 'What the browser has given, as it is',
  endpoint: `Address of the push service: https, at most ${pushEndpointBytesMax} bytes, a host of push.allowedHosts`,
  expirationTime: 'Not looked at',
  keys: 'What messages to this browser are encrypted by',
  p256dh: `Point of P-256, uncompressed: ${pushPointBytes} bytes in base64url`,
  auth: `Secret: ${pushSecretBytes} bytes in base64url`,
  fills: 'Whether fills are told; absent: as before',
  liquidations: 'Whether liquidations are told; absent: as before',
  settlements: 'Whether settlements are told; absent: as before',
  // A bid in a liquidation
  liquidated_wallet: 'The wallet in auction',
  request_id: 'As GET /liquidation/status has it',
  auction_id: 'As GET /liquidation/status has it',
  bid_usdc: 'What is offered, at least current_required_bid_usdc',
  positions: 'All that is in auction, as current_positions has it',
  quantity: 'Contracts, below 0 of a short position',
  entry_price: 'As current_positions has it',
  portfolio_hash: 'As current_portfolio_hash has it',
  auction_terms_hash: 'As current_auction_terms_hash has it',
  auction_version: 'As current_auction_version has it',
  valuation_timestamp_ms: 'As current_valuation_timestamp_ms has it',
  bid_intent_hash: `The bidder's own, 1 to ${intentBytesMax} of printable ASCII; signed and kept, not interpreted`,
  // Parameters of reads
  kind: '`option`, or `future` for perps',
  expired: 'Whether expired ones are told, too',
  include_instruments: 'Whether the options of each expiry are told',
  depth: 'Levels of each side',
  instrument_id: 'Number or symbol of the instrument',
  instrument_name: 'Symbol of the option',
  instrument_names: 'Symbols with commas between them, at most 50',
  option_id: 'Number or symbol of the instrument',
  underlying: 'Name of an underlying',
  expiry: 'Expiry as `YYYY-MM-DD` or in Unix seconds',
  include_rfq_provider_quotes: 'Whether the quotes of each provider are told',
  rfq_provider_quotes_limit: 'Quotes of an instrument',
  interval: 'Time between points',
  limit: 'Rows at most',
  offset: 'Rows left out before them',
  cursor: 'As `next_cursor` of the page before has it',
  after_trade_id: 'Trades behind this one, rising; it goes with no offset and no other filter',
  from_ts_ms: 'From this Unix millisecond on',
  to_ts_ms: 'Up to the one before this Unix millisecond',
  competition_id: spanOf,
  include_attribution: 'Whether each point says what it is made of, by symbol',
  include_open_orders: 'Taken, and without a meaning: working orders are no part of the grid',
  ledger_applied: 'Whether payouts are told that were paid, or those that were not',
  state: 'State of the competition',
  sort_by: 'Metric of the rank; absent: the primary one of the competition',
  sort_order: 'The best first, or last',
  status: 'Which of them are told',
  liquidation_mode: 'Liquidations of this mode',
  transaction_type: 'Which of them, with commas between',
  asset: 'Assets, with commas between',
  digest: 'The EIP-712 digest that was signed',
  nonce: 'Nonce of the action',
  execution_mode: 'Each is judged as if it rested: no other mode is simulated',
  // Directives and perps
  isBuy: 'Whether it buys',
  limitPx: 'Price times 100,000,000',
  sz: 'Size times 100,000,000',
  reduceOnly: 'Whether it may only make a position smaller',
  encodedTif: '1: rests or is rejected (alo); 2: gtc; 3: ioc',
  cloid: 'Own id of the order: 16 bytes in hexadecimal, or as a number above 0',
  oid: 'Id of the order',
  user: 'The account itself',
  abstraction: 'Exactly 2; recorded, without a further effect',
  name: 'Name of the key: 32 bytes in hexadecimal',
  addr: 'The key; zero takes the name off the list',
  vaultAddress: 'The wallet once more, where an agent signs; part of the digest',
  expiresAfter: 'Unix milliseconds after which it is refused; part of the digest',
  v: '27 or 28; 0 and 1 do, too',
  // Streams
  channel: 'What is told: `x-channels` says whose it is and what it holds',
  symbols:
    'Which instruments or underlyings (`x-channels` says which); absent or null: all; an empty list: none',
  option_type: '`call` or `put`, in any case of letters, also `C` or `P`',
  quotes: 'A row for each instrument; one that is malformed or not quotable is named in `error`',
  bid_price: 'What the provider pays; 0, empty or absent: no bid',
  ask_price: 'What the provider asks; 0, empty or absent: no ask',
  max_bid_size: 'Contracts that it buys at most',
  max_ask_size: 'Contracts that it sells at most',
  // Operator
  identity: 'Whose doings',
  path: 'Doings at this path',
  verdict: 'What is decided',
  username: 'The name that is judged: another one may have been asked for since',
  approval_id: 'As the answer 202 and GET /operator/approvals have it',
  deposit_id: `At most ${depositIdBytesMax} bytes; the same id again changes nothing`,
  trading_mode: 'Where it trades: on the book, by requests for quote, both, or nowhere',
  prices: `1 to ${indexEntriesMax} observations`,
  points: `Up to ${surfacePointsMax} of a smile, linear in between`,
  strike: 'Strike in USD',
  iv: 'Volatility as a fraction: 0.55',
  svi: 'Parameters of total variance a + b (rho (k - m) + sqrt((k - m)^2 + s^2)), instead of points',
  a: 'Level',
  b: 'Slope of both wings',
  rho: 'Skew, between -1 and 1',
  m: 'Where its lowest point is',
  max_index: 'The highest index that is believed from now on',
  accept: 'Which clock holds: that of the wall or that of the engine',
  builder: 'Who earns by the orders that name it',
  id: 'Which competition is changed; absent: a new one',
  description: 'Words for those who take part',
  rules_url: 'Where its rules are',
  rules_content: 'Its rules',
  win_conditions: 'Metrics of its ranks, the primary one first',
  start_ts_ms: 'First Unix millisecond',
  end_ts_ms: 'Unix millisecond at which it is over',
  directive_id: 'The withdrawal',
}

/** By operation or frame and name, where the name means something else there. */
const ownWords: Readonly<Record<string, string>> = {
  'GET /docs/ id': 'Name of the part',
  'GET /docs/ part': 'Name of the part',
  'GET /app/ part': 'Name of the part',
  'GET /app/ id': 'Name of the part',
  'GET /trades/ id': 'Id of the trade',
  'GET /rfq/ id': 'Id of the request',
  'GET /referrals/code/ id': 'The code',
  'GET /v1/directives/ id': 'Id of the directive',
  'GET /competitions/ competition_id': 'Id of the competition',
  ...Object.fromEntries(
    [
      'leaderboard',
      'competition/leaderboard',
      'competition-metric-ranks',
      'competition/account',
    ].map((path) => [
      `GET /${path} competition_id`,
      'Which one; absent: of those that run the one that began last, else the one that ended last',
    ]),
  ),
  'GET /orders/status order_id': 'Id of the order, or its client id: the latest such order',
  'GET /orders/why nonce': 'Nonce of the order or cancel',
  'POST /risk/simulate/orders orders': `1 to ${simulatedOrdersMax}, each judged behind those before it`,
  'DELETE /order order_id': 'Id of the order; either this or client_id is given',
  'DELETE /order client_id': 'Own id of the order; either this or order_id is given',
  ...Object.fromEntries(
    ['withdraw/usdc account', 'withdraw/usdc wallet'].map((name) => [
      `POST /${name}`,
      'The wallet; account and wallet are the same, and only the wallet itself signs',
    ]),
  ),
  'POST /perp-order signature':
    'Over the EIP-712 digest of x-signature: one text, or its three parts',
  'POST /perp-order action': 'What is hashed: its keys in the order of this schema',
  'POST /perp-order orders': 'Exactly one',
  'POST /perp-order cancels': 'Exactly one',
  'POST /perp-order grouping': 'Exactly `na`',
  'POST /perp-order a': 'Number of the perp: `perps` of GET /exchange-info',
  'POST /perp-order b': 'Whether it buys',
  'POST /perp-order p': 'Price in canonical form: at most 8 decimals, no zeros at the ends',
  'POST /perp-order s': 'Size in canonical form; of a signature, its second half',
  'POST /perp-order r': 'Whether it may only reduce; of a signature, its first half',
  'POST /perp-order t': 'How it works',
  'POST /perp-order limit': 'Trigger orders are not served',
  'POST /perp-order tif': '`Gtc`; `Ioc`; `Alo`: it rests or is rejected',
  'POST /perp-order c': 'Own id of the order: 16 bytes in hexadecimal',
  'POST /perp-order o': 'Id of the order',
  'POST /perp-order asset': 'Number of the perp: `perps` of GET /exchange-info',
  ...Object.fromEntries(
    ['limit_order', 'cancel_by_oid', 'cancel_by_cloid'].map((name) => [
      `POST /v1/actions/hl_${name} asset`,
      'Number of the perp: `perps` of GET /exchange-info',
    ]),
  ),
  ...Object.fromEntries(
    [
      ...['hl_limit_order', 'hl_cancel_by_oid', 'hl_cancel_by_cloid', 'hl_set_abstraction'],
      'hc_update_api_wallet',
    ].map((key) => [
      `POST /v1/actions/${key} action`,
      'What the directive says; all of it is signed',
    ]),
  ),
  'ClockSync nonce': 'Comes back in ClockSynced',
  'connect_quote_provider timestamp': 'Unix milliseconds, close to the time of the venue',
  'scoped_indicative_quote_update scope':
    'Own name of a set of rows: this frame ends those that came under it before and are not in it',
  'rfq_response action': '`quote`, or `decline`, which nobody signs',
  'rfq_response side': 'Of the taker, as the request has it',
  'rfq_response legs': 'Those of the request in its order, each with a price',
  'rfq_response rfq_id': 'As the request has it',
  'POST /operator/instruments symbol': `${symbolForm}; or \`UNDERLYING-PERP\``,
  'DELETE /operator/instruments symbol': `${symbolForm}; or \`UNDERLYING-PERP\``,
  'POST /operator/instruments expiry':
    'Unix seconds, in place of the time of day that the underlying has',
  'POST /operator/index-prices price': 'The index in USD',
  'POST /operator/index-prices timestamp': 'Unix milliseconds of the observation; absent: now',
  'POST /operator/settlement-prices price': 'The index in USD at which it settles',
  'POST /operator/vol-surfaces s': 'How round its lowest point is',
  'POST /operator/halts mode':
    'What is taken: everything, cancels only, or cancels with timers at rest',
  'POST /operator/wallet-halts mode': '`open`: the wallet trades again',
  'POST /operator/halts scope': '`all`, in the place of an underlying',
  'POST /operator/quote-providers status': 'Whether it may quote',
  'POST /operator/builders status': 'Whether it is listed',
  'POST /operator/competitions name': 'Name of the competition',
}

/** What a field or parameter of an operation or a frame means; null: no words are known. */
export function fieldWords(key: string, name: string): string | null {
  return ownWords[`${key} ${name}`] ?? commonWords[name] ?? null
}

/** Every text of the tables above. */
export const allFieldWords: readonly string[] = [
  ...Object.values(commonWords),
  ...Object.values(ownWords),
]

/** A schema that says of itself what it means, before what it says of its form. */
export function meaning(schema: JsonSchema, words: string | null): JsonSchema {
  const { description, ...rest } = schema
  if (words === null) return schema
  const form = typeof description === 'string' && description !== words ? `. ${description}` : ''
  return { ...rest, description: `${words}${form}` }
}

/** What a field of some place means; null: no words are known. */
type WordsOf = (key: string, name: string) => string | null

/** @param key of the operation or frame. @returns its schema, with the meaning of every field at any depth. */
export function worded(key: string, schema: JsonSchema, wordsOf: WordsOf = fieldWords): JsonSchema {
  const within = Object.entries(schema).map(([word, part]): readonly [string, unknown] => {
    if (word === 'items') return [word, worded(key, part as JsonSchema, wordsOf)]
    if (word === 'properties') return [word, wordedFields(key, part as JsonSchema, wordsOf)]
    const isChoice = word === 'anyOf' || word === 'oneOf' || word === 'allOf'
    return [word, isChoice ? (part as JsonSchema[]).map((one) => worded(key, one, wordsOf)) : part]
  })
  return Object.fromEntries(within)
}

function wordedFields(key: string, fields: JsonSchema, wordsOf: WordsOf): JsonSchema {
  const said = Object.entries(fields).map(([name, schema]) => {
    const inner = worded(key, schema as JsonSchema, wordsOf)
    const isOwn = inner['const'] !== undefined && name === 'type'
    return [name, isOwn ? inner : meaning(inner, wordsOf(key, name))] as const
  })
  return Object.fromEntries(said)
}
