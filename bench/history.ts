import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { allocateExchangeMemory } from '../engine/memory/exchange-memory.js'
import { engineConfigDefault } from '../engine/state/market/engine-config.js'
import { HistoryQueries } from '../gateway/read-model/history/history-query.js'
import {
  checkpoint,
  type HistoryDatabase,
  historyPath,
  openHistory,
} from '../gateway/read-model/history/history-schema.js'
import { fills, orders, theos, trades } from '../gateway/read-model/history/history-tables.js'
import { HistoryWriter } from '../gateway/read-model/history/history-writer.js'
import { Lists } from '../gateway/read-model/history/id-lists.js'
import { ProfitWriter } from '../gateway/read-model/history/profit-sums.js'
import { sqlName, type Table } from '../gateway/read-model/history/table.js'
import { theoBucketsKept } from '../gateway/read-model/history/theo-intervals.js'
import { microsPerUsd, underlyingsMax } from '../schemas/bounds.js'
import { theoIntervalMillis } from '../schemas/interface/parameter.js'
import { randomFrom } from './book-replay/book-flow.js'
import { flowStartMillis, flowWallet, HistoryFlow, ordersPerStep } from './history-flow.js'
import { type BenchResult, spread } from './measure/bench-result.js'

export interface HistoryBenchOptions {
  /** Fills that the writer stores. */
  readonly written: number
  /** Number of copies of the rows in the store, each with its own ids. */
  readonly copies: number
  /** Orders per transaction: those within one commit interval. */
  readonly ordersPerCommit: number
  /** Queries of each kind. */
  readonly queries: number
  /** Parent of a temporary folder for the store. */
  readonly directory: string
}

const shape = { wallets: 1000, instruments: 500, resting: 3000 }
/** Time between two commits. */
const commitMillis = 200
const writeMicrosMax = 22
const queryMillisMax = 20
/** Parts of the writing phase, whose minimum and maximum are the row's range. */
const parts = 10

/**
 * Measures writing orders and fills to the history store, and then queries, including pages far from the newest rows.
 * Every order is filled. Half of the resting orders are of one wallet, which therefore has a quarter of all fills. Most
 * rows of a large store are copies that SQLite makes of the written ones. Writing is the processor time of the writer
 * alone, with its checkpoints. A query is the time until its text is complete, without the way to a worker and back.
 */
