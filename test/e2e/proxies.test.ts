import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { WebSocket } from 'ws'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { type Body, cancelBody, placeBody, symbolOf, WalletKey } from './support/signed-body.js'
import { SlowVenue } from './support/slow-venue.js'
import { assertError, type Wire } from './support/venue.js'

/** This machine's first address is the proxy; its second one is an untrusted client. */
const failuresMax = 6
const venue = new SlowVenue([
  '--gateways=1',
  '--set=http.trustedProxies=127.0.0.1,10.0.0.0/8,fd00::/8',
  '--set=limits.addressLimitsOnLoopback=true',
  `--set=limits.failedRecoveriesPerMinute=${failuresMax}`,
  '--set=limits.connectionsPerAddressMax=3',
  '--set=limits.default.ordersPerMinute=1000',
  '--set=limits.default.cancelsPerMinute=1000',
])
const symbol = symbolOf('BTC', 110_000)
const { fundedWallet } = orderActions(venue, symbol)
const small = { symbol, price: '1', size: '0.1' }
const unsound = `0x${'00'.repeat(65)}`
/** Client behind the proxy that uses up its budget. */
const hostile = '203.0.113.66'

before(async () => {
  await venue.start()
  await listMarket(venue, [symbol])
})
after(() => venue.dispose())

/** Sends a request through the proxy, or from another address of this machine, with repeated headers. */
function sendBy(
  forwarded: readonly string[],
  body: Body,
  { method = 'POST', from = '127.0.0.1' } = {},
): Promise<{ status: number; text: string; body: Wire }> {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body)
    const headers = { 'X-Forwarded-For': [...forwarded], 'Content-Length': text.length }
    const options = { host: '127.0.0.1', port: venue.port, localAddress: from, path: '/order' }
    const sent = request({ ...options, method, headers, agent: false }, (response) => {
      let answer = ''
      response.on('data', (chunk) => (answer += chunk))
      response.on('end', () => {
        const { statusCode = 0 } = response
        resolve({ status: statusCode, text: answer, body: json(answer) })
      })
    })
    sent.on('error', reject)
    sent.end(text)
  })
}

function json(text: string): Wire {
  return text === '' ? undefined : JSON.parse(text)
}

/** Returns the status of another failing signature, of an unknown wallet. */
async function failBy(forwarded: readonly string[], from = '127.0.0.1'): Promise<number> {
  const body = await placeBody(new WalletKey(), small)
  return (await sendBy(forwarded, { ...body, signature: unsound }, { from })).status
}

async function useUp(forwarded: readonly string[], from = '127.0.0.1'): Promise<void> {
  for (let count = 0; count < failuresMax; count++) {
    assert.equal(await failBy(forwarded, from), 400)
  }
  assert.equal(await failBy(forwarded, from), 429)
}

test('behind a proxy each client has its own budget of failures', async () => {
  await useUp([hostile])
  assert.equal(await failBy(['203.0.113.67']), 400)
})

test('entries that a client writes itself are further left and do not help it', async () => {
  for (const claim of ['198.51.100.1', '127.0.0.1', '10.1.2.3', '', 'nonsense', '::1', ',,']) {
    assert.equal(await failBy([`${claim}, ${hostile}`]), 429, claim)
    assert.equal(await failBy([claim, hostile]), 429, `two headers: ${claim}`)
  }
})

test("the rightmost address that is not a proxy's counts, in every form that proxies write", async () => {
  const forms = [
    `${hostile}, 10.0.0.7`,
    `${hostile}, 10.255.255.1, 127.0.0.1`,
    `${hostile},fd00::17`,
    `::ffff:${hostile}`,
    '::ffff:cb00:7142',
    `${hostile}:4711`,
    `[::ffff:${hostile}]:4711`,
    `${hostile}, ::ffff:10.0.0.7`,
    ` ${hostile} `,
  ]
  for (const form of forms) assert.equal(await failBy([form]), 429, form)
  assert.equal(
    await failBy([`${hostile}, 11.0.0.7`]),
    400,
    "the entry to the right is not a proxy's",
  )
})

