import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'libsql'
import { firstIdSince } from '../../../../gateway/read-model/history/first-id.js'

test('the first id since a time is that of a search through all rows, whatever ids are missing', () => {
  const database = new Database(':memory:')
  database.exec('create table trades (trade_id integer primary key, millis integer)')
  assert.equal(firstIdSince(database, 'trades', 5), 0)
  for (const [id, millis] of [
    [3, 10],
    [4, 10],
    [9, 20],
    [30, 20],
    [31, 25],
  ] as const) {
    database.exec(`insert into trades values (${id}, ${millis})`)
  }
  const idOf = (sql: string, value: number) =>
    (database.prepare(sql).get(value) as { id: number | null }).id
  for (let millis = 9; millis < 27; millis++) {
    const found = firstIdSince(database, 'trades', millis)
    assert.equal(
      idOf('select min(trade_id) as id from trades where trade_id >= ?', found),
      idOf('select min(trade_id) as id from trades where millis >= ?', millis),
    )
  }
  database.close()
})
