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
import type { JsonSchema } from '../../schemas/interface/shape.js'
import { simulatedOrdersMax } from '../wire/simulated-body.js'

// Descriptions of the fields of requests, by name. Types and bounds are in the tables that read them.

const decimalsOf = Math.log10
const symbolForm = '`UNDERLYING-YYYYMMDD-STRIKE-C` or `-P`; its date also as `30JUN26`'
const uuidText = 'UUID, chosen by the client'
const spanOf = 'Pass either `competition_id` or a time range, not both'

/** Descriptions by name, unless the place has its own below. */
const commonWords: Readonly<Record<string, string>> = {
  // Orders
  wallet: 'Wallet that acts, or that is read',
  wallet_address: 'Wallet that acts',
  account: 'Wallet that acts, or that is read',
  symbol: `Option: ${symbolForm}. Signed exactly as sent`,
  side: 'Exactly `Buy` or `Sell`',
  size:
    `Contracts: above 0, at most ${sizeLotsMax / lotsPerContract}, at most ` +
    `${decimalsOf(lotsPerContract)} decimals`,
  price:
    `USD for a contract: above 0, at most ${priceMicrosMax / microsPerUsd}, at most ` +
    `${significantFiguresMax} significant figures and ${decimalsOf(microsPerUsd)} decimals`,
  tif:
    'Time in force. `gtc`: works until it is cancelled; `ioc`: the part that does not trade at once is cancelled; `fok`: ' +
    'trades whole at once or not at all',
  route:
    '`best_execution`: an auction among quote providers if one can better the price, then the book; `book_only`: the book ' +
    'at once; `rfq_only`: always rejected. Omitted: best_execution, signed without a route',
  client_id:
    `Id of an order, chosen by the client: at most ${clientIdBytesMax} bytes of printable ASCII, unique among the working ` +
    'orders of the wallet. Absent, null and empty are the same',
  reduce_only:
    'True if the order may only reduce a position; it then has a signed struct of its own',
  mmp_enabled:
    'True if the market-maker protection of the wallet counts and cancels the order; not signed',
  builder_code_address: 'Builder that earns the builder fee of the order; not signed',
  order_id: 'Id of the order, assigned by the venue; signed as decimal text',
  orders: `1 to ${bulkItemsMax}, each with its own wallet, nonce and signature; they run in this order in one step`,
  replacements: `1 to ${bulkItemsMax}; each is atomic by itself, the list is not`,
  cancels: `1 to ${bulkItemsMax}, each with its own wallet, nonce and signature`,
  signer: 'Ignored: the venue recovers the signer',
  scope: '`all`, an underlying, or a symbol',
  timeout_ms:
    'Milliseconds without a newly accepted signed action after which the orders of the wallet are cancelled. 0 ends the ' +
    'timer; otherwise at least 1000',
  enabled: 'True to cancel the orders when this connection closes, for any reason',
  // Requests for quote
  rfq_id: `${uuidText}; each works once`,
  quote_id: 'Id of the quote, assigned by the venue',
  legs: `1 to ${rfqLegsMax} distinct instruments of one underlying`,
  instrument: 'Symbol of the option; signed exactly as sent',
  auto_accept_limit:
    'Premium of the whole package at which the first quote executes automatically. Above 0: the most that a buy costs or ' +
    'the least that a sell brings (a buy has `Buy` as its first leg). Below 0: the net premium. At most 6 decimals',
  limit_price:
    'Premium of the whole package. Above 0: the most that a buy costs or the least that a sell brings (a buy has `Buy` as ' +
    'its first leg). Below 0: the net premium. At most 6 decimals',
  net_premium:
    'Sum over the legs from the side of the taker: a buy leg -price x size, a sell leg +price x size',
  valid_for_ms: `Lifetime of the quote: at least 1; values above ${quoteMillisMax} are reduced to it`,
  // Accounts
  agent: 'Address that may sign for the signing wallet',
  margin_mode:
    '`standard`, which is the model of the environment, or `portfolio`, in testnet and development alone',
  mode: 'Order to cancel when the wallet would trade with itself: the new one, the resting one, or both',
  tier: 'Tier of the wallet',
  currency: 'An underlying',
  interval_ms: 'Length of its window in milliseconds',
  frozen_time_ms:
    'Milliseconds for which new orders with mmp_enabled are rejected after it triggers; 0: until a reset',
  qty_limit:
    'Traded contracts that trigger it. At least one of the three limits is required; an absent one does not apply',
  delta_limit: 'Absolute value of the sum of signed delta that triggers it',
  vega_limit: 'Absolute value of the sum of signed vega that triggers it',
  requested_username: 'Letters, digits and underscores, a letter first; kept in lower case',
  ids: `1 to ${payoutIdsMax} ids of payouts; signed in their order, joined by commas`,
  seen: 'True to mark them as seen; absent: true',
  code:
    `Referral code: ${referralCodeBytesMin} to ${referralCodeBytesMax} of A-Z, 0-9, _ and -. After the signature check, the ` +
    'venue removes surrounding spaces and capitalizes letters',
  referrer: 'Owner of the code; neither the wallet nor referred by it',
  destination: 'Destination address',
  amount: `USD: above 0, at most ${decimalsOf(microsPerUsd)} decimals`,
  action: 'Last part of the path, which is signed; if given, it must equal that',
  subscription: 'Subscription of the browser, unchanged',
  endpoint: `Address of the push service: https, at most ${pushEndpointBytesMax} bytes, a host of push.allowedHosts`,
  expirationTime: 'Ignored',
  keys: 'Keys that encrypt messages to this browser',
  p256dh: `Point of P-256, uncompressed: ${pushPointBytes} bytes in base64url`,
  auth: `Secret: ${pushSecretBytes} bytes in base64url`,
  fills: 'True to send fills; absent: as before',
  liquidations: 'True to send liquidations; absent: as before',
  settlements: 'True to send settlements; absent: as before',
  // A bid in a liquidation
  liquidated_wallet: 'The wallet in auction',
  request_id: 'Value of GET /liquidation/status',
  auction_id: 'Value of GET /liquidation/status',
  bid_usdc: 'Bid in USD, at least current_required_bid_usdc',
  positions: 'All positions in auction, as in current_positions',
  quantity: 'Contracts, below 0 for a short position',
  entry_price: 'Value of current_positions',
  portfolio_hash: 'Value of current_portfolio_hash',
  auction_terms_hash: 'Value of current_auction_terms_hash',
  auction_version: 'Value of current_auction_version',
  valuation_timestamp_ms: 'Value of current_valuation_timestamp_ms',
  bid_intent_hash: `Chosen by the bidder: 1 to ${intentBytesMax} printable ASCII characters, signed and stored, not interpreted`,
  // Parameters of reads
  kind: '`option`, or `future` for perps',
  expired: 'True to include expired ones',
  include_instruments: 'True to include the options of each expiry',
  depth: 'Levels of each side',
  instrument_id: 'Number or symbol of the instrument',
  instrument_name: 'Symbol of the option',
  instrument_names: 'Symbols separated by commas, at most 50',
  option_id: 'Number or symbol of the instrument',
  underlying: 'Name of an underlying',
  expiry: 'Expiry as `YYYY-MM-DD`, as `YYYYMMDD`, or in Unix seconds',
  include_rfq_provider_quotes: 'True to include the quotes of each provider',
  rfq_provider_quotes_limit: 'Most quotes per instrument',
  limit: 'Most rows',
  cursor: '`next_cursor` of the previous page',
  after_trade_id: 'Trades after this id, rising; not together with offset or another filter',
  competition_id: spanOf,
  include_attribution: 'True to include the parts of each point, by symbol',
  include_open_orders: 'Accepted and ignored: the grid has no working orders',
  ledger_applied: 'True for paid payouts, false for unpaid ones',
  state: 'State of the competition',
  status: 'Status to filter by',
  transaction_type: 'Types separated by commas',
  asset: 'Assets separated by commas',
  nonce: 'Nonce of the action',
  execution_mode: 'Only `resting`: each order is judged as if it rested',
  // Directives and perps
  isBuy: 'True for a buy',
  limitPx: 'Price times 100,000,000',
  sz: 'Size times 100,000,000',
  reduceOnly: 'True if the order may only reduce a position',
  encodedTif: '1: rests or is rejected (alo); 2: gtc; 3: ioc',
  cloid: 'Client id: 16 bytes in hexadecimal, or a number above 0',
  oid: 'Id of the order',
  user: 'Account of the directive',
  abstraction: 'Exactly 2; recorded, with no further effect',
  name: 'Name of the key: 32 bytes in hexadecimal',
  addr: 'Address of the key; zero removes the name',
  vaultAddress: 'The wallet again if an agent signs; part of the digest',
  expiresAfter: 'Unix milliseconds after which the action fails; part of the digest',
  v: '27 or 28; 0 and 1 are accepted too',
  // Streams
  channel: 'Channel; `x-channels` describes each',
  symbols:
    'Instruments or underlyings, as `x-channels` says; absent or null: all; an empty list: none',
  option_type: '`call` or `put`, in any case of letters, also `C` or `P`',
  quotes: 'A row for each instrument; one that is malformed or not quotable is named in `error`',
  bid_price: 'Bid price of the provider; 0, empty or absent: no bid',
  ask_price: 'Ask price of the provider; 0, empty or absent: no ask',
  max_bid_size: 'Largest size of the bid, in contracts',
  max_ask_size: 'Largest size of the ask, in contracts',
  // Operator
  identity: 'Actions of this identity',
  path: 'Actions at this path',
  verdict: 'Decision',
  username: 'Name that the verdict is for, so that it cannot apply to a newer request',
  approval_id: 'approval_id of the 202 answer or of GET /operator/approvals',
  deposit_id: `At most ${depositIdBytesMax} bytes; the same id again changes nothing`,
  trading_mode: 'Trading mode: the book, requests for quote, both, or none',
  prices: `1 to ${indexEntriesMax} observations`,
  points: `Up to ${surfacePointsMax} of a smile, linear in between`,
  strike: 'Strike in USD',
  iv: 'Volatility as a fraction: 0.55',
  svi: 'Parameters of total variance a + b (rho (k - m) + sqrt((k - m)^2 + s^2)), instead of points',
  a: 'Level',
  b: 'Slope of both wings',
  rho: 'Skew, between -1 and 1',
  m: 'Position of the lowest point',
  max_index: 'Highest index that the venue accepts from now on',
  accept: 'Clock to continue with: `wall` or `engine`',
  builder: 'Builder that earns by orders that name it',
  id: 'Competition to change; absent: a new one',
  description: 'Description for participants',
  rules_url: 'Address of its rules',
  rules_content: 'Its rules',
  win_conditions: 'Metrics of its ranks, the primary one first',
  start_ts_ms: 'First Unix millisecond',
  end_ts_ms: 'Unix millisecond at which it ends',
  directive_id: 'The withdrawal',
}

