import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { connectStrikebook, FillFeed, LocalBook, StreamClient } from '../../gateway/client/index.js'
import { bundleClient, runInPage } from '../support/browser-client.js'
import { listMarket } from './support/listed-market.js'
import { sharedVenue } from './support/shared-venue.js'
import { symbolOf } from './support/signed-body.js'
import { eventually } from './support/venue.js'

const venue = sharedVenue()

/** A key whose wallet has money. */
async function fundedKey(): Promise<`0x${string}`> {
  const privateKey = generatePrivateKey()
  const wallet = privateKeyToAccount(privateKey).address
  await venue.set('/deposits', { wallet, amount: '500000' })
  return privateKey
}

test('a page with nothing but web globals trades over HTTP and stream', async () => {
  const symbol = symbolOf('BTC', 100_000)
  await listMarket(venue, [symbol])
  const seller = await connectStrikebook({ url: venue.url, privateKey: await fundedKey() })
  await seller.placeOrder({ symbol, side: 'Sell', size: '2', price: '900' })
  const body = `
    const client = await strikebook.connectStrikebook({ url, privateKey })
    const fills = []
    const stream = new strikebook.StreamClient({ url, wallet: client.wallet })
    stream.subscribe('fills')
    const heard = new Promise((resolve) => stream.listen({
      onMessage: (message) => { if (message.type === 'Fill') resolve(message) },
    }))
    await new Promise((resolve) => stream.listen({ onConnected: resolve }))
    const terms = { symbol, side: 'Buy', size: '1', price: '900' }
    const overHttp = await client.placeOrder({ ...terms, tif: 'ioc' })
    const signed = strikebook.signPlaceOrder(client.context, terms, client.nextNonce())
    const overStream = await stream.placeOrder(signed)
    const fill = await heard
    stream.close()
    return [overHttp.status, overStream.status, fill.price]`
  const given = { url: venue.url, privateKey: await fundedKey(), symbol }
  const told = await runInPage(await bundleClient(), body, given)
  assert.deepEqual(told, ['FILLED', 'FILLED', '900'])
})

test('an account of viem trades over HTTP and stream, without its key being known', async () => {
  const symbol = symbolOf('BTC', 105_000)
  await listMarket(venue, [symbol])
  const account = privateKeyToAccount(await fundedKey())
  const client = await connectStrikebook({ url: venue.url, account })
  const terms = { symbol, side: 'Buy', size: '1', price: '100' } as const
  const results = await client.placeOrders([terms, { ...terms, price: '101' }])
  assert.deepEqual(
    results.map(({ data }) => data?.status),
    ['ACKED', 'ACKED'],
  )
  const { mode } = await client.account.setSelfTradePrevention({ mode: 'cancel_taker' })
  assert.equal(mode, 'cancel_taker')
  await new Promise<void>((resolve) => {
    const onConnected = async () => {
      const { signCancelOrder } = await import('../../gateway/client/index.js')
      const body = signCancelOrder(client.context, results[0]!.data!.order_id!, client.nextNonce())
      const cancelled = await client.rest.request<{ status: string }>('DELETE', '/order', { body })
      assert.equal(cancelled.status, 'CANCELED')
      stream.close()
      resolve()
    }
    const stream = new StreamClient({ url: venue.url, wallet: client.wallet, onConnected })
  })
})

test('a local book and a feed of fills show what the exchange does', async () => {
  const symbol = symbolOf('BTC', 110_000)
  await listMarket(venue, [symbol])
  const [maker, taker] = await Promise.all(
    [await fundedKey(), await fundedKey()].map((privateKey) =>
      connectStrikebook({ url: venue.url, privateKey }),
    ),
  )
  const stream = new StreamClient({ url: venue.url, wallet: taker!.wallet })
  const told: string[] = []
  const feed = new FillFeed({ stream, client: taker!, onFill: ({ price }) => told.push(price) })
  const book = new LocalBook({ stream, rest: taker!.rest, symbol })
  await eventually('the book', () => book.state === 'live' && feed.lastFillId !== null)
  assert.deepEqual(book.asks, [])
  const { order_id } = await maker!.placeOrder({ symbol, side: 'Sell', size: '3', price: '800' })
  await eventually('the offer', () => book.asks[0]?.price === '800')
  await taker!.placeOrder({ symbol, side: 'Buy', size: '1', price: '800' })
  await eventually('the fill', () => told.length === 1 && book.asks[0]?.size === '2')
  await maker!.cancelOrder(order_id!)
  await eventually('the empty book', () => book.asks.length === 0)
  assert.deepEqual([told, book.staleMessages, book.repairs], [['800'], 0, 1])
  book.close()
  feed.close()
  stream.close()
})
