import { addressKeyOf } from '../limits/address-limits.js'
import type { ProviderSession } from './provider-session.js'

// Each may hold an unfinished frame of 2 MiB in the transport.
const silentMax = 16

/**
 * Sessions of one gateway thread that have sent no handshake. Beyond 16 the oldest session of the address with the most of
 * them closes: a provider's handshake takes one round trip, so a provider loses its place only to its own connections.
 */
export class SilentSessions {
  /** In order of arrival. */
  readonly #byAddress = new Map<string, Set<ProviderSession>>()
  #count = 0

  add(session: ProviderSession): void {
    const key = keyOf(session)
    const sessions = this.#byAddress.get(key) ?? new Set()
    this.#byAddress.set(key, sessions.add(session))
    this.#count++
    if (this.#count > silentMax) this.#oldestOfMost().cutOff()
  }

  /** Does nothing for an unknown session. */
  delete(session: ProviderSession): void {
    const key = keyOf(session)
    const sessions = this.#byAddress.get(key)
    if (sessions?.delete(session) !== true) return
    this.#count--
    if (sessions.size === 0) this.#byAddress.delete(key)
  }

  #oldestOfMost(): ProviderSession {
    const most = [...this.#byAddress.values()].reduce((a, b) => (b.size > a.size ? b : a))
    const [oldest] = most
    return oldest!
  }
}

function keyOf({ socket: { address } }: ProviderSession): string {
  return Buffer.from(addressKeyOf(address).bytes).toString('hex')
}
