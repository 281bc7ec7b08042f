import { instrumentTypeNames, rightNames, sideNames } from '../domain.js'
import { providerQuote } from './market.js'
import { choiceOfForms, eventFields, publication, snapshotFields, stateFields } from './message.js'
import {
  anyOf,
  count,
  decimal,
  exactly,
  flag,
  list,
  lowerCase,
  millis,
  nothing,
  nullable,
  number,
  type ObjectOf,
  object,
  oneOf,
  pair,
  seconds,
  seq,
  text,
} from './shape.js'
import { symbol, underlying } from './terms.js'

// Messages of the public channels.

const tokenAddress = nothing('Always null: contracts are not tokens')
const expiry = seconds('Expiry of the options')
const strike = number('Strike price in USD')

const greeksPerContract = object(
  {
    delta: number('Change of the price per USD of the index'),
    gamma: number('Change of delta per USD of the index'),
    theta: number('Change of the price per day, in USD'),
    vega: number('Change of the price per percentage point of volatility, in USD'),
  },
  'Greeks of one contract; null: no mark',
)

const cashGreeks = object(
  {
    delta_1pct_usd: number('Change of the price when the index rises by 1 %, in USD'),
    gamma_1pct_usd: number('Change of `delta_1pct_usd` when the index rises by 1 %, in USD'),
    theta_1d_usd: number('Change of the price per day, in USD'),
    vega_1vol_usd: number('Change of the price per percentage point of volatility, in USD'),
  },
  'Greeks of one contract in USD; null: no mark or no index',
)

const quoteSource = (words: string) =>
  nullable(oneOf(['book', 'provider'], `${words}; only the book is firm; null: none`))
const bestWords = (words: string) => nullable(number(`${words}; null: none`))

/** An option in a row of the chain. Best prices are those of book and indicative quotes. */
const chainLegFields = {
  symbol,
  option_token_address: tokenAddress,
  bid_price_usd: bestWords('Highest bid of the book and of the quote providers, in USD'),
  bid_iv: bestWords('Implied volatility of that bid as a fraction'),
  bid_size_contracts: bestWords('Contracts at that bid'),
  bid_size_usd_notional: bestWords('Underlying value at that bid, in USD'),
  ask_price_usd: bestWords('Lowest ask of the book and of the quote providers, in USD'),
  ask_iv: bestWords('Implied volatility of that ask as a fraction'),
  ask_size_contracts: bestWords('Contracts at that ask'),
  ask_size_usd_notional: bestWords('Underlying value at that ask, in USD'),
  bid_source: quoteSource('Source of that bid'),
  ask_source: quoteSource('Source of that ask'),
  mark_price_usd: nullable(number('Mark price in USD; null: no mark')),
  mark_iv: nullable(number('Implied volatility of the mark as a fraction; null: no mark')),
  open_interest: number('Open interest in contracts'),
  greeks_abs: nullable(greeksPerContract),
  greeks_cash: nullable(cashGreeks),
}
export type ChainLeg = ObjectOf<typeof chainLegFields>

