import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProtocolError } from '../../../gateway/client/client-error.js'
import { streamShapes } from '../../../gateway/client/generated/stream-shapes.js'
import { readMessage } from '../../../gateway/client/read-message.js'
import { wholeMessage } from '../../support/whole-message.js'

const read = (message: unknown) => readMessage(JSON.stringify(message), streamShapes)

function faultOf(data: unknown): string {
  const error = readMessage(data, streamShapes)
  assert.ok(error instanceof ProtocolError, String(data))
  return error.message
}

test('what is no text, no JSON or has no type is no message', () => {
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

test('a message of each type is read, and one that lacks a field is not', () => {
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

test('what is wrong is told by its path, however deep it stands', () => {
  const told = { type: 'OrderbookUpdate', bids: [['1', '2'], null] }
  const pathOf = (message: { readonly type: string }) =>
    faultOf(JSON.stringify(wholeMessage(message)))
  assert.equal(pathOf(told), 'misshapen: OrderbookUpdate.bids[1]')
  assert.equal(pathOf({ ...told, bids: [['1']] } as never), 'misshapen: OrderbookUpdate.bids[0]')
  assert.match(pathOf({ ...told, bids: [['1', 'abc']] } as never), /bids\[0\]\[1\]$/)
  assert.match(pathOf({ ...told, bids: [], seq: 1e300 } as never), /\.seq$/)
  const request = { price: '1', size: '1', symbol: 'A' }
  assert.match(pathOf({ type: 'OrderUpdate', request } as never), /OrderUpdate\.request\.side$/)
  assert.match(pathOf({ type: 'Error', rfq_id: { toString: 1 } } as never), /\.rfq_id$/)
})

test('types and fields that nobody knows are read as they are', () => {
  for (const message of [
    { type: 'Later', seq: 'x' },
    { type: 'constructor' },
    { ...wholeMessage({ type: 'Trade' }), later: null },
  ]) {
    assert.deepEqual(read(message), message)
  }
})
