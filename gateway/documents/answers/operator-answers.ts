import { invariantNames } from '../../../engine/invariants/breach.js'
import {
  builderStatusNames,
  clockChoiceNames,
  competitionMetricNames,
  haltModeNames,
  tierNames,
  withdrawalVerdictNames,
} from '../../../schemas/domain.js'
import { liquidationModeNames, liquidationStateNames } from '../../../schemas/record-values.js'
import { auditOutcomes } from '../../operator/audit-log.js'
import { operatorScopes } from '../../operator/operator-scopes.js'
import { providerStatuses } from '../../operator/provider-list.js'
import { degradableParts } from '../../wire/degraded-parts.js'
import type { JsonSchema } from '../../wire/json-shape.js'
import {
  address,
  count,
  decimal,
  exactly,
  flag,
  list,
  mapOf,
  millis,
  nullable,
  number,
  object,
  oneOf,
  seconds,
  seq,
  text,
  uuid,
} from '../shapes/shape.js'

// Answers of the operator interface.

const credited = {
  result: oneOf(['DEPOSIT_CREDITED', 'DEPOSIT_ALREADY_CREDITED']),
  changed: flag,
  amount: decimal,
  deposit_id: nullable(text),
}
const listed = { changed: flag, symbol: text, instrument_id: count }
const listings = [
  ...['MARKET_CREATED', 'MARKET_ALREADY_EXISTS', 'MARKET_PENDING_SETTLEMENT', 'MARKET_EXPIRED'],
]
const tier = done({ wallet: address, tier: oneOf(tierNames) })
/** Breach of an invariant. Amounts are exact integers of any length. A wallet stopped before the start has no batch. */
const breach = {
  ...{ invariant: oneOf(invariantNames), text },
  ...{ 'amounts?': mapOf(text), 'batch_number?': count },
}
const failing = list(
  object({
    ...{ role: text, 'silentMillis?': nullable(number), ...clockFields() },
    ...{ 'invariant?': breach.invariant, 'text?': text },
    ...{ 'amounts?': breach['amounts?'], 'batch_number?': count },
  }),
)
const thread = object({
  ...{ role: text, thread_id: count, heartbeat_ms: number, work_seconds: number },
  processor_seconds: nullable(number),
})
const funds = object({
  ...{ fees: decimal, insurance: decimal, dust: decimal, clearing: decimal },
  ...{ in_transit: decimal, insurance_deposits: decimal },
})
const standing = object({
  funds,
  liquidations: object({ pre_liquidation: count, partial: count, full: count, waiting: count }),
  expiries_pending: object({
    count,
    expiries: list(object({ underlying: text, expiry: seconds })),
  }),
})
const pendingName = object({
  wallet: address,
  requested_username: text,
  username: nullable(text),
})

const liquidation = object({
  ...{ wallet: address, state: oneOf(liquidationStateNames) },
  ...{ liquidation_mode: nullable(oneOf(liquidationModeNames)), waits_for_mark: flag },
  ...{ timers_stand: flag, entered_ts_ms: nullable(millis), deadline_ts_ms: nullable(millis) },
  ...{ equity: decimal, mm_required: decimal, shortfall: decimal },
})
const pagination = object({ limit: count, offset: count, count, total: count })

const anyBody: JsonSchema = {}
const approval = { approval_id: uuid, method: text, path: text, body: { type: 'object' } } as const
const auditRow = object({
  ...{ id: count, time_ms: millis, outcome: oneOf(auditOutcomes), identity: nullable(text) },
  ...{ address: text, method: text, path: text, body: anyBody, status: count },
  ...{ code: nullable(text), seq: nullable(seq), left_out: count },
  requested: nullable(object({ ...approval, identity: text })),
})

