import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'libsql'
import { RowBatch } from '../../../../gateway/read-model/history/row-batch.js'
import {
  createSql,
  excluded,
  given,
  givenText,
  table,
} from '../../../../gateway/read-model/history/table.js'

const rows = table('rows', null, { id: given(0), text: givenText }, { key: ['id'] })

function openRows() {
  const database = new Database(':memory:')
  database.exec(createSql(rows))
  const all = () => database.prepare('select id, text from rows order by id').all()
  return { database, all }
}

test('any number of rows is in the table after a flush, in the order of their arrival', () => {
  for (const count of [0, 1, 7, 8, 9, 63, 64, 65, 137, 200]) {
    const { database, all } = openRows()
    const batch = new RowBatch(database, rows)
    for (let id = 0; id < count; id++) batch.add([id, `row ${id}`])
    batch.flush()
    batch.flush()
    const wanted = Array.from({ length: count }, (_, id) => ({ id, text: `row ${id}` }))
    assert.deepEqual(all(), wanted, `${count} rows`)
    database.close()
  }
})

test('the last of several rows with one id remains, in one statement or in two', () => {
  const { database, all } = openRows()
  const batch = new RowBatch(database, { ...rows, updates: excluded('text') })
  for (let i = 0; i < 11; i++) batch.add([i % 3, `turn ${i}`])
  batch.flush()
  assert.deepEqual(all(), [
    { id: 0, text: 'turn 9' },
    { id: 1, text: 'turn 10' },
    { id: 2, text: 'turn 8' },
  ])
  database.close()
})

test('numbers up to 2^53 are returned exactly, and larger ones are clamped', () => {
  const { database } = openRows()
  const most = Number.MAX_SAFE_INTEGER
  const borders = [0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 45 + 1, most]
  const values = [...borders, ...borders.slice(1).map((value) => -value)]
  const batch = new RowBatch(database, rows)
  for (const id of values) batch.add([id, ''])
  batch.add([1e300, 'beyond'])
  batch.flush()
  const ids = database.prepare('select id, text from rows').all() as { id: number; text: string }[]
  assert.deepEqual(
    ids.map(({ id }) => id),
    values.toSorted((one, other) => one - other),
  )
  assert.equal(ids.at(-1)!.text, 'beyond')
  assert.throws(() => batch.add([Number.NaN, '']), /a number is NaN/)
  database.close()
})
