import { mmpIntervalMillisMax, mmpLimitMicrosMax, payoutIdsMax } from '../bounds.js'
import {
  marginModeNames,
  orderStatusNames,
  rateCategoryNames,
  selfTradeModeNames,
  sideNames,
  tierInputs,
  tierNames,
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
  object,
  oneOf,
  seconds,
  seq,
  text,
} from './shape.js'
import { accountWrite } from './write.js'

export const userTier = named('UserTier', {
  wallet_address: address('Wallet of the account'),
  tier: oneOf(tierNames, 'Tier of the wallet'),
  limits: object(
    {
      max_open_orders: integer('Largest number of working orders; -1: unlimited'),
      max_open_positions: integer('Largest number of positions; -1: unlimited'),
      orders_per_minute: integer('Orders per minute; -1: unlimited'),
      cancels_per_minute: integer('Cancels per minute; -1: unlimited'),
      api_requests_per_minute: integer('Other signed writes per minute; -1: unlimited'),
    },
    'Limits of the tier; -1: unlimited',
  ),
})
export type UserTier = JsonOf<typeof userTier>

export const mmpConfig = named('MmpConfig', {
  wallet_address: address('Wallet of the account'),
  currency: text('Name of the underlying'),
  interval_ms: count('Length of the window in milliseconds'),
  frozen_time_ms: count('Freeze in milliseconds after it triggers; 0: until it is reset'),
  qty_limit: nullable(decimal('Contracts that trigger it; null: no limit')),
  delta_limit: nullable(decimal('Absolute sum of delta that triggers it; null: no limit')),
  vega_limit: nullable(decimal('Absolute sum of vega that triggers it; null: no limit')),
  enabled: flag('True while it is set'),
  nonce: nonce('Nonce of the latest change'),
  frozen: flag('True while new orders are frozen'),
  frozen_until_ms: nullable(millis('End of the freeze; null: not frozen, or until a reset')),
  window: object(
    {
      qty: decimal('Contracts filled, both sides'),
      delta: decimal('Sum of delta'),
      vega: decimal('Sum of vega, of one point of volatility'),
    },
    'Current sums',
  ),
})
export type MmpConfig = JsonOf<typeof mmpConfig>

export const settledFields = {
  position_size: decimal('Position in contracts; negative: short'),
  settlement_price: decimal('Settlement value of a contract in USD; 0 before it settles'),
  settlement_value: decimal('Settlement value of the position in USD; below 0 the wallet paid'),
  settlement_entry_price: decimal('Mean entry price'),
  cost_basis: decimal('Cost of the position in USD; below 0 for a credit'),
  net_pnl: decimal('settlement_value less cost_basis'),
}

export const settledCosts = {
  underlying_price: decimal('Index in USD; of a settlement, the settlement index'),
  fee: decimal('Fee in USD; negative: a rebate'),
  borne: decimal('Reduction of the value because others could not pay'),
}

export const settlementPayout = named('SettlementPayout', {
  id: count('Id of the payout'),
  wallet: address('Wallet of the account'),
  symbol: text('Canonical symbol of the instrument'),
  expiry_ts: seconds('Expiry of the option'),
  ...settledFields,
  ledger_applied: flag('True if the balance includes it'),
  is_seen: flag('True if the wallet marked it as seen'),
  created_at: millis('Time of creation'),
  ...settledCosts,
})
export type SettlementPayout = JsonOf<typeof settlementPayout>

export const rateLimits = {
  wallet: address('Wallet of the account'),
  tier: oneOf(tierNames, 'Tier of the wallet'),
  windows: list(
    object({
      category: oneOf(rateCategoryNames, 'Category of the window'),
      limit: integer('Limit per minute; -1: unlimited'),
      remaining: integer('Requests left in the window; -1: unlimited'),
      reset: seconds('End of the window'),
    }),
    'One for each category of writes',
  ),
  reads: object(
    {
      category: oneOf(rateCategoryNames, 'Category of the window'),
      limit: integer('Limit per minute; -1: unlimited'),
      remaining: integer('Requests left in the window; -1: unlimited'),
      reset: seconds('End of the window'),
    },
    'Window of reads of the wallet from this client address',
  ),
}

