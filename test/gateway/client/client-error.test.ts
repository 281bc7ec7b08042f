import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ApiError,
  BusyError,
  ConnectionError,
  errorOfAnswer,
  expectAccepted,
  ProtocolError,
  RateLimitError,
  RejectedError,
  SignatureError,
  StrikebookError,
} from '../../../gateway/client/client-error.js'
import type { OrderUpdate } from '../../../gateway/client/generated/interface.js'

test('an answer becomes an error of the tree, by its code', () => {
  const kindOf = (status: number, code: string) => errorOfAnswer(status, { code, message: 'no' })
  assert.ok(kindOf(401, 'unauthorized') instanceof SignatureError)
  assert.ok(kindOf(400, 'signature_verification_failed') instanceof SignatureError)
  assert.ok(kindOf(503, 'engine_busy') instanceof BusyError)
  assert.ok(kindOf(503, 'not_ready') instanceof BusyError)
  assert.ok(kindOf(429, 'rate_limit_exceeded') instanceof RateLimitError)
  // Over the stream there is no status.
  assert.ok(kindOf(0, 'rate_limit_exceeded') instanceof RateLimitError)
  const other = kindOf(403, 'limit_exceeded')
  assert.deepEqual([other.constructor, other.code, other.status], [ApiError, 'limit_exceeded', 403])
  assert.deepEqual(other.details, {})
  assert.equal(errorOfAnswer(502, '<html>').code, 'unknown')
  for (const error of [other, new ConnectionError('cut off')]) {
    assert.ok(error instanceof StrikebookError)
    assert.equal(error.name, error.constructor.name)
  }
})

test('a rejection is an answer unless acceptance is expected', () => {
  const details = { required: '12.5', equity: '10' }
  const refused = { status: 'REJECTED', reason: 'Insufficient margin', details }
  const update = { ...refused, reason_code: 'insufficient_margin' } as unknown as OrderUpdate
  assert.throws(
    () => expectAccepted(update),
    (error: unknown) => {
      assert.ok(error instanceof RejectedError)
      assert.deepEqual([error.code, error.details], ['insufficient_margin', details])
      return error.update === update
    },
  )
  const accepted = { ...update, status: 'ACKED', order_id: 4096 } as OrderUpdate
  assert.equal(expectAccepted(accepted), accepted)
  const id: number = expectAccepted(accepted).order_id
  assert.equal(id, 4096)
  const unnamed = { ...accepted, order_id: null }
  assert.throws(() => expectAccepted(unnamed), ProtocolError)
})
