import {
  instrumentTypeNames,
  marginModeNames,
  orderStatusNames,
  rfqStatusNames,
  rightNames,
  sideNames,
} from '../domain.js'
import { liquidationStateNames } from '../record-values.js'
import { rateLimits, settledCosts, settledFields } from './account.js'
import { type Channel, channelNames } from './channels.js'
import { competitionStanding, medal } from './competitions.js'
import { errorCode, reasonCode, reasonDetails, retryFields, signatureDetails } from './errors.js'
import { providerQuote } from './market.js'
import { canceledAll, deadMan, fillSource, reasonFields, tifFields } from './orders.js'
import {
  fullLiquidation,
  liquidationSummary,
  marginSummary,
  partialLiquidation,
  position,
  spanMargin,
} from './risk.js'
import {
  address,
  anyOf,
  count,
  decimal,
  described,
  exactly,
  flag,
  integer,
  type JsonSchema,
  list,
  lowerCase,
  millis,
  nonce,
  nothing,
  nullable,
  number,
  object,
  oneOf,
  pair,
  positiveInteger,
  type ShapeFields,
  seconds,
  seq,
  text,
  uuid,
} from './shape.js'

/** A message of the venue to clients, by its type. */
export interface StreamMessage {
  /** Channels that carry it; none for a reply to a frame. */
  readonly channels: readonly Channel[]
  readonly summary: string
  /** Schemas of its forms, without `type`. */
  readonly forms: readonly ShapeFields[]
}

