/** Seeded random numbers. The same seed yields the same sequence on every machine. */
export interface RandomSource {
  /** Uniform in [0, 1). */
  next(): number
  /** Standard normal. */
  normal(): number
}

const uniformsPerNormal = 12

/**
 * Creates a small seeded generator (mulberry32) for simulated markets and tests. Not for secrets.
 * @param seed any integer; only its low 32 bits are used.
 */
export function createRandomSource(seed: number): RandomSource {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
  // The sum of twelve uniforms minus six needs no logarithm, so it has the same bits on every machine.
  const normal = () => {
    let sum = 0
    for (let i = 0; i < uniformsPerNormal; i++) sum += next()
    return sum - uniformsPerNormal / 2
  }
  return { next, normal }
}
