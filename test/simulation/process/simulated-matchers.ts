import { type CoreRef, linkOwnMatchers } from '../../../engine/core/replica.js'
import { Matcher } from '../../../engine/matching/matcher.js'
import { allocateRing, Ring } from '../../../engine/memory/ring.js'
import { MatcherLinks } from '../../../engine/state/matcher-links.js'
import type { MatcherTurns } from './matcher-turns.js'
import { orderRingBytes, type ProcessPlan } from './process-plan.js'

/**
 * Links matchers whose threads run when `turns` says so: any of them, for any number of commands, or none for a while.
 * Without threads the production links run the only matcher.
 * @returns the links, and the matchers with threads of their own, whose books tests can read
 */
export function linkMatchers(
  ref: CoreRef,
  { matchers: threads, resultRingBytes }: ProcessPlan,
  turns: MatcherTurns,
): { readonly links: MatcherLinks; readonly matchers: readonly Matcher[] } {
  const count = Math.max(1, threads)
  const allocate = (bytes: number) => Array.from({ length: count }, () => allocateRing(bytes))
  const orderRings = allocate(orderRingBytes)
  const resultRings = allocate(resultRingBytes)
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
    (awaited) => {
      const { matcher, limit } = turns.next(count)
      if (matcher < 0 || isRunning[matcher] === 1) return
      // A matcher runs nested inside the turn of another that waits for room. Then only the matcher whose results the
      // core takes next may run. Results of a later command could wait for the outer matcher, which cannot run before
      // this turn ends.
      const isNested = isRunning.includes(1)
      if (isNested && matcher !== awaited) return
      isRunning[matcher] = 1
      matchers[matcher].doWork(isNested ? 1 : limit)
      isRunning[matcher] = 0
    },
  )
  return { links, matchers }
}