const equityHistory = {
  query: {
    ...param.pointRange,
    include_attribution: param.flag(false, 'True to include the parts of each point, by symbol'),
  },
  answer: data(
    object({
      wallet_address: address('Wallet of the account'),
      interval: oneOf(theoIntervals, 'Time between two points'),
      points: list(
        object({
          timestamp: millis('End of the interval'),
          equity: decimal('Equity in USD: cash plus positions at mark'),
          net_deposits: decimal('Deposits less withdrawals, in USD'),
          'attribution?': mapOf(
            list(number()),
            'By symbol: position, entry price, realized and unrealized profit, and their sum',
          ),
        }),
        'Points, oldest first',
      ),
    }),
  ),
}

export const accountReads = {
  'GET /authorized-agents': walletRead({
    group: 'Account',
    summary: 'Returns the agents of a wallet, and its keys for directives',
    answer: bare({
      agents: list(address(), 'Agents that may sign for the wallet'),
      api_wallets: list(
        object({
          name: text('Name of the key'),
          address: address('Address of the key'),
        }),
        'Keys that may sign directives for the wallet, by name',
      ),
    }),
  }),
  'GET /user-tier': walletRead({
    group: 'Account',
    summary: 'Returns tier and limits of a wallet',
    answer: data(userTier),
  }),
  'GET /username': walletRead({
    group: 'Account',
    summary: 'Returns the name of a wallet',
    errors: [Result.NotFound],
    answer: bare({
      wallet_address: address('Wallet of the account'),
      username: text('Name of the wallet, or a name derived from its address'),
    }),
  }),
  'GET /profile': walletRead({
    group: 'Account',
    summary: 'Returns margin, transfers and profit of a wallet',
    answer: data(
      object({
        wallet: address('Wallet of the account'),
        account_wallet: address('The same wallet'),
        username: deprecated(
          text(
            'Name of the wallet; without one, a name derived from its address. Ask GET /username',
          ),
        ),
        account_first_seen_ts_ms: nullable(millis('Time of the first credit; null: never')),
        account_age_days: nullable(count('Whole days since the first credit; null: never')),
        margin: object(
          {
            in_use: decimal('Initial margin of its positions and orders'),
            available: decimal('Withdrawable amount'),
            total: decimal('Equity'),
            deposits: decimal('Sum of all deposits'),
            withdraws: decimal('Sum of all withdrawals'),
          },
          'Margin and money in USD',
        ),
        pnl: object(
          {
            unrealized: decimal('Profit of its positions at the marks'),
            pnl_24h: decimal('Realized profit of the last 24 hours'),
            lifetime_realized: decimal('Realized profit since the first credit'),
          },
          'Profit in USD',
        ),
      }),
    ),
  }),
  'GET /profile/realized-pnl': walletRead({
    group: 'Account',
    summary: 'Returns realized profit in a time range, by instrument',
    query: {
      competition_id: param.integer(
        [1, Number.MAX_SAFE_INTEGER],
        null,
        'Pass either `competition_id` or a time range, not both',
      ),
      ...param.span,
    },
    errors: [Result.NotFound],
    answer: data(
      list(
        object({
          symbol: text('Canonical symbol of the instrument'),
          realized_pnl: decimal('Realized profit in USD'),
          event_count: count('Number of fills, settlements and payments in the sum'),
        }),
        'Realized profit of each instrument',
      ),
    ),
  }),
  'GET /self-trade-prevention': walletRead({
    group: 'Account',
    summary: 'Returns the self-trade prevention mode',
    answer: data(
      object({
        wallet: address('Wallet of the account'),
        mode: oneOf(selfTradeModeNames, 'Mode in force'),
      }),
    ),
  }),
  'GET /mmp-config': walletRead({
    group: 'Account',
    summary: 'Returns the market-maker protections of a wallet',
    query: { currency: param.text('Name of an underlying') },
    answer: data(list(mmpConfig, 'Protections of the wallet, one for each underlying')),
  }),
  'GET /profile/historical-pnl': walletRead({
    group: 'Account',
    summary: 'Returns equity over time',
    answeredBy: 'history',
    ...equityHistory,
  }),
  'GET /historical-pnl': walletRead({
    group: 'Account',
    summary: 'Returns equity over time; another path of /profile/historical-pnl',
    answeredBy: 'history',
    ...equityHistory,
  }),
  'GET /settlement-payouts': walletRead({
    group: 'Account',
    summary: 'Returns payouts of expired options',
    answeredBy: 'history',
    query: {
      symbol: param.text(
        'Option: `UNDERLYING-YYYYMMDD-STRIKE-C` or `-P`; its date also as `30JUN26`. Signed exactly as sent',
      ),
      ledger_applied: param.flag(true, 'True for paid payouts, false for unpaid ones'),
      ...param.page(100, 50),
    },
    answer: rows(settlementPayout, 'Payouts, newest first'),
  }),
  'GET /rate-limits': walletRead({
    group: 'Account',
    summary: 'Returns the rate-limit windows of a wallet',
    answeredBy: 'gateway',
    answer: data(
      object({
        ...rateLimits,
      }),
    ),
  }),
  'GET /actions/outcome': walletRead({
    group: 'Account',
    summary: 'Returns the outcome of a signed action, found by its digest',
    answeredBy: 'gateway',
    query: { digest: param.digest },
    answer: data(
      object({
        wallet: address('Wallet of the account'),
        digest: digest('Signed EIP-712 digest'),
        status: oneOf(
          ['accepted', 'in_flight', 'unknown'],
          'State of the action; inside `outcome`, status of the order',
        ),
        action: nullable(text('Name of the signed struct')),
        nonce: nullable(nonce('Nonce of the signed request')),
        timestamp: nullable(millis('Time of the event')),
        seq: nullable(seq('Sequence of the event')),
        outcome: nullable(
          anyOf([
            object({
              status: oneOf(
                orderStatusNames,
                'State of the action; inside `outcome`, status of the order',
              ),
              order_id: nullable(count('Id of the order; null: none')),
              symbol: text('Canonical symbol of the instrument'),
              side: oneOf(sideNames, 'Side: `Buy` or `Sell`'),
              price: decimal('Price in USD per contract'),
              size: decimal('Size in contracts'),
              filled_size: decimal('Contracts filled so far'),
              client_id: nullable(text('Client id of the order; null or empty: none')),
              reason: nullable(text('Reason as text for people, which may change; null: none')),
              reason_code: nullable(reasonCode, 'Stable code of the reason; null: none'),
              mmp_triggered: flag('True if market-maker protection canceled the order'),
            }),
            object({
              'canceled?': count('Number of canceled orders'),
              'fires_at?': nullable(
                millis(
                  'Time at which the timer fires unless the wallet signs an action; null: never',
                ),
              ),
              'balance_after?': decimal('Cash of the wallet afterwards, in USD'),
              'previous_mode?': oneOf(marginModeNames, 'Mode before the change'),
              'status?': text('State of the action; inside `outcome`, status of the order'),
              'fill_id?': text(
                'Id of the fill; for a package, the trade id of its first leg; empty or null: no fill',
              ),
            }),
          ]),
          'Result; null if unknown',
        ),
        kept: object(
          {
            count: count('Number of kept outcomes'),
            max: count('Largest number of outcomes that the venue keeps'),
            oldest_ms: nullable(millis('Time of the oldest outcome; null: none')),
            is_complete: flag(
              'True if the venue dropped none; an unknown action was then never accepted',
            ),
          },
          'Kept outcomes of the wallet',
        ),
      }),
    ),
  }),
}

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
    answer: data(
      object({
        wallet: address('Wallet of the account'),
        margin_mode: oneOf(marginModeNames, 'Margin model of the wallet'),
        previous_mode: oneOf(marginModeNames, 'Mode before the change'),
      }),
    ),
  }),
  'POST /self-trade-prevention': accountWrite({
    group: 'Account',
    summary: 'Sets the self-trade prevention mode',
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
    answer: data(
      object({
        wallet: address('Wallet of the account'),
        mode: oneOf(selfTradeModeNames, 'Mode in force'),
      }),
    ),
  }),
  'POST /user-tier': accountWrite({
    group: 'Account',
    summary: 'Sets the tier of a wallet; signed by the operator',
    action: 'SetUserTier',
    body: {
      wallet: body.wallet('Wallet whose tier changes'),
      tier: body.choice(tierInputs, 'Tier of the wallet'),
    },
    signedBy: 'operator',
    example: { tier: 'tier2' },
    answer: data(userTier),
  }),
  'POST /mmp-config': accountWrite({
    group: 'Account',
    summary: 'Sets a market-maker protection',
    action: 'SetMmpConfig',
    body: {
      wallet: body.wallet('Wallet that is protected'),
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
    answer: data(mmpConfig),
  }),
  'DELETE /mmp-config': accountWrite({
    group: 'Account',
    summary: 'Removes a market-maker protection',
    action: 'DeleteMmpConfig',
    body: {
      wallet: body.wallet('Wallet that is protected'),
      currency: body.underlying('Underlying of the protection'),
    },
    errors: [Result.NotFound],
    example: { currency: 'BTC' },
    answer: data(exactly('deleted', 'Always `deleted`')),
  }),
  'POST /mmp-config/reset': accountWrite({
    group: 'Account',
    summary: 'Resets the sums and the freeze of a market-maker protection',
    action: 'ResetMmp',
    body: {
      wallet: body.wallet('Wallet that is protected'),
      currency: body.underlying('Underlying of the protection'),
    },
    errors: [Result.NotFound],
    example: { currency: 'BTC' },
    answer: data(exactly('reset', 'Always `reset`')),
  }),
  'POST /approve-agent': accountWrite({
    group: 'Account',
    summary: 'Approves an agent, which may sign for the signing wallet',
    action: 'ApproveAgent',
    body: {
      agent: body.agent('Address that may sign for the signing wallet'),
      wallet: signingWallet,
    },
    signedBy: 'owner',
    example: { agent: '0x89abcdef0123456789abcdef0123456789abcdef' },
    answer: whole(
      object({
        success: exactly(true, 'True if the request succeeded'),
        error: nothing('Reason of the failure; null: the request succeeded'),
        wallet: address('Wallet of the account'),
        seq: seq('Sequence of the event'),
      }),
      Envelope.Success,
    ),
  }),
  'DELETE /revoke-agent': accountWrite({
    group: 'Account',
    summary: 'Revokes an agent',
    action: 'RevokeAgent',
    body: {
      agent: body.agent('Address that may sign for the signing wallet'),
      wallet: signingWallet,
    },
    signedBy: 'owner',
    isOwnersResort: true,
    example: { agent: '0x89abcdef0123456789abcdef0123456789abcdef' },
    answer: whole(
      object({
        success: exactly(true, 'True if the request succeeded'),
        error: nothing('Reason of the failure; null: the request succeeded'),
        wallet: address('Wallet of the account'),
        seq: seq('Sequence of the event'),
      }),
      Envelope.Success,
    ),
  }),
  'DELETE /revoke-all-agents': accountWrite({
    group: 'Account',
    summary: 'Revokes all agents',
    action: 'RevokeAllAgents',
    body: { wallet: signingWallet },
    signedBy: 'owner',
    isOwnersResort: true,
    example: {},
    answer: whole(
      object({
        success: exactly(true, 'True if the request succeeded'),
        error: nothing('Reason of the failure; null: the request succeeded'),
        wallet: address('Wallet of the account'),
        seq: seq('Sequence of the event'),
      }),
      Envelope.Success,
    ),
  }),
  'POST /submitUsernameRequest': accountWrite({
    group: 'Account',
    summary: 'Requests a name for the wallet',
    action: 'SubmitUsernameRequest',
    body: {
      wallet: body.wallet('Wallet that asks for the name'),
      requested_username: body.username(
        'Letters, digits and underscores, a letter first; the venue keeps it in lower case',
      ),
    },
    example: { requested_username: 'trader_one' },
    answer: data(
      object({
        wallet_address: address('Wallet of the account'),
        requested_username: text('Requested name in lower case'),
        status: oneOf(
          ['approved', 'pending'],
          '`approved`, or `pending` until the operator decides',
        ),
      }),
    ),
  }),
  'POST /settlement-payouts/seen': accountWrite({
    group: 'Account',
    summary: 'Marks payouts as seen',
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
    answer: whole(
      object({
        success: exactly(true, 'True if the request succeeded'),
        requested: count('Requested ids'),
        affected: count('Payouts that changed'),
        error: nothing('Always null'),
        seq: seq('Sequence of the event'),
      }),
      Envelope.Success,
    ),
  }),
}
