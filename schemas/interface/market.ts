import { theoSymbolsMax } from '../bounds.js'
import { instrumentStateNames, rightNames, sideNames, tierNames } from '../domain.js'
import { Result } from '../results.js'
import { bare, data, row, rows, rpc } from './answer.js'
import * as param from './parameter.js'
import { theoIntervals } from './parameter.js'
import { read } from './read.js'
import {
  address,
  count,
  decimal,
  described,
  exactly,
  flag,
  integer,
  iso,
  type JsonOf,
  list,
  mapOf,
  millis,
  named,
  nothing,
  nullable,
  number,
  type ObjectOf,
  object,
  oneOf,
  oneOfOrEmpty,
  pair,
  positive,
  seconds,
  text,
} from './shape.js'

const symbol = text('Canonical symbol, such as `BTC-20301227-100000-C` or `BTC-PERP`')
const instrumentId = count('Numeric id of the instrument; ids rise in order of listing')
const underlying = text('Name of the underlying')
const contractSize = exactly(
  1,
  'Contract multiplier: units of the underlying per contract; always 1',
)
const tokenAddress = nothing('Always null: contracts are not tokens')
const unused = nothing('Always null: not used by this venue')
const volume24h = 'Underlying value traded in the current hour and the 23 hours before it, in USD'

/** Larger price steps at higher prices. */
const priceSteps = list(
  object({
    above_price: number('Price in USD above which the step applies'),
    tick_size: number('Price step in USD'),
  }),
  'Larger price steps at higher prices; a price has at most 5 significant figures',
)

const feeWords = (side: string) =>
  `${side} fee per contract as a fraction of the index for an option, of the price for a perp; negative: a rebate`

export const instrument = named('Instrument', {
  instrument_name: symbol,
  instrument_id: instrumentId,
  kind: oneOf(['option', 'future'], '`option`, or `future` for a perp'),
  instrument_type: exactly('linear', 'Always `linear`: quoted and settled in USD'),
  option_type: oneOfOrEmpty(rightNames, '`call` or `put`; empty for a perp'),
  price_index: text('Name of the index that prices and settles the instrument, such as `btc_usd`'),
  settlement_period: oneOf(['day', 'perpetual'], '`day` for an option, `perpetual` for a perp'),
  settlement_currency: exactly('USDC', 'Currency of settlement'),
  base_currency: underlying,
  counter_currency: exactly('USD', 'Currency of the strike'),
  quote_currency: exactly('USD'),
  expiration_timestamp: millis('Expiry; 0 for a perp'),
  creation_timestamp: millis('Time of listing'),
  option_token_address: tokenAddress,
  rfq: flag('True if the instrument trades by request for quote'),
  orderbook: flag('True if the instrument trades on the order book'),
  is_active: flag('True until expiry, including during a trading halt'),
  strike: positive('Strike price in USD; 0 for a perp'),
  contract_size: contractSize,
  tick_size: positive('Smallest price step in USD; see `tick_size_steps` for higher prices'),
  tick_size_steps: priceSteps,
  min_trade_amount: positive('Smallest order size in contracts'),
  maker_commission: number(feeWords('Maker')),
  taker_commission: number(feeWords('Taker')),
  block_trade_commission: exactly(0, 'Always 0: the venue has no block trades'),
  block_trade_min_trade_amount: positive('Same as `min_trade_amount`'),
  block_trade_tick_size: positive('Same as `tick_size`'),
})
export type Instrument = JsonOf<typeof instrument>

