import { formatMicros } from '../../schemas/decimal.js'
import { type LiquidatedWallet, operatorRows } from '../../schemas/interface/operator.js'
import {
  LiquidationMode,
  LiquidationState,
  liquidationModeNames,
  liquidationStateNames,
} from '../../schemas/record-values.js'
import { type Answer, wholeAnswer } from '../wire/answers.js'
import type { LiquidationTold } from '../wire/liquidation-told.js'
import { QueryReader } from '../wire/query-reader.js'
import { route } from '../wire/route.js'

const row = operatorRows['GET /operator/liquidations']

/** Wallets that are not healthy or whose check waits for a mark, as the read model reports them. */
export class LiquidationList {
  readonly #byWallet = new Map<string, LiquidationTold>()

  /**
   * Updates the list. @param told Null: all wallets are about to be reported again.
   */
  readonly take = (told: LiquidationTold | null): void => {
    if (told === null) this.#byWallet.clear()
    else if (told.state === LiquidationState.Healthy && !told.isWaiting) {
      this.#byWallet.delete(told.wallet)
    } else this.#byWallet.set(told.wallet, told)
  }

  /**
   * @param query Text without the question mark.
   */
  readonly answer = (query: string): Answer => read.answer(new QueryReader(query, true), this)

  /** Returns the wallets in the latest phase first, and within a phase in order of entry. */
  sorted(): readonly LiquidationTold[] {
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
function rankOf({ state, mode }: LiquidationTold): number {
  return state === LiquidationState.InLiquidation && mode === LiquidationMode.Full
    ? LiquidationState.Liquidated
    : Math.min(state, LiquidationState.InLiquidation)
}

/** Formats a wallet with the values of its latest event. */
function rowOf(told: LiquidationTold): LiquidatedWallet {
  const { wallet, state, mode, equityMicros, mmMicros, enteredMillis, deadlineMillis } = told
  return {
    wallet,
    state: liquidationStateNames[state],
    liquidation_mode: liquidationModeNames[mode],
    waits_for_mark: told.isWaiting,
    timers_stand: told.isStanding,
    entered_ts_ms: state === LiquidationState.Healthy ? null : enteredMillis,
    deadline_ts_ms: deadlineMillis === 0 ? null : deadlineMillis,
    equity: formatMicros(equityMicros),
    mm_required: formatMicros(mmMicros),
    shortfall: formatMicros(Math.max(0, mmMicros - equityMicros)),
  }
}
