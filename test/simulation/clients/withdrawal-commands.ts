import { microsPerUsd } from '../../../schemas/bounds.js'
import { DeliveryStatus, WithdrawalVerdict } from '../../../schemas/domain.js'
import {
  JudgeWithdrawalCommand,
  SettleWithdrawalCommand,
  WithdrawUsdcCommand,
} from '../../../schemas/generated/commands.js'
import { directiveIdOf } from '../../../schemas/uuid.js'
import { Action } from './action.js'
import { commandOf } from './command-record.js'
import { addressOf } from './market-plan.js'
import type { CommandGenerator, Trader } from './trader.js'

/** USD: too little, what most can spare, and what few or none can. */
const amounts = [1, 5, 5, 40, 700, 9_000, 100_000, 1_900_000, 5_000_000] as const
const idsKnown = 40
const deliveryCount = Object.keys(DeliveryStatus).length
/** Ids of requested withdrawals, the latest last: most of them were accepted. */
const asked = new WeakMap<Trader, Uint8Array[]>()

/** Withdrawals of wallets, and what the rail and the operator report of them. */
export const withdrawalCommands: readonly CommandGenerator[] = [
  { weight: 4, make: withdraw },
  { weight: 6, make: settle },
  { weight: 2, make: judge },
]

/** Sometimes signed by agents, which may not withdraw. */
function withdraw(trader: Trader): Action {
  const { random } = trader
  const published = [...trader.spare].at(-1)
  // A wallet that knows its available amount asks for exactly that, or for one micro more.
  const micros = published === undefined ? random.pick(amounts) * microsPerUsd : published[1]
  const amountMicros = micros + random.below(published === undefined ? 3 : 2)
  const command = commandOf(WithdrawUsdcCommand, { amountMicros })
  command.u8.set(addressOf(random.below(30) === 0 ? 0 : trader.wallet()), command.destinationAt)
  const action = trader.signed(command, published?.[0])
  if (published !== undefined) trader.spare.delete(published[0])
  const ids = asked.get(trader) ?? []
  ids.push(directiveIdOf(command.u8, command.digestAt))
  if (ids.length > idsKnown) ids.shift()
  asked.set(trader, ids)
  return action
}

/** Reports any step, in any order, of a known withdrawal. */
function settle(trader: Trader): Action | null {
  const id = knownId(trader)
  if (id === null) return null
  const command = commandOf(SettleWithdrawalCommand, {})
  command.u8.set(id, command.directiveIdAt)
  command.u8[command.txHashAt] = trader.random.below(3)
  command.delivery = trader.random.below(deliveryCount) as DeliveryStatus
  return new Action(command)
}

function judge(trader: Trader): Action | null {
  const id = knownId(trader)
  if (id === null) return null
  const command = commandOf(JudgeWithdrawalCommand, {})
  command.u8.set(id, command.directiveIdAt)
  const isDelivered = trader.random.below(2) === 0
  command.verdict = isDelivered ? WithdrawalVerdict.Delivered : WithdrawalVerdict.Returned
  return new Action(command)
}

function knownId(trader: Trader): Uint8Array | null {
  const ids = asked.get(trader) ?? []
  return ids.length === 0 ? null : trader.random.pick(ids)
}
