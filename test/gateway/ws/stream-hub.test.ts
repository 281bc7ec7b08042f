import assert from 'node:assert/strict'
import { test } from 'node:test'
import { walletOf } from '../../../bench/event-script.js'
import { neverMillis, OrderStatus, Side } from '../../../schemas/domain.js'
import { InstrumentChange } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { testExpiryMillis, testSymbol } from '../../support/gateway-rig.js'
import { listedRig, otherSymbol } from '../../support/hub-rig.js'

const usd = 1_000_000
const contract = 100_000_000

const types = (messages: Record<string, unknown>[]) => messages.map((message) => message['type'])

test('a bad wallet in the URL is an Error, and the connection stays unidentified', () => {
  const { connect } = listedRig()
  const { socket, say } = connect('wallet=0x12')
  assert.deepEqual(socket.take(), [
    { type: 'Error', message: 'Invalid wallet: 0x12', code: 'invalid_wallet' },
  ])
  assert.equal(say({ type: 'Subscribe', channel: 'fills' })[0]!['code'], 'unauthorized')
})

test('a wallet in the URL identifies without an answer', () => {
  const { connect } = listedRig()
  const { socket, say } = connect(`wallet=${walletOf(0xab).toUpperCase().replace('0X', '0x')}`)
  assert.deepEqual(socket.take(), [])
  assert.deepEqual(types(say({ type: 'Subscribe', channel: 'fills' })), ['Subscribed'])
})

test('Authenticate answers each time, in lower case', () => {
  const { connect } = listedRig()
  const { say } = connect()
  const wallet = walletOf(0xab).toUpperCase().replace('0X', '0x')
  const answer = [{ type: 'Authenticated', wallet: walletOf(0xab) }]
  assert.deepEqual(say({ type: 'Authenticate', wallet }), answer)
  assert.deepEqual(say({ type: 'Authenticate', wallet }), answer)
  assert.deepEqual(types(say({ type: 'Authenticate', wallet: '0x' })), ['Error'])
})

test('another wallet ends the private subscriptions and keeps the public ones', () => {
  const { connect, script, pump } = listedRig()
  const { socket, say } = connect(`wallet=${walletOf(1)}`)
  say({ type: 'Subscribe', channel: 'order_updates' })
  say({ type: 'Subscribe', channel: 'trades' })
  say({ type: 'Authenticate', wallet: walletOf(2) })
  script.order({ orderId: 5, wallet: walletOf(1), account: 0, instrument: 0 })
  script.order({ orderId: 6, wallet: walletOf(2), account: 0, instrument: 0 })
  script.trade(1, 0, walletOf(1), walletOf(2))
  pump()
  assert.deepEqual(types(socket.take()), ['Trade'])
})

test('private events reach only the connections of their wallet', () => {
  const { connect, script, pump } = listedRig()
  const mine = connect(`wallet=${walletOf(1)}`)
  const theirs = connect(`wallet=${walletOf(2)}`)
  for (const { say } of [mine, theirs]) {
    say({ type: 'Subscribe', channel: 'order_updates' })
    say({ type: 'Subscribe', channel: 'fills', symbols: [testSymbol] })
  }
  const status = OrderStatus.Canceled
  const result = Result.MmpCanceled
  script.order({ orderId: 5, wallet: walletOf(1), account: 0, instrument: 0, status, result })
  script.fill({ fillId: 9, tradeId: 4, orderId: 5, wallet: walletOf(1), account: 0, instrument: 0 })
  script.fill({ fillId: 9, tradeId: 4, orderId: 5, wallet: walletOf(1), account: 0, instrument: 1 })
  pump()
  const [update, fill, ...rest] = mine.socket.take()
  assert.equal(update!['status'], 'CANCELED')
  assert.equal(update!['reason'], 'Order canceled by MMP trigger')
  assert.equal(update!['reason_code'], 'mmp_canceled')
  assert.equal(fill!['type'], 'Fill')
  assert.equal(fill!['fee'], '0')
  assert.equal(fill!['builder_code_fee'], null)
  assert.deepEqual(rest, [], 'the other fill is of a symbol that was not asked for')
  assert.deepEqual(theirs.socket.take(), [])
})

