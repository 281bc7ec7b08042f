import assert from 'node:assert/strict'
import type { VenueProcess } from './venue.js'

const dayMillis = 86_400_000

/** Symbol of a call or put on BTC that expires in a month. */
export function btcSymbol(strike: number, right: 'C' | 'P'): string {
  const date = new Date(Date.now() + 30 * dayMillis).toISOString().slice(0, 10)
  return `BTC-${date.replaceAll('-', '')}-${strike}-${right}`
}

/** BTC at 100,000 with a flat surface at 60 %, and the given options. */
export async function listBtc(venue: VenueProcess, symbols: readonly string[]): Promise<void> {
  await accepted(venue, 'index-prices', { prices: [{ underlying: 'BTC', price: '100000' }] })
  for (const symbol of symbols) {
    const { expiry } = await accepted(venue, 'instruments', { symbol })
    const points = [{ strike: '100000', iv: '0.6' }]
    if (expiry !== undefined) {
      await accepted(venue, 'vol-surfaces', { underlying: 'BTC', expiry, points })
    }
  }
}

export async function deposit(venue: VenueProcess, wallet: string, amount: string): Promise<void> {
  await accepted(venue, 'deposits', { wallet, amount })
}

/** An operator change that must be accepted. @returns its answer. */
export async function accepted(
  venue: VenueProcess,
  path: string,
  body: object,
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
): Promise<any> {
  const answer = await venue.operator('POST', path, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assert.equal(answer.body.ok, true)
  return answer.body
}
