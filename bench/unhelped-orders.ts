import { VenueProcess } from '../scripts/venue-process.js'
import { type BenchResult, ratioOf, spread } from './bench-result.js'
import { randomFrom } from './book-flow.js'
import { planSends } from './load/send-plan.js'
import { MarketOperator, unlimited } from './market-operator.js'
import { isOrderResult, OrderFrames } from './order-frames.js'
import { type Latency, loopConnections, runOrderLoop } from './order-loop.js'
import { ProviderFleet } from './provider-fleet.js'
import { type QuietRepeats, repeatQuietly } from './quiet-repeats.js'
import { askMin } from './quoted-market.js'

export interface UnhelpedOrderOptions {
  /** Both routes together. */
  readonly ordersPerSecond: number
  /** Length of each open-loop run. */
  readonly seconds: number
  readonly repeats: number
  /** All quote the option that is ordered. */
  readonly providers: number
  /** Where the journal is written: a folder on the disk to be measured. */
  readonly directory?: string
}

const routes = ['book_only', 'best_execution'] as const
const timesMax = 1.1

/**
 * Orders that providers could improve, if they asked for less, against orders that are for the book alone, in one flow by
 * chance. All are buys of a quoted option below what anybody asks, in the book too, and end at once: what differs is only
 * that somebody looks at the quotes.
 */
export async function runUnhelpedOrderBench(options: UnhelpedOrderOptions): Promise<BenchResult[]> {
  const { directory, providers, repeats } = options
  const venue = new VenueProcess({
    arguments: unlimited,
    ...(directory === undefined ? {} : { directory }),
  })
  try {
    await venue.start()
    const operator = new MarketOperator(venue)
    const orders = await OrderFrames.open(venue)
    const privateKeys = await operator.registerProviders(providers)
    const { streamUrl } = venue
    const fleet = await ProviderFleet.start({ streamUrl, privateKeys, symbols: [orders.symbol] })
    try {
      await fleet.begin()
      await operator.untilQuoteRows(providers)
      const repeat = (seed: number) => runOrders(streamUrl, orders, options, seed + 1)
      // The first warms up, and is not counted.
      await repeat(repeats)
      const measured = await repeatQuietly(repeats, repeat)
      await operator.untilQuoteRows(providers)
      await fleet.end()
      return rowsOf(measured, options)
    } finally {
      await fleet.stop()
    }
  } finally {
    await venue.dispose()
  }
}

/** @returns the latency of each route. */
function runOrders(
  url: string,
  orders: OrderFrames,
  { ordersPerSecond, seconds }: UnhelpedOrderOptions,
  seed: number,
): Promise<readonly Latency[]> {
  const count = Math.ceil(ordersPerSecond * seconds)
  const plannedMillis = planSends({ ratePerSecond: ordersPerSecond, count, seed })
  const random = randomFrom(seed)
  const kinds = Array.from({ length: count }, () => (random() < 0.5 ? 0 : 1))
  const price = String(askMin - 1)
  const plain = { side: 'Buy', tif: 'ioc', price } as const
  const frames = orders.sign(count, (index) => ({ ...plain, route: routes[kinds[index]!]! }))
  const isTaken = isOrderResult
  const of = (index: number) => kinds[index]!
  return runOrderLoop({ url, frames, plannedMillis, isTaken, kinds: { count: 2, of } })
}

function rowsOf(
  { figures, quiet }: QuietRepeats<readonly Latency[]>,
  { ordersPerSecond, providers }: UnhelpedOrderOptions,
): BenchResult[] {
  const [plain, helped] = routes.map((_, kind) => figures.map((latencies) => latencies[kind]!))
  const lateMillis = spread(plain!.map(({ lateP99 }) => lateP99)).value
  const load = { loop: 'open', ordersPerSecond, connections: loopConnections, providers }
  const extras = {
    p50: { about: 'one flow of both routes, providers quote the option', ...load, ...quiet },
    p99: { sentLateMillisP99: lateMillis },
  }
  const parts = ['p50', 'p99'] as const
  const rows = parts.flatMap((part) =>
    [plain!, helped!].map((runs, kind) => ({
      ...{ name: `unhelped.${routes[kind]}-${part}`, unit: 'ms', extra: extras[part] },
      ...spread(runs.map((latency) => latency[part])),
    })),
  )
  const ratios = parts.map((part) =>
    ratioOf(
      {
        ...{
          name: `unhelped.best_execution-${part} over book_only`,
          extra: { about: 'orders of one flow' },
        },
        ...(part === 'p50' ? { threshold: { atMost: timesMax } } : {}),
      },
      helped!.map((latency) => latency[part]),
      plain!.map((latency) => latency[part]),
    ),
  )
  return [...rows, ...ratios]
}
