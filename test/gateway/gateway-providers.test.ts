import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'
import { ProviderStatus } from '../../schemas/domain.js'
import { CommandType } from '../../schemas/generated/commands.js'
import { OutcomeFlag, ProviderChange } from '../../schemas/record-values.js'
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
import { emitProvider, type ProviderEntry } from '../support/rfq-script.js'

const waitMillisMax = 60_000

let rig: GatewayRig

before(async () => {
  rig = await startRig()
})
beforeEach(() => {
  rig.core.decide = () => ({})
  rig.core.isStalled = false
  rig.core.seen.length = 0
})
after(() => rig.stop())

async function until(what: string, isThere: () => boolean): Promise<void> {
  const endMillis = performance.now() + waitMillisMax
  while (!isThere() && performance.now() < endMillis) await sleep(1)
  assert.ok(isThere(), what)
}

/** Opens a connection that stores its messages. */
async function client(path = '/ws/quotes') {
  const socket = new WebSocket(rig.url.replace('http', 'ws') + path)
  const heard: Record<string, unknown>[] = []
  const state = { closed: null as { code: number; reason: string } | null }
  socket.on('message', (data) => heard.push(JSON.parse(String(data))))
  socket.on('close', (code, reason) => {
    state.closed = { code, reason: String(reason) }
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return { socket, heard, state, say: (frame: object) => socket.send(JSON.stringify(frame)) }
}

function connectFrame(signer = owner): Record<string, unknown> {
  const message = { wallet: owner.address, timestamp: String(Date.now()), nonce: nextNonce() }
  const type = 'connect_quote_provider'
  return signedBody('ConnectQuoteProvider', message, { type, ...message }, signer)
}

const quote = {
  type: 'indicative_quote_update',
  quotes: [{ instrument: testSymbol, bid_price: '5', max_bid_size: '1' }],
}
const seen = (type: number) => rig.core.seen.filter((command) => command.type === type)

function tell(entry: ProviderEntry): void {
  emitProvider(rig.core.script, owner.address, 0, entry)
  rig.core.tell()
}

test('a handshake is a signed command, and its end another', async () => {
  const { socket, heard, say } = await client()
  const frame = connectFrame()
  say(frame)
  await until('the answer', () => heard.length > 0)
  assert.equal(heard[0]!['type'], 'authenticated')
  const [connect] = seen(CommandType.ConnectProvider)
  assert.deepEqual(
    [connect?.wallet, connect?.signer, connect?.nonce],
    [owner.address, owner.address, String(frame['nonce'])],
  )
  socket.close()
  await until('the end', () => seen(CommandType.LeaveProvider).length === 1)
  const [leave] = seen(CommandType.LeaveProvider)
  assert.deepEqual([leave?.wallet, leave?.gateway], [owner.address, 0])
})

test("quotes that arrive before the handshake's answer count from the answer on, in their order", async () => {
  rig.core.isStalled = true
  const watcher = await client('/ws')
  watcher.say({ type: 'Subscribe', channel: 'indicative_market_data' })
  await until('the subscription', () => watcher.heard.length === 1)
  const { socket, heard, say } = await client()
  say(connectFrame())
  say(quote)
  say({ ...quote, quotes: [{ ...quote.quotes[0], bid_price: '6' }] })
  await sleep(30)
  assert.deepEqual([heard, watcher.heard.length], [[], 1])
  rig.core.isStalled = false
  await until('the quotes', () => watcher.heard.some(({ best_bid: bid }) => bid === '6'))
  assert.equal(heard[0]!['type'], 'authenticated')
  watcher.socket.close()
  socket.close()
  await until('the end', () => seen(CommandType.LeaveProvider).length === 1)
})

test("a provider that disconnects during the engine's decision leaves no session", async () => {
  rig.core.isStalled = true
  const { socket, say } = await client()
  say(connectFrame())
  await until('the command', () => bytesInRing(rig) > 0)
  socket.terminate()
  await sleep(20)
  assert.deepEqual(seen(CommandType.LeaveProvider), [])
  rig.core.isStalled = false
  await until('the end', () => seen(CommandType.LeaveProvider).length === 1)
})

test('errors of the engine have the texts of the handshake', async () => {
  const refusals = [
    [{ result: Result.UnknownProvider }, 'unknown quote provider'],
    [{ result: Result.NoAccount }, 'unknown quote provider'],
    [{ result: Result.ProviderSuspended }, 'quote provider suspended'],
    [{ result: Result.NonceUsed }, 'nonce already used'],
    [{ result: Result.Unauthorized }, 'invalid signature'],
    [{ outcomeFlags: OutcomeFlag.Repeat }, 'nonce already used'],
    [{ result: Result.LimitExceeded }, 'Limit exceeded'],
  ] as const
  for (const [verdict, reason] of refusals) {
    rig.core.decide = () => verdict
    const { heard, state, say } = await client()
    say(connectFrame(agent))
    await until('the close frame', () => state.closed !== null)
    assert.equal(heard[0]!['type'], 'auth_failed')
    assert.match(String(heard[0]!['reason']), new RegExp(`^${reason}`))
    assert.deepEqual(state.closed, { code: 1008, reason: heard[0]!['reason'] })
  }
  assert.deepEqual(seen(CommandType.LeaveProvider), [])
})

test('a session that the engine has ended is closed, its rows are removed, and no further message is sent', async () => {
  const watcher = await client('/ws')
  watcher.say({ type: 'Subscribe', channel: 'indicative_market_data' })
  const { heard, state, say } = await client()
  say(connectFrame())
  await until('the answer', () => heard.length === 1)
  say(quote)
  await until('the quote', () => watcher.heard.some(({ best_bid: bid }) => bid === '5'))
  // Each connection of this file had a number of its own; the latest is not known here.
  for (let session = 1; session < 50; session++) {
    tell({
      ...{ change: ProviderChange.Left, status: ProviderStatus.Suspended },
      ...{ session, gateway: 0 },
    })
  }
  await until('the close frame', () => state.closed !== null)
  assert.deepEqual(heard.at(-1), { type: 'auth_failed', reason: 'quote provider suspended' })
  await until('no quote', () => watcher.heard.at(-1)?.['num_providers'] === 0)
  assert.deepEqual(seen(CommandType.LeaveProvider), [])
  watcher.socket.close()
})

test('a single order by best execution carries the rows of providers, and no other order does', async () => {
  const { socket, heard, say } = await client()
  say(connectFrame())
  await until('the answer', () => heard.length === 1)
  tell({ change: ProviderChange.Connected, sessions: 1 })
  const row = { instrument: testSymbol, bid_price: '5.0000009', max_bid_size: '3' }
  say({ type: 'indicative_quote_update', quotes: [{ ...row, ask_price: '6', max_ask_size: '2' }] })
  const watcher = await client('/ws')
  watcher.say({ type: 'Subscribe', channel: 'indicative_market_data' })
  await until('the quote', () => watcher.heard.some(({ best_ask: ask }) => ask === '6'))
  const taker = (changes: object) =>
    orderBody({ wallet: agent.address, route: 'best_execution', ...changes }, agent)
  const shownTo = async (method: string, path: string, body: unknown) => {
    rig.core.seen.length = 0
    const answer = await rig.request(method, path, body)
    assert.equal(answer.status, 200, await answer.text())
    return rig.core.seen[0]!.shown
  }
  const [bid, ask] = [5_000_000, 6_000_000]
  const contracts = 100_000_000
  assert.deepEqual(await shownTo('POST', '/order', taker({})), [[0, bid, ask, 2 * contracts]])
  assert.deepEqual(await shownTo('POST', '/order', taker({ side: 'Sell', route: undefined })), [
    [0, bid, ask, 3 * contracts],
  ])
  watcher.say({ type: 'PlaceOrder', ...taker({}) })
  rig.core.seen.length = 0
  await until('the result', () => watcher.heard.some(({ type }) => type === 'OrderResult'))
  assert.deepEqual(rig.core.seen[0]!.shown, [[0, bid, ask, 2 * contracts]])
  assert.deepEqual(await shownTo('POST', '/order', taker({ route: 'book_only' })), [])
  assert.deepEqual(await shownTo('POST', '/order', orderBody({ route: 'best_execution' })), [])
  const other = { symbol: 'ETH-20300628-5000-C' }
  assert.deepEqual(await shownTo('POST', '/order', taker(other)), [])
  const replacement = taker({ route: undefined, order_id: 5 })
  assert.deepEqual(await shownTo('PUT', '/order', replacement), [])
  assert.deepEqual(await shownTo('POST', '/orders', [taker({ route: 'book_only' })]), [])
  assert.deepEqual(await shownTo('POST', '/orders', [taker({ route: undefined })]), [])
  watcher.socket.close()
  socket.close()
  await until('the end', () => seen(CommandType.LeaveProvider).length === 1)
})

test('sessions end with the gateway', async () => {
  const own = await startRig()
  const socket = new WebSocket(`${own.url.replace('http', 'ws')}/ws/quotes`)
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  await new Promise((resolve) => socket.once('open', resolve))
  await own.stop()
  assert.equal(await closed, 1012)
})
