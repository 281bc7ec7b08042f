import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { answerIndex, indexPage, prefersHtml } from '../../../gateway/http/index-page.js'
import type { Operations } from '../../../gateway/http/router.js'
import { venueIndex } from '../../../gateway/http/venue-index.js'
import { httpCall } from '../../support/http-call.js'
import { hubRig } from '../../support/hub-rig.js'
import { quietStatus } from '../../support/quiet-status.js'

const { context } = hubRig()
const noPaths: ReadonlyMap<string, Operations> = new Map()
const index = venueIndex(context, noPaths, quietStatus)
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'

/** Answers the index to this `Accept`. */
function answerTo(accept: string) {
  let answer = { text: '', type: '', headers: new Map<string, string>() }
  const call = httpCall('GET', '/', null, ({ text, headers: list }) => {
    const headers = new Map(list)
    answer = { text, type: headers.get('Content-Type') ?? '', headers }
  })
  answerIndex({ ...call, accept }, index)
  return answer
}

test('a client without a preference gets JSON, and one that prefers HTML gets a page', () => {
  const json = ['', '*/*', 'application/json', 'text/html;q=0', 'text/html;q=0.5, */*', 'text/*']
  const html = [browser, 'text/html', 'TEXT/HTML', 'text/*;q=0.5, application/json;q=0.4']
  assert.deepEqual(json.map(prefersHtml), [false, false, false, false, false, true])
  assert.deepEqual(html.map(prefersHtml), [true, true, true, true])
  assert.deepEqual(JSON.parse(answerTo('*/*').text), index)
  assert.equal(answerTo('*/*').type, 'application/json')
  assert.equal(answerTo(browser).type, 'text/html; charset=utf-8')
  assert.equal(answerTo('*/*').headers.get('Vary'), 'Accept')
})

test('the page loads nothing: its policy allows only its own style, by its hash', () => {
  const { text, headers } = answerTo(browser)
  const style = /<style>(.*)<\/style>/s.exec(text)![1]
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = headers.get('Content-Security-Policy')!
  assert.match(policy, /^default-src 'none'; /)
  assert.ok(policy.includes(`style-src 'sha256-${hash}'`))
  assert.equal(headers.get('X-Content-Type-Options'), 'nosniff')
  const rest = text.replace('<link rel="icon" href="data:,">', '') // empty, so that none is asked for
  assert.doesNotMatch(rest, /<script|<img|<link|<iframe|https?:|url\(|style="/)
})

test('texts of the operator are on the page as text', () => {
  const name = `<script>alert("1")</script>&'`
  const page = indexPage({ ...index, name })
  assert.doesNotMatch(page, /<script/)
  assert.ok(page.includes('<h1>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;</h1>'))
})

test('documents and the faucet are linked where they are served', () => {
  assert.deepEqual(index.documents, [])
  assert.equal(index.funds.from, 'operator')
  const served = new Map<string, Operations>([
    ['/docs', {}],
    ['/docs/', {}],
    ['/docs/guides/', {}],
    ['/openapi.json', {}],
    ['/faucet', {}],
  ])
  const more = venueIndex(context, served, quietStatus)
  assert.deepEqual(more.documents, ['/docs', '/docs/streams', '/docs/guides', '/openapi.json'])
  assert.equal(more.funds.from, 'faucet')
  assert.match(indexPage(more), /<a href="\/openapi\.json">/)
})

test('the page and the JSON show the same status', () => {
  const since_ms = Date.UTC(2030, 0, 2, 3, 4, 5)
  const rows = [
    { scope: 'market', mode: 'halted', reason: 'clock', since_ms },
    { scope: 'wallets', wallets: 2, mode: 'cancel_only', reason: 'invariant', since_ms },
    { scope: 'underlying', underlying: '<b>', mode: 'cancel_only', reason: 'operator', since_ms },
  ] as const
  const status = {
    role: 'single',
    uptime_ms: ((3 * 24 + 4) * 60 + 5) * 60_000,
    halts: { count: 483, rows },
    acknowledgements: { window_ms: 64_900, count: 9, p50_ms: 0.6, p99_ms: 1.8, p999_ms: 7 },
  } as const
  const shown = venueIndex(context, noPaths, status, ['old index'])
  const { acknowledgements, halts, role, uptime_ms } = shown
  assert.deepEqual({ acknowledgements, halts, role, uptime_ms }, status)
  const page = indexPage(shown)
  const since = 'since 2030-01-02T03:04:05.000Z'
  for (const line of [
    'degraded, up 3 d 4 h, role single',
    'old index',
    '9 acknowledgements in the last 1 min 4 s: 50 % within 0.6 ms, 99 % within 1.8 ms, 99.9 % within 7 ms',
    `<strong>The market: halted</strong> ${since}, cause: clock`,
    `<strong>Stopped wallets (2): cancel only</strong> ${since}, cause: invariant`,
    `<strong>&lt;b&gt;: cancel only</strong> ${since}, cause: operator`,
    '480 more halts',
  ]) {
    assert.ok(page.includes(`<li>${line}</li>`), `${line}: ${page}`)
  }
  for (const line of ['ok, up 0 s, role single', 'No acknowledgements in the last 0 s', 'No halts'])
    assert.ok(indexPage(index).includes(`<li>${line}</li>`), line)
})
