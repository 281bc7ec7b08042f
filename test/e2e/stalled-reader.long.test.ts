import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { StreamClient } from '../../gateway/client/stream-client.js'
import type { StreamMessage } from '../../gateway/client/stream-types.js'
import { connectStrikebook } from '../../gateway/client/strikebook-client.js'
import { listMarket } from './support/listed-market.js'
import { symbolOf } from './support/signed-body.js'
import { streamPeers } from './support/stream-peer.js'
import { eventually, slowConsumerCloses, Venue } from './support/venue.js'

/** Limits of slow consumers, with times short enough for a test. */
const venue = new Venue({
  arguments: [
    '--set=stream.queueAgeMillis=1000',
    '--set=stream.writeTimeoutMillis=1000',
    '--set=limits.market_maker.ordersPerMinute=1000000',
  ],
})
const symbol = symbolOf('BTC', 110_000)
const open = streamPeers(venue)
const bulks = 120
const itemsPerBulk = 50
const slowConsumer =
  /^\{"error":"slow_consumer","class":"private_durable","cause":"(message_limit|byte_limit|message_age|write_timeout)","recovery":"rest_reconcile"\}$/

/** Forwards bytes between a client and the venue; `stall` stops reading those for the client. */
class Relay {
  readonly #server: Server
  #upstreams: Socket[] = []

  private constructor(server: Server) {
    this.#server = server
  }

  static async open(port: number): Promise<Relay> {
    const server = createServer((client) => {
      const upstream = connect(port, '127.0.0.1')
      relay.#upstreams.push(upstream)
      for (const socket of [client, upstream]) socket.on('error', () => {})
      client.pipe(upstream)
      upstream.pipe(client)
      client.on('close', () => upstream.destroy())
      upstream.on('close', () => client.end())
    })
    const relay = new Relay(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return relay
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  stall(): void {
    for (const upstream of this.#upstreams) upstream.unpipe().pause()
  }

  /** Drops the stalled connections: their clients have to connect again. */
  drop(): void {
    for (const upstream of this.#upstreams.splice(0)) upstream.destroy()
  }

  close(): void {
    this.#server.close()
    this.drop()
  }
}

before(async () => {
  await venue.start()
  await listMarket(venue, [symbol])
})
after(() => venue.dispose())

/** Returns a market maker with cash, trading with the client library. */
async function connectMaker(key: number) {
  const privateKey = `0x${String(key).padStart(64, '0')}`
  const client = await connectStrikebook({ url: venue.url, privateKey })
  await venue.set('/deposits', { wallet: client.wallet, amount: '1000000' })
  await venue.set('/tiers', { wallet: client.wallet, tier: 'market_maker' })
  /**
   * Sends orders that end immediately, each with its updates.
   * @returns the number of orders
   */
  const sendOrders = async (): Promise<number> => {
    const terms = { symbol, side: 'Buy', size: '1', price: '1', tif: 'ioc' } as const
    for (let count = 0; count < bulks; count++) {
      const results = await client.placeOrders(
        Array.from({ length: itemsPerBulk }, (_, item) => {
          const clientId = `${count} ${item}`.padEnd(64, '.')
          return { ...terms, clientId }
        }),
      )
      const failed = results.find(({ success }) => !success)
      assert.equal(failed, undefined, failed?.error ?? '')
    }
    return bulks * itemsPerBulk
  }
  return { client, sendOrders }
}

test('the venue closes a reader that stalls under order updates, and the others receive every one', async () => {
  const { client, sendOrders } = await connectMaker(71)
  const [stalled, lively] = [await open(), await open(`?wallet=${client.wallet}`)]
  await stalled.ask({ type: 'Authenticate', wallet: client.wallet }, 'Authenticated')
  for (const peer of [stalled, lively]) await peer.subscribe('order_updates')
  stalled.socket.pause()
  const sent = await sendOrders()
  const canceled = () => lively.messages.filter(({ status }) => status === 'CANCELED').length
  await lively.until('every order cancelled', () => canceled() === sent)
  const seqs = lively.messages.filter(({ seq }) => seq !== undefined).map(({ seq }) => seq)
  assert.deepEqual(
    seqs,
    seqs.toSorted((one, other) => one - other),
  )
  await eventually('let go', async () => (await slowConsumerCloses(venue.operatorUrl)) > 0)
  stalled.socket.resume()
  await eventually('the stalled reader is closed', () => stalled.closed !== null)
  // A close frame after a hanging write may be lost; then there is no readable reason.
  if (stalled.closed!.code !== 1006) {
    assert.equal(stalled.closed!.code, 1008)
    assert.match(stalled.closed!.reason, slowConsumer)
  }
  assert.ok(stalled.ofType('OrderUpdate').length < lively.ofType('OrderUpdate').length)
  await lively.settle()
  assert.equal(lively.closed, null)
})

test('the client library reconnects identified and subscribed, and receives missed messages once', async () => {
  const { client } = await connectMaker(72)
  const relay = await Relay.open(venue.port)
  const messages: StreamMessage[] = []
  const connections: number[] = []
  const stream = new StreamClient({
    url: relay.url,
    wallet: client.wallet,
    onMessage: (message) => messages.push(message),
    onConnected: (count) => connections.push(count),
  })
  try {
    stream.subscribe('order_updates')
    const subscribed = () => messages.filter(({ type }) => type === 'Subscribed').length
    await eventually('subscribed', () => subscribed() === 1)
    relay.stall()
    const missed = await client.placeOrder({ symbol, side: 'Buy', size: '1', price: '1' })
    relay.drop()
    await eventually('subscribed again', () => connections.length === 2)
    assert.deepEqual([connections, subscribed()], [[1, 2], 2])
    const placed = await client.placeOrder({ symbol, side: 'Buy', size: '1', price: '2' })
    const updatesOf = (id: unknown) => messages.filter(({ order_id }) => order_id === id)
    await eventually('an update', () => updatesOf(placed.order_id).length > 0)
    assert.deepEqual(
      updatesOf(missed.order_id).map(({ status }) => status),
      ['ACKED', 'OPEN'],
    )
    const rows = await client.orders()
    assert.ok(rows.some(({ order_id }) => order_id === missed.order_id))
  } finally {
    stream.close()
    relay.close()
  }
})
