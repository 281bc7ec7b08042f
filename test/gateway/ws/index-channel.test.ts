import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InstrumentChange } from '../../../schemas/record-values.js'
import { testExpiryMillis } from '../../support/gateway-rig.js'
import { hubRig } from '../../support/hub-rig.js'

function rig() {
  const rig = hubRig()
  rig.script.bootstrapBegin()
  rig.script.instrument(0, 'ETH-20300628-1-C', 0, testExpiryMillis, InstrumentChange.Bootstrap)
  rig.script.instrument(1, 'BTC-20300628-1-C', 1, testExpiryMillis, InstrumentChange.Bootstrap)
  rig.script.bootstrapEnd()
  rig.script.indexPrice(0, 5_000_500_000)
  rig.script.timeMillis += 7
  rig.script.indexPrice(1, 100_000_000_000)
  rig.script.indexPrice(2, 1) // an underlying without instruments has no name yet
  rig.pump()
  return rig
}

const all = [
  { underlying: 'BTC', price: '100000', timestamp: 1_700_000_000_007 },
  { underlying: 'ETH', price: '5000.5', timestamp: 1_700_000_000_000 },
]

test('the snapshot has all known underlyings, sorted, and the oldest observation', () => {
  const [, snapshot] = rig().connect().say({ type: 'Subscribe', channel: 'index_prices' })
  assert.deepEqual(snapshot, {
    type: 'IndexPriceUpdate',
    prices: all,
    timestamp: 1_700_000_000_000,
    seq: 3,
    snapshot: true,
    as_of_seq: 3,
  })
})

test('a connection gets the underlyings of all its filters in one message', () => {
  const { connect, hub, state } = rig()
  const { socket, say } = connect()
  say({ type: 'Subscribe', channel: 'index_prices', symbols: ['BTC', 'XYZ'] })
  say({ type: 'Subscribe', channel: 'index_prices', symbols: ['ETH'] })
  state.millis += 2000
  hub.tick()
  const messages = socket.take()
  assert.equal(messages.length, 1)
  assert.deepEqual(messages[0]!['prices'], all)
  const none = connect()
  none.say({ type: 'Subscribe', channel: 'index_prices', symbols: ['XYZ'] })
  state.millis += 2000
  hub.tick()
  assert.deepEqual(none.socket.take(), [])
})

test('changes come at most every 500 ms, and without a change every 2 s', () => {
  const { connect, script, pump, hub, state } = rig()
  const { socket, say } = connect()
  say({ type: 'Subscribe', channel: 'index_prices' })
  const times: number[] = []
  const begin = state.millis
  for (let millis = 0; millis <= 6000; millis += 50) {
    state.millis = begin + millis
    if (millis <= 1000) {
      script.indexPrice(0, 1_000_000 + millis)
      pump()
    } else hub.tick()
    if (socket.take().length > 0) times.push(millis)
  }
  assert.deepEqual(times, [500, 1000, 3000, 5000])
})
