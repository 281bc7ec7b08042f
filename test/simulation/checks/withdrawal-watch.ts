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

/** A slack of at most this much counts as zero. */
const atBoundMicros = 1e6
/** Commands that may have lifted a lock within the batch. */
const openingCommands: readonly number[] = [
  ...[CommandType.SetHalt, CommandType.SetClockAlarm, CommandType.AcceptClock],
]

/** State between two batches. */
interface Border {
  readonly marks: string
  readonly config: EngineConfig
  readonly paidCount: number
  /** Account and amount of each withdrawal in transit. */
  readonly open: ReadonlyMap<string, { readonly account: number; readonly micros: number }>
  /** Indexed by account. */
  readonly cashMicros: readonly number[]
  /** Indexed by account: the reason why the wallet cannot withdraw, or empty if it can. */
  readonly locks: readonly string[]
  /** Indexed by account. */
  readonly standings: readonly LiquidationState[]
}

/**
 * Checks that a wallet withdraws only what it can spare. After a withdrawal, two amounts must be at least 0: the worst
 * slack with initial margin, without unrealised perp gains, and the cash less the cost of its working and risk-reducing
 * buys. No money leaves while part of the wallet cannot be valued or traded.
 * The watch derives this from positions and orders with its own model, between batches. It skips the slack when marks
 * have moved, or when the wallet acted or was paid otherwise after the withdrawal.
 */
export class WithdrawalWatch {
  readonly #statistics: Statistics
  #before: Border | null = null

  constructor(statistics: Statistics) {
    this.#statistics = statistics
  }

  /** Starts another life: earlier values do not apply to the recovered state. */
  begin(): void {
    this.#before = null
  }

  /** @param batch the batch since the last check; undefined if unknown */
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
    for (const order of [...wallet.ordinary, ...wallet.riskReducing])
      spared -= premiumOf(state, order)
    const least = Math.min(backed, spared)
    mustHold(least >= 0, () => `${what}: ${backed} backed, ${spared} spared`)
    this.#statistics.add('withdrawals weighed')
    if (wallet.book.positions.size > 0) this.#statistics.add('withdrawals with positions')
    if (least <= atBoundMicros) this.#statistics.add('withdrawals to the last')
  }
}

/** Checks that no wallet withdrew that was locked for the same reason before and after the batch. */
function checkLock(before: Border, now: Border, account: number): void {
  const lock = before.locks[account] ?? ''
  const isLocked = lock !== '' && lock === now.locks[account]
  mustHold(!isLocked, () => `account ${account} has withdrawn, and ${lock}`)
}

/**
 * Only an auction clears a wallet's positions, and nothing leaves during it. A wallet cleared in the batch of its
 * withdrawal has withdrawn too much.
 */
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

/** True if the wallet sent no other command after its withdrawal. */
function isLast({ accounts }: WithdrawalWatchState, batch: BatchView, account: number): boolean {
  let isLagging = false
  for (const command of commandsOf(batch)) {
    for (const part of partsOf(command)) {
      if (accounts.find(part.u8, part.walletAt) !== account) continue
      const isWithdrawal = part.recordType === CommandType.WithdrawUsdc
      if (isLagging && !isWithdrawal) return false
      isLagging ||= isWithdrawal
    }
  }
  return isLagging
}

/** True if only withdrawals have moved the wallet's cash. */
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