export const instrumentSpec = named('InstrumentSpec', {
  instrument_id: symbol,
  instrument_numeric_id: instrumentId,
  exchange_symbol: text('Same as `instrument_id`'),
  sym: text('Underlying and quote currency, such as `BTC-USD`'),
  exchange: text('Name of the exchange: `STRIKEBOOK`'),
  delivery: exactly('CASH', 'Always `CASH`: instruments settle in cash'),
  settle_asset: exactly('USDC', 'Currency of settlement'),
  base_asset: underlying,
  quote_asset: exactly('USD', 'Currency of prices'),
  contract_size: contractSize,
  min_trade_size: positive('Smallest order size in contracts'),
  tick_size: positive(
    'Smallest price step in USD; see `min_price_increment_bands` for higher prices',
  ),
  price_decimals: count('Maximum number of decimals of a price'),
  size_decimals: count('Maximum number of decimals of a size'),
  min_price_increment_bands: priceSteps,
  state: oneOf(
    ['OPEN', 'SETTLEMENT', 'DELIVERED'],
    '`OPEN`: active; `SETTLEMENT`: expired, awaiting its settlement price; `DELIVERED`: settled',
  ),
  is_tradable: flag(
    'True if orders can rest on the book now: the instrument is active, has a book and is not halted',
  ),
  listed_time_ns: integer('Time of listing, in Unix nanoseconds'),
  event_ts_ns: integer('Time of the latest change of state, in Unix nanoseconds'),
  position_limit: nothing('Always null: no instrument has a position limit of its own'),
  option_token_address: tokenAddress,
  settlement_oracle: unused,
  condition_id: unused,
  underlying_resolution_source: unused,
  instrument_kind: oneOf(['OPTION', 'PERP'], 'Option or perp'),
  option_kind: nullable(oneOf(['C', 'P'], '`C` for a call, `P` for a put; null for a perp')),
  strike: decimal('Strike price in USD; 0 for a perp'),
  expiry_ns: integer('Expiry, in Unix nanoseconds; 0 for a perp'),
  settlement_hour_utc: nullable(integer('Hour of the day of expiry, in UTC; null for a perp')),
  settlement_time_utc: nullable(
    text('Time of the day of expiry as `HH:MM`, in UTC; null for a perp'),
  ),
  maker_fee_bps: number(
    'Maker fee per contract in basis points of the index for an option, of the price for a perp; negative: a rebate',
  ),
  taker_fee_bps: number(
    'Taker fee per contract in basis points of the index for an option, of the price for a perp; negative: a rebate',
  ),
  initial_margin_fraction: number(
    'Initial margin as a fraction of the underlying value; for an option, the minimum for an uncovered short ' +
      'position',
  ),
  maintenance_margin_fraction: number(
    'Maintenance margin as a fraction of the underlying value; for an option, the minimum for an uncovered short ' +
      'position',
  ),
})
export type InstrumentSpec = JsonOf<typeof instrumentSpec>

/** Option of a market. */
const marketOption = object({
  instrument_id: instrumentId,
  id: symbol,
  underlying,
  strike: decimal('Strike price in USD'),
  expiry: seconds('Expiry'),
  option_type: oneOf(rightNames, '`call` or `put`'),
  option_token_address: tokenAddress,
  mark_iv: nullable(
    text('Implied volatility of the mark as a fraction, such as 0.55; null: no mark'),
  ),
  volume_24h: decimal(volume24h),
  open_interest: decimal('Open interest in contracts'),
  prev_day_px: nullable(decimal('Theoretical price one day ago in USD; null: unknown')),
  updated_at: iso('Time of the latest change of state or marks in the underlying'),
  status: oneOf(instrumentStateNames, 'State of the instrument; see `x-states`'),
  trading_mode: text('`orderbook`, `rfq` or `orderbook|rfq`; empty: trading is disabled'),
})
export type MarketOption = JsonOf<typeof marketOption>

export const market = named('Market', {
  underlying,
  expiry: seconds('Expiry of the options'),
  index_price: decimal('Index price of the underlying in USD; 0: unknown or stale'),
  atm_vol: nullable(
    text('At-the-money implied volatility as a fraction, such as 0.55; null: unknown'),
  ),
  'instruments?': list(
    marketOption,
    'Options sorted by strike, calls first; absent: not requested',
  ),
  total_volume_24h: decimal(`${volume24h}, in all options of the market`),
  total_open_interest: decimal('Open interest in contracts, in all options of the market'),
  prev_day_px: nullable(decimal('Index price one day ago in USD; null: unknown')),
  prev_day_price: nullable(decimal('Same as `prev_day_px`')),
})
export type Market = JsonOf<typeof market>

/** Trades of one instrument in the current hour and the 23 hours before it. */
const dayFields = {
  high: nullable(number('Highest trade price of the period in USD; null: no trade')),
  low: nullable(number('Lowest trade price of the period in USD; null: no trade')),
  price_change: nullable(
    number(
      'Change from the first to the last trade price of the period, in percent; null: no trade',
    ),
  ),
  volume: positive('Volume of the period in contracts'),
  volume_usd: positive('Underlying value traded in the period, in USD'),
}

const greeks = object({
  delta: number('Change of the price per USD of the index'),
  gamma: number('Change of delta per USD of the index'),
  vega: number('Change of the price per percentage point of volatility, in USD'),
  theta: number('Change of the price per day, in USD'),
  rho: number('Change of the price per percentage point of the interest rate, in USD'),
})

