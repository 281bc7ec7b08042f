import { type AnyCommand, SetCancelOnDisconnectCommand } from '../../schemas/generated/commands.js'
import type { BodyShape } from '../../schemas/interface/body.js'
import type { ClientMessage, MessageOf } from '../../schemas/interface/streams.js'
import { OutcomeFlag } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import { accountActions } from '../actions/account-actions.js'
import { type Action, readAction } from '../actions/action.js'
import { streamActions } from '../actions/stream-actions.js'
import { accountAnswers } from '../http/account-answers.js'
import { type Accepted, type AccountAnswer, submitWrite } from '../http/account-write.js'
import { Fault } from '../wire/fault.js'
import type { JsonValue } from '../wire/json-text.js'
import type { FrameHandler, FrameParts } from './frames.js'
import { encode, errorMessage } from './messages.js'
import type { Session } from './session.js'
import { bodyOfFrame, refusesCommand, signedContext } from './signed-frames.js'
import { boundWalletsMax } from './wallet-bindings.js'

/** Observer of a write's result, in addition to the connection. */
interface Watch<F extends BodyShape> {
  /** Returns the fault if the connection cannot send the write, or null. */
  refuses?(): Fault | null
  onClaimed?(command: AnyCommand): void
  onRefused?(): void
  onAccepted?(accepted: Accepted<F>): void
}

/** Nonce of the frame, and sequence of its result. */
interface Echo {
  readonly nonce: number | string
  readonly seq: number
}

const tooMany = `A connection binds at most ${boundWalletsMax} wallets`
const onDisconnect = new SetCancelOnDisconnectCommand()

type Disconnect = MessageOf<'CancelOnDisconnectResult'>

const onDisconnectAnswer: AccountAnswer<
  typeof streamActions.SetCancelOnDisconnect.body,
  Pick<Disconnect, 'wallet' | 'enabled'>
> = {
  dataOf: ({ wallet, values }) => ({ wallet, enabled: values.enabled }),
}

/** Handlers of the account actions that the stream supports, by frame type. */
export const accountFrames: Readonly<Record<string, FrameHandler>> = {
  CancelAll: accountFrame(accountActions.CancelAll, accountAnswers.CancelAll, (data, echo) => ({
    ...{ type: 'CancelAllResult', ...data, ...echo },
  })),
  SetDeadMan: accountFrame(accountActions.SetDeadMan, accountAnswers.SetDeadMan, (data, echo) => ({
    ...{ type: 'DeadManResult', ...data, ...echo },
  })),
  SetCancelOnDisconnect: accountFrame(
    streamActions.SetCancelOnDisconnect,
    onDisconnectAnswer,
    (data, echo, { bindings }) => ({
      ...{ type: 'CancelOnDisconnectResult', ...data },
      ...{ bound: bindings.isBound(data.wallet), ...echo },
    }),
    bindingOf,
  ),
}

/**
 * Returns the handler of an account action, which answers with a message.
 * @param messageOf Makes the message from the answer's data.
 */
function accountFrame<F extends BodyShape, Data extends JsonValue>(
  action: Action<F>,
  answer: AccountAnswer<F, Data>,
  messageOf: (data: Data, echo: Echo, session: Session) => ClientMessage,
  watchOf: (
    parts: FrameParts,
    wallet: string,
    values: Accepted<F>['values'],
  ) => Watch<F> = () => ({}),
): FrameHandler {
  return (frame, parts) => {
    const { context, hub, session } = parts
    const refused = refusesCommand(parts)
    if (refused !== null) return refused
    const request = readAction(action, bodyOfFrame(frame), context.signing)
    if (request instanceof Fault) return request
    const watch = watchOf(parts, request.wallet, request.values)
    const full = watch.refuses?.() ?? null
    if (full !== null) return full
    let isClaimed = false
    const end = () => {
      if (isClaimed) session.commandsInFlight--
    }
    return submitWrite({
      ...{ context, ask: context.queryHistory, action, answer, request },
      requester: {
        address: session.socket.address,
        onClaimed(command) {
          isClaimed = true
          session.commandsInFlight++
          watch.onClaimed?.(command)
        },
        accept(accepted) {
          end()
          watch.onAccepted?.(accepted)
          const data = answer.dataOf(accepted) as Data
          const echo = { nonce: frame['nonce'] as Echo['nonce'], seq: accepted.seq }
          hub.reply(session, encode(messageOf(data, echo, session)))
        },
        refuse(fault) {
          end()
          if (isClaimed) watch.onRefused?.()
          hub.reply(session, errorMessage(fault, signedContext(frame)))
        },
      },
    })
  }
}

/** Updates the session's bindings for a SetCancelOnDisconnect. */
function bindingOf(
  { session }: FrameParts,
  wallet: string,
  { enabled }: { readonly enabled: boolean },
): Watch<typeof streamActions.SetCancelOnDisconnect.body> {
  const { bindings, number } = session
  return {
    refuses: () =>
      enabled && !bindings.hasRoom(wallet) ? new Fault(Result.LimitExceeded, {}, tooMany) : null,
    onClaimed(command) {
      onDisconnect.of(command).session = number
      bindings.asked(wallet, enabled)
    },
    onRefused: () => bindings.answered(wallet, enabled, false),
    onAccepted({ event }) {
      bindings.answered(wallet, enabled, (event.flags & OutcomeFlag.Repeat) === 0)
    },
  }
}
