import { HaltMode } from '../../schemas/domain.js'
import { putVenueHalt } from '../core/accept-loss.js'
import { InvariantAlarm } from '../memory/exchange-memory.js'
import type { Ring } from '../memory/ring.js'
import type { CoreState } from '../state/core-state.js'

/**
 * The core's part of an alarm of the invariants, in its shell. What the watch has found enters the engine as one journaled
 * command, the halt of everything, so a replay halts at the same place; it ends by the operator's word.
 *
 *   None ──(the watch)──► Raised ──(halt is put)──► Halted ──(the operator opened)──► None
 */
export class MarketHalt {
  readonly #alarm: Int32Array
  readonly #state: CoreState
  readonly #shell: Ring
  /** The command has been decided: from then on a market that is open was opened. */
  #isInForce = false

  /** @param shell the producer's end of the ring of the shell's own commands. */
  constructor(alarm: Int32Array, state: CoreState, shell: Ring) {
    this.#alarm = alarm
    this.#state = state
    this.#shell = shell
  }

  /** Before a batch. @returns the alarm as it stands. */
  doWork(): InvariantAlarm {
    const alarm = Atomics.load(this.#alarm, 0) as InvariantAlarm
    if (alarm === InvariantAlarm.None) return alarm
    if (alarm === InvariantAlarm.Raised) {
      // Beside a command of the clock there may be no room; it is gone after one batch.
      if (this.#shell.depthBytes() > 0) return alarm
      this.#isInForce = false
      putVenueHalt(this.#shell)
      Atomics.store(this.#alarm, 0, InvariantAlarm.Halted)
      return InvariantAlarm.Halted
    }
    if (!this.#isInForce) {
      this.#isInForce = this.#shell.depthBytes() === 0 && isHalted(this.#state)
      return alarm
    }
    if (isHalted(this.#state)) return alarm
    Atomics.store(this.#alarm, 0, InvariantAlarm.None)
    return InvariantAlarm.None
  }
}

/** Until everything is opened at once, or the last underlying that was halted is. */
function isHalted({ haltModeAtListing, haltModes, instruments }: CoreState): boolean {
  if (haltModeAtListing !== HaltMode.Halted) return false
  const count = instruments.underlyingNames.length
  if (count === 0) return true
  for (let u = 0; u < count; u++) if (haltModes[u] === HaltMode.Halted) return true
  return false
}
