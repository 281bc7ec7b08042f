import assert from 'node:assert/strict'
import { orderActions } from './order-actions.js'
import { dateText, type WalletKey } from './signed-body.js'
import type { Venue, Wire } from './venue.js'

const strike = 22_000
const expiry = Math.floor(Date.now() / 1000) + 30 * 86_400

/** Short 2 with cash of 23,400, and who is long: A 1 from 3,000, B 3 from 6,000; the mark is 6,000. */
export interface RoundShort {
  readonly symbol: string
  readonly short: WalletKey
  readonly longA: WalletKey
  readonly longB: WalletKey
  /** Moves the index so that the call is worth this. */
  mark(usd: number): Promise<Wire>
}

/**
 * A market of one call that is deep in the money. With next to no volatility it is worth what it pays, so that marks
 * are round and stand still; a short of it needs 0.2 of the index, and 0.8 of that to be maintained.
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
