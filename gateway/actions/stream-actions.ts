import { CommandType, SetCancelOnDisconnectCommand } from '../../schemas/generated/commands.js'
import { cancelOnDisconnect } from '../../schemas/interface/frames.js'
import { action } from './action.js'

/** Account actions that only the stream supports, because they concern its connection. */
export const streamActions = {
  SetCancelOnDisconnect: action(cancelOnDisconnect, {
    command: CommandType.SetCancelOnDisconnect,
    record: SetCancelOnDisconnectCommand,
    content: ({ enabled }) => ({ enabled: enabled ? 1 : 0 }),
  }),
}

export type StreamActions = typeof streamActions
export type StreamActionName = keyof StreamActions
