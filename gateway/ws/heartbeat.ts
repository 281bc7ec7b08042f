import type { Config } from '../config/config-schema.js'
import { closeCodes } from '../transport/close-codes.js'
import type { StreamSocket } from '../transport/transport.js'

export type HeartbeatLimits = Pick<Config['stream'], 'pingMillis' | 'pongTimeoutMillis'>

/** How a connection whose client does not answer pings ends. */
export const pongMissed = { code: closeCodes.policy, reason: 'pong timeout' } as const

/** Pings of one connection, and whether they are answered. */
export class Heartbeat {
  readonly #socket: StreamSocket
  readonly #limits: HeartbeatLimits
  #pingedMillis: number
  /** When the oldest ping without an answer was sent; 0: none. */
  #unansweredMillis = 0

  constructor(socket: StreamSocket, limits: HeartbeatLimits, nowMillis: number) {
    this.#socket = socket
    this.#limits = limits
    this.#pingedMillis = nowMillis
  }

  onPong(): void {
    this.#unansweredMillis = 0
  }

  /** Pings when it is time to. @returns whether an answer is missing for too long. */
  isMissed(nowMillis: number): boolean {
    const { pingMillis, pongTimeoutMillis } = this.#limits
    const isOld = nowMillis - this.#unansweredMillis > pongTimeoutMillis
    if (this.#unansweredMillis > 0 && isOld) return true
    if (nowMillis - this.#pingedMillis < pingMillis) return false
    this.#pingedMillis = nowMillis
    if (this.#unansweredMillis === 0) this.#unansweredMillis = nowMillis
    this.#socket.ping()
    return false
  }
}
