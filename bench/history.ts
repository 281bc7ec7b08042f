import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { allocateExchangeMemory } from '../engine/memory/exchange-memory.js'
import { engineConfigDefault } from '../engine/state/engine-config.js'
import { HistoryQueries } from '../gateway/read-model/history/history-query.js'
import { historyPath } from '../gateway/read-model/history/history-schema.js'
import { HistoryWriter } from '../gateway/read-model/history/history-writer.js'
import { type BenchResult, spread } from './bench-result.js'
import { randomFrom } from './book-flow.js'
import { flowWallet, HistoryFlow, ordersPerStep } from './history-flow.js'

export interface HistoryBenchOptions {
  readonly fills: number
  /** Orders of one transaction: those of the time that the thread gathers. */
  readonly ordersPerCommit: number
  /** Queries of each kind. */
  readonly queries: number
  /** Folder for the store; a temporary one is made in it and removed. */
  readonly directory: string
}

const shape = { wallets: 1000, instruments: 500, resting: 3000 }
/** A commit is so long after the one before. */
const commitMillis = 200
const writeMicrosMax = 15
const queryMillisMax = 20
/** Parts of the writing, for the smallest and largest of them. */
const laps = 10

/**
 * A store that orders with their fills are written to, and what is asked of it then, also far from its newest rows. Every
 * order is filled; half of those that rest are of one wallet, which so has a quarter of all fills. Writing is the processor time of the writer alone, with its
 * checkpoints; a query is the time until its text is there, without the way to a worker and back.
 */
export function runHistoryBench(options: HistoryBenchOptions): BenchResult[] {
  const directory = mkdtempSync(join(options.directory, 'strikebook-history-bench-'))
  try {
    const { micros, flow } = write(directory, options)
    const bytes = statSync(historyPath(directory)).size / flow.orderCount
    const extra = `${flow.tradeCount * 2} fills, ${bytes.toFixed(0)} bytes of store an order`
    const threshold = { atMost: writeMicrosMax }
    const unit = 'microseconds of processor/order'
    return [
      { name: 'history.write', unit, ...spread(micros), extra, threshold },
      ...readAll(directory, flow, options.queries),
    ]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** @returns processor time of an order by parts of the writing. */
function write(directory: string, { fills, ordersPerCommit }: HistoryBenchOptions) {
  const memory = allocateExchangeMemory(1, 0)
  const flow = new HistoryFlow(memory, shape)
  let clockMillis = 0
  const writer = new HistoryWriter(memory, directory, engineConfigDefault, () => clockMillis)
  const micros: number[] = []
  writer.onStart()
  flow.open()
  for (let lap = 1; lap <= laps; lap++) {
    const before = flow.orderCount
    let spent = 0
    while (2 * flow.tradeCount < (fills * lap) / laps) {
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
  }
  writer.onClose()
  return { micros, flow }
}

function readAll(directory: string, flow: HistoryFlow, count: number): BenchResult[] {
  const queries = new HistoryQueries(directory)
  const random = randomFrom(11)
  const below = (end: number) => Math.floor(random() * end)
  const { instruments, wallets } = shape
  const busy = `wallet=${flowWallet(0)}`
  const other = () => `wallet=${flowWallet(1 + below(wallets - 1))}`
  const option = () => `option_id=${1 + below(instruments)}`
  const busyOffset = Math.min(100_000, Math.floor(flow.tradeCount / 4))
  const tradesOffset = Math.min(100_000, flow.tradeCount - 500)
  const kinds: Readonly<Record<string, () => readonly [path: string, query: string]>> = {
    'fills, newest': () => ['/fills', other()],
    'fills, oldest page': () => ['/fills', `${busy}&limit=100&offset=${busyOffset}`],
    'orders, filled': () => ['/orders', `${other()}&status=filled`],
    'orders, open': () => ['/orders', `${busy}&status=open`],
    'orders, oldest page': () => ['/orders', `${busy}&offset=${busyOffset}`],
    'trades, newest': () => ['/trades', 'limit=500'],
    'trades, oldest by cursor': () => ['/trades', 'after_trade_id=0&limit=500'],
    'trades, anywhere by cursor': () => [
      '/trades',
      `after_trade_id=${below(flow.tradeCount)}&limit=500`,
    ],
    'trades, oldest by offset': () => ['/trades', `limit=500&offset=${tradesOffset}`],
    'trades of an option': () => ['/trades', `${option()}&limit=500`],
    'trades of an underlying, far': () => [
      '/trades',
      `underlying=U2&offset=${Math.floor(tradesOffset / 10)}`,
    ],
    'trades of an account and option': () => [
      '/trades',
      `${busy.replace('wallet', 'account')}&${option()}`,
    ],
    'one trade': () => [`/trades/${1 + below(flow.tradeCount)}`, ''],
  }
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
    return { ...row, extra: `median of ${count} queries` }
  })
  queries.close()
  return results
}
