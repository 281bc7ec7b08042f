import { assert } from '../../../schemas/assert.js'
import { payoutIdsMax } from '../../../schemas/bounds.js'
import { SelfTradeMode } from '../../../schemas/domain.js'
import {
  type AnyCommand,
  CommandType,
  MarkPayoutsSeenCommand,
  SetSelfTradeCommand,
} from '../../../schemas/generated/commands.js'
import type { OrderFacts } from '../../../schemas/generated/events.js'
import { AccountChange, OutcomeFlag } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { publishAccount } from '../../publish/publish-market.js'
import { factsOfNothing } from '../../publish/publish-orders.js'
import { publishPayoutsSeen } from '../../publish/publish-settlement.js'
import { ownFacts } from '../../state/accounts/kept-results.js'
import type { Batch } from '../../state/batch.js'
import type { CoreState } from '../../state/core-state.js'
import { answerEarlier, answerNow } from '../steps/answer.js'
import { publishDirectiveResult } from '../steps/answer-directive.js'
import { acceptAction } from '../steps/signed.js'
import { applyAgent, checkAgent } from './decide-agents.js'
import {
  applyAbstraction,
  applyApiWallet,
  checkAbstraction,
  checkApiWallet,
} from './decide-api-wallets.js'
import { applyMmp, checkMmp } from './decide-mmp.js'
import { applyMarginMode, checkMarginMode } from './decide-mode.js'
import { applyConnect, checkConnect } from './decide-provider.js'
import { applyPush, checkPush } from './decide-push.js'
import {
  applyReferralCode,
  applyReferrer,
  checkReferralCode,
  checkReferrer,
} from './decide-referrals.js'
import {
  applyCancelAll,
  applyDeadMan,
  applyOnDisconnect,
  checkCancelAll,
  checkDeadMan,
  checkOnDisconnect,
} from './decide-safety.js'
import { checkUserTier, setTier } from './decide-tier.js'
import { applyUsername, checkUsername } from './decide-username.js'
import { applyWithdrawal, checkWithdrawal } from './decide-withdrawal.js'

/** Functions that decide a command about the account alone, such as its agents or modes. */
interface OwnCommand {
  /** True if the command depends on an underlying or on margin, and therefore fails during a clock alarm. */
  readonly waitsForClock?: boolean
  /** Returns the error, or `Accepted`. Writes the details of an error to the ticket. */
  readonly check: (
    state: CoreState,
    account: number,
    command: AnyCommand,
    batch: Batch,
    ticket: number,
  ) => Result
  /**
   * Executes the command.
   * @param out facts of its answer, to complete; the wallet is already set.
   */
  readonly apply: (state: CoreState, account: number, command: AnyCommand, out: OrderFacts) => void
}

const agent: OwnCommand = { check: checkAgent, apply: applyAgent }
const mmp: OwnCommand = { waitsForClock: true, check: checkMmp, apply: applyMmp }
const ownCommands: Readonly<Partial<Record<number, OwnCommand>>> = {
  [CommandType.ApproveAgent]: agent,
  [CommandType.RevokeAgent]: agent,
  [CommandType.RevokeAllAgents]: agent,
  [CommandType.SetSelfTrade]: { check: checkSelfTrade, apply: applySelfTrade },
  [CommandType.SetUserTier]: {
    check: checkUserTier,
    apply: (state, _account, command) => setTier(state, command),
  },
  [CommandType.SetMarginMode]: {
    waitsForClock: true,
    check: checkMarginMode,
    apply: applyMarginMode,
  },
  [CommandType.ConnectProvider]: { check: checkConnect, apply: applyConnect },
  [CommandType.CancelAll]: { check: checkCancelAll, apply: applyCancelAll },
  [CommandType.SetDeadMan]: { check: checkDeadMan, apply: applyDeadMan },
  [CommandType.SetCancelOnDisconnect]: { check: checkOnDisconnect, apply: applyOnDisconnect },
  [CommandType.UpdateApiWallet]: { check: checkApiWallet, apply: applyApiWallet },
  [CommandType.SetAbstraction]: { check: checkAbstraction, apply: applyAbstraction },
  [CommandType.WithdrawUsdc]: { check: checkWithdrawal, apply: applyWithdrawal },
  [CommandType.RequestUsername]: { check: checkUsername, apply: applyUsername },
  [CommandType.CreateReferralCode]: { check: checkReferralCode, apply: applyReferralCode },
  [CommandType.SetReferrer]: { check: checkReferrer, apply: applyReferrer },
  [CommandType.PushAction]: { check: checkPush, apply: applyPush },
  [CommandType.MarkPayoutsSeen]: { check: checkPayoutsSeen, apply: publishPayoutsSeen },
  [CommandType.SetMmp]: mmp,
  [CommandType.DeleteMmp]: mmp,
  [CommandType.ResetMmp]: mmp,
}

const facts = ownFacts()
const payoutsSeen = new MarkPayoutsSeenCommand()
const selfTrade = new SetSelfTradeCommand()

/**
 * Decides a command about the account alone.
 * @returns false for any other command.
 */
export function decideOwn(
  state: CoreState,
  batch: Batch,
  ticket: number,
  command: AnyCommand,
): boolean {
  const own = ownCommands[command.recordType]
  if (own === undefined) return false
  const account = batch.account[ticket]
  assert(account >= 0, 'account command: the wallet has an account')
  const isHalted = state.clockAlarm && own.waitsForClock === true
  const result = isHalted ? Result.VenueHalted : own.check(state, account, command, batch, ticket)
  batch.result[ticket] = result
  if (result !== Result.Accepted) return true
  answerEarlier(state, batch, ticket)
  factsOfNothing(command, -1, facts)
  own.apply(state, account, command, facts)
  publishDirectiveResult(state, batch, ticket, Result.Accepted)
  acceptAction(state, batch, ticket, Result.Accepted, facts, 0)
  const flags = state.risk.cashMicros[account] > 0 ? 0 : OutcomeFlag.Unfunded
  answerNow(state, batch, ticket, Result.Accepted, flags, facts)
  return true
}

function checkSelfTrade(_state: CoreState, _account: number, command: AnyCommand): Result {
  const { mode } = selfTrade.of(command)
  const isMode = mode >= SelfTradeMode.CancelTaker && mode <= SelfTradeMode.CancelBoth
  return isMode ? Result.Accepted : Result.ValueRefused
}

function applySelfTrade(state: CoreState, account: number, command: AnyCommand): void {
  state.accounts.setSelfTrade(account, selfTrade.of(command).mode)
  publishAccount(state, account, AccountChange.Modes)
}

/**
 * MarkPayoutsSeen: no decision depends on whether a payout was seen, so the engine keeps none. It orders these requests
 * with everything else and publishes them; the history store, which has the rows, marks them.
 */
function checkPayoutsSeen(_state: CoreState, _account: number, command: AnyCommand): Result {
  const { count } = payoutsSeen.of(command)
  return count >= 1 && count <= payoutIdsMax ? Result.Accepted : Result.ValueRefused
}
