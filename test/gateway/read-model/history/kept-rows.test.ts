import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { randomFrom } from '../../../../bench/book-replay/book-flow.js'
import { EventScript, smallMemory, walletOf } from '../../../../bench/event-script.js'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import {
  readHistoryEnd,
  recoverHistory,
} from '../../../../gateway/read-model/history/history-end.js'
import { openHistory } from '../../../../gateway/read-model/history/history-schema.js'
import { HistoryWriter } from '../../../../gateway/read-model/history/history-writer.js'
import { OrderStatus, Side } from '../../../../schemas/domain.js'
import { AccountChange } from '../../../../schemas/record-values.js'
import { queryStore } from '../../../support/profit-rig.js'

const hour = 3_600_000
const day = 24 * hour
const keepDays = 2
const start = Date.UTC(2026, 5, 1)
const expiry = Date.UTC(2026, 8, 25, 8)
const symbols = ['BTC-20260925-110000-C', 'BTC-20260925-90000-P', 'ETH-20260925-4000-C']
const underlyingOf = ['BTC', 'BTC', 'ETH']
const wallets = [1, 2, 3, 4].map(walletOf)
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)

/** Trade as events have it. */
interface Trade {
  readonly id: number
  readonly instrument: number
  readonly maker: number
  readonly taker: number
  readonly millis: number
}

