import { type IProcessOrder, OrderBook as PeerBook, Side as PeerSide } from 'nodejs-order-book'
import { Book } from '../engine/matching/book.js'
import { type BookSink, IncomingOrder } from '../engine/matching/order-book.js'
import { OrderPool } from '../engine/matching/order-pool.js'
import { Side } from '../schemas/domain.js'
import {
  type BookFlow,
  FlowKind,
  type FlowShape,
  makeFlow,
  runFlow,
} from './book-replay/book-flow.js'
import { type BenchResult, ratioOf, spread } from './measure/bench-result.js'
import { type TimedTask, timeByTurns } from './measure/timed-task.js'

export interface PeerBenchOptions {
  readonly events: number
  readonly repeats: number
}

/** Result of a run of a flow, which must be the same for both books. */
interface FlowEnd {
  readonly tradedLots: number
  readonly restingLots: number
}

const unit = 'ns/command'
/** Runs of our book per run of the peer: a single one would take only milliseconds. */
const bookRuns = 20

/**
 * Runs a flow of places, cancels and modifies through the book and through npm `nodejs-order-book`, in turns. The peer has
 * no accounts, and its other times in force differ. So every order is `gtc` and has its own account, and a modify keeps id
 * and side, as in the peer.
 * @returns both times, and their ratio.
 */
export function runPeerBench(
  name: string,
  shape: Omit<FlowShape, 'events'>,
  atLeast: number,
  { events, repeats }: PeerBenchOptions,
): BenchResult[] {
  const flow = peerFlow({ ...shape, events, plain: true })
  const ends: FlowEnd[] = []
  const onEnd = (end: FlowEnd) => void ends.push(end)
  const tasks = [bookTask(flow, onEnd), peerTask(flow, onEnd)]
  const [books, peers] = timeByTurns(tasks, { warmUps: 1, turns: repeats }) as [number[], number[]]
  const [{ tradedLots, restingLots }] = ends
  for (const end of ends) {
    if (end.tradedLots !== tradedLots || end.restingLots !== restingLots) {
      throw new Error(`${name}: the books did different things`)
    }
  }
  const rates = (nanos: readonly number[]) => nanos.map((run) => events / run)
  const nanos = (runs: readonly number[]) => spread(runs.map((run) => run / events))
  const extra = { commands: events, tradedLots, restingLots }
  return [
    { name, unit, ...nanos(books), extra },
    {
      name: `${name}-peer`,
      unit,
      ...nanos(peers),
      extra: { about: 'nodejs-order-book, the same flow' },
    },
    ratioOf(
      { name: `${name}-of-peer`, extra: { about: 'both of the same run' }, threshold: { atLeast } },
      rates(books),
      rates(peers),
    ),
  ]
}

/** Returns a flow whose replaces keep handle and side. */
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

/** Sums the traded lots. */
class TradeSink implements BookSink {
  tradedLots = 0

  fill(_maker: number, _taker: number, _priceIndex: number, sizeLots: number): void {
    this.tradedLots += sizeLots
  }

  removed(): void {}

  reduced(): void {}

  level(): void {}
}

/** Returns the task of our book. All runs share a pool, as the books of a venue do. */
function bookTask(flow: BookFlow, onEnd: (end: FlowEnd) => void): TimedTask {
  const pool = new OrderPool()
  const order = new IncomingOrder()
  let sink: TradeSink
  let book: Book
  return {
    runsPerTurn: bookRuns,
    prepare: () => {
      sink = new TradeSink()
      book = new Book(pool, sink)
    },
    run: () => runFlow(book, flow, order),
    finish: () => {
      let restingLots = 0
      for (let handle = 0; handle < flow.count; handle++) {
        restingLots += Math.max(0, book.openLotsOf(handle))
      }
      book.close()
      onEnd({ tradedLots: sink.tradedLots, restingLots })
    },
  }
}

function peerTask(flow: BookFlow, onEnd: (end: FlowEnd) => void): TimedTask {
  const ids = Array.from({ length: flow.count }, (_, handle) => String(handle))
  let book: PeerBook
  let tradedLots = 0
  return {
    prepare: () => {
      book = new PeerBook()
    },
    run: () => {
      tradedLots = runPeer(book, flow, ids)
    },
    finish: () => {
      const levels = book.depth().flat()
      onEnd({ tradedLots, restingLots: levels.reduce((sum, [, volume]) => sum + volume, 0) })
    },
  }
}

/** @returns the traded lots. */
function runPeer(book: PeerBook, flow: BookFlow, ids: readonly string[]): number {
  let tradedLots = 0
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
  return tradedLots
}

function tradedOf({ err, quantityLeft }: IProcessOrder, size: number): number {
  return err === null ? size - quantityLeft : 0
}
