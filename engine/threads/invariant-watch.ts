import { readFileSync } from 'node:fs'
import type { Breach } from '../invariants/breach.js'
import { InvariantSweep, type Swept } from '../invariants/sweep.js'
import { InvariantAlarm } from '../memory/exchange-memory.js'
import type { WalletStops } from '../state/accounts/wallet-stops.js'
import type { BookAsker } from './book-desk.js'
import type { StopRequests } from './stop-requests.js'

interface InvariantWatchState {
  readonly walletStops: WalletStops
}

export interface InvariantWatchOptions {
  /** Between two looks, at least. */
  readonly everyMillis: number
  /** The replica, at a batch border whenever the watch is called. */
  readonly swept: () => Swept & {
    readonly batchNumber: number
    readonly state: InvariantWatchState
  }
  readonly books: BookAsker
  readonly wakeBooks: (matcher: number) => void
  /** Of `InvariantAlarm`: shared with the core, which halts the market and hears of its opening. */
  readonly alarm: Int32Array
  readonly stopRequests: StopRequests
  readonly wakeCore: () => void
  readonly onBreach: (breach: Breach, batchNumber: number) => void
  readonly onLook: (look: Look) => void
  readonly clockMillis: () => number
  /** Processor time of the calling thread so far, nanoseconds. */
  readonly processorNanos: () => number
}

/** What a look has come to. */
export interface Look {
  readonly batchNumber: number
  readonly nanos: number
  readonly breachCount: number
  /** Slices of the running books that were compared since the start. */
  readonly comparedCount: number
}

/** Of a core: what a look takes is followed by a pause so many times as long, however large the venue. */
const pausesPerLook = 100

/** A breach of one wallet that was told. */
interface StoppedBreach {
  readonly account: number
  /** Whether the replica has seen the wallet stopped: if it no longer is, the operator has resumed it. */
  wasStopped: boolean
}

/**
 * Checks the invariants from time to time. A breach goes to the operator, and the core halts the market, or stops the one
 * wallet that it is about, until the operator ends that. A breach that the operator has seen is known from then on: it
 * raises no alarm again while it stays the same.
 */
export class InvariantWatch {
  readonly #options: InvariantWatchOptions
  readonly #sweep = new InvariantSweep()
  readonly #standing = new Set<string>()
  readonly #known = new Set<string>()
  readonly #ofWallets = new Map<string, StoppedBreach>()
  #nextMillis = 0

  constructor(options: InvariantWatchOptions) {
    this.#options = options
  }

  /** @returns whether there was a look. */
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
    for (const breach of breaches) this.#tell(breach, engine)
    const nanos = processorNanos() - begin
    const pauseMillis = Math.max(everyMillis, (nanos / 1e6) * pausesPerLook)
    this.#nextMillis = clockMillis() + pauseMillis
    const { comparedCount } = books
    onLook({ batchNumber: engine.batchNumber, nanos, breachCount: breaches.length, comparedCount })
    return true
  }

  /** What stood when the operator opened the market is known from then on. */
  #learn(): void {
    if (this.#standing.size === 0) return
    if (Atomics.load(this.#options.alarm, 0) !== InvariantAlarm.None) return
    for (const key of this.#standing) this.#known.add(key)
    this.#standing.clear()
  }

  /** The same of wallets: the replica knows whom the operator has resumed. */
  #learnResumed({ walletStops }: InvariantWatchState): void {
    for (const [key, breach] of this.#ofWallets) {
      if (walletStops.has(breach.account)) breach.wasStopped = true
      else if (breach.wasStopped) {
        this.#ofWallets.delete(key)
        this.#known.add(key)
      }
    }
  }

  #tell(breach: Breach, { batchNumber, state }: ReturnType<InvariantWatchOptions['swept']>): void {
    const { alarm, onBreach, wakeCore } = this.#options
    if (this.#known.has(breach.key) || this.#standing.has(breach.key)) return
    if (breach.wallet !== undefined) {
      this.#tellOfWallet(breach, breach.wallet.account, batchNumber, state)
      return
    }
    this.#standing.add(breach.key)
    onBreach(breach, batchNumber)
    Atomics.compareExchange(alarm, 0, InvariantAlarm.None, InvariantAlarm.Raised)
    wakeCore()
  }

  /** Asks for the stop at each look until the replica has seen it: the breach itself is told once. */
  #tellOfWallet(
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

/** Processor time of the calling thread as the kernel counts it; where it does not tell, time that passes. */
export function threadNanos(): number {
  try {
    const [nanos] = readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')
    if (nanos !== undefined && Number(nanos) > 0) return Number(nanos)
  } catch {
    // Not this kernel.
  }
  return performance.now() * 1e6
}