/** By method and path; what is none of JSON has no row. */
export const operatorAnswers: Readonly<Record<string, JsonSchema>> = {
  'GET /livez': object({
    ...{ status: oneOf(['ok', 'failing']), failing },
    'stopped_wallets?': list(object({ ...breach, wallet: address })),
  }),
  'GET /readyz': object({
    status: oneOf(['ready', 'degraded', 'not_ready']),
    failing: list(text),
    'degraded?': list(oneOf(degradableParts)),
    'reasons?': list(text),
  }),
  'GET /openapi.json': { type: 'object' },
  'GET /operator/state': object({
    ...{ ok: exactly(true), ready: flag, draining: flag, seq, batch_number: count },
    state_hash: { type: 'string', pattern: '^[0-9a-f]{16}$' },
    threads: list(thread),
    rings: mapOf(count),
    journal: object({
      ...{ batch_number: count, bytes: count, segments_finished: count },
      ...{ snapshot_batch_number: count, flushes: count, flush_ms: number, flush_ms_max: number },
    }),
    event_log: object({ head: count, durable: count }),
    history: object({ seq }),
    clock: object({ alarm: flag, ahead_ms: number, offset_ms: number }),
    invariants: object({
      looks: count,
      batch_number: count,
      breaches: list(object({ ...breach, 'wallet?': address })),
    }),
    halts: nullable(list(object({ underlying: text, mode: oneOf(haltModeNames) }))),
    venue: nullable(standing),
  }),
  'GET /operator/identity': object({
    ...{ ok: exactly(true), identity: text, scopes: list(oneOf(operatorScopes)) },
  }),
  'GET /operator/quote-providers': object({
    ok: exactly(true),
    data: list(object({ wallet: address, status: oneOf(providerStatuses), sessions: count })),
  }),
  'GET /operator/usernames': object({
    ok: exactly(true),
    data: list(pendingName),
    pagination,
  }),
  'GET /operator/liquidations': object({
    ok: exactly(true),
    data: list(liquidation),
    pagination,
  }),
  'GET /operator/audit': object({
    ok: exactly(true),
    data: list(auditRow),
    page: object({ limit: count, next_cursor: nullable(text), has_more: flag }),
  }),
  'GET /operator/approvals': object({
    ok: exactly(true),
    data: list(
      object({ ...approval, requested_by: text, requested_ts_ms: millis, expires_ts_ms: millis }),
    ),
  }),
  'POST /operator/approvals': object({
    ...{ ok: exactly(true), approval_id: uuid, verdict: oneOf(['approved', 'rejected']) },
    ...{ requested_by: text, 'approved_by?': text, 'seq?': seq, 'timestamp?': millis },
    'answer?': { type: 'object' },
  }),
  'POST /operator/deposits': done({ ...credited, wallet: address }),
  'POST /operator/insurance-fund': done(credited),
  'POST /operator/settlement-prices': done({
    result: oneOf(['SETTLEMENT_PRICE_SET', 'SETTLEMENT_PRICE_ALREADY_SET']),
    ...{ changed: flag, underlying: text, expiry: seconds, price: decimal },
  }),
  'POST /operator/instruments': done({
    result: oneOf(listings),
    ...{ ...listed, 'expiry?': seconds },
  }),
  'DELETE /operator/instruments': done({ result: exactly('MARKET_DELETED'), ...listed }),
  'POST /operator/index-prices': done({
    changed: flag,
    prices: list(object({ underlying: text, price: decimal, timestamp: millis })),
  }),
  'POST /operator/vol-surfaces': done({
    ...{ underlying: text, expiry: seconds, kind: oneOf(['points', 'svi']) },
  }),
  'POST /operator/tiers': tier,
  'POST /user-tier': tier,
  'POST /operator/halts': done({ underlying: nullable(text), mode: oneOf(haltModeNames) }),
  'POST /operator/wallet-halts': done({ changed: flag, wallet: address, mode: exactly('open') }),
  'POST /operator/clock': done({
    result: oneOf(['CLOCK_ACCEPTED', 'CLOCK_NOT_IN_ALARM']),
    ...{ changed: flag, accept: oneOf(clockChoiceNames), clock: millis, waits_ms: count },
  }),
  'POST /operator/max-index': done({ changed: flag, underlying: text, max_index: decimal }),
  'POST /operator/builders': done({
    ...{ changed: flag, builder: address, status: oneOf(builderStatusNames) },
  }),
  'POST /operator/competitions': done({
    result: oneOf(['COMPETITION_SET', 'COMPETITION_ALREADY_SET']),
    ...{ changed: flag, id: count, name: text, start_ts_ms: millis, end_ts_ms: millis },
    win_conditions: list(oneOf(competitionMetricNames)),
  }),
  'POST /operator/withdrawals': done({
    ...{ changed: flag, directive_id: uuid, verdict: oneOf(withdrawalVerdictNames) },
  }),
  'POST /operator/quote-providers': done({
    ...{ changed: flag, wallet: address, status: oneOf(['active', 'suspended']) },
  }),
  'POST /operator/usernames': done({
    ...{ changed: flag, wallet: address, verdict: oneOf(['approved', 'rejected']) },
  }),
}

// Function declarations, because the table above is built while this file loads.

/** Result of a command, and its sequence. */
function done(fields: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return object({ ok: exactly(true), seq, timestamp: millis, ...fields })
}

function clockFields() {
  const state = oneOf(['stepped', 'accepted'])
  return { 'alarm?': oneOf(['clock', 'invariant']), 'state?': state, 'aheadMillis?': number }
}
