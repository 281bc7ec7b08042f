// Each thread counts `performance.now` from its own start: the difference to the machine's monotonic clock is taken
// once, so that times of two threads can be compared, and reading one allocates nothing. A thread that loses its core
// between looking at one and at the other finds too little: the largest of several counts.
const originMillis = Math.max(...Array.from({ length: 10 }, differenceMillis))

/** Milliseconds of a clock that nobody steps, the same in all threads; it stands while the machine is suspended. */
export function steadyMillis(): number {
  return originMillis + performance.now()
}

/** The same of what `performance.now` has told this thread. */
export function steadyMillisOf(performanceMillis: number): number {
  return originMillis + performanceMillis
}

function differenceMillis(): number {
  const [seconds, nanos] = process.hrtime()
  return seconds * 1000 + nanos / 1e6 - performance.now()
}
