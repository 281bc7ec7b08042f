import { mmpIntervalMillisMax, mmpLimitMicrosMax, payoutIdsMax } from '../bounds.js'
import {
  marginModeNames,
  orderStatusNames,
  rateCategoryNames,
  selfTradeModeNames,
  tierInputs,
} from '../domain.js'
import { Result } from '../results.js'
import { bare, data, Envelope, rows, whole } from './answer.js'
import * as body from './body.js'
import { reasonCode } from './errors.js'
import * as param from './parameter.js'
import { theoIntervals } from './parameter.js'
import { walletRead } from './read.js'
import {
  address,
  anyOf,
  count,
  decimal,
  deprecated,
  described,
  digest,
  exactly,
  flag,
  integer,
  type JsonOf,
  list,
  mapOf,
  millis,
  named,
  nonce,
  nothing,
  nullable,
  number,
  type ObjectOf,
  object,
  oneOf,
  seconds,
  seq,
  text,
} from './shape.js'
import { entryPrice, equity, eventSeq, marginMode, side, symbol, tier, wallet } from './terms.js'
import { accountWrite } from './write.js'

const selfTradeWords =
  'Order that the venue cancels when the wallet would trade with itself. `cancel_taker`: the incoming order; ' +
  '`cancel_maker`: the resting order; `cancel_both`: both'
const unlimited = (words: string) => integer(`${words}; -1: unlimited`)

export const userTier = named('UserTier', {
  wallet_address: wallet,
  tier,
  limits: object(
    {
      max_open_orders: unlimited('Maximum number of working orders'),
      max_open_positions: unlimited('Maximum number of open positions'),
      orders_per_minute: unlimited('New orders and replacements per minute'),
      cancels_per_minute: unlimited('Cancels per minute'),
      api_requests_per_minute: unlimited(
        'Other signed writes per minute; the same number of reads of the wallet per minute from one client address',
      ),
    },
    'Limits of the tier',
  ),
})
export type UserTier = JsonOf<typeof userTier>

export const mmpConfig = named('MmpConfig', {
  wallet_address: wallet,
  currency: text('Underlying that the market-maker protection (MMP) covers'),
  interval_ms: count('Length of the window in milliseconds'),
  frozen_time_ms: count('Length of a freeze in milliseconds; 0: until a reset'),
  qty_limit: nullable(
    decimal('Contracts filled within the window that trigger the protection; null: no limit'),
  ),
  delta_limit: nullable(
    decimal(
      'Absolute value of the net delta of the fills that triggers the protection; null: no limit',
    ),
  ),
  vega_limit: nullable(
    decimal(
      'Absolute value of the net vega of the fills that triggers the protection; null: no limit',
    ),
  ),
  enabled: flag('Always true: the list omits deleted protections'),
  nonce: nonce('Nonce of the latest change'),
  frozen: flag('True while new orders with `mmp_enabled` are rejected'),
  frozen_until_ms: nullable(millis('End of the freeze; null: not frozen, or frozen until a reset')),
  window: object(
    {
      qty: decimal('Contracts filled on both sides'),
      delta: decimal('Net delta; negative: net sold'),
      vega: decimal('Net vega in USD per percentage point of volatility; negative: net sold'),
    },
    'Totals of the fills within the latest `interval_ms`',
  ),
})
export type MmpConfig = JsonOf<typeof mmpConfig>

/** Position and value of a settlement. */
export const settledFields = {
  position_size: decimal('Contracts of the settled position; negative: short'),
  settlement_price: decimal('Payoff of one contract in USD'),
  settlement_value: decimal(
    'Payoff of the position less `borne`, in USD; negative: paid by the wallet',
  ),
  settlement_entry_price: entryPrice,
  cost_basis: decimal('Cost of the position in USD; negative: premium received'),
  net_pnl: decimal('`settlement_value` less `cost_basis`, in USD, before the fee'),
}
export type SettledFields = ObjectOf<typeof settledFields>

/** Price and deductions of a settlement. */
export const settledCosts = {
  underlying_price: decimal('Settlement price of the underlying in USD'),
  fee: decimal('Settlement fee in USD; negative: a rebate'),
  borne: decimal('Reduction of the payoff in USD because other wallets could not pay'),
}
export type SettledCosts = ObjectOf<typeof settledCosts>

