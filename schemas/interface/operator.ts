import {
  builderStatusNames,
  clockChoiceNames,
  competitionMetricNames,
  haltModeNames,
  invariantNames,
  withdrawalVerdictNames,
} from '../domain.js'
import { liquidationStateNames } from '../record-values.js'
import { type Answer, whole } from './answer.js'
import { degradedFields } from './health-status.js'
import * as param from './parameter.js'
import { liquidationMode, requiredMaintenance, shortfall, timersStand } from './risk.js'
import {
  address,
  anything,
  count,
  decimal,
  exactly,
  flag,
  type JsonOf,
  list,
  mapOf,
  millis,
  nullable,
  number,
  type ObjectOf,
  object,
  oneOf,
  type Shape,
  type ShapeFields,
  seconds,
  seq,
  text,
  uuid,
} from './shape.js'
import { equity, symbol, tier, underlying, wallet } from './terms.js'

/** Scopes of operator tokens, with the permissions of each. A token has one or several. */
export const scopeWords = {
  read: 'state, quote providers, pending usernames and approvals, and the audit log; read-only',
  prices:
    'index prices, volatility surfaces and settlement prices. They drive marks, liquidations and payouts, so ' +
    'this scope ' +
    'can move any amount between wallets',
  instruments: 'listing and delisting of instruments, and the highest accepted index',
  money: 'deposits, the insurance fund, results of withdrawals, and approvals of such requests',
  halts:
    'halting and opening the market, resuming stopped wallets, and the choice of time after a clock step',
  all: 'everything, including tiers, builders, quote providers, usernames and competitions',
} as const

export type OperatorScope = keyof typeof scopeWords
export const operatorScopes = Object.keys(scopeWords) as readonly OperatorScope[]

/** States of an audited action. `requested` is written before the action, one of the others after it. */
export const auditOutcomes = [
  ...(['requested', 'done', 'refused', 'waiting', 'expired'] as const),
  ...(['unknown', 'damaged'] as const),
] as const
export type AuditOutcome = (typeof auditOutcomes)[number]

/** States of a quote provider. */
export const providerStatuses = ['active', 'suspended'] as const
/** Decisions of an operator. */
export const verdicts = ['approved', 'rejected'] as const

/** Groups of operations, with their descriptions. */
export const operatorGroups = {
  Health: 'Health and metrics of the venue',
  Documents: 'Documents and pages of this port',
  Accounts: 'Money, tiers and roles of wallets',
  Market: 'Instruments, index prices, volatility surfaces and settlement prices',
  Audit: 'Audit log of operator actions, and requests that wait for approval',
  Venue: 'Trading halts, clock, insurance fund and competitions',
} as const

/** An operation of the operator port. */
export interface OperatorRow<Json = unknown, Q extends param.Parameters = param.Parameters> {
  readonly group: keyof typeof operatorGroups
  readonly summary: string
  readonly description?: string
  /** Scope that its token needs; null: any token; absent: no token. */
  readonly scope?: OperatorScope | null
  /** Parameters of a read. */
  readonly query: Q
  /** Body of a write, as an example. */
  readonly example?: Readonly<Record<string, unknown>>
  /** Absent: not JSON. */
  readonly answer?: Answer<Json>
}

const ok = exactly(true, 'Always true: the request succeeded')
const changed = flag('False if the request changed nothing')
const limit = count('Maximum number of rows')
const batchNumber = count('Number of the latest batch')

/** A broken invariant. */
const breachFields = {
  invariant: oneOf(invariantNames, 'Name of the broken invariant'),
  text: text('Description of the breach'),
  'amounts?': mapOf(
    text(),
    'Exact amounts of the breach, by name; absent: the venue found it before this start',
  ),
  'batch_number?': count(
    'Batch in which the venue found the breach; absent: it found it before this start',
  ),
}
const breach = object({
  ...breachFields,
  'wallet?': address('Wallet that the breach stopped; absent: the breach halts the market'),
})
export type BreachText = JsonOf<typeof breach>

const stoppedWallet = object({ ...breachFields, wallet: address('Stopped wallet') })
export type StoppedWallet = JsonOf<typeof stoppedWallet>

