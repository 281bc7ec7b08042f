import type { ClockState } from '../../../engine/state/market/clock-state.js'
import type { EngineConfig } from '../../../engine/state/market/engine-config.js'
import type { FundingTable } from '../../../engine/state/market/funding-table.js'
import type { LiquidationTable } from '../../../engine/state/market/liquidation-table.js'
import { positionsOf, type WalletRowsState } from '../../../engine/state/wallet-rows.js'
import type { Liquidation } from '../../../engine/tables/generated/liquidation.js'
import { ClockAlarm, InstrumentState } from '../../../schemas/domain.js'
import { LiquidationMode, LiquidationState } from '../../../schemas/record-values.js'
import { clockBounds } from '../process/process-plan.js'
import { mustHold } from '../run/simulation-errors.js'

interface ClockLedgerState extends WalletRowsState {
  readonly nowMillis: number
  readonly clock: ClockState
  readonly tradeCount: number
  readonly fundings: FundingTable
  readonly liquidations: LiquidationTable
  readonly config: EngineConfig
}

/** Clocks of the simulated machine at the time the core read them. */
export interface TrueClock {
  readonly wallMillis: number
  readonly steadyMillis: number
  /** True if the batch contains commands. Only such a batch can raise the clock alarm. */
  readonly hasCommands: boolean
}

interface SeenRow {
  readonly state: number
  readonly mode: number
  /** Counted time when the row entered this state. */
  readonly sinceMillis: number
  /** Time that its timers had counted. */
  readonly countedMillis: number
}

/**
 * Checks that clock steps do not affect the engine. It relies on the machine's steady clock between two batches, on
 * instruments, trades and liquidations, and not on the engine's own detection of a step.
 */
export class ClockLedger {
  /** State after the last batch. A process recovers before the first check, so it is always set. */
  #before!: ReturnType<typeof borderOf>
  #rows = new Map<number, SeenRow>()
  #steadyMillis = 0
  /** True once this process has trusted its clock. From then on engine time follows steady time. */
  #isBelieved = false
  #isDoubted = false
  /** Time without clock steps, as liquidations count it. */
  #passedMillis = 0

  /** Starts over after a recovery: changes that a crash took back have not happened. */
  begin(state: ClockLedgerState): void {
    this.#isBelieved = false
    this.#isDoubted = false
    // A wallet that the crash put back into an earlier state entered it at an unknown time.
    this.#note(state, Number.NEGATIVE_INFINITY)
  }

  /**
   * Checks the state after a batch.
   * @param clock null for the batches of a start, before the venue serves anybody
   */
  check(state: ClockLedgerState, clock: TrueClock | null): void {
    mustHold(Number.isInteger(state.nowMillis), () => `engine time is ${state.nowMillis} ms`)
    if (clock !== null) {
      this.#checkTime(state, clock)
      this.#checkDoubt(state, clock)
      this.#steadyMillis = clock.steadyMillis
      if (!isDoubted(state)) this.#isBelieved = true
    }
    if (!this.#before.wasAlarmed) this.#passedMillis += state.nowMillis - this.#before.nowMillis
    else {
      this.#checkTimers(state)
      if (isDoubted(state)) this.#checkStill(state, clock === null)
    }
    this.#checkGrace(state)
    this.#note(state)
  }

  /** Engine time advances no further than the machine's clock, except for a clock that the operator has accepted. */
  #checkTime(state: ClockLedgerState, { steadyMillis }: TrueClock): void {
    const { stepMillisMax, downtimeMillisMax } = clockBounds
    if (this.#before.wasAccepted || this.#steadyMillis === 0) return
    const went = state.nowMillis - this.#before.nowMillis
    const room = 2 * stepMillisMax + (this.#isBelieved ? 0 : downtimeMillisMax)
    const most = steadyMillis - this.#steadyMillis + room
    mustHold(went <= most, () => `engine time is stepped by ${went} ms, ${most} may have passed`)
  }

  /** Checks that the next batch with commands raises the alarm if the wall clock differs from engine time. */
  #checkDoubt(state: ClockLedgerState, { wallMillis, hasCommands }: TrueClock): void {
    const ahead = wallMillis - state.clock.offsetMillis - state.nowMillis
    const isFar = Math.abs(ahead) > 2 * clockBounds.stepMillisMax && !isDoubted(state)
    const isLate = isFar && this.#isDoubted && hasCommands
    mustHold(!isLate, () => `the clock is ${ahead} ms ahead, and nobody doubts it`)
    this.#isDoubted = isFar
  }

  /** Nothing expires, trades, is funded or liquidated while the clock alarm is set. */
  #checkStill(state: ClockLedgerState, isStart: boolean): void {
    const { states, tradeCount, roundCount, auctions } = this.#before
    // A start that accepts a loss continues the trade numbers after the lost ones.
    const hasTraded = state.tradeCount !== tradeCount && !isStart
    mustHold(!hasTraded, () => 'a trade while the clock is doubted')
    for (const [id, before] of states.entries()) {
      const expired = state.instruments.state[id] === InstrumentState.ExpiredPendingPrice
      const isNew = before === InstrumentState.Active && expired
      mustHold(!isNew, () => `instrument ${id} expires while the clock is doubted`)
    }
    mustHold(state.fundings.rounds.length <= roundCount, () => 'funded while the clock is doubted')
    for (const row of state.liquidations.rows) {
      const what = () => `account ${row.account} is liquidated while the clock is doubted`
      mustHold(this.#sameRow(row) !== null, what)
    }
    mustHold(auctions === auctionsOf(state), () => 'an auction while the clock is doubted')
  }

  /** No timer advances between two batches under a clock alarm, nor over the step that ends the alarm. */
  #checkTimers(state: ClockLedgerState): void {
    for (const row of state.liquidations.rows) {
      const seen = this.#sameRow(row)
      // A wallet that is healthy again, or cleared, keeps its row until its next check, without timers.
      const isOver =
        row.state === LiquidationState.Healthy || row.state === LiquidationState.Liquidated
      if (seen === null || isOver || positionsOf(state, row.account).length === 0) continue
      const went = countedMillis(state, row) - seen.countedMillis
      mustHold(went <= 0, () => `the timers of account ${row.account} went on by ${went} ms`)
    }
  }