const markPrice = positive('Mark price in USD, which margin and profit use; 0: unknown')
const bidIv = positive('Implied volatility of the best bid as a fraction; absent: none')
const askIv = positive('Implied volatility of the best ask as a fraction; absent: none')
const underlyingPrice = positive('Index price of the underlying in USD; 0: unknown or stale')
const underlyingIndex = text('Name of the index of the underlying, such as `BTC_USD`')
const openInterest = positive('Open interest in contracts')
const interestRate = number('Interest rate of the pricing model, as a fraction per year')
const estimatedDelivery = positive(
  'Settlement price of the expiry or, before settlement, its current estimate, in USD; 0: unknown',
)
const lastPrice = nullable(number('Price of the latest trade in USD; null: no trade'))

export const orderbook = named('Orderbook', {
  instrument_name: symbol,
  timestamp: millis('Time of the latest change of the book'),
  state: oneOf(['open', 'closed'], '`open` while orders can rest on the book, else `closed`'),
  change_id: count('Sequence of the latest event of the book'),
  bids: list(
    pair(number()),
    'Bid levels as pairs of price in USD and size in contracts, highest price first',
  ),
  asks: list(
    pair(number()),
    'Ask levels as pairs of price in USD and size in contracts, lowest price first',
  ),
  best_bid_price: positive('Highest bid price in USD; 0: no bid'),
  best_ask_price: positive('Lowest ask price in USD; 0: no ask'),
  best_bid_amount: positive('Contracts at the highest bid price; 0: no bid'),
  best_ask_amount: positive('Contracts at the lowest ask price; 0: no ask'),
  last_price: lastPrice,
  mark_price: markPrice,
  'theoretical_price?': positive('Model price in USD; absent: unknown'),
  'mark_iv?': positive(
    'Implied volatility of the mark as a fraction, such as 0.55; absent: unknown, or a perp',
  ),
  'bid_iv?': bidIv,
  'ask_iv?': askIv,
  index_price: underlyingPrice,
  underlying_price: positive('Same as `index_price`'),
  underlying_index: underlyingIndex,
  settlement_price: positive('Settlement price of the expiry in USD; 0: not settled yet'),
  min_price: positive('Lowest accepted price of a sell order in USD'),
  max_price: positive('Highest accepted price of a buy order in USD'),
  open_interest: openInterest,
  interest_rate: interestRate,
  'funding_rate?': number(
    'Funding rate of the latest period of a perp, as a fraction of the index; negative: shorts paid longs',
  ),
  'funding_timestamp?': millis('End of the latest funding period of a perp'),
  estimated_delivery_price: estimatedDelivery,
  option_token_address: tokenAddress,
  stats: object(dayFields, 'Statistics of the current hour and the 23 hours before it'),
  'greeks?': described(greeks, 'Sensitivities of the price of one contract; absent: no mark'),
})
export type Orderbook = JsonOf<typeof orderbook>

export const providerQuote = named('ProviderQuote', {
  wallet: address('Wallet of the provider'),
  'bid_price?': decimal('Bid price in USD as received; absent: no bid'),
  'ask_price?': decimal('Ask price in USD as received; absent: no ask'),
  'max_bid_size?': decimal('Largest size of the bid in contracts; absent: no bid'),
  'max_ask_size?': decimal('Largest size of the ask in contracts; absent: no ask'),
  updated_at: millis('Time of receipt'),
})
export type ProviderQuote = JsonOf<typeof providerQuote>

export const optionSummary = named('OptionSummary', {
  instrument_id: instrumentId,
  instrument_name: symbol,
  underlying_index: underlyingIndex,
  base_currency: underlying,
  quote_currency: exactly('USD'),
  option_token_address: tokenAddress,
  expiration_timestamp: millis('Expiry'),
  creation_timestamp: millis('Time of listing'),
  last: lastPrice,
  ...dayFields,
  open_interest: openInterest,
  underlying_price: underlyingPrice,
  estimated_delivery_price: estimatedDelivery,
  interest_rate: interestRate,
  mark_price: markPrice,
  theoretical_price: positive('Model price in USD; 0: unknown'),
  mark_iv: positive('Implied volatility of the mark as a fraction, such as 0.55; 0: unknown'),
  greeks: described(greeks, 'Sensitivities of the price of one contract; all 0 without a mark'),
  bid_price: positive('Highest bid price of the book in USD; 0: no bid'),
  ask_price: positive('Lowest ask price of the book in USD; 0: no ask'),
  mid_price: positive(
    'Mean of `bid_price` and `ask_price` in USD; 0: the bid or the ask is missing',
  ),
  'best_bid_size?': positive('Contracts at the highest bid price; absent: no bid'),
  'best_ask_size?': positive('Contracts at the lowest ask price; absent: no ask'),
  'bid_iv?': bidIv,
  'ask_iv?': askIv,
  'indicative_bid_price?': positive(
    'Highest indicative bid price of the quote providers in USD; absent: no bid',
  ),
  'indicative_ask_price?': positive(
    'Lowest indicative ask price of the quote providers in USD; absent: no ask',
  ),
  'indicative_bid_size?': positive('Contracts of all providers at the highest indicative bid'),
  'indicative_ask_size?': positive('Contracts of all providers at the lowest indicative ask'),
  'rfq_provider_quotes?': list(
    providerQuote,
    'Indicative quotes, one per provider, best first; absent: not requested',
  ),
})
export type OptionSummary = JsonOf<typeof optionSummary>

