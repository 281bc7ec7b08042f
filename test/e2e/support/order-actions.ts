import assert from 'node:assert/strict'
import { type Body, cancelBody, placeBody, replaceBody, WalletKey } from './signed-body.js'
import type { Answer, Venue, Wire } from './venue.js'

/** Common actions over REST on one venue; `symbol` applies where a patch names none. */
export interface OrderActions {
  /** Returns a new wallet with cash; null leaves it unfunded. */
  fundedWallet(amount?: string | null): Promise<WalletKey>
  place(by: WalletKey, patch?: Body): Promise<Wire>
  replace(by: WalletKey, patch: Body): Promise<Wire>
  cancel(by: WalletKey, patch: Body): Promise<Wire>
  /** Returns the whole answer of POST /order; `change` is applied after signing. */
  sendOrder(by: WalletKey, patch: Body, change?: Body): Promise<Answer>
  /** Returns bids and asks as `[price, size]`, best first; of `symbol` unless another is named. */
  book(of?: string): Promise<{ bids: number[][]; asks: number[][] }>
  cancelAll(by: WalletKey): Promise<void>
}

export function orderActions(venue: Venue, symbol: string): OrderActions {
  const write = async (method: string, body: Body): Promise<Wire> => {
    const answer = await venue.send(method, '/order', body)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const cancel = async (by: WalletKey, patch: Body) => write('DELETE', await cancelBody(by, patch))
  return {
    async fundedWallet(amount = '1000000') {
      const made = new WalletKey()
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
    async book(of = symbol) {
      const { bids, asks } = (await venue.read(`/orderbook?instrument_id=${of}`)).result
      return { bids, asks }
    },
    async cancelAll(by) {
      const listed = await venue.get(`/orders?wallet=${by.wallet}`)
      for (const { order_id, status } of listed.body.data) {
        if (['open', 'acked', 'partially_filled'].includes(status)) await cancel(by, { order_id })
      }
    },
  }
}

/** Asserts the reason of an order with status REJECTED. */
export function assertRejected(update: Wire, reasonCode: string, reason: string | RegExp): void {
  const shown = JSON.stringify(update)
  assert.equal(update.status, 'REJECTED', shown)
  assert.equal(update.reason_code, reasonCode, shown)
  if (typeof reason === 'string') assert.equal(update.reason, reason)
  else assert.match(update.reason, reason)
  assert.equal(update.order_id, null)
  assert.equal(update.filled_size, 0)
}
