import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { accepted, btcSymbol, deposit, listBtc } from './support/small-market.js'
import { startVenueProcess, type VenueProcess } from './support/venue.js'
import { ViemWallet } from './support/viem-wallet.js'

const call = btcSymbol(110_000, 'C')
const put = btcSymbol(90_000, 'P')
const seller = new ViemWallet('bulk seller')
const buyer = new ViemWallet('bulk buyer')
let venue: VenueProcess

before(async () => {
  venue = await startVenueProcess()
  await listBtc(venue, [call, put])
  for (const { wallet } of [seller, buyer]) {
    await deposit(venue, wallet, '1000000')
    await accepted(venue, 'tiers', { wallet, tier: 'market_maker' })
  }
})

after(() => venue.stop())

const buy = (price: string, size = '1', clientId = '') =>
  buyer.place({ symbol: call, side: 'Buy', size, price, clientId })
const sell = (price: string, size = '1') =>
  seller.place({ symbol: call, side: 'Sell', size, price })

async function bids(): Promise<number[][]> {
  const { body } = await venue.request('GET', `/orderbook?instrument_id=${call}`)
  return body.result.bids
}

test('placed, replaced and cancelled in one step each', async () => {
  const placed = await venue.request('POST', '/bulk_order', [
    await buy('3000', '1', 'first'),
    await buy('3001'),
    await buy('3002'),
  ])
  assert.equal(placed.status, 200, JSON.stringify(placed.body))
  assert.deepEqual(
    placed.body.map((result: { data: { status: string } }) => result.data.status),
    ['ACKED', 'ACKED', 'ACKED'],
  )
  assert.deepEqual(await bids(), [
    [3002, 1],
    [3001, 1],
    [3000, 1],
  ])
  const [first, second, third] = placed.body.map(
    (result: { data: { order_id: number } }) => result.data.order_id,
  )
  const terms = { symbol: call, side: 'Buy', size: '2' } as const
  const replaced = await venue.request('PUT', '/bulk_order', {
    replacements: [
      await buyer.replace(second, { ...terms, price: '2901' }),
      await buyer.replace(1, { ...terms, price: '2902' }),
      await buyer.replace(third, { ...terms, price: '2902' }),
    ],
  })
  assert.deepEqual(
    replaced.body.results.map((result: { success: boolean }) => result.success),
    [true, false, true],
  )
  assert.equal(replaced.body.results[1].error, 'Order 1 not found')
  assert.deepEqual(await bids(), [
    [3000, 1],
    [2902, 2],
    [2901, 2],
  ])
  const canceled = await venue.request('DELETE', '/bulk_order_cloid', {
    cancels: [
      await buyer.cancelByClientId('first'),
      await buyer.cancel(replaced.body.results[0].data.order_id),
      await buyer.cancel(replaced.body.results[2].data.order_id),
      await buyer.cancel(first),
    ],
  })
  assert.deepEqual(
    canceled.body.results.map((result: { code?: string }) => result.code ?? 'done'),
    ['done', 'done', 'done', 'order_already_canceled'],
  )
  assert.deepEqual(await bids(), [])
})

test('items of one request trade with each other in the order of the array', async () => {
  const { body } = await venue.request('POST', '/bulk_order', [
    await sell('3300'),
    await buy('3300', '2'),
    await sell('3300', '2'),
  ])
  assert.deepEqual(
    body.map((result: { data: { status: string; filled_size: number } }) => [
      result.data.status,
      result.data.filled_size,
    ]),
    [
      ['ACKED', 0],
      ['PARTIALLY_FILLED', 1],
      ['PARTIALLY_FILLED', 1],
    ],
  )
})

test('a bulk sent again is answered with its first outcomes', async () => {
  const orders = [await buy('2500'), await buy('2501')]
  const first = await venue.request('POST', '/bulk_order', { orders })
  const again = await venue.request('POST', '/bulk_order', { orders })
  const ids = (answer: typeof first) =>
    answer.body.results.map((result: { data: { order_id: number } }) => result.data.order_id)
  assert.deepEqual(ids(again), ids(first))
  assert.deepEqual((await bids()).slice(0, 2), [
    [2501, 1],
    [2500, 1],
  ])
})

test('a wallet chooses what happens when it would trade with itself', async () => {
  const wallet = new ViemWallet('bulk selfish')
  await deposit(venue, wallet.wallet, '1000000')
  const set = await venue.request(
    'POST',
    '/self-trade-prevention',
    await wallet.selfTrade('cancel_maker'),
  )
  assert.equal(set.status, 200, JSON.stringify(set.body))
  assert.deepEqual(set.body.data, { wallet: wallet.wallet, mode: 'cancel_maker' })
  const order = { symbol: put, size: '0.1', price: '2000' }
  const { body } = await venue.request('POST', '/bulk_order', [
    await wallet.place({ ...order, side: 'Buy' }),
    await wallet.place({ ...order, side: 'Sell' }),
  ])
  assert.deepEqual(
    body.map((result: { data: { status: string; filled_size: number } }) => [
      result.data.status,
      result.data.filled_size,
    ]),
    [
      ['ACKED', 0],
      ['ACKED', 0],
    ],
    JSON.stringify(body),
  )
  const status = `/orders/status?wallet=${wallet.wallet}&order_id=${body[0].data.order_id}`
  assert.equal((await venue.request('GET', status)).body.data.status, 'CANCELED')
})
