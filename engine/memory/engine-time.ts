import { CounterName, Counters } from './counters.js'
import { steadyMillis } from './steady-clock.js'

/**
 * Engine time as other threads than the core's see it: steady time, and what the core last said that engine time is
 * beyond it. So all threads count in one time, whoever steps the clock of the machine.
 */
export class EngineTime {
  readonly #counters: Counters
  readonly #core: number

  /** @param core row of the core in the counters. */
  constructor(memory: SharedArrayBuffer, core: number) {
    this.#counters = new Counters(memory, core)
    this.#core = core
  }

  /** Milliseconds since 1970; the clock of the machine until the core has told its time. */
  readonly millis = (): number => {
    const beyond = this.#counters.read(this.#core, CounterName.EngineLessSteadyMillis)
    return beyond === 0 ? Date.now() : Math.floor(steadyMillis() + beyond)
  }
}