export const trade = named('Trade', {
  trade_id: count('Id of the trade, common to both sides; ids rise with time'),
  symbol,
  price: decimal('Price in USD per contract'),
  size: decimal('Contracts'),
  taker_side: oneOf(sideNames, 'Side of the taker; the maker traded the opposite side'),
  maker_address: nullable(
    address(
      'Wallet of the maker; null where private reads are signed, unless it is the wallet of `account`',
    ),
  ),
  taker_address: nullable(
    address(
      'Wallet of the taker; null where private reads are signed, unless it is the wallet of `account`',
    ),
  ),
  maker_fee: decimal('Fee of the maker in USD; negative: a rebate'),
  taker_fee: decimal('Fee of the taker in USD; negative: a rebate'),
  timestamp: millis('Time of the trade'),
  created_at: iso('Time of the trade'),
})
export type Trade = JsonOf<typeof trade>

export const theoreticalPrices = named('TheoreticalPrices', {
  instrument_name: symbol,
  interval: oneOf(theoIntervals, 'Time between two points'),
  points: list(
    object({
      timestamp: millis('Start of the interval'),
      theoretical_price: number('Last theoretical price in the interval, in USD'),
    }),
    'Points, oldest first; empty: the symbol is unknown',
  ),
})

const perpRates = {
  maker_rate: decimal('Maker fee as a fraction of the price; negative: a rebate'),
  taker_rate: decimal('Taker fee as a fraction of the price; negative: a rebate'),
}
/** Fees that every wallet pays. */
const walletFees = {
  options: object(
    {
      maker_rate: decimal('Maker fee per contract as a fraction of the index; negative: a rebate'),
      taker_rate: decimal('Taker fee per contract as a fraction of the index; negative: a rebate'),
      price_cap: decimal('Upper limit of a fee as a fraction of the option price'),
    },
    'Fees of option trades',
  ),
  perps: object(perpRates, 'Fees of perp trades'),
  settlement: object(
    {
      rate: decimal(
        'Fee per in-the-money contract as a fraction of the settlement price of the underlying',
      ),
      payoff_cap: decimal('Upper limit of the fee as a fraction of the payoff'),
    },
    'Fee of a settlement',
  ),
  liquidation: object(
    { rate: decimal('Fee per contract as a fraction of the index') },
    'Fee of liquidation orders; the insurance fund receives it',
  ),
}
const feeSchedule = {
  enabled: flag('True if any fee differs from 0'),
  ...walletFees,
  builder: object(
    { share: decimal('Fraction of a trading fee that the builder of the order earns') },
    'Fee share of builders',
  ),
  'applied?': object(
    {
      wallet: address('The requested wallet'),
      tier: oneOf(tierNames, 'Tier of the wallet'),
      ...walletFees,
    },
    'Fees of the requested wallet; absent: the query has no `wallet`',
  ),
}

export type FeeSchedule = ObjectOf<typeof feeSchedule>

const currencyFilter = param.text('Underlying to filter by; absent: all')

