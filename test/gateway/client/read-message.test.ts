import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProtocolError } from '../../../gateway/client/client-error.js'
import { streamShapes } from '../../../gateway/client/generated/interface.js'
import { readMessage } from '../../../gateway/client/read-message.js'
import { wholeMessage } from '../../support/whole-message.js'

const read = (message: unknown) => readMessage(JSON.stringify(message), streamShapes)

function faultOf(data: unknown): string {
  const error = readMessage(data, streamShapes)
  assert.ok(error instanceof ProtocolError, String(data))
  return error.message
}

test('text without JSON or without a type is not a message', () => {
  for (const data of [
    new Uint8Array([1, 2]),
    null,
    '',
    '<html>502</html>',
    'null',
    '5',
    '[]',
    '{}',
  ]) {
    assert.match(faultOf(data), /^a frame that /)
  }
})

test('a message of each type is parsed, and one that lacks a field is not', () => {
  for (const type of Object.keys(streamShapes)) {
    const whole = wholeMessage({ type })
    assert.deepEqual(read(whole), whole)
    for (const name of Object.keys(whole)) {
      if (name === 'type') continue
      const { [name]: _, ...rest } = whole as Record<string, unknown>
      assert.ok(read(rest) instanceof ProtocolError, `${type} without ${name}`)
    }
  }
})

test('a fault is reported by its path, at any depth', () => {
  const update = { type: 'OrderbookUpdate', bids: [['1', '2'], null] }
  const pathOf = (message: { readonly type: string }) =>
    faultOf(JSON.stringify(wholeMessage(message)))
  assert.equal(pathOf(update), 'misshapen: OrderbookUpdate.bids[1]')
  assert.equal(pathOf({ ...update, bids: [['1']] } as never), 'misshapen: OrderbookUpdate.bids[0]')
  assert.match(pathOf({ ...update, bids: [['1', 'abc']] } as never), /bids\[0\]\[1\]$/)
  assert.match(pathOf({ ...update, bids: [], seq: 1e300 } as never), /\.seq$/)
  const request = { price: '1', size: '1', symbol: 'A' }
  assert.match(pathOf({ type: 'OrderUpdate', request } as never), /OrderUpdate\.request\.side$/)
  assert.match(pathOf({ type: 'Error', rfq_id: { toString: 1 } } as never), /\.rfq_id$/)
})

test('a field that is a number, null or a fixed text accepts each of them, and nothing else', () => {
  const refused = (until: unknown) => {
    return { ...wholeMessage({ type: 'Error' }), details: { until } }
  }
  for (const until of [5, null, 'reset']) assert.deepEqual(read(refused(until)), refused(until))
  for (const until of ['rest', true, 1.5]) assert.ok(read(refused(until)) instanceof ProtocolError)
})

test('no value makes the reading of a shape throw', () => {
  for (const type of Object.keys(streamShapes)) {
    const whole = wholeMessage({ type }) as Record<string, unknown>
    const names = new Set(Object.keys(streamShapes[type]!).map((name) => name.replace('?', '')))
    for (const name of [...Object.keys(whole), ...names].filter((name) => name !== 'type')) {
      for (const value of [0, 0.5, '', '=', true, {}, [], [null], { until: '' }]) {
        assert.doesNotThrow(() => read({ ...whole, [name]: value }), `${type}.${name}`)
      }
    }
  }
})

test('unknown types and fields are returned unchanged', () => {
  for (const message of [
    { type: 'Later', seq: 'x' },
    { type: 'constructor' },
    { ...wholeMessage({ type: 'Trade' }), later: null },
  ]) {
    assert.deepEqual(read(message), message)
  }
})
