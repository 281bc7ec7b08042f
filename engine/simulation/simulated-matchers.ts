import { type CoreRef, linkOwnMatchers } from '../core/replica.js'
import { Matcher } from '../matching/matcher.js'
import { allocateRing, Ring } from '../memory/ring.js'
import { MatcherLinks } from '../state/matcher-links.js'
import type { MatcherTurns } from './matcher-turns.js'

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
 * Links to matchers whose threads run when the turns say so: any of them, for any number of
 * commands, or none for a while. With `threads` 0 the production links run the one matcher.
 */
export function linkMatchers(
  ref: CoreRef,
  threads: number,
  rings: MatcherRings,
  turns: MatcherTurns,
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
    turns.onFull()
    // The core's thread would take results while the matcher's spins.
    ref.core?.drainResults()
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
      const { matcher, limit } = turns.next(count)
      if (matcher < 0 || isRunning[matcher] === 1) return
      isRunning[matcher] = 1
      matchers[matcher].doWork(limit)
      isRunning[matcher] = 0
    },
  )
  return { links, matchers }
}
