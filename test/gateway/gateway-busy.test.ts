import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { smallMemory } from '../../bench/event-script.js'
import { allocateRing } from '../../engine/memory/ring.js'
import { BulkCommand, PlaceOrderCommand } from '../../schemas/generated/commands.js'
import {
  agent,
  bytesInRing,
  type GatewayRig,
  nextNonce,
  orderBody,
  owner,
  signedBody,
  startRig,
} from '../support/gateway-rig.js'

const ringBytes = 4096
const ordersThatFit = Math.floor(ringBytes / PlaceOrderCommand.bytes)
const wallet = owner.address

let rig: GatewayRig

before(async () => {
  const memory = { ...smallMemory(), commandRings: [allocateRing(ringBytes)] }
  rig = await startRig({ 'limits.default.ordersPerMinute': '1000' }, { memory })
})
beforeEach(() => {
  rig.core.isStalled = false
  rig.core.seen.length = 0
  rig.core.bulks.length = 0
})
after(() => rig.stop())

async function send(method: string, path: string, body: unknown) {
  const response = await rig.request(method, path, body)
  return { status: response.status, value: JSON.parse(await response.text()) }
}

type Sent = ReturnType<typeof send>

/** Stalls the core and puts orders into the ring. @returns their answers, still to come. */
async function putOrders(count: number): Promise<readonly Sent[]> {
  rig.core.isStalled = true
  const waiting = Array.from({ length: count }, () => send('POST', '/order', orderBody()))
  while (bytesInRing(rig) < count * PlaceOrderCommand.bytes) await sleep(1)
  return waiting
}

/** Lets the core continue, and waits for the orders that were in the ring. */
async function drain(waiting: readonly Sent[]): Promise<void> {
  rig.core.isStalled = false
  for (const { status, value } of await Promise.all(waiting)) {
    assert.deepEqual([status, value.status], [200, 'ACKED'])
  }
  assert.equal(rig.core.seen.length, waiting.length)
}

const engineBusy = {
  code: 'engine_busy',
  message: 'The engine is busy; nothing was done',
  error: 'engine_busy',
}

test('an order that finds the command ring full gets 503, and a retry is accepted once it drains', async () => {
  const waiting = await putOrders(ordersThatFit)
  const body = orderBody({ client_id: 'refused-first' })
  const refused = await send('POST', '/order', body)
  assert.deepEqual(refused, { status: 503, value: engineBusy })
  await drain(waiting)
  assert.ok(rig.core.seen.every((command) => command.clientId !== 'refused-first'))
  const taken = await send('POST', '/order', body)
  assert.deepEqual([taken.status, taken.value.status], [200, 'ACKED'])
  const [command, ...others] = rig.core.seen.slice(ordersThatFit)
  assert.deepEqual([command!.clientId, others.length], ['refused-first', 0])
})

test('every other signed write gets the same in the envelope of its endpoint', async () => {
  const nonce = () => ({ nonce: nextNonce() })
  const mode = { wallet, mode: 'cancel_maker', ...nonce() }
  const cancel = { wallet, orderId: '1', ...nonce() }
  const reset = { wallet, currency: 'BTC', ...nonce() }
  const approval = { agent: agent.address, ...nonce() }
  const writes = [
    [
      'DELETE',
      '/order',
      signedBody('CancelOrder', cancel, { wallet, order_id: '1', nonce: cancel.nonce }),
    ],
    ['PUT', '/order', orderBody({ order_id: '1', route: undefined })],
    ['POST', '/bulk_order', [orderBody()]],
    ['POST', '/self-trade-prevention', signedBody('SetSelfTradePrevention', mode, mode)],
    ['POST', '/mmp-config/reset', signedBody('ResetMmp', reset, reset)],
    ['POST', '/approve-agent', signedBody('ApproveAgent', approval, approval)],
  ] as const
  const frames: Record<string, object> = {
    '/self-trade-prevention': { success: false, data: null },
    '/mmp-config/reset': { success: false, data: null },
    '/approve-agent': { success: false },
  }
  const waiting = await putOrders(ordersThatFit)
  for (const [method, path, body] of writes) {
    const refused = await send(method, path, body)
    assert.deepEqual(refused, { status: 503, value: { ...frames[path], ...engineBusy } }, path)
  }
  await drain(waiting)
  for (const [method, path, body] of writes) {
    const { status } = await send(method, path, body)
    assert.equal(status, 200, path)
  }
  assert.equal(rig.core.seen.length, ordersThatFit + writes.length)
})

test('a bulk with room for only some of its items fails as a whole', async () => {
  const waiting = await putOrders(ordersThatFit - 2)
  assert.ok(
    BulkCommand.bytes + 2 * PlaceOrderCommand.bytes > ringBytes - bytesInRing(rig),
    'two orders, no bulk',
  )
  const pair = [orderBody({ client_id: 'one' }), orderBody({ client_id: 'two' })]
  assert.deepEqual(await send('POST', '/bulk_order', pair), { status: 503, value: engineBusy })
  await drain(waiting)
  assert.deepEqual(rig.core.bulks, [])
  const taken = await send('POST', '/bulk_order', pair)
  assert.equal(taken.status, 200)
  assert.deepEqual(rig.core.bulks, [2])
})