export function runHistoryBench(options: HistoryBenchOptions): BenchResult[] {
  const directory = mkdtempSync(join(options.directory, 'strikebook-history-bench-'))
  try {
    const { micros, mean, flow } = write(directory, options)
    const { copies, queries } = options
    const bytes = statSync(historyPath(directory)).size / flow.orderCount
    const extra = { fills: flow.tradeCount * 2, storeBytesPerOrder: Math.round(bytes) }
    const threshold = { atMost: writeMicrosMax }
    const unit = 'microseconds of processor/order'
    const written = {
      ...{ name: 'history.write', unit, ...spread(micros), value: mean, extra, threshold },
    }
    copy(directory, flow, copies)
    return [written, ...readAll(directory, flow.tradeCount * copies, queries)]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** @returns processor time per order: the mean over all, because lists and sums absorb many at once, and by part. */
function write(directory: string, { written, ordersPerCommit }: HistoryBenchOptions) {
  const memory = allocateExchangeMemory(1, 0)
  const flow = new HistoryFlow(memory, shape)
  let clockMillis = 0
  const writer = new HistoryWriter(memory, directory, engineConfigDefault, () => clockMillis)
  const micros: number[] = []
  let allMicros = 0
  writer.onStart()
  flow.open()
  for (let part = 1; part <= parts; part++) {
    const before = flow.orderCount
    let spent = 0
    while (2 * flow.tradeCount < (written * part) / parts) {
      for (let i = 0; i < ordersPerCommit; i += ordersPerStep) flow.step()
      flow.commit()
      clockMillis += commitMillis
      flow.nowMillis += commitMillis
      const begin = process.cpuUsage()
      while (writer.doWork() > 0);
      const { user, system } = process.cpuUsage(begin)
      spent += user + system
    }
    micros.push(spent / (flow.orderCount - before))
    allMicros += spent
  }
  writer.onClose()
  return { micros, mean: Number((allMicros / flow.orderCount).toPrecision(4)), flow }
}

/** Engine time that each copy spans: ten million fills take 95 days. */
const copyMillis = 5 * theoIntervalMillis['1d']
/** Largest number of fills that the sums have not absorbed yet. */
const pendingFills = 13_000

/** Copies all rows, with ids and times after the existing ones. */
function copy(directory: string, flow: HistoryFlow, copies: number): void {
  const database = openHistory(directory)
  const lists = new Lists(database)
  const scale = copyMillis / (flow.nowMillis - flowStartMillis)
  const rest = flowStartMillis + commitMillis
  const after = (column: string) => `(${column} - ${rest}) * ${scale} + ${copyMillis} * ?1`
  const time = (column: string) => `cast(${rest} + ${after(column)} as integer)`
  const by = (step: number) => (column: string) => `${column} + ${step} * ?1`
  const [orderIds, tradeIds] = [flow.orderCount * underlyingsMax, flow.tradeCount]
  const tables = [
    copying(database, orders, {
      orderId: by(orderIds),
      createdMillis: time,
      updatedMillis: time,
    }),
    copying(database, fills, { fillId: by(2 * tradeIds), tradeId: by(tradeIds), millis: time }),
    copying(database, trades, { tradeId: by(tradeIds), millis: time }),
  ]
  const add = (made: number, from: number, to: number) => {
    database.exec('begin')
    for (const copyRows of tables) copyRows(made, from, to)
    database.exec('commit')
  }
  const absorb = (absorber: () => boolean) => {
    for (let isMore = true; isMore; ) {
      database.exec('begin')
      isMore = absorber()
      database.exec('commit')
    }
    checkpoint(database)
  }
  const list = () => {
    lists.addPending(Number.POSITIVE_INFINITY)
    absorb(() => {
      lists.absorb()
      return lists.isDue
    })
  }
  for (let made = 1; made < copies; made++) {
    add(made, 0, 1)
    list()
  }
  // The sums absorb rows twice as often as the lists.
  const share = Math.min(0.5, pendingFills / (2 * tradeIds))
  add(copies, 0, share)
  const profits = new ProfitWriter(database)
  absorb(() => !profits.absorb())
  add(copies, share, 2 * share)
  checkpoint(database)
  database.exec('update progress set last_millis = (select max(millis) from fills)')
  addTheos(database)
  database.close()
}

/** Adds as many prices of each instrument as a store ever has. */
function addTheos(database: HistoryDatabase): void {
  database.exec('begin')
  for (const interval of Object.values(theoIntervalMillis)) {
    const starts =
      `with recursive places (place) as (select 0 union all select place + 1 from places ` +
      `where place + 1 < ${theoBucketsKept}), ` +
      `starts (start) as (select last_millis / ${interval} * ${interval} - place * ${interval} from places, progress) `
    database.exec(`insert into theo_buckets ${starts} select ${interval}, start from starts`)
    database.exec(
      `insert into ${theos.name} ${starts} select ${interval}, start, instrument_id, ` +
        `(100 + instrument_id % 7) * ${microsPerUsd} from starts cross join instruments order by 2, 3`,
    )
  }
  database.exec('commit')
  checkpoint(database)
}

/** @param changed columns that differ in each copy, as SQL. ?1 is the number of the copy. */
function copying(
  database: HistoryDatabase,
  { name, columns, key }: Table,
  changed: Readonly<Record<string, (column: string) => string>>,
) {
  const values = Object.keys(columns).map((column) => {
    if (column === 'isUnlisted') return '0'
    return changed[column]?.(sqlName(column)) ?? sqlName(column)
  })
  const id = sqlName(key[0]!)
  const { last } = database.prepare(`select max(${id}) as last from ${name}`).get() as {
    readonly last: number
  }
  const statement = database.prepare(
    `insert into ${name} select ${values.join(', ')} from ${name} where ${id} > ?2 and ${id} <= ?3 order by ${id}`,
  )
  return (made: number, from: number, to: number) =>
    statement.run(made, Math.floor(last * from), Math.floor(last * to))
}

type Query = () => readonly [path: string, query: string]

/** Returns the paths and queries by name. */
function queriesOf(tradeCount: number): Readonly<Record<string, Query>> {
  const random = randomFrom(11)
  const below = (end: number) => Math.floor(random() * end)
  const { instruments, wallets } = shape
  const busy = `wallet=${flowWallet(0)}`
  const other = () => `wallet=${flowWallet(1 + below(wallets - 1))}`
  const option = () => `option_id=${1 + below(instruments)}`
  const busyOffset = Math.min(100_000, Math.floor(tradeCount / 4))
  // Orders that rest have even numbers, so the instruments with even ids have all trades; a wire id is one more.
  const symbol = () => `symbol=${1 + 2 * below(instruments / 2)}`
  // The busy wallet has about half of the trades of each symbol. In a small store the offset is 0, the first page.
  const symbolOffset = Math.max(0, Math.floor((0.8 * tradeCount) / instruments) - 40)
  const tradesOffset = Math.min(100_000, tradeCount - 500)
  return {
    'fills, newest': () => ['/fills', other()],
    'fills, oldest page': () => ['/fills', `${busy}&limit=100&offset=${busyOffset}`],
    'orders, filled': () => ['/orders', `${other()}&status=filled`],
    'orders, open': () => ['/orders', `${busy}&status=open`],
    'orders, oldest page': () => ['/orders', `${busy}&offset=${busyOffset}`],
    'trades, newest': () => ['/trades', 'limit=500'],
    'trades, oldest by cursor': () => ['/trades', 'after_trade_id=0&limit=500'],
    'trades, anywhere by cursor': () => [
      '/trades',
      `after_trade_id=${below(tradeCount)}&limit=500`,
    ],
    'trades, oldest by offset': () => ['/trades', `limit=500&offset=${tradesOffset}`],
    'trades of an option': () => ['/trades', `${option()}&limit=500`],
    'trades of an underlying, far': () => [
      '/trades',
      `underlying=U2&offset=${Math.floor(tradesOffset / 10)}`,
    ],
    'trades of an account and underlying': () => [
      '/trades',
      `${busy.replace('wallet', 'account')}&underlying=U2`,
    ],
    'trades of an account and option': () => [
      '/trades',
      `${busy.replace('wallet', 'account')}&${option()}`,
    ],
    'profile trades of a symbol': () => ['/profile/trades', `${busy}&${symbol()}&limit=100`],
    'profile trades of a symbol, oldest page': () => [
      '/profile/trades',
      `${busy}&${symbol()}&limit=100&offset=${symbolOffset}`,
    ],
    'trades of an account and underlying, other': () => [
      '/trades',
      `${other().replace('wallet', 'account')}&underlying=U2&limit=500`,
    ],
    'points of profit, days': () => ['/historical-pnl', `${busy}&interval=1d&limit=100`],
    'points of profit, hours': () => ['/historical-pnl', `${busy}&interval=1h&limit=100`],
    'points of profit, five minutes': () => ['/historical-pnl', `${busy}&interval=5m&limit=100`],
    'points of profit, days, other': () => ['/historical-pnl', `${other()}&interval=1d&limit=100`],
    'points of profit, hours, other': () => ['/historical-pnl', `${other()}&interval=1h&limit=100`],
    'points of profit, five minutes, other': () => [
      '/historical-pnl',
      `${other()}&interval=5m&limit=100`,
    ],
    'one trade': () => [`/trades/${1 + below(tradeCount)}`, ''],
  }
}

function readAll(directory: string, tradeCount: number, count: number): BenchResult[] {
  const queries = new HistoryQueries(directory)
  const kinds = queriesOf(tradeCount)
  const results = Object.entries(kinds).map(([name, ask]) => {
    const millis = Array.from({ length: count }, () => {
      const [path, query] = ask()
      const begin = performance.now()
      const { status, body } = queries.answer({ path, query })
      const took = performance.now() - begin
      if (status !== 200 || body.includes('"data":[]')) throw new Error(`${path}?${query}: ${body}`)
      return took
    })
    const threshold = { atMost: queryMillisMax }
    const row = { name: `history.${name}`, unit: 'ms', ...spread(millis), threshold }
    return { ...row, extra: { about: 'median', queries: count, fills: tradeCount * 2 } }
  })
  queries.close()
  return results
}
