import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  formatAddress,
  isZeroAddress,
  parseAddress,
  sameAddress,
  writeAddress,
} from '../../schemas/wallet.js'

const text = '0xfcad0b19bb29d4674531d6f115237e16afce377c'

test('letter case has no effect on the bytes, and the text is returned in lower case', () => {
  const mixed = `0x${text.slice(2).toUpperCase().replace('AD', 'aD')}`
  assert.deepEqual(parseAddress(mixed), parseAddress(text))
  assert.equal(formatAddress(parseAddress(mixed)!, 0), text)
})

test('the parser rejects text that is not an address', () => {
  const bad = [
    ...['', '0x', text.slice(2), `0X${text.slice(2)}`, text.slice(0, -1), `${text}0`, ` ${text}`],
    ...[`${text.slice(0, -1)}g`, `${text.slice(0, -1)}\u0130`, `${text.slice(0, -1)}/`],
    ...[`${text.slice(0, -1)}:`, `${text.slice(0, -1)}@`, `${text.slice(0, -1)}\``],
  ]
  for (const address of bad) assert.equal(parseAddress(address), null, address)
})

test('no character outside the digits passes as a digit', () => {
  for (let code = 0; code < 0x300; code++) {
    const character = String.fromCharCode(code)
    for (const at of [40, 41]) {
      const address = text.slice(0, at) + character + text.slice(at + 1)
      assert.equal(parseAddress(address) !== null, /[0-9a-fA-F]/.test(character), `code ${code}`)
    }
  }
})

test('the functions write and read at an offset, also of a view', () => {
  const target = new Uint8Array(64).subarray(8)
  assert.ok(writeAddress(text, target, 3))
  assert.equal(formatAddress(target, 3), text)
  assert.equal(target[2], 0)
  assert.equal(target[23], 0)
})

test('any 20 bytes survive their text', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
      const parsed = parseAddress(formatAddress(bytes, 0))!
      assert.deepEqual(parsed, bytes)
      assert.ok(sameAddress(parsed, 0, bytes, 0))
      parsed[19] ^= 1
      assert.ok(!sameAddress(parsed, 0, bytes, 0))
    }),
  )
})

test('the function recognizes the zero address', () => {
  assert.ok(isZeroAddress(parseAddress(`0x${'0'.repeat(40)}`)!, 0))
  assert.ok(!isZeroAddress(parseAddress(`0x${'0'.repeat(39)}1`)!, 0))
  assert.ok(!isZeroAddress(parseAddress(`0x8${'0'.repeat(39)}`)!, 0))
})
