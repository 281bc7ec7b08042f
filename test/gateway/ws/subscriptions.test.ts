import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault } from '../../../gateway/wire/fault.js'
import { readSubscription } from '../../../gateway/ws/subscriptions.js'
import { resultRows } from '../../../schemas/results.js'

function read(frame: object) {
  const subscription = readSubscription(frame as never, 3)
  assert.ok(!(subscription instanceof Fault), 'refused')
  return subscription
}

function refusal(frame: object): string {
  const fault = readSubscription(frame as never, 3)
  return fault instanceof Fault ? `${resultRows[fault.result].code}: ${fault.message}` : 'accepted'
}

test('symbols in any form that parses are the same filter', () => {
  const one = read({ channel: 'trades', symbols: ['BTC-28JUN30-100000.0-C', 'x'] })
  const other = read({ channel: 'trades', symbols: ['x', 'BTC-20300628-100000-C', 'x'] })
  assert.equal(one.key, other.key)
  assert.deepEqual([...(one.symbols ?? [])], ['BTC-20300628-100000-C'])
})

test('an underlying is a name on index_prices and options_chain only', () => {
  assert.deepEqual([...(read({ channel: 'trades', symbols: ['BTC'] }).symbols ?? [])], [])
  assert.deepEqual(
    [...(read({ channel: 'index_prices', symbols: ['BTC'] }).symbols ?? [])],
    ['BTC'],
  )
  assert.deepEqual(
    [...(read({ channel: 'options_chain', symbols: ['BTC'] }).symbols ?? [])],
    ['BTC'],
  )
})

test('no filter, an empty list and another filter are three subscriptions', () => {
  const keys = [
    read({ channel: 'trades' }),
    read({ channel: 'trades', symbols: [] }),
    read({ channel: 'trades', symbols: ['A-20300101-1-C'] }),
    read({ channel: 'fills' }),
  ].map((subscription) => subscription.key)
  assert.equal(new Set(keys).size, 4)
  assert.equal(read({ channel: 'trades', symbols: null, expiry: null }).key, keys[0])
})

test('expiry and option type have several spellings', () => {
  for (const expiry of ['2030-06-28', '20300628', '1908835200']) {
    assert.equal(read({ channel: 'options_chain', expiry }).expiryDate, 20_300_628)
  }
  for (const type of ['call', 'CALL', 'C']) {
    assert.equal(read({ channel: 'options_chain', option_type: type }).right, 0)
  }
  assert.equal(read({ channel: 'options_chain', option_type: 'Put' }).right, 1)
})

test('a frame for an unknown channel or filter fails', () => {
  assert.equal(refusal({}), 'missing_field: Missing field: channel')
  assert.equal(refusal({ channel: 5 }), 'invalid_field: Invalid channel: must be a string')
  assert.equal(refusal({ channel: 'toString' }), 'not_found: Unknown channel: toString')
  assert.equal(
    refusal({ channel: 'candles:BTC:1m' }),
    'not_found: Channel withdrawn: candles:BTC:1m',
  )
  assert.match(refusal({ channel: 'trades', symbols: 'BTC' }), /^invalid_field: Invalid symbols/)
  assert.match(refusal({ channel: 'trades', symbols: [1] }), /^invalid_field: Invalid symbols/)
  assert.match(refusal({ channel: 'trades', symbols: ['a', 'b', 'c', 'd'] }), /at most 3/)
  assert.match(refusal({ channel: 'trades', expiry: 'soon' }), /^invalid_field: Invalid expiry/)
  for (const expiry of ['2030-13-01', '2030-02-30', '2030-0628', '203006-28', '10000000000']) {
    assert.match(refusal({ channel: 'trades', expiry }), /^invalid_field/, expiry)
  }
  assert.match(refusal({ channel: 'trades', option_type: 'x' }), /^invalid_field/)
})

test('names without a match distinguish subscriptions and are not stored', () => {
  const names = (first: string) => [first, 'y'.repeat(5000), 'z'.repeat(5000)]
  const [one, other] = ['a', 'b'].map((first) => read({ channel: 'trades', symbols: names(first) }))
  assert.notEqual(one!.key, other!.key)
  assert.ok(one!.key.length <= 128, one!.key)
  assert.equal(one!.symbols!.size, 0)
})
