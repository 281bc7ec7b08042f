import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { guideNames, guidesPath } from '../../../gateway/documents/guide-pages.js'
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

const guidePaths = [guidesPath, ...guideNames.map((name) => `${guidesPath}/${name}`)]

/** Returns the paths that a page links to and loads, except for its empty inline icon. */
function namedIn({ text }: CallAnswer): readonly string[] {
  const paths = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!)
  return paths.filter((path) => path !== 'data:,')
}

test('both documents are JSON with their versions', async () => {
  for (const [path, name] of [
    ['/openapi.json', 'openapi'],
    ['/asyncapi.json', 'asyncapi'],
  ] as const) {
    const answer = await get(path)
    assert.equal(answer.status, 200)
    assert.match(JSON.parse(answer.text)[name], /^3\./)
  }
})

test('the page and all of its files come from the venue', async () => {
  const page = await get('/docs')
  assert.match(headerOf(page, 'Content-Type'), /^text\/html/)
  const names = namedIn(page)
  assert.ok(names.length >= 6)
  for (const name of names) assert.equal((await get(name)).status, 200, name)
})

test('no page runs an inline script, or one from elsewhere', async () => {
  for (const path of ['/docs', '/docs/streams', ...guidePaths]) {
    const page = await get(path)
    const policy = headerOf(page, 'Content-Security-Policy')
    assert.match(policy, /^default-src 'none'/)
    assert.doesNotMatch(policy, /unsafe|http/)
    assert.doesNotMatch(page.text, /<script>|\son\w+=/)
    assert.deepEqual(
      namedIn(page).filter((name) => !/^[/#]/.test(name)),
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

test('a path that is not part of the page is not found', async () => {
  for (const path of ['/docs/', '/docs/swagger-ui.js', '/docs/..%2fpackage.json']) {
    assert.equal((await get(path)).status, 404)
  }
})

test('every guide is served like the page of the streams', async () => {
  const names = ({ headers }: CallAnswer) => headers.map(([name]) => name)
  const sibling = await get('/docs/streams')
  for (const path of guidePaths) {
    const page = await get(path)
    assert.equal(page.status, 200, path)
    assert.deepEqual(names(page), names(sibling))
    for (const name of ['Content-Type', 'X-Content-Type-Options', 'Referrer-Policy']) {
      assert.equal(headerOf(page, name), headerOf(sibling, name))
    }
    const [style] = /(?<=<style>).*(?=<\/style>)/s.exec(page.text)!
    const hash = createHash('sha256').update(style).digest('base64')
    assert.ok(headerOf(page, 'Content-Security-Policy').includes(`style-src 'sha256-${hash}'`))
  }
})

test('every link of a guide leads to a place that exists', async () => {
  const { paths } = JSON.parse((await get('/openapi.json')).text)
  const operations = new Set(
    Object.values<Record<string, { tags: string[]; operationId: string }>>(paths)
      .flatMap((methods) => Object.values(methods))
      .map(({ tags, operationId }) => `/${tags[0]}/${operationId}`),
  )
  for (const path of guidePaths) {
    for (const link of namedIn(await get(path))) {
      const [target, anchor] = link.startsWith('#') ? [path, link.slice(1)] : link.split('#')
      const page = await get(target!)
      assert.equal(page.status, 200, `${path}: ${link}`)
      if (anchor === undefined) continue
      const isThere =
        target === '/docs' ? operations.has(anchor) : page.text.includes(`id="${anchor}"`)
      assert.ok(isThere, `${path}: ${link}`)
    }
  }
})

test('a page links to the guides', async () => {
  for (const path of ['/docs', '/docs/streams']) {
    assert.ok(namedIn(await get(path)).includes(guidesPath))
  }
  assert.deepEqual(
    namedIn(await get(guidesPath)).filter((name) => name.startsWith(`${guidesPath}/`)),
    guidePaths.slice(1),
  )
})
