import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { RestClient } from '../gateway/client/rest-client.js'
import { VenueProcess } from '../scripts/venue-process.js'
import type { BenchResult } from './bench-result.js'

export interface VenueMemoryOptions {
  /** Instruments listed before the start that is measured. */
  readonly instruments: number
  /** Time that a started venue is left alone, or to its market maker. */
  readonly seconds: number
  /** Where the data are: a folder on the disk that venues use. */
  readonly directory?: string
}

// Names and prices of the development market, so that its feed and makers trade what is listed here.
const pricesUsd = { BTC: 100_000, ETH: 4000, SP500: 6000, NVDA: 200 } as const
const expiries = 10
const daysPerExpiry = 9
const dayMillis = 86_400_000
const bytesPerKibibyte = 1024
const bytesPerMebibyte = 1024 * 1024
const mebibytesMax = 500

/**
 * Resident memory of the whole process, all threads, with thousands of instruments: right after a start
 * that recovers them, and after a while, without a market and with one. Linux only.
 */
export async function runVenueMemoryBench(options: VenueMemoryOptions): Promise<BenchResult[]> {
  const { instruments, seconds, directory } = options
  const first = new VenueProcess(directory === undefined ? {} : { directory })
  try {
    await first.start()
    await listMarket(first, instruments)
    await first.end()
    const { dataDir } = first
    const idle = await measure(new VenueProcess({ dataDir }), seconds)
    const market = ['--feed=simulated', '--maker=on']
    const traded = await measure(new VenueProcess({ dataDir, arguments: market }), seconds)
    const extra = `${instruments} instruments, all threads`
    return [
      row('start', idle.startBytes, `${extra}, right after the start`),
      row(
        'idle',
        idle.bytes,
        `${extra}, ${seconds} s later, largest ${inMebibytes(idle.maxBytes)}`,
      ),
      row(
        'market',
        traded.bytes,
        `${extra}, ${seconds} s of feed and makers, largest ${inMebibytes(traded.maxBytes)}`,
      ),
    ]
  } finally {
    await first.dispose()
  }
}

interface Residence {
  readonly startBytes: number
  readonly bytes: number
  /** The most that was resident at any time. */
  readonly maxBytes: number
}

async function measure(venue: VenueProcess, seconds: number): Promise<Residence> {
  try {
    await venue.start()
    const startBytes = statusBytes(venue.pid, 'VmRSS')
    await sleep(seconds * 1000)
    return {
      startBytes,
      bytes: statusBytes(venue.pid, 'VmRSS'),
      maxBytes: statusBytes(venue.pid, 'VmHWM'),
    }
  } finally {
    await venue.dispose()
  }
}

/** A figure of the process's row in /proc. */
function statusBytes(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const match = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)
  return Number(match![1]) * bytesPerKibibyte
}

/** Index, surfaces and as many calls and puts as wanted, over the operator interface. */
async function listMarket({ operatorUrl, token }: VenueProcess, count: number): Promise<void> {
  const operator = new RestClient({ url: operatorUrl, token })
  const post = (path: string, body: object) =>
    operator.request('POST', `/operator/${path}`, { body })
  const underlyings = Object.entries(pricesUsd)
  const prices = underlyings.map(([underlying, price]) => ({ underlying, price: String(price) }))
  await post('index-prices', { prices })
  const strikes = Math.ceil(count / (underlyings.length * expiries * 2))
  let left = count
  for (const [underlying, priceUsd] of underlyings) {
    for (let i = 1; i <= expiries; i++) {
      const expiry = dateOf(Date.now() + i * daysPerExpiry * dayMillis)
      const points = [{ strike: String(priceUsd), iv: '0.6' }]
      await post('vol-surfaces', { underlying, expiry, points })
      const date = expiry.replaceAll('-', '')
      const symbols = strikesAround(priceUsd, strikes).flatMap((strike) =>
        ['C', 'P'].map((right) => `${underlying}-${date}-${strike}-${right}`),
      )
      const listed = symbols.slice(0, left)
      left -= listed.length
      await Promise.all(listed.map((symbol) => post('instruments', { symbol })))
    }
  }
}

/** Strikes from half to one and a half of the price, all different. */
function strikesAround(priceUsd: number, count: number): readonly number[] {
  const step = Math.max(1, Math.floor(priceUsd / count))
  const lowest = Math.ceil(priceUsd / 2)
  return Array.from({ length: count }, (_, i) => lowest + i * step)
}

function dateOf(millis: number): string {
  return new Date(millis).toISOString().slice(0, 10)
}

function row(name: string, bytes: number, extra: string): BenchResult {
  return {
    name: `memory.venue-${name}`,
    unit: 'MiB',
    value: inMebibytes(bytes),
    range: '',
    extra,
    threshold: { atMost: mebibytesMax },
  }
}

function inMebibytes(bytes: number): number {
  return Math.round(bytes / bytesPerMebibyte)
}
