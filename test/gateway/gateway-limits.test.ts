import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'
import { logReaders } from '../../engine/memory/exchange-memory.js'
import { LogCursor } from '../../engine/memory/log-cursor.js'
import { createSigner } from '../../gateway/client/signer.js'
import { allocateLimitMemory } from '../../gateway/limits/limit-memory.js'
import { Tier } from '../../schemas/domain.js'
import { AccountChange, AgentChange, OutcomeFlag } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import {
  agent,
  type GatewayRig,
  nextNonce,
  orderBody,
  owner,
  type RigParts,
  signedBody,
  startRig,
} from '../support/gateway-rig.js'

const minuteMillis = 60_000 * 30_000_000
const other = createSigner('33'.repeat(32))
const unsound = `0x${'00'.repeat(65)}`

const clock = { millis: minuteMillis }
/** Maximum number of checks, at least five milliseconds each. */
const looksMax = 10_000
const rigs: GatewayRig[] = []

afterEach(async () => {
  clock.millis = minuteMillis
  await Promise.all(rigs.splice(0).map((rig) => rig.stop()))
})

async function rigOf(
  values: Readonly<Record<string, string>> = {},
  parts: RigParts = {},
): Promise<GatewayRig> {
  const rig = await startRig(
    { 'limits.default.ordersPerMinute': '2', 'limits.default.cancelsPerMinute': '1', ...values },
    { nowMillis: () => clock.millis, ...parts },
  )
  rigs.push(rig)
  return rig
}

/** Status, the rate headers as numbers (null: absent), and the body. */
async function send(rig: GatewayRig, method: string, path: string, body?: unknown) {
  const response = await rig.request(method, path, body)
  const header = (name: string) => {
    const text = response.headers.get(name)
    return text === null ? null : Number(text)
  }
  return {
    status: response.status,
    limit: header('x-ratelimit-limit'),
    remaining: header('x-ratelimit-remaining'),
    reset: header('x-ratelimit-reset'),
    retryAfter: header('retry-after'),
    text: await response.text(),
    exposed: response.headers.get('access-control-expose-headers') ?? '',
  }
}

/** Publishes the script and waits until the gateway has read it. */
async function tell(rig: GatewayRig): Promise<void> {
  const cursor = new LogCursor(rig.memory.eventLog, logReaders.gateway(0))
  const position = rig.core.script.commit()
  rig.core.tell()
  while (!cursor.hasPassed(position)) await sleep(1)
  await sleep(2)
}

function cancelBody(orderId: number): Record<string, unknown> {
  const body = { wallet: owner.address, order_id: orderId, nonce: nextNonce() }
  const message = { wallet: owner.address, orderId: String(orderId), nonce: body.nonce }
  return signedBody('CancelOrder', message, body)
}

test('the rate-limited answer has these bytes and headers, and the next minute starts a new window', async () => {
  const rig = await rigOf()
  clock.millis = minuteMillis + 15_500
  const first = await send(rig, 'POST', '/order', orderBody())
  assert.deepEqual(
    [first.status, first.limit, first.remaining, first.reset, first.retryAfter],
    [200, 2, 1, minuteMillis / 1000 + 60, null],
  )
  assert.equal((await send(rig, 'POST', '/order', orderBody())).remaining, 0)
  const over = await send(rig, 'POST', '/order', orderBody())
  assert.equal(over.status, 429)
  assert.equal(
    over.text,
    '{"code":"rate_limit_exceeded",' +
      '"message":"Rate limit exceeded for OrderPlacement: 2 per minute, retry after 45 seconds",' +
      '"error":"rate_limit_exceeded","retry_after_secs":45,"limit":2}',
  )
  assert.deepEqual(
    [over.limit, over.remaining, over.reset, over.retryAfter],
    [2, 0, minuteMillis / 1000 + 60, 45],
  )
  for (const name of ['Limit', 'Remaining', 'Reset']) {
    assert.match(over.exposed, new RegExp(`X-RateLimit-${name}`))
  }
  assert.match(over.exposed, /Retry-After/)
  assert.equal(rig.core.seen.length, 2, 'what is over the limit never reaches the core')
  clock.millis = minuteMillis + 59_999
  assert.equal((await send(rig, 'POST', '/order', orderBody())).retryAfter, 1)
  clock.millis = minuteMillis + 60_000
  assert.equal((await send(rig, 'POST', '/order', orderBody())).remaining, 1)
})