test('an invalid list counts for the proxy that forwarded it', async () => {
  for (const odd of [
    'unknown',
    '1.2.3',
    '1.2.3.4.5',
    '203.0.113.1/24',
    '_hidden',
    'fe80::1%eth0',
  ]) {
    assert.equal(await failBy([`${odd}, 10.9.9.9`]), 400, odd)
  }
  assert.equal(
    await failBy(['198.51.100.5, garbage, 10.9.9.9']),
    429,
    'all those counted for 10.9.9.9',
  )
})

test('the venue ignores the header of untrusted addresses', async () => {
  for (let count = 0; count < failuresMax; count++) {
    assert.equal(await failBy([`198.51.100.${count}`], '127.0.0.2'), 400)
  }
  assert.equal(await failBy(['198.51.100.99'], '127.0.0.2'), 429)
  const mine = await placeBody(new WalletKey(), small)
  const answer = await sendBy(['198.51.100.99'], mine)
  assert.equal(answer.body?.reason_code ?? answer.body?.code, 'no_funds', answer.text)
})

/** Returns a wallet with cash whose account the gateway knows: its order's answer comes after the account's event. */
async function knownWallet(): Promise<WalletKey> {
  const by = await fundedWallet()
  const placed = await sendBy(['198.51.100.200'], await placeBody(by, small))
  assert.equal(placed.body?.status, 'ACKED', placed.text)
  return by
}

test('the venue serves a wallet with an account from an address without failures left, cancels included', async () => {
  const by = await knownWallet()
  for (let count = 0; count < 30; count++) {
    const placed = await sendBy([hostile], await placeBody(by, small))
    assert.equal(placed.body?.status, 'ACKED', placed.text)
    const { order_id } = placed.body
    const done = await sendBy([hostile], await cancelBody(by, { order_id }), { method: 'DELETE' })
    assert.equal(done.body?.status, 'CANCELED', done.text)
  }
  assert.equal(await failBy([hostile]), 429, 'unknown wallets are still refused')
})

test('a client without the key of a known wallet gets few tries, counted separately for orders and cancels', async () => {
  const by = await knownWallet()
  const stranger = new WalletKey()
  const tries = async (method: string, bodyOf: () => Promise<Body>) => {
    const statuses: number[] = []
    for (let count = 0; count < 12; count++) {
      const answer = await sendBy([hostile], await bodyOf(), { method })
      statuses.push(answer.status)
    }
    return statuses.filter((status) => status !== 429).length
  }
  const order = { ...small, wallet: by.wallet }
  const orders = await tries('POST', () => placeBody(by, order, stranger))
  assert.equal(orders, 5)
  const own = await sendBy([hostile], await placeBody(by, small))
  assertError({ ...own, headers: new Headers() }, 429, 'rate_limit_exceeded')
  const cancel = { ...(await cancelBody(by, { order_id: 1 })) }
  const done = await sendBy([hostile], cancel, { method: 'DELETE' })
  assert.notEqual(done.status, 429, done.text)
  const cancels = await tries('DELETE', async () => ({ ...cancel, signature: unsound }))
  assert.equal(cancels, 5)
})

test('the venue counts streams by the client that the proxy names', async () => {
  const openBy = async (client: string) => {
    const headers = { 'X-Forwarded-For': client }
    const socket = new WebSocket(venue.streamUrl, { headers })
    socket.on('error', () => {})
    const status = await new Promise((resolve) => {
      socket.once('open', () => resolve(101))
      socket.once('unexpected-response', (_, { statusCode }) => resolve(statusCode))
    })
    return { socket, status }
  }
  const opened = []
  for (let count = 0; count < 4; count++) opened.push(await openBy('203.0.113.80'))
  assert.deepEqual(
    opened.map(({ status }) => status),
    [101, 101, 101, 429],
  )
  const other = await openBy('203.0.113.81')
  assert.equal(other.status, 101)
  for (const { socket } of [...opened, other]) {
    if (socket.readyState !== WebSocket.OPEN) continue
    socket.close()
    await once(socket, 'close')
  }
})
