import { Counters } from '../memory/counters.js'
import { Doorbell } from '../memory/doorbell.js'
import type { ExchangeMemory } from '../memory/exchange-memory.js'
import { steadyMillis } from '../memory/steady-clock.js'
import { pinThread, threadId } from './pin-thread.js'

/** The shared-memory slots of one thread. */
export interface ThreadPlace {
  readonly counters: Counters
  readonly bell: Doorbell
  /** Records a heartbeat. */
  readonly beat: () => void
}

/**
 * Takes the calling thread's slots, which identify it to other threads.
 * @param place its row, from `doorbellOf`.
 * @param core to pin the thread to, if any.
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
