import assert from 'node:assert/strict'
import { once } from 'node:events'
import { before, test } from 'node:test'
import { WebSocket } from 'ws'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { sharedVenue } from './support/shared-venue.js'
import { symbolOf, WalletKey } from './support/signed-body.js'
import { assertStreamError, streamPeers } from './support/stream-peer.js'

const venue = sharedVenue()
const symbol = symbolOf('BTC', 110_000)
const otherSymbol = symbolOf('BTC', 90_000, 'P')
const { fundedWallet, place } = orderActions(venue, symbol)
const open = streamPeers(venue)

before(async () => {
  await listMarket(venue, [symbol, otherSymbol])
})

test('the stream answers ClockSync before identification, and echoes the nonce', async () => {
  const peer = await open()
  const synced = await peer.ask({ type: 'ClockSync', nonce: 'ünï-1' }, 'ClockSynced')
  assert.deepEqual(Object.keys(synced).sort(), ['nonce', 'server_at', 'type'])
  assert.equal(synced.nonce, 'ünï-1')
  assert.ok(Math.abs(synced.server_at - Date.now()) < 60_000)
  await assertStreamError(
    peer,
    { type: 'ClockSync', nonce: 'x'.repeat(129) },
    {
      code: 'invalid_field',
      request_type: 'ClockSync',
    },
  )
  await assertStreamError(
    peer,
    { type: 'ClockSync', nonce: 5 },
    {
      message: /^Invalid nonce: /,
    },
  )
  await assertStreamError(
    peer,
    { type: 'ClockSync' },
    {
      message: 'Missing field: nonce',
      code: 'missing_field',
    },
  )
})

test('a message identifies in lower case, again, and fails with a bad wallet', async () => {
  const peer = await open()
  const { account, wallet } = new WalletKey()
  const first = await peer.ask({ type: 'Authenticate', wallet: account.address }, 'Authenticated')
  assert.equal(first.wallet, wallet)
  assert.equal((await peer.ask({ type: 'Authenticate', wallet }, 'Authenticated')).wallet, wallet)
  const fresh = await open()
  await assertStreamError(
    fresh,
    { type: 'Authenticate', wallet: 'nobody' },
    {
      message: 'Invalid wallet: nobody',
      code: 'invalid_wallet',
    },
  )
  await assertStreamError(
    fresh,
    { type: 'Subscribe', channel: 'fills' },
    {
      message: 'Authentication required for this channel',
      code: 'unauthorized',
      channel: 'fills',
      request_type: 'Subscribe',
    },
  )
})

test('a wallet in the URL identifies without a message; a bad one gets an Error', async () => {
  const peer = await open(`?wallet=${new WalletKey().wallet}`)
  await peer.settle()
  assert.deepEqual(peer.ofType('Authenticated'), [])
  await peer.subscribe('fills')
  const bad = await open('?wallet=0x12')
  assert.equal((await bad.next('Error')).message, 'Invalid wallet: 0x12')
  await assertStreamError(
    bad,
    { type: 'Subscribe', channel: 'order_updates' },
    {
      message: 'Authentication required for this channel',
    },
  )
})

test('every private channel requires identification', async () => {
  const peer = await open()
  for (const channel of ['order_updates', 'fills', 'portfolio', 'liquidation', 'rfq']) {
    await assertStreamError(
      peer,
      { type: 'Subscribe', channel },
      {
        message: 'Authentication required for this channel',
        code: 'unauthorized',
      },
    )
  }
})

test('another wallet on the same connection ends its private subscriptions', async () => {
  const [first, second] = [await fundedWallet(), await fundedWallet()]
  const peer = await open(`?wallet=${first.wallet}`)
  await peer.subscribe('order_updates')
  await peer.subscribe('market_updates')
  await peer.ask({ type: 'Authenticate', wallet: second.wallet }, 'Authenticated')
  await place(first)
  await place(second)
  await peer.settle()
  assert.deepEqual(peer.ofType('OrderUpdate'), [])
  await peer.subscribe('order_updates')
  const update = await place(second)
  assert.equal((await peer.next('OrderUpdate')).order_id, update.order_id)
})

test('unknown and removed channels fail', async () => {
  const peer = await open()
  await assertStreamError(
    peer,
    { type: 'Subscribe', channel: 'nothing' },
    {
      message: 'Unknown channel: nothing',
      code: 'not_found',
    },
  )
  for (const channel of ['candles:BTC:1m', 'candles:XYZ:9z', 'candles:']) {
    await assertStreamError(
      peer,
      { type: 'Subscribe', channel },
      {
        message: `Channel withdrawn: ${channel}`,
        code: 'not_found',
      },
    )
  }
})