/** Messages of `/ws` by type. */
export const messages = {
  Error: reply('Error of a frame or of the connection', {
    message: text('Text for people, which may change'),
    code: anyOf([errorCode, reasonCode], 'Stable code of the error'),
    ...retryFields,
    'details?': anyOf([reasonDetails, signatureDetails], 'Values of the message, by name'),
    'request_type?': text('`type` of the frame at fault'),
    'channel?': text('Channel of the frame'),
    'rfq_id?': text('Value of the frame at fault'),
    'client_id?': text('Value of the frame at fault'),
    'nonce?': anyOf([number(), text()], 'Value of the frame at fault'),
    'from_seq?': seq('from_seq of the Subscribe that cannot be resumed'),
    'as_of_seq?': seq('Live updates start after this sequence'),
  }),
  ClockSynced: reply('Time of the venue', {
    nonce: text('Nonce of the frame'),
    server_at: millis('Time of the venue'),
  }),
  Authenticated: reply('Confirms the wallet of the private channels', {
    wallet: address('Wallet of the account'),
    'session_expires_ms?': millis('End of the read session'),
  }),
  Subscribed: reply('Acknowledges a subscription', {
    channel: oneOf(channelNames, 'Channel of the frame'),
    'unknown_symbols?': list(text(), 'First symbols of the filter that are not listed', {
      maxItems: 100,
    }),
    'unknown_symbol_count?': count('Number of such symbols'),
    'as_of_seq?': seq('Sequence at which it begins; present if the frame asked for it'),
  }),
  Resumed: reply('Ends a resume: all missed messages are sent', {
    channel: oneOf(channelNames, 'Channel of the frame'),
    from_seq: seq('from_seq of the Subscribe'),
    as_of_seq: seq('Last sequence sent again; later events follow live'),
  }),
  Unsubscribed: reply('Acknowledges the end of a subscription', {
    channel: oneOf(channelNames, 'Channel of the frame'),
  }),
  RateLimits: reply('Rate-limit windows of a wallet', {
    ...rateLimits,
    as_of_seq: seq('Sequence of the latest event that the message includes'),
  }),
  OrderResult: reply('Result of an order or a cancel', {
    order_id: nullable(count('Id of the order; null: none')),
    status: oneOf(orderStatusNames, 'Status, one of `x-states`'),
    symbol: text('Canonical symbol of the instrument'),
    side: oneOf(sideNames, 'Side: `Buy` or `Sell`'),
    price: text('Price in USD per contract'),
    size: text('Size in contracts'),
    'reason?': text('Reason as text for people, which may change; null: none'),
    nonce: nonce('Nonce of the signed request'),
    client_id: nullable(text('Client id of the order; null or empty: none')),
    filled_size: decimal('Contracts filled so far'),
    reason_code: nullable(reasonCode, 'Stable code of the reason; null: none'),
    details: nullable(reasonDetails, 'Values that the reason names'),
    mmp_triggered: flag('True if market-maker protection canceled the order'),
    seq: seq('Sequence of the event'),
  }),
  CancelAllResult: reply('Confirms a CancelAll', {
    ...canceledAll,
    nonce: nonce('Nonce of the signed request'),
    seq: seq('Sequence of the event'),
  }),
  DeadManResult: reply('Confirms a SetDeadMan', {
    ...deadMan,
    nonce: nonce('Nonce of the signed request'),
    seq: seq('Sequence of the event'),
  }),
  CancelOnDisconnectResult: reply('Acknowledges CancelOnDisconnect', {
    wallet: address('Wallet of the account'),
    enabled: flag('True while it is on'),
    bound: flag('True if the close of this connection cancels the orders'),
    nonce: nonce('Nonce of the signed request'),
    seq: seq('Sequence of the event'),
  }),
  OrderbookUpdate: publication(['orderbook'], 'All levels of a book', {
    symbol: text('Canonical symbol of the instrument'),
    option_token_address: nothing('Always null: contracts are not tokens'),
    bids: list(pair(decimal()), 'Pairs of price and contracts, the highest price first'),
    asks: list(pair(decimal()), 'Pairs of price and contracts, the lowest price first'),
    timestamp: millis('Time of the event'),
    seq: seq('Sequence of the event'),
    'snapshot?': exactly(
      true,
      'True if the message holds the full state; later messages hold changes',
    ),
    'as_of_seq?': seq('Sequence of the latest event that the message includes'),
  }),
  OptionsChainUpdate: publication(
    ['options_chain'],
    'Change of a row of the chain: both options of a strike, or the removal of one option',
    {
      action: exactly('Upsert', 'The row is new or has changed'),
      currency: text('Name of the underlying'),
      expiry: seconds('Expiry of the option'),
      row: object(
        {
          strike: number('Strike in USD; 0 for a perp'),
          'call?': object(
            {
              symbol: text('Canonical symbol of the instrument'),
              option_token_address: nothing('Always null: contracts are not tokens'),
              bid_price_usd: nullable(number('Highest bid of book and providers; null: none')),
              bid_iv: nullable(number('Implied volatility of the bid, as a fraction')),
              bid_size_contracts: nullable(number('Size at this price in contracts; null: none')),
              bid_size_usd_notional: nullable(
                number('The same size in USD of the underlying; null: none'),
              ),
              ask_price_usd: nullable(number('Lowest ask of book and providers; null: none')),
              ask_iv: nullable(number('Implied volatility of the ask, as a fraction')),
              ask_size_contracts: nullable(number('Size at this price in contracts; null: none')),
              ask_size_usd_notional: nullable(
                number('The same size in USD of the underlying; null: none'),
              ),
              greeks_abs: nullable(
                object(
                  {
                    delta: number('Change of the price by 1 USD of the index'),
                    gamma: number('Change of delta by 1 USD of the index'),
                    theta: number('Change of the price by a day, in USD'),
                    vega: number('Change of the price by one point of volatility, in USD'),
                  },
                  'Greeks of a contract; null: the contract has no mark',
                ),
              ),
              greeks_cash: nullable(
                object(
                  {
                    delta_1pct_usd: number(
                      'Change of the price when the index changes by one percent',
                    ),
                    gamma_1pct_usd: number(
                      'Change of delta_1pct_usd when the index changes by one percent',
                    ),
                    theta_1d_usd: number('Change of the price by a day'),
                    vega_1vol_usd: number('Change of the price by one point of volatility'),
                  },
                  'Greeks of a contract in USD; null: the contract has no mark',
                ),
              ),
            },
            'The call; absent: none is listed',
          ),
          'put?': object(
            {
              symbol: text('Canonical symbol of the instrument'),
              option_token_address: nothing('Always null: contracts are not tokens'),
              bid_price_usd: nullable(number('Highest bid of book and providers; null: none')),
              bid_iv: nullable(number('Implied volatility of the bid, as a fraction')),
              bid_size_contracts: nullable(number('Size at this price in contracts; null: none')),
              bid_size_usd_notional: nullable(
                number('The same size in USD of the underlying; null: none'),
              ),
              ask_price_usd: nullable(number('Lowest ask of book and providers; null: none')),
              ask_iv: nullable(number('Implied volatility of the ask, as a fraction')),
              ask_size_contracts: nullable(number('Size at this price in contracts; null: none')),
              ask_size_usd_notional: nullable(
                number('The same size in USD of the underlying; null: none'),
              ),
              greeks_abs: nullable(
                object(
                  {
                    delta: number('Change of the price by 1 USD of the index'),
                    gamma: number('Change of delta by 1 USD of the index'),
                    theta: number('Change of the price by a day, in USD'),
                    vega: number('Change of the price by one point of volatility, in USD'),
                  },
                  'Greeks of a contract; null: the contract has no mark',
                ),
              ),
              greeks_cash: nullable(
                object(
                  {
                    delta_1pct_usd: number(
                      'Change of the price when the index changes by one percent',
                    ),
                    gamma_1pct_usd: number(
                      'Change of delta_1pct_usd when the index changes by one percent',
                    ),
                    theta_1d_usd: number('Change of the price by a day'),
                    vega_1vol_usd: number('Change of the price by one point of volatility'),
                  },
                  'Greeks of a contract in USD; null: the contract has no mark',
                ),
              ),
            },
            'The put; absent: none is listed',
          ),
        },
        'Both options of a strike',
      ),
      timestamp: millis('Time of the event'),
      seq: seq('Sequence of the event'),
      'snapshot?': exactly(
        true,
        'True if the message holds the full state; later messages hold changes',
      ),
      'as_of_seq?': seq('Sequence of the latest event that the message includes'),
    },
    {
      action: exactly('Remove', 'The option is removed'),
      currency: text('Name of the underlying'),
      expiry: seconds('Expiry of the option'),
      strike: number('Strike in USD; 0 for a perp'),
      option_type: oneOf(rightNames, '`call` or `put`'),
      symbol: text('Canonical symbol of the instrument'),
      timestamp: millis('Time of the event'),
      seq: seq('Sequence of the event'),
    },
  ),
  Trade: publication(['trades'], 'A trade', {
    symbol: text('Canonical symbol of the instrument'),
    price: decimal('Price in USD per contract'),
    size: decimal('Size in contracts'),
    side: oneOf(lowerCase(sideNames), 'Side of the taker, in lower case'),
    timestamp: millis('Time of the event'),
    trade_id: count('Id of the trade, rising; both sides have the same'),
    seq: seq('Sequence of the event'),
  }),
  MarketUpdate: publication(['market_updates'], 'An instrument was listed, expired or delisted', {
    action: oneOf(['Created', 'Expired', 'Deleted'], 'Change of the instrument'),
    symbol: text('Canonical symbol of the instrument'),
    'strike?': anyOf([number(), decimal()], 'Strike in USD'),
    'is_call?': flag('True for a call'),
    'underlying?': text('Name of the underlying'),
    'expiry?': seconds('Expiry of the option'),
    'instrument_type?': oneOf(instrumentTypeNames, '`option` or `perp`'),
    timestamp: millis('Time of the event'),
    seq: seq('Sequence of the event'),
  }),
  IndexPriceUpdate: publication(['index_prices'], 'Index prices', {
    prices: list(
      object({
        underlying: text('Name of the underlying'),
        price: decimal('The index in USD'),
        timestamp: millis('Time of the observation'),
      }),
      'One for each underlying',
    ),
    timestamp: millis('Time of the oldest observation'),
    seq: seq('Sequence of the event'),
    'snapshot?': exactly(
      true,
      'True if the message holds the full state; later messages hold changes',
    ),
    'as_of_seq?': seq('Sequence of the latest event that the message includes'),
  }),
  IndicativeMarketData: publication(['indicative_market_data'], 'Indicative quotes of providers', {
    instrument: text('Canonical symbol of the instrument'),
    'best_bid?': decimal('Highest indicative bid as received; absent: none'),
    'best_ask?': decimal('Lowest indicative ask as received; absent: none'),
    'bid_iv?': number('Implied volatility of the bid, as a fraction'),
    'ask_iv?': number('Implied volatility of the ask, as a fraction'),
    'indicative_bid_size?': decimal('Contracts at the highest indicative bid'),
    'indicative_ask_size?': decimal('Contracts at the lowest indicative ask'),
    num_providers: count('Number of providers that quote the instrument; 0: none any more'),
    rfq_provider_quotes: list(providerQuote, 'Quotes of the providers, one each'),
    published_at: millis('Time of publication'),
    timestamp: millis('Time of receipt of the newest quote'),
    'snapshot?': exactly(
      true,
      'True if the message holds the full state; later messages hold changes',
    ),
    'as_of_seq?': seq('Sequence of the latest event that the message includes'),
    'seq?': seq('Sequence of the event'),
  }),
  OrderUpdate: publication(['order_updates'], 'Change of an order', {
    order_id: nullable(count('Id of the order; null: none')),
    request: object(
      {
        price: text('Price in USD per contract'),
        size: text('Size in contracts'),
        symbol: text('Canonical symbol of the instrument'),
        side: oneOf(sideNames, 'Side: `Buy` or `Sell`'),
        ...tifFields,
      },
      'The order as requested',
    ),
    status: oneOf(orderStatusNames, 'Status, one of `x-states`'),
    filled_size: decimal('Contracts filled so far'),
    timestamp: millis('Time of the event'),
    wallet_address: address('Wallet of the account'),
    instrument_type: oneOf(instrumentTypeNames, '`option` or `perp`'),
    client_id: nullable(text('Client id of the order; null or empty: none')),
    'nonce?': nonce('Nonce of the signed request'),
    ...reasonFields,
    mmp_triggered: flag('True if market-maker protection canceled the order'),
    seq: seq('Sequence of the event'),
  }),
  Fill: publication(['fills'], 'A fill', {
    order_id: positiveInteger(
      'Id of the filled order. Fills of a package have no order: their value here is 2^52 + fill_id, which no order has',
    ),
    fill_id: count(
      'Id of the fill; for a package, the trade id of its first leg; empty or null: no fill',
    ),
    symbol: text('Canonical symbol of the instrument'),
    side: oneOf(sideNames, 'Side: `Buy` or `Sell`'),
    price: decimal('Price in USD per contract'),
    size: decimal('Size in contracts'),
    timestamp: millis('Time of the event'),
    wallet_address: address('Wallet of the account'),
    fee: decimal('Fee in USD; negative: a rebate'),
    trade_id: count('Id of the trade, rising; both sides have the same'),
    is_taker: flag('True if this wallet was the taker'),
    builder_code_address: nullable(address('Builder that earns the builder fee; null: none')),
    builder_code_fee: nullable(decimal('Builder fee in USD; null: none')),
    instrument_type: oneOf(instrumentTypeNames, '`option` or `perp`'),
    fill_source: described(fillSource, 'Origin: the book or a request for quote'),
    client_id: nullable(text('Client id of the order; null or empty: none')),
    seq: seq('Sequence of the event'),
  }),
  PositionExpired: publication(['portfolio'], 'Settlement of a position', {
    wallet_address: address('Wallet of the account'),
    symbol: text('The option that has expired'),
    ...settledFields,
    timestamp: millis('Time of the event'),
    ...settledCosts,
    seq: seq('Sequence of the event'),
  }),
  LiquidationStateChange: publication(
    ['liquidation'],
    'Change of the liquidation state of the wallet',
    {
      wallet_address: address('Wallet of the account'),
      previous_state: oneOf(liquidationStateNames, 'Liquidation state before'),
      new_state: oneOf(liquidationStateNames, 'Liquidation state now'),
      timers_stand: flag(
        'True while its deadlines are paused, because trading is halted or the clock is in alarm',
      ),
      ...liquidationSummary,
      partial_liquidation: nullable(
        partialLiquidation,
        'State of the partial liquidation; null: there is none',
      ),
      full_liquidation: nullable(fullLiquidation, 'State of the auction; null: there is none'),
      timestamp: millis('Time of the event'),
      seq: seq('Sequence of the event'),
    },
  ),
  PortfolioUpdate: publication(
    ['portfolio'],
    'Positions, balance, margin or greeks of the wallet',
    {
      kind: exactly('Initial', 'Kind of the update'),
      positions: list(position, 'Open positions'),
      timestamp: millis('Time of the event'),
      seq: seq('Sequence of the event'),
      'snapshot?': exactly(
        true,
        'True if the message holds the full state; later messages hold changes',
      ),
      'as_of_seq?': seq('Sequence of the latest event that the message includes'),
    },
    {
      kind: exactly('PositionUpdate', 'Kind of the update'),
      position: described(position, 'The position; its amount is 0 when it is closed'),
      timestamp: millis('Time of the event'),
      seq: seq('Sequence of the event'),
      'snapshot?': exactly(
        true,
        'True if the message holds the full state; later messages hold changes',
      ),
      'as_of_seq?': seq('Sequence of the latest event that the message includes'),
    },
    {
      kind: exactly('BalanceUpdate', 'Kind of the update'),
      total_margin_used: decimal('Initial margin of positions and open orders'),
      cash: decimal('Cash in USD'),
      equity: decimal('Equity in USD: cash plus positions at mark'),
      timestamp: millis('Time of the event'),
      seq: seq('Sequence of the event'),
      'snapshot?': exactly(
        true,
        'True if the message holds the full state; later messages hold changes',
      ),
      'as_of_seq?': seq('Sequence of the latest event that the message includes'),
    },
    {
      kind: exactly('MarginUpdate', 'Kind of the update'),
      span_margin: described(spanMargin, 'Required margin by component'),
      margin_summary: described(marginSummary, 'Margin and balance'),
      margin_mode: oneOf(marginModeNames, 'Margin model of the wallet'),
      total_margin_used: decimal('Initial margin of positions and open orders'),
      available_balance: decimal('Equity less total_margin_used'),
      timestamp: millis('Time of the event'),
      seq: seq('Sequence of the event'),
      'snapshot?': exactly(
        true,
        'True if the message holds the full state; later messages hold changes',
      ),
      'as_of_seq?': seq('Sequence of the latest event that the message includes'),
    },
    {
      kind: exactly('GreeksUpdate', 'Kind of the update'),
      per_leg: list(
        object({
          symbol: text('Canonical symbol of the instrument'),
          quantity: decimal('Position in contracts; negative: short'),
          delta: number('Delta times size'),
          gamma: number('Gamma times size'),
          theta: number('Theta of a day times size'),
          vega: number('Vega of one point times size'),
          iv: number('Volatility as a fraction; of the sum, the mean weighted by vega'),
        }),
        'The greeks of each position, times its size',
      ),
      aggregate: nullable(
        object(
          {
            delta: number('Delta times size'),
            gamma: number('Gamma times size'),
            theta: number('Theta of a day times size'),
            vega: number('Vega of one point times size'),
            iv: nullable(number('Volatility as a fraction; of the sum, the mean weighted by vega')),
          },
          'Sums over all positions; null: no position has a mark',
        ),
      ),
      timestamp: millis('Time of the event'),
      seq: seq('Sequence of the event'),
      'snapshot?': exactly(
        true,
        'True if the message holds the full state; later messages hold changes',
      ),
      'as_of_seq?': seq('Sequence of the latest event that the message includes'),
    },
  ),
  RfqStatusUpdate: publication(['rfq'], 'Change of a request for quote', {
    rfq_id: uuid('Id of the request, chosen by its taker'),
    status: oneOf(rfqStatusNames, 'Status, one of `x-states`'),
    taker_wallet: address('Wallet of the taker; the zero address for an order in auction'),
    'reason?': nullable(text('Reason as text for people, which may change; null: none')),
    'reason_code?': nullable(reasonCode, 'Stable code of the reason; null: none'),
    'details?': nullable(reasonDetails, 'Values that the reason names'),
    'fill_id?': text(
      'Id of the fill; for a package, the trade id of its first leg; empty or null: no fill',
    ),
    'fallback_order_id?': count('Order that replaced the unfilled request'),
    'expires_at?': millis('Time at which it expires'),
    timestamp: millis('Time of the event'),
    seq: seq('Sequence of the event'),
  }),
  RfqQuotes: publication(['rfq'], 'Live quotes of a request', {
    rfq_id: uuid('Id of the request, chosen by its taker'),
    quotes: list(
      object({
        quote_id: uuid('Id of the quote, assigned by the venue'),
        net_premium: decimal(
          'Net premium in USD from the side of the taker: a buy leg counts -price x size, a sell leg +price x size',
        ),
        expires_at: millis('Time at which it expires'),
      }),
      'Live quotes, best for the taker first',
    ),
    status: oneOf(rfqStatusNames, 'Status, one of `x-states`'),
    taker_wallet: address('Wallet of the taker; the zero address for an order in auction'),
    seq: seq('Sequence of the event'),
  }),
  RfqAcceptResult: publication(['rfq'], 'Result of an acceptance', {
    rfq_id: uuid('Id of the request, chosen by its taker'),
    quote_id: uuid('Id of the quote, assigned by the venue'),
    status: oneOf(['executed', 'failed'], 'Status of the acceptance'),
    fill_id: nullable(
      text('Id of the fill; for a package, the trade id of its first leg; empty or null: no fill'),
    ),
    reason: nullable(text('Reason as text for people, which may change; null: none')),
    reason_code: nullable(reasonCode, 'Stable code of the reason; null: none'),
    'details?': described(reasonDetails, 'Values that the reason names'),
    'nonce?': nonce('Nonce of the AcceptRfqQuote that this answers; other connections get none'),
    seq: seq('Sequence of the event'),
  }),
  CompetitionUpdate: publication(['competition'], 'Change of rank or values of the wallet', {
    wallet_address: address('Wallet of the account'),
    competition_id: count('Id of the competition; null: none'),
    rank: nullable(
      count('Rank among wallets that traded, from 1; null: the wallet has not traded'),
    ),
    pnl: decimal('Profit in USD'),
    volume: decimal('Traded volume in USD of the underlying'),
    efficiency: decimal(
      'Profit divided by the largest initial margin after a fill, which counts as at least 1000 USD',
    ),
    timestamp: millis('Time of the event'),
    seq: seq('Sequence of the event'),
  }),
  CompetitionPnlSummary: publication(['competition'], 'Standing of the wallet', {
    wallet_address: address('Wallet of the account'),
    lifetime_realized_pnl: decimal('Realized profit since the first credit, in USD'),
    active_competition: nullable(
      competitionStanding,
      'Standing of the wallet in the running competition; null: none',
    ),
    timestamp: millis('Time of the event'),
    seq: seq('Sequence of the event'),
    'snapshot?': exactly(
      true,
      'True if the message holds the full state; later messages hold changes',
    ),
    'as_of_seq?': seq('Sequence of the latest event that the message includes'),
  }),
  CompetitionFinalStats: publication(['competition'], 'Final values of the wallet after the end', {
    wallet_address: address('Wallet of the account'),
    competition_id: count('Id of the competition; null: none'),
    rank: nullable(
      count('Rank among wallets that traded, from 1; null: the wallet has not traded'),
    ),
    pnl: decimal('Profit in USD'),
    volume: decimal('Traded volume in USD of the underlying'),
    efficiency: decimal(
      'Profit divided by the largest initial margin after a fill, which counts as at least 1000 USD',
    ),
    medal: medal,
    timestamp: millis('Time of the event'),
    seq: seq('Sequence of the event'),
  }),
  CompetitionRankChange: publication(['competition_engagement'], 'Change of rank of the wallet', {
    wallet_address: address('Wallet of the account'),
    competition_id: count('Id of the competition; null: none'),
    from_rank: count('Rank before'),
    to_rank: count('Rank now'),
    delta_places: integer('from_rank less to_rank: above 0 is a rise'),
    pnl: decimal('Profit in USD'),
    timestamp: millis('Time of the event'),
    seq: seq('Sequence of the event'),
  }),
  CompetitionGapUpdate: publication(
    ['competition_engagement'],
    'Distance of the wallet to the next rank',
    {
      wallet_address: address('Wallet of the account'),
      competition_id: count('Id of the competition; null: none'),
      rank: count('Rank among wallets that traded, from 1; null: the wallet has not traded'),
      next_rank: nullable(count('The next better rank; null for the leader')),
      gap_metric_value: nullable(
        decimal('Distance to the next better rank in the primary metric; null for the leader'),
      ),
      timestamp: millis('Time of the event'),
      seq: seq('Sequence of the event'),
    },
  ),
  CompetitionFinalStanding: publication(
    ['competition_engagement'],
    'Final rank of the wallet after the end',
    {
      wallet_address: address('Wallet of the account'),
      competition_id: count('Id of the competition; null: none'),
      rank: nullable(
        count('Rank among wallets that traded, from 1; null: the wallet has not traded'),
      ),
      pnl: decimal('Profit in USD'),
      volume: decimal('Traded volume in USD of the underlying'),
      efficiency: decimal(
        'Profit divided by the largest initial margin after a fill, which counts as at least 1000 USD',
      ),
      medal: medal,
      timestamp: millis('Time of the event'),
      seq: seq('Sequence of the event'),
    },
  ),
}

