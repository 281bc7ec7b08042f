import { runClosedLoop } from './closed-loop.js'
import { EchoProcess } from './echo-process.js'
import { unlimited } from './market-operator.js'
import { type BenchResult, ratioOf, spread } from './measure/bench-result.js'
import { checkOrderResult, OrderFrames } from './order-frames.js'
import { type QuietRepeats, repeatQuietly } from './quiet-repeats.js'
import { recoveriesPerSecond } from './signatures.js'
import { type VenueProcess, withVenue } from './venue-process.js'

export interface EndToEndOptions {
  /** Orders sent one at a time, for the latency of an idle venue. */
  readonly latencyOrders: number
  /** Orders of one closed-loop repeat. */
  readonly throughputOrders: number
  readonly repeats: number
  /** Folder of the journal, on the disk to measure. */
  readonly directory?: string
}

const connections = 4
// A gateway reads the orders of all connections in one turn of its event loop.
const inFlight = 16
const warmUpShare = 0.2
const warmUpRounds = 2
const recoveryMillis = 400

/**
 * Measures signed orders over the stream against a real process that acknowledges after the flush: the latency of one
 * order at a time, and the rate with `connections` x `inFlight` orders in flight. Two upper bounds for one thread are
 * measured in turns with it: a bare recovery loop, and a bare WebSocket server that echoes the same frames. Client and
 * venue share the machine. Orders are signed before the run.
 */
export async function runEndToEndBench(options: EndToEndOptions): Promise<BenchResult[]> {
  const { directory, latencyOrders } = options
  const echo = await EchoProcess.start({ recovers: false })
  try {
    return await withVenue({ arguments: unlimited, directory }, async (venue) => {
      const orders = await OrderFrames.open(venue)
      const rates = await measureRates(venue, echo, orders, options)
      const latencies = await measureLatency(venue, orders.sign(latencyOrders))
      return [
        latencyRow('p50', latencies, 0.5),
        latencyRow('p99', latencies, 0.99),
        ...rateRows(rates),
      ]
    })
  } finally {
    await echo.end()
  }
}

interface Rates {
  readonly venue: number
  readonly recovery: number
  readonly echo: number
}

async function measureRates(
  venue: VenueProcess,
  echo: EchoProcess,
  orders: OrderFrames,
  { throughputOrders, repeats }: EndToEndOptions,
): Promise<QuietRepeats<Rates>> {
  const measure = async (): Promise<Rates> => {
    const frames = orders.sign(throughputOrders)
    const plan = { connections, inFlight, frames }
    return {
      venue: await runClosedLoop({ ...plan, url: venue.streamUrl, check: checkOrderResult }),
      echo: await runClosedLoop({ ...plan, url: echo.url, check: () => {} }),
      recovery: recoveriesPerSecond(recoveryMillis),
    }
  }
  // Uncounted rounds, until the code of both servers is compiled.
  for (let round = 0; round < warmUpRounds; round++) await measure()
  return repeatQuietly(repeats, measure)
}

function rateRows({ figures, quiet }: QuietRepeats<Rates>): BenchResult[] {
  const venue = figures.map((rates) => rates.venue)
  const recovery = figures.map((rates) => rates.recovery)
  const echo = figures.map((rates) => rates.echo)
  const extra = { loop: 'closed', connections, inFlight }
  const unit = 'orders/s'
  const bounds = recovery.map((rate, repeat) => 1 / (1 / rate + 1 / echo[repeat]))
  const ratio = {
    name: 'end-to-end.orders over recovery-and-echo',
    extra: { about: 'divided by 1 / (1 / recovery rate + 1 / echo rate)' },
    threshold: { atLeast: 0.6 },
  }
  return [
    {
      name: 'end-to-end.recovery',
      unit,
      ...spread(recovery),
      extra: { about: 'bare native', threads: 1 },
    },
    { name: 'end-to-end.echo', unit, ...spread(echo), extra },
    {
      name: 'end-to-end.orders',
      unit,
      ...spread(venue),
      extra: { about: 'flushed', ...extra, ...quiet },
    },
    ratioOf(ratio, venue, bounds),
  ]
}

/** Measures one order at a time. @returns sorted latencies in milliseconds. */
async function measureLatency(venue: VenueProcess, frames: readonly Buffer[]): Promise<number[]> {
  const latencies: number[] = []
  await runClosedLoop({
    url: venue.streamUrl,
    connections: 1,
    inFlight: 1,
    frames,
    check: checkOrderResult,
    onLatency: (millis) => latencies.push(millis),
  })
  return latencies.slice(Math.floor(frames.length * warmUpShare)).sort((a, b) => a - b)
}

function latencyRow(words: string, sorted: readonly number[], share: number): BenchResult {
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
  return {
    name: `end-to-end.idle-ack-${words}`,
    unit: 'ms',
    value: Number(at(share).toPrecision(4)),
    range: { min: sorted[0], max: sorted[sorted.length - 1] },
    extra: { about: 'acknowledged after fdatasync', loop: 'closed', connections: 1, inFlight: 1 },
  }
}
