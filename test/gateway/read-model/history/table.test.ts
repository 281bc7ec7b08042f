import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'libsql'
import { walletOf } from '../../../../bench/event-script.js'
import { RowBatch } from '../../../../gateway/read-model/history/row-batch.js'
import { query } from '../../../../gateway/read-model/history/select.js'
import {
  address,
  createSql,
  excluded,
  given,
  insertSql,
  integer,
  optionalAddress,
  table,
  text,
} from '../../../../gateway/read-model/history/table.js'
import { Side } from '../../../../schemas/domain.js'
import { FillEvent } from '../../../../schemas/generated/events.js'
import { viewsOf } from '../../../../schemas/record-views.js'
import { writeAddress } from '../../../../schemas/wallet.js'

const things = table(
  'things',
  new FillEvent(),
  {
    thingId: integer((fill) => fill.fillId),
    side: integer((fill) => fill.side),
    owner: address((fill) => fill.walletAt),
    builder: optionalAddress((fill: FillEvent) => fill.builderAt),
    notionalMicros: given(0),
    name: text((fill) => `order ${fill.orderId}`),
  },
  {
    key: ['thingId'],
    isRow: (fill) => fill.fillId > 0,
    indexes: { things_side: '(side, thing_id)' },
    updates: excluded('side', 'notionalMicros'),
  },
)

/** Returns the rows of a Fill event at byte 64 of a log. */
function rowsOf(write: (fill: FillEvent) => void): readonly unknown[] {
  const views = viewsOf(new ArrayBuffer(64 + FillEvent.bytes))
  write(new FillEvent().over(views, 64))
  const database = new Database(':memory:')
  database.exec(createSql(things))
  const batch = new RowBatch(database, things)
  const isRow = batch.addEvent(views, 64, [7])
  batch.flush()
  const rows = database.prepare('select * from things').all()
  database.close()
  assert.equal(isRow, rows.length > 0)
  return rows
}

function withThings(use: (database: Database.Database) => void): void {
  const database = new Database(':memory:')
  database.exec(createSql(things))
  use(database)
  database.close()
}

test('a row has the values of its event, and the given ones', () => {
  const rows = rowsOf((fill) => {
    fill.fillId = 2 ** 40
    fill.orderId = 16
    fill.side = Side.Sell
    writeAddress(walletOf(5), fill.u8, fill.walletAt)
    writeAddress(walletOf(6), fill.u8, fill.builderAt)
  })
  const wallets = { owner: walletOf(5), builder: walletOf(6) }
  assert.deepEqual(rows, [
    { thing_id: 2 ** 40, side: Side.Sell, ...wallets, notional_micros: 7, name: 'order 16' },
  ])
})

test('an optional address of all zeros means none', () => {
  const [row] = rowsOf((fill) => {
    fill.fillId = 1
  })
  assert.equal((row as { builder: unknown }).builder, null)
})

test('an event that is not a row adds none', () => {
  assert.deepEqual(
    rowsOf((fill) => {
      fill.fillId = 0
    }),
    [],
  )
})

test('a row is returned by the names of its columns', () => {
  withThings((database) => {
    const row = [1, 2, 'owner', null, 4, 'name']
    database.prepare(insertSql(things, 1)).run(row)
    const { columns, from } = query(things, [], (thing) => thing)
    const found = database.prepare(`select ${columns} from ${from}`).all()[0]
    assert.deepEqual(Object.values(found as object), row)
    assert.deepEqual(Object.keys(found as object), Object.keys(things.columns))
  })
})

test('a row with an existing key changes only the allowed columns', () => {
  withThings((database) => {
    const insert = database.prepare(insertSql(things, 2))
    insert.run([1, 2, 'owner', null, 4, 'name', 1, 5, 'other', 'b', 7, 'another'])
    const found = database.prepare('select * from things').all()
    const stands = { thing_id: 1, owner: 'owner', builder: null, name: 'name' }
    assert.deepEqual(found, [{ ...stands, side: 5, notional_micros: 7 }])
  })
})

test('an update may be for some rows only', () => {
  withThings((database) => {
    const insert = database.prepare(insertSql(things, 1, 'side <> excluded.side'))
    insert.run([1, 2, 'owner', null, 4, 'name'])
    insert.run([1, 2, 'owner', null, 5, 'name'])
    assert.equal(
      (database.prepare('select notional_micros as n from things').get() as { n: number }).n,
      4,
    )
  })
})

test('indexes follow their table, and a second creation changes nothing', () => {
  withThings((database) => {
    database.exec(createSql(things))
    const columns = database.prepare("pragma index_info('things_side')").all()
    assert.deepEqual(
      (columns as { name: string }[]).map(({ name }) => name),
      ['side', 'thing_id'],
    )
  })
})
