import { engineConfigDefault } from '../engine/state/market/engine-config.js'
import { EventViews } from '../gateway/read-model/views/event-views.js'
import { AnyEvent } from '../schemas/generated/events.js'
import { bytesInUse } from './bytes-in-use.js'
import { type BenchResult, type Extra, spread } from './measure/bench-result.js'
import { eventsPerTurnOver, OrderEvents } from './order-events.js'

export interface ReadModelMemoryOptions {
  /** Orders that rest at once. */
  readonly orders: number
  /** Orders that come and go after that, while as many rest as before. */
  readonly churned: number
}

const wallets = 16
const instruments = 3000
const turnsPerCommit = 500
const garbageRuns = 51
/** Code that a loaded machine optimizes late shows in one of them; what stays of events, in all. */
const growthRuns = 3

/**
 * Memory of the read model's views: what a resting order takes, what is left of orders that came and
 * went, and how much garbage an event makes. The events come from a log like the core's; heap and
 * buffers are read after full collections.
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
  // Optimized code and used buffers first: what grows after that is the views.
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

/** Does it `count` times; the views take in the events a part at a time. */
function repeat(count: number, events: OrderEvents, views: EventViews, write: () => void): void {
  for (let i = 1; i <= count; i++) {
    write()
    if (i % turnsPerCommit === 0 || i === count) take(events, views)
  }
}

/** Heap that a run of events took, the median of several: one in which the collector ran shows less. */
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
