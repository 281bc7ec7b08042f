import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryReader } from '../../../gateway/wire/query-reader.js'
import { Result } from '../../../schemas/results.js'

const wallet = '0xFcad0b19bb29d4674531d6f115237e16afce377c'

function resultOf(text: string, read: (query: QueryReader) => unknown): number | null {
  const query = new QueryReader(text)
  read(query)
  return query.refusal?.result ?? null
}

test('a wallet is required, is an address, and is not zero', () => {
  const read = (query: QueryReader) => query.wallet()
  assert.equal(resultOf(`wallet=${wallet}`, read), null)
  assert.equal(resultOf('', read), Result.MissingField)
  assert.equal(resultOf('wallet=', read), Result.InvalidWallet)
  assert.equal(resultOf('wallet=0x12', read), Result.InvalidWallet)
  assert.equal(resultOf(`wallet=0x${'0'.repeat(40)}`, read), Result.InvalidWallet)
})

test('a parameter given twice fails, also an unknown one', () => {
  assert.equal(
    resultOf('a=1&a=1', () => {}),
    Result.InvalidParameter,
  )
  assert.equal(
    resultOf('symbol=x&instrument_name=x', (query) => query.text('symbol', 'instrument_name')),
    Result.InvalidParameter,
  )
})

test('integers are digits within their limits', () => {
  const read = (query: QueryReader) => query.integer(['limit'], 1, 50, 50)
  assert.equal(new QueryReader('limit=7').integer(['limit'], 1, 50, 50), 7)
  assert.equal(new QueryReader('').integer(['limit'], 1, 50, null), null)
  for (const bad of ['0', '51', '-1', '+1', '1.0', '1e1', '', 'x', ' 1', '9'.repeat(17)]) {
    assert.equal(resultOf(`limit=${encodeURIComponent(bad)}`, read), Result.InvalidParameter, bad)
  }
})

test('booleans are true, false, 1 and 0', () => {
  const read = (text: string) => new QueryReader(`b=${text}`).boolean(false, 'b')
  assert.deepEqual(['true', '1', 'false', '0'].map(read), [true, true, false, false])
  assert.equal(
    resultOf('b=yes', (query) => query.boolean(false, 'b')),
    Result.InvalidParameter,
  )
  assert.equal(
    resultOf('b=True', (query) => query.boolean(false, 'b')),
    Result.InvalidParameter,
  )
})

test('the error is that of the first fault', () => {
  const query = new QueryReader('limit=x')
  query.wallet()
  query.integer(['limit'], 1, 2, 1)
  assert.equal(query.refusal?.result, Result.MissingField)
})

test('text is decoded like a form', () => {
  assert.equal(new QueryReader('id=a%20b+c%26').text('id'), 'a b c&')
})

test('an unknown parameter fails where unknown names do, and a misspelled one everywhere', () => {
  const messageOf = (text: string, refusesUnknown: boolean) => {
    const query = new QueryReader(text, refusesUnknown)
    query.integer(['rfq_provider_quotes_limit', 'limit'], 1, 50, 50)
    query.has('expiry')
    return query.refusal?.message ?? null
  }
  for (const refuses of [true, false]) {
    assert.equal(messageOf(`wallet=${wallet}&limit=5`, refuses), null)
    assert.equal(messageOf('expiry=x', refuses), null)
    const message = 'Unknown field: Limit (did you mean limit?)'
    assert.equal(messageOf('Limit=5', refuses), message)
  }
  assert.equal(messageOf('limits=5', true), 'Unknown field: limits (did you mean limit?)')
  assert.equal(messageOf('limits=5', false), null)
})
