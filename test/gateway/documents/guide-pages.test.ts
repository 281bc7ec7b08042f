import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  filled,
  guideNames,
  guideParts,
  type RenderedGuides,
} from '../../../gateway/documents/guide-pages.js'
import { bulkItemsMax } from '../../../schemas/bounds.js'
import { hubRig } from '../../support/hub-rig.js'

const { config } = hubRig().context
const guides = Object.fromEntries(
  guideNames.map((name) => [
    name,
    { title: name, purpose: '<p>Why</p>', contents: '', body: '<p>{{limits.bulk_items}}</p>' },
  ]),
) as RenderedGuides

test('a placeholder becomes a bound, a value of the configuration or a limit', () => {
  assert.equal(filled('at most {{bounds.bulkItemsMax}}', config), `at most ${bulkItemsMax}`)
  assert.equal(filled('{{limits.bulk_items}} items', config), `${bulkItemsMax} items`)
  assert.equal(filled('{{config.quotes.ttlMillis}} ms', config), `${config.quotes.ttlMillis} ms`)
})

test('a placeholder without a value is an error that names it', () => {
  for (const path of ['bounds.none', 'none', 'config.quotes']) {
    assert.throws(() => filled(`{{${path}}}`, config), { message: new RegExp(`{{${path}}}`) })
  }
})

test('a guide has the values of the venue, and a link to the next one except at the end', async () => {
  const parts = guideParts(config, async () => guides)
  const textOf = async (name: string) => Buffer.from((await parts.get(name)!()).body).toString()
  for (const [index, name] of guideNames.entries()) {
    const text = await textOf(name)
    assert.match(text, new RegExp(`<p>${bulkItemsMax}</p>`))
    const next = /Next: <a href="\/docs\/guides\/([\w-]+)">/.exec(text)?.[1]
    assert.equal(next, guideNames[index + 1])
    assert.equal(await parts.get(name)!(), await parts.get(name)!())
  }
})

test('the guides are read once, at the first request', async () => {
  let reads = 0
  const parts = guideParts(config, async () => {
    reads++
    return guides
  })
  assert.equal(reads, 0)
  for (const part of parts.values()) await part()
  assert.equal(reads, 1)
})
