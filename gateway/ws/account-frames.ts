import { type AnyCommand, SetCancelOnDisconnectCommand } from '../../schemas/generated/commands.js'
import type { BodyShape } from '../../schemas/interface/body.js'
import { OutcomeFlag } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import { accountActions } from '../actions/account-actions.js'
import { type Action, readAction } from '../actions/action.js'
import { streamActions } from '../actions/stream-actions.js'
import { accountAnswers } from '../http/account-answers.js'
import { type Accepted, type AccountAnswer, submitWrite } from '../http/account-write.js'
import { Fault } from '../wire/fault.js'
import type { FrameHandler, FrameParts } from './frames.js'
import { encode, errorMessage } from './messages.js'
import { bodyOfFrame, refusesCommand, signedContext } from './signed-frames.js'
import { boundWalletsMax } from './wallet-bindings.js'

/** What hears of a write on its way, beside its connection. */
interface Watch<F extends BodyShape> {
  /** Returns the reason why the connection cannot send the write, or null. */
  refuses?(): Fault | null
  onClaimed?(command: AnyCommand): void
  onRefused?(): void
  /** @returns what the answer says beside its data. */
  onAccepted?(accepted: Accepted<F>): object
}

const tooMany = `A connection binds at most ${boundWalletsMax} wallets`
const onDisconnect = new SetCancelOnDisconnectCommand()

const onDisconnectAnswer: AccountAnswer<typeof streamActions.SetCancelOnDisconnect.body> = {
  dataOf: ({ wallet, values }) => ({ wallet, enabled: values.enabled }),
}

/** Signed writes of the account that the stream takes, by the types of their frames. */
export const accountFrames: Readonly<Record<string, FrameHandler>> = {
  CancelAll: accountFrame(accountActions.CancelAll, accountAnswers.CancelAll, 'CancelAllResult'),
  SetDeadMan: accountFrame(accountActions.SetDeadMan, accountAnswers.SetDeadMan, 'DeadManResult'),
  SetCancelOnDisconnect: accountFrame(
    streamActions.SetCancelOnDisconnect,
    onDisconnectAnswer,
    'CancelOnDisconnectResult',
    bindingOf,
  ),
}

/** The write of a row, answered by a message that has the data of the row's answer. */
function accountFrame<F extends BodyShape>(
  action: Action<F>,
  answer: AccountAnswer<F>,
  answerType: string,
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
          const data = answer.dataOf(accepted) as object
          const more = watch.onAccepted?.(accepted) ?? {}
          const { nonce } = frame
          hub.reply(
            session,
            encode({ type: answerType, ...data, ...more, nonce, seq: accepted.seq }),
          )
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

/** Keeps the session's bindings beside a SetCancelOnDisconnect. */
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
      return { bound: bindings.isBound(wallet) }
    },
  }
}