/** Messages of the venue to quote providers, by type. */
export const providerMessages = {
  authenticated: reply('The handshake succeeded', {
    wallet: address('Wallet of the account'),
    capabilities: list(text(), 'Optional features that the venue supports'),
  }),
  auth_failed: reply('The handshake failed, or the session has ended', {
    reason: text('Reason; the rules of provider frames list all'),
  }),
  error: reply('Error of a frame or of its rows', {
    message: text('Text for people, which may change'),
    code: described(errorCode, 'Stable code of the error'),
    'rows?': list(
      object({
        instrument: text('Canonical symbol of the instrument'),
        reason: text('Reason why the row was left out'),
      }),
      'Rows that were left out, each with its reason',
      { maxItems: 1000 },
    ),
    'rfq_id?': text('Request at fault'),
  }),
  rfq_request: reply('Requests a firm quote; for an order in auction without the taker', {
    rfq_id: uuid('Id of the request, chosen by its taker'),
    legs: list(
      object({
        instrument: text('Canonical symbol of the instrument'),
        side: oneOf(lowerCase(sideNames), '`Buy` or `Sell`. Of the taker, in lower case'),
        size: decimal('Size in contracts'),
      }),
      'Legs in the order of the request',
    ),
    taker_wallet: address('Wallet of the taker; the zero address for an order in auction'),
    request_timestamp: millis('Time of the request'),
    response_deadline_ms: integer(
      'Milliseconds after request_timestamp in which the venue takes quotes',
    ),
    'auto_accept_limit?': decimal(
      'Signed limit of the taker; for an order in auction its limit times its size',
    ),
    auto_execute: flag('True if the first eligible quote trades without an acceptance'),
    'taker_limit_price?': decimal('Limit of the package, or per contract of an order in auction'),
    'reference_price?': decimal('Best price of the book within the limit, else the limit'),
    'min_improvement_tick?': decimal(
      'Improvement over the reference price that a quote needs, if it must better it',
    ),
    'auction_deadline_ms?': integer(
      'Milliseconds after request_timestamp at which the auction is decided',
    ),
    requires_price_improvement: flag('True if a quote must better a price of the book'),
  }),
  qp_margin_rejection: reply('The margin of the provider does not cover its quote', {
    rfq_id: uuid('Id of the request, chosen by its taker'),
    quote_id: uuid('Id of the quote, assigned by the venue'),
    reason: nullable(text('Text for people, which may change')),
  }),
  rfq_already_filled: reply('Another quote filled the request', {
    rfq_id: uuid('Id of the request, chosen by its taker'),
    filled_by_quote_id: uuid('Executed quote'),
  }),
}

/** Returns the schema of a message. */
export function messageSchema(type: string, { forms }: StreamMessage): JsonSchema {
  const schemas = forms.map((fields) => object({ type: exactly(type), ...fields }).schema)
  return schemas.length === 1 ? schemas[0]! : { oneOf: schemas }
}

// Function declarations, because the tables above are built while this file loads.

/** A message that answers a frame. */
function reply(summary: string, fields: ShapeFields): StreamMessage {
  return { channels: [], summary, forms: [fields] }
}

/** A message of channels, in one of several forms. */
function publication(
  channels: readonly Channel[],
  summary: string,
  ...forms: readonly ShapeFields[]
): StreamMessage {
  return { channels, summary, forms }
}
