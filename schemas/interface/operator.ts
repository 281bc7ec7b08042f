import {
  builderStatusNames,
  clockChoiceNames,
  competitionMetricNames,
  degradableParts,
  haltModeNames,
  invariantNames,
  tierNames,
  withdrawalVerdictNames,
} from '../domain.js'
import { liquidationModeNames, liquidationStateNames } from '../record-values.js'
import {
  address,
  anything,
  count,
  decimal,
  exactly,
  flag,
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

/** Scopes of operator tokens, with what each permits. A token has one or several. */
export const scopeWords = {
  read: 'state, quote providers, names and requests that wait, the audit log; changes nothing',
  prices:
    'index prices, volatility surfaces and settlement prices; by marks, liquidations and what an ' +
    'expiry pays they move money from wallet to wallet, of any size',
  instruments: 'listing and delisting, and how high an index may rise',
  money: 'deposits, the insurance fund, what became of a withdrawal',
  halts:
    'halting and opening the market, resuming a stopped wallet, and the time after a step of the clock',
  all: 'everything, also tiers, builders, quote providers, names and competitions',
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

/** Groups of operations, with their descriptions. */
export const operatorGroups = {
  Health: 'Health and figures of the venue',
  Documents: 'Documents and pages of this port',
  Accounts: 'Money, tiers and roles of wallets',
  Market: 'Instruments, and the prices that they follow',
  Audit: 'Actions of operators, and requests that wait for approval',
  Venue: 'Halts of the market and of wallets, clock, insurance fund, competitions',
} as const

/** An operation of the operator port. */
export interface OperatorRow<Json = unknown> {
  readonly group: keyof typeof operatorGroups
  readonly summary: string
  /** Scope that its token needs; null: any token; absent: no token. */
  readonly scope?: OperatorScope | null
  /** Body of a write, as an example. */
  readonly example?: Readonly<Record<string, unknown>>
  /** Absent: not JSON. */
  readonly answer?: Shape<Json>
}

/** Operations by method and path. A path that ends in a slash is followed by a parameter. */
export const operatorRows = {
  'GET /livez': operation({
    group: 'Health',
    summary:
      '503 while a thread is silent, the clock is in alarm, or a broken invariant halts the market; stopped wallets leave it at 200',
    answer: object({
      status: oneOf(['ok', 'failing'], '`failing` with HTTP status 503, else `ok`'),
      failing: list(
        object({
          role: text('Role of the thread'),
          'silentMillis?': nullable(
            number('Milliseconds since its last heartbeat; null: it has had none'),
          ),
          'alarm?': oneOf(['clock', 'invariant'], 'Kind of the alarm, or true while there is one'),
          'state?': oneOf(['stepped', 'accepted'], '`stepped`, or `accepted` by the operator'),
          'aheadMillis?': number(
            'Milliseconds by which the clock of the machine is ahead of engine time',
          ),
          'invariant?': oneOf(invariantNames, 'Name of the broken invariant'),
          'text?': text('Description of the breach'),
          'amounts?': mapOf(text(), 'Exact amounts of the breach, by name'),
          'batch_number?': count('Number of the latest batch'),
        }),
        'Failing parts; empty: none',
      ),
      'stopped_wallets?': list(
        object({
          invariant: oneOf(invariantNames, 'Name of the broken invariant'),
          text: text('Description of the breach'),
          'amounts?': mapOf(text(), 'Exact amounts of the breach, by name'),
          'batch_number?': count('Number of the latest batch'),
          wallet: address('Wallet of the account'),
        }),
        'Wallets whose trading is stopped for a broken invariant; absent: none',
      ),
    }),
  }),
  'GET /readyz': operation({
    group: 'Health',
    summary: 'Readiness for requests; 503 while not ready',
    answer: object({
      status: oneOf(
        ['ready', 'degraded', 'not_ready'],
        '`degraded` while the venue trades without one of its parts',
      ),
      failing: list(text(), 'Failing parts; empty: none'),
      'degraded?': list(
        oneOf(degradableParts),
        'Parts out of service that do not stop trading, or the reasons',
      ),
      'reasons?': list(text(), 'Reason for each degraded part'),
    }),
  }),
  'GET /metrics': operation({
    group: 'Health',
    summary: 'Figures of the venue, for Prometheus',
  }),
  'GET /metrics/detail': operation({
    group: 'Health',
    summary: 'Figures of each instrument',
  }),
  'GET /openapi.json': operation({
    group: 'Documents',
    summary: 'Returns this document',
    answer: object({}),
  }),
  'GET /docs': operation({
    group: 'Documents',
    summary: 'Serves this document as a page with a form for each operation',
  }),
  'GET /docs/': operation({
    group: 'Documents',
    summary: 'Serves a part of that page; `streams` is the document of the streams',
  }),
  'GET /app': operation({
    group: 'Documents',
    summary: "Operator's page",
  }),
  'GET /app/': operation({
    group: 'Documents',
    summary: 'Serves a part of these pages',
  }),
  'GET /operator/identity': operation({
    group: 'Audit',
    summary: 'Identity and scopes of the token; any token may ask',
    scope: null,
    answer: object({
      ok: exactly(true, 'Always true'),
      identity: text('Identity of the token'),
      scopes: list(oneOf(operatorScopes), 'Scopes of the token'),
    }),
  }),
  'GET /operator/quote-providers': operation({
    group: 'Accounts',
    summary: 'Wallets that were ever registered as quote providers, their status and open sessions',
    scope: 'read',
    answer: object({
      ok: exactly(true, 'Always true'),
      data: list(
        object({
          wallet: address('The provider'),
          status: oneOf(['active', 'suspended'], '`active` if the wallet may quote'),
          sessions: count('Open sessions'),
        }),
        'Quote providers',
      ),
    }),
  }),
  'GET /operator/state': operation({
    group: 'Health',
    summary: 'Threads, sequences, rings, journal, state hash, clock, funds',
    scope: 'read',
    answer: object({
      ok: exactly(true, 'Always true'),
      ready: flag('True if the venue takes orders'),
      draining: flag('True while the venue shuts down and takes no new requests'),
      seq: seq('Sequence of the latest event'),
      batch_number: count('Number of the latest batch'),
      state_hash: stateHash('Hash of the state after the latest batch'),
      threads: list(
        object({
          role: text('Role of the thread'),
          thread_id: count('Number of the thread'),
          heartbeat_ms: number('Last heartbeat in Unix milliseconds; 0: none yet'),
          work_seconds: number('Time spent working, in seconds'),
          processor_seconds: nullable(
            number('Processor time; null: the system does not report it, in seconds'),
          ),
        }),
        'The threads of the venue',
      ),
      rings: mapOf(count(), 'Unread bytes of each ring, by name'),
      journal: object(
        {
          batch_number: count('Number of the latest batch'),
          bytes: count('Bytes written'),
          segments_finished: count('Finished segments'),
          snapshot_batch_number: count('Batch of the latest snapshot'),
          flushes: count('Number of flushes'),
          flush_ms: number('Duration of the latest flush in milliseconds'),
          flush_ms_max: number('Duration of the slowest flush in milliseconds'),
        },
        'Progress of the journal',
      ),
      event_log: object(
        {
          head: count('Offset written so far'),
          durable: count('Offset that is durable'),
        },
        'Progress of the event log',
      ),
      history: object(
        {
          seq: seq('Sequence of the latest event'),
        },
        'Progress of the history store',
      ),
      clock: object(
        {
          alarm: flag('Kind of the alarm, or true while there is one'),
          ahead_ms: number(
            'Milliseconds by which the clock of the machine is ahead of engine time',
          ),
          offset_ms: number('Accepted offset between engine time and the clock, in milliseconds'),
        },
        'State of the clock',
      ),
      invariants: object(
        {
          looks: count('Number of checks'),
          batch_number: count('Number of the latest batch'),
          breaches: list(
            object({
              invariant: oneOf(invariantNames, 'Name of the broken invariant'),
              text: text('Description of the breach'),
              'amounts?': mapOf(text(), 'Exact amounts of the breach, by name'),
              'batch_number?': count('Number of the latest batch'),
              'wallet?': address('Wallet of the account'),
            }),
            'Invariants that are broken; empty: none is',
          ),
        },
        'State of the invariant checks',
      ),
      halts: nullable(
        list(
          object({
            underlying: text('Name of the underlying'),
            mode: oneOf(haltModeNames, 'Halt mode'),
          }),
          'Halt mode of each underlying; null: not known yet',
        ),
      ),
      venue: nullable(
        object(
          {
            funds: object(
              {
                fees: decimal('Fees earned'),
                insurance: decimal('The insurance fund'),
                dust: decimal('Remainders of rounding'),
                clearing: decimal(
                  'Money between payers and payees; 0 unless an expiry is being settled',
                ),
                in_transit: decimal('Withdrawals that are not yet delivered'),
                insurance_deposits: decimal('Deposits into the insurance fund'),
              },
              'Source of money; on the operator port: the funds of the venue, in USD',
            ),
            liquidations: object(
              {
                pre_liquidation: count('Wallets below maintenance margin, in grace'),
                partial: count('Wallets in partial liquidation'),
                full: count('Wallets in auction'),
                waiting: count('Wallets whose check waits for a mark'),
              },
              'Wallets in liquidation',
            ),
            expiries_pending: object(
              {
                count: count('Number of rows'),
                expiries: list(
                  object({
                    underlying: text('Name of the underlying'),
                    expiry: seconds('Expiry of the option'),
                  }),
                  'Underlying and expiry of each',
                ),
              },
              'Expiries without a settlement price, or with unpaid positions',
            ),
          },
          'Funds, liquidations and expiries; null: not known yet',
        ),
      ),
    }),
  }),
  'GET /operator/liquidations': operation({
    group: 'Accounts',
    summary:
      'Wallets in liquidation, or whose check waits for a mark, the most advanced first, as of their latest change',
    scope: 'read',
    answer: object({
      ok: exactly(true, 'Always true'),
      data: list(
        object({
          wallet: address('Wallet of the account'),
          state: oneOf(liquidationStateNames, 'Liquidation state of the account'),
          liquidation_mode: nullable(
            oneOf(
              liquidationModeNames,
              '`partial`: the venue sells positions by orders; `full`: the whole account is in auction; null: neither',
            ),
          ),
          waits_for_mark: flag('True while a missing mark prevents the check'),
          timers_stand: flag(
            'True while its deadlines are paused, because trading is halted or the clock is in alarm',
          ),
          entered_ts_ms: nullable(millis('Time at which the phase began')),
          deadline_ts_ms: nullable(millis('Time at which the phase ends; null: no deadline')),
          equity: decimal('Equity in USD: cash plus positions at mark'),
          mm_required: decimal('Required maintenance margin in USD'),
          shortfall: decimal('Maintenance margin less equity, at least 0'),
        }),
        'Wallets in liquidation, most advanced first',
      ),
      pagination: object(
        {
          limit: count('Largest number of rows'),
          offset: count('Rows skipped before these'),
          count: count('Number of rows'),
          total: count('Number of rows in all'),
        },
        'Position of these rows in the list',
      ),
    }),
  }),
  'GET /operator/usernames': operation({
    group: 'Accounts',
    summary: 'Names that wait for approval, the longest wait first',
    scope: 'read',
    answer: object({
      ok: exactly(true, 'Always true'),
      data: list(
        object({
          wallet: address('Wallet of the account'),
          requested_username: text('Requested name in lower case'),
          username: nullable(text('Current name; null: none')),
        }),
        'Names that wait, longest wait first',
      ),
      pagination: object(
        {
          limit: count('Largest number of rows'),
          offset: count('Rows skipped before these'),
          count: count('Number of rows'),
          total: count('Number of rows in all'),
        },
        'Position of these rows in the list',
      ),
    }),
  }),
  'GET /operator/audit': operation({
    group: 'Audit',
    summary: 'Actions of operators, failed ones included, the newest first',
    scope: 'read',
    answer: object({
      ok: exactly(true, 'Always true'),
      data: list(
        object({
          id: count('Number of the line, rising'),
          time_ms: millis('Time of the request'),
          outcome: oneOf(auditOutcomes, 'Outcome'),
          identity: nullable(text('Identity of the token')),
          address: text('Client address of the request'),
          method: text('Method of the request'),
          path: text('Path of the request'),
          body: anything('Body of the request'),
          status: count('HTTP status of the answer'),
          code: nullable(text('Code of the error; null: there was none')),
          seq: nullable(seq('Sequence of the change; null: none')),
          left_out: count('Number of further lines of this kind that were not written'),
          requested: nullable(
            object(
              {
                approval_id: uuid('Id of the request that waits for approval'),
                method: text('Method of the request'),
                path: text('Path of the request'),
                body: object({}, 'Body of the request'),
                identity: text('Identity of the token'),
              },
              'Request that was approved or rejected; null: the action is no approval',
            ),
          ),
        }),
        'Audited actions, newest first',
      ),
      page: object(
        {
          limit: count('Largest number of rows'),
          next_cursor: nullable(text('`cursor` of the next page; null: this is the last one')),
          has_more: flag('True if there are more rows'),
        },
        'Where the rows end',
      ),
    }),
  }),
  'GET /operator/approvals': operation({
    group: 'Audit',
    summary: 'Requests of the scope `money` that wait for another identity',
    scope: 'read',
    answer: object({
      ok: exactly(true, 'Always true'),
      data: list(
        object({
          approval_id: uuid('Id of the request that waits for approval'),
          method: text('Method of the request'),
          path: text('Path of the request'),
          body: object({}, 'Body of the request'),
          requested_by: text('Identity of the requester'),
          requested_ts_ms: millis('Time of the request'),
          expires_ts_ms: millis('Time at which it expires without a decision'),
        }),
        'Requests that wait',
      ),
    }),
  }),
  'POST /operator/approvals': operation({
    group: 'Audit',
    summary: 'Approves such a request as another identity, or rejects it',
    scope: 'money',
    example: { approval_id: '6f1c3f0e-8f0f-4d57-9b1c-2a4be2f0a001', verdict: 'approved' },
    answer: object({
      ok: exactly(true, 'Always true'),
      approval_id: uuid('Id of the request that waits for approval'),
      verdict: oneOf(['approved', 'rejected'], 'Decision'),
      requested_by: text('Identity of the requester'),
      'approved_by?': text('Identity of the approver'),
      'seq?': seq('Sequence of the event'),
      'timestamp?': millis('Time of the event'),
      'answer?': object({}, 'Answer to the request'),
    }),
  }),
  'POST /operator/deposits': operation({
    group: 'Accounts',
    summary: 'Credits a wallet, once per id; the first deposit opens its account',
    scope: 'money',
    example: {
      wallet: '0x0123456789abcdef0123456789abcdef01234567',
      amount: '100000',
      deposit_id: 'wire-1',
    },
    answer: done({
      result: oneOf(['DEPOSIT_CREDITED', 'DEPOSIT_ALREADY_CREDITED'], 'Result of the request'),
      changed: flag('True if the request changed anything'),
      amount: decimal('USD'),
      deposit_id: nullable(text('Id of the deposit; null: it had none')),
      wallet: address('Credited wallet'),
    }),
  }),
  'POST /operator/insurance-fund': operation({
    group: 'Venue',
    summary: 'Credits the insurance fund, once per id',
    scope: 'money',
    example: { amount: '1000', deposit_id: 'fund-1' },
    answer: done({
      result: oneOf(['DEPOSIT_CREDITED', 'DEPOSIT_ALREADY_CREDITED'], 'Result of the request'),
      changed: flag('True if the request changed anything'),
      amount: decimal('USD'),
      deposit_id: nullable(text('Id of the deposit; null: it had none')),
    }),
  }),
  'POST /operator/instruments': operation({
    group: 'Market',
    summary: 'Lists an option or a perp',
    scope: 'instruments',
    example: { symbol: 'BTC-20301227-100000-C', trading_mode: 'both' },
    answer: done({
      result: oneOf(
        ['MARKET_CREATED', 'MARKET_ALREADY_EXISTS', 'MARKET_PENDING_SETTLEMENT', 'MARKET_EXPIRED'],
        'Result of the request',
      ),
      changed: flag('True if the request changed anything'),
      symbol: text('Canonical symbol of the instrument'),
      instrument_id: count('Number of the instrument, in the order of listing'),
      'expiry?': seconds('Expiry of the option'),
    }),
  }),
  'DELETE /operator/instruments': operation({
    group: 'Market',
    summary: 'Delists an instrument without positions and orders',
    scope: 'instruments',
    example: { symbol: 'BTC-20301227-100000-C' },
    answer: done({
      result: exactly('MARKET_DELETED', 'Result of the request'),
      changed: flag('True if the request changed anything'),
      symbol: text('Canonical symbol of the instrument'),
      instrument_id: count('Number of the instrument, in the order of listing'),
    }),
  }),
  'POST /operator/index-prices': operation({
    group: 'Market',
    summary: 'Sets index prices, observed now unless a time is given',
    scope: 'prices',
    example: { prices: [{ underlying: 'BTC', price: '100000' }] },
    answer: done({
      changed: flag('True if the request changed anything'),
      prices: list(
        object({
          underlying: text('Name of the underlying'),
          price: decimal('The index in USD'),
          timestamp: millis('Time of the observation; of the answer, time at which it was taken'),
        }),
        'Prices as the venue took them',
      ),
    }),
  }),
  'POST /operator/vol-surfaces': operation({
    group: 'Market',
    summary: 'Sets the volatility of an expiry, as points or as SVI parameters',
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
      underlying: text('Name of the underlying'),
      expiry: seconds('Expiry of the option'),
      kind: oneOf(['points', 'svi'], 'Form of the surface'),
    }),
  }),
  'POST /operator/settlement-prices': operation({
    group: 'Market',
    summary: 'Sets the settlement price of an expiry without sound observations',
    scope: 'prices',
    example: { underlying: 'BTC', expiry: '2030-12-27', price: '100000' },
    answer: done({
      result: oneOf(
        ['SETTLEMENT_PRICE_SET', 'SETTLEMENT_PRICE_ALREADY_SET'],
        'Result of the request',
      ),
      changed: flag('True if the request changed anything'),
      underlying: text('Name of the underlying'),
      expiry: seconds('Expiry of the option'),
      price: decimal('Settlement price of the index in USD'),
    }),
  }),
  'POST /operator/max-index': operation({
    group: 'Market',
    summary: 'Raises the highest index that the venue accepts',
    scope: 'instruments',
    example: { underlying: 'BTC', max_index: '2000000' },
    answer: done({
      changed: flag('True if the request changed anything'),
      underlying: text('Name of the underlying'),
      max_index: decimal('Highest index that the venue accepts from now on, in USD'),
    }),
  }),
  'POST /operator/halts': operation({
    group: 'Venue',
    summary: 'Halts or opens an underlying, or everything with scope `all`',
    scope: 'halts',
    example: { underlying: 'BTC', mode: 'open' },
    answer: done({
      underlying: nullable(text('Underlying of the halt; null: all')),
      mode: oneOf(haltModeNames, 'Halt mode'),
    }),
  }),
  'POST /operator/wallet-halts': operation({
    group: 'Venue',
    summary: 'Resumes a wallet that the engine has stopped for a broken invariant of its margin',
    scope: 'halts',
    example: { wallet: '0x0123456789abcdef0123456789abcdef01234567', mode: 'open' },
    answer: done({
      changed: flag('True if the request changed anything'),
      wallet: address('Wallet of the account'),
      mode: exactly('open', 'Always `open`: the wallet trades again'),
    }),
  }),
  'POST /operator/clock': operation({
    group: 'Venue',
    summary: 'Selects the time to continue with after a step of the clock',
    scope: 'halts',
    example: { accept: 'engine' },
    answer: done({
      result: oneOf(['CLOCK_ACCEPTED', 'CLOCK_NOT_IN_ALARM'], 'Result of the request'),
      changed: flag('True if the request changed anything'),
      accept: oneOf(clockChoiceNames, 'Accepted clock'),
      clock: millis('State of the clock'),
      waits_ms: count('Milliseconds until trading continues'),
    }),
  }),
  'POST /operator/tiers': operation({
    group: 'Accounts',
    summary: 'Sets the tier of a wallet',
    scope: 'all',
    example: { wallet: '0x0123456789abcdef0123456789abcdef01234567', tier: 'tier1' },
    answer: done({
      wallet: address('Wallet of the account'),
      tier: oneOf(tierNames, 'Tier of the wallet'),
    }),
  }),
  'POST /user-tier': operation({
    group: 'Accounts',
    summary: 'The same by its public path, for clients that only change the port',
    scope: 'all',
    example: { wallet: '0x0123456789abcdef0123456789abcdef01234567', tier: 'tier1' },
    answer: done({
      wallet: address('Wallet of the account'),
      tier: oneOf(tierNames, 'Tier of the wallet'),
    }),
  }),
  'POST /operator/builders': operation({
    group: 'Accounts',
    summary: 'Lists or delists a builder, which earns by orders that name it',
    scope: 'all',
    example: { builder: '0x0123456789abcdef0123456789abcdef01234567', status: 'active' },
    answer: done({
      changed: flag('True if the request changed anything'),
      builder: address('The builder'),
      status: oneOf(builderStatusNames, '`active` if the builder is listed'),
    }),
  }),
  'POST /operator/quote-providers': operation({
    group: 'Accounts',
    summary: 'Registers or suspends a quote provider',
    scope: 'all',
    example: { wallet: '0x0123456789abcdef0123456789abcdef01234567', status: 'active' },
    answer: done({
      changed: flag('True if the request changed anything'),
      wallet: address('Wallet of the account'),
      status: oneOf(['active', 'suspended'], '`active` if the wallet may quote'),
    }),
  }),
  'POST /operator/usernames': operation({
    group: 'Accounts',
    summary: 'Approves or rejects the name that a wallet requested',
    scope: 'all',
    example: {
      wallet: '0x0123456789abcdef0123456789abcdef01234567',
      verdict: 'approved',
      username: 'desk_one',
    },
    answer: done({
      changed: flag('True if the request changed anything'),
      wallet: address('Wallet of the account'),
      verdict: oneOf(['approved', 'rejected'], 'Decision'),
    }),
  }),
  'POST /operator/competitions': operation({
    group: 'Venue',
    summary: 'Creates a competition, or changes one',
    scope: 'all',
    example: {
      name: 'First week',
      win_conditions: ['pnl', 'volume'],
      start_ts_ms: 1924560000000,
      end_ts_ms: 1925164800000,
      description: 'Paper money',
      rules_url: 'https://example.org/rules',
    },
    answer: done({
      result: oneOf(['COMPETITION_SET', 'COMPETITION_ALREADY_SET'], 'Result of the request'),
      changed: flag('True if the request changed anything'),
      id: count('Id of the competition'),
      name: text('Its name'),
      start_ts_ms: millis('Time of creation'),
      end_ts_ms: millis('End time'),
      win_conditions: list(
        oneOf(competitionMetricNames),
        'Metrics of its ranks, the primary one first',
      ),
    }),
  }),
  'POST /operator/withdrawals': operation({
    group: 'Accounts',
    summary: 'Reports the result of a withdrawal that the rail gave up',
    scope: 'money',
    example: { directive_id: '6f1c3f0e-8f0f-4d57-9b1c-2a4be2f0a001', verdict: 'returned' },
    answer: done({
      changed: flag('True if the request changed anything'),
      directive_id: uuid('The withdrawal'),
      verdict: oneOf(withdrawalVerdictNames, 'Decision'),
    }),
  }),
}

/** Answer of a money operation that waits for a second approval. */
export const waitsForApproval = object({
  ok: exactly(true, 'Always true'),
  result: exactly('WAITS_FOR_APPROVAL', 'Always `WAITS_FOR_APPROVAL`'),
  approval_id: uuid('Id for POST /operator/approvals'),
  requested_by: text('Identity that made the request'),
  expires_ts_ms: millis('Time at which the request expires'),
})

// Function declarations, because the table above is built while this file loads.

function operation<Json>(row: OperatorRow<Json>): OperatorRow<Json> {
  return row
}

/** Answer of a command: its result and its sequence. */
function done<const F extends ShapeFields>(fields: F): Shape<ObjectOf<F>> {
  return object({
    ok: exactly(true, 'Always true'),
    seq: seq('Sequence of the change'),
    timestamp: millis('Engine time of the change'),
    ...fields,
  }) as Shape<unknown> as Shape<ObjectOf<F>>
}

function stateHash(description: string): Shape<string> {
  return { schema: { type: 'string', pattern: '^[0-9a-f]{16}$', description } }
}
