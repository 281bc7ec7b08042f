import { EndConnectionCommand } from '../../schemas/generated/commands.js'
import { writeAddress } from '../../schemas/wallet.js'
import type { CommandPort } from './command-port.js'

/** Closed connection of a bound wallet, not yet reported to the engine. */
interface PendingEnd {
  readonly wallet: string
  readonly connection: number
}

const ended = new EndConnectionCommand()
const numberMask = 0x7fffffff
const noListener = { onOutcome() {} }

/**
 * Numbers a gateway's connections, and reports to the engine the close of each bound one. Reports travel with the
 * commands, after all that the connection has sent. A report that finds no room in the ring is sent later.
 */
export class ConnectionEnds {
  readonly #port: CommandPort
  #pending: PendingEnd[] = []
  #number = 0

  constructor(port: CommandPort) {
    this.#port = port
  }

  /** Number of reports that wait for room. */
  get waiting(): number {
    return this.#pending.length
  }

  /** Returns a number that no other open connection of the gateway has. */
  next(): number {
    this.#number = (this.#number + 1) & numberMask
    return this.#number
  }

  /** Reports a closed connection, so that the engine cancels for the wallet. @param wallet Lower-case text. */
  tell(wallet: string, connection: number): void {
    // Reports keep their order.
    if (this.#pending.length > 0 || !this.#send({ wallet, connection })) {
      this.#pending.push({ wallet, connection })
    }
  }

  /** Sends reports that found no room before. Call whenever there may be room. */
  retry(): void {
    while (this.#pending.length > 0 && this.#send(this.#pending[0]!)) this.#pending.shift()
  }

  #send({ wallet, connection }: PendingEnd): boolean {
    const busy = this.#port.send(noListener, (sink) => {
      if (!ended.claim(sink)) return false
      writeAddress(wallet, ended.u8, ended.walletAt)
      ended.session = connection
      return true
    })
    return busy === null
  }
}