/** Descriptions by operation or frame and name, where the name has another meaning. */
const ownWords: Readonly<Record<string, string>> = {
  'POST /risk/simulate/orders orders': `1 to ${simulatedOrdersMax}, each judged with those before it working`,
  'DELETE /order order_id': 'Id of the order; give either this or client_id',
  'DELETE /order client_id': 'Client id of the order; give either this or order_id',
  ...Object.fromEntries(
    ['withdraw/usdc account', 'withdraw/usdc wallet'].map((name) => [
      `POST /${name}`,
      'Wallet; account and wallet are equal, and only the wallet itself signs',
    ]),
  ),
  'POST /perp-order signature':
    'Over the EIP-712 digest of x-signature: one text, or its three parts',
  'POST /perp-order action': 'Hashed action: keys in the order of this schema',
  'POST /perp-order orders': 'Exactly one',
  'POST /perp-order cancels': 'Exactly one',
  'POST /perp-order grouping': 'Exactly `na`',
  'POST /perp-order a': 'Number of the perp: `perps` of GET /exchange-info',
  'POST /perp-order b': 'True for a buy',
  'POST /perp-order p': 'Price in canonical form: at most 8 decimals, no zeros at the ends',
  'POST /perp-order s': 'Size in canonical form; of a signature, its second half',
  'POST /perp-order r': 'True for reduce-only; in a signature, its first half',
  'POST /perp-order t': 'Time in force of the order',
  'POST /perp-order limit': 'Trigger orders are not served',
  'POST /perp-order tif': '`Gtc`; `Ioc`; `Alo`: it rests or is rejected',
  'POST /perp-order c': 'Client id: 16 bytes in hexadecimal',
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
      'Content of the directive; all of it is signed',
    ]),
  ),
  'ClockSync nonce': 'Returned in ClockSynced',
  'connect_quote_provider timestamp': 'Unix milliseconds, close to the time of the venue',
  'scoped_indicative_quote_update scope':
    'Name of a set of rows, chosen by the provider: rows of the set that are not in this frame end',
  'rfq_response action': '`quote`, or `decline` without a signature',
  'rfq_response side': 'Side of the taker, as in the request',
  'rfq_response legs': 'Legs of the request in its order, each with a price',
  'rfq_response rfq_id': 'Id of the request',
  'POST /operator/instruments symbol': `${symbolForm}; or \`UNDERLYING-PERP\``,
  'DELETE /operator/instruments symbol': `${symbolForm}; or \`UNDERLYING-PERP\``,
  'POST /operator/instruments expiry': 'Unix seconds, instead of the time of day of the underlying',
  'POST /operator/index-prices price': 'The index in USD',
  'POST /operator/index-prices timestamp': 'Unix milliseconds of the observation; absent: now',
  'POST /operator/settlement-prices price': 'Settlement price of the index in USD',
  'POST /operator/vol-surfaces s': 'Curvature of the lowest point',
  'POST /operator/halts mode':
    '`open`: everything; `cancel_only`: cancels; `halted`: cancels, and timers pause',
  'POST /operator/wallet-halts mode': '`open`: the wallet trades again',
  'POST /operator/halts scope': '`all`, instead of an underlying',
  'POST /operator/quote-providers status': '`active` if the wallet may quote',
  'POST /operator/builders status': '`active` if the builder is listed',
  'POST /operator/competitions name': 'Name of the competition',
}

/** Returns the description of a field or parameter of an operation or a frame; null: there is none. */
export function fieldWords(key: string, name: string): string | null {
  return ownWords[`${key} ${name}`] ?? commonWords[name] ?? null
}

/** Every text of the tables above. */
export const allFieldWords: readonly string[] = [
  ...Object.values(commonWords),
  ...Object.values(ownWords),
]

/** Returns a schema with its description first, followed by the description of its form. */
export function meaning(schema: JsonSchema, words: string | null): JsonSchema {
  const { description, ...rest } = schema
  if (words === null) return schema
  const form = typeof description === 'string' && description !== words ? `. ${description}` : ''
  return { ...rest, description: `${words}${form}` }
}

/** Returns the description of a field at a place; null: there is none. */
type WordsOf = (key: string, name: string) => string | null

/** Returns the schema of an operation or frame with a description of every field at any depth. */
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