export const settlementPayout = named('SettlementPayout', {
  id: count('Id of the payout; ids rise with time'),
  wallet,
  symbol,
  expiry_ts: seconds('Expiry of the option'),
  ...settledFields,
  ledger_applied: flag('Always true: the cash of the wallet includes every listed payout'),
  is_seen: flag('True if the wallet marked the payout as seen'),
  created_at: millis('Time of the settlement'),
  ...settledCosts,
})
export type SettlementPayout = JsonOf<typeof settlementPayout>

const rateWindow = object({
  category: oneOf(rateCategoryNames, 'Category of requests'),
  limit: unlimited('Requests per minute'),
  remaining: unlimited('Requests left in the current window'),
  reset: seconds('End of the current window'),
})

export const rateLimits = {
  wallet,
  tier,
  windows: list(
    rateWindow,
    'Windows for signed writes of the wallet, one per category; the owner and all agents share them',
  ),
  reads: described(rateWindow, 'Window for reads of the wallet from this client address'),
}

const equityPoint = object({
  timestamp: millis('Time of the point'),
  equity,
  net_deposits: decimal('Deposits less withdrawals up to that time, in USD'),
  'attribution?': mapOf(
    list(number()),
    'Attribution by symbol, or by `funding`, `liquidation` and `builder_fees`: position, entry price, realized ' +
      'profit, ' +
      'unrealized profit, and the sum of both profits; absent: not requested',
  ),
})
const equitySeries = object({
  wallet_address: wallet,
  interval: oneOf(theoIntervals, 'Time between two points'),
  points: list(equityPoint, 'Points, oldest first'),
})

const equityHistory = {
  group: 'Account',
  description:
    'Returns the latest points, one per full interval since the first credit. Past equity uses recorded ' +
    'theoretical prices as marks.',
  answeredBy: 'history',
  query: {
    ...param.pointRange,
    include_attribution: param.flag(false, 'True to include the profit by symbol'),
  },
  answer: data(described(equitySeries, 'Equity of the wallet')),
} as const

const profile = object({
  wallet,
  account_wallet: address('Same as `wallet`'),
  username: deprecated(
    text(
      'Username of the wallet, or a name derived from its address if it has none. Use GET /username',
    ),
  ),
  account_first_seen_ts_ms: nullable(millis('Time of the first credit; null: never')),
  account_age_days: nullable(count('Whole days since the first credit; null: never')),
  margin: object(
    {
      in_use: decimal('Initial margin of positions and open orders'),
      available: decimal('Amount that the wallet can withdraw now'),
      total: decimal('Equity'),
      deposits: decimal('Sum of all deposits'),
      withdraws: decimal('Sum of all withdrawals'),
    },
    'Margin and transfers, in USD',
  ),
  pnl: object(
    {
      unrealized: decimal('Profit of the open positions at the mark price'),
      pnl_24h: decimal('Profit realized in the last 24 hours, after fees'),
      lifetime_realized: decimal('Profit realized since the first credit, after fees'),
    },
    'Profit in USD',
  ),
})

const realizedProfit = object({
  symbol: text(
    'Canonical symbol; `funding`, `liquidation` or `builder_fees` for amounts without an instrument',
  ),
  realized_pnl: decimal('Realized profit in USD, after fees'),
  event_count: count('Number of fills, settlements and payments in the sum'),
})

const selfTradePrevention = object({
  wallet,
  mode: oneOf(selfTradeModeNames, selfTradeWords),
})

/** Result of an order, a replacement or a cancel. */
const orderOutcome = object({
  status: oneOf(orderStatusNames, 'Status of the order after the action; see `x-states`'),
  order_id: nullable(count('Id of the order; null: none')),
  symbol: text('Canonical symbol; empty: unknown'),
  side,
  price: decimal('Limit price in USD per contract'),
  size: decimal('Contracts of the order'),
  filled_size: decimal('Contracts filled so far'),
  client_id: nullable(text('Client id of the order; null: none')),
  reason: nullable(text('Reason for a cancellation, for people; may change; null: none')),
  reason_code: nullable(reasonCode, 'Stable code of the reason; null: none'),
  mmp_triggered: flag('True if a fill of the order triggered market-maker protection'),
})

