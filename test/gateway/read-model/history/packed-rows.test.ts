import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '../../../../bench/book-replay/book-flow.js'
import { walletOf } from '../../../../bench/event-script.js'
import {
  fills,
  packedTables,
  trades,
} from '../../../../gateway/read-model/history/history-tables.js'
import { PackedReader, PackedWriter } from '../../../../gateway/read-model/history/packed-bytes.js'
import {
  NumberField,
  ownerField,
  RowPacker,
  RowUnpacker,
} from '../../../../gateway/read-model/history/packed-rows.js'
import type { PackedTable, Value } from '../../../../gateway/read-model/history/table.js'

const most = Number.MAX_SAFE_INTEGER
const borders = [0, 1, 63, 64, 127, 128, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 45 + 1, most]
const random = randomFrom(3)

function randomValue(name: string, type: string, isAddress: boolean): Value {
  if (type.includes('not null') === false && random() < 0.3) return null
  if (isAddress) return walletOf(Math.floor(random() * 200))
  if (type.startsWith('text'))
    return ['x', `${name} é €`, 'z'.repeat(300)][Math.floor(random() * 3)]!
  const border = borders[Math.floor(random() * borders.length)]!
  return random() < 0.5 ? border : -border + 0
}

function rowOf(table: PackedTable): Record<string, Value> {
  return Object.fromEntries(
    Object.entries<{ readonly type: string; readonly addressAt?: unknown }>(table.columns).map(
      ([name, { type, addressAt }]) => [
        name,
        name === table.key[0]
          ? Math.floor(random() * 1e9)
          : randomValue(name, type, addressAt !== undefined),
      ],
    ),
  )
}

test('numbers at every border come back as they were', () => {
  const out = new PackedWriter(4096)
  for (const value of borders) {
    out.count(value)
    out.number(value)
    out.number(-value)
  }
  out.number(1e300)
  const reader = new PackedReader(out.written())
  for (const value of borders) {
    assert.deepEqual([reader.count(), reader.number(), reader.number()], [value, value, 0 - value])
  }
  assert.equal(reader.number(), most)
  assert.ok(reader.isAtEnd)
  reader.at = 0
  reader.skip(3 * borders.length + 1)
  assert.ok(reader.isAtEnd)
})

test('rows come back as they were, whatever stands in them', () => {
  for (const table of packedTables as readonly PackedTable[]) {
    const unpacker = new RowUnpacker(table)
    const packer = new RowPacker(table)
    const rows = Array.from({ length: 500 }, () => rowOf(table))
    const begins = rows.map((row) => {
      const begin = packer.out.end
      assert.equal(packer.packRow(row), row[table.key[0]!])
      return begin
    })
    const bytes = packer.out.written()
    for (const [i, row] of rows.entries()) {
      const id = row[table.key[0]!] as number
      assert.deepEqual(unpacker.rowAt(bytes, begins[i]!, id), row)
    }
  }
})

test('a number and an owner are read without the row', () => {
  for (const [table, owner] of [
    [
      fills,
      (row: Record<string, Value>) =>
        Buffer.from(String(row['wallet']).slice(2), 'hex').toString('latin1'),
    ],
    [trades, (row: Record<string, Value>) => row['underlyingIndex']],
  ] as const) {
    const packer = new RowPacker(table)
    const row = rowOf(table)
    packer.packRow(row)
    const bytes = Buffer.from(packer.out.written())
    assert.equal(new NumberField(table, 'instrument').read(bytes, 0), row['instrument'])
    assert.equal(ownerField(table)(bytes, 0), owner(row))
  }
})

test('a row of before a column that may be null says that it is not there', () => {
  const before = { ...fills, columns: { ...fills.columns } } as Record<string, unknown>
  const { costMicros, ...columns } = fills.columns
  Object.assign(before, { columns })
  const packer = new RowPacker(before as unknown as PackedTable)
  const row = rowOf(before as unknown as PackedTable)
  packer.packRow(row)
  const read = new RowUnpacker(fills).rowAt(packer.out.written(), 0, row['fillId'] as number)
  assert.deepEqual(read, { ...row, costMicros: null })
  assert.ok(costMicros)
})
