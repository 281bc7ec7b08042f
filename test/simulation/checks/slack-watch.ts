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

/** Trial fills per wallet and batch. */
const trialsPerWallet = 3
/** Number of rounded amounts per position and order (values, losses, reserves), and in a wallet's requirements. */
const roundingsPerRow = 6
const roundingsPerWallet = 64

interface Watched {
  readonly marks: string
  readonly kind: number
  readonly slacks: NaiveSlacks
  /** Tolerance: a fill moves each rounded amount by at most one micro. */
  readonly roundingMicros: number
}

/**
 * Checks margin slacks while marks are unchanged. No accepted order, cancel, or whole or partial fill takes one of a
 * wallet's three worst slacks below 0 or below its earlier value. None uncovers lots where that is forbidden.
 * The check runs twice: from batch to batch, and after trial fills of any working orders. Fees, funding, settlements
 * and liquidations may lower slacks, so batches with them are not compared.
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

  /** Starts another life: earlier values do not apply to the recovered state. */
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
        const published = { ...now, roundingMicros }
        mustNotFall(known.slacks, published, `account ${account} after a batch`)
      }
      this.#tryFills(state, account, wallet, now)
    }
  }

  #count({ ordinary, riskReducing }: WalletBook, { kind, slacks }: Watched): void {
    if (riskReducing.length > 0) this.#statistics.add('risk-reducing orders')
    if (riskReducing.length > 1) this.#statistics.add('several risk-reducing orders')
    if (ordinary.length > 0 && riskReducing.length > 0)
      this.#statistics.add('risk-reducing and ordinary')
    if (slacks.im < 0) this.#statistics.add('wallets below initial margin')
    if (kind === MarginModelKind.DefinedRisk) this.#statistics.add('books of defined risk')
  }

  /** Tries some of the possible next fills, partial and whole. */
  #tryFills(state: SlackWatchState, account: number, wallet: WalletBook, now: Watched): void {
    const orders = [...wallet.ordinary, ...wallet.riskReducing]
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
      const riskReducing = left.slice(wallet.ordinary.length).filter(({ lots }) => lots > 0)
      const slacks = worstSlacks(state, { book, ordinary, riskReducing })
      const what = `account ${account}, were its orders filled`
      mustNotFall(now.slacks, { ...now, slacks }, what)
      const isUncovered = slacks.uncovered > now.slacks.uncovered
      mustHold(!isUncovered, () => `${what}: ${slacks.uncovered} lots uncovered`)
      this.#statistics.add('fills tried out')
    }
  }
}

function roundingMicrosOf({ book, ordinary, riskReducing }: WalletBook): number {
  const rows = book.positions.size + ordinary.length + riskReducing.length
  return roundingsPerWallet + roundingsPerRow * rows
}

function mustNotFall(before: NaiveSlacks, now: Watched, what: string): void {
  const { kind, roundingMicros, slacks } = now
  const isDefinedRisk = kind === MarginModelKind.DefinedRisk
  for (const name of ['im', 'mm', 'free'] as const) {
    // A wallet that can pay its worst payoff can do so whatever the marks are.
    if (name === 'free' && isDefinedRisk && slacks.im >= -roundingMicros) continue
    // Lots that a deleveraging uncovered are margined by their worst payoff once they have cover again. That may exceed
    // the scenarios' requirement: the two measures differ, and the wallet is safer.
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

/**
 * Returns a text of everything outside the wallet that affects its margin, for all underlyings: its positions may
 * change.
 */
export function marksOf({ marks, instruments, risk }: SlackWatchState): string {
  const { markVersion } = risk
  const count = instruments.underlyingNames.length
  return Array.from({ length: count }, (_, u) => `${markVersion[u]}/${marks.indexMicros[u]}`).join(
    ' ',
  )
}

/** Returns a number that changes when money or positions move other than by trades and deposits. */
export function movedOffBook({ settlements, fundings, liquidations }: SlackWatchState): number {
  let count = settlements.payoutCount + fundings.paymentCount
  for (const { deleveragedMicros, insuranceMicros, uncoveredMicros } of liquidations.rows) {
    count += deleveragedMicros + insuranceMicros + uncoveredMicros
  }
  return count
}

/** Returns true if an account is in the full phase. Positions of any wallet may then change off the book. */
export function hasAuctions({ liquidations }: SlackWatchState): boolean {
  return liquidations.rows.some(({ mode }) => mode === LiquidationMode.Full)
}