/** Values that only the answer to the action had. */
const otherOutcome = object({
  'canceled?': count('Number of canceled orders; present for CancelAll'),
  'fires_at?': nullable(
    millis(
      'Time at which the timer fires unless the wallet signs an action; null: no timer; present for SetDeadMan',
    ),
  ),
  'balance_after?': decimal('Cash after the withdrawal in USD; present for WithdrawUsdc'),
  'previous_mode?': oneOf(marginModeNames, 'Mode before the change; present for SetMarginMode'),
  'status?': text('Status of the request for quote; `executed` for an acceptance'),
  'fill_id?': text('Trade id of the first leg as text; present for AcceptRFQQuote'),
})

const actionOutcome = object({
  wallet,
  digest: digest('EIP-712 digest of the signed action'),
  status: oneOf(
    ['accepted', 'in_flight', 'unknown'],
    '`accepted`; `in_flight`: accepted, and the order still waits for quotes; `unknown`: never accepted, or no ' +
      'longer ' +
      'kept; `kept` shows which results the venue still has',
  ),
  action: nullable(
    text('Name of the signed struct; a perp order has the name of an option order; null: unknown'),
  ),
  nonce: nullable(nonce('Signed nonce; null: unknown')),
  timestamp: nullable(millis('Engine time of the result; null: unknown')),
  seq: nullable(seq('Sequence of the result; null: unknown')),
  outcome: nullable(
    anyOf([orderOutcome, otherOutcome]),
    'Result of the order, or other values of the answer; null: unknown',
  ),
  kept: object(
    {
      count: count('Number of kept results'),
      max: count('Maximum number of results that the venue keeps for a wallet'),
      oldest_ms: nullable(millis('Engine time of the oldest kept result; null: none')),
      is_complete: flag(
        'True if the venue still has every result of the wallet: it never accepted an action that is `unknown`',
      ),
    },
    'Kept results of the wallet',
  ),
})

export const accountReads = {
  'GET /authorized-agents': walletRead({
    group: 'Account',
    summary: 'Returns the approved agents of a wallet, and its keys for directives',
    answer: bare({
      agents: list(address(), 'Agents that may sign for the wallet, in order of approval'),
      api_wallets: list(
        object({
          name: text('Name of the key'),
          address: address('Address of the key'),
        }),
        'Keys that may sign directives of the wallet',
      ),
    }),
  }),
  'GET /user-tier': walletRead({
    group: 'Account',
    summary: 'Returns the tier of a wallet and its limits',
    description: 'A wallet without an account gets the default tier.',
    answer: data(described(userTier, 'Tier of the wallet')),
  }),
  'GET /username': walletRead({
    group: 'Account',
    summary: 'Returns the username of a wallet',
    description: 'Fails with 404 `not_found` if the wallet has no username.',
    errors: [Result.NotFound],
    answer: bare({
      wallet_address: wallet,
      username: text('Username in lower case'),
    }),
  }),
  'GET /profile': walletRead({
    group: 'Account',
    summary: 'Returns margin, transfers and profit of a wallet',
    answer: data(described(profile, 'Profile of the wallet')),
  }),
  'GET /profile/realized-pnl': walletRead({
    group: 'Account',
    summary: 'Returns the realized profit of a wallet by instrument',
    description: 'Covers all time, or the time range of the query or of a competition.',
    query: {
      competition_id: param.integer(
        [1, Number.MAX_SAFE_INTEGER],
        null,
        'Id of a competition whose time range to use; pass either this or `from_ts_ms` and `to_ts_ms`',
      ),
      ...param.span,
    },
    errors: [Result.NotFound],
    answer: data(list(realizedProfit, 'Realized profit by symbol, sorted by symbol')),
  }),
  'GET /self-trade-prevention': walletRead({
    group: 'Account',
    summary: 'Returns the self-trade prevention mode of a wallet',
    answer: data(described(selfTradePrevention, 'Mode of the wallet')),
  }),
  'GET /mmp-config': walletRead({
    group: 'Account',
    summary: 'Returns the market-maker protection (MMP) settings of a wallet',
    query: { currency: param.text('Underlying to filter by; absent: all') },
    answer: data(list(mmpConfig, 'Settings and state of the protection, one per underlying')),
  }),
  'GET /profile/historical-pnl': walletRead({
    ...equityHistory,
    summary: 'Returns the equity of a wallet over time',
  }),
  'GET /historical-pnl': walletRead({
    ...equityHistory,
    summary: 'Returns the equity of a wallet over time; same as GET /profile/historical-pnl',
  }),
  'GET /settlement-payouts': walletRead({
    group: 'Account',
    summary: 'Returns the payouts of expired options',
    description: 'Newest first. Filters combine.',
    answeredBy: 'history',
    query: {
      symbol: param.text(
        'Symbol of the option: `UNDERLYING-YYYYMMDD-STRIKE-C` or `-P`; the date also as `30JUN26`; absent: all',
      ),
      ledger_applied: param.flag(
        true,
        'Pass false to get no rows: the venue credits every payout before it lists it',
      ),
      ...param.page(100, 50),
    },
    answer: rows(settlementPayout, 'Payouts that match the filters'),
  }),
  'GET /rate-limits': walletRead({
    group: 'Account',
    summary: 'Returns the rate-limit windows of a wallet',
    description: 'This request counts in `reads`.',
    answeredBy: 'gateway',
    answer: data(object({ ...rateLimits }, 'Windows of the wallet')),
  }),
  'GET /actions/outcome': walletRead({
    group: 'Account',
    summary: 'Returns the result of a signed action by its digest',
    description:
      'Use it after a lost answer. If the action is `unknown` and `kept.is_complete` is true, the venue did not ' +
      'accept it: ' +
      'send it again unchanged.',
    answeredBy: 'gateway',
    query: { digest: param.digest },
    answer: data(described(actionOutcome, 'Result of the action')),
  }),
}

