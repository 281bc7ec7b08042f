import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountWriteFault } from '../../../gateway/http/account-write.js'
import { Result, resultRows } from '../../../schemas/results.js'

test('no error of an account write is answered like a success', () => {
  for (const result of Object.values(Result)) {
    if (result >= 0) continue
    const fault = accountWriteFault(result, '7')
    const { code, http } = resultRows[fault.result]
    assert.ok(http >= 400 && code !== null, String(result))
  }
  assert.equal(accountWriteFault(Result.NonceUsed, '7').message, 'Nonce 7 already used')
})
