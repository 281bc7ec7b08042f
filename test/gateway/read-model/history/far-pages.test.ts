import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'libsql'
import { randomFrom } from '../../../../bench/book-flow.js'
import { nearPage } from '../../../../gateway/read-model/history/far-pages.js'
import type { Condition, SelectAll } from '../../../../gateway/read-model/history/select.js'

const ids = 20_000
const lists = ['even', 'seldom', 'burst'] as const
const parts: readonly Condition[] = [
  ...lists.map((list): Condition => ['select item_id as id from listed where list = ?', list]),
  ['select item_id as id from items where item_id > ?', ids],
]
const limit = 20

/** Items that stand in one of three lists, or are behind all that are listed. */
function openItems() {
  const database = new Database(':memory:')
  database.exec(
    'create table items (item_id integer primary key);' +
      'create table listed (list, item_id, primary key (list, item_id)) without rowid',
  )
  const random = randomFrom(5)
  const item = database.prepare('insert into items values (?)')
  const listed = database.prepare('insert into listed values (?, ?)')
  database.exec('begin')
  for (let id = 1; id <= ids + 30; id++) {
    item.run(id)
    const isBurst = id > 4000 && id < 9000
    const list = isBurst ? 'burst' : random() < 0.01 ? 'seldom' : 'even'
    if (id <= ids && (isBurst || random() < 0.4)) listed.run(list, id)
  }
  database.exec('commit')
  return database
}

test('a page at any offset is the one that passing over all before it gives, and passes over few', () => {
  const database = openItems()
  let counts = 0
  const select: SelectAll = <T>(sql: string, values: readonly (string | number)[]) => {
    counts++
    return database.prepare(sql).all(...values) as T[]
  }
  const pageOf = (of: readonly Condition[], offset: number) => {
    const texts = of.map(([sql]) => sql).join(' union all ')
    const values = of.flatMap(([, ...ofPart]) => ofPart)
    const sql = `select id from (${texts} order by id desc limit ? offset ?)`
    return (database.prepare(sql).all(...values, limit, offset) as { id: number }[]).map(
      ({ id }) => id,
    )
  }
  let found = 0
  for (let offset = 0; offset < 13_000; offset += 611) {
    counts = 0
    const near = nearPage({ select }, { key: 'items.item_id' }, parts, { limit, offset })
    const wanted = pageOf(parts, offset)
    assert.deepEqual(pageOf(near.parts, near.page.offset), wanted, `from ${offset} on`)
    if (wanted.length > 0) assert.ok(near.page.offset <= 1024, `from ${offset} on`)
    assert.ok(counts < 30, `${counts} questions from ${offset} on`)
    found += wanted.length
  }
  assert.ok(found > 12 * limit)
  database.close()
})
