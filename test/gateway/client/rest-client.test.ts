import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import {
  ApiError,
  ConnectionError,
  errorOfAnswer,
  expectAccepted,
  ProtocolError,
  RateLimitError,
} from '../../../gateway/client/client-error.js'
import { RestClient } from '../../../gateway/client/rest-client.js'
import { TradingReads } from '../../../gateway/client/trading-reads.js'

async function withServer(
  answer: RequestListener,
  run: (rest: RestClient) => Promise<void>,
  timeoutMillis = 60_000,
  rateLimit: 'tell' | 'wait' = 'tell',
): Promise<void> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    const url = `http://127.0.0.1:${port}/`
    await run(new RestClient({ url, token: 't', timeoutMillis, rateLimit }))
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test('a request carries method, query, body and token', async () => {
  const answer: RequestListener = (request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk
    })
    request.on('end', () => {
      const { method, url, headers } = request
      response.end(JSON.stringify({ method, url, body, authorization: headers.authorization }))
    })
  }
  await withServer(answer, async (rest) => {
    const query = { wallet: '0x1', absent: undefined, limit: 5 }
    const seen = await rest.request('DELETE', '/order', { query, body: { nonce: 1 } })
    assert.deepEqual(seen, {
      method: 'DELETE',
      url: '/order?wallet=0x1&limit=5',
      body: '{"nonce":1}',
      authorization: 'Bearer t',
    })
  })
})

test('an HTTP error is thrown with its stable code', async () => {
  const answer: RequestListener = (_, response) => {
    response.statusCode = 401
    response.end('{"code":"unauthorized","message":"no","error":"unauthorized"}')
  }
  await withServer(answer, async (rest) => {
    await assert.rejects(rest.request('GET', '/x'), (error: unknown) => {
      assert.ok(error instanceof ApiError)
      assert.deepEqual([error.status, error.code, error.message], [401, 'unauthorized', 'no'])
      return true
    })
  })
})

test('429 has the time until a retry', async () => {
  const answer: RequestListener = (_, response) => {
    response.statusCode = 429
    response.end('{"code":"rate_limit_exceeded","message":"m","retry_after_secs":9,"limit":60}')
  }
  await withServer(answer, async (rest) => {
    await assert.rejects(rest.request('POST', '/order', { body: {} }), (error: unknown) => {
      assert.ok(error instanceof RateLimitError)
      assert.deepEqual([error.retryAfterSeconds, error.limit], [9, 60])
      return true
    })
  })
})

test('an error without JSON still has its status', async () => {
  const answer: RequestListener = (_, response) => {
    response.statusCode = 502
    response.end('<html>bad gateway</html>')
  }
  await withServer(answer, async (rest) => {
    await assert.rejects(rest.request('GET', '/x'), { status: 502, code: 'unknown' })
  })
})

test('silence and a closed port are connection errors', async () => {
  await withServer(
    () => {},
    async (rest) => {
      await assert.rejects(rest.request('GET', '/x'), ConnectionError)
    },
    50,
  )
  const nobody = new RestClient({ url: 'http://127.0.0.1:1' })
  await assert.rejects(nobody.request('GET', '/x'), ConnectionError)
})

/** Refuses the first of each pair of requests; keeps what was sent. */
function everySecond(bodies: string[]): RequestListener {
  return (request, response) => {
    request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()))
    request.on('end', () => {
      const isFull = bodies.length % 2 === 1
      response.statusCode = isFull ? 429 : 200
      response.setHeader('X-RateLimit-Limit', '1')
      response.setHeader('X-RateLimit-Remaining', isFull ? '0' : '1')
      response.setHeader('X-RateLimit-Reset', String(Math.ceil(Date.now() / 1000) + 5))
      const refusal = { code: 'rate_limit_exceeded', retry_after_secs: 1, limit: 1 }
      response.end(JSON.stringify(isFull ? refusal : { ok: true }))
    })
  }
}

test("a rate-limited request throws, with the exchange's facts about the window", async () => {
  await withServer(everySecond([]), async (rest) => {
    assert.equal(rest.rateWindow('POST', '/order'), null)
    const sent = rest.request('POST', '/order', { body: { nonce: 1 } })
    await assert.rejects(sent, (error: unknown) => {
      assert.ok(error instanceof RateLimitError)
      assert.deepEqual([error.retryAfterSeconds, error.limit], [1, 1])
      return true
    })
    const window = rest.rateWindow('POST', '/order')!
    assert.deepEqual([window.limit, window.remaining], [1, 0])
    assert.ok(window.endMillis > Date.now() && window.endMillis < Date.now() + 7000)
    assert.equal(rest.rateWindow('DELETE', '/order'), null)
  })
})

test('or it waits, and sends the same request again', async () => {
  const bodies: string[] = []
  const run = async (rest: RestClient) => {
    const beginMillis = performance.now()
    const answer = await rest.request('POST', '/order', { body: { nonce: 1 } })
    assert.deepEqual(answer, { ok: true })
    assert.ok(performance.now() - beginMillis > 900)
    assert.deepEqual(bodies, ['{"nonce":1}', '{"nonce":1}'])
  }
  await withServer(everySecond(bodies), run, 60_000, 'wait')
})

test('a 200 that is not from the exchange is not an answer: the request may have been executed', async () => {
  for (const text of ['<html>maintenance</html>', 'null', '', '5', '"ok"']) {
    const answer: RequestListener = (_, response) => response.end(text)
    await withServer(answer, async (rest) => {
      await assert.rejects(rest.request('POST', '/order', { body: {} }), (error: unknown) => {
        return error instanceof ProtocolError && error instanceof ConnectionError
      })
    })
  }
})

test('only a referral code may be null', async () => {
  const answer: RequestListener = (_, response) => response.end('null')
  await withServer(answer, async (rest) => {
    assert.equal(await rest.request('GET', '/referrals/code'), null)
  })
})

test('a list without data and an update without a status are not answers', async () => {
  const answer: RequestListener = (_, response) => response.end('{"status":{}}')
  await withServer(answer, async (rest) => {
    await assert.rejects(new TradingReads(rest, '0x1').fills(), ProtocolError)
    const placed = await rest.request<never>('POST', '/order')
    assert.throws(() => expectAccepted(placed), ProtocolError)
  })
})

test('a wait is at most one window, whatever the answer says', () => {
  for (const [said, seconds] of [
    [1e12, 60],
    ['abc', 1],
    [-5, 1],
    [0, 1],
    [undefined, 1],
    [17, 17],
  ]) {
    const error = errorOfAnswer(429, { retry_after_secs: said })
    assert.ok(error instanceof RateLimitError)
    assert.equal(error.retryAfterSeconds, seconds, String(said))
  }
})

test('an answer that is too long is dropped, and one at the limit is read', async () => {
  const text = JSON.stringify({ text: 'é'.repeat(500) })
  const long: RequestListener = (_request, response) => response.end(text)
  const bytes = Buffer.byteLength(text)
  await withServer(long, async ({ url }) => {
    const exact = new RestClient({ url, answerBytesMax: bytes })
    assert.deepEqual(await exact.request('GET', '/'), JSON.parse(text))
    const tight = new RestClient({ url, answerBytesMax: bytes - 1 })
    await assert.rejects(tight.request('GET', '/'), (error) => {
      assert.ok(error instanceof ProtocolError)
      assert.equal(error.message, `an answer of more than ${bytes - 1} bytes`)
      return true
    })
  })
})
