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

const unlimited = (words: string) => integer(`${words}; -1: unlimited`)

export const userTier = named('UserTier', {
  wallet_address: wallet,
  tier,
  limits: object(
    {
      max_open_orders: unlimited('Largest number of working orders'),
      max_open_positions: unlimited('Largest number of open positions'),
      orders_per_minute: unlimited('New orders and replacements per minute'),
      cancels_per_minute: unlimited('Cancels per minute'),
      api_requests_per_minute: unlimited(
        'Other signed writes per minute, and reads of the wallet per minute from one client address',
      ),
    },
    'Limits of the tier',
  ),
})
export type UserTier = JsonOf<typeof userTier>

export const mmpConfig = named('MmpConfig', {
  wallet_address: wallet,
  currency: text('Underlying of the protection'),
  interval_ms: count('Length of the window in milliseconds'),
  frozen_time_ms: count('Length of a freeze in milliseconds; 0: until a reset'),
  qty_limit: nullable(decimal('Filled contracts that trigger the protection; null: no limit')),
  delta_limit: nullable(
    decimal('Absolute sum of filled delta that triggers the protection; null: no limit'),
  ),
  vega_limit: nullable(
    decimal('Absolute sum of filled vega that triggers the protection; null: no limit'),
  ),
  enabled: flag('Always true: a deleted protection is not listed'),
  nonce: nonce('Nonce of the latest change'),
  frozen: flag('True while new orders with `mmp_enabled` are rejected'),
  frozen_until_ms: nullable(millis('End of the freeze; null: not frozen, or frozen until a reset')),
  window: object(
    {
      qty: decimal('Contracts filled on both sides'),
      delta: decimal('Sum of delta; negative: sold'),
      vega: decimal('Sum of vega in USD per percentage point of volatility; negative: sold'),
    },
    'Sums of the fills within the latest `interval_ms`',
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
  remaining: unlimited('Requests left in the window'),
  reset: seconds('End of the window'),
})

export const rateLimits = {
  wallet,
  tier,
  windows: list(
    rateWindow,
    'Windows of the signed writes of the wallet, one for each category; all its signers share them',
  ),
  reads: described(rateWindow, 'Window of reads of the wallet from this client address'),
}

const equityPoint = object({
  timestamp: millis('Time of the point'),
  equity,
  net_deposits: decimal('Deposits less withdrawals until then, in USD'),
  'attribution?': mapOf(
    list(number()),
    'By symbol, or by `funding`, `liquidation` and `builder_fees`: position, entry price, realized profit, unrealized ' +
      'profit and the sum of both; absent if not requested',
  ),
})
const equitySeries = object({
  wallet_address: wallet,
  interval: oneOf(theoIntervals, 'Time between two points'),
  points: list(equityPoint, 'Points in rising order of time'),
})

const equityHistory = {
  group: 'Account',
  description:
    'One point at each full interval since the first credit, the latest ones. Past marks are recorded theoretical prices.',
  answeredBy: 'history',
  query: {
    ...param.pointRange,
    include_attribution: param.flag(false, 'True to include the profit of each symbol'),
  },
  answer: data(described(equitySeries, 'Equity of the wallet')),
} as const

const profile = object({
  wallet,
  account_wallet: address('Same as `wallet`'),
  username: deprecated(
    text('Name of the wallet; without one, a name derived from its address. Use GET /username'),
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
      unrealized: decimal('Profit of the open positions at the mark'),
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
  mode: oneOf(
    selfTradeModeNames,
    'Order that is canceled when the wallet would trade with itself: the new one, the resting one, or both',
  ),
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
  'canceled?': count('Number of canceled orders; only of CancelAll'),
  'fires_at?': nullable(
    millis(
      'Time at which the timer fires unless the wallet signs an action; null: no timer; only of SetDeadMan',
    ),
  ),
  'balance_after?': decimal('Cash after the withdrawal in USD; only of WithdrawUsdc'),
  'previous_mode?': oneOf(marginModeNames, 'Mode before the change; only of SetMarginMode'),
  'status?': text('Status of the request for quote, or `executed` for an acceptance'),
  'fill_id?': text('Trade id of the first leg as text; only of AcceptRFQQuote'),
})

const actionOutcome = object({
  wallet,
  digest: digest('EIP-712 digest of the signed action'),
  status: oneOf(
    ['accepted', 'in_flight', 'unknown'],
    '`accepted`; `in_flight`: accepted, and the order waits for quotes; `unknown`: not accepted so far, or no longer ' +
      'kept, as `kept` tells',
  ),
  action: nullable(
    text('Name of the signed struct, for a perp order that of an option; null: unknown'),
  ),
  nonce: nullable(nonce('Signed nonce; null: unknown')),
  timestamp: nullable(millis('Engine time of the result; null: unknown')),
  seq: nullable(seq('Sequence of the result; null: unknown')),
  outcome: nullable(
    anyOf([orderOutcome, otherOutcome]),
    'Result of the order, or the values that only the answer had; null: unknown',
  ),
  kept: object(
    {
      count: count('Number of kept results'),
      max: count('Largest number of results that the venue keeps for a wallet'),
      oldest_ms: nullable(millis('Engine time of the oldest kept result; null: none')),
      is_complete: flag(
        'True if the venue keeps all results of the wallet, so that it never accepted an unknown action',
      ),
    },
    'Kept results of the wallet',
  ),
})

export const accountReads = {
  'GET /authorized-agents': walletRead({
    group: 'Account',
    summary: 'Returns the agents of a wallet, and its keys for directives',
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
    summary: 'Returns tier and limits of a wallet',
    description: 'A wallet without an account has the default tier.',
    answer: data(described(userTier, 'Tier of the wallet')),
  }),
  'GET /username': walletRead({
    group: 'Account',
    summary: 'Returns the name of a wallet',
    description: '404 `not_found` if the wallet has no name.',
    errors: [Result.NotFound],
    answer: bare({
      wallet_address: wallet,
      username: text('Name of the wallet in lower case'),
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
    description: 'Over all time, or over the time range of the query or of a competition.',
    query: {
      competition_id: param.integer(
        [1, Number.MAX_SAFE_INTEGER],
        null,
        'Competition whose time range to use; not with `from_ts_ms` or `to_ts_ms`',
      ),
      ...param.span,
    },
    errors: [Result.NotFound],
    answer: data(list(realizedProfit, 'Realized profit by symbol, in order of the symbols')),
  }),
  'GET /self-trade-prevention': walletRead({
    group: 'Account',
    summary: 'Returns the self-trade prevention mode of a wallet',
    answer: data(described(selfTradePrevention, 'Mode of the wallet')),
  }),
  'GET /mmp-config': walletRead({
    group: 'Account',
    summary: 'Returns the market-maker protections of a wallet',
    query: { currency: param.text('Underlying to filter by; absent: all') },
    answer: data(list(mmpConfig, 'Protections of the wallet, one for each underlying')),
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
    summary: 'Returns payouts of expired options',
    description: 'Newest first. Filters combine.',
    answeredBy: 'history',
    query: {
      symbol: param.text(
        'Symbol of the option: `UNDERLYING-YYYYMMDD-STRIKE-C` or `-P`; the date also as `30JUN26`; absent: all',
      ),
      ledger_applied: param.flag(
        true,
        'False returns no rows: every payout is in the cash before it is listed',
      ),
      ...param.page(100, 50),
    },
    answer: rows(settlementPayout, 'Payouts that match the filters'),
  }),
  'GET /rate-limits': walletRead({
    group: 'Account',
    summary: 'Returns the rate-limit windows of a wallet',
    description: 'The windows are those of this request: it counts in `reads`.',
    answeredBy: 'gateway',
    answer: data(object({ ...rateLimits }, 'Windows of the wallet')),
  }),
  'GET /actions/outcome': walletRead({
    group: 'Account',
    summary: 'Returns the result of a signed action by its digest',
    description:
      'Use it after a lost answer: an action that is `unknown` while `kept.is_complete` is true was not accepted, and may ' +
      'be sent again unchanged.',
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
    wallet: address('Wallet that signed, as recovered; another one if the signing domain is wrong'),
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
  requested_username: text('Requested name in lower case'),
  status: oneOf(['approved', 'pending'], '`approved`, or `pending` until the operator decides'),
})

const payoutsSeen = object({
  success: exactly(true, 'Always true: the request succeeded'),
  requested: count('Number of ids in the request'),
  affected: count('Number of different ids that are payouts of the wallet'),
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
        '`standard`: the margin model of the environment; `portfolio`: in testnet and development only',
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
      mode: body.choice(
        selfTradeModeNames,
        'Order to cancel when the wallet would trade with itself: the new one, the resting one, or both',
      ),
    },
    isOwnersResort: true,
    example: { mode: 'cancel_maker' },
    answer: data(described(selfTradePrevention, 'Mode of the wallet')),
  }),
  'POST /user-tier': accountWrite({
    group: 'Account',
    summary: 'Sets the tier of a wallet; the operator signs it',
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
    summary: 'Sets the market-maker protection of an underlying',
    action: 'SetMmpConfig',
    body: {
      wallet: body.wallet('Wallet to protect'),
      currency: body.underlying('Underlying of the protection'),
      interval_ms: body.integer(1, mmpIntervalMillisMax, 'Length of the window in milliseconds'),
      frozen_time_ms: body.integer(
        0,
        mmpIntervalMillisMax,
        'Milliseconds for which new orders with mmp_enabled are rejected after it triggers; 0: until a reset',
      ),
      qty_limit: mmpLimit(
        'Traded contracts that trigger it; at least one of the three limits is required',
      ),
      delta_limit: mmpLimit('Absolute value of the sum of signed delta that triggers it'),
      vega_limit: mmpLimit('Absolute value of the sum of signed vega that triggers it'),
    },
    example: { currency: 'BTC', interval_ms: 1000, frozen_time_ms: 5000, qty_limit: '10' },
    answer: data(described(mmpConfig, 'The protection')),
  }),
  'DELETE /mmp-config': accountWrite({
    group: 'Account',
    summary: 'Removes the market-maker protection of an underlying',
    action: 'DeleteMmpConfig',
    body: {
      wallet: body.wallet('Wallet to protect'),
      currency: body.underlying('Underlying of the protection'),
    },
    errors: [Result.NotFound],
    example: { currency: 'BTC' },
    answer: data(exactly('deleted', 'Always `deleted`')),
  }),
  'POST /mmp-config/reset': accountWrite({
    group: 'Account',
    summary: 'Resets the sums of a market-maker protection and ends its freeze',
    action: 'ResetMmp',
    body: {
      wallet: body.wallet('Wallet to protect'),
      currency: body.underlying('Underlying of the protection'),
    },
    errors: [Result.NotFound],
    example: { currency: 'BTC' },
    answer: data(exactly('reset', 'Always `reset`')),
  }),
  'POST /approve-agent': accountWrite({
    group: 'Account',
    summary: 'Approves an agent, which may then sign for the wallet',
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
    summary: 'Revokes an agent; its orders stay',
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
    summary: 'Revokes all agents of the wallet; their orders stay',
    action: 'RevokeAllAgents',
    body: { wallet: signingWallet },
    signedBy: 'owner',
    isOwnersResort: true,
    example: {},
    answer: agentAnswer,
  }),
  'POST /submitUsernameRequest': accountWrite({
    group: 'Account',
    summary: 'Requests a name for the wallet',
    action: 'SubmitUsernameRequest',
    body: {
      wallet: body.wallet('Wallet to name'),
      requested_username: body.username(
        'Letters, digits and underscores, a letter first; the venue keeps it in lower case',
      ),
    },
    example: { requested_username: 'trader_one' },
    answer: data(described(usernameRequest, 'Request for the name')),
  }),
  'POST /settlement-payouts/seen': accountWrite({
    group: 'Account',
    summary: 'Marks settlement payouts as seen',
    action: 'SetSettlementPayoutSeen',
    body: {
      wallet: body.wallet('Wallet of the payouts'),
      ids: body.signedAs(
        'payoutIds',
        body.payoutIds(
          `1 to ${payoutIdsMax} ids of payouts; signed in their order, joined by commas`,
        ),
      ),
      seen: body.optional(body.boolean('True to mark them as seen; absent: true'), true, true),
    },
    example: { ids: [1, 2], seen: true },
    answer: whole(payoutsSeen, Envelope.Success),
  }),
}
