import { DirectiveAction } from '../../../schemas/domain.js'
import { type AnyCommand, CommandType } from '../../../schemas/generated/commands.js'
import { isRejection, Result } from '../../../schemas/results.js'
import { type PublishDirectiveState, publishDecided } from '../../publish/publish-directive.js'
import type { Batch } from '../../state/batch.js'
import { isTradingDirective } from './perp-terms.js'

const ownActions: Readonly<Partial<Record<number, DirectiveAction>>> = {
  [CommandType.UpdateApiWallet]: DirectiveAction.UpdateApiWallet,
  [CommandType.SetAbstraction]: DirectiveAction.SetAbstraction,
}
const tradingActions: Readonly<Partial<Record<number, DirectiveAction>>> = {
  [CommandType.PlaceOrder]: DirectiveAction.LimitOrder,
  [CommandType.CancelOrder]: DirectiveAction.CancelByOid,
  [CommandType.CancelByClientId]: DirectiveAction.CancelByCloid,
}

/**
 * Tells what a directive has come to, before its outcome: whoever has the answer finds it under its id. The engine
 * decides at once, so it is final. Of any other command nothing is told, nor of a repeat, nor of what is answered as an
 * error: that leaves nothing behind.
 * @param refusal `Accepted` where it was carried out.
 */
export function tellDirective(
  state: PublishDirectiveState,
  batch: Batch,
  ticket: number,
  refusal: Result,
): void {
  const command = batch.command(ticket)
  const action = actionOf(command)
  const account = batch.account[ticket]
  if (action === undefined || account < 0) return
  if (refusal !== Result.Accepted && !isRejection(refusal)) return
  publishDecided(state, account, action, command, refusal)
}

/** What a directive asks for; undefined: the command is none of these. */
function actionOf(command: AnyCommand): DirectiveAction | undefined {
  const { recordType } = command
  if (isTradingDirective(command)) return tradingActions[recordType]
  return ownActions[recordType]
}
