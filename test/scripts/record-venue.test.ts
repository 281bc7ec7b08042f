import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { placeBody } from '../e2e/support/signed-body.js'
import { bareDocument } from '../recorded/bare-document.js'
import { call, funded, list } from '../recorded/market-session.js'
import { type Part, type Recorded, recordSession } from '../recorded/session.js'
import { longTest } from '../support/long-test.js'

/** Build that contains this file. */
const build = join(import.meta.dirname, '../..')
const command = join(build, 'scripts/record-venue.js')

/** Places an order that rests, and subscribes to its updates. */
const part: Part = async (venue) => {
  await list(venue, 'BTC', [call], '100000')
  const by = await funded(venue, 'maker')
  const peer = await venue.connect('orders', `/ws?wallet=${by.wallet}`)
  await peer.subscribe('order_updates')
  await venue.send('POST', '/order', await placeBody(by, { symbol: call }))
}

async function recorded(seed: number, of?: Part): Promise<Recorded> {
  const session = await recordSession(build, seed, of)
  assert.equal(session.fault, undefined)
  return session
}

test('a bare document keeps fields, bounds and codes, but no words', () => {
  const size = { type: 'string', maxLength: 64, description: 'Size in contracts', title: 'Size' }
  const schema = { required: ['title', 'size'], properties: { title: { type: 'string' }, size } }
  const answer = { 'x-reader': 'Anybody at all', enum: ['not found', 'busy'], summary: 'Words' }
  assert.deepEqual(bareDocument({ schema, answer }), {
    answer: { enum: ['busy', 'not found'], 'x-reader': '...' },
    schema: {
      properties: { size: { maxLength: 64, type: 'string' }, title: { type: 'string' } },
      required: ['size', 'title'],
    },
  })
})

test('the command requires --out', () => {
  const { status, stderr } = spawnSync(process.execPath, [command], { encoding: 'utf8' })
  assert.deepEqual([status, stderr], [2, 'record-venue: --out FOLDER is required\n'])
})

longTest('a seed always gives the same recording; untouched operations are gaps', async () => {
  const [first, second] = [await recorded(1, part), await recorded(1, part)]
  assert.deepEqual(second, first)
  const lines = first.files['recording.jsonl']!
  assert.match(lines, /"path":"\/order".*"status":"ACKED"/)
  assert.match(lines, /"connection":"0 orders".*"type":"OrderUpdate","order_id":/)
  const isGap = (name: string) => first.gaps.includes(name)
  assert.ok(isGap('public PUT /order') && isGap('Trade') && !isGap('public POST /order'))
})

longTest('the whole session has no gaps and is reproducible', async () => {
  const [first, second] = [await recorded(1), await recorded(1)]
  assert.deepEqual(first.gaps, [])
  for (const [name, text] of Object.entries(first.files)) assert.equal(second.files[name], text)
})
