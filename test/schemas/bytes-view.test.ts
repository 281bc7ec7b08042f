import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bufferOf } from '../../schemas/bytes-view.js'

test('a Buffer of bytes shares their memory, for a part as for the whole', () => {
  const memory = new SharedArrayBuffer(8)
  const bytes = new Uint8Array(memory)
  const part = new Uint8Array(memory, 2, 4)
  for (const [index, view] of [bytes, part, part, bytes].entries()) {
    view[0] = index + 1
    assert.equal(bufferOf(view)[0], index + 1)
    assert.equal(bufferOf(view).length, view.length)
  }
})
