// Each thread counts `performance.now` from its own start: the difference to the machine's monotonic clock is taken
// once, so that times of two threads can be compared, and reading one allocates nothing.
const [seconds, nanos] = process.hrtime()
const originMillis = seconds * 1000 + nanos / 1e6 - performance.now()

/** Milliseconds of a clock that nobody steps, the same in all threads; it stands while the machine is suspended. */
export function steadyMillis(): number {
  return originMillis + performance.now()
}
