import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appPages } from '../../../gateway/documents/app-pages.js'
import { startPart } from '../../../gateway/documents/reference-pages.js'

const built = new Map(
  ['pages.js', 'pages.css'].map((name) => [
    name,
    async () => ({ ...startPart, body: Buffer.from(name) }),
  ]),
)

test('the page loads the built files, and has no inline script', async () => {
  const { status, page } = await appPages('pages', built).frame()
  assert.equal(status, 200)
  const named = [...String(page.body).matchAll(/(?:src|href)="(\/app\/[^"]+)"/g)]
  assert.deepEqual(named.map(([, path]) => path).sort(), ['/app/pages.css', '/app/pages.js'])
  assert.doesNotMatch(String(page.body), /<script[^>]*>[^<]|\son\w+=|style=/)
})

test('its policy allows only the venue, forbids frames, and keeps text from becoming markup', async () => {
  const { policy } = (await appPages('pages', built).frame()).page
  assert.match(policy, /^default-src 'none'; script-src 'self'; /)
  for (const rule of ["frame-ancestors 'none'", "require-trusted-types-for 'script'"]) {
    assert.ok(policy.includes(rule), rule)
  }
  assert.doesNotMatch(policy, /unsafe|http|\*/)
})

test('each port has its own page with its own parts', async () => {
  const { names, frame } = appPages('operator')
  assert.deepEqual(names, ['operator.js', 'operator.css'])
  const { page } = await frame()
  const own = await appPages('pages', built).frame()
  assert.equal(page.policy, own.page.policy)
  assert.match(String(page.body), /\/app\/operator\.js/)
  assert.doesNotMatch(String(own.page.body), /operator/)
})

test('without built pages, a page without scripts says so', async () => {
  const lacking = new Map([['pages.js', () => Promise.reject(new Error('not there'))]])
  const { status, page } = await appPages('pages', lacking).frame()
  assert.equal(status, 404)
  assert.match(String(page.body), /No pages/)
  assert.doesNotMatch(String(page.body), /<script/)
  assert.doesNotMatch(page.policy, /script-src/)
})

test('no other file is a part of it', () => {
  for (const name of ['', '../gateway.js', 'pages.tsx', 'constructor']) {
    assert.equal(appPages('pages', built).part(name), undefined, name)
  }
})
