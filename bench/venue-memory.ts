import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { listMarket } from './listed-market.js'
import { MarketOperator } from './market-operator.js'
import type { BenchResult, Extra } from './measure/bench-result.js'
import { VenueProcess } from './venue-process.js'

export interface VenueMemoryOptions {
  /** Instruments listed before the measured start. */
  readonly instruments: number
  /** Length of the phases after the start, idle or with a market maker. */
  readonly seconds: number
  /** Parent of the data folder. */
  readonly directory?: string
}

const bytesPerKibibyte = 1024
const bytesPerMebibyte = 1024 * 1024
const mebibytesMax = 500

/**
 * Measures the resident memory of the whole process with thousands of instruments: directly after a start that recovers
 * them, and later, without a market and with one. Linux only.
 */
export async function runVenueMemoryBench(options: VenueMemoryOptions): Promise<BenchResult[]> {
  const { instruments, seconds, directory } = options
  const first = new VenueProcess({ directory })
  try {
    await first.start()
    await listMarket(new MarketOperator(first), instruments)
    await first.end()
    const { dataDir } = first
    const idle = await measure(new VenueProcess({ dataDir }), seconds)
    const market = ['--feed=simulated', '--maker=on']
    const traded = await measure(new VenueProcess({ dataDir, arguments: market }), seconds)
    const extra = { instruments }
    return [
      row('start', idle.startBytes, { about: 'all threads, right after the start', ...extra }),
      row('idle', idle.bytes, {
        about: 'all threads, later',
        ...extra,
        seconds,
        mebibytesMax: inMebibytes(idle.maxBytes),
      }),
      row('market', traded.bytes, {
        about: 'all threads, under feed and makers',
        ...extra,
        seconds,
        mebibytesMax: inMebibytes(traded.maxBytes),
      }),
    ]
  } finally {
    await first.dispose()
  }
}

interface Residence {
  readonly startBytes: number
  readonly bytes: number
  /** Peak resident memory. */
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

/** Returns a figure of /proc/PID/status in bytes. */
function statusBytes(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const match = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)
  return Number(match![1]) * bytesPerKibibyte
}

function row(name: string, bytes: number, extra: Extra): BenchResult {
  return {
    name: `memory.venue-${name}`,
    unit: 'MiB',
    value: inMebibytes(bytes),
    range: null,
    extra,
    threshold: { atMost: mebibytesMax },
  }
}

function inMebibytes(bytes: number): number {
  return Math.round(bytes / bytesPerMebibyte)
}
