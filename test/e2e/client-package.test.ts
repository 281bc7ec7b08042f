import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isDeepStrictEqual, promisify } from 'node:util'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import {
  connectStrikebook,
  type FedOrder,
  FillFeed,
  LocalBook,
  OrderFeed,
  type PlacedOrder,
  StreamClient,
  type StrikebookClient,
  signPlaceOrder,
} from '../../gateway/client/index.js'
import { createRandomSource } from '../../gateway/feeds/random-source.js'
import type { SideName } from '../../schemas/wire-types.js'
import { bundleClient, runInPage } from '../support/browser-client.js'
import { CuttingProxy } from '../support/cutting-proxy.js'
import { installPackedClient } from '../support/packed-client.js'
import { listMarket } from './support/listed-market.js'
import { sharedVenue } from './support/shared-venue.js'
import { symbolOf } from './support/signed-body.js'
import { eventually } from './support/venue.js'

const venue = sharedVenue()

/** Returns a key whose wallet has money. */
async function fundedKey(): Promise<`0x${string}`> {
  const privateKey = generatePrivateKey()
  const wallet = privateKeyToAccount(privateKey).address
  await venue.set('/deposits', { wallet, amount: '500000' })
  return privateKey
}

test('a page with only web globals trades over HTTP and stream', async () => {
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
  const results = await runInPage(await bundleClient(), body, given)
  assert.deepEqual(results, ['FILLED', 'FILLED', '900'])
})

test("the packed client's example trades in Node", async () => {
  const symbol = symbolOf('BTC', 100_000)
  await listMarket(venue, [symbol])
  const seller = await connectStrikebook({ url: venue.url, privateKey: await fundedKey() })
  await seller.placeOrder({ symbol, side: 'Sell', size: '2', price: '900' })
  const client = await installPackedClient()
  try {
    const readme = readFileSync(join(client.installed, 'README.md'), 'utf8')
    const [, example] = /```js\n(.*?)```/s.exec(readme)!
    writeFileSync(
      join(client.folder, 'example.js'),
      example!.replace('http://127.0.0.1:8080', venue.url),
    )
    const { stdout } = await promisify(execFile)(process.execPath, ['example.js'], {
      cwd: client.folder,
    })
    assert.match(stdout, /FILLED\n.*fill_id/s)
  } finally {
    client.remove()
  }
})

