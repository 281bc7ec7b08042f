import assert from 'node:assert/strict'
import { test } from 'node:test'
import { digest } from '../../../gateway/wire/parameters.js'
import { QueryReader } from '../../../gateway/wire/query-reader.js'
import { Result } from '../../../schemas/results.js'

test('a digest is 32 bytes in hexadecimal digits of any case, and an empty one is none', () => {
  const text = `0x${'aB'.repeat(32)}`
  for (const [query, read, fault] of [
    [`digest=${text}`, text.toLowerCase(), undefined],
    ['', '', Result.MissingField],
    ['digest=', '', Result.InvalidParameter],
    ['digest=0x', '0x', Result.InvalidParameter],
  ] as const) {
    const reader = new QueryReader(query)
    assert.equal(digest.read(reader, 'digest'), read)
    assert.equal(reader.refusal?.result, fault, query)
  }
})
