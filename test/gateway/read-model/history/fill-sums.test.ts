import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { randomFrom } from '../../../../bench/book-replay/book-flow.js'
import {
  EventScript,
  type FillFacts,
  smallMemory,
  walletOf,
} from '../../../../bench/event-script.js'
import { EventLogReader } from '../../../../engine/memory/event-log.js'
import { logReaders } from '../../../../engine/memory/exchange-memory.js'
import { FillSums } from '../../../../gateway/read-model/history/fill-sums.js'
import {
  type HistoryDatabase,
  openHistory,
} from '../../../../gateway/read-model/history/history-schema.js'
import { SumRows } from '../../../../gateway/read-model/history/profit-sums.js'
import {
  add,
  type PackedSums,
  type SumRow,
  unpackSums,
  type WalletSums,
} from '../../../../gateway/read-model/history/wallet-sums.js'
import { Side } from '../../../../schemas/domain.js'

const fiveMinutes = 300_000
const hour = 12 * fiveMinutes
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)

/** Published fills, and their sums in a store. */
class SummedFills {
  readonly #database: HistoryDatabase
  readonly #memory = smallMemory()
  readonly #script = new EventScript(this.#memory, 0)
  readonly #log = new EventLogReader(this.#memory.eventLog, logReaders.history)
  readonly #rows: SumRows
  readonly sums: FillSums
  #fillId = 0

  constructor(context: TestContext) {
    const folder = mkdtempSync(join(tmpdir(), 'fill-sums-'))
    context.after(() => rmSync(folder, { recursive: true }))
    this.#database = openHistory(folder)
    context.after(() => this.#database.close())
    this.#rows = new SumRows(this.#database)
    this.sums = new FillSums(this.#database)
  }

  fill(millis: number, account: number, facts: Partial<FillFacts> = {}): void {
    const fillId = ++this.#fillId
    const ids = { fillId, tradeId: fillId, orderId: fillId }
    this.#script.timeMillis = millis
    const usual = { wallet: walletOf(account), instrument: 0, side: Side.Buy }
    this.#script.fill({ ...usual, ...ids, account, ...facts })
    this.#script.commit()
    this.sums.take(this.#log, this.#log.next())
    this.#log.release()
  }

  flush(): void {
    this.sums.flush(this.#rows)
  }

  /** Returns the sums of all parts of a table, by start, wallet and instrument. */
  stored(table: 'profit_spans' | 'profit_hours' | 'profit_days') {
    const rows = this.#database.prepare(`select start_millis, wallet, sums from ${table}`).all()
    const sums = new Map<string, WalletSums>()
    for (const row of rows as { start_millis: number; wallet: string; sums: PackedSums }[]) {
      for (const one of unpackSums(row.sums)) put(sums, row.start_millis, row.wallet, one)
    }
    return plain(sums)
  }

  volumes() {
    return this.#database
      .prepare('select wallet, volume_usd, volume_micros from wallet_volumes order by wallet')
      .all()
      .map((row) => Object.values(row as object))
  }
}

function put(sums: Map<string, WalletSums>, start: number, wallet: string, row: SumRow): void {
  const key = `${start} ${wallet}`
  if (!sums.has(key)) sums.set(key, new Map())
  add(sums.get(key)!, row)
}

function plain(sums: ReadonlyMap<string, WalletSums>) {
  return Object.fromEntries(
    [...sums].map(([key, one]) => [key, Object.fromEntries(one)] as const).sort(),
  )
}

test(`fills in any flushes and five minutes add up to what each of them is worth, seed ${seed}`, (context) => {
  const summed = new SummedFills(context)
  const random = randomFrom(seed)
  const below = (end: number) => Math.floor(random() * end)
  const [spans, hours, days] = [new Map(), new Map(), new Map<string, WalletSums>()]
  const volumes = new Map<string, bigint>()
  let millis = 86_400_000 - 3 * fiveMinutes
  for (let i = 0; i < 600; i++) {
    millis += below(10) === 0 ? below(fiveMinutes) : below(900)
    const [account, instrument, side] = [below(5), below(4), 1 + below(2)]
    // Whole contracts, so that a premium is exact: lots are 1e-8 of one.
    const [contracts, priceMicros] = [1 + below(9), below(1_000_000)]
    const realizedMicros = below(3) === 0 ? 0 : below(2001) - 1000
    const feeMicros = below(2) * below(50)
    const notionalMicros = below(2 ** 45)
    const sizeLots = contracts * 1e8
    const terms = { instrument, side, sizeLots, priceMicros, realizedMicros, feeMicros }
    summed.fill(millis, account, { ...terms, notionalMicros })
    const sign = side === Side.Buy ? 1 : -1
    const row: SumRow = {
      ...{ about: instrument, lots: sign * sizeLots },
      costMicros: realizedMicros + sign * contracts * priceMicros,
      realizedMicros: realizedMicros - feeMicros,
      events: realizedMicros !== 0 || feeMicros !== 0 ? 1 : 0,
    }
    const wallet = walletOf(account)
    put(spans, millis - (millis % fiveMinutes), wallet, row)
    put(hours, millis - (millis % hour), wallet, row)
    put(days, millis - (millis % 86_400_000), wallet, row)
    volumes.set(wallet, (volumes.get(wallet) ?? 0n) + BigInt(notionalMicros))
    if (below(20) === 0) summed.flush()
  }
  // An hour has its ended five minutes, and a day its ended hours.
  const later = millis + hour
  summed.fill(later, 0, { realizedMicros: 0, feeMicros: 0 })
  summed.flush()
  const storedSpans = summed.stored('profit_spans')
  const last = `${later - (later % fiveMinutes)} ${walletOf(0)}`
  assert.ok(last in storedSpans)
  const { [last]: _, ...closed } = storedSpans
  assert.deepEqual(closed, plain(spans))
  assert.deepEqual(summed.stored('profit_hours'), plain(hours))
  assert.deepEqual(summed.stored('profit_days'), plain(days))
  assert.deepEqual(
    summed.volumes(),
    [...volumes]
      .sort()
      .map(([wallet, sum]) => [wallet, Number(sum / 1_000_000n), Number(sum % 1_000_000n)]),
  )
})

test('a flush without fills adds nothing twice', (context) => {
  const summed = new SummedFills(context)
  summed.fill(1, 1, { realizedMicros: 5, notionalMicros: 7 })
  summed.flush()
  const [spans, volumes] = [summed.stored('profit_spans'), summed.volumes()]
  summed.flush()
  assert.deepEqual(summed.stored('profit_spans'), spans)
  assert.deepEqual(summed.volumes(), volumes)
})

test('an account that now belongs to another wallet adds to that one', (context) => {
  const summed = new SummedFills(context)
  summed.fill(1, 3, { wallet: walletOf(3), notionalMicros: 1_000_000 })
  summed.fill(2, 3, { wallet: walletOf(8), notionalMicros: 2_000_000 })
  summed.flush()
  assert.deepEqual(summed.volumes(), [
    [walletOf(3), 1, 0],
    [walletOf(8), 2, 0],
  ])
  assert.deepEqual(Object.keys(summed.stored('profit_spans')), [
    `0 ${walletOf(3)}`,
    `0 ${walletOf(8)}`,
  ])
})

test('the last included fill is known before and after a flush', (context) => {
  const summed = new SummedFills(context)
  assert.equal(summed.sums.lastId, 0)
  summed.fill(1, 1)
  summed.fill(1, 2)
  assert.equal(summed.sums.lastId, 2)
  summed.flush()
  assert.equal(summed.sums.lastId, 2)
})
