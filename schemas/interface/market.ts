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
  object,
  oneOf,
  oneOfOrEmpty,
  pair,
  positive,
  seconds,
  text,
} from './shape.js'

export const instrument = named('Instrument', {
  instrument_name: text('The instrument, by its canonical name'),
  instrument_id: count('Number of the instrument, in the order of listing'),
  kind: oneOf(['option', 'future'], '`option`, or `future` for perps'),
  instrument_type: exactly('linear', 'Always linear, in USD'),
  option_type: oneOfOrEmpty(rightNames, '`call` or `put`; empty for a perp'),
  price_index: text('Name of the index that it settles by'),
  settlement_period: oneOf(['day', 'perpetual'], '`day` of options, `perpetual` of perps'),
  settlement_currency: exactly('USDC'),
  base_currency: text('Name of the underlying'),
  counter_currency: exactly('USD'),
  quote_currency: exactly('USD'),
  expiration_timestamp: millis('Expiry; 0 of a perp'),
  creation_timestamp: millis('Time of the listing'),
  option_token_address: nothing('Always null: contracts are not tokens'),
  rfq: flag('True if it trades by requests for quote'),
  orderbook: flag('True if it trades on the book'),
  is_active: flag('True if it trades now'),
  strike: positive('Strike in USD; 0 of a perp'),
  contract_size: exactly(1),
  tick_size: positive('Step of prices in USD, here'),
  tick_size_steps: list(
    object({
      above_price: number('Price in USD above which the step holds'),
      tick_size: number('Step of prices in USD, here'),
    }),
    'Prices at which the step grows: 5 significant figures at all prices',
  ),
  min_trade_amount: positive('Least contracts of an order'),
  maker_commission: number('Fee of the maker as a share of the index; below 0 it is paid out'),
  taker_commission: number('Fee of the taker as a share of the index'),
  block_trade_commission: exactly(0),
  block_trade_min_trade_amount: positive('Least contracts: those of any other trade'),
  block_trade_tick_size: positive('Step of prices: that of any other trade'),
})
export type Instrument = JsonOf<typeof instrument>

export const instrumentSpec = named('InstrumentSpec', {
  instrument_id: text('The instrument, by its canonical name'),
  instrument_numeric_id: count('Number of the instrument, in the order of listing'),
  exchange_symbol: text('The instrument, by its canonical name'),
  sym: text('Underlying and its currency'),
  exchange: text('Name of the venue in capitals'),
  delivery: exactly('CASH'),
  settle_asset: exactly('USDC'),
  base_asset: text('Name of the underlying'),
  quote_asset: exactly('USD'),
  contract_size: exactly(1),
  min_trade_size: positive('Least contracts of an order'),
  tick_size: positive('Step of prices in USD, here'),
  price_decimals: count('Decimals of prices at most'),
  size_decimals: count('Decimals of sizes at most'),
  min_price_increment_bands: list(
    object({
      above_price: number('Price in USD above which the step holds'),
      tick_size: number('Step of prices in USD, here'),
    }),
    'Prices at which the step grows: 5 significant figures at all prices',
  ),
  state: oneOf(
    ['OPEN', 'SETTLEMENT', 'DELIVERED'],
    'Active, waiting for its settlement price, or settled',
  ),
  is_tradable: flag('True if it trades now'),
  listed_time_ns: integer('Time of the listing in Unix nanoseconds'),
  event_ts_ns: integer('Time of the last change in Unix nanoseconds'),
  position_limit: nothing('Always null: none is set'),
  option_token_address: nothing('Always null: contracts are not tokens'),
  settlement_oracle: nothing('Always null: the operator provides the price'),
  condition_id: nothing('Always null: it has none'),
  underlying_resolution_source: nothing('Always null: the operator provides the price'),
  instrument_kind: oneOf(['OPTION', 'PERP'], 'Option or perp'),
  option_kind: nullable(oneOf(['C', 'P'], 'C for a call, P for a put; null of a perp')),
  strike: decimal('Strike in USD; 0 of a perp'),
  expiry_ns: integer('Expiry, Unix nanoseconds; 0 of a perp'),
  settlement_hour_utc: nullable(integer('Hour of the day of its expiry; null of a perp')),
  settlement_time_utc: nullable(text('Time of the day of its expiry; null of a perp')),
  maker_fee_bps: number(
    'Fee of the maker in hundredths of a percent of the index; below 0 it is paid out',
  ),
  taker_fee_bps: number('Fee of the taker in hundredths of a percent of the index'),
  initial_margin_fraction: number(
    'Initial margin as a share of the value of the underlying; of an option the least one of an uncovered short',
  ),
  maintenance_margin_fraction: number(
    'Maintenance margin as a share of the value of the underlying; of an option the least one of an uncovered short',
  ),
})
export type InstrumentSpec = JsonOf<typeof instrumentSpec>

