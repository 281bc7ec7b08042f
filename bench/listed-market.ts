import type { MarketOperator } from './market-operator.js'

// Names and prices of the development market, so that its feed and makers trade what is listed here.
const pricesUsd = { BTC: 100_000, ETH: 4000, SP500: 6000, NVDA: 200 } as const
const expiries = 10
const daysPerExpiry = 9
const dayMillis = 86_400_000
// Under way at once: each may have a connection of its own, of which the operator's port takes few.
const requestsMax = 32

/**
 * Index, surfaces and as many calls and puts as wanted, over the operator interface.
 * @returns their symbols.
 */
export async function listMarket(
  operator: MarketOperator,
  count: number,
): Promise<readonly string[]> {
  const underlyings = Object.entries(pricesUsd)
  const prices = underlyings.map(([underlying, price]) => ({ underlying, price: String(price) }))
  await operator.post('index-prices', { prices })
  const strikes = Math.ceil(count / (underlyings.length * expiries * 2))
  const all: string[] = []
  for (const [underlying, priceUsd] of underlyings) {
    for (let i = 1; i <= expiries; i++) {
      const expiry = dateOf(Date.now() + i * daysPerExpiry * dayMillis)
      const points = [{ strike: String(priceUsd), iv: '0.6' }]
      await operator.post('vol-surfaces', { underlying, expiry, points })
      const date = expiry.replaceAll('-', '')
      const symbols = strikesAround(priceUsd, strikes).flatMap((strike) =>
        ['C', 'P'].map((right) => `${underlying}-${date}-${strike}-${right}`),
      )
      const listed = symbols.slice(0, count - all.length)
      for (let at = 0; at < listed.length; at += requestsMax) {
        const some = listed.slice(at, at + requestsMax)
        await Promise.all(some.map((symbol) => operator.post('instruments', { symbol })))
      }
      all.push(...listed)
    }
  }
  return all
}

/** Strikes from half to one and a half of the price, all different. */
function strikesAround(priceUsd: number, count: number): readonly number[] {
  const step = Math.max(1, Math.floor(priceUsd / count))
  const lowest = Math.ceil(priceUsd / 2)
  return Array.from({ length: count }, (_, i) => lowest + i * step)
}

function dateOf(millis: number): string {
  return new Date(millis).toISOString().slice(0, 10)
}
