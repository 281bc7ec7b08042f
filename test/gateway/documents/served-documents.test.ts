import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentHandlers } from '../../../gateway/documents/served-documents.js'
import { Router } from '../../../gateway/http/router.js'
import { Compressor } from '../../../gateway/transport/compressor.js'
import { type CallAnswer, httpCall } from '../../support/http-call.js'
import { hubRig } from '../../support/hub-rig.js'

const handlers = documentHandlers(hubRig().context, new Compressor())
const router = new Router(
  new Map([...handlers].map(([path, handler]) => [path, { GET: handler }] as const)),
)

function get(path: string): Promise<CallAnswer> {
  return new Promise((resolve) => router.route(httpCall('GET', path, null, resolve)))
}

function headerOf({ headers }: CallAnswer, name: string): string {
  return headers.find(([other]) => other === name)?.[1] ?? ''
}

/** What a page links to and loads, but for an icon that it has within, empty. */
function namedIn({ text }: CallAnswer): readonly string[] {
  const paths = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!)
  return paths.filter((path) => path !== 'data:,')
}

test('both documents are JSON that says what it is', async () => {
  for (const [path, name] of [
    ['/openapi.json', 'openapi'],
    ['/asyncapi.json', 'asyncapi'],
  ] as const) {
    const answer = await get(path)
    assert.equal(answer.status, 200)
    assert.match(JSON.parse(answer.text)[name], /^3\./)
  }
})

test('the page and all that it names come from the venue', async () => {
  const page = await get('/docs')
  assert.match(headerOf(page, 'Content-Type'), /^text\/html/)
  const names = namedIn(page)
  assert.ok(names.length >= 6)
  for (const name of names) assert.equal((await get(name)).status, 200, name)
})

test('no page runs a script of its own text, or one from elsewhere', async () => {
  for (const path of ['/docs', '/docs/streams']) {
    const page = await get(path)
    const policy = headerOf(page, 'Content-Security-Policy')
    assert.match(policy, /^default-src 'none'/)
    assert.doesNotMatch(policy, /unsafe|http/)
    assert.doesNotMatch(page.text, /<script>|\son\w+=/)
    assert.deepEqual(
      namedIn(page).filter((name) => !name.startsWith('/')),
      [],
    )
  }
})

test('the page of the streams shows every message', async () => {
  const document = JSON.parse((await get('/asyncapi.json')).text)
  const page = await get('/docs/streams')
  for (const name of Object.keys(document.components.messages)) {
    assert.ok(page.text.includes(`<details id="${name}">`), name)
  }
})

test('the page of the streams shows rules as a list and code as code, not as marks', async () => {
  const { text } = await get('/docs/streams')
  const [words] = text.split('<h2>Channels</h2>')
  assert.match(words!, /<li>A frame is one JSON object as text, and <code>type<\/code>/)
  assert.doesNotMatch(words!.replaceAll(/<details.*?<\/details>/gs, ''), /`|<p>- /)
})

test('what is no part of the page is not found', async () => {
  for (const path of ['/docs/', '/docs/swagger-ui.js', '/docs/..%2fpackage.json']) {
    assert.equal((await get(path)).status, 404)
  }
})
