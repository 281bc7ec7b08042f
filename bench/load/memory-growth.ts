import type { LoadSecond } from './load-series.js'

/** Verdict on a venue's memory growth under a constant load. */
export interface MemoryGrowth {
  readonly isFlat: boolean
  readonly lines: readonly string[]
}

const bytesPerMegabyte = 2 ** 20
const bytesPerKilobyte = 2 ** 10
const secondsPerMinute = 60
const commandsShown = 10_000
// A heap oscillates with its garbage collections, so only the trend counts. Runs of minutes cannot resolve a smaller
// growth, because young generations and old pages come and go by megabytes.
const growthPerMinuteMax = 1 * bytesPerMegabyte

/**
 * Judges the seconds after `warmUpSeconds` up to `endSeconds` by the slope of resident memory per minute, fitted by least
 * squares. The lines also have the slope per executed command.
 */
export function judgeMemory(
  seconds: readonly LoadSecond[],
  warmUpSeconds: number,
  endSeconds: number,
): MemoryGrowth {
  const judged = seconds.filter(
    ({ second, gauges }) =>
      second > warmUpSeconds && second <= endSeconds && gauges.residentBytes > 0,
  )
  if (judged.length < 2) return { isFlat: false, lines: ['memory: nothing to judge'] }
  const commands = judged.reduce((sum, { executed }) => sum + executed, 0)
  const perSecond = Math.max(1, commands) / judged.length
  const rows = (['residentBytes', 'heapBytes', 'externalBytes'] as const).map((name) => {
    const values = judged.map(({ gauges }) => gauges[name])
    const growth = slope(judged, values)
    const perMinute = growth * secondsPerMinute
    const perCommands = kilobytes((growth / perSecond) * commandsShown)
    const [first, last] = [values[0], values[values.length - 1]].map(megabytes)
    const line =
      `${name}: ${first} at second ${judged[0].second}, ${last} at the end, ` +
      `${megabytes(perMinute)} a minute, ${perCommands} per ${commandsShown} commands`
    return { perMinute, line }
  })
  return {
    isFlat: rows[0].perMinute <= growthPerMinuteMax,
    lines: rows.map(({ line }) => line),
  }
}

/** Returns the slope per second of the least-squares line. */
function slope(seconds: readonly LoadSecond[], values: readonly number[]): number {
  const count = values.length
  const middle = seconds.reduce((sum, { second }) => sum + second, 0) / count
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  let products = 0
  let squares = 0
  for (const [i, { second }] of seconds.entries()) {
    products += (second - middle) * (values[i] - mean)
    squares += (second - middle) ** 2
  }
  return squares === 0 ? 0 : products / squares
}

function megabytes(bytes: number): string {
  return `${(bytes / bytesPerMegabyte).toFixed(2)} MiB`
}

function kilobytes(bytes: number): string {
  return `${(bytes / bytesPerKilobyte).toFixed(1)} KiB`
}
