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
import type { CommandGenerator, TradingDesk } from './trading-desk.js'

/** USD: too little, what most can spare, and what few or none can. */
const amounts = [1, 5, 5, 40, 700, 9_000, 100_000, 1_900_000, 5_000_000] as const
const idsKnown = 40
const deliveryCount = Object.keys(DeliveryStatus).length
/** Ids of requested withdrawals, the latest last: most of them were accepted. */
const asked = new WeakMap<TradingDesk, Uint8Array[]>()

/** Withdrawals of wallets, and what the rail and the operator report of them. */
export const withdrawalCommands: readonly CommandGenerator[] = [
  { weight: 4, make: withdraw },
  { weight: 6, make: settle },
  { weight: 2, make: judge },
]

/** Sometimes signed by agents, which may not withdraw. */
function withdraw(desk: TradingDesk): Action {
  const { random } = desk
  const told = [...desk.spare].at(-1)
  // A wallet that knows its available amount asks for exactly that, or for one micro more.
  const micros = told === undefined ? random.pick(amounts) * microsPerUsd : told[1]
  const amountMicros = micros + random.below(told === undefined ? 3 : 2)
  const command = commandOf(WithdrawUsdcCommand, { amountMicros })
  command.u8.set(addressOf(random.below(30) === 0 ? 0 : desk.wallet()), command.destinationAt)
  const action = desk.signed(command, told?.[0])
  if (told !== undefined) desk.spare.delete(told[0])
  const ids = asked.get(desk) ?? []
  ids.push(directiveIdOf(command.u8, command.digestAt))
  if (ids.length > idsKnown) ids.shift()
  asked.set(desk, ids)
  return action
}

/** Reports any step, in any order, of a known withdrawal. */
function settle(desk: TradingDesk): Action | null {
  const id = knownId(desk)
  if (id === null) return null
  const command = commandOf(SettleWithdrawalCommand, {})
  command.u8.set(id, command.directiveIdAt)
  command.u8[command.txHashAt] = desk.random.below(3)
  command.delivery = desk.random.below(deliveryCount) as DeliveryStatus
  return new Action(command)
}

function judge(desk: TradingDesk): Action | null {
  const id = knownId(desk)
  if (id === null) return null
  const command = commandOf(JudgeWithdrawalCommand, {})
  command.u8.set(id, command.directiveIdAt)
  const isDelivered = desk.random.below(2) === 0
  command.verdict = isDelivered ? WithdrawalVerdict.Delivered : WithdrawalVerdict.Returned
  return new Action(command)
}

function knownId(desk: TradingDesk): Uint8Array | null {
  const ids = asked.get(desk) ?? []
  return ids.length === 0 ? null : desk.random.pick(ids)
}
