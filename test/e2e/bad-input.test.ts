import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sharedVenue } from './support/shared-venue.js'
import { cancelBody, placeBody, symbolOf, WalletKey } from './support/signed-body.js'
import { assertError } from './support/venue.js'

const venue = sharedVenue()
const symbol = symbolOf('BTC', 110_000)
const by = new WalletKey()
const bodyBytesMax = 256 * 1024
/** Maximum wait for required answers: the venue closes the connection after them, or their length is known. */
const answerMillisMax = 60_000

/** Every write, signed or not, takes a JSON object. */
const writes = [
  ['POST', '/order'],
  ['PUT', '/order'],
  ['DELETE', '/order'],
  ['DELETE', '/order_cloid'],
  ['POST', '/approve-agent'],
  ['DELETE', '/revoke-agent'],
  ['DELETE', '/revoke-all-agents'],
] as const

before(async () => {
  await venue.set('/instruments', { symbol })
  await venue.set('/index-prices', { prices: [{ underlying: 'BTC', price: '100000' }] })
  await venue.set('/deposits', { wallet: by.wallet, amount: '100000' })
  await venue.set('/tiers', { wallet: by.wallet, tier: 'market_maker' })
})

/** Asserts that the venue still trades, unharmed by earlier input. */
async function assertAlive(): Promise<void> {
  const body = await placeBody(by, { symbol, price: '1', size: '0.1' })
  const answer = await venue.send('POST', '/order', body)
  assert.equal(answer.body?.status, 'ACKED', answer.text)
  const { order_id } = answer.body
  const done = await venue.send('DELETE', '/order', await cancelBody(by, { order_id }))
  assert.equal(done.body.status, 'CANCELED')
}

test('unparsable text is invalid_json on every write', async () => {
  const texts = ['{', '{"a":1', '{"a":}', 'nonsense', "{'a':1}", '{"a":1}}', '\u0000', '{"a":01}']
  for (const [method, path] of writes) {
    for (const text of texts) {
      const answer = await venue.send(method, path, text)
      assert.equal(answer.body?.code, 'invalid_json', `${method} ${path} ${text}: ${answer.text}`)
      assert.equal(answer.status, 400)
    }
  }
})

test('an empty body, and JSON other than an object, are unreadable', async () => {
  for (const [method, path] of writes) {
    for (const text of ['null', '1', '"x"', 'true', '[]', '[{}]']) {
      const answer = await venue.send(method, path, text)
      assert.equal(
        answer.body?.code,
        'invalid_request',
        `${method} ${path} ${text}: ${answer.text}`,
      )
      assert.equal(answer.status, 400)
    }
    const empty = await venue.send(method, path)
    assert.equal(empty.status, 400)
    assert.match(empty.body.code, /^invalid_(json|request)$/)
  }
})

test('bytes that are not UTF-8 are a client error', async () => {
  const head = 'POST /order HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nConnection: close\r\n\r\n'
  const answer = await venue.raw(
    Buffer.concat([Buffer.from(head), Buffer.from([123, 255, 254, 128, 125])]),
    { quietMillis: answerMillisMax },
  )
  assert.match(answer, /^HTTP\/1\.1 400 /)
  assert.match(answer, /"code":"invalid_(json|request)"/)
})

