import { MarginSummary } from '../../engine/risk/order-check.js'
import { formatLots, formatMicros } from '../../schemas/decimal.js'
import { sideNames } from '../../schemas/domain.js'
import {
  EventType,
  FillEvent,
  LiquidationEvent,
  OutcomeEvent,
} from '../../schemas/generated/events.js'
import {
  LiquidationChange,
  liquidationModeNames,
  liquidationStateNames,
} from '../../schemas/record-values.js'
import type { RecordViews } from '../../schemas/record-views.js'
import { type Result, resultRows } from '../../schemas/results.js'
import { formatAddress } from '../../schemas/wallet.js'
import { type StateTablesState, symbolOf, walletOf } from './state-tables.js'

const fill = new FillEvent()
const liquidation = new LiquidationEvent()
const outcome = new OutcomeEvent()

/** Facts of a run that are compared with another run. They have no ids, since one more order shifts all later ids. */
export class RunRecord {
  readonly fills: string[] = []
  readonly liquidations: string[] = []
  /** Number of rejections by code. */
  readonly refused = new Map<string, number>()

  /** Records an event of the engine. `state` resolves its instruments. */
  take(state: StateTablesState, views: RecordViews, at: number): void {
    const type = views.i32[(at + 4) >> 2]
    if (type === EventType.Fill) this.#fill(state, fill.over(views, at))
    else if (type === EventType.Liquidation) this.#liquidation(liquidation.over(views, at))
    else if (type === EventType.Outcome) this.#outcome(outcome.over(views, at).result)
  }

  #fill(state: StateTablesState, event: FillEvent): void {
    const { instrument, priceMicros, side, sizeLots, timeMillis, u8, walletAt } = event
    const what = `${sideNames[side]} ${formatLots(sizeLots)} ${symbolOf(state, instrument)}`
    const when = new Date(timeMillis).toISOString()
    const wallet = formatAddress(u8, walletAt)
    this.fills.push(`${when} ${wallet} ${what} at ${formatMicros(priceMicros)}`)
  }

  #liquidation(event: LiquidationEvent): void {
    const { change, mode, state, timeMillis, u8, walletAt } = event
    if (change !== LiquidationChange.State) return
    const name = liquidationModeNames[mode] ?? liquidationStateNames[state]
    const when = new Date(timeMillis).toISOString()
    this.liquidations.push(`${when} ${formatAddress(u8, walletAt)} ${name}`)
  }

  #outcome(result: Result): void {
    if (result >= 0) return
    const code = resultRows[result].code ?? String(result)
    this.refused.set(code, (this.refused.get(code) ?? 0) + 1)
  }
}

const notAmounts = ['mode', 'model']

/** Amounts of a wallet as decimals, by name. */
export type WalletMargin = Readonly<Record<string, string>>

/** Returns the cash, equity and margin amounts of each wallet. */
export function marginsOf({ accounts, risk }: StateTablesState): ReadonlyMap<string, WalletMargin> {
  const summary = new MarginSummary()
  const rows = Array.from({ length: accounts.count }, (_, account) => {
    risk.summarize(account, summary)
    const amounts = Object.entries(summary).filter(
      ([name, value]) => !notAmounts.includes(name) && Number.isSafeInteger(value),
    )
    const texts = amounts.map(([name, value]) => [name, formatMicros(value)])
    return [walletOf(accounts, account), Object.fromEntries(texts)] as const
  })
  return new Map(rows)
}

/** Returns the multiset difference `one` minus `other`, in the order of `one`. */
export function onlyIn(one: readonly string[], other: readonly string[]): readonly string[] {
  const left = new Map<string, number>()
  for (const text of other) left.set(text, (left.get(text) ?? 0) + 1)
  return one.filter((text) => {
    const count = left.get(text) ?? 0
    if (count > 0) left.set(text, count - 1)
    return count === 0
  })
}
