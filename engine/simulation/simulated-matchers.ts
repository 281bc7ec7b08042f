import type { Core } from '../core/core.js'
import { type CoreRef, linkOwnMatchers } from '../core/replica.js'
import { Matcher } from '../matching/matcher.js'
import { allocateRing, Ring } from '../memory/ring.js'
import { MatcherLinks } from '../state/matcher-links.js'

/** When matcher threads run: asked whenever the core waits for one. */
export interface MatcherSchedule {
  /** Which matcher runs now, -1 for none, and at most how many commands. */
  next(matchers: number): { readonly matcher: number; readonly limit: number }
  /** A result ring was full in the middle of a command. */
  onFull(): void
}

export interface MatcherRings {
  readonly orderBytes: number
  readonly resultBytes: number
}

export interface LinkedMatchers {
  readonly links: MatcherLinks
  /** The matchers with threads of their own, whose books can be looked into. */
  readonly matchers: readonly Matcher[]
}

/**
 * Links to matchers whose threads run when the schedule says so: any of them, for any number of
 * commands, or none for a while. With `threads` 0 the production links run the one matcher.
 */
export function linkMatchers(
  ref: CoreRef,
  threads: number,
  rings: MatcherRings,
  schedule: MatcherSchedule,
): LinkedMatchers {
  const count = Math.max(1, threads)
  const allocate = (bytes: number) => Array.from({ length: count }, () => allocateRing(bytes))
  const orderRings = allocate(rings.orderBytes)
  const resultRings = allocate(rings.resultBytes)
  if (threads === 0) {
    return { links: linkOwnMatchers(ref, orderRings, resultRings), matchers: [] }
  }
  const isRunning = new Uint8Array(count)
  const onFull = () => {
    schedule.onFull()
    drain(ref.core)
  }
  const matchers = orderRings.map(
    (ring, i) =>
      new Matcher(new Ring(ring, 'consumer'), new Ring(resultRings[i], 'producer'), onFull),
  )
  const links = new MatcherLinks(
    orderRings.map((ring) => new Ring(ring, 'producer')),
    resultRings.map((ring) => new Ring(ring, 'consumer')),
    () => {},
    () => {
      const { matcher, limit } = schedule.next(count)
      if (matcher < 0 || isRunning[matcher] === 1) return
      isRunning[matcher] = 1
      matchers[matcher].doWork(limit)
      isRunning[matcher] = 0
    },
  )
  return { links, matchers }
}

/** The core's thread would take results while the matcher's spins. */
function drain(core: Core | null): void {
  core?.drainResults()
}