test('ten thousand levels of nesting are a client error', async () => {
  const deep = [
    `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
    `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
    `{"wallet":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    '['.repeat(100_000),
  ]
  for (const text of deep) {
    const answer = await venue.send('POST', '/order', text)
    assert.equal(answer.status, 400, answer.text)
    assert.match(
      answer.body.code,
      /^(invalid_json|invalid_request|invalid_parameter|missing_field)$/,
    )
  }
  await assertAlive()
})

test('the venue treats keys of the prototype as ordinary unknown keys', async () => {
  const body = await placeBody(by, { symbol, price: '1', size: '0.1' })
  const text = JSON.stringify(body)
  const polluted = text.replace(
    '{',
    '{"__proto__":{"route":"rfq_only","polluted":1},"constructor":{"prototype":{"tif":"x"}},"toString":1,"hasOwnProperty":null,',
  )
  const answer = await venue.send('POST', '/order', polluted)
  assertError(answer, 400, 'invalid_field')
  assert.equal(answer.body.message.startsWith('Unknown field: __proto__'), true, answer.text)

  const without = text.replace(`"tif":"gtc",`, '')
  const inherited = without.replace('{', '{"__proto__":{"tif":"gtc"},')
  assertError(await venue.send('POST', '/order', inherited), 400, 'missing_field')
  for (const path of ['/__proto__', '/constructor', '/toString', '/order/__proto__']) {
    assertError(await venue.get(path), 404, 'not_found')
  }
  await assertAlive()
})

test('of a duplicate key the last value counts', async () => {
  const text = JSON.stringify(await placeBody(by, { symbol, price: '1', size: '0.1' }))
  const twice = text.replace('{', '{"size":"5","side":"Sell",')
  assert.equal((await venue.send('POST', '/order', twice)).body?.status, 'ACKED')
})

test('the venue accepts a body at the limit and answers payload_too_large to one more byte', async () => {
  const body = await placeBody(by, { symbol, price: '1', size: '0.1' })
  const padOf = (bytes: number) => {
    const empty = JSON.stringify({ ...body, signer: '' })
    return JSON.stringify({ ...body, signer: 'x'.repeat(bytes - empty.length) })
  }
  const large = await venue.send('POST', '/order', padOf(bodyBytesMax))
  assert.equal(large.body?.status, 'ACKED', large.text)
  for (const bytes of [bodyBytesMax + 1, 2 * bodyBytesMax, 5_000_000]) {
    const answer = await venue.send('POST', '/order', padOf(bytes))
    assertError(answer, 413, 'payload_too_large')
  }
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  const chunked = await venue.raw(
    `POST /order HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(6)}0\r\n\r\n`,
    { isWhole: (text) => text.includes('\r\n\r\n'), quietMillis: answerMillisMax },
  )
  assert.match(chunked, /^HTTP\/1\.1 4\d\d /)
  await assertAlive()
})

test('the venue does not enforce the content type', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'image/png', 'a/b; c=d']) {
    const body = await placeBody(by, { symbol, price: '1', size: '0.1' })
    const answer = await venue.send('POST', '/order', body, { 'Content-Type': type })
    assert.equal(answer.body?.status, 'ACKED', answer.text)
  }
})

test('every write fails on numbers for strings, and on strings for numbers', async () => {
  const cases: [string, string, object][] = [
    ['PUT', '/order', { wallet: 1 }],
    ['DELETE', '/order', { wallet: by.wallet, order_id: [], nonce: 1, signature: '0x' }],
    ['DELETE', '/order_cloid', { wallet: by.wallet, client_id: 4, nonce: 1, signature: '0x' }],
    ['POST', '/approve-agent', { agent: 5, nonce: 1, signature: '0x' }],
    ['POST', '/approve-agent', { agent: by.wallet, nonce: {}, signature: '0x' }],
    ['DELETE', '/revoke-agent', { agent: [], nonce: 1, signature: '0x' }],
    ['DELETE', '/revoke-all-agents', { nonce: [], signature: '0x' }],
    ['DELETE', '/revoke-all-agents', { nonce: 1, signature: 9 }],
  ]
  for (const [method, path, body] of cases) {
    const answer = await venue.send(method, path, body)
    const shown = `${method} ${path} ${JSON.stringify(body)}: ${answer.text}`
    assert.equal(answer.status, 400, shown)
    assert.match(answer.body.code, /^(invalid_parameter|invalid_wallet|missing_field)$/, shown)
  }
})

test('the venue rejects a huge nonce sent as a number, since JSON rounds it', async () => {
  const text = JSON.stringify(await placeBody(by, { symbol, price: '1', size: '0.1' }))
  for (const nonce of [
    '9007199254740992',
    '1e30',
    '1e400',
    '123456789012345678901234567890',
    '-0.5',
  ]) {
    const answer = await venue.send(
      'POST',
      '/order',
      text.replace(/"nonce":\d+/, `"nonce":${nonce}`),
    )
    assertError(answer, 400, 'invalid_parameter')
  }
  const longText = text.replace(/"nonce":\d+/, `"nonce":"${'9'.repeat(10_000)}"`)
  assertError(await venue.send('POST', '/order', longText), 400, 'invalid_parameter')
})

test('unprintable client ids are invalid_field; printable ones come back as sent', async () => {
  for (const escaped of ['\\u0000', '\\ud800', '\\udc00\\ud800', 'é', '😀', '\\u001f', '\\u200b']) {
    const text = JSON.stringify(
      await placeBody(by, { symbol, price: '1', size: '0.1', client_id: 'X' }),
    )
    const answer = await venue.send('POST', '/order', text.replace('"X"', `"${escaped}"`))
    assertError(answer, 400, 'invalid_field')
  }
  for (const client_id of [
    '"quoted\\back',
    '<b>&amp;',
    "' OR 1=1 --",
    '{"a":1}',
    '~'.repeat(64),
    ' ',
  ]) {
    const body = await placeBody(by, { symbol, price: '1', size: '0.1', client_id })
    const answer = await venue.send('POST', '/order', body)
    assert.equal(answer.body?.status, 'ACKED', answer.text)
    assert.equal(answer.body.info.client_id, client_id)
    const query = new URLSearchParams({ wallet: by.wallet, order_id: client_id })
    const status = await venue.get(`/orders/status?${query}`)
    assert.equal(status.body.data?.client_id, client_id, status.text)
    await venue.send('DELETE', '/order', await cancelBody(by, { client_id }))
  }
})

test('NUL and control bytes in queries and paths are client errors', async () => {
  for (const path of [
    '/orders?wallet=%00',
    `/orders?wallet=${by.wallet}%00`,
    `/orders?wallet=${by.wallet}&limit=1%00`,
    '/orders?wallet=%ff%fe',
    '/orders?wallet=%',
    '/orders?wallet=%zz',
    `/trades/%00`,
    '/trades/1%2f2',
    '/instruments%00',
    '/..%2f..%2fetc/passwd',
  ]) {
    const answer = await venue.get(path)
    assert.ok(
      answer.status >= 400 && answer.status < 500,
      `${path}: ${answer.status} ${answer.text}`,
    )
    assert.equal(typeof answer.body.code, 'string')
  }
})

test('unknown paths return 404 for GET and HEAD, and unsupported_endpoint for writes', async () => {
  for (const path of ['/nothing', '/order/1', '/orders/', '/Order', '/v2/orders']) {
    assertError(await venue.get(path), 404, 'not_found')
  }
  for (const method of ['POST', 'PUT', 'DELETE']) {
    assertError(await venue.send(method, '/nothing', {}), 400, 'unsupported_endpoint')
  }
  const head = await venue.send('HEAD', '/nothing')
  assert.equal(head.status, 404)
  assert.equal(head.text, '')
})

test('removed endpoints return 404 for every method', async () => {
  for (const path of ['/candles', '/profile/image', '/limit_iv', '/profile/username-request']) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']) {
      const body = method === 'GET' ? undefined : {}
      assertError(await venue.send(method, path, body), 404, 'not_found')
    }
    assert.equal((await venue.send('HEAD', path)).status, 404)
  }
  assertError(await venue.get('/candles?symbol=BTC'), 404, 'not_found')
})

test('another method on a known path returns 405 with Allow', async () => {
  const cases: [string, string, RegExp][] = [
    ['GET', '/order', /POST/],
    ['PATCH', '/order', /POST.*PUT.*DELETE|DELETE.*POST.*PUT|POST.*DELETE.*PUT/],
    ['POST', '/instruments', /GET/],
    ['DELETE', '/markets', /GET/],
    ['PUT', '/health', /GET/],
    ['GET', '/approve-agent', /POST/],
    ['POST', '/revoke-agent', /DELETE/],
    ['POST', '/trades/1', /GET/],
    ['GET', '/order_cloid', /DELETE/],
  ]
  for (const [method, path, allow] of cases) {
    const answer = await venue.send(method, path, method === 'GET' ? undefined : {})
    assertError(answer, 405, 'method_not_allowed')
    assert.match(answer.headers.get('allow') ?? '', allow, `${method} ${path}`)
  }
})

test('a duplicate query parameter is invalid_parameter', async () => {
  for (const path of [
    `/orders?wallet=${by.wallet}&wallet=${by.wallet}`,
    `/orders?wallet=${by.wallet}&limit=1&limit=2`,
    '/instruments?currency=BTC&currency=ETH',
    '/markets?include_instruments=true&include_instruments=true',
    '/trades?limit=1&%6cimit=1',
  ]) {
    assertError(await venue.get(path), 400, 'invalid_parameter')
  }
})

test('the venue answers CORS preflights and exposes the rate-limit headers', async () => {
  const preflight = await venue.send('OPTIONS', '/order', undefined, {
    Origin: 'https://example.org',
    'Access-Control-Request-Method': 'DELETE',
    'Access-Control-Request-Headers': 'content-type,x-request-id',
  })
  assert.ok([200, 204].includes(preflight.status))
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
  assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /DELETE/)
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /\*|content-type/i)
  const answer = await venue.get('/health', { Origin: 'https://example.org' })
  assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  const exposed = answer.headers.get('access-control-expose-headers') ?? ''
  for (const header of ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']) {
    assert.match(exposed, new RegExp(header, 'i'))
  }
})

test('the venue echoes a request id that is printable and short, and ignores any other', async () => {
  const echo = async (id: string) =>
    (await venue.get('/health', { 'X-Request-Id': id })).headers.get('x-request-id')
  assert.equal(await echo('a'.repeat(64)), 'a'.repeat(64))
  assert.equal(await echo('a'.repeat(65)), null)
  assert.equal(await echo('<script>"'), '<script>"')
})

test('the venue answers pipelined requests in order, or not at all', async () => {
  const one = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'
  const two = 'GET /version HTTP/1.1\r\nHost: x\r\n\r\n'
  const isWhole = (text: string) => text.includes('"signing_chain_id"')
  const text = await venue.raw(one + two, { isWhole, quietMillis: answerMillisMax })
  assert.equal(text.match(/HTTP\/1\.1 200/g)?.length, 2, text)
  const at = ['"status":"ok"', '"signing_chain_id"'].map((part) => text.indexOf(part))
  assert.ok(at[0]! >= 0 && at[0]! < at[1]!, text)
})

test('a client can retry cut-off pipelined orders: each exists once', async () => {
  const bodies = await Promise.all(
    Array.from({ length: 5 }, () => placeBody(by, { symbol, price: '1', size: '0.1' })),
  )
  const bytes = bodies.map((body) => {
    const text = JSON.stringify(body)
    return `POST /order HTTP/1.1\r\nHost: x\r\nContent-Length: ${text.length}\r\n\r\n${text}`
  })
  const before = (await venue.get(`/orders?wallet=${by.wallet}&status=open`)).body.data.length
  const answered = [...(await venue.raw(bytes.join(''))).matchAll(/"nonce":(\d+)/g)]
  assert.deepEqual(
    answered.map((match) => Number(match[1])),
    bodies.slice(0, answered.length).map((body) => body['nonce']),
  )
  for (const body of bodies) {
    assert.equal((await venue.send('POST', '/order', body)).body?.status, 'ACKED')
  }
  const listed = await venue.get(`/orders?wallet=${by.wallet}&status=open`)
  assert.equal(listed.body.data.length, before + 5)
})

test('the venue reads a body that arrives in small pieces', async () => {
  const text = JSON.stringify(await placeBody(by, { symbol, price: '1', size: '0.1' }))
  const socket = connect(venue.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.setNoDelay(true)
  const head = `POST /order HTTP/1.1\r\nHost: x\r\nContent-Length: ${text.length}\r\n\r\n`
  for (const part of (head + text).match(/.{1,40}/gs)!) {
    socket.write(part)
    await sleep(5)
  }
  const [data] = await once(socket, 'data')
  socket.destroy()
  assert.match(data.toString(), /"status":"ACKED"/)
})

test('aborted requests and half-sent bodies do no harm', async () => {
  const text = JSON.stringify(await placeBody(by, { symbol, price: '1', size: '0.1' }))
  const head = `POST /order HTTP/1.1\r\nHost: x\r\nContent-Length: ${text.length}\r\n\r\n`
  for (const cut of [10, head.length, head.length + 20, head.length + text.length]) {
    for (let count = 0; count < 10; count++) {
      const socket = connect(venue.port, '127.0.0.1')
      await once(socket, 'connect')
      socket.on('error', () => {})
      socket.write((head + text).slice(0, cut))
      socket.resetAndDestroy()
    }
  }
  const reads = Array.from({ length: 20 }, async () => {
    const socket = connect(venue.port, '127.0.0.1')
    await once(socket, 'connect')
    socket.on('error', () => {})
    socket.write(`GET /orders?wallet=${by.wallet} HTTP/1.1\r\nHost: x\r\n\r\n`)
    socket.destroy()
  })
  await Promise.all(reads)
  await assertAlive()
})

test('bytes that are not HTTP end only their connection', async () => {
  for (const bytes of [
    '\u0000\u0001\u0002\r\n\r\n',
    'GET\r\n\r\n',
    'GET /health HTTP/9.9\r\n\r\n',
    `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    `GET /health HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`,
    'POST /order HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n{}',
    'POST /order HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n{}',
    'POST /order HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
    'POST /order HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n',
  ]) {
    const text = await venue.raw(bytes, { quietMillis: 150 })
    if (text !== '') assert.match(text, /^HTTP\/1\.1 (4\d\d|5\d\d) /, bytes.slice(0, 60))
  }
  await assertAlive()
})

test('a thousand hostile bodies, derived from a valid one, never cause a 5xx', async () => {
  const good = JSON.stringify(await placeBody(by, { symbol, price: '1', size: '0.1' }))
  const seed = Date.now() % 2 ** 31
  let state = seed
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state % below
  }
  const alphabet = '{}[]":,\\u0019efnultrs-+.\u0000é'
  for (let round = 0; round < 1000; round++) {
    let text = good
    for (let edit = 0; edit <= random(3); edit++) {
      const at = random(text.length)
      const insert = alphabet[random(alphabet.length)]!.repeat(random(3))
      text = text.slice(0, at) + insert + text.slice(at + random(4))
    }
    const answer = await venue.send('POST', '/order', text)
    assert.ok(answer.status < 500, `seed ${seed}, round ${round}: ${text}\n${answer.text}`)
    assert.ok(answer.body !== undefined, `seed ${seed}, round ${round}: no JSON`)
  }
  await assertAlive()
})
