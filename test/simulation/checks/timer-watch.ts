import { type JudgementState, rowMillis } from '../../../engine/state/judgement.js'
import type { ClockState } from '../../../engine/state/market/clock-state.js'
import type { LiquidationTable } from '../../../engine/state/market/liquidation-table.js'
import { positionsOf } from '../../../engine/state/wallet-rows.js'
import type { Liquidation } from '../../../engine/tables/generated/liquidation.js'
import { ClockAlarm, HaltMode } from '../../../schemas/domain.js'
import { LiquidationMode, LiquidationState } from '../../../schemas/record-values.js'
import { mustHold } from '../run/simulation-errors.js'

interface TimerWatchState extends JudgementState {
  readonly liquidations: LiquidationTable
  readonly clock: ClockState
  readonly haltModes: Uint8Array
}

/** State of a wallet's liquidation after the last batch. */
interface Seen {
  readonly enteredMillis: number
  readonly clockMillis: number
  readonly isClosed: boolean
  /** True if the wallet is due for a check, until which its timers do not change. */
  readonly isLate: boolean
}

/**
 * Checks that a liquidation's time passes only while the markets of its positions are open, by comparing each batch
 * with the previous one. It derives closed markets from positions and halts alone.
 */
export class TimerWatch {
  #seen = new Map<number, Seen>()
  #timeMillis = 0

  /** @returns the number of wallets whose timers are paused */
  check(state: TimerWatchState): number {
    const before = this.#seen
    const passedMillis = state.nowMillis - this.#timeMillis
    this.clear()
    this.#timeMillis = state.nowMillis
    let standing = 0
    for (const row of state.liquidations.rows) {
      const hasTimers =
        row.state === LiquidationState.PreLiquidation || row.mode !== LiquidationMode.None
      if (!hasTimers) continue
      const isClosed = holdsClosed(state, row.account)
      const isLate = state.risk.changed.has(row.account)
      const stands = row.standingMillis > 0
      mustHold(isLate || stands === isClosed, () => whose(row, stands ? 'stand' : 'run'))
      if (isClosed) standing++
      const { enteredMillis } = row
      const now = { enteredMillis, clockMillis: rowMillis(state, row), isClosed, isLate }
      const last = before.get(row.account)
      if (!isLate && last?.isLate === false) compare(row, last, now, passedMillis)
      this.#seen.set(row.account, now)
    }
    return standing
  }

  /** Starts another life, possibly at an earlier batch. */
  clear(): void {
    this.#seen = new Map()
  }
}

function compare(row: Liquidation, before: Seen, now: Seen, passedMillis: number): void {
  const { isClosed } = now
  if (before.isClosed !== isClosed) return
  if (before.enteredMillis !== now.enteredMillis) {
    // Only time ends the grace period of a solvent wallet.
    const isTimed = isClosed && row.mode === LiquidationMode.Partial
    mustHold(!isTimed, () => whose(row, 'have ended the grace period'))
    return
  }
  const wanted = isClosed ? 0 : passedMillis
  const moved = now.clockMillis - before.clockMillis
  mustHold(moved === wanted, () => whose(row, `moved by ${moved} ms in ${wanted}`))
}

function whose({ account }: Liquidation, what: string): string {
  return `timers of account ${account} ${what} against its markets`
}

function holdsClosed(state: TimerWatchState, account: number): boolean {
  const { clock, risk, instruments, haltModes } = state
  const isDoubted = clock.alarm !== ClockAlarm.None
  return positionsOf(state, account).some((row) => {
    const underlying = instruments.underlying[risk.exposures.instrument[row]]
    return isDoubted || haltModes[underlying] !== HaltMode.Open
  })
}
