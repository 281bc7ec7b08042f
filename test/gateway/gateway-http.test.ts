import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { flagWords } from '../../engine/memory/exchange-memory.js'
import { OrderFlag, OrderStatus, Route, Tif } from '../../schemas/domain.js'
import { CommandType } from '../../schemas/generated/commands.js'
import { Result } from '../../schemas/results.js'
import {
  agent,
  bytesInRing,
  type GatewayRig,
  nextNonce,
  orderBody,
  owner,
  signedBody,
  startRig,
  testSymbol,
} from '../support/gateway-rig.js'

let rig: GatewayRig

before(async () => {
  rig = await startRig({ 'limits.default.ordersPerMinute': '1000' })
})
beforeEach(() => {
  rig.core.decide = () => ({})
  rig.core.seen.length = 0
})
after(() => rig.stop())

async function send(method: string, path: string, body?: unknown, headers: object = {}) {
  const response = await rig.request(method, path, body, headers)
  const text = await response.text()
  const value = text === '' ? {} : JSON.parse(text)
  return { status: response.status, headers: response.headers, value }
}

test('POST /order: the command has the signed fields, and the answer the result', async () => {
  const body = orderBody({
    client_id: 'mine',
    mmp_enabled: true,
    builder_code_address: agent.address,
  })
  const { status, value, headers } = await send('POST', '/order', body, { 'X-Request-Id': 'r-1' })
  assert.equal(status, 200)
  assert.equal(headers.get('x-request-id'), 'r-1')
  assert.equal(headers.get('access-control-allow-origin'), '*')
  assert.equal(headers.get('deprecation'), null)
  const [command] = rig.core.seen
  assert.equal(command!.type, CommandType.PlaceOrder)
  assert.equal(command!.wallet, owner.address)
  assert.equal(command!.signer, owner.address)
  assert.equal(command!.nonce, String(body['nonce']))
  assert.deepEqual(
    [command!.underlying, command!.expiryDate, command!.strikeMicros, command!.right],
    ['BTC', 20_300_628, 100_000_000_000, 0],
  )
  assert.deepEqual([command!.priceMicros, command!.sizeLots], [100_000_000, 150_000_000])
  assert.deepEqual([command!.route, command!.tif], [Route.BookOnly, Tif.Gtc])
  assert.equal(command!.flags, OrderFlag.MmpEnabled | OrderFlag.HasBuilder)
  assert.equal(command!.clientId, 'mine')
  assert.equal(command!.builder, agent.address)
  assert.equal(value.status, 'ACKED')
  assert.equal(value.filled_size, 0)
  assert.equal(value.request_id, 'r-1')
  assert.equal(typeof value.order_id, 'number')
  assert.deepEqual(value.info, {
    symbol: testSymbol,
    price: '100.0',
    size: '1.50',
    side: 'Buy',
    tif: 'gtc',
    client_id: 'mine',
    underlying: 'BTC',
    builder_code_address: agent.address,
    order_id: value.order_id,
    is_perp: false,
    mmp_enabled: true,
    reduce_only: null,
    nonce: body['nonce'],
    signature: body['signature'],
  })
})

test('an agent signs for the wallet, and the command names the agent', async () => {
  await send('POST', '/order', orderBody({}, agent))
  assert.equal(rig.core.seen[0]!.wallet, owner.address)
  assert.equal(rig.core.seen[0]!.signer, agent.address)
})

test('every layout of an order verifies over its own struct', async () => {
  for (const changes of [
    { route: undefined },
    { route: 'best_execution' },
    { reduce_only: true },
    { symbol: 'BTC-28JUN30-100000.0-C', nonce: '18446744073709551615' },
    { client_id: null, wallet: `0x${owner.address.slice(2).toUpperCase()}` },
  ]) {
    const { status, value } = await send('POST', '/order', orderBody(changes))
    assert.equal(status, 200, JSON.stringify(value))
    assert.equal(rig.core.seen.at(-1)!.signer, owner.address, JSON.stringify(changes))
  }
})

