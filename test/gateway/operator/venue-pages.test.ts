import assert from 'node:assert/strict'
import { test } from 'node:test'
import { doorbellOf } from '../../../engine/exchange-memory.js'
import { allocateCounters, Counters } from '../../../engine/memory/counters.js'
import { MetricsPage } from '../../../gateway/operator/metrics.js'
import { stateAnswer } from '../../../gateway/operator/state-page.js'
import { threadRoles } from '../../../gateway/operator/thread-table.js'
import { VenueBoard } from '../../../gateway/read-model/venue-gauges.js'
import { smallMemory } from '../../support/events.js'

const gauges = {
  feesMicros: 1_500_000,
  insuranceMicros: 0,
  dustMicros: -3,
  clearingMicros: 0,
  depositsMicros: 2_000_000_000,
  graceCount: 3,
  partialCount: 0,
  fullCount: 1,
  waitingCount: 2,
  pendingCount: 1,
  pending: [{ underlying: 'BTC', expiryMillis: 1_900_000_000_000 }],
}

function pages() {
  const small = smallMemory()
  const memory = { ...small, counters: allocateCounters(threadRoles(small).length) }
  const counters = new Counters(memory.counters, doorbellOf.operator)
  const page = new MetricsPage({ memory, counters, version: '1.2.3' })
  return {
    board: new VenueBoard(memory.venueBoard),
    samples: async () =>
      (await page.answer()).body.split('\n').filter((line) => line.includes('{kind="')),
    state: () => JSON.parse(stateAnswer(memory, counters).body).venue,
  }
}

test('metrics show funds, liquidations and waiting expiries, at 0 too, once they are known', async () => {
  const { board, samples } = pages()
  assert.deepEqual(await samples(), [])
  board.write(gauges)
  assert.deepEqual(await samples(), [
    'strikebook_fund_balance_usd{kind="fees"} 1.5',
    'strikebook_fund_balance_usd{kind="insurance"} 0',
    'strikebook_fund_balance_usd{kind="dust"} -0.000003',
    'strikebook_fund_balance_usd{kind="clearing"} 0',
    'strikebook_liquidations{kind="pre_liquidation"} 3',
    'strikebook_liquidations{kind="partial"} 0',
    'strikebook_liquidations{kind="full"} 1',
    'strikebook_liquidations_waiting{kind="mark"} 2',
    'strikebook_expiries_waiting{kind="price"} 1',
  ])
  board.write({ ...gauges, pendingCount: 0, pending: [] })
  assert.ok((await samples()).includes('strikebook_expiries_waiting{kind="price"} 0'))
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
      insurance_deposits: '2000',
    },
    liquidations: { pre_liquidation: 3, partial: 0, full: 1, waiting: 2 },
    expiries_pending: { count: 1, expiries: [{ underlying: 'BTC', expiry: 1_900_000_000 }] },
  })
})
