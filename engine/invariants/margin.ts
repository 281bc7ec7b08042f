import { MaintenanceMargin, MarginSummary } from '../risk/order-check.js'
import type { CoreState } from '../state/core-state.js'
import { type Breach, breachOf } from './breach.js'
import { roundingMicros, slacksOf } from './naive-margin.js'
import { type WalletBook, walletOf, worstSlacks } from './wallet-book.js'

const summary = new MarginSummary()
const maintenance = new MaintenanceMargin()
/** Of the largest amount that is added up: what doubles and their roundings may differ by. */
const relativeMax = 1e-12

/**
 * What a wallet's equity leaves behind initial and maintenance margin is what its positions and orders come to when they
 * are read anew. Wallets whose margin cannot be told, or is not theirs to keep, are passed over.
 */
export function marginBreach(state: CoreState, account: number): Breach | null {
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
  const allowed = roundingMicros + relativeMax * grossMicros(state, wallet)
  for (const [what, keptMicros, anewMicros] of pairs) {
    if (Math.abs(keptMicros - anewMicros) <= allowed) continue
    const text = `account ${account}: ${what} is ${keptMicros} micros, anew ${Math.round(anewMicros)}`
    const amounts = { account, keptMicros, anewMicros: Math.round(anewMicros) }
    return breachOf('margin', `${account} ${what}`, text, amounts)
  }
  return null
}

/** Where buys reserve fees, which are no part of the slacks read anew, those of the positions alone are compared. */
function slackOf(state: CoreState, wallet: WalletBook, kept: number): number {
  const { fees } = state
  const hasFees = fees.worst !== 0 || fees.perpWorst !== 0
  return hasFees ? kept : worstSlacks(state, wallet).im
}

function grossMicros({ marks }: CoreState, { book, ordinary, exempt }: WalletBook): number {
  let micros = Math.abs(book.cashMicros)
  for (const [id, { lots }] of book.positions) micros += Math.abs(marks.markMicros[id] * lots) / 1e8
  for (const { lots, priceMicros } of [...ordinary, ...exempt]) micros += (lots * priceMicros) / 1e8
  return micros
}
