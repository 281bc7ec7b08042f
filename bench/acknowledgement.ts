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
  /** Orders of each closed loop that warms the servers up; half its rate is then the load. */
  readonly warmUpOrders: number
  /** Where the journal is written: a folder on the disk to be measured. */
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
 * Latency of an order's acknowledgement at half the rate that the venue takes in a closed loop. Sent
 * at planned times, whether or not answers come, and measured from the planned time. By turns with
 * it, the same frames at the same times to a bare WebSocket server that recovers one signature and
 * sends the frame back, and, for the venue that flushes, the bare write and flush of a batch.
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
  // An open loop takes other ways through the code than a closed one: the first is not counted.
  await repeat(options.repeats)
  return rowsOf(await repeatQuietly(options.repeats, repeat), Math.round(rate))
}

/**
 * Closed loops, until the compiler has seen what is hot.
 * @returns orders a second that the flushed venue takes then.
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
  // Neither a cold venue nor a busy neighbour may make the load lighter than half of what it takes.
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
  const border = (times: number, flushes: number, runs: readonly number[]) =>
    runs.map((millis, repeat) => times * millis + flushes * flushMillis[repeat])
  const medianBorder = border(medianTimesMax, medianFlushesMax, p50(echo))
  const tailBorder = border(tailTimesMax, tailFlushesMax, p99(echo))
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
  const beside = { about: 'beside the echo with one recovery' }
  const ofBorder = (echoTimes: number, flushTimes: number) => ({
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
    ratioOf(ratio('memory-p50 over echo', beside, medianTimesMax), p50(memory), p50(echo)),
    ratioOf(ratio('memory-p99 over echo', beside, tailTimesMax), p99(memory), p99(echo)),
    ratioOf(
      ratio('flushed-p50 over border', ofBorder(medianTimesMax, medianFlushesMax), 1),
      p50(flushed),
      medianBorder,
    ),
    ratioOf(
      ratio('flushed-p99 over border', ofBorder(tailTimesMax, tailFlushesMax), 1),
      p99(flushed),
      tailBorder,
    ),
  ]
}
