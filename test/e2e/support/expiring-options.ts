import assert from 'node:assert/strict'
import { orderActions } from './order-actions.js'
import { symbolOf, type WalletKey } from './signed-body.js'
import type { Venue } from './venue.js'

/** Two wallets, long and short of an option that is about to expire. */
export interface Held {
  readonly symbol: string
  readonly underlying: string
  readonly strike: number
  /** Unix seconds. */
  readonly expiry: number
  readonly seller: WalletKey
  readonly buyer: WalletKey
}

interface HeldTerms {
  readonly underlying: string
  readonly right?: 'C' | 'P'
  readonly size?: string
  readonly price?: string
  /** Index observations: seconds before the expiry, and the price. */
  readonly observed: readonly (readonly [number, string])[]
}

/** Lists an option, sets prices, and trades it before it expires; retries with more time if that took too long. */
export function expiringOptions(venue: Venue): (terms: HeldTerms) => Promise<Held> {
  const { fundedWallet, place } = orderActions(venue, '')
  let strikeNext = 100_000
  return async (terms) => {
    const { right = 'C', size = '2', price = '3000', observed } = terms
    for (let seconds = 3; ; seconds *= 2) {
      const strike = strikeNext
      strikeNext += 1000
      // Uses another underlying each time: observations of a later window may be older than the latest one.
      const underlying = `${terms.underlying}${strike / 1000}`
      const symbol = symbolOf(underlying, strike, right)
      const expiry = Math.floor(Date.now() / 1000) + seconds
      await venue.set('/instruments', { symbol, expiry })
      for (const [before, usd] of observed) {
        // With more time the window may not have begun: an observation must not be in the future.
        const timestamp = Math.min((expiry - before) * 1000, Date.now())
        await venue.set('/index-prices', { prices: [{ underlying, price: usd, timestamp }] })
      }
      const points = [{ strike: String(strike), iv: '0.6' }]
      await venue.set('/vol-surfaces', { underlying, expiry, points })
      const [seller, buyer] = [await fundedWallet(), await fundedWallet()]
      await place(seller, { symbol, side: 'Sell', size, price })
      const bought = await place(buyer, { symbol, side: 'Buy', size, price })
      if (bought.status === 'FILLED') return { symbol, underlying, strike, expiry, seller, buyer }
      assert.equal(bought.reason_code, 'instrument_expired', JSON.stringify(bought))
      assert.ok(seconds < 60, 'the option expires before it can be traded')
    }
  }
}
