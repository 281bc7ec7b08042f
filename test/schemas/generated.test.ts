import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ByteBuffer } from 'flatbuffers'
import * as events from '../../schemas/events.js'
import { BookCleared } from '../../schemas/generated/market-data/book-cleared.js'
import { BookLevel } from '../../schemas/generated/market-data/book-level.js'
import { IndexPrice } from '../../schemas/generated/market-data/index-price.js'
import { Trade } from '../../schemas/generated/market-data/trade.js'
import { generateSchemas } from '../../scripts/generate-schemas.js'
import { projectPath, projectRoot } from '../support/project.js'

const record = new Uint8Array(256)
const f64 = new Float64Array(record.buffer)
const i32 = new Int32Array(record.buffer)
const bytes = new ByteBuffer(record)

/** Checks that a field of the struct is read from the place where the core writes it. */
function assertF64(at: number, read: () => number): void {
  record.fill(0)
  f64[at >> 3] = 12345.5
  assert.equal(read(), 12345.5, `Float64 at ${at}`)
}

function assertI32(at: number, read: () => number): void {
  record.fill(0)
  i32[at >> 2] = -77
  assert.equal(read(), -77, `Int32 at ${at}`)
}

function assertBytes(at: number, count: number, read: (index: number) => number | null): void {
  record.fill(0)
  record[at] = 1
  record[at + count - 1] = 2
  assert.deepEqual([read(0), read(count - 1)], [1, 2], `bytes at ${at}`)
}

test('the committed code is what the schemas generate', async () => {
  const generated = await generateSchemas(projectRoot)
  const folder = projectPath('schemas/generated')
  const committed = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = committed.filter((path) => path.endsWith('.ts')).sort()
  assert.deepEqual(
    files,
    [...generated.keys()].sort(),
    'run: node dist/scripts/generate-schemas.js',
  )
  for (const [path, code] of generated) {
    const text = readFileSync(join(folder, path), 'utf8')
    assert.equal(text, code, `${path} differs: run node dist/scripts/generate-schemas.js`)
  }
})

test('a trade is read from where the core writes it', () => {
  const trade = new Trade().__init(events.eventBodyAt, bytes)
  assertF64(events.tradeIdAt, () => trade.tradeId())
  assertF64(events.tradePriceMicrosAt, () => trade.priceMicros())
  assertF64(events.tradeSizeLotsAt, () => trade.sizeLots())
  assertF64(events.tradeMakerFeeMicrosAt, () => trade.makerFeeMicros())
  assertF64(events.tradeTakerFeeMicrosAt, () => trade.takerFeeMicros())
  assertI32(events.tradeInstrumentAt, () => trade.instrument())
  assertI32(events.tradeTakerSideAt, () => trade.takerSide())
  assertBytes(events.tradeMakerAt, 20, (index) => trade.maker(index))
  assertBytes(events.tradeTakerAt, 20, (index) => trade.taker(index))
  assert.equal(events.eventBodyAt + Trade.sizeOf(), events.tradeBytes)
})

test('a book level is read from where the core writes it', () => {
  const level = new BookLevel().__init(events.eventBodyAt, bytes)
  assertF64(events.levelPriceMicrosAt, () => level.priceMicros())
  assertF64(events.levelSizeLotsAt, () => level.sizeLots())
  assertI32(events.levelInstrumentAt, () => level.instrument())
  assertI32(events.levelSideAt, () => level.side())
  assert.equal(events.eventBodyAt + BookLevel.sizeOf(), events.levelBytes)
})

test('a cleared book and an index price are read from where the core writes them', () => {
  const cleared = new BookCleared().__init(events.eventBodyAt, bytes)
  assertI32(events.clearedInstrumentAt, () => cleared.instrument())
  assert.ok(events.eventBodyAt + BookCleared.sizeOf() <= events.clearedBytes)
  const price = new IndexPrice().__init(events.eventBodyAt, bytes)
  assertF64(events.indexPriceMicrosAt, () => price.priceMicros())
  assertF64(events.indexObservedMillisAt, () => price.observedMillis())
  assertI32(events.indexUnderlyingAt, () => price.underlying())
  assert.equal(events.eventBodyAt + IndexPrice.sizeOf(), events.indexPriceBytes)
})
