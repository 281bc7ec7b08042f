import { Counters } from '../memory/counters.js'
import type { ExchangeMemory } from '../memory/exchange-memory.js'
import { steadyMillis } from '../memory/steady-clock.js'
import { Wakeup } from '../memory/wakeup.js'
import { pinThread, threadId } from './pin-thread.js'

/** The shared-memory slots of one thread. */
export interface ThreadPlace {
  readonly counters: Counters
  readonly bell: Wakeup
  /** Records a heartbeat. */
  readonly beat: () => void
}

/**
 * Takes the calling thread's slots, which identify it to other threads.
 * @param place its row, from `wakeupOf`.
 * @param core to pin the thread to, if any.
 */
export function takePlace(
  memory: Pick<ExchangeMemory, 'counters' | 'wakeups'>,
  place: number,
  core: number | undefined,
): ThreadPlace {
  pinThread(core)
  const counters = new Counters(memory.counters, place)
  counters.setThreadId(threadId())
  const bell = new Wakeup(memory.wakeups, place)
  return { counters, bell, beat: () => counters.beat(steadyMillis()) }
}