export const marketReads = {
  'GET /instruments': read({
    group: 'Market',
    summary: 'Returns the active instruments',
    description:
      'Sorted by underlying, then by time of listing. With `expired=true` the answer has the expired instruments ' +
      'instead of ' +
      'the active ones; perps never expire. The list changes only with listings, halts and expiries, so poll it ' +
      'rarely.',
    query: {
      kind: param.kind,
      currency: currencyFilter,
      expired: param.flag(false, 'True for expired instruments instead of active ones'),
    },
    answer: rpc(list(instrument, 'Instruments that match the filters')),
  }),
  'GET /instrument-specs': read({
    group: 'Market',
    summary: 'Returns contract terms, price steps, fees and margin fractions of instruments',
    description: 'Includes perps and expired instruments, but no delisted ones.',
    query: { currency: currencyFilter },
    answer: rpc(list(instrumentSpec, 'Instruments that match the filter')),
  }),
  'GET /markets': read({
    group: 'Market',
    summary: 'Returns one market for each underlying and expiry, with its options',
    description:
      'Omits settled expiries and perps. The venue stores volumes and prices of the previous day by the hour, so ' +
      'they ' +
      'are approximate at the edges of the period.',
    query: {
      include_instruments: param.flag(true, 'False to omit the options of each market'),
    },
    answer: row(list(market, 'Markets, sorted by underlying, then by expiry')),
  }),
  'GET /orderbook': read({
    group: 'Market',
    summary: 'Returns the order book of an instrument, with its mark, greeks and price limits',
    description:
      'Without price bands, `min_price` and `max_price` are the general limits of order prices. To follow a book, ' +
      'subscribe to the channel `orderbook` of the stream instead of polling.',
    query: {
      instrument_id: param.requiredText(
        'Numeric id or symbol of the instrument',
        'instrument_name',
        'symbol',
      ),
      depth: param.integer([1, 1000], 15, 'Maximum number of levels per side'),
    },
    answer: rpc(nullable(orderbook, 'The order book; null: the instrument does not exist'), {
      'error?': object(
        {
          code: exactly(13020, 'Always 13020: the instrument does not exist'),
          message: exactly('not_found', 'Always `not_found`'),
        },
        'Reason for a null result; absent: the result is not null',
      ),
    }),
  }),
  'GET /options-summary': read({
    group: 'Market',
    summary: 'Returns best prices, mark, greeks and statistics of every active option',
    description:
      'Sorted by underlying, then by time of listing. `kind=future` matches no option and returns an empty list. ' +
      'Statistics cover the current hour and the 23 hours before it. To follow the chain, subscribe to the channel ' +
      '`options_chain` of the stream.',
    query: {
      kind: param.kind,
      currency: currencyFilter,
      expiry: param.expiry,
      include_rfq_provider_quotes: param.flag(
        false,
        'True to include the indicative quotes of each provider',
        'rfq_provider_quotes',
      ),
      rfq_provider_quotes_limit: param.integer(
        [1, 100],
        10,
        'Maximum number of provider quotes per option',
        'provider_quotes_limit',
        'limit',
      ),
    },
    answer: rpc(list(optionSummary, 'Active options that match the filters')),
  }),
  'GET /fees': read({
    group: 'Market',
    summary: 'Returns the fee schedule, and the fees of a wallet',
    description: 'Every wallet pays the same fees; no tier changes them.',
    reader: 'named',
    query: { wallet: param.address('Wallet whose fees to include; absent: none') },
    answer: bare(feeSchedule),
  }),
  'GET /trades': read({
    group: 'Market',
    summary: 'Returns public trades',
    description:
      'Newest first; filters combine. With `after_trade_id` the answer has the trades after that id, oldest first. ' +
      'Pass the ' +
      'largest id of a page to get the next page without gaps or duplicates.',
    answeredBy: 'history',
    reader: 'named',
    walletParameter: 'account',
    query: {
      after_trade_id: param.integer(
        [0, Number.MAX_SAFE_INTEGER],
        null,
        'Id after which to return trades, oldest first; excludes `offset` and all filters',
      ),
      ...param.page(500, 100),
      option_id: param.text('Numeric id or symbol of an instrument', 'symbol'),
      underlying: param.underlying,
      account: param.text('Wallet whose trades to return'),
    },
    answer: rows(trade, 'Trades that match the filters'),
  }),
  'GET /trades/': read({
    group: 'Market',
    summary: 'Returns a trade by its id',
    answeredBy: 'history',
    pathId: 'Id of the trade',
    errors: [Result.NotFound],
    answer: row(described(trade, 'The trade')),
  }),
  'GET /historical-theos': read({
    group: 'Market',
    summary: 'Returns past theoretical prices of an option',
    description:
      'Returns the latest points, oldest first. The last point may change until its interval ends. Intervals ' +
      'without a ' +
      'price have no point. Perps have no points: their theoretical price is the index.',
    answeredBy: 'history',
    query: { instrument_name: param.requiredText('Symbol of the option'), ...param.pointRange },
    answer: data(described(theoreticalPrices, 'Theoretical prices of the option')),
  }),
  'GET /historical-theos/batch': read({
    group: 'Market',
    summary: 'Returns past theoretical prices of several options',
    description: 'Like GET /historical-theos, with one series per symbol.',
    answeredBy: 'history',
    query: {
      instrument_names: param.requiredText(`Up to ${theoSymbolsMax} symbols, separated by commas`),
      ...param.pointRange,
    },
    answer: data(mapOf(theoreticalPrices, 'Theoretical prices by canonical symbol')),
  }),
}
