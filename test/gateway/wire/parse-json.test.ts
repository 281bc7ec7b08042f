import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Fault } from '../../../gateway/wire/fault.js'
import { invalidJson, notUtf8, parseJson } from '../../../gateway/wire/parse-json.js'

/** Returns the message without its beginning; '' for a sound text. */
function errorOf(text: string): string {
  const value = parseJson(Buffer.from(text))
  return value instanceof Fault ? value.message.replace('Invalid JSON at ', '') : ''
}

test('the parser returns the value of a valid text', () => {
  assert.deepEqual(parseJson(Buffer.from(' {"a":[1,"é"]}\n')), { a: [1, 'é'] })
})

test('an error names line, column, the character and the allowed ones', () => {
  const errors: Readonly<Record<string, string>> = {
    '': 'line 1, column 1: found the end, expected a value',
    '{"a": 1,}': "line 1, column 9: found '}', expected a name in double quotes",
    '[1, 2': "line 1, column 6: found the end, expected ',' or ']'",
    '[,]': "line 1, column 2: found ',', expected a value or ']'",
    "{'a': 1}": "line 1, column 2: found an apostrophe, expected a name in double quotes or '}'",
    '{"a" 1}': "line 1, column 6: found '1', expected ':'",
    '{\n  "price": "1",\n  "size" = "2"\n}': "line 3, column 10: found '=', expected ':'",
    '{"a": .5}': "line 1, column 7: found '.', expected a value",
    '[01]': "line 1, column 2: found '0', expected a number such as 0.5 or -2e3",
    '[-]': "line 1, column 2: found '-', expected a number such as 0.5 or -2e3",
    '[1 2]': "line 1, column 4: found '2', expected ',' or ']'",
    '{"a": [True]}': "line 1, column 8: found 'T', expected a value or ']'",
    '{"é": x}': "line 1, column 7: found 'x', expected a value",
    '{“a”: 1}':
      "line 1, column 2: found the character U+201C, expected a name in double quotes or '}'",
    '\ufeff{}': 'line 1, column 1: found the character U+FEFF, expected a value',
    '"a\nb"': 'line 1, column 3: found a line break, expected an escape such as \\n',
    '"\\x"': "line 1, column 2: found '\\', expected an escape such as \\n",
    '["a]': 'line 1, column 5: found the end, expected a closing double quote',
    '{} {}': "line 1, column 4: found '{', expected the end",
  }
  for (const [text, error] of Object.entries(errors)) assert.equal(errorOf(text), error, text)
})

test('the texts that the parser rejects have an error inside the text, and no others', () => {
  const letters = fc.constantFrom(...'{}[]",:\\ue01-.+tf'.split(''), 'true', 'null', '\n', '"a"')
  const texts = fc.array(letters, { maxLength: 12 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(texts, (text) => {
      const match = /^line (\d+), column (\d+): found (.*), expected (.*)$/s.exec(errorOf(text))
      if (match === null) return assert.doesNotThrow(() => JSON.parse(text))
      const [, line, column, found, allowed] = match
      assert.throws(() => JSON.parse(text))
      const lines = text.split('\n')
      assert.ok(
        Number(line) <= lines.length && Number(column) <= lines[Number(line) - 1]!.length + 1,
      )
      assert.notEqual(found, allowed)
    }),
    { numRuns: 2000 },
  )
})

test('a parser with a limit names the first bracket too deep', () => {
  const { message } = invalidJson(Buffer.from('[[[]]]'), 2)
  assert.equal(
    message,
    "Invalid JSON at line 1, column 3: found '[', expected at most 2 nested objects and lists",
  )
  assert.equal(notUtf8().message, 'Invalid JSON: the bytes are not UTF-8')
})

test('a deep text fails like any other', () => {
  assert.match(errorOf('['.repeat(100_000)), /^line 1, column 100001: found the end/)
})