export const market = named('Market', {
  underlying: text('Name of the underlying'),
  expiry: seconds('Expiry'),
  index_price: decimal('The index in USD; 0: not known'),
  atm_vol: nullable(text('Volatility at the money as a fraction: 0.55; null: not known')),
  'instruments?': list(
    object({
      instrument_id: count('Number of the instrument, in the order of listing'),
      id: text('The instrument, by its canonical name'),
      underlying: text('Name of the underlying'),
      strike: decimal('Strike in USD; 0 of a perp'),
      expiry: seconds('Expiry'),
      option_type: oneOf(rightNames, '`call` or `put`; empty of a perp'),
      option_token_address: nothing('Always null: contracts are not tokens'),
      mark_iv: nullable(text('Volatility of the mark as a fraction: 0.55; null: not known')),
      volume_24h: decimal('Volume of 24 hours in USD of the underlying'),
      open_interest: decimal('Contracts held long, equal to those held short'),
      prev_day_px: nullable(
        decimal(
          'Price 24 hours ago: of an instrument the theoretical one, of a market the index; null: not known',
        ),
      ),
      updated_at: iso('Time of the last change'),
      status: oneOf(instrumentStateNames, 'State of the instrument; see `x-states`'),
      trading_mode: text('Trading mode: the book, requests for quote, both, or none'),
    }),
    'Instruments of the market',
  ),
  total_volume_24h: decimal('Volume of 24 hours of all its instruments, in USD of the underlying'),
  total_open_interest: decimal('Contracts held long in all its instruments'),
  prev_day_px: nullable(
    decimal(
      'Price 24 hours ago: of an instrument the theoretical one, of a market the index; null: not known',
    ),
  ),
  prev_day_price: nullable(decimal('The same as prev_day_px')),
})
export type Market = JsonOf<typeof market>

export const dayFields = {
  high: nullable(number('Highest price of 24 hours; null: there was no trade')),
  low: nullable(number('Lowest price of 24 hours; null: there was no trade')),
  price_change: nullable(number('Change of the price in 24 hours, in percent; null: not known')),
  volume: positive('Contracts traded'),
  volume_usd: positive('The same in USD of the underlying'),
}

