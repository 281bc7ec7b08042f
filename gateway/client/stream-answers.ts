import type { StreamMessage } from './stream-types.js'

/** Subscription of the connection, shared by its holders. */
export interface Subscription {
  readonly frame: StreamMessage
  holders: number
}

/** True for a message that ends a resume, which follows the acknowledgement of a Subscribe. */
export function isResumeAnswer({ type, code }: StreamMessage): boolean {
  return type === 'Resumed' || (type === 'Error' && code === 'resume_unavailable')
}

/** True for the answer to a frame that `#ask` sent. An Error without a `request_type` concerns the whole connection. */
export function isOpeningAnswer(message: StreamMessage): boolean {
  const { type, request_type: cause } = message
  if (isResumeAnswer(message)) return false
  if (type === 'Error') return cause === 'Authenticate' || cause === 'Subscribe'
  return type === 'Authenticated' || type === 'Subscribed'
}
