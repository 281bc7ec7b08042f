import { tmpdir } from 'node:os'
import { bareFlushMillis } from './bare-flush.js'
import { runClosedLoop } from './closed-loop.js'
import { EchoProcess } from './echo-process.js'
import { flushExtra } from './fill-rows.js'
import { planSends } from './load/send-plan.js'
import { unlimited } from './market-operator.js'
import { type BenchResult, type Extra, ratioOf, spread } from './measure/bench-result.js'
import { checkOrderResult, isOrderResult, OrderFrames } from './order-frames.js'
import { type Latency, loopConnections, runOrderLoop } from './order-loop.js'
import { type QuietRepeats, repeatQuietly } from './quiet-repeats.js'
import { VenueProcess } from './venue-process.js'

export interface AcknowledgementOptions {
  /** Length of each open-loop run. */
  readonly seconds: number
  readonly repeats: number
  /** Orders of each warm-up closed loop. The load is half the rate of the last ones. */
  readonly warmUpOrders: number
  /** Folder of the journal, on the disk to measure. */
  readonly directory?: string
}

const inFlight = 4
const loadShare = 0.5
const rateRoundsMax = 3
const medianTimesMax = 2
const tailTimesMax = 3.5
const medianFlushesMax = 2
const tailFlushesMax = 4

/** Figures of one repeat. */
interface Repeat {
  readonly echo: Latency
  readonly memory: Latency
  readonly flushed: Latency
  readonly flushMillis: number
}

interface Servers {
  readonly echo: EchoProcess
  readonly memory: VenueProcess
  readonly flushed: VenueProcess
}

/**
 * Measures the latency of an order's acknowledgement at half the venue's closed-loop rate. Frames are sent at planned
 * times, whether or not answers arrive, and latencies start at the planned time. Two references take turns with the venue.
 * A bare WebSocket server gets the same frames at the same times, recovers one signature and echoes the frame. For the
 * flushing venue, a batch is also written and flushed alone.
 */
export async function runAcknowledgementBench(
  options: AcknowledgementOptions,
): Promise<BenchResult[]> {
  const directory = options.directory ?? tmpdir()
  const echo = await EchoProcess.start({ recovers: true })
  const venues = [['--durability=memory'], []].map(
    (flags) => new VenueProcess({ arguments: [...unlimited, ...flags], directory }),
  )
  try {
    for (const venue of venues) await venue.start()
    const [memory, flushed] = venues as [VenueProcess, VenueProcess]
    return await measure({ echo, memory, flushed }, { ...options, directory })
  } finally {
    for (const venue of venues) await venue.dispose()
    await echo.end()
  }
}

async function measure(
  servers: Servers,
  options: Required<AcknowledgementOptions>,
): Promise<BenchResult[]> {
  const { echo, memory, flushed } = servers
  const ordersOfMemory = await OrderFrames.open(memory)
  const ordersOfFlushed = await OrderFrames.open(flushed)
  const rate = (await warmUp(servers, ordersOfMemory, ordersOfFlushed, options)) * loadShare
  const count = Math.ceil(rate * options.seconds)
  const repeat = async (seed: number): Promise<Repeat> => {
    const plannedMillis = planSends({ ratePerSecond: rate, count, seed: seed + 1 })
    const framesOfMemory = ordersOfMemory.sign(count)
    const framesOfFlushed = ordersOfFlushed.sign(count)
    return {
      flushMillis: bareFlushMillis(options.directory),
      echo: await runOpenLoop(echo.url, framesOfMemory, plannedMillis, () => true),
      memory: await runOpenLoop(memory.streamUrl, framesOfMemory, plannedMillis, isOrderResult),
      flushed: await runOpenLoop(flushed.streamUrl, framesOfFlushed, plannedMillis, isOrderResult),
    }
  }
  // An open loop uses other code paths than a closed one, so the first run is a warm-up.
  await repeat(options.repeats)
  return rowsOf(await repeatQuietly(options.repeats, repeat), Math.round(rate))
}

/**
 * Runs closed loops until the hot code is compiled.
 * @returns orders per second of the flushing venue.
 */