const liveness = object({
  status: oneOf(['ok', 'failing'], '`ok`; `failing`: HTTP status 503'),
  failing: list(
    object({
      role: text('Role of the thread, or `clock`'),
      'silentMillis?': nullable(
        number('Milliseconds since the last heartbeat of the thread; absent: the thread responds'),
      ),
      'alarm?': oneOf(['clock', 'invariant'], 'Kind of the alarm; absent: the thread is silent'),
      'state?': oneOf(
        ['stepped', 'accepted'],
        'State of a clock alarm: `stepped`: awaits a decision; `accepted`: decided, trading continues soon',
      ),
      'aheadMillis?': number(
        'Milliseconds by which the machine clock is ahead of engine time; present for a clock alarm',
      ),
      'invariant?': oneOf(invariantNames, 'Name of the broken invariant'),
      'text?': text('Description of the breach'),
      'amounts?': mapOf(text(), 'Exact amounts of the breach, by name'),
      'batch_number?': count('Batch in which the venue found the breach'),
    }),
    'Parts that fail; empty: none',
  ),
  'stopped_wallets?': list(
    stoppedWallet,
    'Wallets that the venue stopped because of a broken invariant; absent: none',
  ),
})
export type Liveness = JsonOf<typeof liveness>

const readiness = object({
  status: oneOf(
    ['ready', 'degraded', 'not_ready'],
    '`ready`; `degraded`: the venue trades, but a part is out of service; `not_ready`: HTTP status 503',
  ),
  ...degradedFields,
  failing: list(text(), 'Reasons for `not_ready`; empty: none'),
})
export type Readiness = JsonOf<typeof readiness>

const threadState = object({
  role: text('Role of the thread'),
  thread_id: count('Thread id in the operating system'),
  heartbeat_ms: number('Last heartbeat in Unix milliseconds; 0: none yet'),
  work_seconds: number('Busy time since the start, in seconds'),
  processor_seconds: nullable(
    number('Processor time since the start, in seconds; null: the system does not report it'),
  ),
})
const fundState = object(
  {
    fees: decimal('Fees earned'),
    insurance: decimal('Balance of the insurance fund'),
    dust: decimal('Rounding remainders'),
    clearing: decimal(
      'Money in transfer between payers and payees; 0 unless the venue is settling an expiry',
    ),
    in_transit: decimal('Withdrawals that are neither delivered nor returned yet'),
    insurance_deposits: decimal('Deposits of the operator into the insurance fund'),
  },
  'Funds of the venue, in USD',
)
const state = object({
  ok,
  ready: flag('True if the venue accepts orders'),
  draining: flag('True while the venue shuts down and accepts no new requests'),
  seq: seq('Sequence of the latest event'),
  batch_number: batchNumber,
  state_hash: stateHash('Hash of the engine state after that batch'),
  threads: list(threadState, 'Threads of the venue'),
  rings: mapOf(count(), 'Unread bytes of each ring, by name'),
  journal: object(
    {
      batch_number: count('Number of the latest batch in the journal'),
      bytes: count('Bytes written since the start'),
      segments_finished: count('Number of finished segments'),
      snapshot_batch_number: count('Batch of the latest snapshot'),
      flushes: count('Number of flushes since the start'),
      flush_ms: number('Total duration of the flushes, in milliseconds'),
      flush_ms_max: number('Duration of the slowest flush, in milliseconds'),
    },
    'Progress of the journal',
  ),
  event_log: object(
    {
      head: count('Offset up to which events are written, modulo 2^32'),
      durable: count('Offset up to which events are durable, modulo 2^32'),
    },
    'Progress of the event log',
  ),
  history: object(
    { seq: seq('Sequence of the latest event in the history store') },
    'Progress of the history store',
  ),
  clock: object(
    {
      alarm: flag('True from a clock step until trading continues'),
      ahead_ms: number('Milliseconds by which the machine clock is ahead of engine time'),
      offset_ms: number(
        'Part of that lead that the operator accepted by choosing engine time, in milliseconds',
      ),
    },
    'State of the clock',
  ),
  invariants: object(
    {
      looks: count('Number of checks since the start'),
      batch_number: count('Number of the latest checked batch'),
      breaches: list(breach, 'Broken invariants that the operator has not resolved; empty: none'),
    },
    'State of the invariant checks',
  ),
  halts: nullable(
    list(
      object({ underlying, mode: oneOf(haltModeNames, 'Halt mode') }),
      'Halt mode of each underlying; null: not known yet',
    ),
  ),
  venue: nullable(
    object(
      {
        funds: fundState,
        liquidations: object(
          {
            pre_liquidation: count('Wallets below maintenance margin, in their grace period'),
            partial: count('Wallets in partial liquidation'),
            full: count('Wallets in auction'),
            waiting: count('Wallets whose margin check waits for a mark'),
          },
          'Number of wallets in each phase of liquidation',
        ),
        expiries_pending: object(
          {
            count: count('Number of pending expiries'),
            expiries: list(
              object({ underlying, expiry: seconds('Expiry') }),
              'First pending expiries',
            ),
          },
          'Past expiries that need a settlement price from the operator',
        ),
      },
      'Funds, liquidations and expiries; null: not known yet',
    ),
  ),
})
export type VenueState = JsonOf<typeof state>

