import { ProviderStatus } from '../../../schemas/domain.js'
import {
  ConnectProviderCommand,
  LeaveProviderCommand,
  SetProviderCommand,
} from '../../../schemas/generated/commands.js'
import { Action } from './action.js'
import { commandOf, setWallet } from './command-record.js'
import { smallWallets } from './market-plan.js'
import type { CommandGenerator, Trader } from './trader.js'

/** Few, so that the sessions that end are mostly open ones. */
const sessionCount = 4

/** Providers from the start: two wallets that can pay for their quotes. */
const firstProviders = [smallWallets + 1, smallWallets + 2] as const

/** Returns the actions that must precede the first request for quote. */
export function openingProviders(
  trader: Trader,
  wallets: readonly number[] = firstProviders,
): Action[] {
  return wallets.flatMap((wallet) => {
    const named = commandOf(SetProviderCommand, { status: ProviderStatus.Active })
    setWallet(named, wallet)
    return [
      new Action(named),
      trader.signed(commandOf(ConnectProviderCommand, { session: wallet }), wallet),
    ]
  })
}

/** Events of quote providers: the operator names them, they connect, and they leave. */
export const providerCommands: readonly CommandGenerator[] = [
  { weight: 2, make: setProvider },
  { weight: 12, make: connectProvider },
  { weight: 2, make: leaveProvider },
]

/** Sometimes names a wallet without an account, sometimes sets the status it already has. */
function setProvider(trader: Trader): Action {
  const { random } = trader
  const command = commandOf(SetProviderCommand, {})
  setWallet(command, trader.wallet())
  const { Active, Suspended } = ProviderStatus
  command.status = random.chance(0.8) ? Active : Suspended
  return new Action(command)
}

/** Mostly connects a provider, since every start and every connection's end leaves them without a session. */
function connectProvider(trader: Trader): Action {
  const { random } = trader
  const command = commandOf(ConnectProviderCommand, { session: random.below(sessionCount) })
  return trader.signed(command, random.chance(0.7) ? random.pick(firstProviders) : trader.wallet())
}

/** Ends a session that is open, has ended, or never existed. */
function leaveProvider(trader: Trader): Action {
  const session = trader.random.below(sessionCount)
  const command = commandOf(LeaveProviderCommand, { session })
  setWallet(command, trader.wallet())
  return new Action(command)
}
