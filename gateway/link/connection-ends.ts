import { EndConnectionCommand } from '../../schemas/generated/commands.js'
import { writeAddress } from '../../schemas/wallet.js'
import type { CommandPort } from './command-port.js'

/** The end of a connection for a wallet that it had bound, of which the engine has not been told. */
interface Untold {
  readonly wallet: string
  readonly connection: number
}

const ended = new EndConnectionCommand()
const numberMask = 0x7fffffff
const nobody = { onOutcome() {} }

/**
 * Numbers a gateway's connections, and tells the engine of the ends of those that wallets have bound. They go the way of
 * commands, behind all that the connection has sent, and none is lost: where there is no room it is told later.
 */
export class ConnectionEnds {
  readonly #port: CommandPort
  #untold: Untold[] = []
  #number = 0

  constructor(port: CommandPort) {
    this.#port = port
  }

  /** Ends that wait for room. */
  get waiting(): number {
    return this.#untold.length
  }

  /** A number that no other open connection of the gateway has. */
  next(): number {
    this.#number = (this.#number + 1) & numberMask
    return this.#number
  }

  /** The connection has ended: so does everything of the wallet. @param wallet lower-case text. */
  tell(wallet: string, connection: number): void {
    // Ends are told in their order.
    if (this.#untold.length > 0 || !this.#send({ wallet, connection })) {
      this.#untold.push({ wallet, connection })
    }
  }

  /** Tells what had no room before; to be called whenever there may be some. */
  retry(): void {
    while (this.#untold.length > 0 && this.#send(this.#untold[0]!)) this.#untold.shift()
  }

  #send({ wallet, connection }: Untold): boolean {
    const busy = this.#port.send(nobody, (sink) => {
      if (!ended.claim(sink)) return false
      writeAddress(wallet, ended.u8, ended.walletAt)
      ended.session = connection
      return true
    })
    return busy === null
  }
}
