import { noStamp, type OrderStamps } from '../../engine/memory/order-stamps.js'
import type { HttpCall } from '../transport/transport.js'
import { millisBetween } from './acknowledgement.js'

/** Counts an answer that has left. */
export type AnswerCount = (status: number, kind: number, tookMillis: number) => void

/**
 * Holds answers back while a run of events is read: until the run's end it is not known whether the log has
 * overwritten what they say. At other times they pass at once.
 */
export class AnswerGate {
  #isHolding = false
  /** Send what is held. */
  #held: (() => void)[] = []
  readonly #stamps: OrderStamps
  readonly #count: AnswerCount

  /** @param stamps of the thread's commands, which hear when their answers leave. */
  constructor(stamps: OrderStamps, count: AnswerCount) {
    this.#stamps = stamps
    this.#count = count
  }

  /**
   * The same request, its answer going through the gate.
   * @param kind what its time counts as; -1: not at all.
   * @param arrivedMillis steady time of its arrival.
   */
  guard(call: HttpCall, kind = -1, arrivedMillis = performance.now()): HttpCall {
    const stamps = this.#stamps
    const arrivedMicros = stamps.receive(arrivedMillis)
    const { method, path, query, requestId, address, body } = call
    const { authorization, accept, acceptEncoding, host, connection } = call
    const answer: HttpCall['answer'] = (status, text, headers) => {
      const row = stamps.told
      const send = () => {
        call.answer(status, text, headers)
        if (kind < 0 && row === noStamp) return
        const leftMicros = stamps.answer(row)
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

  /** Lets all held answers go. */
  release(): void {
    this.#isHolding = false
    if (this.#held.length === 0) return
    const held = this.#held
    this.#held = []
    for (const send of held) send()
  }

  /** Drops all held answers: what they say may be nonsense. Their connections must be closed. */
  drop(): void {
    this.#isHolding = false
    this.#held = []
  }
}