export const orderbook = named('Orderbook', {
  instrument_name: text('The instrument, by its canonical name'),
  timestamp: millis('Time of the last change of the book'),
  state: oneOf(['open', 'closed'], '`open` while it trades, else `closed`'),
  change_id: count('Sequence of the latest event of the book'),
  bids: list(pair(number()), 'Pairs of price and contracts, the highest price first'),
  asks: list(pair(number()), 'Pairs of price and contracts, the lowest price first'),
  best_bid_price: positive('Highest bid in USD; 0: none'),
  best_ask_price: positive('Lowest ask in USD; 0: none'),
  best_bid_amount: positive('Contracts at the highest bid; 0: none'),
  best_ask_amount: positive('Contracts at the lowest ask; 0: none'),
  last_price: nullable(number('Price of the latest trade in USD; null: there was none')),
  mark_price: positive('Price for margin and profit in USD; 0: not known'),
  'theoretical_price?': positive('Model price from index and surface in USD; 0: not known'),
  'mark_iv?': positive('Volatility of the mark as a fraction: 0.55; null: not known'),
  'bid_iv?': positive('Volatility of the bid as a fraction'),
  'ask_iv?': positive('Volatility of the ask as a fraction'),
  index_price: positive('The index in USD; 0: not known'),
  underlying_price: positive('The index in USD; 0: not known'),
  underlying_index: text('Name of the index that it settles by'),
  settlement_price: positive('Settlement value of a contract in USD; 0 until it settles'),
  min_price: positive('Least price that an order may have, in USD'),
  max_price: positive('Highest price that an order may have, in USD'),
  open_interest: positive('Contracts held long, equal to those held short'),
  interest_rate: number('Interest rate of the pricing model'),
  'funding_rate?': number(
    'Of a perp: share of the index that longs paid shorts in the latest period; below 0 the other way',
  ),
  'funding_timestamp?': millis('Of a perp: end of that period'),
  estimated_delivery_price: positive('Settlement price if it settled now in USD; 0: not known'),
  option_token_address: nothing('Always null: contracts are not tokens'),
  stats: object(
    {
      ...dayFields,
    },
    'Trading statistics of the last 24 hours',
  ),
  'greeks?': object(
    {
      delta: number('Change of the price by 1 USD of the index'),
      gamma: number('Change of delta by 1 USD of the index'),
      vega: number('Change of the price by one point of volatility, in USD'),
      theta: number('Change of the price by a day, in USD'),
      rho: number('Change of the price by one point of interest, in USD'),
    },
    'Sensitivities of the price of a contract',
  ),
})
export type Orderbook = JsonOf<typeof orderbook>

export const providerQuote = named('ProviderQuote', {
  wallet: address('The provider'),
  'bid_price?': decimal('Bid of the provider as received; absent: no bid'),
  'ask_price?': decimal('Ask of the provider as received; absent: no ask'),
  'max_bid_size?': decimal('Largest size that the provider buys, in contracts'),
  'max_ask_size?': decimal('Largest size that the provider sells, in contracts'),
  updated_at: millis('Time of receipt'),
})
export type ProviderQuote = JsonOf<typeof providerQuote>

export const optionSummary = named('OptionSummary', {
  instrument_id: count('Number of the instrument, in the order of listing'),
  instrument_name: text('The instrument, by its canonical name'),
  underlying_index: text('Name of the index that it settles by'),
  base_currency: text('Name of the underlying'),
  quote_currency: exactly('USD'),
  option_token_address: nothing('Always null: contracts are not tokens'),
  expiration_timestamp: millis('Expiry; 0 of a perp'),
  creation_timestamp: millis('Time of the listing'),
  last: nullable(number('Price of the latest trade in USD; null: there was none')),
  ...dayFields,
  open_interest: positive('Contracts held long, equal to those held short'),
  underlying_price: positive('The index in USD; 0: not known'),
  estimated_delivery_price: positive('Settlement price if it settled now in USD; 0: not known'),
  interest_rate: number('Interest rate of the pricing model'),
  mark_price: positive('Price for margin and profit in USD; 0: not known'),
  theoretical_price: positive('Model price from index and surface in USD; 0: not known'),
  mark_iv: positive('Volatility of the mark as a fraction: 0.55; null: not known'),
  greeks: object(
    {
      delta: number('Change of the price by 1 USD of the index'),
      gamma: number('Change of delta by 1 USD of the index'),
      vega: number('Change of the price by one point of volatility, in USD'),
      theta: number('Change of the price by a day, in USD'),
      rho: number('Change of the price by one point of interest, in USD'),
    },
    'Sensitivities of the price of a contract',
  ),
  bid_price: positive('Highest bid in USD; 0: none'),
  ask_price: positive('Lowest ask in USD; 0: none'),
  mid_price: positive('Mean of bid and ask in USD; 0: one of them is missing'),
  'best_bid_size?': positive('Contracts at the highest bid'),
  'best_ask_size?': positive('Contracts at the lowest ask'),
  'bid_iv?': positive('Volatility of the bid as a fraction'),
  'ask_iv?': positive('Volatility of the ask as a fraction'),
  'indicative_bid_price?': positive('Highest indicative bid of a quote provider in USD'),
  'indicative_ask_price?': positive('Lowest indicative ask of a quote provider in USD'),
  'indicative_bid_size?': positive('Contracts at the highest indicative bid'),
  'indicative_ask_size?': positive('Contracts at the lowest indicative ask'),
  'rfq_provider_quotes?': list(providerQuote, 'Quotes of the providers, one each'),
})
export type OptionSummary = JsonOf<typeof optionSummary>

