import { CommandType, SetCancelOnDisconnectCommand } from '../../schemas/generated/commands.js'
import type { CancelOnDisconnectAnswer } from '../wire/wire-types.js'
import { answers, streamAction } from './action.js'
import { boolean, wallet } from './fields.js'

/** Signed writes of an account that concern the connection over which they come: they have no endpoint. */
export const streamActions = {
  /** Ends the wallet's working orders, requests for quote and live quotes when this connection ends. */
  SetCancelOnDisconnect: streamAction('SetCancelOnDisconnect', {
    fields: { wallet, enabled: boolean },
    command: CommandType.SetCancelOnDisconnect,
    record: SetCancelOnDisconnectCommand,
    content: ({ enabled }) => ({ enabled: enabled ? 1 : 0 }),
    answer: answers<CancelOnDisconnectAnswer>(),
  }),
}

export type StreamActions = typeof streamActions
export type StreamActionName = keyof StreamActions