test('each bad frame gets an Error, and the connection stays open', async () => {
  const peer = await open()
  const cases: [unknown, object][] = [
    ['{"type":', { message: /^Invalid JSON at line 1, column 9: /, code: 'invalid_json' }],
    ['', { code: 'invalid_json' }],
    ['[]', { code: /^invalid_(json|request)$/ }],
    ['null', { code: /^invalid_(json|request)$/ }],
    ['7', { code: /^invalid_(json|request)$/ }],
    ['"x"', { code: /^invalid_(json|request)$/ }],
    ['{}', { message: 'Missing field: type', code: 'missing_field' }],
    ['{"type":5}', { code: 'invalid_field' }],
    [{ type: 'Nonsense' }, { message: 'Unknown message type: Nonsense', code: 'invalid_request' }],
    [{ type: 'constructor' }, { message: 'Unknown message type: constructor' }],
    [{ type: '__proto__' }, { message: 'Unknown message type: __proto__' }],
    [{ type: 'Subscribe' }, { message: 'Missing field: channel', code: 'missing_field' }],
    [{ type: 'Subscribe', channel: 9 }, { message: /^Invalid channel: / }],
    [{ type: 'Subscribe', channel: '__proto__' }, { message: 'Unknown channel: __proto__' }],
    [{ type: 'Subscribe', channel: 'trades', symbols: 'BTC' }, { message: /^Invalid symbols: / }],
    [{ type: 'Subscribe', channel: 'trades', symbols: [1] }, { message: /^Invalid symbols: / }],
    [{ type: 'Subscribe', channel: 'trades', expiry: 5 }, { message: /^Invalid expiry: / }],
    [
      { type: 'Subscribe', channel: 'options_chain', option_type: 'both' },
      { message: /^Invalid option_type: / },
    ],
    [{ type: 'Authenticate' }, { message: 'Missing field: wallet', code: 'missing_field' }],
    [{ type: 'PlaceOrder' }, { code: 'missing_field', request_type: 'PlaceOrder' }],
    ['['.repeat(10_000), { code: 'invalid_json' }],
    [`{"type":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, {}],
    [Buffer.from('{"type":"ClockSync","nonce":"b"}'), { code: /^invalid_/ }],
  ]
  for (const [frame, fields] of cases) {
    const bytes = Buffer.isBuffer(frame)
    if (bytes) {
      peer.socket.send(frame, { binary: true })
      const error = await peer.next('Error')
      assert.match(error.code, /^invalid_/)
    } else await assertStreamError(peer, frame, fields)
  }
  const synced = await peer.ask({ type: 'ClockSync', nonce: 'alive' }, 'ClockSynced')
  assert.equal(synced.nonce, 'alive')
})

test('a frame above 256 KiB closes with 1009; one just below is accepted', async () => {
  const peer = await open()
  const frame = { type: 'ClockSync', nonce: 'n', pad: '' }
  frame.pad = 'x'.repeat(256 * 1024 - JSON.stringify(frame).length)
  await peer.ask(frame, 'ClockSynced')
  frame.pad += 'x'
  peer.send(frame)
  if (peer.closed === null) await once(peer.socket, 'close')
  assert.equal(peer.closed!.code, 1009)
})

test('the venue answers a client ping with a pong of the same payload', async () => {
  const peer = await open()
  const payload = Buffer.alloc(125, 7)
  const pong = once(peer.socket, 'pong')
  peer.socket.ping(payload)
  const [received] = await pong
  assert.deepEqual(Buffer.from(received), payload)
})

test('every Subscribe and Unsubscribe gets its own ack, also a duplicate', async () => {
  const peer = await open()
  for (const channel of ['orderbook', 'trades', 'market_updates', 'index_prices']) {
    const ack = await peer.subscribe(channel)
    assert.deepEqual(ack, { type: 'Subscribed', channel })
    assert.equal((await peer.subscribe(channel)).channel, channel)
    const bye = await peer.ask({ type: 'Unsubscribe', channel }, 'Unsubscribed')
    assert.deepEqual(bye, { type: 'Unsubscribed', channel })
    await peer.ask({ type: 'Unsubscribe', channel }, 'Unsubscribed')
  }
  assert.deepEqual(peer.ofType('Error'), [])
})

test('a connection has at most 1,024 subscriptions, and a frame 4,096 symbols', async () => {
  const peer = await open()
  const symbols = Array.from({ length: 4096 }, (_, index) => symbolOf('BTC', index + 1))
  await peer.subscribe('trades', { symbols })
  await assertStreamError(
    peer,
    { type: 'Subscribe', channel: 'trades', symbols: [...symbols, symbolOf('BTC', 5000)] },
    { code: /^(invalid_field|limit_exceeded|invalid_parameter)$/ },
  )
  for (let index = 0; index < 1023; index++) {
    peer.send({ type: 'Subscribe', channel: 'orderbook', symbols: [symbols[index]] })
  }
  await peer.until('every ack', () => peer.ofType('Subscribed').length === 1024)
  await assertStreamError(
    peer,
    { type: 'Subscribe', channel: 'market_updates' },
    {
      message: 'Too many subscriptions: the connection has 1024; at most 1024 are allowed',
      code: 'limit_exceeded',
    },
  )
})

test('paths other than /ws are no stream', async () => {
  const socket = new WebSocket(`${venue.url.replace('http', 'ws')}/nothing`)
  const [error] = await once(socket, 'error')
  assert.match(String(error), /Unexpected server response: 4\d\d/)
})
