import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { typedStructs } from '../../gateway/actions/typed-structs.js'
import { StreamClient } from '../../gateway/client/stream-client.js'
import { connectStrikebook, type StrikebookClient } from '../../gateway/client/strikebook-client.js'
import { endpointOf } from '../../schemas/interface/paths.js'
import type { ReadRow } from '../../schemas/interface/read.js'
import { gatewayReads, historyReads, viewReads } from '../../schemas/interface/reads.js'
import { readSessionText } from '../../schemas/read-session.js'
import { longTest } from '../support/long-test.js'
import { listMarket } from './support/listed-market.js'
import { agentBody, symbolOf, WalletKey } from './support/signed-body.js'
import { assertError, eventually, Venue, type Wire } from './support/venue.js'

const venue = new Venue({ arguments: ['--set=reads.private=signed', '--gateways=2'] })
const symbol = symbolOf('BTC', 110_000)
const [by, agent, stranger] = [new WalletKey(), new WalletKey(), new WalletKey()]
const hourMillis = 3_600_000
const { ReadSession } = typedStructs

before(async () => {
  await venue.start()
  await listMarket(venue, [symbol])
  for (const { wallet } of [by, stranger]) {
    await venue.set('/deposits', { wallet, amount: '100000' })
  }
  const body = await agentBody(by, 'ApproveAgent', { agent: agent.wallet })
  assert.equal((await venue.send('POST', '/approve-agent', body)).status, 200)
})
after(() => venue.dispose())

/** Returns the header of a session of a wallet. */
async function shown(
  { wallet }: WalletKey,
  signer: WalletKey = by,
  expiresMillis = Date.now() + hourMillis,
): Promise<Record<string, string>> {
  const { body } = await venue.get('/exchange-info')
  const { name, version } = body.signing_domain
  const verifyingContract = '0x0000000000000000000000000000000000000000'
  const signature = await signer.account.signTypedData({
    domain: { name, version, chainId: body.chain_id, verifyingContract },
    types: { ReadSession: [...ReadSession.fields] },
    primaryType: 'ReadSession',
    message: { wallet, expiresAt: BigInt(expiresMillis) },
  })
  return { Authorization: `Bearer ${readSessionText({ wallet, expiresMillis, signature })}` }
}

/** Parameters that satisfy each read, in addition to its wallet. */
const others: Readonly<Record<string, string>> = {
  'GET /orders/status': '&order_id=1',
  'GET /actions/outcome': `&digest=0x${'0'.repeat(64)}`,
  'GET /orders/why': '&nonce=1',
}
const rows = Object.entries<ReadRow>({
  ...viewReads,
  ...historyReads,
  ...gatewayReads,
})

test('the exchange states that its private reads are signed', async () => {
  assert.equal((await venue.get('/exchange-info')).body.private_reads, 'signed')
})

test('each private read of the table requires a session of the wallet that it names', async () => {
  const [own, foreign] = [await shown(by), await shown(stranger, stranger)]
  const urlOf = (key: string, { walletParameter }: ReadRow) => {
    const [, path] = endpointOf(key)
    const below = path.endsWith('/') ? '6f1c3f0e-8f0f-4d57-9b1c-2a4be2f0a001' : ''
    return `${path}${below}?${walletParameter}=${by.wallet}${others[key] ?? ''}`
  }
  const privates = rows.filter(
    ([key, { reader }]) => key.startsWith('GET ') && reader !== 'anybody',
  )
  assert.ok(privates.length > 25)
  for (const [key, row] of privates) {
    const url = urlOf(key, row)
    assertError(await venue.get(url), 401, 'unauthorized')
    assertError(await venue.get(url, foreign), 401, 'unauthorized')
    const { status, text } = await venue.get(url, own)
    assert.ok([200, 404].includes(status), `${url}: ${status} ${text}`)
  }
})

test("a read without a wallet returns public data, or fails if it is a wallet's", async () => {
  for (const path of ['/trades', '/fees', '/leaderboard', '/liquidations', '/instruments']) {
    assert.equal((await venue.get(path)).status, 200, path)
  }
  for (const path of ['/orders', '/portfolio', '/rfq/6f1c3f0e-8f0f-4d57-9b1c-2a4be2f0a001']) {
    assertError(await venue.get(path, await shown(by)), 401, 'unauthorized')
  }
  for (const account of ['x', `${by.wallet}&account=${stranger.wallet}`, '']) {
    assertError(await venue.get(`/trades?account=${account}`), 401, 'unauthorized')
  }
})

