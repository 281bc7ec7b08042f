import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import type { Signer } from '../../../gateway/client/signer.js'
import { createSigner } from '../../../gateway/client/signer.js'
import { OrderStatus, Route } from '../../../schemas/domain.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import { Result } from '../../../schemas/results.js'
import {
  agent,
  type GatewayRig,
  nextNonce,
  orderBody,
  owner,
  signedBody,
  startRig,
} from '../../support/gateway-rig.js'

const other = createSigner('33'.repeat(32))
const unsound = `0x${'00'.repeat(65)}`
const rigs: GatewayRig[] = []

afterEach(async () => {
  await Promise.all(rigs.splice(0).map((rig) => rig.stop()))
})

async function rigOf(values: Readonly<Record<string, string>> = {}): Promise<GatewayRig> {
  const rig = await startRig({ 'limits.default.ordersPerMinute': '100', ...values }, atMinuteStart)
  rigs.push(rig)
  for (const [index, { address: wallet }] of [agent, other].entries()) {
    rig.core.script.account({ account: 1 + index, wallet, cashMicros: 1 })
  }
  rig.core.tell()
  return rig
}

const atMinuteStart = { nowMillis: () => 60_000 * 30_000_000 }

async function send(rig: GatewayRig, method: string, path: string, body: unknown) {
  const response = await rig.request(method, path, body, { 'X-Request-Id': 'r-7' })
  const remaining = response.headers.get('x-ratelimit-remaining')
  const text = await response.text()
  return {
    status: response.status,
    limit: response.headers.get('x-ratelimit-limit'),
    remaining: remaining === null ? null : Number(remaining),
    retryAfter: response.headers.get('retry-after'),
    text,
    value: JSON.parse(text),
  }
}

function orderOf(signer: Signer, changes: object = {}): Record<string, unknown> {
  return orderBody({ wallet: signer.address, ...changes }, signer)
}

function cancelOf(orderId: number, signer = owner): Record<string, unknown> {
  const body = { wallet: signer.address, order_id: orderId, nonce: nextNonce() }
  const message = { wallet: signer.address, orderId: String(orderId), nonce: body.nonce }
  return signedBody('CancelOrder', message, body, signer)
}

function cancelByClientIdOf(clientId: string): Record<string, unknown> {
  const body = { wallet: owner.address, client_id: clientId, nonce: nextNonce() }
  const message = { wallet: owner.address, clientId, nonce: body.nonce }
  return signedBody('CancelOrderByClientId', message, body)
}

test('a bare array gets a bare array, and an object gets its results', async () => {
  const rig = await rigOf()
  const bare = await send(rig, 'POST', '/bulk_order', [orderBody(), orderBody({ size: '2' })])
  assert.equal(bare.status, 200)
  assert.deepEqual(
    bare.value.map((result: { index: number; success: boolean }) => [result.index, result.success]),
    [
      [0, true],
      [1, true],
    ],
  )
  assert.deepEqual(Object.keys(bare.value[0]), ['index', 'success', 'data'])
  assert.equal(bare.value[1].data.info.size, '2')
  assert.equal(bare.value[1].data.status, 'ACKED')
  assert.equal(bare.value[1].data.request_id, 'r-7')
  assert.deepEqual(rig.core.bulks, [2], 'both in one command')
  const object = await send(rig, 'POST', '/orders', { orders: [orderBody()] })
  assert.deepEqual(Object.keys(object.value), ['results'])
  assert.equal(object.value.results.length, 1)
  assert.equal(object.remaining, 97)
})

test('every item reaches the core with its own header, in the order of the array', async () => {
  const rig = await rigOf()
  const bodies = [
    orderBody({ route: undefined, client_id: 'a' }),
    orderOf(other, { builder_code_address: agent.address }),
    orderBody({ reduce_only: true }, agent),
  ]
  await send(rig, 'POST', '/bulk_order', bodies)
  assert.deepEqual(
    rig.core.seen.map(({ type, wallet, signer, nonce, route, clientId }) => ({
      ...{ type, wallet, signer, nonce, route, clientId },
    })),
    bodies.map((body, index) => ({
      type: CommandType.PlaceOrder,
      wallet: body['wallet'],
      signer: index === 2 ? agent.address : body['wallet'],
      nonce: String(body['nonce']),
      route: Route.BookOnly,
      clientId: index === 0 ? 'a' : '',
    })),
  )
  assert.equal(rig.core.seen[1]!.builder, agent.address)
  assert.equal(rig.core.seen[2]!.builder, `0x${'0'.repeat(40)}`, 'nothing of the item before')
})

