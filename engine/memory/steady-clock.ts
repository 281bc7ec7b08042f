// Each thread counts `performance.now` from its own start. The difference to the machine's monotonic clock is computed
// once, so that times of two threads are comparable and a read allocates nothing. A thread that loses its core between
// the two clock reads gets too small a difference, so the largest of several is used.
const originMillis = Math.max(...Array.from({ length: 10 }, differenceMillis))

/**
 * Returns milliseconds of a clock that is never stepped, the same in all threads. It stops while the machine is
 * suspended.
 */
export function steadyMillis(): number {
  return originMillis + performance.now()
}

/** Converts a `performance.now` value of this thread to steady milliseconds. */
export function steadyMillisOf(performanceMillis: number): number {
  return originMillis + performanceMillis
}

function differenceMillis(): number {
  const [seconds, nanos] = process.hrtime()
  return seconds * 1000 + nanos / 1e6 - performance.now()
}