  /** A solvent wallet keeps its full grace period, however often the clock steps in it. */
  #checkGrace({ liquidations, config }: ClockLedgerState): void {
    const { graceSeconds } = config.liquidation
    for (const row of liquidations.rows) {
      const seen = this.#rows.get(row.account)
      const isOver = row.state === LiquidationState.InLiquidation
      const isPartial = isOver && row.mode === LiquidationMode.Partial
      if (!isPartial || seen?.state !== LiquidationState.PreLiquidation) continue
      const had = this.#passedMillis - seen.sinceMillis
      const what = () => `account ${row.account} had ${had} ms of its grace`
      mustHold(had >= graceSeconds * 1000, what)
    }
  }

  /** Returns the row after the last batch if it was in the same state and mode. */
  #sameRow({ account, state, mode }: Liquidation): SeenRow | null {
    const seen = this.#rows.get(account)
    return seen?.state === state && seen.mode === mode ? seen : null
  }

  #note(core: ClockLedgerState, newSinceMillis = this.#passedMillis): void {
    this.#before = borderOf(core)
    const rows = new Map<number, SeenRow>()
    for (const row of core.liquidations.rows) {
      const { account, state, mode } = row
      const sinceMillis = this.#sameRow(row)?.sinceMillis ?? newSinceMillis
      rows.set(account, { state, mode, sinceMillis, countedMillis: countedMillis(core, row) })
    }
    this.#rows = rows
  }
}

/** State that must not change while the clock alarm is set. */
function borderOf(state: ClockLedgerState) {
  const { nowMillis, tradeCount, clock, fundings, instruments } = state
  return {
    wasAlarmed: isDoubted(state),
    wasAccepted: clock.alarm === ClockAlarm.Accepted,
    nowMillis,
    tradeCount,
    auctions: auctionsOf(state),
    roundCount: fundings.rounds.length,
    states: Array.from(instruments.state.subarray(0, instruments.count)),
  }
}

/** Returns the time since the wallet entered its state, less the time its timers were paused. */
function countedMillis({ nowMillis }: ClockLedgerState, row: Liquidation): number {
  const standing = row.standingMillis > 0 ? nowMillis - row.standingMillis : 0
  return nowMillis - row.enteredMillis - row.stoodMillis - standing
}

/** Does not call the engine's own check: a test may have replaced it. */
function isDoubted({ clock }: ClockLedgerState): boolean {
  return clock.alarm !== ClockAlarm.None
}

function auctionsOf({ liquidations }: ClockLedgerState): number {
  let versions = 0
  for (const { auction, version } of liquidations.rows) versions += auction * 1000 + version
  return versions
}
