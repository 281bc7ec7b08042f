import {
  agentAddressAt,
  agentCommandBytes,
  marginModeAt,
  revokeAllAgentsBytes,
  selfTradeModeAt,
  setMarginModeBytes,
  setSelfTradeBytes,
  setTierBytes,
  tierAt,
} from '../../../schemas/commands.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import { seenCountAt, seenIdsAt, seenValueAt } from '../../../schemas/settlement.js'
import { Action } from './action.js'
import { CommandRecord } from './command-record.js'
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
  const record = new CommandRecord(CommandType.RevokeAllAgents, revokeAllAgentsBytes)
  return ownAction(desk, record, desk.wallet())
}

export function setSelfTrade(desk: TradingDesk): Action {
  const record = new CommandRecord(CommandType.SetSelfTrade, setSelfTradeBytes)
  return signed(
    desk,
    record.setI32(selfTradeModeAt, desk.random.below(selfTradeModes)),
    desk.wallet(),
  )
}

/** Back and forth; a wallet deep in shorts may not, and where portfolio mode is off nobody may. */
export function setMarginMode(desk: TradingDesk): Action {
  const record = new CommandRecord(CommandType.SetMarginMode, setMarginModeBytes)
  return signed(desk, record.setI32(marginModeAt, desk.random.below(marginModes)), desk.wallet())
}

/** A signer of the operator changes somebody's tier: nonce and outcome are the signer's. */
export function setUserTier(desk: TradingDesk): Action {
  const record = new CommandRecord(CommandType.SetUserTier, setTierBytes)
  record.setWallet(desk.wallet()).setI32(tierAt, desk.random.below(tierCount))
  return ownAction(desk, record, desk.wallet())
}

/** Ids of the first payouts, which may be others' or nobody's. */
export function markPayoutsSeen(desk: TradingDesk): Action {
  const count = 1 + desk.random.below(3)
  const record = new CommandRecord(CommandType.MarkPayoutsSeen, seenIdsAt + count * 8)
    .setI32(seenValueAt, desk.random.below(2))
    .setI32(seenCountAt, count)
  for (let i = 0; i < count; i++) record.setF64(seenIdsAt + i * 8, 1 + desk.random.below(20))
  return signed(desk, record, desk.wallet())
}

function agentAction(
  desk: TradingDesk,
  type: typeof CommandType.ApproveAgent | typeof CommandType.RevokeAgent,
): Action {
  const record = new CommandRecord(type, agentCommandBytes)
  record.u8.set(addressOf(desk.agent()), agentAddressAt)
  return ownAction(desk, record, desk.wallet())
}

/** Signed by the wallet that acts, which stands in no other field. */
function ownAction(desk: TradingDesk, record: CommandRecord, signer: number): Action {
  const { high, low } = desk.nonce()
  record.sign(signer, high, low, desk.digest())
  return new Action(record, signer)
}