test('rejections count; malformed and unsound requests, and those of strangers, do not', async () => {
  const rig = await rigOf()
  const uncounted = async (body: unknown, status: number) => {
    const answer = await send(rig, 'POST', '/order', body)
    assert.deepEqual([answer.status, answer.limit], [status, null])
  }
  await uncounted('{', 400)
  await uncounted(orderBody({ size: '0' }), 400)
  await uncounted({ ...orderBody(), signature: unsound }, 400)
  rig.core.decide = () => ({ result: Result.Unauthorized })
  await uncounted(orderBody({}, other), 401)
  await uncounted(orderBody({ route: 'rfq_only' }, other), 401)
  rig.core.decide = () => ({ result: Result.InvalidSymbol })
  assert.equal((await send(rig, 'POST', '/order', orderBody())).remaining, 1)
  assert.equal((await send(rig, 'POST', '/order', orderBody({ route: 'rfq_only' }))).remaining, 0)
})

test('each category has its own window, and every kind of write its category', async () => {
  const rig = await rigOf({ 'limits.default.apiRequestsPerMinute': '3' })
  await send(rig, 'POST', '/order', orderBody())
  const replaced = await send(rig, 'PUT', '/order', orderBody({ order_id: 1, route: undefined }))
  assert.deepEqual([replaced.limit, replaced.remaining], [2, 0])
  const canceled = await send(rig, 'DELETE', '/order', cancelBody(1))
  assert.deepEqual([canceled.limit, canceled.remaining], [1, 0])
  const clientId = { wallet: owner.address, clientId: 'x', nonce: nextNonce() }
  const alias = await send(
    rig,
    'DELETE',
    '/order_cloid',
    signedBody('CancelOrderByClientId', clientId, {
      wallet: owner.address,
      client_id: 'x',
      nonce: clientId.nonce,
    }),
  )
  assert.equal(
    alias.text,
    '{"success":false,"data":null,"code":"rate_limit_exceeded",' +
      '"message":"Rate limit exceeded for OrderCancellation: 1 per minute, retry after 60 seconds",' +
      '"error":"rate_limit_exceeded","retry_after_secs":60,"limit":1}',
  )
  const approval = { agent: agent.address, nonce: nextNonce() }
  const approved = await send(
    rig,
    'POST',
    '/approve-agent',
    signedBody('ApproveAgent', approval, approval),
  )
  assert.deepEqual([approved.limit, approved.remaining], [3, 2])
  const all = { nonce: nextNonce() }
  await send(rig, 'DELETE', '/revoke-all-agents', signedBody('RevokeAllAgents', all, all))
  const mode = { wallet: owner.address, mode: 'cancel_both', nonce: nextNonce() }
  const set = await send(
    rig,
    'POST',
    '/self-trade-prevention',
    signedBody('SetSelfTradePrevention', mode, mode),
  )
  assert.deepEqual([set.limit, set.remaining], [3, 0])
})

test('a known agent uses the wallet’s window at once; a new one counts by the result', async () => {
  const rig = await rigOf()
  rig.core.script.agent(AgentChange.Approved, 0, owner.address, agent.address)
  await tell(rig)
  assert.equal((await send(rig, 'POST', '/order', orderBody({}, agent))).remaining, 1)
  const news = await send(rig, 'POST', '/order', orderBody({}, other))
  assert.deepEqual([news.status, news.limit, news.remaining], [200, 2, 0])
  assert.equal((await send(rig, 'POST', '/order', orderBody({}, agent))).status, 429)
  const late = await send(rig, 'POST', '/order', orderBody({}, other))
  assert.deepEqual([late.status, late.remaining, late.retryAfter], [200, 0, null])
})

test('the request of an agent that the core no longer knows is refunded', async () => {
  const rig = await rigOf()
  rig.core.script.agent(AgentChange.Approved, 0, owner.address, agent.address)
  await tell(rig)
  rig.core.decide = () => ({ result: Result.Unauthorized })
  const revoked = await send(rig, 'POST', '/order', orderBody({}, agent))
  assert.deepEqual([revoked.status, revoked.limit], [401, null])
  rig.core.decide = () => ({})
  assert.equal((await send(rig, 'POST', '/order', orderBody())).remaining, 1)
})

