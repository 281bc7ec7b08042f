import type { Config } from '../config/config-schema.js'
import { closeCodes } from '../transport/close-codes.js'
import type { StreamSocket } from '../transport/transport.js'

export type HeartbeatLimits = Pick<Config['stream'], 'pingMillis' | 'pongTimeoutMillis'>

/** Close code and reason of a connection that does not answer pings. */
export const pongMissed = { code: closeCodes.policy, reason: 'pong timeout' } as const

/** Sends pings on one connection and checks for pongs. */
export class Heartbeat {
  readonly #socket: StreamSocket
  readonly #limits: HeartbeatLimits
  #pingedMillis: number
  /** Time of the oldest ping without a pong; 0: none. */
  #unansweredMillis = 0

  constructor(socket: StreamSocket, limits: HeartbeatLimits, nowMillis: number) {
    this.#socket = socket
    this.#limits = limits
    this.#pingedMillis = nowMillis
  }

  onPong(): void {
    this.#unansweredMillis = 0
  }

  /** Sends a ping when it is due. @returns True if a pong is overdue. */
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
