import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'libsql'
import { randomFrom } from '../../../../bench/book-replay/book-flow.js'
import { walletOf } from '../../../../bench/event-script.js'
import { orders } from '../../../../gateway/read-model/history/history-tables.js'
import {
  BlockBatch,
  BlockRemover,
  countBetween,
  createBlocksSql,
  rowsOfIds,
  selecting,
} from '../../../../gateway/read-model/history/row-blocks.js'
import { storedRows } from '../../../support/packed-rows.js'

const { blockIds } = orders
const columns = Object.keys(orders.columns)

/** @param size how long its bytes are. */
function orderOf(orderId: number, size: number) {
  const nothing = Object.fromEntries(columns.map((name) => [name, 0]))
  const builder = size % 3 === 0 ? walletOf(4) : null
  const texts = { wallet: walletOf(1 + (size % 5)), clientId: 'x'.repeat(size % 65), builder }
  return {
    ...nothing,
    ...texts,
    orderId,
    filledMicros: 37 ** (size % 9),
    result: -1 - size,
  } as never
}

function openBlocks(): Database.Database {
  const database = new Database(':memory:')
  database.exec(createBlocksSql(orders))
  return database
}

/** Rows as they should be. */
class Model {
  readonly rows = new Map<number, unknown>()

  compare(database: Database.Database): void {
    const ids = [...this.rows.keys()].sort((one, other) => one - other)
    const wanted = ids.map((id) => this.rows.get(id))
    assert.deepEqual(storedRows(database, orders), wanted)
    const select = selecting(database)
    assert.equal(countBetween(select, orders, 0, 100 * blockIds), ids.length)
    const some = ids.filter((id) => id % 7 === 0)
    assert.deepEqual(
      rowsOfIds(select, orders, some),
      some.map((id) => this.rows.get(id)),
    )
  }
}

test('rows that are new, changed, longer and shorter stand as the latest of each has them', () => {
  const database = openBlocks()
  const [batch, model, random] = [new BlockBatch(database, orders), new Model(), randomFrom(3)]
  for (let flush = 0; flush < 60; flush++) {
    for (let i = Math.floor(random() * 40); i >= 0; i--) {
      const id = Math.floor(random() * 5 * 64) * (blockIds / 64) + Math.floor(random() * 2)
      const row = orderOf(id, Math.floor(random() * 200))
      batch.add(row)
      model.rows.set(id, row)
    }
    batch.flush()
    model.compare(database)
  }
  database.close()
})

test('the last row of a block and the first of the next stand in one each', () => {
  const database = openBlocks()
  const [batch, model] = [new BlockBatch(database, orders), new Model()]
  const put = (id: number, size: number) => {
    const row = orderOf(id, size)
    batch.add(row)
    model.rows.set(id, row)
  }
  const counts = () =>
    selecting(database)<{ count: number }>('select count from order_blocks order by block', [])
  for (const id of [blockIds - 1, blockIds, 2 * blockIds - 1]) put(id, 3)
  batch.flush()
  assert.deepEqual(counts(), [{ count: 1 }, { count: 2 }])
  for (const id of [blockIds, blockIds - 1, 0]) put(id, 60)
  batch.flush()
  model.compare(database)
  assert.deepEqual(counts(), [{ count: 2 }, { count: 2 }])
  database.close()
})

test('what a transaction has written is gone with it, and can be written again', () => {
  const database = openBlocks()
  const [batch, model] = [new BlockBatch(database, orders), new Model()]
  const first = orderOf(5, 1)
  batch.add(first)
  model.rows.set(5, first)
  batch.flush()
  database.exec('begin')
  for (const id of [5, 6, 7]) batch.add(orderOf(id, 9))
  batch.flush()
  database.exec('rollback')
  model.compare(database)
  for (const id of [5, 6]) {
    batch.add(orderOf(id, 8))
    model.rows.set(id, orderOf(id, 8))
  }
  batch.flush()
  model.compare(database)
  database.close()
})

test('rows that are told to go leave their blocks, and others of these stay', () => {
  const database = openBlocks()
  const [batch, model] = [new BlockBatch(database, orders), new Model()]
  for (let id = 0; id < 3 * blockIds; id += blockIds / 16) {
    model.rows.set(id, orderOf(id, id % 50))
    batch.add(orderOf(id, id % 50))
  }
  batch.flush()
  const told: number[] = []
  new BlockRemover(database, orders).between(blockIds / 2, 2.5 * blockIds, (_, __, id) => {
    told.push(id)
    return id % blockIds !== 0
  })
  const within = [...model.rows.keys()].filter((id) => id >= blockIds / 2 && id < 2.5 * blockIds)
  assert.deepEqual(told, within)
  for (const id of within) if (id % blockIds !== 0) model.rows.delete(id)
  model.compare(database)
  database.close()
})
