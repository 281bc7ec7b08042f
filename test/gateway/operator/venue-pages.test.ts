import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smallMemory } from '../../../bench/event-script.js'
import { allocateCounters, CounterName, Counters } from '../../../engine/memory/counters.js'
import { wakeupOf } from '../../../engine/memory/exchange-memory.js'
import { Latencies } from '../../../engine/memory/latencies.js'
import { metricsPage } from '../../../gateway/operator/metrics.js'
import { stateAnswer } from '../../../gateway/operator/state-page.js'
import { threadRoles } from '../../../gateway/operator/thread-table.js'
import type { WithdrawalFigures } from '../../../gateway/operator/withdrawal-metrics.js'
import { SharedValue } from '../../../gateway/read-model/views/shared-value.js'
import type { HaltBoard, VenueGauges } from '../../../gateway/read-model/views/venue-views.js'
import { HaltMode, latencyKinds } from '../../../schemas/domain.js'
import { haltBoard } from '../../support/halt-board.js'

const gauges = {
  feesMicros: 1_500_000,
  insuranceMicros: 0,
  dustMicros: -3,
  clearingMicros: 0,
  inTransitMicros: 7_000_000,
  depositsMicros: 2_000_000_000,
  graceCount: 3,
  partialCount: 0,
  fullCount: 1,
  waitingCount: 2,
  pendingCount: 1,
  pending: [{ underlying: 'BTC', expiryMillis: 1_900_000_000_000 }],
}

const withdrawals: WithdrawalFigures = {
  open: {
    pending: { count: 0, micros: 0 },
    in_transit: { count: 2, micros: 7_500_000 },
    stuck: { count: 1, micros: 5_000_000 },
  },
  ended: { delivered: { count: 9, micros: 1e9 }, failed: { count: 0, micros: 0 } },
  ...{ oldestMillis: Date.now() - 90_000, errors: 3, retries: 4 },
  missing: { count: 1, micros: 20_000_000 },
}

const ages = [
  { underlying: 'BTC', indexMillis: 9000, surfaceMillis: null },
  { underlying: 'ETH', indexMillis: null, surfaceMillis: 1500 },
]

function pages() {
  const small = smallMemory()
  const memory = { ...small, counters: allocateCounters(threadRoles(small).length) }
  const counters = new Counters(memory.counters, wakeupOf.operator)
  const sockets = { total: 5, max: 400 }
  const page = metricsPage({
    ...{ memory, counters, version: '1.2.3', recovery: 'native', sockets },
    withdrawals: () => withdrawals,
    lostFiles: () => ({ 'rail.jsonl': 1, 'operator-audit.jsonl': 0 }),
    upkeep: {
      ...{ dataDir: process.cwd(), certificateEndMillis: 1_900_000_000_000 },
      health: { ages: () => ages, degradations: () => [{ part: 'index', reason: 'old' }] },
    },
  })
  return {
    board: new SharedValue<VenueGauges>(memory.venueBoard),
    samples: () =>
      page()
        .body.split('\n')
        .filter((line) => line.includes('kind="') && !/signature|connections|binaries/.test(line)),
    halts: new SharedValue<HaltBoard>(memory.haltBoard),
    latencies: new Latencies(memory.latencies, 0),
    text: () => page().body,
    openStreams: (count: number) => {
      new Counters(memory.counters, wakeupOf.gateway(0)).set(CounterName.Sessions, count)
    },
    countAuctions: (count: number) => {
      new Counters(memory.counters, wakeupOf.readModel).set(CounterName.AuctionsBegun, count)
    },
    state: () => JSON.parse(stateAnswer(memory, counters, []).body).venue,
    halted: () => JSON.parse(stateAnswer(memory, counters, []).body).halts,
  }
}

test('metrics show funds, liquidations and waiting expiries, also at 0, once they are known', () => {
  const { board, samples } = pages()
  assert.deepEqual(samples(), [])
  board.write(gauges)
  assert.deepEqual(samples(), [
    'strikebook_fund_balance_usd{kind="fees"} 1.5',
    'strikebook_fund_balance_usd{kind="insurance"} 0',
    'strikebook_fund_balance_usd{kind="dust"} -0.000003',
    'strikebook_fund_balance_usd{kind="clearing"} 0',
    'strikebook_fund_balance_usd{kind="in_transit"} 7',
    'strikebook_liquidations{kind="pre_liquidation"} 3',
    'strikebook_liquidations{kind="partial"} 0',
    'strikebook_liquidations{kind="full"} 1',
    'strikebook_liquidations_waiting{kind="mark"} 2',
    'strikebook_expiries_waiting{kind="price"} 1',
  ])
  board.write({ ...gauges, pendingCount: 0, pending: [] })
  assert.ok(samples().includes('strikebook_expiries_waiting{kind="price"} 0'))
})

test('metrics show withdrawals by state, also at 0, and the age of the oldest', () => {
  const lines = pages().text().split('\n')
  const shown = lines.filter((line) => /^strikebook_(withdrawals|rail)/.test(line))
  const [age] = shown.splice(10, 1)
  assert.deepEqual(shown, [
    'strikebook_withdrawals{state="pending"} 0',
    'strikebook_withdrawals{state="in_transit"} 2',
    'strikebook_withdrawals{state="stuck"} 1',
    'strikebook_withdrawals_usd{state="pending"} 0',
    'strikebook_withdrawals_usd{state="in_transit"} 7.5',
    'strikebook_withdrawals_usd{state="stuck"} 5',
    'strikebook_withdrawals_ended_total{result="delivered"} 9',
    'strikebook_withdrawals_ended_total{result="failed"} 0',
    'strikebook_withdrawals_ended_usd_total{result="delivered"} 1000',
    'strikebook_withdrawals_ended_usd_total{result="failed"} 0',
    'strikebook_rail_errors_total 3',
    'strikebook_rail_retries_total 4',
    'strikebook_withdrawals_missing 1',
    'strikebook_withdrawals_missing_usd 20',
  ])
  const seconds = Number(/^strikebook_withdrawals_oldest_seconds (.*)$/.exec(age!)![1])
  assert.ok(seconds >= 90 && seconds < 3600, age)
})

