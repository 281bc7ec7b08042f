import type { StreamMessage } from './stream-types.js'

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
