import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runAuctionFillBench } from '../../bench/auction-fills.js'

test('auctions end with their last answer or at their deadline, and are filled', async () => {
  const rows = await runAuctionFillBench({
    ...{ ordersPerSecond: 20, seconds: 0.8, repeats: 1, providers: 2 },
  })
  const named = new Map(rows.map((row) => [row.name, row]))
  for (const name of ['answered-p50', 'deadline-p50']) {
    const { value } = named.get(`auction.${name}`)!
    // An unfilled request counts as one second.
    assert.ok(value > 0 && value < 1000, `${name}: ${value}`)
  }
  for (const name of ['answered-p50 over limit', 'deadline-p50 over limit', 'flush']) {
    assert.ok(named.get(`auction.${name}`)!.value > 0, name)
  }
  assert.equal(named.get('auction.processor core')!.unit, 'µs/request')
})
