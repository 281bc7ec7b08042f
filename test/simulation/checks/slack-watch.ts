import { filled, type NaiveSlacks } from '../../../engine/invariants/naive-margin.js'
import {
  type WalletBook,
  type WalletBookState,
  walletOf,
  worstSlacks,
} from '../../../engine/invariants/wallet-book.js'
import type { FeeSchedule } from '../../../engine/risk/trading-fees.js'
import type { EngineConfig } from '../../../engine/state/market/engine-config.js'
import type { FundingTable } from '../../../engine/state/market/funding-table.js'
import type { SettlementTable } from '../../../engine/state/market/settlement-table.js'
import { MarginModelKind } from '../../../schemas/domain.js'
import { LiquidationMode } from '../../../schemas/record-values.js'
import type { Random } from '../run/random.js'
import { mustHold } from '../run/simulation-errors.js'
import type { Statistics } from '../run/statistics.js'

export interface SlackWatchState extends WalletBookState {
  readonly tradeCount: number
  readonly fees: FeeSchedule
  readonly settlements: SettlementTable
  readonly fundings: FundingTable
}

/** Fills that are tried out per wallet and batch. */
const trialsPerWallet = 3
/** Amounts that are rounded per position and order (values, losses, reserves), and in the requirements of a wallet. */
const roundingsPerRow = 6
const roundingsPerWallet = 64

interface Watched {
  readonly marks: string
  readonly kind: number
  readonly slacks: NaiveSlacks
  /** A fill moves each rounded amount by a micro at most. */
  readonly roundingMicros: number
}

/**
 * At constant marks no accepted order, cancel or fill, whole or in part, in any order, takes one of a wallet's three
 * worst slacks below 0, or below what it was; nor does it uncover lots where none may be. Held twice over: from batch to
 * batch, and after fills of any working orders that could happen next. Fees, funding, settlements and liquidations may
 * do so: where they pass by, nothing is compared.
 */
export class SlackWatch {
  readonly #random: Random
  readonly #statistics: Statistics
  #before = new Map<number, Watched>()
  #config: EngineConfig | null = null
  #paidCount = -1
  #tradeCount = 0

  constructor(random: Random, statistics: Statistics) {
    this.#random = random
    this.#statistics = statistics
  }

  /** Another life: what was before is not what a recovery has brought back. */
  begin(): void {
    this.#before.clear()
  }

  checkBatch(state: SlackWatchState): void {
    const before = this.#before
    this.#before = new Map()
    const paidCount = movedOffBook(state)
    const isSame = this.#config === state.config && this.#paidCount === paidCount
    const trades = state.tradeCount - this.#tradeCount
    this.#config = state.config
    this.#paidCount = paidCount
    this.#tradeCount = state.tradeCount
    if (state.fees.worst !== 0 || state.fees.perpWorst !== 0 || hasAuctions(state)) return
    const marks = marksOf(state)
    for (let account = 0; account < state.accounts.count; account++) {
      const wallet = walletOf(state, account)
      if (wallet === null) continue
      const now = {
        marks,
        kind: wallet.book.kind,
        slacks: worstSlacks(state, wallet),
        roundingMicros: roundingMicrosOf(wallet),
      }
      this.#before.set(account, now)
      this.#count(wallet, now)
      const known = before.get(account)
      if (isSame && known !== undefined && isComparable(known, now)) {
        const roundingMicros = known.roundingMicros + now.roundingMicros + 2 * trades
        const told = { ...now, roundingMicros }
        mustNotFall(known.slacks, told, `account ${account} after a batch`)
      }
      this.#tryFills(state, account, wallet, now)
    }
  }

