import { ProviderStatus } from '../../../schemas/domain.js'
import {
  ConnectProviderCommand,
  LeaveProviderCommand,
  SetProviderCommand,
} from '../../../schemas/generated/commands.js'
import { Action } from './action.js'
import { commandOf, setWallet } from './command-record.js'
import type { CommandGenerator, TradingDesk } from './trading-desk.js'

/** Few, so that those that end were opened. */
const sessionCount = 4

/** What becomes of quote providers: the operator names them, they connect, and they leave. */
export const providerCommands: readonly CommandGenerator[] = [
  { weight: 2, make: setProvider },
  { weight: 4, make: connectProvider },
  { weight: 2, make: leaveProvider },
]

/** Now and then a wallet that has no account, and one that is what it was. */
function setProvider(desk: TradingDesk): Action {
  const { random } = desk
  const command = commandOf(SetProviderCommand, {})
  setWallet(command, desk.wallet())
  const { Active, Suspended } = ProviderStatus
  command.status = random.chance(0.8) ? Active : Suspended
  return new Action(command)
}

/** Most wallets are no providers, and some sessions are open already. */
function connectProvider(desk: TradingDesk): Action {
  const session = desk.random.below(sessionCount)
  return desk.signed(commandOf(ConnectProviderCommand, { session }))
}

/** Of a session that was opened, has ended, or never was. */
function leaveProvider(desk: TradingDesk): Action {
  const session = desk.random.below(sessionCount)
  const command = commandOf(LeaveProviderCommand, { session })
  setWallet(command, desk.wallet())
  return new Action(command)
}