test('a bulk has 1 to 50 items in a list', async () => {
  const rig = await rigOf()
  const fifty = Array.from({ length: 50 }, () => orderBody())
  const codeOf = async (body: unknown, method = 'POST') => {
    const { status, value } = await send(rig, method, '/bulk_order', body)
    return `${status} ${value.code}`
  }
  assert.equal(await codeOf([]), '400 invalid_parameter')
  assert.equal(await codeOf({ orders: [] }), '400 invalid_parameter')
  assert.equal(await codeOf([...fifty, orderBody()]), '400 invalid_parameter')
  assert.equal(await codeOf({ orders: {} }), '400 invalid_parameter')
  assert.equal(await codeOf({ cancels: fifty }), '400 missing_field')
  assert.equal(await codeOf({ orders: fifty }, 'PUT'), '400 missing_field')
  assert.equal(await codeOf('7'), '400 invalid_request')
  assert.equal(await codeOf('{'), '400 invalid_json')
  assert.equal(rig.core.seen.length, 0)
  const whole = await send(rig, 'POST', '/bulk_order', fifty)
  assert.equal(whole.value.length, 50)
  assert.ok(whole.value.every((result: { success: boolean }) => result.success))
  assert.equal(whole.remaining, 50)
})

test('an item that fails before the engine has its code, and the others continue', async () => {
  const rig = await rigOf()
  rig.core.decide = ({ priceMicros }) =>
    priceMicros === 7_000_000 ? { result: Result.NoFunds } : {}
  const { status, value, remaining } = await send(rig, 'POST', '/bulk_order', [
    7,
    orderBody({ size: '0' }),
    { ...orderBody(), signature: unsound },
    orderBody({ price: '7' }),
    orderBody(),
    orderBody({ wallet: '0x1' }),
  ])
  assert.equal(status, 200)
  assert.deepEqual(
    value.map((result: Record<string, unknown>) => [result['code'], result['error']]),
    [
      ['invalid_parameter', 'invalid_parameter: Invalid item: must be an object'],
      ['invalid_field', "invalid_field: Invalid size: must be greater than 0 ('0')"],
      [
        'signature_verification_failed',
        'signature_verification_failed: Signature verification failed',
      ],
      [
        'no_funds',
        'Account has no funds. Please deposit before trading. POST /faucet {"wallet": "0x..."} credits paper money here.',
      ],
      [undefined, undefined],
      ['invalid_wallet', 'invalid_wallet: Invalid wallet: 0x1'],
    ],
  )
  assert.deepEqual(
    value.map((result: { data: { status: string } | null }) => result.data?.status ?? null),
    [null, null, null, 'REJECTED', 'ACKED', null],
  )
  assert.equal(remaining, 98, 'two were authorised')
  assert.deepEqual(rig.core.bulks, [2])
})

test('without an item for the core nothing is sent, and unsound items do not count', async () => {
  const rig = await rigOf()
  const body = [{ ...orderBody(), signature: unsound }, {}]
  const { value, limit } = await send(rig, 'POST', '/bulk_order', body)
  assert.equal(value.length, 2)
  assert.equal(limit, null)
  assert.deepEqual(rig.core.bulks, [])
})

test('items of strangers fail alone and do not count', async () => {
  const rig = await rigOf()
  rig.core.decide = ({ signer }) =>
    signer === other.address ? { result: Result.Unauthorized } : {}
  const { value, remaining } = await send(rig, 'POST', '/bulk_order', [
    orderBody({}, other),
    orderBody(),
    orderBody({ route: 'rfq_only' }, other),
  ])
  const stranger = 'unauthorized: Signer is not authorized for this wallet'
  assert.deepEqual(
    value.map((result: { error?: string }) => result.error),
    [stranger, undefined, stranger],
  )
  assert.equal(remaining, 99)
})

test('a request beyond the window fails as a whole, and counts for no wallet', async () => {
  const rig = await rigOf({ 'limits.default.ordersPerMinute': '3' })
  await send(rig, 'POST', '/order', orderOf(other))
  const body = [
    orderBody(),
    orderBody(),
    ...Array.from({ length: 3 }, () => orderOf(other)),
    { ...orderBody(), signature: unsound },
  ]
  const over = await send(rig, 'POST', '/bulk_order', { orders: body })
  assert.deepEqual([over.status, over.limit, over.remaining, over.retryAfter], [429, '3', 2, '60'])
  assert.deepEqual(Object.keys(over.value), [
    'code',
    'message',
    'error',
    'retry_after_secs',
    'limit',
  ])
  assert.match(over.value.message, /^Rate limit exceeded for OrderPlacement: 3 per minute, retry/)
  assert.equal(rig.core.seen.length, 1, 'nothing ran')
  const fits = await send(rig, 'POST', '/bulk_order', [orderBody(), orderBody(), orderBody()])
  assert.deepEqual([fits.status, fits.remaining], [200, 0])
})