test('a message goes once to a connection with several matching subscriptions', () => {
  const { connect, script, pump } = listedRig()
  const { socket, say } = connect()
  say({ type: 'Subscribe', channel: 'trades' })
  say({ type: 'Subscribe', channel: 'trades', symbols: [testSymbol] })
  script.trade(1, 0, walletOf(1), walletOf(2), {
    priceMicros: 100 * usd,
    sizeLots: contract,
    takerSide: Side.Sell,
  })
  pump()
  const trades = socket.take()
  assert.equal(trades.length, 1)
  assert.equal(trades[0]!['side'], 'sell')
  assert.equal(trades[0]!['price'], '100')
  assert.deepEqual(types(say({ type: 'Unsubscribe', channel: 'trades' })), ['Unsubscribed'])
  script.trade(2, 0, walletOf(1), walletOf(2))
  pump()
  assert.deepEqual(socket.take(), [])
})

test('Unsubscribe with filters ends that subscription, and an unknown one is acknowledged', () => {
  const { connect, script, pump } = listedRig()
  const { socket, say } = connect()
  say({ type: 'Subscribe', channel: 'trades', symbols: [testSymbol] })
  say({ type: 'Subscribe', channel: 'trades', symbols: [otherSymbol] })
  assert.deepEqual(say({ type: 'Unsubscribe', channel: 'trades', symbols: [testSymbol] }), [
    { type: 'Unsubscribed', channel: 'trades' },
  ])
  assert.deepEqual(types(say({ type: 'Unsubscribe', channel: 'fills' })), ['Unsubscribed'])
  script.trade(1, 0, walletOf(1), walletOf(2))
  script.trade(2, 1, walletOf(1), walletOf(2))
  pump()
  assert.deepEqual(
    socket.take().map((trade) => trade['symbol']),
    [otherSymbol],
  )
})

test('the acknowledgement comes first, then the snapshot of all matching and non-empty items', () => {
  const { connect, script, pump } = listedRig()
  script.level(0, Side.Buy, 100 * usd, 2 * contract)
  script.level(0, Side.Buy, 99.5 * usd, contract / 2)
  script.level(0, Side.Sell, 101 * usd, contract)
  pump()
  const { say } = connect()
  const [ack, snapshot, ...rest] = say({ type: 'Subscribe', channel: 'orderbook' })
  assert.deepEqual(ack, { type: 'Subscribed', channel: 'orderbook' })
  assert.deepEqual(snapshot, {
    type: 'OrderbookUpdate',
    symbol: testSymbol,
    option_token_address: null,
    bids: [
      ['100', '2'],
      ['99.5', '0.5'],
    ],
    asks: [['101', '1']],
    timestamp: 1_700_000_000_000,
    seq: 3,
    snapshot: true,
    as_of_seq: 3,
  })
  assert.deepEqual(rest, [])
  const other = { type: 'Subscribe', channel: 'orderbook', symbols: [otherSymbol] }
  assert.deepEqual(types(say(other)), ['Subscribed'])
  const again = { type: 'Subscribe', channel: 'orderbook' }
  assert.deepEqual(types(say(again)), ['Subscribed', 'OrderbookUpdate'], 'sent again')
})

test('a subscription too many fails, and an identical one does not count', () => {
  const { connect } = listedRig({ 'stream.maxSubscriptions': '2' })
  const { say } = connect()
  assert.deepEqual(types(say({ type: 'Subscribe', channel: 'trades' })), ['Subscribed'])
  assert.deepEqual(types(say({ type: 'Subscribe', channel: 'trades', symbols: [] })), [
    'Subscribed',
  ])
  assert.deepEqual(types(say({ type: 'Subscribe', channel: 'trades' })), ['Subscribed'])
  const [error] = say({ type: 'Subscribe', channel: 'market_updates' })
  assert.equal(
    error!['message'],
    'Too many subscriptions: the connection has 2; at most 2 are allowed',
  )
  assert.equal(error!['code'], 'limit_exceeded')
  say({ type: 'Unsubscribe', channel: 'trades', symbols: [] })
  assert.deepEqual(types(say({ type: 'Subscribe', channel: 'market_updates' })), ['Subscribed'])
})

