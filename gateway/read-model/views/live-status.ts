import { CounterName, Counters } from '../../../engine/memory/counters.js'
import {
  type ExchangeMemory,
  flagWords,
  InvariantAlarm,
  wakeupOf,
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

const noHalts: HaltBoard = { underlyings: [], stopped: { count: 0, sinceMillis: 0 } }
const noCauses: Causes = { isClock: false, isBroken: false }

/** State of the venue for its index, in one gateway thread. */
export class LiveStatus {
  readonly #steadyMillis: () => number
  readonly #board: SharedValue<HaltBoard>
  readonly #counters: Counters
  readonly #flags: Int32Array
  readonly #acknowledgements: RecentAcknowledgements
  #readyMillis: number | null = null
  /** Latest halts, with their sources. */
  #shown: ShownHalts = { board: noHalts, causes: noCauses, halts: { count: 0, rows: [] } }

  /** @param steadyMillis Clock that is never stepped. */
  constructor(memory: Memory, steadyMillis: () => number) {
    this.#steadyMillis = steadyMillis
    this.#board = new SharedValue(memory.haltBoard)
    this.#counters = new Counters(memory.counters, wakeupOf.core)
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
    return {
      role: 'single',
      uptime_ms: Math.max(0, Math.floor(nowMillis - (this.#readyMillis ?? nowMillis))),
      halts: this.#halts(),
      acknowledgements: this.#acknowledgements.figures(nowMillis),
    }
  }

  /** Returns the current halts. Computes them only after a change. */
  #halts(): VenueStatus['halts'] {
    const board = this.#board.read() ?? noHalts
    const causes = this.#causes()
    const { board: boardBefore, causes: before } = this.#shown
    const isSame = causes.isClock === before.isClock && causes.isBroken === before.isBroken
    if (!isSame || board !== boardBefore) {
      const halts = haltsOf(board, causes)
      const shown = { count: halts.length, rows: halts.slice(0, haltsShownMax) }
      this.#shown = { board, causes, halts: shown }
    }
    return this.#shown.halts
  }

  #causes(): Causes {
    const alarm = this.#counters.read(wakeupOf.core, CounterName.ClockAlarm)
    const broken = Atomics.load(this.#flags, flagWords.invariantAlarm)
    return { isClock: alarm !== ClockAlarm.None, isBroken: broken !== InvariantAlarm.None }
  }
}

/** Alarms that explain halts. */
interface Causes {
  readonly isClock: boolean
  readonly isBroken: boolean
}

interface ShownHalts {
  readonly board: HaltBoard
  readonly causes: Causes
  readonly halts: VenueStatus['halts']
}

/** Returns the latest halts first. */
function haltsOf({ underlyings, stopped }: HaltBoard, causes: Causes): readonly ShownHalt[] {
  const halted = underlyings.filter(({ mode }) => mode !== HaltMode.Open)
  const rows = halted.map((row) => shownHalt(row, causes))
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

function shownHalt({ underlying, mode, sinceMillis }: HaltRow, causes: Causes): ShownHalt {
  const isHalted = mode === HaltMode.Halted
  return {
    ...{ scope: 'underlying', underlying, mode: isHalted ? 'halted' : 'cancel_only' },
    ...{ reason: reasonOf(isHalted, causes), since_ms: sinceMillis },
  }
}

/** Returns the cause of a halt. A clock alarm covers all others until it ends. */
function reasonOf(isHalted: boolean, { isClock, isBroken }: Causes): HaltReason {
  if (isClock) return 'clock'
  return isBroken && isHalted ? 'invariant' : 'operator'
}

/** Returns one halt for equal halts of all underlyings; null if they differ. */
function marketHalt(rows: readonly ShownHalt[]): ShownHalt | null {
  const { mode, reason } = rows[0]!
  if (rows.some((row) => row.mode !== mode || row.reason !== reason)) return null
  const sinceMillis = rows.reduce((latest, { since_ms }) => Math.max(latest, since_ms), 0)
  return { scope: 'market', mode, reason, since_ms: sinceMillis }
}
