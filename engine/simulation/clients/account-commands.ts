import type { MarginMode, SelfTradeMode, Tier } from '../../../schemas/domain.js'
import {
  AgentCommand,
  type AnyCommand,
  CommandType,
  MarkPayoutsSeenCommand,
  RevokeAllAgentsCommand,
  SetMarginModeCommand,
  SetSelfTradeCommand,
  SetTierCommand,
} from '../../../schemas/generated/commands.js'
import { Action } from './action.js'
import { commandOf, setWallet, sign } from './command-record.js'
import { addressOf } from './market-plan.js'
import { signed } from './order-commands.js'
import type { TradingDesk } from './trading-desk.js'

const tierCount = 4
/** One mode too many: it is refused. */
const selfTradeModes = 4
const marginModes = 3

export function approveAgent(desk: TradingDesk): Action {
  return agentAction(desk, CommandType.ApproveAgent)
}

export function revokeAgent(desk: TradingDesk): Action {
  return agentAction(desk, CommandType.RevokeAgent)
}

export function revokeAllAgents(desk: TradingDesk): Action {
  return ownAction(desk, commandOf(RevokeAllAgentsCommand, {}), desk.wallet())
}

export function setSelfTrade(desk: TradingDesk): Action {
  const mode = desk.random.below(selfTradeModes) as SelfTradeMode
  return signed(desk, commandOf(SetSelfTradeCommand, { mode }), desk.wallet())
}

/** Back and forth; a wallet deep in shorts may not, and where portfolio mode is off nobody may. */
export function setMarginMode(desk: TradingDesk): Action {
  const mode = desk.random.below(marginModes) as MarginMode
  return signed(desk, commandOf(SetMarginModeCommand, { mode }), desk.wallet())
}

/** A signer of the operator changes somebody's tier: nonce and outcome are the signer's. */
export function setUserTier(desk: TradingDesk): Action {
  return ownAction(desk, tierCommand(desk, CommandType.SetUserTier), desk.wallet())
}

/** Ids of the first payouts, which may be others' or nobody's. */
export function markPayoutsSeen(desk: TradingDesk): Action {
  const count = 1 + desk.random.below(3)
  const seen = desk.random.below(2)
  const bytes = MarkPayoutsSeenCommand.bytesWith(count)
  const command = commandOf(MarkPayoutsSeenCommand, { seen, count }, bytes)
  for (let i = 0; i < count; i++) command.setIds(i, 1 + desk.random.below(20))
  return signed(desk, command, desk.wallet())
}

function agentAction(
  desk: TradingDesk,
  type: typeof CommandType.ApproveAgent | typeof CommandType.RevokeAgent,
): Action {
  const command = commandOf(AgentCommand, {}, type)
  command.u8.set(addressOf(desk.agent()), command.agentAt)
  return ownAction(desk, command, desk.wallet())
}

/** Signed by the wallet that acts, which stands in no other field. */
function ownAction(desk: TradingDesk, command: AnyCommand, signer: number): Action {
  sign(command, signer, desk.nonce(), desk.digest())
  return new Action(command, signer)
}

/** A tier for a wallet, told by the operator or by one of its signers. */
export function tierCommand(
  desk: TradingDesk,
  type: typeof CommandType.SetTier | typeof CommandType.SetUserTier,
): SetTierCommand {
  const command = commandOf(SetTierCommand, {}, type)
  setWallet(command, desk.wallet())
  command.tier = desk.random.below(tierCount) as Tier
  return command
}
