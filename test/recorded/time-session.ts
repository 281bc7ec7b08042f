import { bidBody, payoutsSeenBody, placeBody, type WalletKey } from '../e2e/support/signed-body.js'
import { funded, list } from './market-session.js'
import type { RecordedConnection, RecordedVenue } from './recorded-venue.js'

const contested = 'BTC-20260131-120000-C'
const early = 'ETH-20260103-3000-C'
const priceless = 'XRP-20260103-2-C'
const risky = 'SOL-20260131-110000-C'

async function trade(
  venue: RecordedVenue,
  symbol: string,
  price: string,
  [seller, buyer]: readonly WalletKey[],
): Promise<void> {
  const terms = { symbol, size: '1', price }
  await venue.send('POST', '/order', await placeBody(seller!, { ...terms, side: 'Sell' }))
  await venue.send('POST', '/order', await placeBody(buyer!, terms))
}

/** Plays a competition between two wallets, from creation to medals. The lead changes once. */
export async function playCompetition(venue: RecordedVenue): Promise<void> {
  await venue.set('/instruments', { symbol: contested })
  const one = await funded(venue, 'racer one')
  const other = await funded(venue, 'racer two')
  const begin = venue.now()
  const named = { name: 'Recorded', win_conditions: ['pnl', 'volume'] }
  const times = { start_ts_ms: begin + 10_000, end_ts_ms: begin + 60_000 }
  await venue.set('/competitions', { ...named, ...times })
  await venue.set('/competitions', { ...named, ...times, end_ts_ms: 2 })
  await venue.pass(10_000)
  const peers: RecordedConnection[] = []
  for (const channel of ['competition', 'competition_engagement']) {
    for (const { wallet } of [one, other]) {
      const peer = await venue.connect(channel, `/ws?wallet=${wallet}`)
      await peer.subscribe(channel)
      peers.push(peer)
      await venue.tick()
    }
  }
  for (const [price, seller, buyer] of [
    ['3300', one, other],
    ['3500', other, one],
    ['3500', other, one],
    ['4100', one, other],
  ] as const) {
    await trade(venue, contested, price, [seller, buyer])
    await venue.pass(3000)
  }
  await venue.get('/leaderboard')
  await venue.pass(begin + 61_000 - venue.now())
  await venue.tick()
  for (const peer of peers) peer.close()
}

/** Plays a liquidation of a short: grace period, partial phase, auction, bid. */
export async function playLiquidation(venue: RecordedVenue, maker: WalletKey): Promise<void> {
  await list(venue, 'SOL', [risky], '100000')
  const short = await funded(venue, 'short', '15000')
  const peer = await venue.connect('liquidation', `/ws?wallet=${short.wallet}`)
  await peer.subscribe('liquidation')
  await trade(venue, risky, '3270', [short, maker])
  await venue.set('/index-prices', { prices: [{ underlying: 'SOL', price: '108500' }] })
  const statusPath = `/liquidation/status?wallet=${short.wallet}`
  for (const millis of [1000, 10_000, 21_000]) {
    await venue.pass(millis)
    await venue.get(statusPath)
    await venue.call('GET', '/operator/liquidations', { port: 'operator' })
  }
  const { data } = await venue.get(statusPath)
  const bid = async (by: WalletKey, patch = {}) =>
    venue.send('POST', '/liquidation/standard-margin', await bidBody(by, data, patch))
  await bid(maker)
  await bid(maker, { auction_version: 77 })
  await venue.get(statusPath)
  peer.close()
}

/** Plays two expiries: one has a price, one waits for the operator's price. */
export async function playExpiry(
  venue: RecordedVenue,
  wallets: readonly WalletKey[],
): Promise<void> {
  await list(venue, 'ETH', [early], '3100')
  await venue.set('/instruments', { symbol: priceless })
  await venue.set('/instruments', { symbol: 'XRP-20260103-3-C' })
  await venue.set('/instruments', { symbol: 'XRP-20260103-3-C' }, 'DELETE')
  await trade(venue, early, '150', wallets)
  const [, buyer] = wallets
  const expiryMillis = Date.UTC(2026, 0, 3, 8)
  await venue.pass(expiryMillis - 1500 - venue.now())
  const peers: RecordedConnection[] = []
  for (const channel of ['portfolio', 'market_updates']) {
    const peer = await venue.connect(`expiry ${channel}`, `/ws?wallet=${buyer!.wallet}`)
    await peer.subscribe(channel)
    peers.push(peer)
    await venue.settle()
  }
  await venue.pass(3000)
  const expiry = '2026-01-03'
  await venue.set('/settlement-prices', { underlying: 'XRP', expiry, price: '2.5' })
  await venue.set('/settlement-prices', { underlying: 'XRP', expiry, price: '2.6' })
  for (const peer of peers) peer.close()
  const { data } = await venue.get(`/settlement-payouts?wallet=${buyer!.wallet}`)
  const ids = data.map(({ id }: { id: number }) => id)
  await venue.send('POST', '/settlement-payouts/seen', await payoutsSeenBody(buyer!, { ids }))
}
