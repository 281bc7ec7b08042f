import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedVenue } from './support/shared-venue.js'

const venue = sharedVenue()
const asBrowser = { Accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' }

test('GET / describes the venue, and every path that it names works', async () => {
  const index = await venue.read('/')
  const info = await venue.read('/exchange-info')
  assert.equal(index.name, info.signing_domain.name)
  assert.equal(index.preset, 'development')
  assert.deepEqual(index.signing.domain, {
    ...info.signing_domain,
    chainId: info.chain_id,
    verifyingContract: info.exchange_address,
  })
  for (const path of [...index.documents, ...index.health]) {
    assert.equal((await venue.get(path)).status, 200, path)
  }
  for (const asked of index.market) {
    const { status, body } = await venue.get(asked.replace(/\{\w+\}/, '1'))
    if (asked.includes('{')) assert.notEqual(body.code, 'not_found', asked)
    else assert.equal(status, 200, asked)
  }
})

test('GET / fits one screen, and leaves the endpoint list to the document', async () => {
  const { text } = await venue.get('/')
  assert.ok(text.split('\n').length < 70, text)
  const { paths } = await venue.read('/openapi.json')
  assert.ok(Object.keys(paths).includes('/orders'))
  assert.doesNotMatch(text, /"\/orders"/)
})

test('a browser gets a self-contained page, and HEAD its headers only', async () => {
  const page = await venue.get('/', asBrowser)
  assert.equal(page.status, 200)
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(page.headers.get('x-content-type-options'), 'nosniff')
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  const links = [...page.text.matchAll(/href="(\/[^"]*)"/g)].map(([, path]) => path!)
  assert.ok(links.includes('/markets') && links.includes('/health'))
  for (const path of links) assert.equal((await venue.get(path)).status, 200, path)
  const head = await venue.send('HEAD', '/', undefined, asBrowser)
  assert.deepEqual([head.status, head.text], [200, ''])
  assert.equal(head.headers.get('content-type'), page.headers.get('content-type'))
  const other = await venue.send('POST', '/', {})
  assert.deepEqual([other.status, other.headers.get('allow')], [405, 'GET, HEAD, OPTIONS'])
})

test('the index accepts no parameters', async () => {
  const answer = await venue.get('/?colour=red')
  assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_field'])
})
