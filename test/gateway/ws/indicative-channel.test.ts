import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { walletOf } from '../../../bench/event-script.js'
import type { SetRow } from '../../../gateway/quotes/quote-board.js'
import { QuoteScope } from '../../../gateway/quotes/quote-rows.js'
import { testSymbol } from '../../support/gateway-rig.js'
import { listedRig, otherSymbol } from '../../support/hub-rig.js'

const subscribe = { type: 'Subscribe', channel: 'indicative_market_data' }

/** Returns a hub that receives the quotes of one provider. */
function quotedRig(values: Readonly<Record<string, string>> = {}) {
  const rig = listedRig(values)
  const { quotes, state, hub } = rig
  const scope = new QuoteScope(0, 0, walletOf(1), '', state.millis)
  quotes.openScope(scope)
  const terms = { bidPrice: '10', askPrice: '11', maxBidSize: '1', maxAskSize: '2' }
  const quote = (instrument: number, changes: Partial<SetRow> = {}) => {
    const ids = { row: instrument, instrument, frame: 1, updatedMillis: state.millis }
    return quotes.setRow(scope, { ...ids, ...terms, ...changes })
  }
  /** All rows come again. */
  const publish = () => quotes.publishScope(scope, scope.frame + 1, state.millis)
  const connect = (frame: object = subscribe) => {
    const peer = rig.connect()
    return { ...peer, said: peer.say(frame) }
  }
  /** Connects and reads for several turns: on a slow machine the first turn does not send every market. */
  const connectAndRead = async () => {
    const peer = connect()
    for (let turn = 0; turn < 10; turn++) {
      await nextTurn()
      peer.said.push(...peer.socket.take())
    }
    return peer
  }
  const flush = () => hub.flush()
  return { ...rig, scope, quote, publish, connect, connectAndRead, flush }
}

const quotesIn = (messages: Record<string, unknown>[]) =>
  messages.map(({ instrument, best_bid: bid, timestamp }) => [instrument, bid, timestamp])

test('a subscription is acknowledged, then gets every quoted instrument that it names', async () => {
  const { quote, connect, connectAndRead, state } = quotedRig()
  quote(0)
  quote(1)
  state.millis += 500
  const [ack, first, second] = (await connectAndRead()).said
  assert.equal(ack?.['type'], 'Subscribed')
  assert.deepEqual(quotesIn([first!, second!]), [
    [testSymbol, '10', 1_000_000],
    [otherSymbol, '10', 1_000_000],
  ])
  assert.deepEqual(
    [first?.['published_at'], first?.['snapshot'], first?.['num_providers']],
    [1_000_500, true, 1],
  )
  assert.deepEqual(quotesIn(connect({ ...subscribe, symbols: [otherSymbol] }).said.slice(1)), [
    [otherSymbol, '10', 1_000_000],
  ])
})

test('a change is published at once, however soon after the last', () => {
  const { quote, connect, flush } = quotedRig()
  quote(0)
  const { socket } = connect()
  socket.take()
  for (const bidPrice of ['10.5', '10.6']) {
    quote(0, { bidPrice })
    flush()
    assert.deepEqual(quotesIn(socket.take()), [[testSymbol, bidPrice, 1_000_000]])
  }
})

test('repeated rows are published once a second', () => {
  const { quote, publish, connect, hub, state } = quotedRig()
  quote(0)
  const { socket } = connect()
  socket.take()
  const beats: unknown[] = []
  for (let i = 0; i < 12; i++) {
    state.millis += 250
    publish()
    hub.tick()
    beats.push(...quotesIn(socket.take()))
  }
  assert.deepEqual(beats, [
    [testSymbol, '10', 1_001_000],
    [testSymbol, '10', 1_002_000],
    [testSymbol, '10', 1_003_000],
  ])
  state.millis += 5000
  hub.tick()
  assert.deepEqual(socket.take(), [], 'nothing has come')
})

test('a snapshot for one subscriber is no refresh for the others, and needs none for itself', () => {
  const { quote, publish, connect, hub, state } = quotedRig()
  quote(0)
  const { socket } = connect()
  socket.take()
  state.millis += 2000
  hub.tick()
  assert.deepEqual(socket.take(), [])
  publish()
  for (let i = 0; i < 8; i++) {
    connect()
    state.millis += 125
    hub.tick()
  }
  assert.deepEqual(quotesIn(socket.take()), [[testSymbol, '10', 1_002_000]])
})

test('the removal of the last row is published at once, without a price', () => {
  const { quote, quotes, connect, flush, state } = quotedRig()
  const row = quote(0)
  const { socket } = connect()
  socket.take()
  state.millis += 10
  quotes.removeRow(row)
  flush()
  assert.deepEqual(socket.take(), [
    {
      ...{ type: 'IndicativeMarketData', instrument: testSymbol, num_providers: 0 },
      ...{ rfq_provider_quotes: [], published_at: 1_000_010, timestamp: 1_000_010 },
    },
  ])
  assert.equal(connect().said.length, 1, 'no client receives it any more')
})

test('a slow reader gets the latest state when it reads, and no more', () => {
  const { quote, connect, flush, state } = quotedRig()
  quote(0)
  const { socket, peer } = connect()
  socket.take()
  socket.isStuck = true
  for (let i = 0; i < 50; i++) {
    quote(0, { bidPrice: `${100 + i}` })
    flush()
  }
  socket.unstick()
  peer.onDrain()
  assert.deepEqual(quotesIn(socket.take()), [
    [testSymbol, '100', state.millis],
    [testSymbol, '149', state.millis],
  ])
})

test('a market larger than a queue is sent as fast as the socket accepts it', async () => {
  const { quote, connectAndRead } = quotedRig({ 'stream.queueBytes': '300000' })
  const long = '9'.repeat(100_000)
  quote(0, { bidPrice: long })
  quote(1, { bidPrice: long })
  const { socket, said } = await connectAndRead()
  assert.equal(said.length, 3)
  assert.equal(socket.closed, null)
})

test('a session gets no message of a subscription that it has ended', () => {
  const { quote, connect, flush } = quotedRig()
  const { socket, say } = connect()
  quote(0)
  say({ ...subscribe, type: 'Unsubscribe' })
  flush()
  quote(0, { bidPrice: '12' })
  flush()
  assert.deepEqual(socket.take(), [])
})

test('a price comes with its volatility while the index is known', () => {
  const { quote, connect, script, pump, state } = quotedRig()
  quote(0, { bidPrice: '20000', askPrice: '0' })
  assert.equal('bid_iv' in connect().said[1]!, false)
  script.indexPrice(0, 100_000 * 1_000_000)
  pump()
  state.millis++
  const message = connect().said[1]!
  assert.ok((message['bid_iv'] as number) > 0.01, JSON.stringify(message))
  assert.equal('ask_iv' in message, false)
})

test('several sessions get a large market in turns, each of them all of it once', async () => {
  const { quote, connect } = quotedRig()
  const long = '9'.repeat(3_000_000)
  for (const instrument of [0, 1]) quote(instrument, { bidPrice: long })
  const sockets = [connect(), connect(), connect()].map(({ socket, said }) => ({ socket, said }))
  const heard = sockets.map(({ said }) => said.slice(1))
  for (let turn = 0; turn < 50; turn++) {
    await nextTurn()
    for (const [index, { socket }] of sockets.entries()) heard[index]!.push(...socket.take())
  }
  for (const messages of heard) {
    assert.deepEqual(
      messages.map(({ instrument }) => instrument),
      [testSymbol, otherSymbol],
    )
  }
})
