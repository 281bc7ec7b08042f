import { afterEach } from 'node:test'
import { quoteFrame } from './rfq-body.js'
import { connectBody, WalletKey } from './signed-body.js'
import { StreamPeer } from './stream-peer.js'
import type { Venue, Wire } from './venue.js'

/** Sockets are spread over a venue's gateways: with this many, each gateway has at least one. */
const watchersCount = 12

/** Row that a provider shows for one instrument; a price of 0 means none. */
export interface ShownRow {
  readonly bid?: string
  readonly ask?: string
  readonly size?: string
  readonly amount?: string
}

/** Quote provider that answers invitations as its test says. */
export class AuctionProvider {
  readonly by: WalletKey
  readonly peer: StreamPeer

  constructor(by: WalletKey, peer: StreamPeer) {
    this.by = by
    this.peer = peer
  }

  /** Returns the next request that it receives. */
  asked(): Promise<Wire> {
    return this.peer.next('rfq_request')
  }

  /** Quotes a price of a contract. */
  async quote(request: Wire, price: number, patch: object = {}): Promise<void> {
    const [{ side, size }] = request.legs
    const premium = price * Number(size) * (side === 'buy' ? -1 : 1)
    const frame = await quoteFrame(this.by, request, [String(price)], String(premium), { ...patch })
    this.peer.send(frame)
  }

  /**
   * Waits until the venue has processed all its quotes. Another provider's answer may reach another gateway earlier.
   */
  async settle(request: Wire): Promise<void> {
    const [leg] = request.legs
    await this.quote({ ...request, legs: [{ ...leg, size: String(2 * Number(leg.size)) }] }, 1)
    await this.peer.next(({ type, code }) => type === 'error' && code === 'legs_mismatch')
  }

  decline(request: Wire): void {
    this.peer.send({ type: 'rfq_response', rfq_id: request.rfq_id, action: 'decline' })
  }

  /** Returns the messages of a type about a request. */
  messagesAbout(type: string, request: Wire): Wire[] {
    return this.peer.ofType(type).filter(({ rfq_id: id }) => id === request.rfq_id)
  }
}

/** Opens providers of a venue, each for one test, after which no request invites them. */
export function auctionProviders(venue: Venue) {
  const opened: AuctionProvider[] = []
  const watchers: StreamPeer[] = []
  afterEach(async () => {
    for (const watcher of watchers.splice(0)) watcher.close()
    for (const { by, peer } of opened.splice(0)) {
      peer.close()
      await venue.set('/quote-providers', { wallet: by.wallet, status: 'suspended' })
    }
  })
  /** Opens a provider that may go short and shows a row that every gateway has received. */
  return async (instrument: string, row: ShownRow): Promise<AuctionProvider> => {
    const { bid = '0', ask = '0', size = '10', amount = '500000' } = row
    const by = new WalletKey()
    await venue.set('/deposits', { wallet: by.wallet, amount })
    await venue.set('/tiers', { wallet: by.wallet, tier: 'market_maker' })
    await venue.set('/quote-providers', { wallet: by.wallet, status: 'active' })
    const peer = await StreamPeer.open(venue, '/quotes')
    const provider = new AuctionProvider(by, peer)
    opened.push(provider)
    await peer.ask(await connectBody(by), 'authenticated')
    const sizes = { max_bid_size: size, max_ask_size: size }
    const shown = { instrument, bid_price: bid, ask_price: ask, ...sizes }
    peer.send({ type: 'indicative_quote_update', quotes: [shown] })
    while (watchers.length < watchersCount) {
      const watcher = await StreamPeer.open(venue)
      watchers.push(watcher)
      watcher.send({ type: 'Subscribe', channel: 'indicative_market_data' })
    }
    const isShown = ({ rfq_provider_quotes: quotes }: Wire) =>
      quotes?.some(({ wallet }: Wire) => wallet === by.wallet) === true
    await Promise.all(watchers.map((watcher) => watcher.next(isShown)))
    return provider
  }
}
