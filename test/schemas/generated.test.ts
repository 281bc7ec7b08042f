import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ByteBuffer } from 'flatbuffers'
import {
  AnyEvent,
  BookClearedEvent,
  BookLevelEvent,
  IndexPriceEvent,
  TradeEvent,
} from '../../schemas/generated/events.js'
import { BookCleared } from '../../schemas/generated/market-data/book-cleared.js'
import { BookLevel } from '../../schemas/generated/market-data/book-level.js'
import { IndexPrice } from '../../schemas/generated/market-data/index-price.js'
import { Trade } from '../../schemas/generated/market-data/trade.js'
import { viewsOf } from '../../schemas/record-views.js'

import { type PlacedField, placesOf } from '../../schemas/records/layout.js'
import { layoutGroups } from '../../scripts/generate-records.js'
import { generateAll, generatedFolders } from '../../scripts/generate-schemas.js'
import { projectPath, projectRoot } from '../support/project.js'

test('the committed code equals the output of the generator', async () => {
  const generated = await generateAll(projectRoot)
  const committed = generatedFolders.flatMap((folder) =>
    readdirSync(projectPath(folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(ts|fbs)$/.test(path))
      .map((path) => join(folder, path)),
  )
  assert.deepEqual(committed.sort(), [...generated.keys()].sort(), 'run: npm run generate')
  for (const [path, code] of generated) {
    const text = readFileSync(projectPath(path), 'utf8')
    assert.equal(text, code, `${path} differs: run npm run generate`)
  }
})

/** A cursor as the generated code has them, by the names of its fields. */
type Cursor = Record<string, unknown> & { over(views: object, at: number): Cursor }
type CursorClass = { new (): Cursor; readonly bytes: number; readonly prototype: object }

const base = 64
const views = viewsOf(new ArrayBuffer(8192))

/** Writes `value` where the description has the field. */
function put({ field, at }: PlacedField, value: number): void {
  if (field.kind === 'i32') views.i32[(base + at) >> 2] = value
  if (field.kind === 'u32') views.u32[(base + at) >> 2] = value
  if (field.kind === 'f64') views.f64[(base + at) >> 3] = value
}

const hasNumber = ({ field }: PlacedField) => ['i32', 'u32', 'f64'].includes(field.kind)

test('every number of every cursor is read and written at its described place', async () => {
  for (const { file, layouts } of layoutGroups) {
    const module: Record<string, CursorClass> = await import(`../../schemas/generated/${file}.js`)
    for (const layout of layouts) {
      const made = module[layout.name]
      if (made === undefined) continue
      const cursor = new made().over(views, base)
      const { placed, bytes } = placesOf(layout)
      assert.equal(made.bytes, bytes, layout.name)
      for (const one of placed.filter(hasNumber)) {
        views.u8.fill(0)
        put(one, 1234)
        assert.equal(cursor[one.field.name], 1234, `${layout.name}.${one.field.name} is read`)
        cursor[one.field.name] = 0
        assert.ok(
          views.u8.every((byte) => byte === 0),
          `${layout.name}.${one.field.name} is written`,
        )
      }
      for (const { field, at } of placed) {
        if (field.kind !== 'bytes') continue
        assert.equal(cursor[`${field.name}At`], base + at, `${layout.name}.${field.name}`)
      }
    }
  }
})

test('a cursor does not redeclare fields of its base class', async () => {
  for (const { file, layouts } of layoutGroups) {
    const module: Record<string, CursorClass> = await import(`../../schemas/generated/${file}.js`)
    for (const { name, begin } of layouts) {
      const made = module[name]
      if (made === undefined || begin === null) continue
      for (const { field } of placesOf(begin).placed) {
        assert.ok(!Object.hasOwn(made.prototype, field.name), `${name}.${field.name}`)
      }
    }
  }
})

test('every type has one number, and every record ends at a multiple of eight', () => {
  for (const { file, layouts } of layoutGroups) {
    const numbers = new Map<string, number>()
    for (const layout of layouts) {
      for (const [name, number] of Object.entries(layout.types)) {
        assert.equal(numbers.get(name) ?? number, number, `${file}: ${name}`)
        numbers.set(name, number)
      }
      assert.equal(placesOf(layout).bytes & 3, 0, layout.name)
    }
    assert.equal(new Set(numbers.values()).size, numbers.size, file)
  }
})

test('FlatBuffers reads market data where the cursors write it', () => {
  const bytes = new ByteBuffer(views.u8)
  const body = base + AnyEvent.bytes
  views.u8.fill(0)

  const trade = Object.assign(new TradeEvent().over(views, base), {
    ...{ tradeId: 1, priceMicros: 2, sizeLots: 3, makerFeeMicros: -4, takerFeeMicros: 5 },
    ...{ instrument: 6, takerSide: 1 },
  })
  views.u8[trade.makerAt] = 7
  views.u8[trade.takerAt + 19] = 8
  const readTrade = new Trade().__init(body, bytes)
  assert.equal(readTrade.tradeId(), 1)
  assert.equal(readTrade.priceMicros(), 2)
  assert.equal(readTrade.sizeLots(), 3)
  assert.equal(readTrade.makerFeeMicros(), -4)
  assert.equal(readTrade.takerFeeMicros(), 5)
  assert.equal(readTrade.instrument(), 6)
  assert.equal(readTrade.takerSide(), 1)
  assert.equal(readTrade.maker(0), 7)
  assert.equal(readTrade.taker(19), 8)
  assert.equal(body + Trade.sizeOf(), base + TradeEvent.bytes)

  Object.assign(new BookLevelEvent().over(views, base), {
    ...{ priceMicros: 11, sizeLots: 12, instrument: 13, side: 1 },
  })
  const level = new BookLevel().__init(body, bytes)
  assert.deepEqual(
    [level.priceMicros(), level.sizeLots(), level.instrument(), level.side()],
    [11, 12, 13, 1],
  )
  assert.equal(body + BookLevel.sizeOf(), base + BookLevelEvent.bytes)

  new BookClearedEvent().over(views, base).instrument = 21
  assert.equal(new BookCleared().__init(body, bytes).instrument(), 21)
  assert.ok(body + BookCleared.sizeOf() <= base + BookClearedEvent.bytes)

  const priced = new IndexPriceEvent().over(views, base)
  Object.assign(priced, { priceMicros: 31, observedMillis: 32, underlying: 33 })
  const price = new IndexPrice().__init(body, bytes)
  assert.deepEqual([price.priceMicros(), price.observedMillis(), price.underlying()], [31, 32, 33])
  assert.ok(body + IndexPrice.sizeOf() <= base + IndexPriceEvent.bytes)
})
