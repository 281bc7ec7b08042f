import { assert } from '../../../schemas/assert.js'
import {
  moneyMicrosMax,
  txHashBytes,
  withdrawalsMicrosMax,
  withdrawalsPendingMax,
} from '../../../schemas/bounds.js'
import {
  DeliveryStatus,
  DomainStatus,
  isFinalDelivery,
  WithdrawalVerdict,
} from '../../../schemas/domain.js'
import {
  type AnyCommand,
  JudgeWithdrawalCommand,
  SettleWithdrawalCommand,
  WithdrawUsdcCommand,
} from '../../../schemas/generated/commands.js'
import type { OrderFacts } from '../../../schemas/generated/events.js'
import { AccountChange, LiquidationState } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { directiveIdOf, formatUuid } from '../../../schemas/uuid.js'
import { addressBytes, isZeroAddress } from '../../../schemas/wallet.js'
import { type LiquidationGateState, revive } from '../../lifecycle/liquidation-gate.js'
import { microsOfUsd } from '../../pricing/rounding.js'
import { type PublishDirectiveState, publishWithdrawal } from '../../publish/publish-directive.js'
import { type PublishMarketState, publishAccount } from '../../publish/publish-market.js'
import { withdrawableMicros } from '../../risk/withdrawable.js'
import type { Batch } from '../../state/batch.js'
import type { EngineConfig } from '../../state/market/engine-config.js'
import type { FundingTable } from '../../state/market/funding-table.js'
import { Fund } from '../../state/money/funds.js'
import type { Withdrawal } from '../../state/money/withdrawal-table.js'
import type { MarketOutcome } from '../steps/market-outcome.js'

interface DecideWithdrawalState
  extends PublishMarketState,
    PublishDirectiveState,
    LiquidationGateState {
  readonly config: EngineConfig
  deposit(account: number, amountMicros: number): void
  readonly clockAlarm: boolean
  readonly fundings: FundingTable
  readonly haltModes: Uint8Array
}

const { Completed, Failed } = DomainStatus
/** Final status of a withdrawal by its delivery status. In any other status nobody knows where the money is. */
const domainOfDelivery: Readonly<Partial<Record<number, DomainStatus>>> = {
  [DeliveryStatus.Finalized]: Completed,
  [DeliveryStatus.CoreRejected]: Failed,
  [DeliveryStatus.Reverted]: Failed,
}
const domainOfVerdict: Readonly<Partial<Record<number, DomainStatus>>> = {
  [WithdrawalVerdict.Delivered]: Completed,
  [WithdrawalVerdict.Returned]: Failed,
}

const withdraw = new WithdrawUsdcCommand()
const settled = new SettleWithdrawalCommand()
const judged = new JudgeWithdrawalCommand()

/** Returns the reason why a WithdrawUsdc fails, or `Accepted`. */
export function checkWithdrawal(
  state: DecideWithdrawalState,
  account: number,
  command: AnyCommand,
  batch: Batch,
  ticket: number,
): Result {
  const { amountMicros, u8, destinationAt, digestAt } = withdraw.of(command)
  const withDetails = (result: Result, ...values: readonly number[]) => {
    batch.details.set(values, batch.beginDetails(ticket))
    return result
  }
  const isAmount = Number.isInteger(amountMicros) && amountMicros > 0
  if (!isAmount || isZeroAddress(u8, destinationAt)) return Result.ValueRefused
  const { config, funds, withdrawals } = state
  const minMicros = microsOfUsd(config.withdrawals.minAmount)
  if (amountMicros < minMicros) return withDetails(Result.WithdrawalTooSmall, minMicros)
  if (withdrawals.countOf(account) >= withdrawalsPendingMax) {
    return withDetails(Result.WithdrawalsPending, withdrawalsPendingMax)
  }
  // A digest can recur only if its nonce was forgotten.
  const key = formatUuid(directiveIdOf(u8, digestAt), 0)
  if (withdrawals.find(key) !== null || withdrawals.endOf(key) !== null) return Result.Conflict
  const maxMicros = withdrawableOf(state, account)
  if (amountMicros > maxMicros) return withDetails(Result.NotWithdrawable, maxMicros)
  const usedMicros = withdrawals.microsOf(account)
  const boundMicros = Math.min(withdrawalsMicrosMax, usedMicros + funds.roomMicros(Fund.InTransit))
  if (usedMicros + amountMicros > boundMicros) {
    return withDetails(Result.WithdrawalsMicros, usedMicros, Math.min(boundMicros, moneyMicrosMax))
  }
  return Result.Accepted
}