const listedProvider = object({
  wallet: address('Wallet of the provider'),
  status: oneOf(providerStatuses, '`active` if the wallet may quote'),
  sessions: count('Number of open sessions'),
})
export type ListedProvider = JsonOf<typeof listedProvider>

const liquidatedWallet = object({
  wallet,
  state: oneOf(liquidationStateNames, 'Liquidation state of the account'),
  liquidation_mode: liquidationMode,
  waits_for_mark: flag('True while a missing mark prevents the margin check'),
  timers_stand: timersStand,
  entered_ts_ms: nullable(millis('Start of the phase; null: the account is healthy')),
  deadline_ts_ms: nullable(millis('End of the phase; null: no deadline')),
  equity,
  mm_required: requiredMaintenance,
  shortfall,
})
export type LiquidatedWallet = JsonOf<typeof liquidatedWallet>

const pendingName = object({
  wallet: address('Wallet that requested the username'),
  requested_username: text('Requested username in lower case'),
  username: nullable(text('Current username; null: none')),
})
export type PendingName = JsonOf<typeof pendingName>

/** Position of the rows of a page. */
const position = object(
  {
    limit,
    offset: count('Number of rows skipped before these'),
    count: count('Number of rows in this answer'),
    total: count('Number of rows in the whole list'),
  },
  'Position of these rows in the list',
)

const requestFields = {
  method: text('Method of the request'),
  path: text('Path of the request'),
}
const approvalId = uuid('Id of the request that waits for approval')
const requestBody = object({}, 'Body of the request, without secrets')
const requester = text('Identity that made the request')

const auditRow = object({
  id: count('Number of the line, rising; 0: a damaged line'),
  time_ms: millis('Time of the line'),
  outcome: oneOf(
    auditOutcomes,
    '`done`: the request succeeded; `refused`: it failed; `waiting`: it awaits approval; `expired`: nobody ' +
      'approved it in ' +
      'time; `unknown`: the log has no result; `damaged`: the line is unreadable; `requested` is never listed',
  ),
  identity: nullable(text('Identity of the token; null: the token is unknown')),
  address: text('IP address of the client; empty: the line records an expiry'),
  ...requestFields,
  body: anything('Body of the request, without secrets; null: the venue did not read it'),
  status: count('HTTP status of the answer; 0: none'),
  code: nullable(text('Code of the error; null: none')),
  seq: nullable(seq('Sequence of the change; null: none')),
  left_out: count('Number of preceding failed requests that the log omits'),
  requested: nullable(
    object(
      {
        approval_id: approvalId,
        ...requestFields,
        body: requestBody,
        identity: requester,
      },
      'Request that awaits approval, or that was approved, rejected or expired; null: none',
    ),
  ),
})
export type AuditRow = JsonOf<typeof auditRow>

const waitingRequest = object({
  approval_id: approvalId,
  ...requestFields,
  body: requestBody,
  requested_by: requester,
  requested_ts_ms: millis('Time of the request'),
  expires_ts_ms: millis('Time at which the request expires without approval'),
})

const decision = object({
  ok,
  approval_id: approvalId,
  verdict: oneOf(verdicts, 'Decision'),
  requested_by: requester,
  'approved_by?': text('Identity that approved the request; absent: rejected'),
  'seq?': seq('Sequence of the change; absent: rejected'),
  'timestamp?': millis('Engine time of the change; absent: rejected'),
  'answer?': object(
    {},
    'Answer to the approved request, without `seq` and `timestamp`; absent: rejected',
  ),
})
export type ApprovalDecision = JsonOf<typeof decision>

