import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Operations, Router } from '../../../gateway/http/router.js'
import { httpCall } from '../../support/http-call.js'

const served: string[] = []
const router = new Router(
  new Map<string, Operations>([
    ['/order', { POST: () => served.push('post'), DELETE: () => served.push('delete') }],
    ['/trades', { GET: () => served.push('trades') }],
    ['/trades/', { GET: () => served.push('trade') }],
  ]),
)

/** Routes a request. @returns the served path, or status and code of the answer. */
function route(method: string, path: string): string {
  served.length = 0
  let answer = ''
  const call = httpCall(method, path, Buffer.alloc(0), ({ status, text, headers }) => {
    const code = text === '' ? '' : JSON.parse(text).code
    const allow = headers.find(([name]) => name === 'Allow')?.[1] ?? ''
    answer = [status, code, allow].filter((part) => part !== '').join(' ')
  })
  router.route(call)
  return served[0] ?? answer
}

test('a path is served by its methods, and a read by HEAD, too', () => {
  assert.equal(route('POST', '/order'), 'post')
  assert.equal(route('DELETE', '/order'), 'delete')
  assert.equal(route('GET', '/trades'), 'trades')
  assert.equal(route('HEAD', '/trades'), 'trades')
  assert.equal(route('GET', '/trades/7'), 'trade')
})

test('another method of a known path is not allowed, and the answer lists the allowed ones', () => {
  assert.equal(route('GET', '/order'), '405 method_not_allowed POST, DELETE, OPTIONS')
  assert.equal(route('PATCH', '/order'), '405 method_not_allowed POST, DELETE, OPTIONS')
  assert.equal(route('POST', '/trades'), '405 method_not_allowed GET, HEAD, OPTIONS')
  assert.equal(route('constructor', '/order'), '405 method_not_allowed POST, DELETE, OPTIONS')
})

test('an unknown path is not found for reads, and not supported for writes', () => {
  assert.equal(route('GET', '/nothing'), '404 not_found')
  assert.equal(route('HEAD', '/trades/7/8'), '404 not_found')
  assert.equal(route('GET', '/order/'), '404 not_found')
  for (const method of ['POST', 'PUT', 'DELETE']) {
    assert.equal(route(method, '/nothing'), '400 unsupported_endpoint')
  }
})

test('an answer for an unknown path names the served path of nearest spelling', () => {
  const messageOf = (method: string, path: string): string => {
    let message = ''
    router.route(
      httpCall(method, path, Buffer.alloc(0), ({ text }) => {
        message = JSON.parse(text).message
      }),
    )
    return message
  }
  assert.equal(messageOf('GET', '/oder'), 'Not found: /oder (did you mean /order?)')
  assert.equal(messageOf('POST', '/Order'), 'Endpoint not supported: /Order (did you mean /order?)')
  assert.equal(messageOf('GET', '/trade'), 'Not found: /trade (did you mean /trades?)')
  assert.equal(messageOf('GET', '/nothing'), 'Not found: /nothing')
  assert.equal(messageOf('GET', '/candles'), 'Not found')
})

test('a removed path is not found with any method', () => {
  for (const path of ['/candles', '/profile/image', '/limit_iv', '/profile/username-request']) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      assert.equal(route(method, path), '404 not_found')
    }
  }
})

test('a browser may send a preflight', () => {
  assert.equal(route('OPTIONS', '/order'), '204')
  assert.equal(route('OPTIONS', '/nothing'), '204')
})
