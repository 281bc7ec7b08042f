import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SharedValue } from '../../../../gateway/read-model/views/shared-value.js'

test('there is nothing at first, then the value that was written last', () => {
  const memory = new SharedArrayBuffer(128)
  const [writer, reader] = [new SharedValue<object>(memory), new SharedValue<object>(memory)]
  assert.equal(reader.read(), null)
  for (const value of [
    { fees: 1.5e6, dust: -3 },
    { name: 'ABCDEFGHIJKLMNOP' },
    [],
    { é: 2 ** 53 },
  ]) {
    writer.write(value)
    assert.deepEqual(reader.read(), value)
  }
})

test('a reader continues with the current value while the next one is written', () => {
  const memory = new SharedArrayBuffer(128)
  const value = new SharedValue<string>(memory)
  value.write('first')
  value.write('second')
  const before = new Uint8Array(memory).slice()
  value.write('third')
  const words = new Int32Array(memory)
  const version = words[0]!
  words[0] = new Int32Array(before.buffer)[0]!
  assert.equal(value.read(), 'second')
  words[0] = version
  assert.equal(value.read(), 'third')
})

test('the version counter skips 0, which means none', () => {
  const memory = new SharedArrayBuffer(64)
  const value = new SharedValue<number>(memory)
  new Int32Array(memory)[0] = -2
  for (const number of [1, 2, 3]) {
    value.write(number)
    assert.equal(value.read(), number)
  }
})

test('a value that does not fit is never written in part', () => {
  const value = new SharedValue<string>(new SharedArrayBuffer(64))
  value.write('short')
  assert.throws(() => value.write('x'.repeat(64)), /there is room for it/)
  assert.equal(value.read(), 'short')
})