export const trade = named('Trade', {
  trade_id: count('Id of the trade, one for both sides, rising'),
  symbol: text('The instrument, by its canonical name'),
  price: decimal('USD for a contract'),
  size: decimal('Contracts'),
  taker_side: oneOf(sideNames, 'What the taker has done; the maker has done the opposite'),
  maker_address: nullable(
    address(
      'Who was there before; where private reads are signed null, but in what the wallet itself asks for by `account`',
    ),
  ),
  taker_address: nullable(
    address(
      'Who came to it; where private reads are signed null, but in what the wallet itself asks for by `account`',
    ),
  ),
  maker_fee: decimal('What the maker has paid in USD; below 0: was paid'),
  taker_fee: decimal('What the taker has paid in USD; below 0: was paid'),
  timestamp: millis('Time of the event'),
  created_at: iso('Start time'),
})
export type Trade = JsonOf<typeof trade>

export const theoreticalPrices = named('TheoreticalPrices', {
  instrument_name: text('The instrument, by its canonical name'),
  interval: oneOf(theoIntervals, 'Time between points'),
  points: list(
    object({
      timestamp: millis('Start of the interval'),
      theoretical_price: number('Last theoretical price of the interval, in USD'),
    }),
    'Rising in time',
  ),
})
export type TheoreticalPrices = JsonOf<typeof theoreticalPrices>

