import type { HeaderList, HttpCall } from '../transport.js'

interface HeldAnswer {
  readonly call: HttpCall
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

  /** The same request, its answer going through the gate. */
  guard(call: HttpCall): HttpCall {
    return new GuardedCall(call, this)
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
    for (const { call, status, body, headers } of held) call.answer(status, body, headers)
  }

  pass(held: HeldAnswer): void {
    if (this.#isHolding) this.#held.push(held)
    else held.call.answer(held.status, held.body, held.headers)
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

  constructor(call: HttpCall, gate: AnswerGate) {
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
    this.#gate.pass({ call: this.#call, status, body, headers })
  }
}
