import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorOf } from '../../../engine/threads/error-of.js'

test('an error is unchanged, and any other value becomes the text of an error', () => {
  const error = new Error('disk')
  assert.equal(errorOf(error), error)
  assert.deepEqual(
    ['full', 7, null, undefined].map((thrown) => errorOf(thrown).message),
    ['full', '7', 'null', 'undefined'],
  )
})

test('an error that arrives as a plain object keeps name, message and stack', () => {
  const error = errorOf({
    name: 'SqliteError',
    message: 'disk I/O error',
    stack: 'at store',
    code: 10,
  })
  assert.ok(error instanceof Error)
  assert.deepEqual(
    [error.name, error.message, error.stack],
    ['SqliteError', 'disk I/O error', 'at store'],
  )
})

test('an object without a message is shown with its fields', () => {
  assert.match(errorOf({ code: 'ENOSPC', message: '' }).message, /code: 'ENOSPC'/)
})
