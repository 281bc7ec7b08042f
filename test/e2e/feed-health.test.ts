import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startVenue } from '../../gateway/testing.js'
import type { Wire } from './support/venue.js'

const venue = await startVenue({ config: { 'pricing.indexMaxAgeMillis': 5000 } })
after(() => venue.stop())

async function operator(path: string, body: object): Promise<void> {
  const response = await fetch(`${venue.operatorUrl}/operator${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${venue.operatorToken}` },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  assert.equal(response.status, 200, text)
  // The read model publishes halts and feed times before it answers with this sequence.
  const { status } = await read(`${venue.url}/markets?min_seq=${(JSON.parse(text) as Wire).seq}`)
  assert.equal(status, 200)
}

async function read(url: string): Promise<{ status: number; body: Wire }> {
  const response = await fetch(url, { headers: { Accept: 'application/json' } })
  return { status: response.status, body: (await response.json()) as Wire }
}

const readyz = () => read(`${venue.operatorUrl}/readyz`)
const metricsLike = async (pattern: RegExp) =>
  (await (await fetch(`${venue.operatorUrl}/metrics`)).text())
    .split('\n')
    .filter((line) => pattern.test(line))

test('every health report shows a dead price feed, and the venue stays in service', async () => {
  await operator('/instruments', { symbol: 'BTC-PERP' })
  assert.deepEqual((await readyz()).body.degraded, [
    'BTC has no index price; pricing.indexMaxAgeMillis allows 5 s',
  ])
  await operator('/index-prices', { prices: [{ underlying: 'BTC', price: '100000' }] })
  await venue.advance('4s')
  assert.deepEqual(await readyz(), { status: 200, body: { status: 'ready', failing: [] } })
  assert.equal((await read(venue.url)).body.status, 'ok')
  await venue.advance('5s')
  const degraded = ['the index of BTC is 9 s old; pricing.indexMaxAgeMillis allows 5 s']
  const health = { status: 'degraded', degraded }
  assert.deepEqual(await readyz(), { status: 200, body: { ...health, failing: [] } })
  const index = await read(venue.url)
  assert.deepEqual([index.body.status, index.body.degraded], ['degraded', degraded])
  const ready = await read(`${venue.url}/ready`)
  assert.deepEqual([ready.body.status, ready.body.degraded], ['ready', degraded])
  assert.deepEqual(await metricsLike(/^strikebook_(index_age|degraded)/), [
    'strikebook_degraded{part="history"} 0',
    'strikebook_degraded{part="index"} 1',
    'strikebook_degraded{part="surface"} 0',
    'strikebook_index_age_seconds{underlying="BTC"} 9',
  ])
  await operator('/index-prices', { prices: [{ underlying: 'BTC', price: '100000' }] })
  assert.equal((await readyz()).body.status, 'ready')
})
