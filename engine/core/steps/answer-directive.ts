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
 * Publishes the result of a directive before its acknowledgement, so that a client with the answer finds it by its id.
 * The engine decides at once, so the result is final. Publishes nothing for other commands, for duplicates, or for
 * failures that are no rejections: those leave no trace.
 * @param result `Accepted`, or the reason of the rejection.
 */
export function publishDirectiveResult(
  state: PublishDirectiveState,
  batch: Batch,
  ticket: number,
  result: Result,
): void {
  const command = batch.command(ticket)
  const action = actionOf(command)
  const account = batch.account[ticket]
  if (action === undefined || account < 0) return
  if (result !== Result.Accepted && !isRejection(result)) return
  publishDecided(state, account, action, command, result)
}

/** Returns the action of a directive, or undefined for any other command. */
function actionOf(command: AnyCommand): DirectiveAction | undefined {
  const { recordType } = command
  if (isTradingDirective(command)) return tradingActions[recordType]
  return ownActions[recordType]
}
