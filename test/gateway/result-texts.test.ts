import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  type OrderFacts,
  type OutcomeView,
  reasonOf,
  valuesOfFacts,
} from '../../gateway/link/outcome.js'
import { placesOf, Result, resultRows, resultText } from '../../schemas/results.js'

// A refusal whose text has a hole, `Invalid {name}: {detail}`, tells its reader nothing. Every row of the table is held
// here against everybody who may answer with it: what the engine sends along, what an order is known by, and the values
// that the gateway names where it refuses by itself.

type ResultName = keyof typeof Result

const facts: OrderFacts = {
  orderId: 7,
  instrument: undefined,
  side: 'Buy',
  tif: 'gtc',
  price: '1',
  size: '1',
  filledLots: 0,
  clientId: 'c',
  wallet: '0x00',
  builder: null,
  isMmpEnabled: false,
  isReduceOnly: false,
}
/** Values of an order's request, in addition to the facts. */
const requested = { detail: 'd', nonce: '5', route: 'best_execution' }
const filled = /^[^{}]+$/

function sourcesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .map((path) => readFileSync(join(folder, path), 'utf8'))
}

const engineSources = sourcesOf('engine').filter((source) => source.includes('Result.'))
const gatewaySources = sourcesOf('gateway')
const names = Object.keys(Result) as ResultName[]
const engineNames = names.filter((name) =>
  engineSources.some((source) => new RegExp(`\\bResult\\.${name}\\b`).test(source)),
)

/** Values that the engine sends along with a result, as texts. */
function detailsOf(name: ResultName): Record<string, string> {
  const rows = resultRows[Result[name]].details ?? []
  return Object.fromEntries(rows.map((row) => [row.name, '1']))
}

test('each answer of the engine to an order has all values that its text names', () => {
  const answered = engineNames.filter((name) => resultRows[Result[name]].http === 200)
  assert.ok(answered.length > 30)
  for (const name of answered) {
    const outcome: OutcomeView = {
      result: Result[name],
      seq: 1,
      timeMillis: 1,
      status: 'REJECTED',
      isMmpTriggered: false,
      isUnfunded: false,
      orderId: 0,
      filledLots: 0,
      kept: null,
      details: detailsOf(name),
    }
    const { reason } = reasonOf(outcome, () => ({ ...valuesOfFacts(facts), ...requested }))
    const places = placesOf(Result[name])
    if (places.length === 0) continue
    assert.match(reason ?? '', filled, name)
    // Not the text for missing values, which contains none of them.
    assert.notEqual(reason, resultText(Result[name], {}), name)
  }
})

test('other errors of the engine name only values of the engine or of the request', () => {
  /** The operator's port knows the wallet concerned and its own request; a write knows its nonce. */
  const known = new Set(['wallet', 'underlying', 'nonce'])
  for (const name of engineNames) {
    const row = resultRows[Result[name]]
    if (row.http === 200) continue
    const details = detailsOf(name)
    const missing = placesOf(Result[name]).filter((place) => !known.has(place) && !details[place])
    assert.deepEqual(missing, [], `${name}: ${row.text}`)
  }
})

test('each error of the gateway has all values of its text, or a text of its own', () => {
  const call = /new Fault\(\s*Result\.(\w+)\s*(,\s*\{([^{}]*)\}\s*(,)?)?/g
  let count = 0
  for (const source of gatewaySources) {
    for (const [whole, name, , values = '', own] of source.matchAll(call)) {
      count++
      if (own !== undefined) continue
      const given = values.split(',').map((value) => value.split(':')[0]!.trim())
      const missing = placesOf(Result[name as ResultName]).filter((place) => !given.includes(place))
      assert.deepEqual(missing, [], whole)
    }
  }
  assert.ok(count > 40, `${count} places`)
})

test('a text with a missing value is never shown with its placeholder', () => {
  for (const name of names) {
    const text = resultText(Result[name], {})
    assert.doesNotMatch(text, /[{}]/, name)
    if (resultRows[Result[name]].text !== '') assert.notEqual(text, '', name)
  }
  assert.equal(resultText(Result.InvalidField, { name: 'amount' }), 'Invalid field')
  assert.equal(
    resultText(Result.InvalidField, { name: 'amount', detail: 'too much' }),
    'Invalid amount: too much',
  )
})
