import { type Body, safetyBody, type WalletKey } from './signed-body.js'
import type { StreamPeer } from './stream-peer.js'
import { eventually, type Venue, type Wire } from './venue.js'

/** Shared steps of the tests of cancel-on-disconnect, on one venue. */
export interface Disconnects {
  /**
   * Enables cancel-on-disconnect for the wallet on the connection.
   * @returns the answer
   */
  bind(peer: StreamPeer, by: WalletKey, patch?: Body): Promise<Wire>
  /** Returns the statuses of the wallet's orders, newest first. */
  statusesOf(by: WalletKey): Promise<string[]>
  /** Waits until a connection's end has ended all of them. */
  eventuallyEnded(by: WalletKey): Promise<void>
}

export function disconnects(venue: Venue): Disconnects {
  const statusesOf = async (by: WalletKey) => {
    const rows: Wire[] = (await venue.read(`/orders?wallet=${by.wallet}`)).data
    return rows.map(({ status, reason }) => (reason === null ? status : `${status}: ${reason}`))
  }
  return {
    async bind(peer, by, patch = {}) {
      const body = await safetyBody(by, 'SetCancelOnDisconnect', { enabled: true, ...patch })
      return peer.ask({ type: 'SetCancelOnDisconnect', ...body }, 'CancelOnDisconnectResult')
    },
    statusesOf,
    eventuallyEnded: (by) =>
      eventually('ended with the connection', async () =>
        (await statusesOf(by)).every((each) => each === 'canceled: Cancelled on disconnect'),
      ),
  }
}
