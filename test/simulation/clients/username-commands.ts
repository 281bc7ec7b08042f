import {
  JudgeUsernameCommand,
  RequestUsernameCommand,
} from '../../../schemas/generated/commands.js'
import type { UsernameVerdict } from '../../../schemas/record-values.js'
import { Action } from './action.js'
import { commandOf, setWallet } from './command-record.js'
import type { CommandGenerator, Trader } from './trader.js'

/** Few, so that wallets compete for them, and some that are invalid or reserved. */
const names = ['anna', 'bert', 'carla', 'dora', 'emil', 'admin', 'Anna', 'x', '0x1234'] as const

/** Username requests of wallets, and the operator's verdicts. */
export const usernameCommands: readonly CommandGenerator[] = [
  { weight: 2, make: requestUsername },
  { weight: 1, make: judgeUsername },
]

function requestUsername(trader: Trader): Action {
  const usernameText = trader.random.pick(names)
  return trader.signed(commandOf(RequestUsernameCommand, { usernameText }))
}

/** Mostly a verdict on the wallet's pending request, if any; also on invalid names. */
function judgeUsername(trader: Trader): Action {
  const { random } = trader
  const command = commandOf(JudgeUsernameCommand, {})
  setWallet(command, trader.wallet())
  command.verdict = random.below(3) as UsernameVerdict
  if (random.below(4) === 0) command.usernameText = random.pick(names)
  return new Action(command)
}
