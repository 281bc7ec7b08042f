import { premiumOf } from '../../../engine/invariants/naive-margin.js'
import { exposuresIn } from '../../../engine/invariants/state-rows.js'
import { walletOf, worstSlacks } from '../../../engine/invariants/wallet-book.js'
import type { BatchView } from '../../../engine/journal/segment-reader.js'
import { none } from '../../../engine/memory/rows.js'
import type { ClockState } from '../../../engine/state/market/clock-state.js'
import type { EngineConfig } from '../../../engine/state/market/engine-config.js'
import type { WithdrawalTable } from '../../../engine/state/money/withdrawal-table.js'
import { ClockAlarm, DomainStatus, HaltMode, InstrumentState } from '../../../schemas/domain.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import { LiquidationState } from '../../../schemas/record-values.js'
import { commandsOf, partsOf } from '../clients/command-record.js'
import { mustHold } from '../run/simulation-errors.js'
import type { Statistics } from '../run/statistics.js'
import { hasAuctions, marksOf, movedOffBook, type SlackWatchState } from './slack-watch.js'

interface WithdrawalWatchState extends SlackWatchState {
  readonly withdrawals: WithdrawalTable
  readonly clock: ClockState
  readonly haltModes: Uint8Array
}

/** So little above its bound counts as being there. */
const atBoundMicros = 1e6
/** After these in a batch, what kept a wallet's money at its begin may have been over in between. */
const openingCommands: readonly number[] = [
  ...[CommandType.SetHalt, CommandType.SetClockAlarm, CommandType.AcceptClock],
]

/** What stood at a batch border. */
interface Border {
  readonly marks: string
  readonly config: EngineConfig
  readonly paidCount: number
  /** Withdrawals whose money was in transit: whose. */
  readonly open: ReadonlyMap<string, { readonly account: number; readonly micros: number }>
  /** By account. */
  readonly cashMicros: readonly number[]
  /** By account: why nothing of it could leave; empty: it could. */
  readonly locks: readonly string[]
  /** By account. */
  readonly standings: readonly LiquidationState[]
}

/**
 * What leaves a wallet is its to spare: behind it the worst slack with initial margin, what perps have gained struck out,
 * and the cash that neither working buys nor exempt ones may cost, are not below 0; and nothing leaves while something of
 * the wallet's cannot be told or traded. Read off positions and orders by a model of its own, at borders of batches: where
 * marks have moved, or the wallet has done or been paid something else behind its withdrawal, the first is not compared.
 */
export class WithdrawalWatch {
  readonly #statistics: Statistics
  #before: Border | null = null

  constructor(statistics: Statistics) {
    this.#statistics = statistics
  }

  /** Another life: what was before is not what a recovery has brought back. */
  begin(): void {
    this.#before = null
  }

  /** @param batch what has led here from the last border; undefined: nobody knows. */
  checkBatch(state: WithdrawalWatchState, batch: BatchView | undefined): void {
    const before = this.#before
    const now = borderOf(state)
    this.#before = now
    if (before === null || batch === undefined) return
    const isOpened = [...commandsOf(batch)].some((one) => openingCommands.includes(one.recordType))
    const isStill =
      before.marks === now.marks &&
      before.config === now.config &&
      before.paidCount === now.paidCount &&
      !hasAuctions(state)
    const accounts = new Set<number>()
    for (const [key, { account }] of now.open) if (!before.open.has(key)) accounts.add(account)
    for (const account of accounts) {
      if (!isOpened) checkLock(before, now, account)
      if (!isLast(state, batch, account)) continue
      checkCleared(before, now, account)
      if (isStill && isPaid(state, before, account)) this.#checkBound(state, account)
    }
  }

  #checkBound(state: WithdrawalWatchState, account: number): void {
    const { cashMicros } = state.risk
    const what = `account ${account} has withdrawn too much`
    mustHold(cashMicros[account] >= 0, () => `${what}: its cash is ${cashMicros[account]} micros`)
    const wallet = walletOf(state, account)
    if (wallet === null) return
    const { backed } = worstSlacks(state, wallet)
    let spared = cashMicros[account]
    for (const order of [...wallet.ordinary, ...wallet.exempt]) spared -= premiumOf(state, order)
    const least = Math.min(backed, spared)
    mustHold(least >= 0, () => `${what}: ${backed} backed, ${spared} spared`)
    this.#statistics.add('withdrawals weighed')
    if (wallet.book.positions.size > 0) this.#statistics.add('withdrawals beside positions')
    if (least <= atBoundMicros) this.#statistics.add('withdrawals to the last')
  }
}