/** WithdrawUsdc: debits the wallet; from here on the money is in transit. */
export function applyWithdrawal(
  state: DecideWithdrawalState,
  account: number,
  command: AnyCommand,
  out: OrderFacts,
): void {
  const { amountMicros, u8, destinationAt, digestAt } = withdraw.of(command)
  assert(
    amountMicros <= withdrawableOf(state, account),
    'withdrawal: at most the withdrawable amount leaves',
  )
  const beforeMicros = ownMicrosOf(state, account)
  const row = state.withdrawals.open({
    id: directiveIdOf(u8, digestAt),
    account,
    amountMicros,
    destination: u8.slice(destinationAt, destinationAt + addressBytes),
    createdMillis: state.nowMillis,
  })
  state.deposit(account, -amountMicros)
  assert(ownMicrosOf(state, account) === beforeMicros, 'withdrawal: cash becomes money in transit')
  publishAccount(state, account, AccountChange.Withdrawal, -amountMicros)
  publishWithdrawal(state, row)
  out.balanceMicros = state.risk.cashMicros[account]
}

/** SettleWithdrawal: a report of the rail that is repeated or late changes nothing. */
export function settleWithdrawal(
  state: DecideWithdrawalState,
  command: AnyCommand,
  out: MarketOutcome,
): Result {
  const { delivery, u8, directiveIdAt, txHashAt } = settled.of(command)
  const isStatus = delivery >= DeliveryStatus.Pending && delivery <= DeliveryStatus.DeadLettered
  if (!isStatus) return Result.ValueRefused
  const key = formatUuid(u8, directiveIdAt)
  const row = state.withdrawals.find(key)
  const known = row?.delivery ?? state.withdrawals.endOf(key)?.delivery
  if (known === undefined) return Result.NotFound
  out.repeat = isFinalDelivery(known) || delivery <= known
  if (out.repeat) {
    const isContradiction =
      isFinalDelivery(known) && isFinalDelivery(delivery) && delivery !== known
    return isContradiction ? Result.WithdrawalEnded : Result.Accepted
  }
  state.withdrawals.moveOn(row!, delivery, u8.slice(txHashAt, txHashAt + txHashBytes))
  const domain = domainOfDelivery[delivery]
  if (domain === undefined) publishWithdrawal(state, row!)
  else end(state, row!, domain)
  return Result.Accepted
}

/** JudgeWithdrawal: applies the verdict of a person who found out where the money is, after the rail gave up. */
export function judgeWithdrawal(
  state: DecideWithdrawalState,
  command: AnyCommand,
  out: MarketOutcome,
): Result {
  const { verdict, u8, directiveIdAt } = judged.of(command)
  const domain = domainOfVerdict[verdict]
  if (domain === undefined) return Result.ValueRefused
  const key = formatUuid(u8, directiveIdAt)
  const row = state.withdrawals.find(key)
  if (row === null) {
    const ended = state.withdrawals.endOf(key)
    if (ended === null) return Result.NotFound
    out.repeat = true
    return ended.domain === domain ? Result.Accepted : Result.WithdrawalEnded
  }
  if (!isFinalDelivery(row.delivery)) return Result.WithdrawalUnderWay
  end(state, row, domain)
  return Result.Accepted
}

/** Returns the amount that can leave the wallet now. While a funding payment is due, that is nothing. */
function withdrawableOf(state: DecideWithdrawalState, account: number): number {
  const { clockAlarm, fundings, haltModes, liquidations, risk, walletStops } = state
  const liquidation = liquidations.find(account)?.state ?? LiquidationState.Healthy
  const isHealthy =
    liquidation === LiquidationState.Healthy || liquidation === LiquidationState.Liquidated
  const isFree = isHealthy && !fundings.isAwaited(account) && !walletStops.has(account)
  return withdrawableMicros(risk, account, { isFree, isClockDoubted: clockAlarm, haltModes })
}

/** Returns the cash of a wallet plus its money in transit, micros. */
function ownMicrosOf({ risk, withdrawals }: DecideWithdrawalState, account: number): number {
  return risk.cashMicros[account] + withdrawals.microsOf(account)
}

/** Ends a withdrawal: the money has arrived, or is returned. */
function end(state: DecideWithdrawalState, row: Withdrawal, domain: DomainStatus): void {
  const { account, amountMicros } = row
  const beforeMicros = ownMicrosOf(state, account)
  state.withdrawals.end(row, domain)
  if (domain === DomainStatus.Failed) {
    state.deposit(account, amountMicros)
    revive(state, account)
    assert(
      ownMicrosOf(state, account) === beforeMicros,
      'withdrawal: a return restores the wallet’s total',
    )
    publishAccount(state, account, AccountChange.WithdrawalReturned, amountMicros)
  }
  publishWithdrawal(state, row, domain)
}
