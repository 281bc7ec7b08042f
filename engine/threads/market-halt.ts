import { HaltMode } from '../../schemas/domain.js'
import { putVenueHalt } from '../core/operator/accept-loss.js'
import { type DecideWalletStopState, putWalletStop } from '../core/operator/decide-wallet-stop.js'
import { InvariantAlarm } from '../memory/exchange-memory.js'
import type { Ring } from '../memory/ring.js'
import type { StopRequests } from './stop-requests.js'

interface MarketHaltState extends DecideWalletStopState {
  readonly haltModeAtListing: HaltMode
  readonly haltModes: Uint8Array
}

/**
 * The core's part of an invariant alarm, in its shell. A breach enters the engine as a journaled command, so a replay
 * repeats it at the same position: the stop of one wallet, or the halt of the whole market. The operator ends either.
 *
 *   None ──(watch)──► Raised ──(halt command sent)──► Halted ──(opened by the operator)──► None
 */
export class MarketHalt {
  readonly #alarm: Int32Array
  readonly #state: MarketHaltState
  readonly #shell: Ring
  readonly #requests: StopRequests
  /** True once the halt command is decided: from then on, an open market was opened by the operator. */
  #isInForce = false

  /** @param shell producer's end of the ring of the shell's own commands. */
  constructor(alarm: Int32Array, state: MarketHaltState, shell: Ring, requests: StopRequests) {
    this.#alarm = alarm
    this.#state = state
    this.#shell = shell
    this.#requests = requests
  }

  /** Runs before each batch. @returns the alarm of the whole market. */
  doWork(): InvariantAlarm {
    if (this.#shell.depthBytes() === 0) this.#stopWallet()
    return this.#haltMarket()
  }

  /** Stops one wallet per batch, because the shell's ring takes one command at a time. */
  #stopWallet(): void {
    const account = this.#requests.take()
    if (account < 0 || this.#state.walletStops.has(account)) return
    putWalletStop(this.#state, this.#shell, account)
  }

  #haltMarket(): InvariantAlarm {
    const alarm = Atomics.load(this.#alarm, 0) as InvariantAlarm
    if (alarm === InvariantAlarm.None) return alarm
    if (alarm === InvariantAlarm.Raised) {
      // A command of the clock or for a wallet goes first; it is done after one batch.
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

/** Returns true until everything is opened at once, or the last halted underlying is opened. */
function isHalted({ haltModeAtListing, haltModes, instruments }: MarketHaltState): boolean {
  if (haltModeAtListing !== HaltMode.Halted) return false
  const count = instruments.underlyingNames.length
  if (count === 0) return true
  for (let u = 0; u < count; u++) if (haltModes[u] === HaltMode.Halted) return true
  return false
}