/** What kept all of the wallet's money there before the batch, and still does, has let it go. */
function checkLock(before: Border, now: Border, account: number): void {
  const lock = before.locks[account] ?? ''
  const isLocked = lock !== '' && lock === now.locks[account]
  mustHold(!isLocked, () => `account ${account} has withdrawn, and ${lock}`)
}

/** Nobody is cleared of positions in a batch but in an auction, in which nothing leaves: what it lacked, it has withdrawn. */
function checkCleared(before: Border, now: Border, account: number): void {
  const wasHealthy = before.standings[account] === LiquidationState.Healthy
  const isCleared = wasHealthy && now.standings[account] === LiquidationState.Liquidated
  mustHold(!isCleared, () => `account ${account} has withdrawn too much: others bear what it lacks`)
}

function borderOf(state: WithdrawalWatchState): Border {
  const { accounts, risk, withdrawals } = state
  const open = new Map<string, { account: number; micros: number }>()
  for (const { key, account, amountMicros } of withdrawals.rows) {
    open.set(key, { account, micros: amountMicros })
  }
  return {
    marks: marksOf(state),
    config: state.config,
    paidCount: movedOffBook(state),
    open,
    cashMicros: Array.from(risk.cashMicros.subarray(0, accounts.count)),
    locks: Array.from({ length: accounts.count }, (_, account) => lockOf(state, account)),
    standings: Array.from({ length: accounts.count }, (_, account) => standingOf(state, account)),
  }
}

function standingOf({ liquidations }: WithdrawalWatchState, account: number): LiquidationState {
  return (liquidations.find(account)?.state ?? LiquidationState.Healthy) as LiquidationState
}

function lockOf(state: WithdrawalWatchState, account: number): string {
  const { clock, haltModes, instruments, marks, risk } = state
  if (clock.alarm !== ClockAlarm.None) return 'the clock is doubted'
  const standing = standingOf(state, account)
  const isFree = standing === LiquidationState.Healthy || standing === LiquidationState.Liquidated
  if (!isFree) return 'it is in liquidation'
  for (const row of exposuresIn(state, account)) {
    const { firstOrder, instrument, positionLots } = risk.exposures
    if (positionLots[row] === 0 && firstOrder[row] === none) continue
    const id = instrument[row]
    const underlying = instruments.underlying[id]
    if (haltModes[underlying] !== HaltMode.Open) return `underlying ${underlying} is not open`
    if (instruments.state[id] !== InstrumentState.Active) return `instrument ${id} has ended`
    if (!(marks.markMicros[id] >= 0)) return `instrument ${id} has no mark`
    if (Number.isNaN(marks.indexMicros[underlying])) return `underlying ${underlying} has no index`
  }
  return ''
}

/** Whether the wallet has asked for nothing behind its withdrawal. */
function isLast({ accounts }: WithdrawalWatchState, batch: BatchView, account: number): boolean {
  let isBehind = false
  for (const command of commandsOf(batch)) {
    for (const part of partsOf(command)) {
      if (accounts.find(part.u8, part.walletAt) !== account) continue
      const isWithdrawal = part.recordType === CommandType.WithdrawUsdc
      if (isBehind && !isWithdrawal) return false
      isBehind ||= isWithdrawal
    }
  }
  return isBehind
}

/** Whether nothing but withdrawals has moved the wallet's cash. */
function isPaid(
  { risk, withdrawals }: WithdrawalWatchState,
  before: Border,
  account: number,
): boolean {
  let micros = before.cashMicros[account] ?? 0
  for (const row of withdrawals.rows) {
    if (row.account === account && !before.open.has(row.key)) micros -= row.amountMicros
  }
  for (const [key, { account: owner, micros: amount }] of before.open) {
    const isReturned = withdrawals.endOf(key)?.domain === DomainStatus.Failed
    if (owner === account && isReturned) micros += amount
  }
  return micros === risk.cashMicros[account]
}
