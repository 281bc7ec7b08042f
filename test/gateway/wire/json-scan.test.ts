import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { malformed, skipBlanks, skipValue } from '../../../gateway/wire/json-scan.js'

/** Returns true if the scan finds that the text is one value of JSON. */
function isJson(text: string): boolean {
  const bytes = Buffer.from(text)
  const end = skipValue(bytes, skipBlanks(bytes, 0))
  return end !== malformed && skipBlanks(bytes, end) === bytes.length
}

function isParsed(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('every value is skipped to its end', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 1, 3), (value, space) => {
      assert.equal(isJson(JSON.stringify(value, null, space)), true)
    }),
  )
})

test('a text is JSON to the scan exactly if it is JSON to the parser', () => {
  const letters = fc.constantFrom(...'{}[]",:\\ue01-.+tf'.split(''), 'true', 'null', '\n', '"a"')
  const texts = fc.array(letters, { maxLength: 12 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(texts, (text) => assert.equal(isJson(text), isParsed(text), text)),
    { numRuns: 2000 },
  )
})

test('changes of one letter have the same result as in the parser', () => {
  const sound = '{"a":[1,-2.5e+3,"x\\u00e9\\n",{"b":null}],"c":true,"d":{}}'
  const edit = fc.tuple(fc.nat(sound.length - 1), fc.constantFrom(...'{}[]",:\\x0e- '.split('')))
  fc.assert(
    fc.property(edit, ([at, letter]) => {
      const text = sound.slice(0, at) + letter + sound.slice(at + 1)
      assert.equal(isJson(text), isParsed(text), text)
    }),
    { numRuns: 1000 },
  )
})

test('deeply nested brackets are not a value', () => {
  assert.equal(isJson('['.repeat(100_000)), false)
  assert.equal(isJson('['.repeat(100) + ']'.repeat(100)), false)
  assert.equal(isJson('['.repeat(60) + ']'.repeat(60)), true)
})
