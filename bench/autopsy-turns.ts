import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { ExchangeMemory } from '../engine/memory/exchange-memory.js'
import { pauseStamps } from '../engine/memory/stamp-pause.js'
import { readBuildInfo } from '../gateway/build-info.js'
import { resolveConfig } from '../gateway/config/config.js'
import { operatorToken } from '../gateway/operator/token-file.js'
import { startVenue } from '../gateway/venue.js'
import type { BenchResult, Extra } from './bench-result.js'
import { runClosedLoop } from './closed-loop.js'
import { planSends } from './load/send-plan.js'
import { checkOrderResult, isOrderResult, OrderFrames } from './order-frames.js'
import { type Latency, loopConnections, runOrderLoop } from './order-loop.js'
import { meanInterval } from './ratio-interval.js'

export interface AutopsyTurnsOptions {
  /** Length of a turn. */
  readonly seconds: number
  /** A turn with stamps and one without, in changing order. */
  readonly pairs: number
  readonly warmUpOrders: number
  readonly directory?: string
}

interface Pair {
  readonly stamped: Latency
  readonly paused: Latency
}

const inFlight = 4
const loadShare = 0.5
/** Share of intervals that miss the true mean. */
const errorShare = 0.05
const config = {
  ...{ preset: 'development', port: 0, 'operator.port': 0, feed: 'none', maker: 'off' },
  'limits.market_maker.ordersPerMinute': 1_000_000_000,
}

/**
 * What the order autopsy does to acknowledgements: one venue in this process, whose stamps are paused and go on by turns
 * under one load, sent at planned times at half the rate of a closed loop. The difference of each pair is taken, so what
 * drifts from pair to pair is in neither; a value whose interval has 0 in it is none that can be seen.
 */
export async function runAutopsyTurnsBench(options: AutopsyTurnsOptions): Promise<BenchResult[]> {
  const dataDir = mkdtempSync(join(options.directory ?? tmpdir(), 'strikebook-autopsy-'))
  const flags = new Map(Object.entries({ ...config, dataDir }).map(([k, v]) => [k, String(v)]))
  const resolved = resolveConfig({ flags, environment: {} }).config
  const memories: ExchangeMemory[] = []
  const venue = await startVenue({
    config: resolved,
    build: readBuildInfo(import.meta.filename),
    log: pino({ enabled: false }),
    stopping: new AbortController().signal,
    onMemory: (memory) => memories.push(memory),
    onFailure: (role, error) => {
      throw new Error(`${role} has failed`, { cause: error })
    },
  })
  try {
    const [{ batchStamps, orderStamps }] = memories as [ExchangeMemory]
    const pause = (isPaused: boolean) => pauseStamps([...orderStamps, batchStamps], isPaused)
    const url = `${venue.url.replace('http', 'ws')}/ws`
    const { operatorUrl } = venue
    const frames = await OrderFrames.open({ operatorUrl, token: operatorToken(resolved) })
    return await measure(url, frames, pause, options)
  } finally {
    await venue.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function measure(
  url: string,
  orders: OrderFrames,
  pause: (isPaused: boolean) => void,
  { pairs, seconds, warmUpOrders }: AutopsyTurnsOptions,
): Promise<BenchResult[]> {
  const loop = { url, connections: loopConnections, inFlight, check: checkOrderResult }
  await runClosedLoop({ ...loop, frames: orders.sign(warmUpOrders) })
  const rate = (await runClosedLoop({ ...loop, frames: orders.sign(warmUpOrders) })) * loadShare
  const count = Math.ceil(rate * seconds)
  const turn = async (isPaused: boolean, seed: number): Promise<Latency> => {
    const plannedMillis = planSends({ ratePerSecond: rate, count, seed })
    const frames = orders.sign(count)
    pause(isPaused)
    return (await runOrderLoop({ url, frames, plannedMillis, isTaken: isOrderResult }))[0]!
  }
  // Both ways are compiled before anything counts.
  await turn(false, 1)
  await turn(true, 1)
  const told: Pair[] = []
  for (let pair = 0; pair < pairs; pair++) {
    const isPausedFirst = pair % 2 === 1
    const [first, second] = [
      await turn(isPausedFirst, pair + 2),
      await turn(!isPausedFirst, pair + 2),
    ]
    told.push(
      isPausedFirst ? { stamped: second, paused: first } : { stamped: first, paused: second },
    )
  }
  const extra = { pairs, turnSeconds: seconds, ordersPerSecond: Math.round(rate) }
  return [row('p50', told, extra), row('p99', told, extra)]
}

function row(name: 'p50' | 'p99', pairs: readonly Pair[], extra: Extra): BenchResult {
  const differences = pairs.map(({ stamped, paused }) => stamped[name] - paused[name])
  const { mean, min, max } = meanInterval(differences, errorShare)
  return {
    name: `autopsy.acknowledgement_${name}_difference`,
    unit: 'ms',
    value: rounded(mean),
    range: { min: rounded(min), max: rounded(max) },
    extra: {
      about: 'range: 95 % confidence',
      ...extra,
      stampedMillis: rounded(meanOf(pairs.map(({ stamped }) => stamped[name]))),
      pausedMillis: rounded(meanOf(pairs.map(({ paused }) => paused[name]))),
    },
  }
}

function rounded(value: number): number {
  return Number(value.toPrecision(3))
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
