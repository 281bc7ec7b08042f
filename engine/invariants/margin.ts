import { MaintenanceMargin, MarginSummary } from '../risk/order-check.js'
import type { FeeSchedule } from '../risk/trading-fees.js'
import { type Breach, breachOf } from './breach.js'
import { slacksOf } from './naive-margin.js'
import { type WalletBook, type WalletBookState, walletOf, worstSlacks } from './wallet-book.js'

export interface MarginState extends WalletBookState {
  readonly fees: FeeSchedule
}

const summary = new MarginSummary()
const maintenance = new MaintenanceMargin()

/**
 * Compares the engine's stored margin of a wallet with the margin computed from its positions and orders. Both round
 * each amount alike, so they must be equal to the micro. Skips a wallet in liquidation, or with an unmarked instrument.
 */
export function marginBreach(state: MarginState, account: number): Breach | null {
  const wallet = walletOf(state, account)
  if (wallet === null) return null
  const { risk } = state
  risk.summarize(account, summary)
  risk.maintenance(account, maintenance)
  const { equity, positionIm, worstSlack } = summary
  const bare = slacksOf(state, wallet.book, [])
  const pairs = [
    ['equity less initial margin', equity - positionIm, bare.im],
    [
      'equity less maintenance margin',
      maintenance.equityMicros - maintenance.requiredMicros,
      bare.mm,
    ],
    ['slack with working orders', worstSlack, slackOf(state, wallet, worstSlack)],
  ] as const
  for (const [what, keptMicros, anewMicros] of pairs) {
    if (keptMicros === anewMicros) continue
    const address = state.accounts.addresses.text(account)
    const text = `wallet ${address}: ${what} is ${keptMicros} micros, computed anew ${anewMicros}`
    const amounts = { account, keptMicros, anewMicros }
    const breach = breachOf('margin', `${account} ${what}`, text, amounts)
    return { ...breach, wallet: { account, address } }
  }
  return null
}

/** Returns the stored slack if buys reserve fees, because the recomputed one lacks them. */
function slackOf(state: MarginState, wallet: WalletBook, kept: number): number {
  const { fees } = state
  const hasFees = fees.worst !== 0 || fees.perpWorst !== 0
  return hasFees ? kept : worstSlacks(state, wallet).im
}
