import { readFileSync } from 'node:fs'
import type { Breach } from '../invariants/breach.js'
import { InvariantSweep, type Swept } from '../invariants/sweep.js'
import { InvariantAlarm } from '../memory/exchange-memory.js'
import type { WalletStops } from '../state/accounts/wallet-stops.js'
import type { BookComparison } from './book-digests.js'
import type { StopRequests } from './stop-requests.js'

interface InvariantWatchState {
  readonly walletStops: WalletStops
}

export interface InvariantWatchOptions {
  /** Minimum time between two checks. */
  readonly everyMillis: number
  /** Returns the replica, which is between two batches whenever the watch is called. */
  readonly swept: () => Swept & {
    readonly batchNumber: number
    readonly state: InvariantWatchState
  }
  readonly books: BookComparison
  readonly wakeBooks: (matcher: number) => void
  /** Word of `InvariantAlarm`, shared with the core, which halts the market and clears the alarm when it is opened. */
  readonly alarm: Int32Array
  readonly stopRequests: StopRequests
  readonly wakeCore: () => void
  readonly onBreach: (breach: Breach, batchNumber: number) => void
  readonly onLook: (look: Look) => void
  readonly clockMillis: () => number
  /** Returns the processor time of the calling thread so far, in nanoseconds. */
  readonly processorNanos: () => number
}

/** Result of a check. */
export interface Look {
  readonly batchNumber: number
  readonly nanos: number
  readonly breachCount: number
  /** Number of compared slices of the running books since the start. */
  readonly comparedCount: number
}

/** Pause after a check as a multiple of its processor time, so that it uses 1 % of a core for any size of the venue. */
const pausesPerLook = 100

/** A reported breach of one wallet. */
interface StoppedBreach {
  readonly account: number
  /** True once the replica has seen the wallet stopped. If it is no longer stopped, the operator has resumed it. */
  wasStopped: boolean
}

/**
 * Checks the invariants periodically. A breach is reported to the operator, and the core halts the market, or stops the
 * affected wallet, until the operator resumes it. Such a breach is then known, and raises no further alarm while it is
 * unchanged.
 */
export class InvariantWatch {
  readonly #options: InvariantWatchOptions
  readonly #sweep = new InvariantSweep()
  readonly #pending = new Set<string>()
  readonly #known = new Set<string>()
  readonly #ofWallets = new Map<string, StoppedBreach>()
  #nextMillis = 0

  constructor(options: InvariantWatchOptions) {
    this.#options = options
  }

  /** @returns true if it made a check. */
  doWork(): boolean {
    const { clockMillis, processorNanos, swept, everyMillis, onLook, books, wakeBooks } =
      this.#options
    if (clockMillis() < this.#nextMillis) return false
    const begin = processorNanos()
    this.#learn()
    const engine = swept()
    this.#learnResumed(engine.state)
    const breaches: Breach[] = [...this.#sweep.look(engine)]
    const live = books.compare(engine.state.orders.high)
    if (live !== null) breaches.push(live)
    books.ask(wakeBooks)
    for (const breach of breaches) this.#report(breach, engine)
    const nanos = processorNanos() - begin
    const pauseMillis = Math.max(everyMillis, (nanos / 1e6) * pausesPerLook)
    this.#nextMillis = clockMillis() + pauseMillis
    const { comparedCount } = books
    onLook({ batchNumber: engine.batchNumber, nanos, breachCount: breaches.length, comparedCount })
    return true
  }

  /** Marks the pending breaches as known when the operator has opened the market. */
  #learn(): void {
    if (this.#pending.size === 0) return
    if (Atomics.load(this.#options.alarm, 0) !== InvariantAlarm.None) return
    for (const key of this.#pending) this.#known.add(key)
    this.#pending.clear()
  }

  /** Marks breaches of wallets as known when the operator has resumed the wallet, as seen by the replica. */
  #learnResumed({ walletStops }: InvariantWatchState): void {
    for (const [key, breach] of this.#ofWallets) {
      if (walletStops.has(breach.account)) breach.wasStopped = true
      else if (breach.wasStopped) {
        this.#ofWallets.delete(key)
        this.#known.add(key)
      }
    }
  }

  #report(
    breach: Breach,
    { batchNumber, state }: ReturnType<InvariantWatchOptions['swept']>,
  ): void {
    const { alarm, onBreach, wakeCore } = this.#options
    if (this.#known.has(breach.key) || this.#pending.has(breach.key)) return
    if (breach.wallet !== undefined) {
      this.#reportWallet(breach, breach.wallet.account, batchNumber, state)
      return
    }
    this.#pending.add(breach.key)
    onBreach(breach, batchNumber)
    Atomics.compareExchange(alarm, 0, InvariantAlarm.None, InvariantAlarm.Raised)
    wakeCore()
  }

  /** Requests the stop at each check until the replica has seen it. Reports the breach itself once. */
  #reportWallet(
    breach: Breach,
    account: number,
    batchNumber: number,
    state: InvariantWatchState,
  ): void {
    const { onBreach, stopRequests, wakeCore } = this.#options
    const isStopped = state.walletStops.has(account)
    if (!this.#ofWallets.has(breach.key)) {
      this.#ofWallets.set(breach.key, { account, wasStopped: isStopped })
      onBreach(breach, batchNumber)
    }
    if (isStopped) return
    stopRequests.put(account)
    wakeCore()
  }
}

/** Returns the processor time of the calling thread from the kernel; elapsed time if the kernel does not provide it. */
export function threadNanos(): number {
  try {
    const [nanos] = readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')
    if (nanos !== undefined && Number(nanos) > 0) return Number(nanos)
  } catch {
    // Not provided by this kernel.
  }
  return performance.now() * 1e6
}
