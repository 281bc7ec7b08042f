import { CounterName, Counters } from './counters.js'
import { type ExchangeMemory, wakeupOf } from './exchange-memory.js'
import { steadyMillis } from './steady-clock.js'
import { VirtualTime } from './virtual-time.js'

/**
 * Engine time for threads other than the core's: steady time plus the offset that the core last published. All threads
 * therefore share one time, even if the machine's clock is stepped. Virtual time is used unchanged.
 */
export class EngineTime {
  readonly #counters: Counters
  /** Returns milliseconds since 1970: the machine's clock until the core has published its offset. */
  readonly millis: () => number

  constructor({ counters, virtualTime }: Pick<ExchangeMemory, 'counters' | 'virtualTime'>) {
    this.#counters = new Counters(counters, wakeupOf.core)
    this.millis = virtualTime === null ? this.#steady : new VirtualTime(virtualTime).now
  }

  readonly #steady = (): number => {
    const offset = this.#counters.read(wakeupOf.core, CounterName.EngineLessSteadyMillis)
    return offset === 0 ? Date.now() : Math.floor(steadyMillis() + offset)
  }
}