test('the names in the filters of a connection are limited; those without a match do not count', () => {
  const { connect } = listedRig({
    'stream.maxSubscriptions': '4',
    'stream.maxSymbolsPerFrame': '3',
  })
  const { say } = connect()
  const subscribe = (symbols: readonly string[]) =>
    say({ type: 'Subscribe', channel: 'trades', symbols })[0]!['type']
  const named = (from: number) => [0, 1, 2].map((n) => `BTC-20300628-${from + n}-C`)
  assert.equal(subscribe(['x', 'y', 'z']), 'Subscribed')
  assert.equal(subscribe(named(100)), 'Subscribed')
  assert.equal(subscribe(named(200)), 'Subscribed')
  const { message } = say({ type: 'Subscribe', channel: 'trades', symbols: named(300) })[0]!
  assert.equal(
    message,
    'Too many symbols: the subscriptions of the connection have 6, and this one adds 3; at most 7 are allowed',
  )
  assert.equal(subscribe(named(300).slice(0, 1)), 'Subscribed')
  say({ type: 'Unsubscribe', channel: 'trades', symbols: named(100) })
  assert.equal(subscribe(named(400)), 'Subscribed')
})

test('listing events publish the listed instruments, and bootstrap records publish nothing', () => {
  const { connect, script, pump } = listedRig()
  const { socket, say } = connect()
  say({ type: 'Subscribe', channel: 'market_updates' })
  script.instrument(2, 'BTC-20300628-27.5-P', 0, testExpiryMillis)
  script.instrument(2, 'BTC-20300628-27.5-P', 0, testExpiryMillis, InstrumentChange.Expired)
  script.instrument(2, 'BTC-20300628-27.5-P', 0, testExpiryMillis, InstrumentChange.Deleted)
  pump()
  const [created, expired, deleted] = socket.take()
  assert.deepEqual(created, {
    type: 'MarketUpdate',
    action: 'Created',
    symbol: 'BTC-20300628-27.5-P',
    strike: '27.5',
    is_call: false,
    underlying: 'BTC',
    expiry: testExpiryMillis / 1000,
    timestamp: 1_700_000_000_000,
    seq: 1,
  })
  assert.equal(expired!['action'], 'Expired')
  const { type, action, symbol, timestamp, seq, ...more } = deleted!
  assert.deepEqual([type, action, symbol], ['MarketUpdate', 'Deleted', 'BTC-20300628-27.5-P'])
  assert.deepEqual([timestamp, seq, more], [1_700_000_000_000, 3, {}])
})

test('a perp is listed with zeros for missing fields, and its instrument type', () => {
  const { connect, script, pump } = listedRig()
  const { socket, say } = connect()
  say({ type: 'Subscribe', channel: 'market_updates', symbols: ['BTC-PERP'] })
  script.instrument(2, 'BTC-PERP', 0, neverMillis)
  script.instrument(2, 'BTC-PERP', 0, neverMillis, InstrumentChange.Deleted)
  pump()
  const [created, deleted, ...rest] = socket.take()
  assert.deepEqual(rest, [])
  assert.deepEqual(created, {
    type: 'MarketUpdate',
    action: 'Created',
    symbol: 'BTC-PERP',
    strike: '0',
    is_call: false,
    underlying: 'BTC',
    expiry: 0,
    instrument_type: 'perp',
    timestamp: 1_700_000_000_000,
    seq: 1,
  })
  assert.deepEqual([deleted!['action'], deleted!['instrument_type']], ['Deleted', 'perp'])
})

test('book, trades and fills of a perp reach subscribers of its symbol', () => {
  const { connect, script, pump, state } = listedRig()
  script.instrument(2, 'BTC-PERP', 0, neverMillis)
  pump()
  const wallet = walletOf(1)
  const { socket, say } = connect(`wallet=${wallet}`)
  const symbols = ['BTC-PERP']
  for (const channel of ['orderbook', 'trades', 'fills']) {
    say({ type: 'Subscribe', channel, symbols })
  }
  const priceMicros = 98_000_000_000
  script.level(2, Side.Buy, priceMicros, 50_000_000)
  script.level(0, Side.Buy, 1_000_000, 1)
  script.trade(1, 2, walletOf(2), wallet, { priceMicros, sizeLots: 50_000_000 })
  for (const instrument of [2, 0]) {
    script.fill({ fillId: 1, tradeId: 1, orderId: 9, wallet, account: 0, instrument, priceMicros })
  }
  state.millis += 1000
  pump()
  const seen = socket.take().map((message) => [message['type'], message['symbol']])
  assert.deepEqual(seen.sort(), [
    ['Fill', 'BTC-PERP'],
    ['OrderbookUpdate', 'BTC-PERP'],
    ['Trade', 'BTC-PERP'],
  ])
  const [, snapshot] = say({ type: 'Subscribe', channel: 'orderbook', symbols })
  assert.deepEqual([snapshot!['symbol'], snapshot!['bids']], ['BTC-PERP', [['98000', '0.5']]])
})

