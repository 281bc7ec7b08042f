import { ProviderStatus } from '../../../schemas/domain.js'
import {
  ConnectProviderCommand,
  LeaveProviderCommand,
  SetProviderCommand,
} from '../../../schemas/generated/commands.js'
import { Action } from './action.js'
import { commandOf, setWallet } from './command-record.js'
import { smallWallets } from './market-plan.js'
import type { CommandGenerator, TradingDesk } from './trading-desk.js'

/** Few, so that those that end were opened. */
const sessionCount = 4

/** Wallets that are providers from the start: two that can pay for what they quote. */
const firstProviders = [smallWallets + 1, smallWallets + 2] as const

/** What there is to say before anybody can be asked for a quote. */
export function openingProviders(
  desk: TradingDesk,
  wallets: readonly number[] = firstProviders,
): Action[] {
  return wallets.flatMap((wallet) => {
    const named = commandOf(SetProviderCommand, { status: ProviderStatus.Active })
    setWallet(named, wallet)
    return [
      new Action(named),
      desk.signed(commandOf(ConnectProviderCommand, { session: wallet }), wallet),
    ]
  })
}

/** What becomes of quote providers: the operator names them, they connect, and they leave. */
export const providerCommands: readonly CommandGenerator[] = [
  { weight: 2, make: setProvider },
  { weight: 12, make: connectProvider },
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

/** Mostly of one that is a provider, which every start and every end leaves without a session. */
function connectProvider(desk: TradingDesk): Action {
  const { random } = desk
  const command = commandOf(ConnectProviderCommand, { session: random.below(sessionCount) })
  return desk.signed(command, random.chance(0.7) ? random.pick(firstProviders) : desk.wallet())
}

/** Of a session that was opened, has ended, or never was. */
function leaveProvider(desk: TradingDesk): Action {
  const session = desk.random.below(sessionCount)
  const command = commandOf(LeaveProviderCommand, { session })
  setWallet(command, desk.wallet())
  return new Action(command)
}
