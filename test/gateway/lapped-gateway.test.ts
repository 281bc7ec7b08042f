import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'
import { smallMemory, walletOf } from '../../bench/event-script.js'
import { engineConfigDefault } from '../../engine/state/market/engine-config.js'
import { ReadModel } from '../../gateway/read-model/read-model.js'
import { loadTransports } from '../../gateway/transport/transports.js'
import { OrderStatus, Side, Tier } from '../../schemas/domain.js'
import { AccountChange, AgentChange, InstrumentChange } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import {
  agent,
  bytesInRing,
  type GatewayRig,
  orderBody,
  owner,
  startRig,
  testExpiryMillis,
  testSymbol,
} from '../support/gateway-rig.js'

interface Row {
  readonly symbol: string
  readonly status: string
}

const usd = 1_000_000
const contract = 100_000_000
const logBytes = 1 << 20
const waitMillisMax = 30_000
const memory = smallMemory(1, logBytes)
const config = { testnet: true, minTradeLots: 1, chainMillis: 250, refusesUnknown: false }
const readModel = new ReadModel(memory, { engine: engineConfigDefault, ...config }, Date.now)
let isReadModelStalled = false
const readModelTurns = setInterval(() => {
  if (!isReadModelStalled) readModel.doWork()
}, 1)
let rig: GatewayRig

before(async () => {
  const held = await (await loadTransports('auto')).holdPort('127.0.0.1', 0)
  rig = await startRig({}, { memory, port: held.port })
  held.release()
})
after(async () => {
  await rig.stop()
  clearInterval(readModelTurns)
})

async function eventually(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const endMillis = performance.now() + waitMillisMax
  while (!(await holds())) {
    assert.ok(performance.now() < endMillis, what)
    await sleep(5)
  }
}

function tell(): void {
  rig.core.tell()
  readModel.doWork()
}

/**
 * More events than the log holds while the gateway, which is of this thread, cannot read one; the read model, which
 * the core waits for, reads them all.
 */
function overrun(): void {
  const { script } = rig.core
  for (let bytes = 0; bytes < 2 * logBytes; bytes += 100 * 48) {
    for (let count = 0; count < 100; count++) {
      script.level(1, Side.Buy, (1 + (count % 7)) * usd, (1 + count) * contract)
    }
    tell()
  }
  script.cleared(1)
  tell()
}

/** The snapshot of all books that a new stream gets. */
async function booksOf(url: string): Promise<Record<string, unknown>[]> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`)
  const heard: Record<string, unknown>[] = []
  socket.on('message', (data) => heard.push(JSON.parse(String(data))))
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'Subscribe', channel: 'orderbook' }))
  socket.send(JSON.stringify({ type: 'ClockSync', nonce: 'end' }))
  await eventually('a snapshot', () => heard.some(({ type }) => type === 'ClockSynced'))
  socket.terminate()
  return heard.filter(({ type }) => type !== 'ClockSynced' && type !== 'Subscribed')
}

const statusOf = async (path: string) =>
  rig.request('GET', path).then(
    ({ status }) => status,
    () => 0,
  )

test('a gateway that lost events closes all connections, restores its tables, and serves again', async () => {
  const { core, url } = rig
  const { script } = core
  const wallet = owner.address
  const opened = { account: 0, wallet, cashMicros: usd, change: AccountChange.Opened }
  script.account(opened)
  script.agent(AgentChange.Approved, 0, wallet, walletOf(7))
  script.level(0, Side.Buy, 5 * usd, contract)
  tell()
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`)
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'Subscribe', channel: 'orderbook' }))
  await once(socket, 'message')
  const closed = once(socket, 'close')
  core.isStalled = true
  const unanswered = rig.request('POST', '/order', orderBody()).then(
    ({ status }) => status,
    () => 'closed' as const,
  )
  await eventually('its command', () => bytesInRing(rig) > 0)

  // Events that the gateway will not have read: a wallet's tier, agents, listings, books, prices.
  script.account({ ...opened, tier: Tier.MarketMaker, change: AccountChange.Tier })
  script.agent(AgentChange.Revoked, 0, wallet, walletOf(7))
  script.agent(AgentChange.Approved, 0, wallet, agent.address)
  script.instrument(3, 'ETH-PERP', 1, testExpiryMillis, InstrumentChange.Created)
  script.level(0, Side.Buy, 5 * usd, 0)
  script.level(0, Side.Sell, 9 * usd, 3 * contract)
  script.level(0, Side.Sell, 8 * usd, 2 * contract)
  script.indexPrice(0, 100_000 * usd)
  overrun()

  const [code, reason] = await closed
  assert.equal(code, 1012)
  assert.match(String(reason), /connect again/)
  assert.equal(await unanswered, 'closed')
  core.isStalled = false
  await eventually('served again', async () => (await statusOf('/ready')) === 200)
  assert.deepEqual(rig.failures, [])
  assert.match(rig.logs.join('\n'), /overwritten unread/)

  const info = (await (await rig.request('GET', '/exchange-info')).json()) as { perps: Row[] }
  assert.deepEqual(
    info.perps.map(({ symbol }) => symbol),
    ['ETH-PERP'],
  )
  const books = await booksOf(url)
  assert.equal(books.length, 1, JSON.stringify(books))
  const text = JSON.stringify(books[0])
  assert.match(text, new RegExp(testSymbol))
  assert.match(text, /"asks":\[[^\]]*8[^\]]*\].*9/)
  assert.match(text, /"bids":\[\]/)
  const counted = async (signer = owner) => {
    const answer = await rig.request('POST', '/order', orderBody({}, signer))
    return { status: answer.status, limit: answer.headers.get('x-ratelimit-limit') }
  }
  assert.deepEqual(await counted(), { status: 200, limit: '600' })
  assert.deepEqual(await counted(agent), { status: 200, limit: '600' })
})

test('a pending request gets its own first result when it is retried', async () => {
  const { core } = rig
  core.isStalled = true
  const body = orderBody({ client_id: 'first' })
  const unanswered = rig.request('POST', '/order', body).then(
    ({ status }) => status,
    () => 'closed' as const,
  )
  await eventually('its command', () => bytesInRing(rig) > 0)
  overrun()
  assert.equal(await unanswered, 'closed')
  await eventually('served again', async () => (await statusOf('/ready')) === 200)
  // The acknowledgement of the lost request arrives now; another request waits by then.
  core.decide = ({ clientId }) =>
    clientId === 'first' ? { status: OrderStatus.Rejected, result: Result.NoFunds } : {}
  const waiting = bytesInRing(rig)
  const second = rig.request('POST', '/order', orderBody({ client_id: 'second' }))
  await eventually('another command', () => bytesInRing(rig) > waiting)
  core.isStalled = false
  const answer = await second
  assert.equal(((await answer.json()) as Row).status, 'ACKED')
  const again = await rig.request('POST', '/order', body)
  assert.equal(((await again.json()) as Row).status, 'REJECTED')
})

test('a gateway is not ready until its tables are restored', async () => {
  isReadModelStalled = true
  overrun()
  await eventually('not ready', async () => (await statusOf('/ready')) === 503)
  await eventually('not read either', async () => (await statusOf('/instruments')) === 503)
  isReadModelStalled = false
  await eventually('ready again', async () => (await statusOf('/ready')) === 200)
  assert.equal(await statusOf('/instruments'), 200)
})
