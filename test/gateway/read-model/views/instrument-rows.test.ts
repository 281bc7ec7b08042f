import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instrumentMetrics } from '../../../../gateway/operator/instrument-metrics.js'
import { InstrumentRows } from '../../../../gateway/read-model/views/instrument-rows.js'

const gauges = {
  bidPrice: 3000,
  askPrice: 3100.5,
  markPrice: 3050,
  openInterest: 0,
  volumeOfDay: 2,
}

test('rows are read as written; cleared ones and ids beyond the table are missing', () => {
  const memory = new SharedArrayBuffer(4 * 128)
  const [writer, reader] = [new InstrumentRows(memory), new InstrumentRows(memory)]
  writer.write(1, 'BTC-20260131-110000-C', gauges)
  writer.write(3, 'ETH-20260131-3000-P', { ...gauges, bidPrice: 0 })
  writer.write(2, 'gone', gauges)
  writer.clear(2)
  writer.write(4, 'beyond', gauges)
  const seen: [string, number][] = []
  reader.forEach((symbol, { bidPrice }) => {
    seen.push([symbol, bidPrice])
  })
  assert.deepEqual(seen, [
    ['BTC-20260131-110000-C', 3000],
    ['ETH-20260131-3000-P', 0],
  ])
})

test('the detail page has a sample per instrument and gauge that is not 0', () => {
  const rows = new InstrumentRows(new SharedArrayBuffer(2 * 128))
  rows.write(0, 'BTC-20260131-110000-C', gauges)
  const { status, body } = instrumentMetrics(rows)
  assert.equal(status, 200)
  assert.match(body, /^strikebook_bid_price_usd\{instrument="BTC-20260131-110000-C"\} 3000$/m)
  assert.match(body, /^strikebook_day_volume_contracts\{instrument="BTC-20260131-110000-C"\} 2$/m)
  assert.doesNotMatch(body, /open_interest/)
})
