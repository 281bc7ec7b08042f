import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { renderGuide, writeGuides } from '../../scripts/render-guides.js'

const fileOf = (name: string) => `${name}.md`
const path = fileOf('gateway/documents/guides/orders')
const programs = '../../../scripts/examples/guides'

function render(sections: string, program = (file: string) => `text of ${file}\n`) {
  return renderGuide(`# Orders & more\n\nPurpose.\n\n${sections}`, path, program)
}

test('a guide is a title, a purpose, its contents and its sections', () => {
  const guide = render('## First\n\nOne.\n\n## `Second` part\n\nTwo.\n')
  assert.equal(guide.title, 'Orders &amp; more')
  assert.equal(guide.purpose, '<p>Purpose.</p>\n')
  assert.match(guide.contents, /<a href="#first">First<\/a>.*<a href="#second-part"><code>Second/)
  assert.match(guide.body, /^<h2 id="first">First<\/h2>\n<p>One.<\/p>\n<h2 id="second-part">/)
})

test('a text without title or purpose is an error', () => {
  for (const text of ['## Section\n\nText.\n', '# Title\n\n## Section\n']) {
    assert.throws(() => renderGuide(text, path, String), /orders\.md has to begin with a title/)
  }
})

test('an operation or a message in code becomes a link, other code does not', () => {
  const { body } = render('`POST /order`, `GET /rfq/{id}`, `PlaceOrder`, `rfq_request`, `error`\n')
  assert.match(body, /<a href="\/docs#\/Orders\/postOrder"><code>POST \/order<\/code><\/a>/)
  assert.match(body, /<a href="\/docs#\/RFQ\/getRfqOne"><code>GET \/rfq\/\{id\}<\/code><\/a>/)
  assert.match(body, /<a href="\/docs\/streams#PlaceOrder"><code>PlaceOrder<\/code><\/a>/)
  assert.match(body, /<a href="\/docs\/streams#rfq_request"><code>rfq_request<\/code><\/a>/)
  assert.match(body, /, <code>error<\/code>/)
})

test('an operation of the operator has no link, and an unknown one is an error', () => {
  assert.doesNotMatch(render('`POST /operator/deposits`\n').body, /<a /)
  assert.throws(() => render('`POST /none`\n'), /orders\.md names POST \/none/)
})

test('links lead to guides and to paths of the venue, and nowhere else', () => {
  const { body } = render(
    `[a](${fileOf('quick-start')}#sign) [b](venue:/docs/streams) [c](#first)\n`,
  )
  assert.match(
    body,
    /href="\/docs\/guides\/quick-start#sign".*href="\/docs\/streams".*href="#first"/,
  )
  for (const target of [fileOf('none'), '/docs', fileOf('../README')]) {
    assert.throws(() => render(`[a](${target})\n`), /orders\.md links to/)
  }
})

test('a paragraph of links to programs becomes the programs, of which the first is open', () => {
  const { body } = render(`[TypeScript](${programs}/orders.ts)\n[curl](${programs}/orders.sh)\n`)
  assert.match(
    body,
    /^<details open><summary>TypeScript<\/summary><pre><code>text of scripts\/examples\/guides\/orders\.ts<\/code>/,
  )
  assert.match(body, /<details><summary>curl<\/summary><pre><code>text of .*orders\.sh<\/code>/)
})

test('markup and braces of a program are text', () => {
  const { body } = render(`[a](${programs}/orders.py)\n`, () => 'print(f"<b>{{limits.none}}")\n')
  assert.match(body, /print\(f&quot;&lt;b&gt;&#123;&#123;limits\.none}}&quot;\)<\/code>/)
})

test('HTML in a guide is an error', () => {
  assert.throws(() => render('<b>a</b>\n'), /orders\.md has HTML/)
})

test('a missing guide or program is an error that names it', async () => {
  const root = mkdtempSync(join(tmpdir(), 'guides-'))
  try {
    await assert.rejects(writeGuides(root), /guides\/quick-start\.md does not exist/)
    const folder = join(root, 'gateway/documents/guides')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, fileOf('quick-start')), `# A\n\nB.\n\n[a](${programs}/a.py)\n`)
    await assert.rejects(
      writeGuides(root),
      /quick-start\.md includes .*a\.py, which does not exist/,
    )
  } finally {
    rmSync(root, { recursive: true })
  }
})
