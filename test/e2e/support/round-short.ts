import assert from 'node:assert/strict'
import { orderActions } from './order-actions.js'
import { dateText, type WalletKey } from './signed-body.js'
import type { Venue, Wire } from './venue.js'

const strike = 22_000
const expiry = Math.floor(Date.now() / 1000) + 30 * 86_400

/** Wallet short of 2 with cash of 23,400, and its buyers: A of 1 at 3,000, B of 3 at 6,000. The mark is 6,000. */
export interface RoundShort {
  readonly symbol: string
  readonly short: WalletKey
  readonly longA: WalletKey
  readonly longB: WalletKey
  /** Moves the index so that the call's mark is this. */
  mark(usd: number): Promise<Wire>
}

/**
 * Starts a market of one call that is deep in the money. At almost no volatility its mark is its intrinsic value, so
 * marks are round and constant. A short needs 0.2 of the index as initial margin and 0.8 of that as maintenance margin.
 */
export async function startRoundShort(venue: Venue, underlying: string): Promise<RoundShort> {
  const { fundedWallet, place } = orderActions(venue, '')
  const symbol = `${underlying}-${dateText(30)}-${strike}-C`
  await venue.set('/instruments', { symbol, expiry })
  const points = [{ strike: String(strike), iv: '0.01' }]
  const mark = (usd: number) =>
    venue.set('/index-prices', { prices: [{ underlying, price: String(strike + usd) }] })
  await mark(3000)
  await venue.set('/vol-surfaces', { underlying, expiry, points })
  const [short, longA, longB, seller] = [
    await fundedWallet('14400'),
    await fundedWallet('11000'),
    await fundedWallet('82000'),
    await fundedWallet('1000000'),
  ]
  const sell = async (by: WalletKey, size: string, to: WalletKey, price: string) => {
    const asked = await place(by, { symbol, side: 'Sell', size, price })
    assert.equal(asked.status, 'ACKED', JSON.stringify(asked))
    const bought = await place(to, { symbol, size, price })
    assert.equal(bought.status, 'FILLED', JSON.stringify(bought))
  }
  await sell(short, '1', longA, '3000')
  await mark(6000)
  await sell(short, '1', longB, '6000')
  await sell(seller, '2', longB, '6000')
  return { symbol, short, longA, longB, mark }
}
