import { assert } from '../../../schemas/assert.js'
import { moneyMicrosMax } from '../../../schemas/bounds.js'
import { type AnyCommand, DepositCommand } from '../../../schemas/generated/commands.js'
import { grantMinuteOf, minuteOf } from '../../../schemas/grant-id.js'
import { AccountChange, FundsChange } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { type LiquidationGateState, revive } from '../../lifecycle/liquidation-gate.js'
import { type PublishFundsState, publishFunds } from '../../publish/publish-funds.js'
import { publishAccount } from '../../publish/publish-market.js'
import type { DepositIds, NamedDeposit } from '../../state/money/deposit-ids.js'
import { Fund } from '../../state/money/funds.js'
import { committedMicros } from '../../state/wallet-rows.js'
import { type AnnouncedState, accountFor } from '../steps/announced.js'
import type { MarketOutcome } from '../steps/market-outcome.js'

interface DecideFundsState extends AnnouncedState, LiquidationGateState, PublishFundsState {
  readonly depositIds: DepositIds
  deposit(account: number, amountMicros: number): void
}

const named = new DepositCommand()
/** Prefix of the ids of deposits to the insurance fund. The id of a wallet's deposit cannot contain this character. */
const insuranceMark = '\u0001'
/** Used in place of an account. */
const insuranceFund = -1

/**
 * Deposit: credits a wallet's cash. A known id credits nothing, and fails if its wallet or amount differs. A deposit
 * also fails if it would take a sum of the wallet out of the exact range.
 */
export function deposit(state: DecideFundsState, command: AnyCommand, out: MarketOutcome): Result {
  const { accounts } = state
  const { amountMicros, depositIdText: depositId, u8, walletAt } = named.of(command)
  if (!(amountMicros > 0)) return Result.AmountNotPositive
  const known = accounts.find(u8, walletAt)
  const before = depositId === '' ? undefined : state.depositIds.get(depositId)
  if (before !== undefined) {
    out.repeat = before.account === known && before.amountMicros === amountMicros
    return answerKnownId(before, out, Result.DepositKnown)
  }
  const { depositsMicros } = state.accounts
  const usedMicros = known < 0 ? 0 : Math.max(committedMicros(state, known), depositsMicros[known])
  if (usedMicros + amountMicros > moneyMicrosMax) {
    out.details[0] = Math.min(usedMicros, moneyMicrosMax)
    out.details[1] = moneyMicrosMax
    return Result.DepositLimit
  }
  const account = accountFor(state, u8, walletAt)
  if (depositId !== '') rememberDeposit(state, depositId, { account, amountMicros })
  const wantedMicros = state.risk.cashMicros[account] + amountMicros
  state.deposit(account, amountMicros)
  assert(state.risk.cashMicros[account] === wantedMicros, 'deposit: the wallet is credited exactly')
  revive(state, account)
  publishAccount(state, account, AccountChange.Deposit, amountMicros, depositId)
  return Result.Accepted
}

/** FundInsurance: credits the insurance fund, by the same rules. */
export function fundInsurance(
  state: DecideFundsState,
  command: AnyCommand,
  out: MarketOutcome,
): Result {
  const { amountMicros, depositIdText: name } = named.of(command)
  if (!(amountMicros > 0)) return Result.AmountNotPositive
  const depositId = insuranceMark + name
  const before = name === '' ? undefined : state.depositIds.get(depositId)
  if (before !== undefined) {
    out.repeat = before.amountMicros === amountMicros
    return answerKnownId(before, out, Result.FundingKnown)
  }
  const { funds } = state
  const usedMicros = Math.max(funds.balanceMicros[Fund.Insurance], funds.insuranceDepositsMicros)
  if (usedMicros + amountMicros > moneyMicrosMax) {
    out.details[0] = usedMicros
    out.details[1] = moneyMicrosMax
    return Result.FundLimit
  }
  if (name !== '') state.depositIds.add(depositId, { account: insuranceFund, amountMicros })
  const wantedMicros = funds.balanceMicros[Fund.Insurance] + amountMicros
  funds.depositInsurance(amountMicros)
  const heldMicros = funds.balanceMicros[Fund.Insurance]
  assert(heldMicros === wantedMicros, 'insurance: the fund is credited exactly')
  publishFunds(state, FundsChange.InsuranceDeposit)
  return Result.Accepted
}

/** Stores a deposit id. A grant first deletes the ids of expired grants; nothing else deletes them. */
function rememberDeposit(
  { depositIds, nowMillis }: DecideFundsState,
  id: string,
  deposit: NamedDeposit,
) {
  if (grantMinuteOf(id) >= 0) depositIds.forgetGrants(minuteOf(nowMillis))
  depositIds.add(id, deposit)
}

/** Answers a known id: a duplicate, or a conflict with the stored deposit, which the details name. */
function answerKnownId(
  { account, amountMicros }: NamedDeposit,
  out: MarketOutcome,
  known: Result,
): Result {
  if (out.repeat) return Result.Accepted
  out.account = account
  out.details[0] = amountMicros
  return known
}
