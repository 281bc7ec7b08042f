import {
  type AnyCommand,
  JudgeUsernameCommand,
  RequestUsernameCommand,
} from '../../../schemas/generated/commands.js'
import type { OrderFacts } from '../../../schemas/generated/events.js'
import { UsernameChange, UsernameVerdict } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { isUsername } from '../../../schemas/username.js'
import { type PublishUsernamesState, publishUsername } from '../../publish/publish-usernames.js'
import type { EngineConfig } from '../../state/market/engine-config.js'
import type { MarketOutcome } from '../steps/market-outcome.js'

interface DecideUsernameState extends PublishUsernamesState {
  readonly config: EngineConfig
}

// Usernames. The first wallet that requests a name has it, even while the operator moderates it. In one batch the
// earlier request therefore wins, and nobody can take a name during moderation.

const requested = new RequestUsernameCommand()
const judged = new JudgeUsernameCommand()

/** RequestUsername: returns the reason why the wallet cannot have the name, or `Accepted`. */
export function checkUsername(
  state: DecideUsernameState,
  account: number,
  command: AnyCommand,
): Result {
  const name = requested.of(command).usernameText
  if (!isUsername(name)) return Result.ValueRefused
  const { usernames } = state.config
  // A wallet keeps its name if the name is reserved later.
  const isOwn = state.usernames.namesOf(account).username === name
  const isReserved = !isOwn && usernames.reserved.includes(name)
  if (isReserved) return Result.UsernameReserved
  return state.usernames.isTaken(name, account) ? Result.UsernameTaken : Result.Accepted
}

export function applyUsername(
  state: DecideUsernameState,
  account: number,
  command: AnyCommand,
  out: OrderFacts,
): void {
  const name = requested.of(command).usernameText
  const isPending = mustBeJudged(state, account, name)
  if (isPending) state.usernames.request(account, name)
  else state.usernames.approve(account, name)
  out.usernameChange = isPending ? UsernameChange.Requested : UsernameChange.Approved
  publishUsername(state, account, out.usernameChange)
}

/**
 * JudgeUsername: applies the operator's verdict.
 * @returns `NotFound` if the wallet has no pending request, `Conflict` if that request is for another name by now.
 */
export function judgeUsername(
  state: DecideUsernameState,
  command: AnyCommand,
  out: MarketOutcome,
): Result {
  const { u8, verdict, walletAt, usernameText } = judged.of(command)
  const isVerdict = verdict === UsernameVerdict.Approved || verdict === UsernameVerdict.Rejected
  if (!isVerdict) return Result.ValueRefused
  const account = state.accounts.find(u8, walletAt)
  const { pending } = state.usernames.namesOf(account)
  if (pending === '') return Result.NotFound
  if (usernameText !== '' && usernameText !== pending) return Result.Conflict
  const isApproved = verdict === UsernameVerdict.Approved
  if (isApproved) state.usernames.approve(account, pending)
  else state.usernames.reject(account)
  out.repeat = false
  publishUsername(state, account, isApproved ? UsernameChange.Approved : UsernameChange.Rejected)
  return Result.Accepted
}

/** Returns true if the operator must moderate the name. Requesting the current name withdraws a pending request. */
function mustBeJudged(state: DecideUsernameState, account: number, name: string): boolean {
  const isOwn = state.usernames.namesOf(account).username === name
  return state.config.usernames.moderated && !isOwn
}
