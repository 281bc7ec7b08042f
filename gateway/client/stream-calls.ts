import { ConnectionError, errorOfAnswer } from './client-error.js'
import type { StreamMessage } from './stream-types.js'

/** Caller that waits for an answer. */
interface Waiting {
  readonly resolve: (message: StreamMessage) => void
  readonly reject: (error: Error) => void
}

/** Frame whose answer has its own type and the same ids. */
interface WaitingFrame extends Waiting {
  readonly frame: StreamMessage
  readonly answer: string
  readonly ids: readonly string[]
}

/** Message types that answer a signed command. */
const commandAnswers: readonly string[] = [
  ...['OrderResult', 'RfqAcceptResult'],
  ...['CancelAllResult', 'DeadManResult', 'CancelOnDisconnectResult'],
]
export const answerMillisMaxDefault = 30_000

/**
 * Commands and queries of a stream without an answer yet. After its timeout one fails, but keeps its register until the
 * connection ends, so that a late answer is not taken for that of the next one.
 */
export class StreamCalls {
  readonly #send: (frame: StreamMessage) => void
  readonly #answerMillisMax: number
  /** By nonce, oldest first. A command may be sent again while its answer is pending. */
  readonly #commands = new Map<string, Waiting[]>()
  /** Oldest first. */
  #frames: WaitingFrame[] = []

  constructor(
    send: (frame: StreamMessage) => void,
    answerMillisMax: number | undefined = answerMillisMaxDefault,
  ) {
    this.#send = send
    this.#answerMillisMax = answerMillisMax
  }

  /** Sends a signed command. Its answer has the same nonce. */
  command<Answer extends StreamMessage>(frame: StreamMessage): Promise<Answer> {
    return this.#inTime(frame, (waiting) => {
      const nonce = String(frame['nonce'])
      this.#commands.set(nonce, [...(this.#commands.get(nonce) ?? []), waiting])
    })
  }

  /** Sends a frame. @param ids Fields that its answer repeats. @param answer Type of its answer. */
  ask<Answer extends StreamMessage>(
    ids: readonly string[],
    frame: StreamMessage,
    answer: string,
  ): Promise<Answer> {
    return this.#inTime(frame, (waiting) => this.#frames.push({ ids, answer, frame, ...waiting }))
  }

  /** Takes a message, which may answer a command and a frame. */
  take(message: StreamMessage): void {
    if (message.type === 'Error' || commandAnswers.includes(message.type)) {
      this.#answerCommand(message)
    }
    if (this.#frames.length > 0) this.#answerFrame(message)
  }

  /** Fails all unanswered commands and frames when the connection ends. */
  fail(reason: string): void {
    const waiting = [...[...this.#commands.values()].flat(), ...this.#frames]
    this.#commands.clear()
    this.#frames = []
    for (const { reject } of waiting) reject(new ConnectionError(reason))
  }

  #inTime<Answer extends StreamMessage>(
    frame: StreamMessage,
    register: (waiting: Waiting) => void,
  ): Promise<Answer> {
    return new Promise<StreamMessage>((resolve, reject) => {
      const signed = 'signature' in frame ? ': look up its result by its digest' : ''
      const late = `${frame.type}: no answer within ${this.#answerMillisMax} ms${signed}`
      const timer = setTimeout(() => reject(new ConnectionError(late)), this.#answerMillisMax)
      const inTime =
        <Value>(then: (value: Value) => void) =>
        (value: Value) => {
          clearTimeout(timer)
          then(value)
        }
      register({ resolve: inTime(resolve), reject: inTime(reject) })
      this.#send(frame)
    }) as Promise<Answer>
  }

  #answerCommand(message: StreamMessage): void {
    const nonce = String(message['nonce'])
    const all = this.#commands.get(nonce) ?? []
    const waiting = all.shift()
    if (waiting === undefined) return
    if (all.length === 0) this.#commands.delete(nonce)
    answer(waiting, message)
  }

  #answerFrame(message: StreamMessage): void {
    const isError = message.type === 'Error'
    const waiting = this.#frames.find(({ ids, answer, frame }) => {
      if (isError) {
        const isCause = message['request_type'] === frame.type
        return isCause && isSameId(frame['rfq_id'], message['rfq_id'])
      }
      return message.type === answer && ids.every((id) => isSameId(frame[id], message[id]))
    })
    if (waiting === undefined) return
    this.#frames = this.#frames.filter((other) => other !== waiting)
    answer(waiting, message)
  }
}

function answer({ resolve, reject }: Waiting, message: StreamMessage): void {
  if (message.type === 'Error') reject(errorOfAnswer(0, message))
  else resolve(message)
}

/** Compares ids ignoring case, which is not significant in UUIDs and addresses. */
function isSameId(one: unknown, other: unknown): boolean {
  return String(one ?? '').toLowerCase() === String(other ?? '').toLowerCase()
}