async function warmUp(
  { echo, memory, flushed }: Servers,
  ordersOfMemory: OrderFrames,
  ordersOfFlushed: OrderFrames,
  { warmUpOrders, repeats }: AcknowledgementOptions,
): Promise<number> {
  const run = (url: string, frames: readonly Buffer[], check: (payload: Buffer) => void = ignore) =>
    runClosedLoop({ url, connections: loopConnections, inFlight, frames, check })
  const round = async () => {
    const frames = ordersOfFlushed.sign(warmUpOrders)
    await run(echo.url, frames)
    await run(memory.streamUrl, ordersOfMemory.sign(warmUpOrders), checkOrderResult)
    return run(flushed.streamUrl, frames, checkOrderResult)
  }
  await round()
  // Several rounds, so that neither cold code nor other load on the machine lowers the measured capacity.
  const rounds = Math.min(repeats, rateRoundsMax)
  return spread((await repeatQuietly(rounds, round)).figures).value
}

function ignore(): void {}

async function runOpenLoop(
  url: string,
  frames: readonly Buffer[],
  plannedMillis: Float64Array,
  isTaken: (payload: Buffer) => boolean,
): Promise<Latency> {
  return (await runOrderLoop({ url, frames, plannedMillis, isTaken }))[0]
}

function rowsOf({ figures, quiet }: QuietRepeats<Repeat>, ordersPerSecond: number): BenchResult[] {
  const echo = figures.map((repeat) => repeat.echo)
  const memory = figures.map((repeat) => repeat.memory)
  const flushed = figures.map((repeat) => repeat.flushed)
  const flushMillis = figures.map((repeat) => repeat.flushMillis)
  const p50 = (runs: readonly Latency[]) => runs.map((run) => run.p50)
  const p99 = (runs: readonly Latency[]) => runs.map((run) => run.p99)
  const limitsOf = (times: number, flushes: number, runs: readonly number[]) =>
    runs.map((millis, repeat) => times * millis + flushes * flushMillis[repeat])
  const medianLimits = limitsOf(medianTimesMax, medianFlushesMax, p50(echo))
  const tailLimits = limitsOf(tailTimesMax, tailFlushesMax, p99(echo))
  const extra = { loop: 'open', ordersPerSecond, connections: loopConnections, ...quiet }
  const row = (name: string, values: readonly number[], more: Extra = extra) => ({
    ...{ name: `acknowledgement.${name}`, unit: 'ms', ...spread(values), extra: more },
  })
  const tail = (name: string, runs: readonly Latency[]) => {
    const sentLateMillisP99 = spread(runs.map(({ lateP99 }) => lateP99)).value
    return row(name, p99(runs), { sentLateMillisP99 })
  }
  const ratio = (name: string, extra: Extra, most: number) => ({
    ...{ name: `acknowledgement.${name}`, extra, threshold: { atMost: most } },
  })
  const comparison = { about: 'divided by that of the echo with one recovery' }
  const ofLimit = (echoTimes: number, flushTimes: number) => ({
    ...{ about: 'of so many echoes with recovery and median flushes', echoTimes, flushTimes },
  })
  return [
    row('echo-p50', p50(echo)),
    tail('echo-p99', echo),
    row('memory-p50', p50(memory)),
    tail('memory-p99', memory),
    row('flushed-p50', p50(flushed)),
    tail('flushed-p99', flushed),
    row('flush', flushMillis, flushExtra),
    ratioOf(ratio('memory-p50 over echo', comparison, medianTimesMax), p50(memory), p50(echo)),
    ratioOf(ratio('memory-p99 over echo', comparison, tailTimesMax), p99(memory), p99(echo)),
    ratioOf(
      ratio('flushed-p50 over limit', ofLimit(medianTimesMax, medianFlushesMax), 1),
      p50(flushed),
      medianLimits,
    ),
    ratioOf(
      ratio('flushed-p99 over limit', ofLimit(tailTimesMax, tailFlushesMax), 1),
      p99(flushed),
      tailLimits,
    ),
  ]
}
