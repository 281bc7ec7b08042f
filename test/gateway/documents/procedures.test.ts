import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asyncApi } from '../../../gateway/documents/asyncapi.js'
import { openApi } from '../../../gateway/documents/openapi.js'
import { resultRows } from '../../../schemas/results.js'
import { testConfig } from '../../support/gateway-rig.js'

const venue = { config: testConfig(), version: '1.2.3' }
const texts = [openApi(venue), asyncApi(venue)].map(
  ({ info }) => (info as { readonly description: string }).description,
)
const titles = [
  ...['Orders', 'Requests for quote', 'Acceptance'],
  'Auction of an order (retail price improvement)',
  ...['Market-maker protection', 'Liquidation', 'Expiry and settlement'],
]

test('both documents describe the order of events', () => {
  for (const text of texts) {
    for (const title of titles) assert.ok(text.includes(`## ${title}\n`), title)
  }
})

test('every code in their texts exists', () => {
  const codes = new Set(Object.values(resultRows).map(({ code }) => code))
  const [text] = texts
  const begin = text!.indexOf(`## ${titles[1]}`)
  const named = [...text!.slice(begin).matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name]) => name!)
  const others = ['best_execution', 'fill_source', 'reference_price', 'rfq_request', 'is_taker']
  const messages = ['qp_margin_rejection', 'mmp_enabled']
  const unknown = named.filter((name) => !codes.has(name))
  assert.deepEqual(
    [...new Set(unknown)].filter((name) => ![...others, ...messages].includes(name)),
    [],
  )
})
