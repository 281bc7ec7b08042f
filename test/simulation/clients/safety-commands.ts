import {
  CancelAllCommand,
  EndConnectionCommand,
  SetCancelOnDisconnectCommand,
  SetDeadManCommand,
} from '../../../schemas/generated/commands.js'
import type { CancelScope } from '../../../schemas/record-values.js'
import { Action } from './action.js'
import { commandOf, setKey, setWallet } from './command-record.js'
import { addressOf, walletOf } from './market-plan.js'
import type { CommandGenerator, Trader } from './trader.js'

/** Few, so that connections that end are often bound ones. */
const connections = 3
/** Some fire while nothing happens, some never; the last one is too short and fails. */
const timeoutsMillis = [0, 0, 1000, 1000, 2000, 5000, 86_400_000, 999] as const
const unknownUnderlying = 'NOWHERE'

/** Wallets that end all their orders, and connections of theirs that close. */
export const safetyCommands: readonly CommandGenerator[] = [
  { weight: 5, make: cancelAll },
  { weight: 3, make: setDeadMan },
  { weight: 3, make: setCancelOnDisconnect },
  { weight: 3, make: endConnection },
]

function cancelAll(trader: Trader): Action {
  const { random } = trader
  const command = commandOf(CancelAllCommand, {})
  command.scope = random.below(3) as CancelScope
  // With the scope `all` the key has no meaning.
  setKey(command.key, trader.instrument())
  if (random.below(12) === 0) command.key.underlyingText = unknownUnderlying
  return byAnybody(trader, command)
}

function setDeadMan(trader: Trader): Action {
  const timeoutMillis = trader.random.pick(timeoutsMillis)
  return byAnybody(trader, commandOf(SetDeadManCommand, { timeoutMillis }))
}

function setCancelOnDisconnect(trader: Trader): Action {
  const { random } = trader
  const fields = { session: random.below(connections), enabled: random.below(4) === 0 ? 0 : 1 }
  return byAnybody(trader, commandOf(SetCancelOnDisconnectCommand, fields))
}

/** Closes a connection for a wallet that may have bound it. */
function endConnection(trader: Trader): Action {
  const command = commandOf(EndConnectionCommand, { session: trader.random.below(connections) })
  setWallet(command, concerned(trader))
  return new Action(command)
}

/** Often returns a taker or provider of an open request, or of an order that waits for quotes. */
function concerned(trader: Trader): number {
  const { random } = trader
  const { open } = trader.rfqs()
  if (open.length === 0 || random.chance(0.4)) return trader.wallet()
  const { wallet, invited } = random.pick(open)
  return walletOf(random.pick([wallet, wallet, ...invited]))
}

/** Sometimes signed by an address that may not be the wallet's agent. */
function byAnybody(
  trader: Trader,
  command: CancelAllCommand | SetDeadManCommand | SetCancelOnDisconnectCommand,
): Action {
  const action = trader.signed(command, concerned(trader))
  if (trader.random.below(8) > 0) return action
  command.u8.set(addressOf(trader.agent()), command.signerAt)
  return new Action(command, action.wallet)
}
