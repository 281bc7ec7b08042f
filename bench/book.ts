import { Book } from '../engine/matching/book.js'
import { type BookSink, IncomingOrder, type OrderBook } from '../engine/matching/order-book.js'
import { OrderPool } from '../engine/matching/order-pool.js'
import { runPeerBench } from './book-peer.js'
import { type FlowShape, makeFlow, runFlow } from './book-replay/book-flow.js'
import { type BenchResult, spread } from './measure/bench-result.js'
import { timeByTurns } from './measure/timed-task.js'
import { TwinBook } from './twin-book.js'

const rounds = 5
/** The twin sorts its book for every command, so it gets a short flow. */
const twinEventsMax = 2_000

const shallow: Omit<FlowShape, 'events'> = {
  seed: 23,
  middleIndex: 150_000,
  spreadIndexes: 40,
  crossing: 0.15,
  cancels: 0.45,
  replaces: 0.15,
  reach: 200,
  accounts: 50,
  plain: false,
}
const deep: Omit<FlowShape, 'events'> = {
  ...shallow,
  spreadIndexes: 2_000,
  crossing: 0.002,
  cancels: 0.4,
  replaces: 0.1,
  reach: 400_000,
  plain: true,
}

/** Hundreds of orders at each of two hundred prices. */
const crowded: Omit<FlowShape, 'events'> = { ...deep, spreadIndexes: 100 }
/** Commands for `nodejs-order-book`, which takes seconds for more, and the required speed ratios. */
const peerEventsMax = 150_000
const peerTimes = { shallow: 15, deep: 40 }

/**
 * Measures the time per command of a mixed flow (place, cancel, replace, trade) in a book of a hundred orders, in a book
 * that keeps most of its orders, and in the plain book on the same flow. Closed loop.
 * @param options.events commands per round.
 * @returns the median of five rounds after a warm-up round. `extra` has a hash of all reports, which is equal for books
 * that behave the same.
 */
export function runBookBench(options: { events: number }): BenchResult[] {
  const twinEvents = Math.min(options.events, twinEventsMax)
  const peers = { events: Math.min(options.events, peerEventsMax), repeats: rounds }
  return [
    measure('book.mixed.shallow', { ...shallow, events: options.events }, makeFast),
    measure('book.mixed.deep', { ...deep, events: options.events }, makeFast),
    measure('book.mixed.shallow.small', { ...shallow, events: twinEvents }, makeFast),
    measure('twin.mixed.shallow.small', { ...shallow, events: twinEvents }, makeTwin),
    ...runPeerBench('book.gtc.shallow', shallow, peerTimes.shallow, peers),
    ...runPeerBench('book.gtc.deep', crowded, peerTimes.deep, peers),
  ]
}

function makeFast(sink: BookSink): OrderBook {
  return new Book(new OrderPool(), sink)
}

function makeTwin(sink: BookSink): OrderBook {
  return new TwinBook(sink)
}

function measure(name: string, shape: FlowShape, make: (sink: BookSink) => OrderBook): BenchResult {
  const flow = makeFlow(shape)
  const order = new IncomingOrder()
  let sink = new HashingSink()
  let book = make(sink)
  const task = {
    prepare: () => {
      sink = new HashingSink()
      book = make(sink)
    },
    run: () => runFlow(book, flow, order),
  }
  const [nanos] = timeByTurns([task], { warmUps: 1, turns: rounds })
  const hash = (sink.hash >>> 0).toString(16).padStart(8, '0')
  return {
    name,
    unit: 'ns/command',
    ...spread(nanos!.map((round) => round / flow.count)),
    extra: { loop: 'closed', events: flow.count, fills: sink.fills, hash },
  }
}

/** Hashes every report, so that no change makes a book faster by changing its behaviour. */
class HashingSink implements BookSink {
  hash = 0x811c9dc5
  fills = 0

  fill(makerHandle: number, takerHandle: number, priceIndex: number, sizeLots: number): void {
    this.fills++
    this.mix(makerHandle)
    this.mix(takerHandle)
    this.mix(priceIndex)
    this.mix(sizeLots)
  }

  removed(handle: number, cause: number, openLots: number): void {
    this.mix(handle)
    this.mix(cause)
    this.mix(openLots)
  }

  reduced(handle: number, openLots: number): void {
    this.mix(handle)
    this.mix(openLots)
  }

  level(side: number, priceIndex: number, sizeLots: number): void {
    this.mix(priceIndex * 2 + side)
    this.mix(sizeLots)
  }

  mix(value: number): void {
    this.hash = Math.imul(this.hash ^ (value | 0), 0x01000193)
  }
}
