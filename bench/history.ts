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
import { fills, orders, trades } from '../gateway/read-model/history/history-tables.js'
import { HistoryWriter } from '../gateway/read-model/history/history-writer.js'
import { Lists } from '../gateway/read-model/history/id-lists.js'
import { sqlName, type Table } from '../gateway/read-model/history/table.js'
import { underlyingsMax } from '../schemas/bounds.js'
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

/** Copies all rows, with ids and times after the existing ones. */
function copy(directory: string, flow: HistoryFlow, copies: number): void {
  const database = openHistory(directory)
  const lists = new Lists(database)
  const millis = flow.nowMillis - flowStartMillis
  const tables = [
    copying(database, orders, { orderId: flow.orderCount * underlyingsMax, createdMillis: millis }),
    copying(database, fills, { fillId: flow.tradeCount * 2, tradeId: flow.tradeCount, millis }),
    copying(database, trades, { tradeId: flow.tradeCount, millis }),
  ]
  for (let made = 1; made < copies; made++) {
    database.exec('begin')
    for (const copyRows of tables) copyRows(made)
    database.exec('commit')
    lists.addPending(Number.POSITIVE_INFINITY)
    while (lists.isDue) {
      database.exec('begin')
      lists.absorb()
      database.exec('commit')
    }
    checkpoint(database)
  }
  database.close()
}

/** @param steps increments of columns by which each copy exceeds the one before. */
function copying(
  database: HistoryDatabase,
  { name, columns, key }: Table,
  steps: Readonly<Record<string, number>>,
) {
  const values = Object.keys(columns).map((column) => {
    if (column === 'isUnlisted') return '0'
    const step = steps[column]
    return step === undefined ? sqlName(column) : `${sqlName(column)} + ${step} * ?1`
  })
  const id = sqlName(key[0]!)
  const { last } = database.prepare(`select max(${id}) as last from ${name}`).get() as {
    readonly last: number
  }
  const statement = database.prepare(
    `insert into ${name} select ${values.join(', ')} from ${name} where ${id} <= ?2 order by ${id}`,
  )
  return (made: number) => statement.run(made, last)
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