  #count({ ordinary, exempt }: WalletBook, { kind, slacks }: Watched): void {
    if (exempt.length > 0) this.#statistics.add('exempt orders')
    if (exempt.length > 1) this.#statistics.add('several exempt orders')
    if (ordinary.length > 0 && exempt.length > 0) this.#statistics.add('exempt beside ordinary')
    if (slacks.im < 0) this.#statistics.add('wallets below initial margin')
    if (kind === MarginModelKind.DefinedRisk) this.#statistics.add('books of defined risk')
  }

  /** Some of the fills that could come next, of parts and of wholes. */
  #tryFills(state: SlackWatchState, account: number, wallet: WalletBook, now: Watched): void {
    const orders = [...wallet.ordinary, ...wallet.exempt]
    if (orders.length === 0) return
    for (let trial = 0; trial < trialsPerWallet; trial++) {
      let { book } = wallet
      const left = orders.map((order) => {
        const share = this.#random.pick([0, 0, 1, 1, 0.5])
        const lots = Math.floor(order.lots * share)
        if (lots > 0) book = filled(state, book, order, lots)
        return { ...order, lots: order.lots - lots }
      })
      const ordinary = left.slice(0, wallet.ordinary.length).filter(({ lots }) => lots > 0)
      const exempt = left.slice(wallet.ordinary.length).filter(({ lots }) => lots > 0)
      const slacks = worstSlacks(state, { book, ordinary, exempt })
      const what = `account ${account}, were its orders filled`
      mustNotFall(now.slacks, { ...now, slacks }, what)
      const isUncovered = slacks.uncovered > now.slacks.uncovered
      mustHold(!isUncovered, () => `${what}: ${slacks.uncovered} lots uncovered`)
      this.#statistics.add('fills tried out')
    }
  }
}

function roundingMicrosOf({ book, ordinary, exempt }: WalletBook): number {
  const rows = book.positions.size + ordinary.length + exempt.length
  return roundingsPerWallet + roundingsPerRow * rows
}

function mustNotFall(before: NaiveSlacks, now: Watched, what: string): void {
  const { kind, roundingMicros, slacks } = now
  const isDefinedRisk = kind === MarginModelKind.DefinedRisk
  for (const name of ['im', 'mm', 'free'] as const) {
    // Who can pay the worst payoff of all that it has can do so whatever the marks say meanwhile.
    if (name === 'free' && isDefinedRisk && slacks.im >= -roundingMicros) continue
    // Lots that a deleveraging had bared and that find cover again are margined by their worst payoff from then on, which
    // may be more than what scenarios asked for: two measures, and the wallet is safer by the one that holds.
    if (name !== 'free' && isDefinedRisk && slacks.uncovered < before.uncovered) continue
    const least = Math.min(0, before[name]) - roundingMicros
    mustHold(slacks[name] >= least, () => {
      return `${what}: slack (${name}) falls from ${before[name]} to ${slacks[name]} micros`
    })
  }
  const isBare = isDefinedRisk && slacks.uncovered > before.uncovered
  mustHold(!isBare, () => `${what}: ${slacks.uncovered} lots uncovered, ${before.uncovered} before`)
}

function isComparable(before: Watched, now: Watched): boolean {
  return before.marks === now.marks && before.kind === now.kind
}

/** Everything outside the wallet that its margin follows, of all underlyings: what it has may change. */
export function marksOf({ marks, instruments, risk }: SlackWatchState): string {
  const { markVersion } = risk
  const count = instruments.underlyingNames.length
  return Array.from({ length: count }, (_, u) => `${markVersion[u]}/${marks.indexMicros[u]}`).join(
    ' ',
  )
}

/** Changes when money or positions have moved otherwise than by trades and deposits. */
export function movedOffBook({ settlements, fundings, liquidations }: SlackWatchState): number {
  let count = settlements.payoutCount + fundings.paymentCount
  for (const { deleveragedMicros, insuranceMicros, uncoveredMicros } of liquidations.rows) {
    count += deleveragedMicros + insuranceMicros + uncoveredMicros
  }
  return count
}

/** Positions of anybody may move off the book while an account is in the full phase. */
export function hasAuctions({ liquidations }: SlackWatchState): boolean {
  return liquidations.rows.some(({ mode }) => mode === LiquidationMode.Full)
}