test('a fill has the instrument type, option or perp', () => {
  const { connect, script, pump } = listedRig()
  script.instrument(2, 'BTC-PERP', 0, neverMillis)
  const wallet = walletOf(1)
  const { socket, say } = connect(`wallet=${wallet}`)
  say({ type: 'Subscribe', channel: 'fills' })
  for (const instrument of [0, 2]) {
    script.fill({ fillId: 1, tradeId: 1, orderId: 9, wallet, account: 0, instrument })
  }
  pump()
  assert.deepEqual(
    socket.take().map((message) => message['instrument_type']),
    ['option', 'perp'],
  )
})

test('every wrong frame gets an Error, and the connection stays', () => {
  const { connect } = listedRig()
  const { socket, say, peer } = connect()
  const error = (frame: object | string) => {
    const { message, code, type, request_type: of } = say(frame)[0]!
    return [type, code, message, of].filter((part) => part !== undefined).join(' | ')
  }
  assert.equal(
    error('{'),
    "Error | invalid_json | Invalid JSON at line 1, column 2: found the end, expected a name in double quotes or '}'",
  )
  assert.equal(error('5'), 'Error | invalid_request | The request body is unreadable')
  assert.equal(error({}), 'Error | missing_field | Missing field: type')
  assert.equal(error({ type: 5 }), 'Error | invalid_field | Invalid type: must be a string')
  assert.equal(error({ type: 'Foo' }), 'Error | invalid_request | Unknown message type: Foo | Foo')
  assert.equal(
    error({ type: 'ClockSync' }),
    'Error | missing_field | Missing field: nonce | ClockSync',
  )
  assert.match(
    error({ type: 'ClockSync', nonce: 'é'.repeat(65) }),
    /invalid_field \| Invalid nonce/,
  )
  assert.match(error({ type: 'Authenticate' }), /missing_field \| Missing field: wallet/)
  assert.match(error({ type: 'Subscribe', channel: 'x' }), /not_found \| Unknown channel: x/)
  peer.onMessage(Buffer.from('{}'), true)
  assert.equal(socket.take()[0]!['code'], 'invalid_request')
  assert.equal(socket.closed, null)
})

test('ClockSync is answered before identification', () => {
  const { connect, state } = listedRig()
  assert.deepEqual(connect().say({ type: 'ClockSync', nonce: 'abc' }), [
    { type: 'ClockSynced', nonce: 'abc', server_at: state.millis },
  ])
})

test('a connection has its own time: days of engine time neither ping nor end it', () => {
  const { connect, hub, context, state } = listedRig()
  const { socket, say } = connect()
  for (const days of [1, 30]) {
    state.engineAheadMillis = days * 86_400_000
    hub.tick()
    const [{ server_at: time }] = say({ type: 'ClockSync', nonce: 'n' }) as [{ server_at: number }]
    assert.deepEqual([time, socket.pings], [context.nowMillis(), 0])
  }
  state.millis += 20_000
  hub.tick()
  state.engineAheadMillis += 86_400_000
  hub.tick()
  assert.deepEqual([socket.pings, socket.closed], [1, null])
})

test('a closed connection leaves nothing', () => {
  const { connect, script, pump, hub } = listedRig()
  const { socket, peer, say } = connect(`wallet=${walletOf(1)}`)
  for (const channel of ['orderbook', 'trades', 'order_updates'])
    say({ type: 'Subscribe', channel })
  peer.onClose()
  assert.equal(hub.count, 0)
  script.trade(1, 0, walletOf(1), walletOf(2))
  script.order({ orderId: 5, wallet: walletOf(1), account: 0, instrument: 0 })
  pump()
  assert.deepEqual(socket.texts, [])
})