test('the tier determines the limit from the moment it changes', async () => {
  const rig = await rigOf()
  assert.equal((await send(rig, 'POST', '/order', orderBody())).limit, 2)
  const account = { account: 0, wallet: owner.address, cashMicros: 1, tier: Tier.MarketMaker }
  rig.core.script.account({ ...account, change: AccountChange.Tier })
  await tell(rig)
  const raised = await send(rig, 'POST', '/order', orderBody())
  assert.deepEqual([raised.limit, raised.remaining], [600, 598])
})

test('two gateways share one window', async () => {
  const limits = allocateLimitMemory()
  const one = await rigOf({}, { limits })
  const two = await rigOf({}, { limits })
  assert.equal((await send(one, 'POST', '/order', orderBody())).remaining, 1)
  assert.equal((await send(two, 'POST', '/order', orderBody())).remaining, 0)
  assert.equal((await send(one, 'POST', '/order', orderBody())).status, 429)
})

test('the stream shares the window and states it in an Error', async () => {
  const rig = await rigOf()
  await send(rig, 'POST', '/order', orderBody())
  const socket = new WebSocket(`${rig.url.replace('http', 'ws')}/ws`)
  await new Promise((resolve) => socket.once('open', resolve))
  const heard: string[] = []
  socket.on('message', (data) => heard.push(String(data)))
  const say = (body: object) => socket.send(JSON.stringify({ type: 'PlaceOrder', ...body }))
  say(orderBody())
  const body = orderBody({ client_id: 'mine' })
  say(body)
  while (heard.length < 2) await sleep(1)
  const error = JSON.parse(heard.find((text) => text.includes('"Error"'))!)
  assert.deepEqual(error, {
    type: 'Error',
    message: 'Rate limit exceeded for OrderPlacement: 2 per minute, retry after 60 seconds',
    code: 'rate_limit_exceeded',
    retry_after_secs: 60,
    limit: 2,
    request_type: 'PlaceOrder',
    nonce: body['nonce'],
    client_id: 'mine',
  })
  socket.close()
})

test('failed signatures use up the address; then none is recovered', async () => {
  const rig = await rigOf({
    'limits.addressLimitsOnLoopback': 'true',
    'limits.failedRecoveriesPerMinute': '3',
    'limits.default.ordersPerMinute': '10',
  })
  await send(rig, 'POST', '/order', { ...orderBody(), signature: unsound })
  rig.core.decide = () => ({ result: Result.NoFunds })
  assert.equal((await send(rig, 'POST', '/order', orderBody())).remaining, 9)
  rig.core.decide = () => ({ result: Result.Unauthorized })
  await send(rig, 'POST', '/order', orderBody({}, other))
  rig.core.decide = () => ({})
  const nobody = () => orderBody({ wallet: other.address }, other)
  const over = await send(rig, 'POST', '/order', nobody())
  assert.equal(over.status, 429)
  assert.match(
    over.text,
    /"message":"Rate limit exceeded for FailedSignature: 3 per minute, retry after 60 seconds"/,
  )
  assert.deepEqual([over.retryAfter, over.limit, over.remaining], [60, 3, 0])
  assert.equal((await send(rig, 'POST', '/bulk_order', [nobody()])).status, 429)
  clock.millis += 60_000
  assert.equal((await send(rig, 'POST', '/order', orderBody())).remaining, 9)
})

test('an agent approved by a wallet without funds costs the address, and is approved', async () => {
  const rig = await rigOf({
    'limits.addressLimitsOnLoopback': 'true',
    'limits.failedRecoveriesPerMinute': '2',
  })
  const approve = () => {
    const message = { agent: other.address, nonce: nextNonce() }
    return send(rig, 'POST', '/approve-agent', signedBody('ApproveAgent', message, message))
  }
  rig.core.decide = () => ({ outcomeFlags: OutcomeFlag.Unfunded })
  assert.equal((await approve()).status, 200)
  assert.equal((await approve()).status, 200)
  assert.equal((await approve()).status, 429)
})

test('in development clients of this machine have no such limit', async () => {
  const rig = await rigOf({ 'limits.failedRecoveriesPerMinute': '1' })
  for (let i = 0; i < 3; i++) {
    const body = { ...orderBody(), signature: unsound }
    assert.equal((await send(rig, 'POST', '/order', body)).status, 400)
  }
})

