import { JudgeUsernameCommand, RequestUsernameCommand } from '../../schemas/generated/commands.js'
import { UsernameVerdict } from '../../schemas/record-values.js'
import { type RigCommands, type RigOrder, walletOf } from './rig-commands.js'

const requested = new RequestUsernameCommand()
const judged = new JudgeUsernameCommand()

/** Writes a RequestUsername. */
export function requestUsername(
  rig: RigCommands,
  wallet: number,
  name: string,
  signed: Partial<RigOrder> = {},
): number {
  requested.claim(rig)
  rig.sign(requested, wallet, signed)
  requested.usernameText = name
  return rig.requests
}

/**
 * Writes a JudgeUsername.
 * @param name the judged name; empty means the requested name of the wallet
 */
export function judgeUsername(
  rig: RigCommands,
  wallet: number,
  verdict: UsernameVerdict = UsernameVerdict.Approved,
  name = '',
): number {
  judged.claim(rig)
  judged.u8.set(walletOf(wallet), judged.walletAt)
  judged.verdict = verdict
  judged.usernameText = name
  return rig.requests
}
