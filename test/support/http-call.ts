import type { HeaderList, HttpCall } from '../../gateway/transport/transport.js'

/** Answer as the transport would send it. */
export interface CallAnswer {
  readonly status: number
  readonly text: string
  readonly headers: HeaderList
}

/** Returns a request without query or headers, from an address of the documentation range. */
export function httpCall(
  method: string,
  path: string,
  body: Buffer | null,
  onAnswer: (answer: CallAnswer) => void,
): HttpCall {
  return {
    method,
    path,
    query: '',
    requestId: '',
    authorization: '',
    accept: '',
    acceptEncoding: '',
    host: '',
    address: Uint8Array.of(203, 0, 113, 9),
    connection: null,
    body,
    cutOff: () => {},
    answer: (status, text, headers) => {
      onAnswer({ status, text: Buffer.from(text).toString(), headers })
    },
  }
}
