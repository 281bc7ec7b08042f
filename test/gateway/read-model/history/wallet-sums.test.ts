import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '../../../../bench/book-replay/book-flow.js'
import {
  add,
  packSums,
  type SumRow,
  subtract,
  unpackSums,
  type WalletSums,
} from '../../../../gateway/read-model/history/wallet-sums.js'

const random = randomFrom(3)
const below = (end: number) => Math.floor(random() * end)

function someRow(): SumRow {
  const micros = () => below(2 ** 45) - 2 ** 44
  return {
    ...{ about: below(40) - 5, lots: below(1000) - 500 },
    ...{ costMicros: micros(), realizedMicros: micros(), events: below(9) },
  }
}

function sumsOf(rows: readonly SumRow[]): WalletSums {
  const sums: WalletSums = new Map()
  for (const row of rows) add(sums, row)
  return sums
}

const rowsOf = (sums: WalletSums): SumRow[] =>
  [...sums]
    .map(([about, one]) => ({ about, ...one }))
    .filter(({ lots, costMicros, realizedMicros, events }) =>
      [lots, costMicros, realizedMicros, events].some((value) => value !== 0),
    )
    .sort((one, other) => one.about - other.about)

test('sums added to packed ones in any pieces equal those of all rows, by rising instrument', () => {
  const all: SumRow[] = []
  let packed: Uint8Array | null = null
  for (let i = 0; i < 200; i++) {
    const rows = Array.from({ length: below(12) }, someRow)
    packed = packSums(packed, sumsOf(rows))
    all.push(...rows)
    assert.deepEqual(unpackSums(packed), rowsOf(sumsOf(all)))
  }
})

test('removing everything leaves nothing', () => {
  const rows = Array.from({ length: 30 }, someRow)
  const negative: WalletSums = new Map()
  for (const row of rows) subtract(negative, row)
  assert.equal(packSums(packSums(null, sumsOf(rows)), negative).length, 0)
})

test('packed sums are read at any offset of their bytes', () => {
  const packed = packSums(null, sumsOf([{ ...someRow(), lots: 1 }]))
  const moved = new Uint8Array(packed.length + 3)
  moved.set(packed, 3)
  assert.deepEqual(unpackSums(moved.subarray(3)), unpackSums(packed))
})
