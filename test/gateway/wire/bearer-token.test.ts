import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearerToken } from '../../../gateway/wire/bearer-token.js'

test('the scheme may be in any case, and the token is unchanged', () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
    assert.equal(bearerToken(`${scheme} aB.c`), 'aB.c')
  }
  assert.equal(bearerToken('Bearer   aB.c'), 'aB.c')
})

test('another scheme, or none, has no token', () => {
  for (const header of ['', 'Bearer', 'Basic aB.c', 'BearerX aB.c', ' Bearer aB.c', 'aB.c']) {
    assert.equal(bearerToken(header), null, header)
  }
})