/** Store with the trades that it was given. */
class KeptStore {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'kept-'))
  readonly #keepDays: number

  constructor(context: TestContext, days: number) {
    this.#keepDays = days
    context.after(() => rmSync(this.dataDir, { recursive: true }))
  }

  /** Opens the store, writes events from a sequence on, and closes it. Their lists get a run of their own. */
  feed(seq: number, trades: readonly Trade[]): void {
    const memory = smallMemory(1, 1 << 22)
    const script = new EventScript(memory, start)
    script.seq = seq
    const writer = new HistoryWriter(
      ...([memory, this.dataDir, engineConfigDefault, () => 0, this.#keepDays] as const),
    )
    writer.onStart()
    while (writer.doWork() > 0);
    if (seq === 0) {
      for (const [id, symbol] of symbols.entries()) {
        script.instrument(id, symbol, id < 2 ? 0 : 1, expiry)
      }
      for (const [account, wallet] of wallets.entries()) {
        const [change, deltaMicros] = [AccountChange.Deposit, 1_000_000]
        script.account({ account, wallet, cashMicros: deltaMicros, change, deltaMicros })
      }
    }
    for (const { id, instrument, maker, taker, millis } of trades) {
      script.timeMillis = millis
      script.trade(id, instrument, wallets[maker]!, wallets[taker]!)
      for (const [place, account] of [maker, taker].entries()) {
        const side = place === 0 ? Side.Sell : Side.Buy
        const ids = { fillId: 2 * id + place, tradeId: id, orderId: 1024 * id }
        script.fill({ ...ids, account, wallet: wallets[account]!, instrument, side })
        script.order({
          orderId: 1024 * (2 * id + place),
          wallet: wallets[account]!,
          account,
          instrument,
          side,
          status: OrderStatus.Filled,
        })
      }
    }
    script.commit()
    while (writer.doWork() > 0);
    writer.onClose()
  }

  /** Returns the lowest id of a table; 0: none. */
  lowest(table: string, id: string): number {
    const database = openHistory(this.dataDir)
    const sql = `select coalesce(min(${id}), 0) as id from ${table}`
    const { id: lowest } = database.prepare(sql).get() as { readonly id: number }
    database.close()
    return lowest
  }

  ids(path: string, query: string, id: string): number[] {
    const { data } = queryStore(this.dataDir, path, query)
    return data.map((row: Readonly<Record<string, number>>) => Number(row[id]))
  }
}

/** Makes trades whose times rise by up to `stepMillis`. */
class TradeMaker {
  readonly #below: (end: number) => number
  #id = 0
  #millis = start

  constructor(below: (end: number) => number) {
    this.#below = below
  }

  next(count: number, stepMillis: number): Trade[] {
    return Array.from({ length: count }, () => {
      this.#millis += 1 + this.#below(stepMillis)
      const maker = this.#below(4)
      const taker = (maker + 1 + this.#below(3)) % 4
      return { id: ++this.#id, instrument: this.#below(3), maker, taker, millis: this.#millis }
    })
  }

  /** Takes the latest trades back. */
  drop(count: number): void {
    this.#id -= count
  }
}

test(`pages are those of a plain model through retention, restarts and losses, seed ${seed}`, (context) => {
  const random = randomFrom(seed)
  const below = (end: number) => Math.floor(random() * end)
  const store = new KeptStore(context, keepDays)
  const maker = new TradeMaker(below)
  let trades: Trade[] = []
  let removed = 0
  for (let round = 0; round < 10; round++) {
    const seq = round === 0 ? 0 : readHistoryEnd(store.dataDir).seq
    // Every other round takes days, so retention removes rows of earlier ones.
    const added = maker.next(20 + below(40), round % 2 === 1 ? 4 * hour : 60_000)
    store.feed(seq, added)
    trades = [...trades, ...added]
    if (round > 0 && below(3) === 0) {
      const lost = Math.min(below(20), added.length - 1)
      trades = trades.slice(0, trades.length - lost)
      maker.drop(lost)
      const end = readHistoryEnd(store.dataDir)
      const tradeCount = trades.length
      const left = { seq: end.seq, orderCount: 1e9, tradeCount, payoutCount: 0, instrumentCount: 3 }
      recoverHistory(store.dataDir, { ...left, border: { ...end, batchNumber: 9 } })
    }
    const first = store.lowest('trades', 'trade_id')
    removed = first - 1
    // Retention counts from the newest event, even if a loss has removed it since.
    const since = added.at(-1)!.millis - keepDays * day
    const within = trades.find(({ millis }) => millis >= since)
    assert.ok(within === undefined || first <= within.id, 'retention removes no row within it')
    for (let page = 0; page < 12; page++) comparePage(store, trades, below)
  }
  assert.ok(removed > 0)
})

/** Compares random pages of each query with those of the model. */
function comparePage(
  store: KeptStore,
  trades: readonly Trade[],
  below: (end: number) => number,
): void {
  const firstTrade = store.lowest('trades', 'trade_id')
  const firstFill = store.lowest('fills', 'fill_id')
  const [wallet, instrument, limit] = [below(4), below(3), 1 + below(30)]
  const offset = below(trades.length + 2)
  const page = (ids: readonly number[]) => ids.toReversed().slice(offset, offset + limit)
  const fillsOf = (trade: Trade) =>
    [trade.maker, trade.taker].flatMap((one, place) =>
      one === wallet ? [2 * trade.id + place] : [],
    )
  const known = trades.filter(({ id }) => id >= firstTrade)
  const isOwn = (trade: Trade) => fillsOf(trade).some((fill) => fill >= firstFill)
  const is = (trade: Trade) => trade.instrument === instrument
  const name = underlyingOf[instrument]
  const ofUnderlying = (trade: Trade) => underlyingOf[trade.instrument] === name
  const ids = (some: readonly Trade[]) => some.map(({ id }) => id)
  const from = trades[below(trades.length)]!.millis
  const own = trades.flatMap(fillsOf).filter((fill) => fill >= firstFill)
  const at = `limit=${limit}&offset=${offset}`
  const address = wallets[wallet]
  const option = `option_id=${instrument + 1}`
  const cases: readonly (readonly [path: string, query: string, id: string, ids: number[]])[] = [
    ['/fills', `wallet=${address}&${at}`, 'fill_id', page(own)],
    [
      '/profile/trades',
      `wallet=${address}&symbol=${symbols[instrument]}&from_ts_ms=${from}&${at}`,
      'fill_id',
      page(
        trades
          .filter((trade) => is(trade) && trade.millis >= from)
          .flatMap(fillsOf)
          .filter((fill) => fill >= firstFill),
      ),
    ],
    ['/trades', at, 'trade_id', page(ids(known))],
    ['/trades', `${option}&${at}`, 'trade_id', page(ids(known.filter(is)))],
    ['/trades', `underlying=${name}&${at}`, 'trade_id', page(ids(known.filter(ofUnderlying)))],
    [
      '/trades',
      `account=${address}&underlying=${name}&${at}`,
      'trade_id',
      page(ids(known.filter((trade) => ofUnderlying(trade) && isOwn(trade)))),
    ],
    [
      '/trades',
      `after_trade_id=${offset}&limit=${limit}`,
      'trade_id',
      ids(known.filter(({ id }) => id > offset)).slice(0, limit),
    ],
  ]
  for (const [path, query, id, wanted] of cases) {
    assert.deepEqual(store.ids(path, query, id), wanted, `${path}?${query}`)
  }
}

test(`a journal replayed after retention leaves what a whole store has within it, seed ${seed}`, (context) => {
  const random = randomFrom(seed + 1)
  const trades = new TradeMaker((end) => Math.floor(random() * end)).next(300, hour)
  const [kept, whole] = [new KeptStore(context, keepDays), new KeptStore(context, 0)]
  for (const part of [0, 100, 200]) {
    const seq = part === 0 ? 0 : readHistoryEnd(kept.dataDir).seq
    kept.feed(seq, trades.slice(part, part + 100))
  }
  whole.feed(0, trades)
  assert.ok(kept.lowest('fills', 'fill_id') > 2)
  // The replay begins with the first event, long before the rows that stayed.
  kept.feed(0, trades)
  const since = trades.at(-1)!.millis - keepDays * day
  const within = trades.filter(({ millis }) => millis >= since).length
  assert.ok(within > 20)
  const limit = Math.min(within, 100)
  const queries = wallets.flatMap((wallet) => [
    ...['/fills', '/profile/trades', '/orders'].map(
      (path) => [path, `wallet=${wallet}&limit=${Math.floor(limit / 4)}`] as const,
    ),
    ['/profile/trades', `wallet=${wallet}&from_ts_ms=${since}&limit=100`] as const,
    ['/trades', `account=${wallet}&limit=${Math.floor(limit / 4)}`] as const,
    ...['5m', '1h'].map(
      (interval) => ['/historical-pnl', `wallet=${wallet}&interval=${interval}`] as const,
    ),
    ['realized-pnl', `wallet=${wallet}&from_ts_ms=${since}`] as const,
    ['profile', `wallet=${wallet}`] as const,
  ])
  for (const [path, query] of [
    ...queries,
    ...symbols.map((_, id) => ['/trades', `option_id=${id + 1}&limit=10`] as const),
    ['/trades', `limit=${limit}`] as const,
    ['/trades', `after_trade_id=${trades.length - limit}&limit=100`] as const,
  ]) {
    const [one, other] = [kept, whole].map(({ dataDir }) => queryStore(dataDir, path, query))
    assert.ok(one.data !== undefined, `${path}?${query}: ${JSON.stringify(one)}`)
    assert.deepEqual(one.data, other.data, `${path}?${query}`)
  }
})
