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

/** The clocks of the machine when the core looked at them, as the simulation has made them. */
export interface TrueClock {
  readonly wallMillis: number
  readonly steadyMillis: number
  /** Whether the batch has taken commands: only by one is a clock doubted. */
  readonly hasCommands: boolean
}

interface SeenRow {
  readonly state: number
  readonly mode: number
  /** Time that had passed for liquidations when it came to that. */
  readonly sinceMillis: number
  /** What its timers had counted. */
  readonly countedMillis: number
}

/**
 * What steps of the clock may do to the engine: nothing. Kept from what the machine's steady clock says between two
 * batches, from instruments, trades and liquidations, and not from how the engine tells what a step is.
 */
export class ClockLedger {
  /** As of the last border: a process recovers before anything is checked. */
  #before!: ReturnType<typeof borderOf>
  #rows = new Map<number, SeenRow>()
  #steadyMillis = 0
  /** This process has believed its clock: from then on its time goes on with steady time. */
  #isBelieved = false
  #isDoubted = false
  /** Time that was not stepped over, as liquidations count it. */
  #passedMillis = 0

  /** A process has recovered: what a crash took back has not happened. */
  begin(state: ClockLedgerState): void {
    this.#isBelieved = false
    this.#isDoubted = false
    // Where a wallet is again that had come further, nobody knows since when.
    this.#note(state, Number.NEGATIVE_INFINITY)
  }

  /** After a batch. @param clock null for what a start decides, before anybody is served. */
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

  /** Engine time goes no further than the machine has gone on, but for a clock that the operator has accepted. */
  #checkTime(state: ClockLedgerState, { steadyMillis }: TrueClock): void {
    const { stepMillisMax, downtimeMillisMax } = clockBounds
    if (this.#before.wasAccepted || this.#steadyMillis === 0) return
    const went = state.nowMillis - this.#before.nowMillis
    const room = 2 * stepMillisMax + (this.#isBelieved ? 0 : downtimeMillisMax)
    const most = steadyMillis - this.#steadyMillis + room
    mustHold(went <= most, () => `engine time is stepped by ${went} ms, ${most} may have passed`)
  }

  /** A clock that says something else than engine time is doubted in the next batch that takes commands, at the latest. */
  #checkDoubt(state: ClockLedgerState, { wallMillis, hasCommands }: TrueClock): void {
    const ahead = wallMillis - state.clock.offsetMillis - state.nowMillis
    const isFar = Math.abs(ahead) > 2 * clockBounds.stepMillisMax && !isDoubted(state)
    const isLate = isFar && this.#isDoubted && hasCommands
    mustHold(!isLate, () => `the clock is ${ahead} ms ahead, and nobody doubts it`)
    this.#isDoubted = isFar
  }

  /** Nothing expires, trades, is funded or liquidated while the clock is doubted. */
  #checkStill(state: ClockLedgerState, isStart: boolean): void {
    const { states, tradeCount, roundCount, auctions } = this.#before
    // A start that accepts a loss lets the numbers of trades go on above those that were lost.
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

  /** From one batch of a doubted clock to the next, over the step that ends it too, no timer goes on. */
  #checkTimers(state: ClockLedgerState): void {
    for (const row of state.liquidations.rows) {
      const seen = this.#sameRow(row)
      // Who is healthy again, or cleared, has a row until its turn comes, and no timers.
      const isOver =
        row.state === LiquidationState.Healthy || row.state === LiquidationState.Liquidated
      if (seen === null || isOver || positionsOf(state, row.account).length === 0) continue
      const went = countedMillis(state, row) - seen.countedMillis
      mustHold(went <= 0, () => `the timers of account ${row.account} went on by ${went} ms`)
    }
  }

  /** A wallet that is worth something keeps its grace, however often the clock is stepped meanwhile. */
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

  /** The row at the last border, if it was in the same state and mode then. */
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

/** What nobody may move while the clock is doubted. */
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

/** Time since the wallet came to where it is, less what it stood still. */
function countedMillis({ nowMillis }: ClockLedgerState, row: Liquidation): number {
  const standing = row.standingMillis > 0 ? nowMillis - row.standingMillis : 0
  return nowMillis - row.enteredMillis - row.stoodMillis - standing
}

/** Not as the engine asks for it: a test may have taught it something else. */
function isDoubted({ clock }: ClockLedgerState): boolean {
  return clock.alarm !== ClockAlarm.None
}

function auctionsOf({ liquidations }: ClockLedgerState): number {
  let versions = 0
  for (const { auction, version } of liquidations.rows) versions += auction * 1000 + version
  return versions
}
