import type { StreamMessage } from './stream-types.js'

/** Who waits for an answer. */
interface Waiting<Result> {
  readonly resolve: (result: Result) => void
  readonly reject: (error: Error) => void
}
/** Whose nonce the answer has. */
export type WaitingCommand = Waiting<StreamMessage>
/** Types of what answers a signed command. */
export const commandAnswers: readonly string[] = [
  ...['OrderResult', 'CancelAllResult', 'DeadManResult', 'CancelOnDisconnectResult'],
]

/** A frame that is answered by a message of its own under the same ids. */
export interface WaitingFrame extends Waiting<StreamMessage> {
  readonly frame: StreamMessage
  readonly answer: string
  readonly ids: readonly string[]
}

/** A subscription of the connection; several callers may hold it. */
export interface Subscription {
  readonly frame: StreamMessage
  holders: number
}

/** Whether it ends what a Subscribe has asked for behind its acknowledgement. */
export function isResumeAnswer({ type, code }: StreamMessage): boolean {
  return type === 'Resumed' || (type === 'Error' && code === 'resume_unavailable')
}

/** Whether it answers a frame that `#ask` sent. An Error that names no frame is about the connection. */
export function isOpeningAnswer(message: StreamMessage): boolean {
  const { type, request_type: cause } = message
  if (isResumeAnswer(message)) return false
  if (type === 'Error') return cause === 'Authenticate' || cause === 'Subscribe'
  return type === 'Authenticated' || type === 'Subscribed'
}

/** Of UUIDs and addresses the case of letters says nothing. */
export function isSameId(one: unknown, other: unknown): boolean {
  return String(one ?? '').toLowerCase() === String(other ?? '').toLowerCase()
}
