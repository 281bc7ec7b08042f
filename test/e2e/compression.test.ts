import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { loadTransports } from '../../gateway/transport/transports.js'
import { listMarket } from './support/listed-market.js'
import { symbolOf } from './support/signed-body.js'
import { Venue } from './support/venue.js'

// These tests read the bytes on the wire. Node's `fetch`, which the other tests use, decodes them silently.

interface Received {
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

const decoders = { gzip: gunzipSync, br: brotliDecompressSync }

function received(url: string, headers: Record<string, string>, method = 'GET'): Promise<Received> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ body: Buffer.concat(chunks), headers: response.headers }))
    })
    sent.on('error', reject).end()
  })
}

/** Node's transport, and the native one if its library loads. */
const transports = new Set([(await loadTransports('auto')).kind, 'node' as const])

for (const transport of transports) {
  describe(`over the ${transport} transport`, () => {
    const venue = new Venue({ arguments: [`--transport=${transport}`] })

    before(async () => {
      await venue.start()
      await listMarket(venue, [symbolOf('BTC', 110_000)])
    })
    after(() => venue.dispose())

    const publicPaths = ['/openapi.json', '/asyncapi.json', '/docs/swagger-ui.css', '/', '/ready']
    const operatorPaths = ['/openapi.json', '/docs/swagger-ui-bundle.js', '/metrics']
    const urls = () => [
      ...publicPaths.map((path) => `${venue.url}${path}`),
      ...operatorPaths.map((path) => `${venue.operatorUrl}${path}`),
    ]

    test('pages, documents and reads are smaller for clients that decode them', async () => {
      for (const url of urls()) {
        const plain = await received(url, {})
        assert.equal(plain.headers['content-encoding'], undefined)
        for (const [coding, decoded] of Object.entries(decoders)) {
          const { body, headers } = await received(url, { 'Accept-Encoding': coding })
          if (plain.body.length <= 1024) continue
          assert.equal(headers['content-encoding'], coding, url)
          assert.match(String(headers['vary']), /Accept-Encoding/)
          assert.equal(headers['content-length'], String(body.length))
          assert.ok(body.length < plain.body.length / 1.5, `${url}: ${body.length}`)
          assert.equal(headers['content-type'], plain.headers['content-type'])
          // Other answers change: the index counts milliseconds since ready.
          if (!/metrics|ready|\/$/.test(url)) assert.deepEqual(decoded(body), plain.body)
        }
      }
    })

    test('HEAD reports the length of the compressed body and keeps the connection open', async () => {
      const url = `${venue.url}/openapi.json`
      const got = await received(url, { 'Accept-Encoding': 'br' })
      const head = await received(url, { 'Accept-Encoding': 'br' }, 'HEAD')
      assert.equal(head.body.length, 0)
      assert.equal(head.headers['content-encoding'], 'br')
      assert.equal(head.headers['content-length'], got.headers['content-length'])
    })

    test('answers to commands are not compressed', async () => {
      const wallet = `0x${'12'.repeat(20)}`
      const orders = Array.from({ length: 20 }, () => ({ wallet, symbol: 'x'.repeat(200) }))
      const answer = await fetch(`${venue.url}/bulk_order`, {
        method: 'POST',
        body: JSON.stringify({ orders }),
      })
      assert.ok((await answer.text()).length > 0)
      assert.equal(answer.headers.get('content-encoding'), null)
    })
  })
}
