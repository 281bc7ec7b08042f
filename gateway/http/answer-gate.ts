import type { HeaderList, HttpCall } from '../transport/transport.js'
import { nowMicros } from './acknowledgement.js'

/** Counts an answer that has left. */
export type AnswerCount = (status: number, kind: number, arrivedMicros: number) => void

interface HeldAnswer {
  readonly call: HttpCall
  /** What its time counts as; -1: not at all. */
  readonly kind: number
  readonly arrivedMicros: number
  readonly status: number
  readonly body: string | Uint8Array
  readonly headers: HeaderList
}

/**
 * Holds answers back while a run of events is read: until the run's end it is not known whether the log has
 * overwritten what they say. At other times they pass at once.
 */
export class AnswerGate {
  #isHolding = false
  #held: HeldAnswer[] = []
  readonly #count: AnswerCount

  constructor(count: AnswerCount = () => {}) {
    this.#count = count
  }

  /** The same request, its answer going through the gate. @param kind what its time counts as; -1: not at all. */
  guard(call: HttpCall, kind = -1): HttpCall {
    return new GuardedCall(call, this, kind)
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
    for (const answer of held) this.#send(answer)
  }

  /** Drops all held answers: what they say may be nonsense. Their connections must be closed. */
  drop(): void {
    this.#isHolding = false
    this.#held = []
  }

  pass(held: HeldAnswer): void {
    if (this.#isHolding) this.#held.push(held)
    else this.#send(held)
  }

  #send({ call, kind, arrivedMicros, status, body, headers }: HeldAnswer): void {
    call.answer(status, body, headers)
    if (kind >= 0) this.#count(status, kind, arrivedMicros)
  }
}

class GuardedCall implements HttpCall {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly requestId: string
  readonly authorization: string
  readonly host: string
  readonly #call: HttpCall
  readonly #gate: AnswerGate
  readonly #kind: number
  readonly #arrivedMicros = nowMicros()

  constructor(call: HttpCall, gate: AnswerGate, kind: number) {
    this.#kind = kind
    this.method = call.method
    this.path = call.path
    this.query = call.query
    this.requestId = call.requestId
    this.authorization = call.authorization
    this.host = call.host
    this.#call = call
    this.#gate = gate
  }

  get address(): Uint8Array {
    return this.#call.address
  }

  get body(): Buffer | null {
    return this.#call.body
  }

  answer(status: number, body: string | Uint8Array, headers: HeaderList): void {
    const [kind, arrivedMicros] = [this.#kind, this.#arrivedMicros]
    this.#gate.pass({ call: this.#call, kind, arrivedMicros, status, body, headers })
  }
}
