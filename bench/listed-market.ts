import type { MarketOperator } from './market-operator.js'

// Names and prices of the development market, so that its feed and makers trade these instruments.
const pricesUsd = { BTC: 100_000, ETH: 4000, SP500: 6000, NVDA: 200 } as const
const expiries = 10
const daysPerExpiry = 9
const dayMillis = 86_400_000
// Concurrent requests. Each may use its own connection, and the operator port accepts only a few.
const requestsMax = 32

/**
 * Sets index prices and surfaces, and lists `count` calls and puts, through the operator interface.
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

/** Returns distinct strikes from half to one and a half times the price. */
function strikesAround(priceUsd: number, count: number): readonly number[] {
  const step = Math.max(1, Math.floor(priceUsd / count))
  const lowest = Math.ceil(priceUsd / 2)
  return Array.from({ length: count }, (_, i) => lowest + i * step)
}

function dateOf(millis: number): string {
  return new Date(millis).toISOString().slice(0, 10)
}
