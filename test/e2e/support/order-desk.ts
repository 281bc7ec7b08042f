import assert from 'node:assert/strict'
import type { Answer, JudgeVenue, Wire } from './judge-venue.js'
import {
  type Body,
  cancelBody,
  expirySeconds,
  placeBody,
  replaceBody,
  Trader,
} from './signed-body.js'

/** Everyday actions over REST on one venue; `symbol` stands where a patch names none. */
export interface OrderDesk {
  /** A new wallet with cash; null leaves it unfunded. */
  trader(amount?: string | null): Promise<Trader>
  place(by: Trader, patch?: Body): Promise<Wire>
  replace(by: Trader, patch: Body): Promise<Wire>
  cancel(by: Trader, patch: Body): Promise<Wire>
  /** The whole answer of POST /order; `change` is applied after signing. */
  sendOrder(by: Trader, patch: Body, change?: Body): Promise<Answer>
  cancelAll(by: Trader): Promise<void>
}

export function orderDesk(venue: JudgeVenue, symbol: string): OrderDesk {
  const write = async (method: string, body: Body): Promise<Wire> => {
    const answer = await venue.send(method, '/order', body)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const cancel = async (by: Trader, patch: Body) => write('DELETE', await cancelBody(by, patch))
  return {
    async trader(amount = '1000000') {
      const made = new Trader()
      if (amount !== null) await venue.set('/deposits', { wallet: made.wallet, amount })
      return made
    },
    place: async (by, patch = {}) => write('POST', await placeBody(by, { symbol, ...patch })),
    replace: async (by, patch) => write('PUT', await replaceBody(by, { symbol, ...patch })),
    cancel,
    async sendOrder(by, patch, change = {}) {
      const body = { ...(await placeBody(by, { symbol, ...patch })), ...change }
      return venue.send('POST', '/order', body)
    },
    async cancelAll(by) {
      const listed = await venue.get(`/orders?wallet=${by.wallet}`)
      for (const { order_id, status } of listed.body.data) {
        if (['OPEN', 'ACKED', 'PARTIALLY_FILLED'].includes(status)) await cancel(by, { order_id })
      }
    },
  }
}

/** Lists BTC options of `symbolOf` with an index of 100,000 and a surface, so that all of them trade. */
export async function listMarket(venue: JudgeVenue, symbols: readonly string[]): Promise<void> {
  for (const symbol of symbols) await venue.set('/instruments', { symbol })
  await venue.set('/index-prices', { prices: [{ underlying: 'BTC', price: '100000' }] })
  await venue.set('/vol-surfaces', {
    underlying: 'BTC',
    expiry: expirySeconds(),
    points: [
      { strike: '80000', iv: '0.6' },
      { strike: '120000', iv: '0.55' },
    ],
  })
}

/** Asserts a row of rest-and-signing.md 12.2 with status REJECTED. */
export function assertRejected(update: Wire, reasonCode: string, reason: string | RegExp): void {
  const shown = JSON.stringify(update)
  assert.equal(update.status, 'REJECTED', shown)
  assert.equal(update.reason_code, reasonCode, shown)
  if (typeof reason === 'string') assert.equal(update.reason, reason)
  else assert.match(update.reason, reason)
  assert.equal(update.order_id, null)
  assert.equal(update.filled_size, 0)
}