export const marketReads = {
  'GET /instruments': read({
    group: 'Market',
    summary: 'Instruments that are listed',
    query: {
      kind: param.kind,
      currency: param.text('An underlying'),
      expired: param.flag(false, 'True to include expired ones'),
    },
    answer: rpc(list(instrument, 'Result of the request')),
  }),
  'GET /instrument-specs': read({
    group: 'Market',
    summary: 'Terms, steps, fees and margins of each',
    query: { currency: param.text('An underlying') },
    answer: rpc(list(instrumentSpec, 'Result of the request')),
  }),
  'GET /markets': read({
    group: 'Market',
    summary: 'Underlyings and expiries, with their options',
    query: { include_instruments: param.flag(true, 'True to include the options of each expiry') },
    answer: row(list(market, 'Requested amount')),
  }),
  'GET /orderbook': read({
    group: 'Market',
    summary: 'Book, mark, greeks and price limits of one',
    query: {
      instrument_id: param.requiredText(
        'Number or symbol of the instrument',
        'instrument_name',
        'symbol',
      ),
      depth: param.integer([1, 1000], 15, 'Levels of each side'),
    },
    answer: rpc(nullable(orderbook, 'The book; null: there is no such instrument'), {
      'error?': object(
        {
          code: exactly(13020, 'Always 13020: there is no such instrument'),
          message: exactly('not_found', 'Always `not_found`'),
        },
        'Reason why there is no result',
      ),
    }),
  }),
  'GET /options-summary': read({
    group: 'Market',
    summary: 'Best prices, marks and greeks of the options',
    query: {
      kind: param.kind,
      currency: param.text('An underlying'),
      expiry: param.expiry,
      include_rfq_provider_quotes: param.flag(
        false,
        'True to include the quotes of each provider',
        'rfq_provider_quotes',
      ),
      rfq_provider_quotes_limit: param.integer(
        [1, 100],
        10,
        'Most quotes per instrument',
        'provider_quotes_limit',
        'limit',
      ),
    },
    answer: rpc(list(optionSummary, 'Result of the request')),
  }),
  'GET /fees': read({
    group: 'Market',
    summary: 'Fees, and those of a wallet',
    reader: 'named',
    query: { wallet: param.address('Wallet that acts, or that is read') },
    answer: bare({
      enabled: flag('True while it is on'),
      options: object(
        {
          maker_rate: decimal('Share of the value of the underlying; below 0 it is paid out'),
          taker_rate: decimal('Share of the value of the underlying'),
          price_cap: decimal('Cap of the fee of a trade as a share of the premium'),
        },
        'Of options',
      ),
      perps: object(
        {
          maker_rate: decimal('Share of the value of the underlying; below 0 it is paid out'),
          taker_rate: decimal('Share of the value of the underlying'),
        },
        'Of perps',
      ),
      settlement: object(
        {
          rate: decimal('Share of the value of the underlying'),
          payoff_cap: decimal('Cap of the fee as a share of the payoff'),
        },
        'Of settlements',
      ),
      liquidation: object(
        {
          rate: decimal('Share of the value of the underlying'),
        },
        'Of liquidations',
      ),
      builder: object(
        {
          share: decimal('Share of the fee of the venue that a builder earns'),
        },
        'Of builders',
      ),
      'applied?': object(
        {
          wallet: address('Wallet concerned'),
          tier: oneOf(tierNames, 'Tier of the wallet'),
          options: object(
            {
              maker_rate: decimal('Share of the value of the underlying; below 0 it is paid out'),
              taker_rate: decimal('Share of the value of the underlying'),
              price_cap: decimal('Cap of the fee of a trade as a share of the premium'),
            },
            'Of options',
          ),
          perps: object(
            {
              maker_rate: decimal('Share of the value of the underlying; below 0 it is paid out'),
              taker_rate: decimal('Share of the value of the underlying'),
            },
            'Of perps',
          ),
          settlement: object(
            {
              rate: decimal('Share of the value of the underlying'),
              payoff_cap: decimal('Cap of the fee as a share of the payoff'),
            },
            'Of settlements',
          ),
          liquidation: object(
            {
              rate: decimal('Share of the value of the underlying'),
            },
            'Of liquidations',
          ),
        },
        'Fees of the requested wallet',
      ),
    }),
  }),
  'GET /trades': read({
    group: 'Market',
    summary: 'Trades, the newest first, or after an id',
    answeredBy: 'history',
    reader: 'named',
    walletParameter: 'account',
    query: {
      after_trade_id: param.integer(
        [0, Number.MAX_SAFE_INTEGER],
        null,
        'Trades after this id, rising; not together with offset or another filter',
      ),
      ...param.page(500, 100),
      option_id: param.text('Number or symbol of the instrument', 'symbol'),
      underlying: param.underlying,
      account: param.text('Wallet that acts, or that is read'),
    },
    answer: rows(trade, 'Requested amount'),
  }),
  'GET /trades/': read({
    group: 'Market',
    summary: 'One trade',
    answeredBy: 'history',
    pathId: 'Id of the trade',
    errors: [Result.NotFound],
    answer: row(trade),
  }),
  'GET /historical-theos': read({
    group: 'Market',
    summary: 'Theoretical prices of the past',
    answeredBy: 'history',
    query: { instrument_name: param.requiredText('Symbol of the option'), ...param.pointRange },
    answer: data(theoreticalPrices),
  }),
  'GET /historical-theos/batch': read({
    group: 'Market',
    summary: 'The same of several instruments',
    answeredBy: 'history',
    query: {
      instrument_names: param.requiredText('Symbols separated by commas, at most 50'),
      ...param.pointRange,
    },
    answer: data(mapOf(theoreticalPrices)),
  }),
}