/** Answer of a change of agents. */
const agentAnswer = whole(
  object({
    success: exactly(true, 'Always true: the request succeeded'),
    error: nothing('Always null: the request succeeded'),
    wallet: address('Recovered signer; with a wrong signing domain, some other address'),
    seq: eventSeq,
  }),
  Envelope.Success,
)

const marginModeChange = object({
  wallet,
  margin_mode: described(marginMode, 'Margin model after the change'),
  previous_mode: described(marginMode, 'Margin model before the change'),
})

const usernameRequest = object({
  wallet_address: wallet,
  requested_username: text('Requested username in lower case'),
  status: oneOf(['approved', 'pending'], '`approved`; `pending`: the operator has not decided yet'),
})

const payoutsSeen = object({
  success: exactly(true, 'Always true: the request succeeded'),
  requested: count('Number of ids in the request'),
  affected: count('Number of distinct ids that belong to payouts of the wallet'),
  error: nothing('Always null: the request succeeded'),
  seq: eventSeq,
})

const signingWallet = body.optional(
  body.unsigned(body.wallet('Wallet that signs; the venue recovers it from the signature')),
  null,
)

function mmpLimit(description: string) {
  return body.optional(body.limit(mmpLimitMicrosMax, description), 0)
}

export const accountWrites = {
  'POST /margin-mode': accountWrite({
    group: 'Account',
    summary: 'Sets the margin model of the wallet',
    action: 'SetMarginMode',
    body: {
      wallet: body.wallet('Wallet whose setting changes'),
      margin_mode: body.choice(
        marginModeNames,
        '`standard`: the standard margin model of the environment; `portfolio`: portfolio margin, in testnet and ' +
          'development only',
      ),
    },
    isOwnersResort: true,
    errors: [Result.MarginModeUnavailable],
    example: { margin_mode: 'portfolio' },
    answer: data(described(marginModeChange, 'Change of the margin model')),
  }),
  'POST /self-trade-prevention': accountWrite({
    group: 'Account',
    summary: 'Sets the self-trade prevention mode of the wallet',
    action: 'SetSelfTradePrevention',
    body: {
      wallet: body.wallet('Wallet whose setting changes'),
      mode: body.choice(selfTradeModeNames, selfTradeWords),
    },
    isOwnersResort: true,
    example: { mode: 'cancel_maker' },
    answer: data(described(selfTradePrevention, 'Mode of the wallet')),
  }),
  'POST /user-tier': accountWrite({
    group: 'Account',
    summary: 'Sets the tier of a wallet; a signer of the operator signs it',
    action: 'SetUserTier',
    body: {
      wallet: body.wallet('Wallet whose tier changes'),
      tier: body.choice(tierInputs, 'Tier of the wallet'),
    },
    signedBy: 'operator',
    example: { tier: 'tier2' },
    answer: data(described(userTier, 'Tier of the wallet')),
  }),
  'POST /mmp-config': accountWrite({
    group: 'Account',
    summary: 'Sets the market-maker protection (MMP) of an underlying',
    action: 'SetMmpConfig',
    body: {
      wallet: body.wallet('Wallet to protect'),
      currency: body.underlying('Underlying that the protection covers'),
      interval_ms: body.integer(1, mmpIntervalMillisMax, 'Length of the window in milliseconds'),
      frozen_time_ms: body.integer(
        0,
        mmpIntervalMillisMax,
        'Milliseconds for which the venue rejects new orders with `mmp_enabled` after a trigger; 0: until a reset',
      ),
      qty_limit: mmpLimit(
        'Contracts filled within the window that trigger the protection; at least one of the three limits is required',
      ),
      delta_limit: mmpLimit(
        'Absolute value of the net delta of the fills that triggers the protection',
      ),
      vega_limit: mmpLimit(
        'Absolute value of the net vega of the fills that triggers the protection',
      ),
    },
    example: { currency: 'BTC', interval_ms: 1000, frozen_time_ms: 5000, qty_limit: '10' },
    answer: data(described(mmpConfig, 'Settings and state of the protection')),
  }),
  'DELETE /mmp-config': accountWrite({
    group: 'Account',
    summary: 'Removes the market-maker protection (MMP) of an underlying',
    action: 'DeleteMmpConfig',
    body: {
      wallet: body.wallet('Wallet to protect'),
      currency: body.underlying('Underlying that the protection covers'),
    },
    errors: [Result.NotFound],
    example: { currency: 'BTC' },
    answer: data(exactly('deleted', 'Always `deleted`')),
  }),
  'POST /mmp-config/reset': accountWrite({
    group: 'Account',
    summary: 'Clears the window of market-maker protection (MMP) and lifts its freeze',
    action: 'ResetMmp',
    body: {
      wallet: body.wallet('Wallet to protect'),
      currency: body.underlying('Underlying that the protection covers'),
    },
    errors: [Result.NotFound],
    example: { currency: 'BTC' },
    answer: data(exactly('reset', 'Always `reset`')),
  }),
  'POST /approve-agent': accountWrite({
    group: 'Account',
    summary: 'Approves an agent, which can then sign for the wallet',
    action: 'ApproveAgent',
    body: {
      agent: body.agent('Address of the agent'),
      wallet: signingWallet,
    },
    signedBy: 'owner',
    example: { agent: '0x89abcdef0123456789abcdef0123456789abcdef' },
    answer: agentAnswer,
  }),
  'DELETE /revoke-agent': accountWrite({
    group: 'Account',
    summary: 'Revokes an agent; its working orders remain',
    action: 'RevokeAgent',
    body: {
      agent: body.agent('Address of the agent'),
      wallet: signingWallet,
    },
    signedBy: 'owner',
    isOwnersResort: true,
    example: { agent: '0x89abcdef0123456789abcdef0123456789abcdef' },
    answer: agentAnswer,
  }),
  'DELETE /revoke-all-agents': accountWrite({
    group: 'Account',
    summary: 'Revokes all agents of the wallet; their working orders remain',
    action: 'RevokeAllAgents',
    body: { wallet: signingWallet },
    signedBy: 'owner',
    isOwnersResort: true,
    example: {},
    answer: agentAnswer,
  }),
  'POST /submitUsernameRequest': accountWrite({
    group: 'Account',
    summary: 'Requests a username for the wallet',
    action: 'SubmitUsernameRequest',
    body: {
      wallet: body.wallet('Wallet that requests the username'),
      requested_username: body.username(
        '3 to 20 letters, digits and underscores, starting with a letter; the venue stores it in lower case',
      ),
    },
    example: { requested_username: 'trader_one' },
    answer: data(described(usernameRequest, 'Status of the request')),
  }),
  'POST /settlement-payouts/seen': accountWrite({
    group: 'Account',
    summary: 'Marks settlement payouts as seen',
    action: 'SetSettlementPayoutSeen',
    body: {
      wallet: body.wallet('Wallet of the payouts'),
      ids: body.signedAs(
        'payoutIds',
        body.payoutIds(`1 to ${payoutIdsMax} payout ids; signed in this order, joined by commas`),
      ),
      seen: body.optional(
        body.boolean(
          'True to mark the payouts as seen, false to mark them as unseen; absent: true',
        ),
        true,
        true,
      ),
    },
    example: { ids: [1, 2], seen: true },
    answer: whole(payoutsSeen, Envelope.Success),
  }),
}
