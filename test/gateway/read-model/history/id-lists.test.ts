import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { randomFrom } from '../../../../bench/book-replay/book-flow.js'
import { walletOf } from '../../../../bench/event-script.js'
import {
  type HistoryDatabase,
  openHistory,
} from '../../../../gateway/read-model/history/history-schema.js'
import { fills, trades } from '../../../../gateway/read-model/history/history-tables.js'
import {
  dropRunsFrom,
  OldRuns,
  TableLists,
} from '../../../../gateway/read-model/history/id-lists.js'
import { pageOf } from '../../../../gateway/read-model/history/id-queries.js'
import { listedSources } from '../../../../gateway/read-model/history/id-sources.js'
import { listMistakes } from '../../../../gateway/read-model/history/list-check.js'
import { firstIdSince, selecting } from '../../../../gateway/read-model/history/stored-rows.js'
import { putRows } from '../../../support/stored-rows.js'

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
  const lists = new TableLists(database, fills)
  const stored: Stored[] = []
  let id = 0
  for (let i = 0; i < rows; i++) {
    id += random() < 0.01 ? 5000 : 1 + Math.floor(random() * 3)
    const [wallet] = wallets.slice(random() < 0.8 ? 0 : 1 + Math.floor(random() * 2)) as [string]
    const instrument = Math.floor(random() * instruments)
    const row = { fillId: id, wallet, instrument, underlyingIndex: instrument % 2 }
    stored.push(row)
    putRows(database, fills, random() < 0.1 ? [row, row] : [row])
    if (i % 600 === 400) while (!lists.absorb());
  }
  return { database, stored, random }
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
    const keys = owners.flatMap((wallet) =>
      parts === null ? [[wallet]] : parts.map((instrument) => [wallet, instrument % 2, instrument]),
    )
    const sources = listedSources(select, fills, 'fill_ids', keys, span)
    const found = pageOf({ select }, fills, sources, { limit, offset }, span)
    const isWanted = ({ fillId, wallet, instrument }: Stored) =>
      owners.includes(wallet) &&
      (parts === null || parts.includes(instrument)) &&
      fillId >= fromId &&
      fillId < toId
    const wanted = stored.filter(isWanted).map(({ fillId }) => fillId)
    assert.deepEqual(found, wanted.toReversed().slice(offset, offset + limit))
  }
}

function mistakesOf(database: HistoryDatabase): readonly string[] {
  return [...listMistakes(database)].filter(Boolean)
}

function countOf(database: HistoryDatabase, from: string): number {
  const row = database.prepare(`select count(*) as count from ${from}`).get()
  return (row as { readonly count: number }).count
}

test('pages by wallets, instruments and range equal a plain search, listed or not', (context) => {
  const { database, stored, random } = storeOf(context)
  assert.deepEqual(mistakesOf(database), [])
  assert.ok(countOf(database, 'list_runs') > 5)
  compare(database, stored, random)
})

test('runs from an id on are dropped, and their other rows are absorbed again', (context) => {
  const { database, stored, random } = storeOf(context)
  for (const place of [3300, 2001, 64]) {
    const { fillId: last } = stored[place]!
    dropRunsFrom(database, fills, last + 1)
    database.exec(`delete from fills where fill_id > ${last}`)
    const left = stored.slice(0, place + 1)
    assert.deepEqual(mistakesOf(database), [])
    compare(database, left, random)
  }
  while (!new TableLists(database, fills).absorb());
  assert.equal(countOf(database, 'fill_ids'), 65)
  compare(database, stored.slice(0, 65), random)
})

test('runs of removed rows are removed, some rows at a time', (context) => {
  const { database, stored, random } = storeOf(context)
  const runs = new OldRuns(database, fills, 100)
  for (const place of [100, 1500, 3700]) {
    const { fillId: first } = stored[place]!
    const before = countOf(database, 'fill_ids')
    database.exec(`delete from fills where fill_id < ${first}`)
    runs.passBelow(first)
    compare(database, stored.slice(place), random)
    let steps = 0
    while (runs.removeSome()) steps++
    const removed = before - countOf(database, 'fill_ids')
    assert.equal(steps, Math.ceil(removed / 100))
    assert.equal(removed > 0, place > 1000)
    assert.deepEqual(mistakesOf(database), [])
    compare(database, stored.slice(place), random)
  }
})

test('pages have every row after retention has passed all runs and some pending rows', (context) => {
  const { database, stored, random } = storeOf(context)
  const { fillId: first } = stored[3700]!
  database.exec(`delete from fills where fill_id < ${first}`)
  new OldRuns(database, fills, 100).passBelow(first)
  compare(database, stored.slice(3700), random)
  while (!new TableLists(database, fills).absorb());
  compare(database, stored.slice(3700), random)
  assert.equal(countOf(database, 'list_runs'), 1)
})

test('a new run has no entries of an old one with its number', (context) => {
  const { database, stored, random } = storeOf(context)
  const { fillId: first } = stored[3100]!
  database.exec(`delete from fills where fill_id < ${first}`)
  // A crash may come before the entries of the dropped runs are removed.
  new OldRuns(database, fills, 100).passBelow(first)
  dropRunsFrom(database, fills, first)
  assert.equal(countOf(database, 'list_runs'), 0)
  while (!new TableLists(database, fills).absorb());
  assert.deepEqual(mistakesOf(database), [])
  compare(database, stored.slice(3100), random)
})

test('the largest possible ids are found, pending and listed', (context) => {
  const { database } = storeOf(context)
  const select = selecting(database)
  const [wallet] = wallets as [string]
  const ids = [2, 1, 0].map((less) => Number.MAX_SAFE_INTEGER - less)
  putRows(
    database,
    fills,
    ids.map((fillId, i) => ({ fillId, wallet, instrument: 50, millis: 1000 + i })),
  )
  for (const isListed of [false, true]) {
    if (isListed) while (!new TableLists(database, fills).absorb());
    const sources = listedSources(select, fills, 'fill_ids', [[wallet, 0, 50]])
    const pages = [0, 1, 2, 3].flatMap((offset) =>
      pageOf({ select }, fills, sources, { limit: 1, offset }),
    )
    assert.deepEqual(pages, ids.toReversed())
    for (const i of [1, 2]) assert.equal(firstIdSince(select, fills, 1000 + i), ids[i])
    assert.deepEqual(mistakesOf(database), [])
  }
})

test('a list may be of numbers, also below zero', (context) => {
  const { database } = storeOf(context)
  const [maker, taker] = wallets as [string, string]
  const stored = Array.from({ length: 300 }, (_, i) => {
    return { tradeId: i + 1, instrument: i % 5, underlyingIndex: (i % 4) - 1, maker, taker }
  })
  putRows(database, trades, stored)
  while (!new TableLists(database, trades).absorb());
  const keys = [-1, 2].map((underlying) => [underlying, 3])
  const found = listedSources(selecting(database), trades, 'trade_ids', keys).flatMap((source) =>
    source.newest(0, 301, 500),
  )
  const wanted = stored.filter(({ underlyingIndex, instrument }) => {
    return [-1, 2].includes(underlyingIndex) && instrument === 3
  })
  assert.deepEqual(
    found.sort((one, other) => one - other),
    wanted.map(({ tradeId }) => tradeId),
  )
  assert.deepEqual(mistakesOf(database), [])
})