test('a viem account trades over HTTP and stream without revealing its key', async () => {
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

test('a local book and a fill feed follow the exchange', async () => {
  const symbol = symbolOf('BTC', 110_000)
  await listMarket(venue, [symbol])
  const [maker, taker] = await Promise.all(
    [await fundedKey(), await fundedKey()].map((privateKey) =>
      connectStrikebook({ url: venue.url, privateKey }),
    ),
  )
  const stream = new StreamClient({ url: venue.url, wallet: taker!.wallet })
  const prices: string[] = []
  const feed = new FillFeed({
    stream,
    client: taker!,
    onFill: ({ price }) => prices.push(price),
  })
  const book = new LocalBook({ stream, rest: taker!.rest, symbol })
  await eventually('the book', () => book.state === 'live' && feed.lastFillId !== null)
  assert.deepEqual(book.asks, [])
  const { order_id } = await maker!.placeOrder({ symbol, side: 'Sell', size: '3', price: '800' })
  await eventually('the offer', () => book.asks[0]?.price === '800')
  await taker!.placeOrder({ symbol, side: 'Buy', size: '1', price: '800' })
  await eventually('the fill', () => prices.length === 1 && book.asks[0]?.size === '2')
  await maker!.cancelOrder(order_id!)
  await eventually('the empty book', () => book.asks.length === 0)
  assert.deepEqual([prices, book.staleMessages, book.repairs], [['800'], 0, 1])
  book.close()
  feed.close()
  stream.close()
})

/** Returns the state of a wallet's client from its stream, and the messages of its feeds. */
function follow(client: StrikebookClient, streamUrl: string, symbol: string) {
  const url = streamUrl
  const pauses = { backoffMillisMin: 5, backoffMillisMax: 50 }
  const stream = new StreamClient({ url, wallet: client.wallet, ...pauses })
  const [fills, ended]: [number[], string[]] = [[], []]
  const orders = new OrderFeed({
    ...{ stream, client },
    onOrder: ({ order_id: id, status, filled_size: filled }: FedOrder) => {
      if (status === 'FILLED' || status === 'CANCELED') ended.push(`${id} ${status} ${filled}`)
    },
  })
  const feed = new FillFeed({ stream, client, onFill: ({ fill_id: id }) => fills.push(id) })
  const book = new LocalBook({ stream, rest: client.rest, symbol })
  const isReady = () => book.state === 'live' && feed.lastFillId !== null
  const close = () => {
    for (const one of [orders, feed, book, stream]) one.close()
  }
  const known = () => ({
    working: [...orders.working.values()].sort((one, two) => one.order_id - two.order_id),
    ended: [...ended].sort(),
    ...{ fills, bids: book.bids, asks: book.asks },
  })
  return { stream, orders, isReady, close, known }
}

test('a client whose socket is cut anywhere ends with the state of one that stayed connected', async (t) => {
  const symbol = symbolOf('BTC', 115_000)
  await listMarket(venue, [symbol])
  const [client, other] = await Promise.all(
    [await fundedKey(), await fundedKey()].map((privateKey) =>
      connectStrikebook({ url: venue.url, privateKey }),
    ),
  )
  for (const { wallet } of [client!, other!]) {
    await venue.set('/tiers', { wallet, tier: 'market_maker' })
  }
  const seed = Date.now() % 1_000_000
  const random = randomOf(seed)
  let isCutting = true
  const port = Number(new URL(venue.url).port)
  const proxy = await CuttingProxy.start(port, () =>
    isCutting ? 500 + random(6000) : Number.POSITIVE_INFINITY,
  )
  const stayed = follow(client!, venue.url, symbol)
  const cut = follow(client!, `http://127.0.0.1:${proxy.port}`, symbol)
  t.after(() => {
    for (const one of [stayed, cut, proxy]) one.close()
  })
  await eventually('the beginning', () => stayed.isReady() && cut.isReady())
  const placed: Promise<readonly [clientId: string, PlacedOrder | null]>[] = []
  for (let step = 0; step < 100; step++) {
    const side: SideName = random(2) === 0 ? 'Buy' : 'Sell'
    const terms = {
      ...{ symbol, side, size: String(1 + random(3)) },
      ...{ price: String(700 + random(20)), clientId: `c${step}` },
    }
    if (random(3) === 0) await other!.placeOrder(terms)
    else if (cut.stream.isConnected) {
      const body = signPlaceOrder(client!.context, terms, client!.nextNonce())
      placed.push(cut.orders.placeOrder(body).then((answer) => [terms.clientId, answer]))
    }
    const [order] = stayed.orders.working.keys()
    if (random(5) === 0 && order !== undefined) await client!.cancelOrder(order)
    const pauseMillis = random(4) === 0 ? random(60) : 8
    await new Promise((resolve) => setTimeout(resolve, pauseMillis))
  }
  const answers = await Promise.all(placed)
  isCutting = false
  const show = () => `seed ${seed}: ${JSON.stringify([stayed.known(), cut.known()])}`
  await eventually(`the same, seed ${seed}`, () => isDeepStrictEqual(stayed.known(), cut.known()))
  assert.ok(proxy.cuts > 3 && stayed.known().fills.length > 0, `${proxy.cuts} cuts, ${show()}`)
  // The exchange has the orders found by their digest, and no others.
  for (const [clientId, answer] of answers) {
    const row = await client!.orderStatus(clientId)
    const isRefused = answer === null || answer.status === 'REJECTED'
    assert.equal(row?.order_id ?? null, isRefused ? null : answer.order_id, show())
  }
})

/** Returns integers below a bound, the same for the same seed. */
function randomOf(seed: number): (bound: number) => number {
  const random = createRandomSource(seed)
  return (bound) => Math.floor(random.next() * bound)
}
