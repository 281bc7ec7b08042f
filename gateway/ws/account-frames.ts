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

/** Observer of the results of a write; the connection gets them, too. */
interface Watch<F extends BodyShape> {
  /** Returns the reason why the connection cannot send the write, or null. */
  refuses?(): Fault | null
  onClaimed?(command: AnyCommand): void
  onRefused?(): void
  onAccepted?(accepted: Accepted<F>): void
}

/** Nonce of the frame, and sequence of its result. */
interface Stamp {
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

/** Signed writes of the account that the stream takes, by the types of their frames. */
export const accountFrames: Readonly<Record<string, FrameHandler>> = {
  CancelAll: accountFrame(accountActions.CancelAll, accountAnswers.CancelAll, (data, stamp) => ({
    ...{ type: 'CancelAllResult', ...data, ...stamp },
  })),
  SetDeadMan: accountFrame(accountActions.SetDeadMan, accountAnswers.SetDeadMan, (data, stamp) => ({
    ...{ type: 'DeadManResult', ...data, ...stamp },
  })),
  SetCancelOnDisconnect: accountFrame(
    streamActions.SetCancelOnDisconnect,
    onDisconnectAnswer,
    (data, stamp, { bindings }) => ({
      ...{ type: 'CancelOnDisconnectResult', ...data },
      ...{ bound: bindings.isBound(data.wallet), ...stamp },
    }),
    bindingOf,
  ),
}

/**
 * The write of a row, answered by a message.
 * @param messageOf makes it from the data of the row's answer.
 */
function accountFrame<F extends BodyShape, Data extends JsonValue>(
  action: Action<F>,
  answer: AccountAnswer<F, Data>,
  messageOf: (data: Data, stamp: Stamp, session: Session) => ClientMessage,
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
    let isUnderWay = false
    const end = () => {
      if (isUnderWay) session.commandsInFlight--
    }
    return submitWrite({
      ...{ context, ask: context.askHistory, action, answer, request },
      asker: {
        address: session.socket.address,
        onClaimed(command) {
          isUnderWay = true
          session.commandsInFlight++
          watch.onClaimed?.(command)
        },
        accept(accepted) {
          end()
          watch.onAccepted?.(accepted)
          const data = answer.dataOf(accepted) as Data
          const stamp = { nonce: frame['nonce'] as Stamp['nonce'], seq: accepted.seq }
          hub.reply(session, encode(messageOf(data, stamp, session)))
        },
        refuse(fault) {
          end()
          if (isUnderWay) watch.onRefused?.()
          hub.reply(session, errorMessage(fault, signedContext(frame)))
        },
      },
    })
  }
}

/** Keeps the bindings of the session in step with a SetCancelOnDisconnect. */
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
