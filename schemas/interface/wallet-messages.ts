import { instrumentTypeNames, orderStatusNames, rfqStatusNames } from '../domain.js'
import { settledCosts, settledFields } from './account.js'
import { competitionStanding, lifetimeRealizedPnl, medal, metrics } from './competitions.js'
import { reasonCode, reasonDetails } from './errors.js'
import { choiceOfForms, eventFields, publication, snapshotFields, stateFields } from './message.js'
import { clientId, fillFields, reasonFields, tifFields } from './orders.js'
import {
  availableBalance,
  liquidationPhases,
  liquidationSummary,
  marginParts,
  position,
  stateChange,
  timersStand,
  totalMarginUsed,
} from './risk.js'
import {
  address,
  count,
  decimal,
  described,
  exactly,
  flag,
  integer,
  list,
  millis,
  nonce,
  nullable,
  number,
  type ObjectOf,
  object,
  oneOf,
  text,
  uuid,
} from './shape.js'
import { equity, eventSeq, marginMode, positionSize, side, symbol, wallet } from './terms.js'

// Messages of the private channels.

const portfolioFields = { ...stateFields, ...snapshotFields }

const greekSums = {
  delta: number('Change of the value per USD of the index, in USD'),
  gamma: number('Change of `delta` per USD of the index'),
  theta: number('Change of the value per day, in USD'),
  vega: number('Change of the value per percentage point of volatility, in USD'),
}

const positionGreeks = object({
  symbol,
  quantity: positionSize,
  ...greekSums,
  iv: number('Implied volatility of the mark as a fraction; 0: none, as for perps'),
})

const portfolioGreeks = object(
  {
    ...greekSums,
    iv: nullable(
      number('Average implied volatility as a fraction, weighted by absolute vega; null: no vega'),
    ),
  },
  'Totals over all positions that have a mark; null: no such position',
)

/** Content of a PortfolioUpdate by kind. */
const portfolioForms = {
  initial: {
    kind: exactly('Initial', 'Always `Initial`: positions of a snapshot'),
    positions: list(position, 'Open positions in order of listing'),
  },
  position: {
    kind: exactly('PositionUpdate', 'Always `PositionUpdate`: a position changed'),
    position: described(position, 'Position after the change; `amount` is 0 once it is closed'),
  },
  balance: {
    kind: exactly('BalanceUpdate', 'Always `BalanceUpdate`: cash changed'),
    total_margin_used: totalMarginUsed,
    cash: decimal('Cash in USD'),
    equity,
  },
  margin: {
    kind: exactly('MarginUpdate', 'Always `MarginUpdate`: margin changed, or margin of a snapshot'),
    ...marginParts,
    margin_mode: marginMode,
    total_margin_used: totalMarginUsed,
    available_balance: availableBalance,
  },
  greeks: {
    kind: exactly('GreeksUpdate', 'Always `GreeksUpdate`: greeks changed'),
    per_leg: list(positionGreeks, 'Greeks of each position that has a mark'),
    aggregate: nullable(portfolioGreeks),
  },
}
type PortfolioForms = typeof portfolioForms
/** Content of a PortfolioUpdate, without its time and sequence. */
export type PortfolioContent = {
  readonly [Kind in keyof PortfolioForms]: ObjectOf<PortfolioForms[Kind]>
}[keyof PortfolioForms]

const rfqId = uuid('Id of the request, chosen by the taker')
const rfqQuoteId = uuid('Id of the quote, assigned by the venue')
const rfqStatus = oneOf(rfqStatusNames, 'Status of the request; see `x-states`')
const takerWallet = address('Wallet of the taker')
const rfqReason = nullable(text('Reason for a failure, for people; may change; null: none'))

const rfqQuote = object({
  quote_id: rfqQuoteId,
  net_premium: decimal(
    'Net premium in USD from the view of the taker: a buy leg adds -price x size, a sell leg +price x size',
  ),
  expires_at: millis('Expiry of the quote'),
})

