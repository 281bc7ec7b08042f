import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'libsql'
import {
  address,
  createSql,
  double,
  excluded,
  given,
  insertSql,
  int,
  optionalAddress,
  readRow,
  selected,
  table,
  text,
  type Value,
  word,
} from '../../../../gateway/read-model/history/table.js'
import { writeAddress } from '../../../../schemas/wallet.js'
import { walletOf } from '../../../support/events.js'

const things = table(
  'things',
  {
    thingId: double(8),
    side: int(16),
    high: word(16),
    owner: address(20),
    builder: optionalAddress(40),
    notionalMicros: given(0),
    name: text((_, at) => `at ${at}`),
  },
  {
    key: ['thingId'],
    indexes: { things_side: '(side, thing_id)' },
    updates: excluded('side', 'notionalMicros'),
  },
)

/** The row of an event that stands 64 bytes behind the begin of a log. */
function rowOf(write: (views: { f64: Float64Array; i32: Int32Array; u8: Uint8Array }) => void) {
  const memory = new ArrayBuffer(128)
  const views = {
    f64: new Float64Array(memory, 64),
    i32: new Int32Array(memory, 64),
    u8: new Uint8Array(memory, 64),
  }
  write(views)
  const records = {
    f64: new Float64Array(memory),
    i32: new Int32Array(memory),
    u8: new Uint8Array(memory),
  }
  const row: Value[] = []
  readRow(Object.values(things.columns), records, 64, [7], row)
  return row
}

function withThings(use: (database: Database.Database) => void): void {
  const database = new Database(':memory:')
  database.exec(createSql(things))
  use(database)
  database.close()
}

test('a row has what stands in its event at the places of its columns, and what is given', () => {
  const row = rowOf(({ f64, i32, u8 }) => {
    f64[1] = 2 ** 40
    i32[4] = -1
    writeAddress(walletOf(5), u8, 20)
    writeAddress(walletOf(6), u8, 40)
  })
  assert.deepEqual(row, [2 ** 40, -1, 2 ** 32 - 1, walletOf(5), walletOf(6), 7, 'at 64'])
})

test('an optional address of all zeros is none', () => {
  assert.equal(rowOf(() => {})[4], null)
})

test('a row comes back by the names of its columns', () => {
  withThings((database) => {
    const row = [1, 2, 3, 'owner', null, 4, 'name']
    database.prepare(insertSql(things, 1)).run(row)
    const found = database.prepare(`select ${selected(things, 't')} from things t`).all()[0]
    assert.deepEqual(Object.values(found as object), row)
    assert.deepEqual(Object.keys(found as object), Object.keys(things.columns))
  })
})

test('a row with a key that stands changes only what it may', () => {
  withThings((database) => {
    const insert = database.prepare(insertSql(things, 2))
    insert.run([1, 2, 3, 'owner', null, 4, 'name', 1, 5, 6, 'other', 'b', 7, 'another'])
    const found = database.prepare('select * from things').all()
    const stands = { thing_id: 1, high: 3, owner: 'owner', builder: null, name: 'name' }
    assert.deepEqual(found, [{ ...stands, side: 5, notional_micros: 7 }])
  })
})

test('an update may be for some rows only', () => {
  withThings((database) => {
    const insert = database.prepare(insertSql(things, 1, 'side <> excluded.side'))
    insert.run([1, 2, 3, 'owner', null, 4, 'name'])
    insert.run([1, 2, 3, 'owner', null, 5, 'name'])
    assert.equal(
      (database.prepare('select notional_micros as n from things').get() as { n: number }).n,
      4,
    )
  })
})

test('indexes stand behind their table, and a second creation changes nothing', () => {
  withThings((database) => {
    database.exec(createSql(things))
    const columns = database.prepare("pragma index_info('things_side')").all()
    assert.deepEqual(
      (columns as { name: string }[]).map(({ name }) => name),
      ['side', 'thing_id'],
    )
  })
})
