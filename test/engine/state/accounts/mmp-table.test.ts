import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CountedFill } from '../../../../engine/matching/mmp-window.js'
import { StateReader, StateWriter } from '../../../../engine/memory/state-codec.js'
import { StateHash } from '../../../../engine/memory/state-hash.js'
import { MmpTable } from '../../../../engine/state/accounts/mmp-table.js'
import { refreshed } from '../../../support/refreshed.js'

const intervalMillis = 1000

function fillAt(nowMillis: number, sizeLots: number, vegaMicros: number): CountedFill {
  const fill = new CountedFill()
  fill.nowMillis = nowMillis
  fill.sizeLots = sizeLots
  fill.vegaMicros = vegaMicros
  return fill
}

/** The table that a snapshot of one makes, and its hash. */
function restored(table: MmpTable): { table: MmpTable; hash: StateHash } {
  const writer = new StateWriter()
  table.save(writer)
  const hash = new StateHash()
  const copy = new MmpTable(hash)
  copy.load(new StateReader(writer.result()))
  return { table: copy, hash }
}

test('an unlimited sum beyond 2^53 is the same after a snapshot', () => {
  const hash = new StateHash()
  const table = new MmpTable(hash)
  // Quantity alone has a limit; each fill adds about 2^50 micros of vega, and an odd part of them.
  table.set(0, 0, 0, intervalMillis, 0, Float64Array.of(2 ** 52, 0, 0))
  const fills = 20
  for (let i = 0; i < fills; i++) {
    table.count(fillAt(i, 9_999_999_999_999 - 1_234_567 * i, 10_000_000_001 + 3_571 * i), 0)
  }
  // Two fills of one millisecond share an entry; a fill one interval later drops the first ones.
  table.count(fillAt(fills - 1, 9_999_999_999_997, 9_999_999_999), 0)
  table.count(fillAt(intervalMillis + 7, 100_000_001, 3), 0)
  const copy = restored(table)
  assert.deepEqual(refreshed(copy.hash), refreshed(hash))
  assert.deepEqual(copy.table.find(0, 0)?.sums, table.find(0, 0)?.sums)
  for (const each of [table, copy.table]) each.count(fillAt(intervalMillis + 12, 100_000_000, 5), 0)
  assert.deepEqual(refreshed(copy.hash), refreshed(hash))
})
