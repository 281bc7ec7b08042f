import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readParameter } from '../../../gateway/wire/parameter-readers.js'
import { QueryReader } from '../../../gateway/wire/query-reader.js'
import { digest } from '../../../schemas/interface/parameter.js'
import { Result } from '../../../schemas/results.js'

test('a digest is 32 bytes in hexadecimal digits of any case, and an empty one means none', () => {
  const text = `0x${'aB'.repeat(32)}`
  for (const [query, read, fault] of [
    [`digest=${text}`, text.toLowerCase(), undefined],
    ['', '', Result.MissingField],
    ['digest=', '', Result.InvalidParameter],
    ['digest=0x', '0x', Result.InvalidParameter],
  ] as const) {
    const reader = new QueryReader(query)
    assert.equal(readParameter(reader, 'digest', digest), read)
    assert.equal(reader.refusal?.result, fault, query)
  }
})