test('the state shows them as amounts and names', () => {
  const { board, state } = pages()
  assert.equal(state(), null)
  board.write(gauges)
  assert.deepEqual(state(), {
    funds: {
      fees: '1.5',
      insurance: '0',
      dust: '-0.000003',
      clearing: '0',
      in_transit: '7',
      insurance_deposits: '2000',
    },
    liquidations: { pre_liquidation: 3, partial: 0, full: 1, waiting: 2 },
    expiries_pending: { count: 1, expiries: [{ underlying: 'BTC', expiry: 1_900_000_000 }] },
  })
})

test('metrics show the results of auctions, also at 0', () => {
  const { text, countAuctions } = pages()
  countAuctions(3)
  const shown = text()
    .split('\n')
    .filter((line) => line.startsWith('strikebook_auctions_'))
  assert.deepEqual(shown, [
    'strikebook_auctions_begun_total 3',
    'strikebook_auctions_ended_total{result="executed"} 0',
    'strikebook_auctions_ended_total{result="no_quotes"} 0',
    'strikebook_auctions_ended_total{result="expired"} 0',
    'strikebook_auctions_ended_total{result="failed"} 0',
  ])
})

test('metrics and the state show the halt of each underlying', () => {
  const { halts, halted, samples } = pages()
  assert.equal(halted(), null)
  const live = { number: 0, isLive: true, sinceMillis: 0 }
  const btc = { underlying: 'BTC', mode: HaltMode.Open, ...live }
  halts.write(haltBoard([btc, { underlying: 'ETH', mode: HaltMode.Halted, ...live }]))
  assert.deepEqual(samples(), [
    'strikebook_halt{underlying="BTC",kind="open"} 1',
    'strikebook_halt{underlying="BTC",kind="cancel_only"} 0',
    'strikebook_halt{underlying="BTC",kind="halted"} 0',
    'strikebook_halt{underlying="ETH",kind="open"} 0',
    'strikebook_halt{underlying="ETH",kind="cancel_only"} 0',
    'strikebook_halt{underlying="ETH",kind="halted"} 1',
  ])
  assert.deepEqual(halted(), [
    { underlying: 'BTC', mode: 'open' },
    { underlying: 'ETH', mode: 'halted' },
  ])
  halts.write(haltBoard([btc, { underlying: 'ETH', mode: HaltMode.CancelOnly, ...live }]))
  assert.ok(samples().includes('strikebook_halt{underlying="ETH",kind="cancel_only"} 1'))
})

test('metrics show the age of prices, degraded parts, and the disk', () => {
  const lines = pages().text().split('\n')
  for (const line of [
    'strikebook_ready 0',
    'strikebook_degraded{part="history"} 0',
    'strikebook_degraded{part="index"} 1',
    'strikebook_index_age_seconds{underlying="BTC"} 9',
    'strikebook_surface_age_seconds{underlying="ETH"} 1.5',
    'strikebook_certificate_expiry_timestamp_seconds 1900000000',
    'strikebook_snapshot_lag_batches 0',
  ]) {
    assert.ok(lines.includes(line), line)
  }
  const sizes = lines.filter((line) => /^strikebook_disk_(free|size)_bytes \d+$/.test(line))
  assert.equal(sizes.length, 2)
  assert.ok(!lines.some((line) => line.startsWith('strikebook_backup_timestamp_seconds')))
})

test('metrics show open connections by kind, and their limits', () => {
  const { text, openStreams } = pages()
  openStreams(2)
  const lines = text().split('\n')
  assert.ok(lines.includes('strikebook_connections{kind="stream"} 2'))
  assert.ok(lines.includes('strikebook_connections{kind="http"} 3'))
  assert.ok(lines.includes('strikebook_connections_max 400'))
})

test('metrics show histograms of answers by kind and of flushes, and the library that recovers signers', () => {
  const { latencies, text } = pages()
  latencies.count(latencyKinds.indexOf('place'), 0.4)
  latencies.count(latencyKinds.indexOf('place'), 333)
  latencies.count(latencyKinds.indexOf('flush'), 9000)
  const body = text()
  for (const line of [
    '# TYPE strikebook_acknowledgement_seconds histogram',
    'strikebook_acknowledgement_seconds_bucket{kind="place",le="0.0002"} 0',
    'strikebook_acknowledgement_seconds_bucket{kind="place",le="0.0005"} 1',
    'strikebook_acknowledgement_seconds_bucket{kind="place",le="0.5"} 2',
    'strikebook_acknowledgement_seconds_bucket{kind="place",le="+Inf"} 2',
    'strikebook_acknowledgement_seconds_sum{kind="place"} 0.3334',
    'strikebook_acknowledgement_seconds_count{kind="place"} 2',
    'strikebook_journal_flush_seconds_bucket{le="5"} 0',
    'strikebook_journal_flush_seconds_bucket{le="+Inf"} 1',
    'strikebook_journal_flush_seconds_sum 9',
    'strikebook_journal_flush_seconds_count 1',
    'strikebook_signature_recovery{kind="native"} 1',
  ]) {
    assert.ok(body.split('\n').includes(line), `${line}\n${body}`)
  }
  assert.ok(!body.includes('kind="cancel",le'), 'nobody has cancelled anything')
})
