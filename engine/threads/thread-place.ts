import { Counters } from '../memory/counters.js'
import { Doorbell } from '../memory/doorbell.js'
import type { ExchangeMemory } from '../memory/exchange-memory.js'
import { steadyMillis } from '../memory/steady-clock.js'
import { pinThread, threadId } from './pin-thread.js'

/** What a thread has of its own in the memory that all share. */
export interface ThreadPlace {
  readonly counters: Counters
  readonly bell: Doorbell
  /** Says that the thread is alive. */
  readonly beat: () => void
}

/**
 * Takes the calling thread's place, by which the others know it.
 * @param place its row, as `doorbellOf` says.
 * @param core that the thread is pinned to, if any.
 */
export function takePlace(
  memory: Pick<ExchangeMemory, 'counters' | 'doorbells'>,
  place: number,
  core: number | undefined,
): ThreadPlace {
  pinThread(core)
  const counters = new Counters(memory.counters, place)
  counters.setThreadId(threadId())
  const bell = new Doorbell(memory.doorbells, place)
  return { counters, bell, beat: () => counters.beat(steadyMillis()) }
}
