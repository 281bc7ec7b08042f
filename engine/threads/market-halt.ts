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
 * The core's part of an alarm of the invariants, in its shell. A finding of the watch enters the engine as a journaled
 * command, so a replay repeats it at the same place: the stop of one wallet, or the halt of everything. The operator ends
 * either.
 *
 *   None ──(the watch)──► Raised ──(halt is put)──► Halted ──(the operator opened)──► None
 */
export class MarketHalt {
  readonly #alarm: Int32Array
  readonly #state: MarketHaltState
  readonly #shell: Ring
  readonly #requests: StopRequests
  /** The command has been decided: from then on a market that is open was opened. */
  #isInForce = false

  /** @param shell the producer's end of the ring of the shell's own commands. */
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

  /** One wallet a batch: the shell's ring is for one command at a time. */
  #stopWallet(): void {
    const account = this.#requests.take()
    if (account < 0 || this.#state.walletStops.has(account)) return
    putWalletStop(this.#state, this.#shell, account)
  }

  #haltMarket(): InvariantAlarm {
    const alarm = Atomics.load(this.#alarm, 0) as InvariantAlarm
    if (alarm === InvariantAlarm.None) return alarm
    if (alarm === InvariantAlarm.Raised) {
      // A command of the clock, or of a wallet, goes first; it is gone after one batch.
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
function isHalted({ haltModeAtListing, haltModes, instruments }: MarketHaltState): boolean {
  if (haltModeAtListing !== HaltMode.Halted) return false
  const count = instruments.underlyingNames.length
  if (count === 0) return true
  for (let u = 0; u < count; u++) if (haltModes[u] === HaltMode.Halted) return true
  return false
}
