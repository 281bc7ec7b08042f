import { expirySeconds } from './signed-body.js'
import type { Venue } from './venue.js'

const surfacePoints = [
  { strike: '80000', iv: '0.6' },
  { strike: '120000', iv: '0.55' },
]

/** Lists BTC options with an index of 100,000 and a surface for `symbolOf`, so that all of them trade. */
export async function listMarket(venue: Venue, symbols: readonly string[]): Promise<void> {
  for (const symbol of symbols) await venue.set('/instruments', { symbol })
  await venue.set('/index-prices', { prices: [{ underlying: 'BTC', price: '100000' }] })
  const expiry = expirySeconds()
  await venue.set('/vol-surfaces', { underlying: 'BTC', expiry, points: surfacePoints })
}
