import { formatMicros } from '../../schemas/decimal.js'
import { type LiquidatedWallet, operatorRows } from '../../schemas/interface/operator.js'
import {
  LiquidationMode,
  LiquidationState,
  liquidationModeNames,
  liquidationStateNames,
} from '../../schemas/record-values.js'
import { type Answer, wholeAnswer } from '../wire/answers.js'
import type { LiquidationEntry } from '../wire/liquidation-entry.js'
import { QueryReader } from '../wire/query-reader.js'
import { route } from '../wire/route.js'

const row = operatorRows['GET /operator/liquidations']

/** Wallets that are not healthy or whose check waits for a mark, as the read model reports them. */
export class LiquidationList {
  readonly #byWallet = new Map<string, LiquidationEntry>()

  /**
   * Updates the list. @param entry Null: all wallets are about to be reported again.
   */
  readonly take = (entry: LiquidationEntry | null): void => {
    if (entry === null) this.#byWallet.clear()
    else if (entry.state === LiquidationState.Healthy && !entry.isWaiting) {
      this.#byWallet.delete(entry.wallet)
    } else this.#byWallet.set(entry.wallet, entry)
  }

  /**
   * @param query Text without the question mark.
   */
  readonly answer = (query: string): Answer => read.answer(new QueryReader(query, true), this)

  /** Returns the wallets in the latest phase first, and within a phase in order of entry. */
  sorted(): readonly LiquidationEntry[] {
    return [...this.#byWallet.values()].sort(
      (one, other) => rankOf(other) - rankOf(one) || one.enteredMillis - other.enteredMillis,
    )
  }
}

const read = route(row, ({ limit, offset }, list: LiquidationList) => {
  const all = list.sorted()
  const data = all.slice(offset, offset + limit).map(rowOf)
  const pagination = { limit, offset, count: data.length, total: all.length }
  return wholeAnswer({ ok: true, data, pagination })
})

/** Ranks phases: auction, then partial liquidation, grace, and finally wallets that only wait. */
function rankOf({ state, mode }: LiquidationEntry): number {
  return state === LiquidationState.InLiquidation && mode === LiquidationMode.Full
    ? LiquidationState.Liquidated
    : Math.min(state, LiquidationState.InLiquidation)
}

/** Formats a wallet with the values of its latest event. */
function rowOf(entry: LiquidationEntry): LiquidatedWallet {
  const { wallet, state, mode, equityMicros, mmMicros, enteredMillis, deadlineMillis } = entry
  return {
    wallet,
    state: liquidationStateNames[state],
    liquidation_mode: liquidationModeNames[mode],
    waits_for_mark: entry.isWaiting,
    timers_stand: entry.isStanding,
    entered_ts_ms: state === LiquidationState.Healthy ? null : enteredMillis,
    deadline_ts_ms: deadlineMillis === 0 ? null : deadlineMillis,
    equity: formatMicros(equityMicros),
    mm_required: formatMicros(mmMicros),
    shortfall: formatMicros(Math.max(0, mmMicros - equityMicros)),
  }
}