test("an expired or too long session, another wallet's, or one in the URL is invalid", async () => {
  const url = `/portfolio?wallet=${by.wallet}`
  const none = [
    await shown(by, by, Date.now() - 1),
    await shown(by, by, Date.now() + 2 * hourMillis),
    await shown(by, stranger),
  ]
  for (const headers of none) assertError(await venue.get(url, headers), 401, 'unauthorized')
  const { Authorization } = await shown(by)
  const session = Authorization!.slice(7)
  assert.equal((await venue.get(`${url}&session=${session}`)).status, 401)
  assert.equal((await venue.get(url, { Authorization: `Basic ${session}` })).status, 401)
  assert.equal((await venue.get(url, { Authorization: `bearer ${session}` })).status, 200)
  const { status, headers } = await venue.get(url, await shown(by))
  assert.deepEqual([status, headers.get('cache-control')], [200, 'no-store'])
})

test("neither the wallet's letter case nor a second header changes the reader", async () => {
  const [own, foreign] = [await shown(by), await shown(stranger, stranger)]
  const url = `/portfolio?wallet=${by.wallet.toUpperCase().replace('0X', '0x')}`
  assert.equal((await venue.get(url, own)).status, 200)
  assertError(await venue.get(url, foreign), 401, 'unauthorized')
  const statusOf = async (...headers: Record<string, string>[]) => {
    const lines = headers.map(({ Authorization: shown }) => `Authorization: ${shown}\r\n`)
    const head = `GET ${url} HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}\r\n`
    const text = await venue.raw(head, { isWhole: (text) => text.includes('}') })
    return text.slice(9, 12)
  }
  assert.deepEqual([await statusOf(foreign, own), await statusOf(own, foreign)], ['401', '200'])
})

const connect = (key: WalletKey): Promise<StrikebookClient> =>
  connectStrikebook({ url: venue.url, account: key.account, wallet: by.wallet })

test("anyone can read an order's trace by id, without the wallet; only the wallet can read it by nonce", async () => {
  const client = await connect(by)
  const terms = { symbol, side: 'Buy', size: '1', price: '1' } as const
  const { order_id } = await client.placeOrder(terms)
  const answer = await venue.get(`/orders/why?order_id=${order_id}`)
  assert.deepEqual([answer.status, answer.body.data.wallet], [200, null])
  const url = `/orders/why?wallet=${by.wallet}&nonce=1`
  assertError(await venue.get(url), 401, 'unauthorized')
  assertError(await venue.get(url, await shown(stranger, stranger)), 401, 'unauthorized')
  assertError(await venue.get(url, await shown(by)), 404, 'not_found')
})

test('public reads of trades name no wallet, and only the taker can read a request for quote', async () => {
  const [client, other] = [
    await connect(by),
    await connectStrikebook({ url: venue.url, account: stranger.account }),
  ]
  const terms = { symbol, size: '1', price: '5' } as const
  await client.placeOrder({ ...terms, side: 'Buy' })
  await other.placeOrder({ ...terms, side: 'Sell', tif: 'ioc', route: 'book_only' })
  const [own, foreign] = [await shown(by), await shown(stranger, stranger)]
  const of = `/trades?account=${by.wallet}`
  assertError(await venue.get(of, foreign), 401, 'unauthorized')
  const [{ maker_address: maker, taker_address: taker, trade_id: id }] = (await venue.get(of, own))
    .body.data
  assert.deepEqual([maker, taker], [by.wallet, null])
  for (const path of ['/trades', `/trades/${id}`, `/trades?symbol=${symbol}`]) {
    for (const headers of [{}, own, foreign]) {
      const { text } = await venue.get(path, headers)
      assert.match(text, /"taker_address":null/)
      for (const { wallet } of [by, stranger]) assert.ok(!text.includes(wallet), path)
    }
  }
  const rfqId = randomUUID()
  await client.submitRfq({ rfqId, legs: [{ instrument: symbol, side: 'Buy', size: '1' }] })
  const url = `/rfq/${rfqId}?wallet=`
  assert.equal((await venue.get(url + by.wallet, own)).status, 200)
  assertError(await venue.get(url + stranger.wallet, foreign), 404, 'not_found')
})