const depositFields = {
  result: oneOf(
    ['DEPOSIT_CREDITED', 'DEPOSIT_ALREADY_CREDITED'],
    '`DEPOSIT_CREDITED`; `DEPOSIT_ALREADY_CREDITED`: a deposit with this id was credited before',
  ),
  changed,
  amount: decimal('Credited amount in USD'),
  deposit_id: nullable(text('Id of the deposit; null: none')),
}
const expiry = seconds('Expiry')
const instrumentId = count('Numeric id of the instrument; ids rise in order of listing')
const tierAnswer = done({ wallet, tier })
const tierExample = { wallet: '0x0123456789abcdef0123456789abcdef01234567', tier: 'tier1' }

/** Operations by method and path. A path that ends in a slash is followed by a parameter. */
export const operatorRows = {
  'GET /livez': operation({
    group: 'Health',
    summary: 'Reports the liveness of the process',
    description:
      'Answers 503 while a thread is silent, the clock is in alarm, or a broken invariant halts the market. ' +
      'Stopped wallets ' +
      'do not change the 200, so that a supervisor does not restart the venue because of one wallet.',
    answer: whole(liveness),
  }),
  'GET /readyz': operation({
    group: 'Health',
    summary: 'Reports the readiness of the venue for requests',
    description:
      'Answers 503 while the venue is not ready. A `degraded` venue accepts orders and cancels, and answers 200.',
    answer: whole(readiness),
  }),
  'GET /metrics': page({
    group: 'Health',
    summary: 'Returns the metrics of the venue in the text format of Prometheus',
  }),
  'GET /metrics/detail': page({
    group: 'Health',
    summary: 'Returns the metrics of each instrument in the text format of Prometheus',
  }),
  'GET /openapi.json': operation({
    group: 'Documents',
    summary: 'Returns this document',
    answer: whole(object({})),
  }),
  'GET /docs': page({
    group: 'Documents',
    summary: 'Returns this document as a page with a form for each operation',
  }),
  'GET /docs/': page({
    group: 'Documents',
    summary: 'Returns a file of that page',
  }),
  'GET /app': page({
    group: 'Documents',
    summary: 'Returns the page for operators',
  }),
  'GET /app/': page({
    group: 'Documents',
    summary: 'Returns a file of that page',
  }),
  'GET /operator/identity': operation({
    group: 'Audit',
    summary: 'Returns the identity and the scopes of the token',
    scope: null,
    answer: whole(
      object({
        ok,
        identity: text('Identity of the token'),
        scopes: list(oneOf(operatorScopes), 'Scopes of the token'),
      }),
    ),
  }),
  'GET /operator/quote-providers': operation({
    group: 'Accounts',
    summary: 'Returns the quote providers, with their status and open sessions',
    description: 'Includes every wallet ever registered, also suspended ones.',
    scope: 'read',
    answer: whole(object({ ok, data: list(listedProvider, 'Quote providers') })),
  }),
  'GET /operator/state': operation({
    group: 'Health',
    summary: 'Returns threads, sequences, rings, journal, state hash, clock and funds',
    scope: 'read',
    answer: whole(state),
  }),
  'GET /operator/liquidations': operation({
    group: 'Accounts',
    summary: 'Returns the wallets in liquidation',
    description:
      'Includes healthy wallets whose margin check waits for a mark. Sorted by phase, the most advanced first, ' +
      'then by time ' +
      'in the phase, the longest first. Values date from the latest change of each wallet.',
    scope: 'read',
    query: param.page(100, 50),
    answer: whole(
      object({ ok, data: list(liquidatedWallet, 'Wallets in liquidation'), pagination: position }),
    ),
  }),
  'GET /operator/usernames': operation({
    group: 'Accounts',
    summary: 'Returns the usernames that await approval',
    description: 'Sorted by time of request, oldest first.',
    scope: 'read',
    query: {
      wallet: param.address('Wallet to filter by; absent: all'),
      ...param.page(100, 50),
    },
    answer: whole(
      object({
        ok,
        data: list(pendingName, 'Usernames that await approval'),
        pagination: position,
      }),
    ),
  }),
  'GET /operator/audit': operation({
    group: 'Audit',
    summary: 'Returns the audit log of operator actions',
    description:
      'Newest first, including failed requests; the log omits successful reads. A page may have fewer rows than ' +
      '`limit` ' +
      'although more pages follow.',
    scope: 'read',
    query: {
      identity: param.text('Identity to filter by; absent: all'),
      path: param.text('Path to filter by; absent: all'),
      limit: param.integer([1, 200], 50, 'Maximum number of rows'),
      cursor: param.cursor,
    },
    answer: whole(
      object({
        ok,
        data: list(auditRow, 'Actions that match the filters'),
        page: object(
          {
            limit,
            next_cursor: nullable(
              text('Value of `cursor` for the next page; null: this is the last page'),
            ),
            has_more: flag('True if there are more pages'),
          },
          'Position of the next page',
        ),
      }),
    ),
  }),
  'GET /operator/approvals': operation({
    group: 'Audit',
    summary: 'Returns the requests that await the approval of another identity',
    scope: 'read',
    answer: whole(object({ ok, data: list(waitingRequest, 'Requests that await approval') })),
  }),
  'POST /operator/approvals': operation({
    group: 'Audit',
    summary: 'Approves or rejects a request that awaits approval',
    description:
      'An identity other than the requester must approve the request; the venue then executes it. The requester ' +
      'may reject ' +
      'its own request.',
    scope: 'money',
    example: { approval_id: '6f1c3f0e-8f0f-4d57-9b1c-2a4be2f0a001', verdict: 'approved' },
    answer: whole(decision),
  }),
  'POST /operator/deposits': operation({
    group: 'Accounts',
    summary: 'Credits a wallet',
    description:
      'The venue credits each `deposit_id` once. The first deposit opens the account of the wallet.',
    scope: 'money',
    example: {
      wallet: '0x0123456789abcdef0123456789abcdef01234567',
      amount: '100000',
      deposit_id: 'wire-1',
    },
    answer: done({
      ...depositFields,
      wallet: address('Credited wallet'),
    }),
  }),
  'POST /operator/insurance-fund': operation({
    group: 'Venue',
    summary: 'Credits the insurance fund',
    description: 'The venue credits each `deposit_id` once.',
    scope: 'money',
    example: { amount: '1000', deposit_id: 'fund-1' },
    answer: done(depositFields),
  }),
  'POST /operator/instruments': operation({
    group: 'Market',
    summary: 'Lists an option or a perp',
    description: 'A second request for a listed instrument changes nothing.',
    scope: 'instruments',
    example: { symbol: 'BTC-20301227-100000-C', trading_mode: 'both' },
    answer: done({
      result: oneOf(
        ['MARKET_CREATED', 'MARKET_ALREADY_EXISTS', 'MARKET_PENDING_SETTLEMENT', 'MARKET_EXPIRED'],
        '`MARKET_PENDING_SETTLEMENT`: expired, awaiting its settlement price; `MARKET_EXPIRED`: settled',
      ),
      changed,
      symbol,
      instrument_id: instrumentId,
      'expiry?': seconds('Expiry of the new option; absent: a perp, or the request listed nothing'),
    }),
  }),
  'DELETE /operator/instruments': operation({
    group: 'Market',
    summary: 'Delists an instrument without open positions',
    description: 'The venue cancels all working orders of the instrument.',
    scope: 'instruments',
    example: { symbol: 'BTC-20301227-100000-C' },
    answer: done({
      result: exactly('MARKET_DELETED', 'Always `MARKET_DELETED`'),
      changed,
      symbol,
      instrument_id: instrumentId,
    }),
  }),
  'POST /operator/index-prices': operation({
    group: 'Market',
    summary: 'Sets index prices',
    description:
      'The venue ignores an observation that is older than the current one of its underlying.',
    scope: 'prices',
    example: { prices: [{ underlying: 'BTC', price: '100000' }] },
    answer: done({
      changed,
      prices: list(
        object({
          underlying,
          price: decimal('Index price in USD'),
          timestamp: millis('Time of the observation'),
        }),
        'Prices of the request',
      ),
    }),
  }),
  'POST /operator/vol-surfaces': operation({
    group: 'Market',
    summary: 'Sets the volatility surface of an expiry, as points or as SVI parameters',
    scope: 'prices',
    example: {
      underlying: 'BTC',
      expiry: '2030-12-27',
      points: [
        { strike: 90000, iv: 0.6 },
        { strike: 110000, iv: 0.55 },
      ],
    },
    answer: done({
      underlying,
      expiry,
      kind: oneOf(['points', 'svi'], 'Form of the surface in the request'),
    }),
  }),
  'POST /operator/settlement-prices': operation({
    group: 'Market',
    summary: 'Sets the settlement price of an expiry that has too few valid samples',
    scope: 'prices',
    example: { underlying: 'BTC', expiry: '2030-12-27', price: '100000' },
    answer: done({
      result: oneOf(
        ['SETTLEMENT_PRICE_SET', 'SETTLEMENT_PRICE_ALREADY_SET'],
        '`SETTLEMENT_PRICE_SET`; `SETTLEMENT_PRICE_ALREADY_SET`: the same price was set before',
      ),
      changed,
      underlying,
      expiry,
      price: decimal('Settlement price of the underlying in USD'),
    }),
  }),
  'POST /operator/max-index': operation({
    group: 'Market',
    summary: 'Raises the highest index price that the venue accepts',
    scope: 'instruments',
    example: { underlying: 'BTC', max_index: '2000000' },
    answer: done({
      changed,
      underlying,
      max_index: decimal('Highest index price that the venue now accepts, in USD'),
    }),
  }),
  'POST /operator/halts': operation({
    group: 'Venue',
    summary: 'Halts or reopens an underlying, or the whole market',
    scope: 'halts',
    example: { underlying: 'BTC', mode: 'open' },
    answer: done({
      underlying: nullable(text('Underlying of the halt; null: all')),
      mode: oneOf(
        haltModeNames,
        'New halt mode. `open`: normal trading; `cancel_only`: cancels only; `halted`: cancels only, and ' +
          'liquidations pause',
      ),
    }),
  }),
  'POST /operator/wallet-halts': operation({
    group: 'Venue',
    summary: 'Resumes a wallet that the engine stopped because of a broken invariant',
    scope: 'halts',
    example: { wallet: '0x0123456789abcdef0123456789abcdef01234567', mode: 'open' },
    answer: done({
      changed,
      wallet,
      mode: exactly('open', 'Always `open`: the wallet may trade again'),
    }),
  }),
  'POST /operator/clock': operation({
    group: 'Venue',
    summary: 'Selects the time to continue with after a clock step',
    description:
      'Engine time never goes back. If the machine clock is behind engine time, trading waits until the clock ' +
      'catches up.',
    scope: 'halts',
    example: { accept: 'engine' },
    answer: done({
      result: oneOf(
        ['CLOCK_ACCEPTED', 'CLOCK_NOT_IN_ALARM'],
        '`CLOCK_ACCEPTED`; `CLOCK_NOT_IN_ALARM`: there was no alarm to end',
      ),
      changed,
      accept: oneOf(
        clockChoiceNames,
        'Time to continue with: `wall`: the machine clock; `engine`: engine time',
      ),
      clock: millis('Time of the machine clock'),
      waits_ms: count('Milliseconds until trading continues; 0: immediately'),
    }),
  }),
  'POST /operator/tiers': operation({
    group: 'Accounts',
    summary: 'Sets the tier of a wallet',
    scope: 'all',
    example: tierExample,
    answer: tierAnswer,
  }),
  'POST /user-tier': operation({
    group: 'Accounts',
    summary: 'Sets the tier of a wallet; same as POST /operator/tiers',
    description: 'Lets a client of the public path change only the port.',
    scope: 'all',
    example: tierExample,
    answer: tierAnswer,
  }),
  'POST /operator/builders': operation({
    group: 'Accounts',
    summary: 'Registers or suspends a builder',
    description: 'An active builder earns a share of the fees of orders that name it.',
    scope: 'all',
    example: { builder: '0x0123456789abcdef0123456789abcdef01234567', status: 'active' },
    answer: done({
      changed,
      builder: address('Address of the builder'),
      status: oneOf(builderStatusNames, '`active` if the builder earns fees'),
    }),
  }),
  'POST /operator/quote-providers': operation({
    group: 'Accounts',
    summary: 'Registers or suspends a quote provider',
    description:
      'The venue opens an account for a new provider. Suspension ends the sessions and quotes of the provider.',
    scope: 'all',
    example: { wallet: '0x0123456789abcdef0123456789abcdef01234567', status: 'active' },
    answer: done({
      changed,
      wallet,
      status: oneOf(providerStatuses, '`active` if the wallet may quote'),
    }),
  }),
  'POST /operator/usernames': operation({
    group: 'Accounts',
    summary: 'Approves or rejects the username that a wallet requested',
    description: 'Send `username`, so that the verdict cannot apply to a newer request.',
    scope: 'all',
    example: {
      wallet: '0x0123456789abcdef0123456789abcdef01234567',
      verdict: 'approved',
      username: 'desk_one',
    },
    answer: done({
      changed,
      wallet,
      verdict: oneOf(verdicts, 'Decision'),
    }),
  }),
  'POST /operator/competitions': operation({
    group: 'Venue',
    summary: 'Creates or changes a competition',
    description:
      'With `id`, or with the name of a competition that has not ended, the request changes that competition. It ' +
      'cannot move ' +
      'the start of a running competition.',
    scope: 'all',
    example: {
      name: 'First week',
      win_conditions: ['pnl', 'volume'],
      start_ts_ms: 1924560000000,
      end_ts_ms: 1925164800000,
      description: 'Demo funds',
      rules_url: 'https://example.org/rules',
    },
    answer: done({
      result: oneOf(
        ['COMPETITION_SET', 'COMPETITION_ALREADY_SET'],
        '`COMPETITION_SET`; `COMPETITION_ALREADY_SET`: the request changed nothing',
      ),
      changed,
      id: count('Id of the competition'),
      name: text('Name of the competition'),
      start_ts_ms: millis('Start of the competition'),
      end_ts_ms: millis('End of the competition'),
      win_conditions: list(
        oneOf(competitionMetricNames),
        'Metrics that rank wallets, the primary one first',
      ),
    }),
  }),
  'POST /operator/withdrawals': operation({
    group: 'Accounts',
    summary: 'Sets the result of a withdrawal that the payment rail gave up on',
    description: 'With `returned` the venue credits the amount back to the wallet.',
    scope: 'money',
    example: { directive_id: '6f1c3f0e-8f0f-4d57-9b1c-2a4be2f0a001', verdict: 'returned' },
    answer: done({
      changed,
      directive_id: uuid('Id of the withdrawal'),
      verdict: oneOf(withdrawalVerdictNames, 'Result of the withdrawal'),
    }),
  }),
}

