import { orderActions } from './order-actions.js'
import { expirySeconds, symbolOf, WalletKey } from './signed-body.js'
import type { Venue, Wire } from './venue.js'

export const call = symbolOf('BTC', 110_000)
export const put = symbolOf('BTC', '90000.5', 'P')
export const ether = symbolOf('ETH', 3000)
/** Trades of 0.5 `call` at 3500, each by a taker order of its own. */
export const tradesCount = 5

export interface TradedMarket {
  /** Seller; the rest of its order of 10 is still in the book. */
  readonly maker: WalletKey
  /** Buyer, with a bid of 2.5 at 3000 under client id `bid`. */
  readonly taker: WalletKey
  /** Answers to the maker's order and to the taker's latest order that traded. */
  readonly resting: Wire
  readonly lastTaken: Wire
}

/**
 * Starts a market with two underlyings with index and surface, three options, and one book with trades and an order on
 * each side.
 */
export async function startTradedMarket(venue: Venue): Promise<TradedMarket> {
  for (const symbol of [call, put, ether]) await venue.set('/instruments', { symbol })
  const prices = [
    { underlying: 'BTC', price: '100000' },
    { underlying: 'ETH', price: '3100.5' },
  ]
  await venue.set('/index-prices', { prices })
  const points = [
    { strike: '1000', iv: '0.6' },
    { strike: '200000', iv: '0.6' },
  ]
  for (const { underlying } of prices) {
    await venue.set('/vol-surfaces', { underlying, expiry: expirySeconds(), points })
  }
  const { place } = orderActions(venue, call)
  const [maker, taker] = [new WalletKey(), new WalletKey()]
  for (const { wallet } of [maker, taker]) {
    await venue.set('/deposits', { wallet, amount: '1000000' })
    await venue.set('/tiers', { wallet, tier: 'market_maker' })
  }
  const resting = await place(maker, { side: 'Sell', size: '10', price: '3500.0' })
  let lastTaken: Wire
  for (let count = 0; count < tradesCount; count++) {
    lastTaken = await place(taker, { size: '0.5', price: '3500', tif: 'ioc' })
  }
  await place(taker, { size: '2.50', price: '3000.00', client_id: 'bid' })
  return { maker, taker, resting, lastTaken }
}
