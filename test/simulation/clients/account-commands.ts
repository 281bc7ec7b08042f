import type { MarginMode, SelfTradeMode, Tier } from '../../../schemas/domain.js'
import {
  AgentCommand,
  CommandType,
  CreateReferralCodeCommand,
  EndMmpCommand,
  MarkPayoutsSeenCommand,
  PushActionCommand,
  RevokeAllAgentsCommand,
  SetMarginModeCommand,
  SetMmpCommand,
  SetReferrerCommand,
  SetSelfTradeCommand,
  SetTierCommand,
} from '../../../schemas/generated/commands.js'
import type { PushActionKind } from '../../../schemas/record-values.js'
import { Action } from './action.js'
import { commandOf, copyOf, setWallet } from './command-record.js'
import { addressOf, underlyings } from './market-plan.js'
import type { CommandGenerator, Trader } from './trader.js'

const tierCount = 4
/** One more than the engine has, so that some commands fail. */
const selfTradeModes = 4
const marginModes = 3
/** Near the sizes of orders: some trigger at once, others after many fills. 0 means no limit. */
const limitsMicros = [0, 100_000, 500_000, 1_500_000, 5_000_000, 60_000_000] as const
const intervalsMillis = [1, 50, 1000, 20_000, 86_400_000] as const
const frozenMillis = [0, 1, 200, 2000, 86_400_000] as const

/**
 * Commands for account settings: agents, self-trade mode, protections, margin mode, payouts, referrals and
 * notifications.
 */
export const accountCommands: readonly CommandGenerator[] = [
  { weight: 3, make: conflictingNonce },
  { weight: 3, make: (trader) => agentAction(trader, CommandType.ApproveAgent) },
  { weight: 1, make: (trader) => agentAction(trader, CommandType.RevokeAgent) },
  { weight: 1, make: (trader) => trader.signedByOwner(commandOf(RevokeAllAgentsCommand, {})) },
  { weight: 2, make: setSelfTrade },
  { weight: 4, make: setMmp },
  // These may name a protection that does not exist.
  { weight: 2, make: (trader) => endMmp(trader, CommandType.ResetMmp) },
  { weight: 1, make: (trader) => endMmp(trader, CommandType.DeleteMmp) },
  { weight: 4, make: setMarginMode },
  // An operator's signer changes another wallet's tier: nonce and acknowledgement are the signer's.
  {
    weight: 2,
    make: (trader) => trader.signedByOwner(tierCommand(trader, CommandType.SetUserTier)),
  },
  { weight: 1, make: markPayoutsSeen },
  { weight: 1, make: createReferralCode },
  { weight: 1, make: setReferrer },
  { weight: 1, make: pushAction },
]

/** Returns another payload under the nonce of an action that was sent before. */
function conflictingNonce(trader: Trader): Action | null {
  if (trader.sent.length === 0) return null
  const { command, wallet } = trader.random.pick(trader.sent)
  const copy = copyOf(command)
  copy.u8[copy.digestAt] ^= 1
  return new Action(copy, wallet)
}

function agentAction(
  trader: Trader,
  type: typeof CommandType.ApproveAgent | typeof CommandType.RevokeAgent,
): Action {
  const command = commandOf(AgentCommand, {}, type)
  command.u8.set(addressOf(trader.agent()), command.agentAt)
  return trader.signedByOwner(command)
}

function setSelfTrade(trader: Trader): Action {
  const mode = trader.random.below(selfTradeModes) as SelfTradeMode
  return trader.signed(commandOf(SetSelfTradeCommand, { mode }))
}

/**
 * Switches back and forth. The core rejects it for a wallet deep in shorts, and for all where portfolio mode is off.
 */
function setMarginMode(trader: Trader): Action {
  const mode = trader.random.below(marginModes) as MarginMode
  return trader.signed(commandOf(SetMarginModeCommand, { mode }))
}

/** Sets or changes a wallet's protection in one underlying. Without any limit the engine rejects it. */
function setMmp(trader: Trader): Action {
  const { random } = trader
  const command = commandOf(SetMmpCommand, {
    underlyingText: protectedUnderlying(trader),
    intervalMillis: random.pick(intervalsMillis),
    frozenMillis: random.pick(frozenMillis),
  })
  // Vega per contract is at least a hundred times a delta.
  for (const [measure, scale] of [1, 1, 200].entries()) {
    command.setLimits(measure, random.pick(limitsMicros) * scale)
  }
  return trader.signed(command)
}

function endMmp(
  trader: Trader,
  type: typeof CommandType.ResetMmp | typeof CommandType.DeleteMmp,
): Action {
  const underlyingText = protectedUnderlying(trader)
  return trader.signed(commandOf(EndMmpCommand, { underlyingText }, type))
}

/** Mostly returns one of the first two: a market needs wallets that reach their limits. */
function protectedUnderlying({ random }: Trader): string {
  return random.chance(0.7) ? underlyings[random.below(2)] : random.pick(underlyings)
}

/** Uses ids of the first payouts, which may belong to another wallet or to none. */
function markPayoutsSeen(trader: Trader): Action {
  const count = 1 + trader.random.below(3)
  const seen = trader.random.below(2)
  const bytes = MarkPayoutsSeenCommand.bytesWith(count)
  const command = commandOf(MarkPayoutsSeenCommand, { seen, count }, bytes)
  for (let i = 0; i < count; i++) command.setIds(i, 1 + trader.random.below(20))
  return trader.signed(command)
}

/** Picks one of few codes, so that some are taken, and sometimes an invalid one. */
function createReferralCode(trader: Trader): Action {
  return trader.signed(commandOf(CreateReferralCodeCommand, { codeText: referralCode(trader) }))
}

/** Names a code that may exist, often with a wallet that does not own it. */
function setReferrer(trader: Trader): Action {
  const command = commandOf(SetReferrerCommand, { codeText: referralCode(trader) })
  command.u8.set(addressOf(trader.wallet()), command.referrerAt)
  return trader.signed(command)
}

/**
 * Changes a wallet's notification endpoints or topics. Endpoints are few, so that some are known; some kinds do not
 * exist.
 */
function pushAction(trader: Trader): Action {
  const { random } = trader
  const endpoint = random.below(16) === 0 ? '' : `https://push.example/${random.below(14)}`
  const { length } = endpoint
  const fields = {
    kind: random.below(5) as PushActionKind,
    mask: random.below(9),
    topics: random.below(9),
    endpointBytes: length,
  }
  const command = commandOf(PushActionCommand, fields, PushActionCommand.bytesWith(length))
  command.u8.set(Buffer.from(endpoint), command.endpointAt)
  command.u8[command.keysAt] = random.below(256)
  return trader.signed(command)
}

function referralCode({ random }: Trader): string {
  return random.below(12) === 0 ? 'no code' : `C-${random.below(6)}`
}

/** Returns a command that sets a wallet's tier, by the operator or one of its signers. */
export function tierCommand(
  trader: Trader,
  type: typeof CommandType.SetTier | typeof CommandType.SetUserTier,
): SetTierCommand {
  const command = commandOf(SetTierCommand, {}, type)
  setWallet(command, trader.wallet())
  command.tier = trader.random.below(tierCount) as Tier
  return command
}