/** Methods and paths of the operations. */
export type OperatorKey = keyof typeof operatorRows
/** Methods and paths of the writes. */
export type OperatorWriteKey = Exclude<OperatorKey, `GET ${string}`>
/** Type of an answer. */
export type OperatorAnswer<Key extends OperatorKey> =
  (typeof operatorRows)[Key] extends OperatorRow<infer Json> ? Json : never

/** Answer of a money operation that waits for a second approval. */
export const waitsForApproval = object({
  ok,
  result: exactly('WAITS_FOR_APPROVAL', 'Always `WAITS_FOR_APPROVAL`'),
  approval_id: uuid('Id for POST /operator/approvals'),
  requested_by: requester,
  expires_ts_ms: millis('Time at which the request expires without approval'),
})
export type WaitsForApproval = JsonOf<typeof waitsForApproval>

// Function declarations, because the table above is built while this file loads.

/** @param row a read without parameters unless it has some. */
function operation<Json, const Q extends param.Parameters = Record<never, never>>(
  row: Omit<OperatorRow<Json, Q>, 'query' | 'answer'> & {
    readonly query?: Q
    readonly answer: Answer<Json>
  },
): OperatorRow<Json, Q> & { readonly answer: Answer<Json> } {
  return { query: {} as Q, ...row }
}

/** A page, or a text that is not JSON. */
function page(
  row: Pick<OperatorRow, 'group' | 'summary'>,
): OperatorRow<never, Record<never, never>> {
  return { query: {}, ...row }
}

/** Answer of a command: its result and its sequence. */
function done<const F extends ShapeFields>(fields: F): Answer<Done & ObjectOf<F>> {
  const shape: Shape<unknown> = object({ ...doneFields(), ...fields })
  return whole(shape as Shape<Done & ObjectOf<F>>)
}

/** Fields of every answer of a command. */
export type Done = ObjectOf<ReturnType<typeof doneFields>>

function doneFields() {
  return {
    ok,
    seq: seq('Sequence of the change'),
    timestamp: millis('Engine time of the change'),
  }
}

function stateHash(description: string): Shape<string> {
  return { schema: { type: 'string', pattern: '^[0-9a-f]{16}$', description } }
}
