import { CounterName, Counters } from '../../../engine/memory/counters.js'
import {
  doorbellOf,
  type ExchangeMemory,
  flagWords,
  InvariantAlarm,
} from '../../../engine/memory/exchange-memory.js'
import { ClockAlarm, HaltMode, type HaltReason } from '../../../schemas/domain.js'
import {
  haltsShownMax,
  type ShownHalt,
  type VenueStatus,
} from '../../../schemas/interface/venue.js'
import { RecentAcknowledgements } from './recent-acknowledgements.js'
import { SharedValue } from './shared-value.js'
import type { HaltBoard, HaltRow } from './venue-views.js'

type Memory = Pick<ExchangeMemory, 'counters' | 'flags' | 'haltBoard' | 'latencies'>

/** State of the venue for its index, in one gateway thread. */
export class LiveStatus {
  readonly #steadyMillis: () => number
  readonly #board: SharedValue<HaltBoard>
  readonly #counters: Counters
  readonly #flags: Int32Array
  readonly #acknowledgements: RecentAcknowledgements
  #readyMillis: number | null = null

  /** @param steadyMillis Clock that is never stepped. */
  constructor(memory: Memory, steadyMillis: () => number) {
    this.#steadyMillis = steadyMillis
    this.#board = new SharedValue(memory.haltBoard)
    this.#counters = new Counters(memory.counters, doorbellOf.core)
    this.#flags = new Int32Array(memory.flags)
    this.#acknowledgements = new RecentAcknowledgements(memory.latencies, steadyMillis())
  }

  /** Starts the uptime. */
  onReady(): void {
    this.#readyMillis = this.#steadyMillis()
  }

  /** Call it more often than every ten seconds. */
  tick(): void {
    this.#acknowledgements.tick(this.#steadyMillis())
  }

  read(): VenueStatus {
    const nowMillis = this.#steadyMillis()
    const halts = this.#halts()
    return {
      role: 'single',
      uptime_ms: Math.max(0, Math.floor(nowMillis - (this.#readyMillis ?? nowMillis))),
      halts: { count: halts.length, rows: halts.slice(0, haltsShownMax) },
      acknowledgements: this.#acknowledgements.figures(nowMillis),
    }
  }

  /** Returns the latest halts first. */
  #halts(): readonly ShownHalt[] {
    const { underlyings, stopped } = this.#board.read() ?? noHalts
    const halted = underlyings.filter(({ mode }) => mode !== HaltMode.Open)
    const rows = halted.map((row) => this.#shown(row))
    const isOfMarket = halted.length > 1 && halted.length === underlyings.length
    const market = isOfMarket ? marketHalt(rows) : null
    const wallets: ShownHalt = {
      ...{ scope: 'wallets', wallets: stopped.count, mode: 'cancel_only', reason: 'invariant' },
      since_ms: stopped.sinceMillis,
    }
    return [...(market === null ? rows : [market]), ...(stopped.count > 0 ? [wallets] : [])].sort(
      (one, other) => other.since_ms - one.since_ms,
    )
  }

  #shown({ underlying, mode, sinceMillis }: HaltRow): ShownHalt {
    return {
      ...{
        scope: 'underlying',
        underlying,
        mode: mode === HaltMode.Halted ? 'halted' : 'cancel_only',
      },
      ...{ reason: this.#reasonOf(mode), since_ms: sinceMillis },
    }
  }

  /** Returns the cause of a halt. A clock alarm covers all others until it ends. */
  #reasonOf(mode: HaltMode): HaltReason {
    const alarm = this.#counters.read(doorbellOf.core, CounterName.ClockAlarm)
    if (alarm !== ClockAlarm.None) return 'clock'
    const isBroken = Atomics.load(this.#flags, flagWords.invariantAlarm) !== InvariantAlarm.None
    return isBroken && mode === HaltMode.Halted ? 'invariant' : 'operator'
  }
}

const noHalts: HaltBoard = { underlyings: [], stopped: { count: 0, sinceMillis: 0 } }

/** Returns one halt for equal halts of all underlyings; null if they differ. */
function marketHalt(rows: readonly ShownHalt[]): ShownHalt | null {
  const { mode, reason } = rows[0]!
  if (rows.some((row) => row.mode !== mode || row.reason !== reason)) return null
  const sinceMillis = rows.reduce((latest, { since_ms }) => Math.max(latest, since_ms), 0)
  return { scope: 'market', mode, reason, since_ms: sinceMillis }
}
