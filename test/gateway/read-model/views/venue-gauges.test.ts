import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VenueBoard, type VenueGauges } from '../../../../gateway/read-model/views/venue-gauges.js'

const gauges: VenueGauges = {
  feesMicros: 1.5e6,
  insuranceMicros: 0,
  dustMicros: -3,
  clearingMicros: 2 ** 53 - 1,
  depositsMicros: 5e6,
  graceCount: 1,
  partialCount: 2,
  fullCount: 3,
  waitingCount: 4,
  pendingCount: 2,
  pending: [
    { underlying: 'SP500', expiryMillis: 1_900_000_000_000 },
    { underlying: 'ABCDEFGHIJKLMNOP', expiryMillis: 1_900_000_060_000 },
  ],
}

test('the board holds nothing at first, then whatever was written last', () => {
  const memory = new SharedArrayBuffer(4096)
  const [writer, reader] = [new VenueBoard(memory), new VenueBoard(memory)]
  assert.equal(reader.read(), null)
  writer.write(gauges)
  assert.deepEqual(reader.read(), gauges)
  const next = { ...gauges, pendingCount: 1, pending: [{ underlying: 'BTC', expiryMillis: 7 }] }
  writer.write(next)
  assert.deepEqual(reader.read(), next)
})

test('expiries beyond the room are counted, and the others named', () => {
  const board = new VenueBoard(new SharedArrayBuffer(112 + 24 + 16))
  board.write(gauges)
  assert.deepEqual(board.read(), { ...gauges, pending: gauges.pending.slice(0, 1) })
})
