/** Sequences that are tried out before the best so far is taken. */
const triesMax = 4_000

interface Shrinking<T> {
  best: readonly T[]
  tries: number
  /** Returns the number of elements after which a sequence fails, 0 if it passes. */
  readonly fails: (sequence: readonly T[]) => number
}

/**
 * Makes a failing sequence smaller while it still fails (delta debugging): leaves out ever smaller
 * parts, then replaces the remaining elements by simpler ones, until neither helps.
 * @param fails how many elements it takes to fail, 0 when the sequence passes.
 * @param simpler elements to try instead of one.
 */
export function shrinkSequence<T>(
  sequence: readonly T[],
  fails: (sequence: readonly T[]) => number,
  simpler: (element: T) => readonly T[] = () => [],
): readonly T[] {
  const best = sequence.slice(0, fails(sequence) || sequence.length)
  const shrinking: Shrinking<T> = { best, tries: 0, fails }
  do leaveOut(shrinking)
  while (simplify(shrinking, simpler))
  return shrinking.best
}

function leaveOut<T>(shrinking: Shrinking<T>): void {
  let part = Math.max(1, shrinking.best.length >> 1)
  for (;;) {
    const { best } = shrinking
    for (let start = 0; start < shrinking.best.length; ) {
      const { best } = shrinking
      if (!take(shrinking, [...best.slice(0, start), ...best.slice(start + part)])) start += part
    }
    // Single elements are tried again until none can go: one often goes only after a later one.
    if (part === 1 && shrinking.best === best) return
    part = Math.max(1, Math.min(part, shrinking.best.length) >> 1)
  }
}

/** Simplifies elements. @returns true if any element became simpler. */
function simplify<T>(shrinking: Shrinking<T>, simpler: (element: T) => readonly T[]): boolean {
  const { best } = shrinking
  for (let place = 0; place < shrinking.best.length; place++) {
    for (let tried = true; tried; ) {
      tried = simpler(shrinking.best[place]!).some((element) =>
        take(shrinking, shrinking.best.with(place, element)),
      )
      if (place >= shrinking.best.length) return true
    }
  }
  return shrinking.best !== best
}

/** Takes a sequence as the best, up to where it fails. @returns false when it passes. */
function take<T>(shrinking: Shrinking<T>, sequence: readonly T[]): boolean {
  if (shrinking.tries >= triesMax) return false
  shrinking.tries++
  const count = shrinking.fails(sequence)
  if (count === 0) return false
  shrinking.best = sequence.slice(0, count)
  return true
}