test('the client signs by itself, over HTTP and stream, until its agent is revoked', async () => {
  const client = await connect(agent)
  assert.equal((await client.portfolio()).wallet_address, by.wallet)
  const messages: Wire[] = []
  const stream = new StreamClient({
    ...{ url: venue.url, wallet: by.wallet, sessions: client.sessions },
    onMessage: (message) => messages.push(message),
  })
  stream.subscribe('order_updates')
  await stream.answered()
  const terms = { symbol, side: 'Buy', size: '1', price: '1' } as const
  await client.placeOrder(terms)
  await eventually("the order's update has come", async () =>
    messages.some(({ type }) => type === 'OrderUpdate'),
  )
  assert.ok(!messages.some(({ type }) => type === 'Error'))
  const body = await agentBody(by, 'RevokeAgent', { agent: agent.wallet })
  assert.equal((await venue.send('DELETE', '/revoke-agent', body)).status, 200)
  await eventually('the stream reports the revocation', async () =>
    messages.some(({ type, code }) => type === 'Error' && code === 'unauthorized'),
  )
  stream.close()
  await assert.rejects(client.portfolio(), { status: 401, code: 'unauthorized' })
})

/** Reads whose rows cover all wallets and name them. */
const named = ['GET /leaderboard', 'GET /competition/leaderboard', 'GET /liquidations']

longTest(
  'no read reveals the owner of an order, a trade or a request to a stranger, with any parameter',
  async () => {
    const client = await connect(by)
    const [clientId, rfqId] = ['of-nobody-else', randomUUID()]
    const terms = { symbol, side: 'Buy', size: '2', price: '4', clientId } as const
    const { order_id: orderId } = await client.placeOrder(terms)
    await client.submitRfq({ rfqId, legs: [{ instrument: symbol, side: 'Buy', size: '1' }] })
    const [{ trade_id: tradeId } = { trade_id: 0 }] = await client.fills()
    const own = await shown(by)
    const readers = [{}, await shown(stranger, stranger)]
    const given: Readonly<Record<string, readonly string[]>> = {
      ...others,
      'GET /orderbook': [`&symbol=${symbol}`],
      'GET /trades': [`&symbol=${symbol}`, '&after_trade_id=0', ''],
      'GET /orders/status': [`&order_id=${orderId}`, `&order_id=${clientId}`],
      'GET /orders/why': [`&order_id=${orderId}`],
    }
    const below: Readonly<Record<string, string>> = {
      'GET /trades/': String(tradeId),
      'GET /rfq/': rfqId,
      'GET /v1/directives/': rfqId,
    }
    const markers = [by.wallet, by.wallet.slice(2), clientId, rfqId]
    let asked = 0
    for (const [key, { walletParameter }] of rows) {
      const [method, path] = endpointOf(key)
      if (method !== 'GET' || named.includes(key)) continue
      for (const parameters of [given[key] ?? ''].flat()) {
        for (const wallet of [null, stranger.wallet, by.wallet]) {
          const ofWallet = wallet === null ? '' : `&${walletParameter}=${wallet}`
          const url = `${path}${below[key] ?? ''}?${`${ofWallet}${parameters}`.slice(1)}`
          for (const headers of readers) {
            const { status, text } = await venue.get(url, headers)
            const body = status === 200 ? text.toLowerCase() : ''
            const found = markers.filter((marker) => body.includes(marker))
            assert.deepEqual(found, [], `${url}: ${text}`)
            asked++
          }
        }
      }
    }
    assert.ok(asked > 250, `${asked} asked`)
    const mine = await venue.get(`/orders?wallet=${by.wallet}`, own)
    assert.ok(mine.text.includes(clientId))
  },
)

longTest('a session survives a restart and is valid on every gateway', async () => {
  const headers = await shown(by)
  await venue.end()
  await venue.start()
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => venue.get(`/portfolio?wallet=${by.wallet}`, headers)),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
})