const competitionId = count('Id of the competition')
const rank = count('Rank by the primary metric among the wallets that traded, from 1')
/** Rank and values of a wallet in a competition. */
const rankFields = { competition_id: competitionId, rank: nullable(rank), ...metrics }
const finalFields = { wallet_address: wallet, ...rankFields, medal, ...stateFields }

/** Messages of private channels, by type. */
export const walletMessages = {
  OrderUpdate: publication(
    'order_updates',
    {
      order_id: nullable(count('Id of the order; null: the order was rejected')),
      request: object(
        {
          price: text('Limit price in USD per contract'),
          size: text('Contracts'),
          symbol,
          side,
          ...tifFields,
        },
        'Terms of the order',
      ),
      status: oneOf(orderStatusNames, 'Status of the order; see `x-states`'),
      filled_size: decimal('Contracts filled so far'),
      wallet_address: address('Wallet of the order'),
      instrument_type: oneOf(instrumentTypeNames, 'Type of the instrument'),
      client_id: clientId,
      'nonce?': nonce('Nonce of the rejected request; absent: not a rejection'),
      ...reasonFields,
      mmp_triggered: flag('True if a fill of the order triggered market-maker protection'),
      ...eventFields,
    },
    {
      summary: 'Publishes a change of an order',
      description:
        'Sent once per engine step that changes the order, with the status after the step, and once per rejected ' +
        'order or ' +
        'cancel. After a gap, resume with `from_seq`, or read GET /orders.',
    },
  ),
  Fill: publication(
    'fills',
    { ...fillFields, client_id: clientId, seq: eventSeq },
    {
      summary: 'Publishes a fill of the wallet',
      description: 'After a gap, resume with `from_seq`, or read GET /fills.',
    },
  ),
  PositionExpired: publication(
    'portfolio',
    {
      wallet_address: wallet,
      symbol: described(symbol, 'Canonical symbol of the expired option'),
      ...settledFields,
      ...settledCosts,
      ...eventFields,
    },
    {
      summary: 'Publishes the settlement of a position',
      description: 'After a gap, read GET /settlement-payouts.',
    },
  ),
  LiquidationStateChange: publication(
    'liquidation',
    {
      wallet_address: wallet,
      ...stateChange,
      timers_stand: timersStand,
      ...liquidationSummary,
      ...liquidationPhases,
      ...eventFields,
    },
    {
      summary: 'Publishes a change of the liquidation state or mode of the wallet',
      description:
        'After a gap, resume with `from_seq`, or read GET /liquidation/status and GET /liquidation/history.',
    },
  ),
  PortfolioUpdate: choiceOfForms(
    'portfolio',
    [
      { ...portfolioForms.initial, ...portfolioFields },
      { ...portfolioForms.position, ...portfolioFields },
      { ...portfolioForms.balance, ...portfolioFields },
      { ...portfolioForms.margin, ...portfolioFields },
      { ...portfolioForms.greeks, ...portfolioFields },
    ],
    {
      summary: 'Publishes positions, cash, margin or greeks of the wallet',
      description:
        'A snapshot is `Initial`, then `MarginUpdate`. Each message has the state at the time of sending, so one ' +
        'message may ' +
        'include several changes. The venue sends `MarginUpdate` at most once per second and `GreeksUpdate` at most ' +
        'once per ' +
        '5 seconds. After a gap, subscribe again.',
    },
  ),
  RfqStatusUpdate: publication(
    'rfq',
    {
      rfq_id: rfqId,
      status: rfqStatus,
      taker_wallet: takerWallet,
      'reason?': rfqReason,
      'reason_code?': nullable(reasonCode, 'Stable code of the reason; null: none'),
      'details?': nullable(reasonDetails, 'Values of the reason, by name; null: none'),
      'fill_id?': text('Trade id of the first leg as text; absent: not executed'),
      'fallback_order_id?': count(
        'Id of the limit order that the unfilled request fell back to; absent: none',
      ),
      'expires_at?': millis('Expiry of the request'),
      ...eventFields,
    },
    {
      summary: 'Publishes a change of the status of a request for quote',
      description:
        'Also answers SubmitRfq and SubmitAutoExecuteRfq; their connection receives all messages of the request ' +
        'without a ' +
        'subscription. After a gap, resume with `from_seq`, or read GET /rfq/.',
    },
  ),
  RfqQuotes: publication(
    'rfq',
    {
      rfq_id: rfqId,
      quotes: list(rfqQuote, 'Live quotes, best for the taker first'),
      status: rfqStatus,
      taker_wallet: takerWallet,
      seq: eventSeq,
    },
    {
      summary: 'Publishes the live quotes of a request after a change',
      description:
        'Each message replaces all quotes of its request. GET /rfq/ has the prices of the legs.',
    },
  ),
  RfqAcceptResult: publication(
    'rfq',
    {
      rfq_id: rfqId,
      quote_id: rfqQuoteId,
      status: oneOf(['executed', 'failed'], 'Result of the acceptance'),
      fill_id: nullable(text('Trade id of the first leg as text; null: failed')),
      reason: rfqReason,
      reason_code: nullable(reasonCode, 'Stable code of the reason; null: none'),
      'details?': described(reasonDetails, 'Values of the reason, by name; absent: none'),
      'nonce?': nonce('Nonce of the AcceptRfqQuote; absent on other connections of the taker'),
      seq: eventSeq,
    },
    {
      summary: 'Publishes the result of an acceptance',
      description:
        'Answers AcceptRfqQuote. The venue also sends it after an automatic execution. After `failed` the request ' +
        'may still ' +
        'have other quotes.',
    },
  ),
  CompetitionUpdate: publication(
    'competition',
    { wallet_address: wallet, ...rankFields, ...stateFields },
    {
      summary: 'Publishes the rank and the metrics of the wallet after a change',
      description: 'Sent at most once per second and competition.',
    },
  ),
  CompetitionPnlSummary: publication(
    'competition',
    {
      wallet_address: wallet,
      lifetime_realized_pnl: lifetimeRealizedPnl,
      active_competition: nullable(
        competitionStanding,
        'Standing in the active competition; null: no competition is active',
      ),
      ...stateFields,
      ...snapshotFields,
    },
    {
      summary: 'Publishes the standing of the wallet in the active competition',
      description:
        'Serves as the snapshot of the channel. The venue also sends it when a competition begins or ends.',
    },
  ),
  CompetitionFinalStats: publication('competition', finalFields, {
    summary: 'Publishes the final metrics of the wallet in an ended competition',
  }),
  CompetitionRankChange: publication(
    'competition_engagement',
    {
      wallet_address: wallet,
      competition_id: competitionId,
      from_rank: described(rank, 'Rank by the primary metric before the change, from 1'),
      to_rank: described(rank, 'Rank by the primary metric now, from 1'),
      delta_places: integer('`from_rank` less `to_rank`; positive: the wallet climbed'),
      pnl: metrics.pnl,
      ...stateFields,
    },
    {
      summary: 'Publishes a change of the rank of the wallet',
      description: 'Sent at most once per second and competition.',
    },
  ),
  CompetitionGapUpdate: publication(
    'competition_engagement',
    {
      wallet_address: wallet,
      competition_id: competitionId,
      rank,
      next_rank: nullable(count('Next better rank; null: the wallet leads')),
      gap_metric_value: nullable(
        decimal('Gap to the next better rank in the primary metric; null: the wallet leads'),
      ),
      ...stateFields,
    },
    {
      summary: 'Publishes the gap between the wallet and the next better rank after a change',
      description: 'Sent at most once per 5 seconds and competition.',
    },
  ),
  CompetitionFinalStanding: publication('competition_engagement', finalFields, {
    summary: 'Publishes the final rank of the wallet in an ended competition',
  }),
}
