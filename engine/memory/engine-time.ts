import { CounterName, Counters } from './counters.js'
import { doorbellOf, type ExchangeMemory } from './exchange-memory.js'
import { steadyMillis } from './steady-clock.js'
import { VirtualTime } from './virtual-time.js'

/**
 * Engine time as other threads than the core's see it: steady time, and what the core last said that engine time is
 * beyond it. So all threads count in one time, whoever steps the clock of the machine. Virtual time is seen as it is.
 */
export class EngineTime {
  readonly #counters: Counters
  /** Milliseconds since 1970; the clock of the machine until the core has told its time. */
  readonly millis: () => number

  constructor({ counters, virtualTime }: Pick<ExchangeMemory, 'counters' | 'virtualTime'>) {
    this.#counters = new Counters(counters, doorbellOf.core)
    this.millis = virtualTime === null ? this.#steady : new VirtualTime(virtualTime).now
  }

  readonly #steady = (): number => {
    const beyond = this.#counters.read(doorbellOf.core, CounterName.EngineLessSteadyMillis)
    return beyond === 0 ? Date.now() : Math.floor(steadyMillis() + beyond)
  }
}