test('an omitted route is best execution, and its answers carry the deprecation headers', async () => {
  const accepted = await send('POST', '/order', orderBody({ route: undefined }))
  assert.equal(rig.core.seen[0]!.route, Route.BestExecution)
  const refused = await send('POST', '/order', orderBody({ route: undefined, size: '0' }))
  assert.equal(refused.status, 400)
  for (const { headers } of [accepted, refused]) {
    assert.equal(headers.get('deprecation'), 'true')
    assert.equal(headers.get('sunset'), 'Sat, 04 Jul 2026 00:00:00 GMT')
    assert.equal(headers.get('x-deprecation-removal-unix'), '1783123200')
    assert.match(headers.get('warning')!, /^299 - "route will become required/)
  }
})

test('the core rejects rfq_only, after its other checks', async () => {
  rig.core.decide = () => ({ result: Result.RouteNotSupported, details: [Route.RfqOnly] })
  const { status, value } = await send('POST', '/order', orderBody({ route: 'rfq_only' }))
  assert.equal(rig.core.seen[0]!.route, Route.RfqOnly)
  assert.equal(status, 200)
  assert.equal(value.status, 'REJECTED')
  assert.equal(value.reason, 'Route rfq_only is not supported here')
  assert.equal(value.reason_code, 'route_not_supported')
  assert.equal(value.order_id, null)
  assert.equal(typeof value.seq, 'number')
})

test('a trading rejection is HTTP 200, and an authorization error is not', async () => {
  rig.core.decide = () => ({ result: Result.NoFunds })
  const rejected = await send('POST', '/order', orderBody())
  assert.equal(rejected.status, 200)
  assert.equal(rejected.value.status, 'REJECTED')
  assert.equal(rejected.value.order_id, null)
  assert.equal(rejected.value.reason_code, 'no_funds')
  rig.core.decide = () => ({ result: Result.NonceUsed })
  const used = await send('POST', '/order', orderBody({ nonce: 4242 }))
  assert.equal(used.value.reason, 'Nonce 4242 already used')
  rig.core.decide = () => ({ result: Result.Unauthorized })
  assert.equal((await send('POST', '/order', orderBody())).status, 401)
  rig.core.decide = () => ({ result: Result.LimitExceeded })
  const limited = await send('POST', '/order', orderBody())
  assert.equal(limited.status, 403)
  assert.deepEqual(limited.value, {
    code: 'limit_exceeded',
    message: 'Limit exceeded',
    error: 'limit_exceeded',
  })
})

test('unreadable bodies have their codes', async () => {
  const code = async (body: string) => {
    const { status, value } = await send('POST', '/order', body)
    return `${status} ${value.code}`
  }
  assert.equal(await code('{'), '400 invalid_json')
  assert.equal(await code('[]'), '400 invalid_request')
  assert.equal(await code('{}'), '400 missing_field')
  assert.equal(
    await code(JSON.stringify({ ...orderBody(), signature: '0x12' })),
    '400 signature_verification_failed',
  )
  assert.equal(await code(`{"x":"${'y'.repeat(262_144)}"}`), '413 payload_too_large')
  assert.equal(rig.core.seen.length, 0)
})

test('a body of exactly 256 KiB is read', async () => {
  const padding =
    262_144 - JSON.stringify({ ...orderBody({ nonce: 1_000_000 }), signer: '' }).length
  const body = JSON.stringify({ ...orderBody({ nonce: 1_000_000 }), signer: 'x'.repeat(padding) })
  assert.equal(body.length, 262_144)
  assert.equal((await send('POST', '/order', body)).status, 200)
})

test('PUT /order: the answer is the new order, and info has the old id', async () => {
  const body = orderBody({ order_id: '0005', route: undefined, size: '2' })
  // The signature is over the canonical text of the id.
  const { order_id: _, ...unsigned } = body
  const signed = orderBody({ ...unsigned, order_id: 5, route: undefined })
  const { status, value } = await send('PUT', '/order', { ...signed, order_id: '0005' })
  assert.equal(status, 200)
  assert.equal(rig.core.seen[0]!.type, CommandType.ReplaceOrder)
  assert.equal(rig.core.seen[0]!.oldOrderId, 5)
  assert.equal(rig.core.seen[0]!.route, Route.BookOnly)
  assert.equal(rig.core.seen[0]!.signer, owner.address)
  assert.equal(value.info.order_id, 5)
  assert.notEqual(value.order_id, 5)
  rig.core.decide = () => ({ result: Result.OrderAlreadyFilled })
  const refused = await send(
    'PUT',
    '/order',
    orderBody({ order_id: 6, route: undefined, reduce_only: true }),
  )
  assert.equal(refused.value.reason, 'Order 6 is already filled and cannot be cancelled')
})

function cancelBody(order: { order_id?: number; client_id?: string }) {
  const nonce = nextNonce()
  const wallet = owner.address
  return order.order_id === undefined
    ? signedBody(
        'CancelOrderByClientId',
        { wallet, clientId: order.client_id ?? '', nonce },
        { wallet, nonce, ...order },
      )
    : signedBody(
        'CancelOrder',
        { wallet, orderId: String(order.order_id), nonce },
        { wallet, nonce, ...order },
      )
}

test('DELETE /order by id: info describes the order concerned', async () => {
  rig.core.decide = (command) => ({
    orderId: command.cancelOrderId,
    status: OrderStatus.Canceled,
    result: Result.CanceledOnRequest,
    priceMicros: 5_000_000,
    sizeLots: 1e8,
  })
  const { status, value } = await send('DELETE', '/order', cancelBody({ order_id: 77 }))
  assert.equal(status, 200)
  assert.equal(rig.core.seen[0]!.type, CommandType.CancelOrder)
  assert.equal(rig.core.seen[0]!.signer, owner.address)
  assert.equal(value.status, 'CANCELED')
  assert.equal(value.reason, null)
  assert.equal(value.order_id, 77)
  assert.equal(value.info.price, '5')
  assert.equal(value.info.nonce, null)
})

test('DELETE /order by client id rejects an unknown order', async () => {
  rig.core.decide = () => ({ result: Result.ClientIdNotFound, instrument: -1 })
  const { value } = await send('DELETE', '/order', cancelBody({ client_id: 'a b' }))
  assert.equal(rig.core.seen[0]!.type, CommandType.CancelByClientId)
  assert.equal(rig.core.seen[0]!.cancelClientId, 'a b')
  assert.equal(value.status, 'REJECTED')
  assert.equal(value.reason, 'Order not found for cancellation: a b')
  assert.equal(value.info.symbol, '')
})

test('DELETE /order_cloid answers success, data and error', async () => {
  rig.core.decide = () => ({ orderId: 9, status: OrderStatus.Canceled })
  const done = await send('DELETE', '/order_cloid', cancelBody({ client_id: 'x' }))
  assert.equal(done.value.success, true)
  assert.equal(done.value.data.status, 'CANCELED')
  assert.equal(done.value.error, null)
  rig.core.decide = () => ({ result: Result.ClientIdNotFound })
  const refused = await send('DELETE', '/order_cloid', cancelBody({ client_id: 'x' }))
  assert.equal(refused.value.success, false)
  assert.equal(refused.value.error, 'Order not found for cancellation: x')
  const wrong = await send('DELETE', '/order_cloid', {})
  assert.deepEqual(wrong.value, {
    success: false,
    data: null,
    code: 'missing_field',
    message: 'Missing field: wallet',
    error: 'missing_field',
  })
})

test('the wallet or an agent approves and revokes agents', async () => {
  const approve = (changes: object = {}) => {
    const nonce = nextNonce()
    const message = { agent: agent.address, nonce }
    return signedBody('ApproveAgent', message, { ...message, ...changes })
  }
  const { status, value } = await send('POST', '/approve-agent', approve())
  assert.equal(status, 200)
  assert.deepEqual([value.success, value.error, value.wallet], [true, null, owner.address])
  assert.equal(rig.core.seen[0]!.type, CommandType.ApproveAgent)
  assert.equal(rig.core.seen[0]!.wallet, null)
  assert.equal(rig.core.seen[0]!.agent, agent.address)
  const stranger = await send('POST', '/approve-agent', approve({ wallet: agent.address }))
  assert.equal(stranger.status, 401)
  const nonce = nextNonce()
  const itself = signedBody(
    'ApproveAgent',
    { agent: owner.address, nonce },
    { agent: owner.address, nonce },
  )
  assert.equal((await send('POST', '/approve-agent', itself)).value.code, 'invalid_field')
  const zero = approve({ agent: `0x${'0'.repeat(40)}` })
  assert.equal((await send('POST', '/approve-agent', zero)).value.code, 'invalid_field')
  rig.core.decide = () => ({ result: Result.NonceUsed })
  const used = await send('POST', '/approve-agent', approve())
  assert.equal(used.status, 409)
  assert.match(used.value.message, /^Nonce \d+ already used$/)
  assert.equal(used.value.code, 'conflict')
  rig.core.decide = () => ({})
  const revoked = { agent: agent.address, nonce: nextNonce() }
  await send('DELETE', '/revoke-agent', signedBody('RevokeAgent', revoked, revoked))
  const all = { nonce: nextNonce() }
  await send('DELETE', '/revoke-all-agents', signedBody('RevokeAllAgents', all, all))
  assert.deepEqual(
    rig.core.seen.slice(-2).map(({ type, signer }) => [type, signer]),
    [
      [CommandType.RevokeAgent, owner.address],
      [CommandType.RevokeAllAgents, owner.address],
    ],
  )
})

test('service endpoints answer, HEAD without a body', async () => {
  assert.deepEqual((await send('GET', '/health')).value, { status: 'ok' })
  const head = await rig.request('HEAD', '/health')
  assert.equal(head.headers.get('content-length'), '15')
  assert.equal(await head.text(), '')
  const info = (await send('GET', '/exchange-info')).value
  assert.equal(info.chain_id, 31_337)
  assert.deepEqual(info.signing_domain, { name: 'Strikebook', version: '1' })
  assert.equal((await send('GET', '/version')).value.signing_chain_id, 31_337)
  const ready = await send('GET', '/ready')
  assert.equal(ready.status, 200)
  assert.equal(ready.value.status, 'ready')
})

test('reads of the history store keep path and query', async () => {
  const { value } = await send('GET', '/trades/7?x=%20')
  assert.deepEqual(value, { path: '/trades/7', queryText: 'x=%20' })
})

test('a client that disconnects during the decision of its order does no harm', async () => {
  rig.core.isStalled = true
  const body = JSON.stringify(orderBody())
  const socket = connect(Number(new URL(rig.url).port), '127.0.0.1')
  socket.write(`POST /order HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  while (bytesInRing(rig) === 0) await sleep(1)
  socket.destroy()
  await sleep(30)
  rig.core.isStalled = false
  assert.equal((await send('POST', '/order', orderBody())).status, 200)
  assert.equal(rig.core.seen.length, 2)
})

test('each of many simultaneous orders gets its own result', async () => {
  rig.core.decide = (command) => ({ filledLots: command.sizeLots })
  const sizes = Array.from({ length: 200 }, (_, i) => String(i + 1))
  const answers = await Promise.all(
    sizes.map((size) => send('POST', '/order', orderBody({ size }))),
  )
  assert.deepEqual(
    answers.map(({ value }) => value.filled_size),
    sizes.map(Number),
  )
})

test('while the exchange drains, new requests fail and pending ones are answered', async () => {
  const draining = await startRig()
  draining.core.isStalled = true
  const running = draining.request('POST', '/order', orderBody())
  while (bytesInRing(draining) === 0) await sleep(1)
  const flags = new Int32Array(draining.memory.flags)
  Atomics.store(flags, flagWords.draining, 1)
  const refused = await draining.request('POST', '/order', orderBody())
  assert.equal(refused.status, 503)
  assert.match(await refused.text(), /"code":"not_ready"/)
  const ready = await draining.request('GET', '/ready')
  assert.equal(ready.status, 503)
  assert.match(await ready.text(), /"message":"not ready: gateway"/)
  const stopped = draining.stop()
  await sleep(10)
  draining.core.isStalled = false
  assert.equal((await running).status, 200)
  await stopped
  await assert.rejects(draining.request('GET', '/health'))
})

test('if signing is off, every signed write fails with that reason, and reads continue', async () => {
  const unsigned = await startRig({ 'signing.enabled': 'false', maker: 'off' })
  for (const [method, path] of [
    ['POST', '/order'],
    ['DELETE', '/order_cloid'],
    ['POST', '/approve-agent'],
  ] as const) {
    const response = await unsigned.request(method, path, {})
    assert.equal(response.status, 503)
    assert.match(await response.text(), /"code":"signing_disabled"/)
  }
  assert.equal((await unsigned.request('GET', '/health')).status, 200)
  await unsigned.stop()
})

test('an unexpected failure is internal_error in the envelope of the endpoint', async () => {
  const failing = await startRig(
    {},
    {
      historyStatus: () => {
        throw new Error('the store is gone')
      },
    },
  )
  try {
    const response = await failing.request('GET', `/fills?wallet=${owner.address}`)
    assert.equal(response.status, 500)
    const { message, ...body } = JSON.parse(await response.text())
    assert.deepEqual(body, { success: false, code: 'internal_error', error: 'internal_error' })
    assert.equal(message, 'Internal error')
  } finally {
    await failing.stop()
  }
})
