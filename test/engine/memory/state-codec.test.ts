import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StateReader, StateWriter } from '../../../engine/memory/state-codec.js'

test("the reader returns values in order, also across a growth of the writer's buffer", () => {
  const writer = new StateWriter()
  writer.section(7)
  writer.i32(-5)
  writer.f64(Number.NaN)
  writer.text('Größe')
  writer.bytes(new Uint8Array(200_000).fill(9))
  writer.f64(2 ** 53 - 1)
  const reader = new StateReader(writer.result().slice())
  reader.section(7)
  assert.equal(reader.i32(), -5)
  assert.ok(Number.isNaN(reader.f64()))
  assert.equal(reader.text(), 'Größe')
  assert.ok(reader.bytes(200_000).every((byte) => byte === 9))
  assert.equal(reader.atEnd(), false)
  assert.equal(reader.f64(), 2 ** 53 - 1)
  assert.equal(reader.atEnd(), true)
})

test('memory taken at the start holds earlier and later writes', () => {
  const writer = new StateWriter()
  writer.i32(3)
  writer.reserve(1 << 20)
  writer.reserve(1 << 10)
  writer.f64(0.5)
  assert.equal(writer.result().buffer.byteLength, 1 << 20)
  const reader = new StateReader(writer.result())
  assert.equal(reader.i32(), 3)
  assert.equal(reader.f64(), 0.5)
  assert.equal(reader.atEnd(), true)
})

test('a section out of order, or a read beyond the end, is an error', () => {
  const writer = new StateWriter()
  writer.section(1)
  assert.throws(() => new StateReader(writer.result()).section(2), /out of order/)
  const reader = new StateReader(writer.result().slice())
  reader.section(1)
  assert.throws(() => reader.f64(), RangeError)
})