test('streams beyond the limit of an address fail, and a closed one makes room', async () => {
  const rig = await rigOf({
    'limits.addressLimitsOnLoopback': 'true',
    'limits.connectionsPerAddressMax': '1',
  })
  const open = async () => {
    const socket = new WebSocket(`${rig.url.replace('http', 'ws')}/ws`)
    socket.on('error', () => {})
    const status = await new Promise<number>((resolve) => {
      socket.once('open', () => resolve(101))
      socket.once('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
    })
    return { socket, status }
  }
  const one = await open()
  assert.equal(one.status, 101)
  assert.equal((await open()).status, 429)
  one.socket.close()
  let next = await open()
  for (let looks = 0; next.status !== 101; looks++) {
    assert.ok(looks < looksMax, 'its end is known by now')
    await sleep(5)
    next = await open()
  }
  next.socket.close()
})

test('pending requests count like streams, and an answered one makes room', async () => {
  const rig = await rigOf({
    'limits.addressLimitsOnLoopback': 'true',
    'limits.connectionsPerAddressMax': '2',
  })
  rig.core.isStalled = true
  const waiting = [orderBody(), orderBody()].map((body) => send(rig, 'POST', '/order', body))
  let over = await send(rig, 'GET', '/version')
  for (let looks = 0; over.status !== 429; looks++) {
    assert.ok(looks < looksMax, 'both are under way by now')
    await sleep(5)
    over = await send(rig, 'GET', '/version')
  }
  assert.match(over.text, /"message":"Connection limit exceeded: 2 per address"/)
  rig.core.isStalled = false
  for (const { status } of await Promise.all(waiting)) assert.equal(status, 200)
  for (let i = 0; i < 5; i++) assert.equal((await send(rig, 'GET', '/version')).status, 200)
})

test('a read that names a wallet counts, a malformed one does not, and others have no window', async () => {
  const historyStatus = (query: string) => (query.includes('limit=x') ? 400 : 200)
  const rig = await rigOf({ 'limits.default.apiRequestsPerMinute': '2' }, { historyStatus })
  const path = `/fills?wallet=${owner.address}`
  const malformed = await send(rig, 'GET', `${path}&limit=x`)
  assert.deepEqual([malformed.status, malformed.limit], [400, null])
  assert.equal((await send(rig, 'GET', '/fills?wallet=0x12')).limit, null)
  assert.equal((await send(rig, 'GET', '/trades')).limit, null)
  assert.equal((await send(rig, 'GET', path)).remaining, 1)
  const upper = `/fills?%77allet=0x${owner.address.slice(2).toUpperCase()}`
  assert.equal((await send(rig, 'GET', upper)).remaining, 0)
  const over = await send(rig, 'GET', path)
  assert.equal(over.status, 429)
  assert.match(
    over.text,
    /^\{"success":false,"code":"rate_limit_exceeded","message":"Rate limit exc/,
  )
  assert.match(over.text, /for ApiRequest: 2 per minute/)
  assert.equal((await send(rig, 'HEAD', path)).status, 429)
  assert.equal((await send(rig, 'GET', `/trades?account=${other.address}`)).remaining, 1)
  const mode = { wallet: owner.address, mode: 'cancel_both', nonce: nextNonce() }
  const signed = signedBody('SetSelfTradePrevention', mode, mode)
  const write = await send(rig, 'POST', '/self-trade-prevention', signed)
  assert.equal(write.remaining, 1, 'nobody spends a wallet’s own window by reading')
})

test('when rate-limited, the earlier checks still answer first', async () => {
  const rig = await rigOf()
  await send(rig, 'POST', '/order', orderBody())
  await send(rig, 'POST', '/order', orderBody())
  const statusOf = async (body: object) => (await send(rig, 'POST', '/order', body)).status
  assert.equal(await statusOf(orderBody({ size: '0' })), 400)
  assert.equal(await statusOf({ ...orderBody(), signature: unsound }), 400)
  rig.core.decide = () => ({ result: Result.Unauthorized })
  assert.equal(await statusOf(orderBody({}, other)), 401)
  assert.equal(await statusOf(orderBody({ route: 'rfq_only' })), 429)
})
