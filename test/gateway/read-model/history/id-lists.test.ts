import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { randomFrom } from '../../../../bench/book-replay/book-flow.js'
import { walletOf } from '../../../../bench/event-script.js'
import { listMistakes } from '../../../../gateway/read-model/history/history-lists.js'
import {
  type HistoryDatabase,
  openHistory,
} from '../../../../gateway/read-model/history/history-schema.js'
import { fills, trades } from '../../../../gateway/read-model/history/history-tables.js'
import { IdLister, ListRemover, listsOf } from '../../../../gateway/read-model/history/id-lists.js'
import { pageOfIds } from '../../../../gateway/read-model/history/id-pages.js'
import {
  AllIds,
  lastIdsByPart,
  sourcesOf,
} from '../../../../gateway/read-model/history/id-sources.js'
import {
  BlockBatch,
  BlockRemover,
  countBetween,
  rowsOfIds,
  selecting,
} from '../../../../gateway/read-model/history/row-blocks.js'
import { storedRows } from '../../../support/packed-rows.js'

const wallets = [1, 2, 3].map(walletOf)
const instruments = 7
const rows = 4000

interface Stored {
  readonly fillId: number
  readonly wallet: string
  readonly instrument: number
}

/** Rows in an order that is nearly that of their ids, some of them twice, listed three times on the way. */
function storeOf(context: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'id-lists-'))
  const database = openHistory(folder)
  context.after(() => {
    database.close()
    rmSync(folder, { recursive: true })
  })
  const random = randomFrom(9)
  const batch = new BlockBatch(database, fills)
  const lister = new IdLister(database, fills)
  const stored: Stored[] = []
  let id = 0
  for (let i = 0; i < rows; i++) {
    id += random() < 0.01 ? 5000 : 1 + Math.floor(random() * 3)
    const [wallet] = wallets.slice(random() < 0.8 ? 0 : 1 + Math.floor(random() * 2)) as [string]
    const row = { fillId: id, wallet, instrument: Math.floor(random() * instruments) }
    stored.push(row)
    batch.add(fillOf(row, i))
    if (random() < 0.1) batch.add(fillOf(row, i))
    if (random() < 0.05) batch.flush()
    if (i % 1200 === 900) {
      batch.flush()
      while (!lister.takeUp());
    }
  }
  batch.flush()
  return { database, stored, random }
}

function fillOf(row: Stored, i: number) {
  const numbers = { tradeId: 1, orderId: i, side: 0, priceMicros: 1, sizeLots: 1, feeMicros: 0 }
  const others = { realizedMicros: 0, isTaker: 0, builderFeeMicros: 0, millis: i }
  return { ...row, ...numbers, ...others }
}

function compare(database: HistoryDatabase, stored: readonly Stored[], random: () => number): void {
  const select = selecting(database)
  const highest = stored.at(-1)!.fillId
  for (let i = 0; i < 60; i++) {
    const owners = wallets.filter(() => random() < 0.5)
    const parts =
      random() < 0.5 ? null : [...Array(instruments).keys()].filter(() => random() < 0.3)
    const fromId = random() < 0.5 ? 0 : Math.floor(random() * highest)
    const toId = random() < 0.5 ? highest + 1 : fromId + Math.floor(random() * (highest - fromId))
    const span = { fromId, toId }
    const limit = 1 + Math.floor(random() * 100)
    const offset = random() < 0.3 ? 0 : Math.floor(random() * rows)
    const found = pageOfIds(
      sourcesOf(select, fills, { owners, parts, ...span }),
      { limit, offset },
      span,
    )
    const isWanted = ({ fillId, wallet, instrument }: Stored) =>
      owners.includes(wallet) &&
      (parts === null || parts.includes(instrument)) &&
      fillId >= fromId &&
      fillId < toId
    const wanted = stored.filter(isWanted).map(({ fillId }) => fillId)
    assert.deepEqual(found, wanted.toReversed().slice(offset, offset + limit))
    const all = pageOfIds([new AllIds(select, fills)], { limit, offset }, span)
    const within = stored.filter(({ fillId }) => fillId >= fromId && fillId < toId)
    assert.deepEqual(
      all,
      within
        .map(({ fillId }) => fillId)
        .toReversed()
        .slice(offset, offset + limit),
    )
    assert.equal(countBetween(select, fills, fromId, Math.max(fromId, toId)), within.length)
  }
}

