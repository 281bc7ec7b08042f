import { engineConfigDefault } from '../engine/state/market/engine-config.js'
import { EventViews } from '../gateway/read-model/views/event-views.js'
import { AnyEvent } from '../schemas/generated/events.js'
import { bytesInUse } from './bytes-in-use.js'
import { type BenchResult, type Extra, spread } from './measure/bench-result.js'
import { eventsPerTurnOver, OrderEvents } from './order-events.js'

export interface ReadModelMemoryOptions {
  /** Number of resting orders. */
  readonly orders: number
  /** Orders that come and go after that, at a constant number of resting orders. */
  readonly churned: number
}

const wallets = 16
const instruments = 3000
const turnsPerCommit = 500
const garbageRuns = 51
/** Late optimization of code on a loaded machine shows in one of these runs, a leak in all. */
const growthRuns = 3

/**
 * Measures the memory of the read model's views per resting order, the memory kept per event of orders that came and went,
 * and the garbage per event. The events come from a log like the core's. Heap and buffers are read after full collections.
 */
export function runReadModelMemoryBench(options: ReadModelMemoryOptions): BenchResult[] {
  const { orders, churned } = options
  const events = new OrderEvents({ wallets, instruments })
  const views = new EventViews(engineConfigDefault)
  events.bootstrap()
  take(events, views)
  const emptyBytes = bytesInUse().total
  repeat(orders, events, views, () => events.rest())
  const fullBytes = bytesInUse().total
  // Warm-up: optimized code and buffers are allocated first, so that later growth is that of the views.
  repeat(churned, events, views, () => events.turnOver())
  const grown = Array.from({ length: growthRuns }, () => {
    const steadyBytes = bytesInUse().total
    repeat(churned / growthRuns, events, views, () => events.turnOver())
    return bytesInUse().total - steadyBytes
  })
  const keptBytes = spread(grown).value * growthRuns
  return [
    row(
      'order',
      (fullBytes - emptyBytes) / orders,
      { atMost: 256 },
      { orders, wallets, instruments },
    ),
    row(
      'growth',
      keptBytes / (churned * eventsPerTurnOver),
      { atMost: 0.5 },
      { about: 'kept per event, median' },
    ),
    row('garbage', garbagePerEvent(events, views), undefined, {
      about: 'allocated per event and gone, median',
    }),
  ]
}

function row(
  name: string,
  bytes: number,
  threshold: BenchResult['threshold'],
  extra: Extra,
): BenchResult {
  const value = Number(Math.max(0, bytes).toPrecision(3))
  const unit = name === 'order' ? 'bytes' : 'bytes/event'
  const figures = { name: `memory.read-model-${name}`, unit, value, range: null, extra }
  return threshold === undefined ? figures : { ...figures, threshold }
}

/** Calls `write` `count` times. The views read the events in parts. */
function repeat(count: number, events: OrderEvents, views: EventViews, write: () => void): void {
  for (let i = 1; i <= count; i++) {
    write()
    if (i % turnsPerCommit === 0 || i === count) take(events, views)
  }
}

/** Returns the heap growth per event, the median of several runs: a collection during a run lowers its value. */
function garbagePerEvent(events: OrderEvents, views: EventViews): number {
  const bytes = Array.from({ length: garbageRuns }, () => {
    for (let i = 0; i < turnsPerCommit; i++) events.turnOver()
    const before = process.memoryUsage().heapUsed
    take(events, views)
    return process.memoryUsage().heapUsed - before
  })
  return spread(bytes).value / (turnsPerCommit * eventsPerTurnOver)
}

function take(events: OrderEvents, views: EventViews): void {
  events.commit()
  const { reader } = events
  const event = new AnyEvent()
  for (let at = reader.next(); at >= 0; at = reader.next()) views.apply(event.over(reader, at))
  reader.release()
}
