import { ClockAlarm, HaltMode } from '../../../schemas/domain.js'
import { LiquidationMode, LiquidationState } from '../../../schemas/record-values.js'
import { none } from '../../memory/rows.js'
import type { CoreState } from '../../state/core-state.js'
import { rowMillis } from '../../state/judgement.js'
import type { Liquidation } from '../../tables/generated/liquidation.js'
import { mustHold } from '../simulation-errors.js'

/** Where a wallet's liquidation stood at the last border. */
interface Seen {
  readonly state: number
  readonly mode: number
  readonly enteredMillis: number
  readonly clockMillis: number
  readonly isClosed: boolean
  /** Its turn to be looked at has not come: its timers are as they were until then. */
  readonly isLate: boolean
}

/**
 * Time of a liquidation passes while the markets of its positions are open, and only then: each batch is compared with
 * the one before it. What is closed is worked out from positions and halts alone.
 */
export class TimerWatch {
  readonly #seen = new Map<number, Seen>()
  #timeMillis = 0

  /** @returns the wallets whose timers stand still. */
  check(state: CoreState): number {
    const passedMillis = state.nowMillis - this.#timeMillis
    const before = new Map(this.#seen)
    this.#seen.clear()
    let standing = 0
    for (const row of state.liquidations.rows) {
      if (row.state !== LiquidationState.PreLiquidation && row.mode === LiquidationMode.None)
        continue
      const isClosed = holdsClosed(state, row.account)
      const isLate = state.risk.changed.has(row.account)
      const stands = row.standingMillis > 0
      mustHold(isLate || stands === isClosed, () => whose(row, stands ? 'stand' : 'run'))
      if (isClosed) standing++
      const clockMillis = rowMillis(state, row)
      const last = before.get(row.account)
      if (!isLate && last?.isLate === false) {
        this.#compare(row, clockMillis, isClosed, last, passedMillis)
      }
      const { state: to, mode, enteredMillis } = row
      const now = { state: to, mode, enteredMillis, clockMillis, isClosed, isLate }
      this.#seen.set(row.account, now)
    }
    this.#timeMillis = state.nowMillis
    return standing
  }

  /** Another life begins, at an earlier border perhaps. */
  clear(): void {
    this.#seen.clear()
  }

  #compare(
    row: Liquidation,
    clockMillis: number,
    isClosed: boolean,
    before: Seen,
    passedMillis: number,
  ): void {
    if (before.isClosed !== isClosed) return
    if (before.enteredMillis !== row.enteredMillis) {
      // The grace period of a wallet that is worth something ends by time alone.
      const isTimed = isClosed && row.mode === LiquidationMode.Partial
      mustHold(!isTimed, () => whose(row, 'have ended the grace period'))
      return
    }
    const wanted = isClosed ? 0 : passedMillis
    const moved = clockMillis - before.clockMillis
    mustHold(moved === wanted, () => whose(row, `moved by ${moved} ms in ${wanted}`))
  }
}

function whose({ account }: Liquidation, what: string): string {
  return `timers of account ${account} ${what} against its markets`
}

function holdsClosed({ clock, risk, instruments, haltModes }: CoreState, account: number): boolean {
  const isDoubted = clock.alarm !== ClockAlarm.None
  const { exposures, firstExposure } = risk
  for (let row = firstExposure[account]; row !== none; row = exposures.nextInAccount[row]) {
    if (exposures.positionLots[row] === 0) continue
    const mode = haltModes[instruments.underlying[exposures.instrument[row]]]
    if (isDoubted || mode !== HaltMode.Open) return true
  }
  return false
}