/** Messages of public channels, by type. */
export const marketMessages = {
  OrderbookUpdate: publication(
    'orderbook',
    {
      symbol,
      option_token_address: tokenAddress,
      bids: list(
        pair(decimal()),
        'Bid levels as pairs of price in USD and size in contracts, highest price first',
      ),
      asks: list(
        pair(decimal()),
        'Ask levels as pairs of price in USD and size in contracts, lowest price first',
      ),
      timestamp: millis('Engine time of the latest change of the book'),
      seq: seq('Sequence up to which the levels include every event of the book'),
      ...snapshotFields,
    },
    {
      summary: 'Publishes the whole order book of an instrument after a change',
      description:
        'Each message replaces all levels of its symbol. A snapshot has one message per matching book that has or ' +
        'had ' +
        'levels. After a gap, subscribe again.',
    },
  ),
  OptionsChainUpdate: choiceOfForms(
    'options_chain',
    [
      {
        action: exactly('Upsert', 'Always `Upsert`: the row is new or has changed'),
        currency: underlying,
        expiry,
        row: object(
          {
            strike,
            'call?': chainLeg('Call of the strike; absent: not listed, or filtered out'),
            'put?': chainLeg('Put of the strike; absent: not listed, or filtered out'),
          },
          'Options of one strike',
        ),
        timestamp: millis('Engine time of the row'),
        seq: seq('Sequence of the latest event of the channel'),
        ...snapshotFields,
      },
      {
        action: exactly('Remove', 'Always `Remove`: the option expired or was delisted'),
        currency: underlying,
        expiry,
        strike,
        option_type: oneOf(rightNames, '`call` or `put`'),
        symbol,
        timestamp: millis('Engine time of the removal'),
        seq: seq('Sequence of the latest event of the channel'),
      },
    ],
    {
      summary: 'Publishes a changed row of the options chain, or the removal of an option',
      description:
        'An `Upsert` replaces the row of its expiry and strike. A snapshot has one message per matching row. After a ' +
        'gap, ' +
        'subscribe again.',
    },
  ),
  Trade: publication(
    'trades',
    {
      symbol,
      price: decimal('Price in USD per contract'),
      size: decimal('Contracts'),
      side: oneOf(lowerCase(sideNames), 'Side of the taker, in lower case'),
      trade_id: count('Id of the trade, common to both sides; ids rise with time'),
      ...eventFields,
    },
    {
      summary: 'Publishes a trade',
      description:
        'Each leg of a request for quote is a trade of its own. After a gap, resume with `from_seq`, or read GET ' +
        '/trades.',
    },
  ),
  MarketUpdate: publication(
    'market_updates',
    {
      action: oneOf(
        ['Created', 'Expired', 'Deleted'],
        'Change: the instrument was listed, expired or delisted',
      ),
      symbol,
      'strike?': anyOf(
        [number(), decimal()],
        'Strike price in USD; 0 for a perp; absent if `action` is `Deleted`',
      ),
      'is_call?': flag(
        'True for a call, false for a put or a perp; absent if `action` is `Deleted`',
      ),
      'underlying?': text('Name of the underlying; absent if `action` is `Deleted`'),
      'expiry?': seconds('Expiry; 0 for a perp; absent if `action` is `Deleted`'),
      'instrument_type?': oneOf(instrumentTypeNames, '`perp` for a perp; absent: an option'),
      ...eventFields,
    },
    {
      summary: 'Publishes the listing, the expiry or the delisting of an instrument',
      description: 'After a gap, resume with `from_seq`, or read GET /instruments.',
    },
  ),
  IndexPriceUpdate: publication(
    'index_prices',
    {
      prices: list(
        object({
          underlying,
          price: decimal('Index price in USD'),
          timestamp: millis('Time of the observation'),
        }),
        'Latest price of each subscribed underlying, sorted by name',
      ),
      timestamp: millis('Time of the oldest observation in the message'),
      seq: stateFields.seq,
      ...snapshotFields,
    },
    {
      summary: 'Publishes index prices after a change and at intervals',
      description: 'Each message has all underlyings of the subscriptions on the connection.',
    },
  ),
  IndicativeMarketData: publication(
    'indicative_market_data',
    {
      instrument: symbol,
      'best_bid?': decimal('Highest indicative bid price in USD, as received; absent: no bid'),
      'best_ask?': decimal('Lowest indicative ask price in USD, as received; absent: no ask'),
      'bid_iv?': number('Implied volatility of the best bid as a fraction; absent: none'),
      'ask_iv?': number('Implied volatility of the best ask as a fraction; absent: none'),
      'indicative_bid_size?': decimal('Contracts of all providers at the best bid; absent: no bid'),
      'indicative_ask_size?': decimal('Contracts of all providers at the best ask; absent: no ask'),
      num_providers: count('Number of providers that quote the instrument; 0: no quote is left'),
      rfq_provider_quotes: list(providerQuote, 'Indicative quote of each provider'),
      published_at: millis('Time of publication'),
      timestamp: millis(
        'Time of receipt of the newest quote; the same as `published_at` if no quote is left',
      ),
      ...snapshotFields,
    },
    {
      summary: 'Publishes the indicative quotes of an instrument',
      description:
        'Best bid and ask may come from different providers and may cross. Indicative quotes are not engine events ' +
        'and ' +
        'have no `seq`. A snapshot has one message per matching instrument with a quote.',
    },
  ),
}

// A function declaration, because the table above is built while this file loads.

function chainLeg(description: string) {
  return object(chainLegFields, description)
}
