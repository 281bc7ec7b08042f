import { type IProcessOrder, OrderBook as PeerBook, Side as PeerSide } from 'nodejs-order-book'
import { Book } from '../engine/matching/book.js'
import { BookPool } from '../engine/matching/book-pool.js'
import { type BookSink, IncomingOrder } from '../engine/matching/order-book.js'
import { Side } from '../schemas/domain.js'
import { type BenchResult, ratioOf, spread } from './bench-result.js'
import { type BookFlow, FlowKind, type FlowShape, makeFlow, runStep } from './book-flow.js'

export interface PeerBenchOptions {
  readonly events: number
  readonly repeats: number
}

/** One run of a flow: its time, and what it did, which must not differ. */
interface PeerRun {
  readonly nanos: number
  readonly tradedLots: number
  readonly restingLots: number
}

const unit = 'ns/command'
/** Runs of the book to each of the peer's: one alone would be over in milliseconds. */
const bookRuns = 20

/**
 * A flow of placing, cancelling and modifying through the book and through npm
 * `nodejs-order-book`, by turns. The peer knows neither times in force of the same meaning nor
 * accounts without cost, so every order is `gtc` and a stranger's, and a modify keeps id and side,
 * as it does there.
 * @returns both times, and how many times faster the book is.
 */
export function runPeerBench(
  name: string,
  shape: Omit<FlowShape, 'events'>,
  atLeast: number,
  { events, repeats }: PeerBenchOptions,
): BenchResult[] {
  const flow = peerFlow({ ...shape, events, plain: true })
  const ids = Array.from({ length: events }, (_, handle) => String(handle))
  const pool = new BookPool()
  const books: PeerRun[] = []
  const peers: PeerRun[] = []
  for (let repeat = 0; repeat <= repeats; repeat++) {
    books.push(runBooks(flow, pool))
    peers.push(runPeer(flow, ids))
  }
  const [{ tradedLots, restingLots }] = books
  for (const run of [...books, ...peers]) {
    if (run.tradedLots !== tradedLots || run.restingLots !== restingLots) {
      throw new Error(`${name}: the books did different things`)
    }
  }
  // The first run of each warms up.
  const rates = (runs: readonly PeerRun[]) => runs.slice(1).map(({ nanos }) => events / nanos)
  const nanos = (runs: readonly PeerRun[]) => spread(runs.slice(1).map((run) => run.nanos / events))
  const extra = `${events} commands, traded ${tradedLots}, resting ${restingLots}`
  return [
    { name, unit, ...nanos(books), extra },
    { name: `${name}-peer`, unit, ...nanos(peers), extra: 'nodejs-order-book, the same flow' },
    ratioOf(
      { name: `${name}-of-peer`, extra: 'both of the same run', threshold: { atLeast } },
      rates(books),
      rates(peers),
    ),
  ]
}

/** A flow whose replaces keep handle and side. */
function peerFlow(shape: FlowShape): BookFlow {
  const flow = makeFlow(shape)
  const sides = new Uint8Array(flow.count)
  for (let step = 0; step < flow.count; step++) {
    if (flow.kind[step] === FlowKind.Place) sides[flow.handle[step]] = flow.side[step]
    if (flow.kind[step] !== FlowKind.Replace) continue
    flow.handle[step] = flow.oldHandle[step]
    flow.account[step] = flow.oldHandle[step]
    flow.side[step] = sides[flow.oldHandle[step]]
  }
  return flow
}

/** Adds up what is traded. */
class TradeSink implements BookSink {
  tradedLots = 0

  fill(_maker: number, _taker: number, _priceIndex: number, sizeLots: number): void {
    this.tradedLots += sizeLots
  }

  removed(): void {}

  reduced(): void {}

  level(): void {}
}

/** The mean of several runs, one after the other in the same pool, as books come and go in a venue. */
function runBooks(flow: BookFlow, pool: BookPool): PeerRun {
  const runs = Array.from({ length: bookRuns }, () => runBook(flow, pool))
  return { ...runs[0], nanos: runs.reduce((sum, { nanos }) => sum + nanos, 0) / bookRuns }
}

function runBook(flow: BookFlow, pool: BookPool): PeerRun {
  const sink = new TradeSink()
  const book = new Book(pool, sink)
  const order = new IncomingOrder()
  const begin = process.hrtime.bigint()
  for (let step = 0; step < flow.count; step++) {
    order.round = step
    runStep(book, flow, step, order)
  }
  const nanos = Number(process.hrtime.bigint() - begin)
  let restingLots = 0
  for (let handle = 0; handle < flow.count; handle++) {
    restingLots += Math.max(0, book.openLotsOf(handle))
  }
  book.close()
  return { nanos, tradedLots: sink.tradedLots, restingLots }
}

function runPeer(flow: BookFlow, ids: readonly string[]): PeerRun {
  const book = new PeerBook()
  let tradedLots = 0
  const begin = process.hrtime.bigint()
  for (let step = 0; step < flow.count; step++) {
    if (flow.kind[step] === FlowKind.Cancel) {
      book.cancel(ids[flow.oldHandle[step]])
      continue
    }
    const size = flow.sizeLots[step]
    const price = flow.priceIndex[step]
    const id = ids[flow.handle[step]]
    if (flow.kind[step] === FlowKind.Replace) {
      tradedLots += tradedOf(book.modify(id, { size, price }), size)
    } else {
      const side = flow.side[step] === Side.Buy ? PeerSide.BUY : PeerSide.SELL
      tradedLots += tradedOf(book.limit({ id, side, size, price }), size)
    }
  }
  const nanos = Number(process.hrtime.bigint() - begin)
  const restingLots = book
    .depth()
    .flat()
    .reduce((sum, [, volume]) => sum + volume, 0)
  return { nanos, tradedLots, restingLots }
}

function tradedOf({ err, quantityLeft }: IProcessOrder, size: number): number {
  return err === null ? size - quantityLeft : 0
}