test('pages by any owners, parts and span are those of a plain search, wherever the list stands', (context) => {
  const { database, stored, random } = storeOf(context)
  assert.deepEqual([...listMistakes(database)].filter(Boolean), [])
  assert.deepEqual(
    storedRows(database, fills).map(({ fillId }) => fillId),
    stored.map(({ fillId }) => fillId),
  )
  compare(database, stored, random)
})

test('what is behind an id goes from blocks and lists, and what is taken up later is found', (context) => {
  const { database, stored, random } = storeOf(context)
  for (const place of [3300, 2001, 64]) {
    const { fillId: last } = stored[place]!
    new BlockRemover(database, fills).above(last)
    new ListRemover(database, listsOf(fills)[0]).above(last)
    database.exec(`update listed set last = min(last, ${last}) where name = 'fills'`)
    const left = stored.slice(0, place + 1)
    assert.deepEqual([...listMistakes(database)].filter(Boolean), [])
    compare(database, left, random)
  }
  while (!new IdLister(database, fills).takeUp());
  compare(database, stored.slice(0, 65), random)
})

test('what is before an id goes in the same way, a few owners at a time', (context) => {
  const { database, stored, random } = storeOf(context)
  const lists = new ListRemover(database, listsOf(fills)[0])
  const listed = () =>
    (database.prepare('select count(*) as lists from fill_ids').get() as { lists: number }).lists
  for (const place of [100, 1500, 3700]) {
    const { fillId: first } = stored[place]!
    const before = listed()
    database.exec(`update listed set first = ${first} where name = 'fills'`)
    new BlockRemover(database, fills).below(first)
    compare(database, stored.slice(place), random)
    let owner = lists.below(first, null, 1)
    for (let looked = 1; owner !== null; looked++) {
      assert.ok(looked <= wallets.length)
      owner = lists.below(first, owner, 1)
    }
    if (place > 1000) assert.ok(listed() < before)
    assert.deepEqual([...listMistakes(database)].filter(Boolean), [])
    compare(database, stored.slice(place), random)
  }
})

test('a list is of numbers too, also of those below zero', (context) => {
  const { database } = storeOf(context)
  const batch = new BlockBatch(database, trades)
  const [maker, taker] = wallets as [string, string]
  const facts = { priceMicros: 1, sizeLots: 1, notionalMicros: 1, takerSide: 0, maker, taker }
  const fees = { makerFeeMicros: 0, takerFeeMicros: 0, millis: 0 }
  for (let tradeId = 1; tradeId <= 300; tradeId++) {
    const underlyingIndex = (tradeId % 4) - 1
    batch.add({ tradeId, instrument: tradeId % 5, underlyingIndex, ...facts, ...fees })
  }
  batch.flush()
  while (!new IdLister(database, trades).takeUp());
  const select = selecting(database)
  const span = { fromId: 0, toId: 301 }
  const found = pageOfIds(
    sourcesOf(select, trades, { owners: [-1, 2], parts: [3], ...span }),
    { limit: 500, offset: 0 },
    span,
  )
  const wanted = rowsOfIds(select, trades, [...Array(301).keys()])
    .filter(
      ({ underlyingIndex, instrument }) => [-1, 2].includes(underlyingIndex) && instrument === 3,
    )
    .map(({ tradeId }) => tradeId)
  assert.ok(wanted.length > 20)
  const lasts = lastIdsByPart(select, trades)
  for (let part = 0; part < 5; part++) assert.equal(lasts.get(part), 300 - ((300 - part) % 5))
  assert.deepEqual(found, wanted.toReversed())
})
