import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BodyFields } from '../../../gateway/wire/body-fields.js'
import { resultRows } from '../../../schemas/results.js'

const fields = new BodyFields({
  wallet: 'text',
  nonce: 'any',
  count: 'integer',
  'reduce_only?': 'boolean',
  'route?': 'text',
})
const sound = { wallet: 'w', nonce: 1, count: 2 }

function faultOf(
  body: object,
  refusesUnknown = true,
  alsoRequired: string | null = null,
): string | null {
  const fault = fields.fault(body as Record<string, unknown>, refusesUnknown, alsoRequired)
  return fault === null ? null : `${resultRows[fault.result].code} ${fault.message}`
}

test('optional fields may be absent or null, and others may not', () => {
  assert.equal(faultOf(sound), null)
  assert.equal(faultOf({ ...sound, reduce_only: null, route: null }), null)
  for (const name of Object.keys(sound)) {
    assert.equal(faultOf({ ...sound, [name]: null }), `missing_field Missing field: ${name}`)
    assert.equal(faultOf({ ...sound, [name]: undefined }), `missing_field Missing field: ${name}`)
  }
  assert.equal(faultOf(sound, true, 'route'), 'missing_field Missing field: route')
  assert.equal(faultOf({ ...sound, route: '' }, true, 'route'), null)
})

test('every field has its type', () => {
  for (const wrong of [{ wallet: 1 }, { count: '2' }, { count: 1.5 }, { reduce_only: 1 }]) {
    assert.match(faultOf({ ...sound, ...wrong }) ?? '', /^invalid_parameter Invalid /)
  }
  assert.equal(faultOf({ ...sound, nonce: [] }), null)
})

test('a known name in another spelling fails first and always; another unknown name fails last and by policy', () => {
  const near = 'invalid_field Unknown field: reduceOnly (did you mean reduce_only?)'
  for (const refuses of [true, false]) {
    assert.equal(faultOf({ reduceOnly: true }, refuses), near)
    assert.equal(faultOf({ ...sound, more: 1, reduceOnly: true, reduce_only: true }, refuses), near)
  }
  assert.match(faultOf({ ...sound, more: 1 }) ?? '', /^invalid_field Unknown field: more/)
  assert.match(faultOf({ wallet: 'w', more: 1 }) ?? '', /^missing_field/)
  assert.match(faultOf({ ...sound, count: 'x', more: 1 }) ?? '', /^invalid_parameter/)
  assert.equal(faultOf({ ...sound, more: 1 }, false), null)
})

test('keys of the prototype are names like any other', () => {
  const body = JSON.parse('{"wallet":"w","nonce":1,"count":2,"__proto__":{"route":1}}')
  assert.match(faultOf(body) ?? '', /Unknown field: __proto__/)
  assert.equal(faultOf(body, false), null)
  const unknown = `${faultOf({})} (unknown field: __proto__)`
  assert.equal(faultOf(JSON.parse('{"__proto__":{"wallet":"w"}}')), unknown)
})

test('the error of a missing field names an unknown field, which may be the misspelled one', () => {
  const expected = 'Missing field: wallet (unknown field: walet)'
  assert.equal(faultOf({ walet: 'w', nonce: 1, count: 2 })?.endsWith(expected), true)
})
