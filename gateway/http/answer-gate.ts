import { noTimestamp, type OrderTimestamps } from '../../engine/memory/order-timestamps.js'
import type { HttpCall } from '../transport/transport.js'
import { millisBetween } from './acknowledgement.js'

/** Counts a sent answer. */
export type AnswerCount = (status: number, kind: number, tookMillis: number) => void

/**
 * Holds answers back while a run of events is being read, because the log may have overwritten their data by the end of
 * the run. At other times passes them immediately.
 */
export class AnswerGate {
  #isHolding = false
  /** Held answers, as functions that send them. */
  #held: (() => void)[] = []
  readonly #timestamps: OrderTimestamps
  readonly #count: AnswerCount

  /**
   * @param timestamps Timestamps of the thread's commands, updated when their answers leave.
   */
  constructor(timestamps: OrderTimestamps, count: AnswerCount) {
    this.#timestamps = timestamps
    this.#count = count
  }

  /**
   * Wraps a request so that its answer passes through the gate.
   * @param kind Latency kind; -1: not measured.
   * @param arrivedMillis Monotonic time of arrival.
   */
  guard(call: HttpCall, kind = -1, arrivedMillis = performance.now()): HttpCall {
    const timestamps = this.#timestamps
    const arrivedMicros = timestamps.receive(arrivedMillis)
    const { method, path, query, requestId, address, body } = call
    const { authorization, accept, acceptEncoding, host, connection } = call
    const answer: HttpCall['answer'] = (status, text, headers) => {
      const row = timestamps.decidedRow
      const send = () => {
        call.answer(status, text, headers)
        if (kind < 0 && row === noTimestamp) return
        const leftMicros = timestamps.answer(row)
        if (kind >= 0) this.#count(status, kind, millisBetween(arrivedMicros, leftMicros))
      }
      if (this.#isHolding) this.#held.push(send)
      else send()
    }
    return {
      method,
      path,
      query,
      requestId,
      authorization,
      accept,
      acceptEncoding,
      host,
      address,
      connection,
      body,
      answer,
      cutOff: () => call.cutOff(),
    }
  }

  hold(): void {
    this.#isHolding = true
  }

  /** Sends all held answers. */
  release(): void {
    this.#isHolding = false
    if (this.#held.length === 0) return
    const held = this.#held
    this.#held = []
    for (const send of held) send()
  }

  /** Drops all held answers, whose data may be invalid. The caller must close their connections. */
  drop(): void {
    this.#isHolding = false
    this.#held = []
  }
}
