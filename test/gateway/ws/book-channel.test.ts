import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Side } from '../../../schemas/domain.js'
import { testExpiryMillis, testSymbol } from '../../support/gateway-rig.js'
import { listedRig, otherSymbol } from '../../support/hub-rig.js'

const usd = 1_000_000

function subscribedRig(values: Readonly<Record<string, string>> = {}) {
  const rig = listedRig(values)
  const { socket, say } = rig.connect()
  say({ type: 'Subscribe', channel: 'orderbook' })
  return { ...rig, socket }
}

const books = (messages: Record<string, unknown>[]) =>
  messages.map(({ symbol, bids, seq }) => [symbol, bids, seq])

test('a change is sent at once, and later ones of the symbol after the interval, as one', async () => {
  const { script, pump, socket, state } = subscribedRig()
  script.level(0, Side.Buy, 100 * usd, 1e8)
  pump()
  assert.deepEqual(books(socket.take()), [[testSymbol, [['100', '1']], 1]])
  script.level(0, Side.Buy, 100 * usd, 2e8)
  pump()
  script.level(0, Side.Buy, 100 * usd, 3e8)
  pump()
  script.level(1, Side.Buy, 50 * usd, 1e8)
  pump()
  assert.deepEqual(
    books(socket.take()),
    [[otherSymbol, [['50', '1']], 4]],
    'symbols do not wait for each other',
  )
  state.millis += 10
  await sleep(30)
  assert.deepEqual(
    books(socket.take()),
    [[testSymbol, [['100', '3']], 4]],
    'the last state, under a sequence that does not fall',
  )
  await sleep(30)
  assert.deepEqual(socket.take(), [])
})

test('several changes of one run are one message', () => {
  const { script, pump, socket } = subscribedRig()
  script.level(0, Side.Buy, 100 * usd, 1e8)
  script.level(0, Side.Buy, 99 * usd, 1e8)
  script.level(0, Side.Buy, 100 * usd, 0)
  pump()
  assert.deepEqual(books(socket.take()), [[testSymbol, [['99', '1']], 3]])
})

test('a book is not shown in the middle of a step', () => {
  const { script, pump, socket, state } = subscribedRig()
  script.level(0, Side.Buy, 100 * usd, 1e8)
  pump(false)
  assert.deepEqual(socket.take(), [])
  state.millis += 10
  script.level(1, Side.Buy, 99 * usd, 1e8)
  pump()
  assert.equal(socket.take().length, 2)
})

test('a snapshot requested in the middle of a step waits for its end', () => {
  const { script, pump, connect } = subscribedRig()
  script.level(0, Side.Buy, 100 * usd, 1e8)
  pump(false)
  const late = connect()
  const gone = connect()
  for (const { say } of [late, gone]) {
    const acks = say({ type: 'Subscribe', channel: 'orderbook' })
    assert.deepEqual(acks, [{ type: 'Subscribed', channel: 'orderbook' }])
  }
  gone.say({ type: 'Unsubscribe', channel: 'orderbook' })
  script.level(0, Side.Buy, 100 * usd, 3e8)
  pump()
  const snapshots = late.socket.take().filter((message) => message['snapshot'] === true)
  assert.deepEqual(books(snapshots), [[testSymbol, [['100', '3']], 2]])
  assert.deepEqual(gone.socket.take(), [])
})

test('a cleared book is sent empty', () => {
  const { script, pump, socket, state } = subscribedRig()
  script.level(0, Side.Buy, 100 * usd, 1e8)
  pump()
  socket.take()
  state.millis += 10
  script.cleared(0)
  pump()
  assert.deepEqual(books(socket.take()), [[testSymbol, [], 2]])
})

test('a new subscription sends an emptied book, and none that never had levels', () => {
  const { script, pump, connect } = listedRig()
  const { socket, say } = connect()
  const snapshotOf = (frame: object) => {
    const answers = say({ type: 'Subscribe', channel: 'orderbook', ...frame })
    const messages = answers.filter(({ type }) => type === 'OrderbookUpdate')
    assert.ok(messages.every(({ snapshot }) => snapshot === true))
    return books(messages)
  }
  script.level(0, Side.Buy, 100 * usd, 1e8)
  pump()
  assert.deepEqual(snapshotOf({ symbols: [testSymbol, otherSymbol] }), [
    [testSymbol, [['100', '1']], 1],
  ])
  say({ type: 'Unsubscribe', channel: 'orderbook' })
  script.level(0, Side.Buy, 100 * usd, 0)
  pump()
  socket.take()
  assert.deepEqual(snapshotOf({ symbols: [testSymbol, otherSymbol] }), [[testSymbol, [], 2]])
  assert.deepEqual(snapshotOf({}), [[testSymbol, [], 2]])
})

test('a subscription to all books omits the emptied ones of expired options', () => {
  const { script, pump, connect, state } = listedRig()
  script.level(0, Side.Buy, 100 * usd, 1e8)
  script.cleared(0)
  pump()
  state.engineAheadMillis = testExpiryMillis
  const { say } = connect()
  const [, ...all] = say({ type: 'Subscribe', channel: 'orderbook' })
  assert.deepEqual(all, [])
  const [, ...named] = say({ type: 'Subscribe', channel: 'orderbook', symbols: [testSymbol] })
  assert.deepEqual(books(named), [[testSymbol, [], 2]])
})

test('a message has at most the configured number of levels, the best ones', () => {
  const { script, pump, socket } = subscribedRig({ 'stream.bookDepth': '2' })
  for (const price of [100, 102, 101]) script.level(0, Side.Sell, price * usd, 1e8)
  pump()
  assert.deepEqual(socket.take()[0]!['asks'], [
    ['100', '1'],
    ['101', '1'],
  ])
})