test('more items of a wallet than its window ever holds fail without a time to retry', async () => {
  const rig = await rigOf({ 'limits.default.ordersPerMinute': '3' })
  const body = [orderOf(other), ...Array.from({ length: 4 }, () => orderBody())]
  const over = await send(rig, 'POST', '/bulk_order', body)
  assert.deepEqual(
    [over.status, over.value.code, over.retryAfter],
    [400, 'invalid_parameter', null],
  )
  assert.equal((await send(rig, 'POST', '/order', orderOf(other))).remaining, 2)
})

test('the headers show the window with the least remaining', async () => {
  const rig = await rigOf({ 'limits.default.ordersPerMinute': '5' })
  await send(rig, 'POST', '/order', orderOf(other))
  const body = [orderBody(), orderOf(other), orderBody()]
  assert.equal((await send(rig, 'POST', '/bulk_order', body)).remaining, 3)
  assert.equal((await send(rig, 'POST', '/bulk_order', [orderOf(other)])).remaining, 2)
})

test('replacements: each item names its old order and has no route', async () => {
  const rig = await rigOf()
  rig.core.decide = ({ oldOrderId }) =>
    oldOrderId === 6 ? { result: Result.OrderAlreadyFilled } : {}
  const bodies = [
    orderBody({ order_id: 5, route: undefined }),
    orderBody({ order_id: 6, route: undefined }),
  ]
  const { value } = await send(rig, 'PUT', '/bulk_order', { replacements: bodies })
  assert.deepEqual(
    rig.core.seen.map(({ type, oldOrderId, route }) => [type, oldOrderId, route]),
    [
      [CommandType.ReplaceOrder, 5, Route.BookOnly],
      [CommandType.ReplaceOrder, 6, Route.BookOnly],
    ],
  )
  assert.equal(value.results[0].data.info.order_id, 5)
  assert.equal(value.results[1].success, false)
  assert.equal(value.results[1].error, 'Order 6 is already filled and cannot be cancelled')
  assert.equal(value.results[1].code, 'order_already_filled')
})

test('cancels accept either id on every path, and count as cancellations', async () => {
  const rig = await rigOf({ 'limits.default.cancelsPerMinute': '10' })
  rig.core.decide = ({ type, cancelOrderId }) =>
    type === CommandType.CancelOrder
      ? { orderId: cancelOrderId, status: OrderStatus.Canceled, result: Result.CanceledOnRequest }
      : { result: Result.ClientIdNotFound, instrument: -1 }
  for (const [index, [method, path]] of (
    [
      ['DELETE', '/bulk_order'],
      ['DELETE', '/bulk_order_cloid'],
      ['POST', '/orders/cancel'],
    ] as const
  ).entries()) {
    const body = [cancelOf(77), cancelByClientIdOf('gone'), { ...cancelOf(1), client_id: 'x' }]
    const { value, remaining } = await send(rig, method, path, { cancels: body })
    const [done, gone, both] = value.results
    assert.deepEqual([done.success, done.data.status, done.data.order_id], [true, 'CANCELED', 77])
    assert.equal(done.data.request_id, 'r-7')
    assert.deepEqual([gone.success, gone.data.status], [false, 'REJECTED'])
    assert.equal(gone.error, 'Order not found for cancellation: gone')
    assert.equal(gone.code, 'order_not_found')
    assert.deepEqual([both.data, both.code], [null, 'invalid_parameter'])
    assert.equal(remaining, 10 - 2 * (index + 1))
  }
})

test('an item above a limit of the engine fails alone', async () => {
  const rig = await rigOf()
  rig.core.decide = ({ sizeLots }) => (sizeLots > 2e8 ? { result: Result.LimitExceeded } : {})
  const { value } = await send(rig, 'POST', '/bulk_order', [orderBody({ size: '3' }), orderBody()])
  assert.deepEqual(value[0], {
    index: 0,
    success: false,
    data: null,
    error: 'limit_exceeded: Limit exceeded',
    code: 'limit_exceeded',
  })
  assert.equal(value[1].success, true)
})

test('an immediate order that ends unfilled was accepted', async () => {
  const rig = await rigOf()
  rig.core.decide = () => ({ status: OrderStatus.Canceled, result: Result.IocRemainder })
  const { value } = await send(rig, 'POST', '/bulk_order', [orderBody({ tif: 'ioc' })])
  assert.equal(value[0].success, true)
  assert.equal(value[0].data.reason_code, 'ioc_remainder')
  assert.equal(value[0].error, undefined)
})
