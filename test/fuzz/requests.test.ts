import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { resultRows } from '../../schemas/results.js'
import { orderBody } from '../support/gateway-rig.js'
import { isLongRun } from '../support/long-test.js'
import { callRig } from './call-rig.js'
import * as rules from './field-rules.js'
import { anyJson, bytesOf, nearly } from './json-values.js'
import * as sound from './sound-fields.js'

type Candidates = Readonly<Record<string, readonly unknown[]>>

const { core, send } = callRig()
const statusOf = new Map<string, number>()
for (const { code, http } of Object.values(resultRows)) statusOf.set(code ?? 'accepted', http)
const seed = Number(process.env['STRIKEBOOK_TEST_SEED'] ?? 11)
const runs = { seed, numRuns: isLongRun ? 800 : 320 }

/** Every signed write; its signature is never sound here, so that no body gets past it. */
const writes: readonly (readonly [string, string, rules.FieldRules, Candidates])[] = [
  ['POST', '/order', rules.placeRules, sound.orderFields],
  ['PUT', '/order', rules.replaceRules, sound.replaceFields],
  ['DELETE', '/order', rules.cancelRules, sound.cancelBothFields],
  ['DELETE', '/order_cloid', rules.cancelByClientIdRules, sound.cancelByClientIdFields],
  ['POST', '/approve-agent', rules.agentRules, sound.agentFields],
  ['DELETE', '/revoke-agent', rules.agentRules, sound.agentFields],
  ['DELETE', '/revoke-all-agents', rules.allAgentsRules, sound.agentFields],
  ['POST', '/margin-mode', rules.marginModeRules, sound.marginModeFields],
  ['POST', '/mmp-config', rules.mmpRules, sound.mmpFields],
  ['DELETE', '/mmp-config', rules.mmpEndRules, sound.mmpEndFields],
  ['POST', '/mmp-config/reset', rules.mmpEndRules, sound.mmpEndFields],
  ['POST', '/self-trade-prevention', rules.selfTradeRules, sound.selfTradeFields],
  ['POST', '/settlement-payouts/seen', rules.payoutsSeenRules, sound.payoutsSeenFields],
  ['POST', '/user-tier', rules.tierRules, sound.tierFields],
]

/** The one answer to a request, an error as the specification draws it. @returns its code. */
function codeOf(method: string, path: string, body: Buffer): string {
  const answers = send(method, path, body)
  assert.equal(answers.length, 1, 'one answer')
  const { status, text } = answers[0]!
  const value = JSON.parse(text)
  assert.equal(typeof value.code, 'string', text)
  assert.equal(value.error, value.code)
  assert.match(value.message, /^[\x20-\x7e]{1,400}$/)
  assert.equal(status, statusOf.get(value.code), text)
  return value.code
}

for (const [method, path, fieldRules, candidates] of writes) {
  test(`${method} ${path}: any body is answered by the error of its first faulty step`, () => {
    const seen = new Map<string, number>()
    fc.assert(
      fc.property(
        bytesOf(fc.oneof({ weight: 12, arbitrary: nearly(candidates) }, anyJson)),
        (body) => {
          const expected = rules.bodyFaultCodes(body, fieldRules)
          const code = codeOf(method, path, body)
          seen.set(code, (seen.get(code) ?? 0) + 1)
          if (expected.length > 0) assert.ok(expected.includes(code), `${code}, not ${expected}`)
          else assert.equal(code, 'signature_verification_failed')
        },
      ),
      runs,
    )
    for (const code of ['invalid_json', 'invalid_request', 'signature_verification_failed']) {
      assert.ok((seen.get(code) ?? 0) >= 10, `${code} is seen: ${[...seen]}`)
    }
    assert.equal(core.seen.length, 0, 'nothing reached the core')
  })
}

const bulks = [
  ['POST', '/bulk_order', 'orders', rules.placeRules, sound.orderFields],
  ['PUT', '/bulk_order', 'replacements', rules.replaceRules, sound.replaceFields],
  ['DELETE', '/bulk_order', 'cancels', rules.cancelRules, sound.cancelBothFields],
] as const

for (const [method, path, listName, fieldRules, candidates] of bulks) {
  test(`${method} ${path}: any list is answered item by item, or refused whole`, () => {
    const item = fc.oneof({ weight: 9, arbitrary: nearly(candidates) }, anyJson)
    const list = fc.array(item, { maxLength: 6 })
    const long = nearly(candidates).map((one) => Array(51).fill(one))
    const some = fc.oneof({ weight: 12, arbitrary: list }, { weight: 1, arbitrary: long }, anyJson)
    const body = fc.oneof(
      some,
      some.map((items) => ({ [listName]: items })),
    )
    const seen = new Map<string, number>()
    const see = (code: string) => seen.set(code, (seen.get(code) ?? 0) + 1)
    fc.assert(
      fc.property(bytesOf(body), (bytes) => {
        const answers = send(method, path, bytes)
        assert.equal(answers.length, 1, 'one answer')
        const { status, text } = answers[0]!
        const value = JSON.parse(text)
        const items = itemsOf(bytes, listName)
        if (typeof items === 'string') {
          assert.equal(value.code, items)
          assert.equal(status, statusOf.get(items))
          see(`whole ${items}`)
          return
        }
        assert.equal(status, 200, text)
        const results = Array.isArray(value) ? value : value.results
        assert.equal(results.length, items.length)
        for (const [index, result] of results.entries()) {
          assert.deepEqual([result.index, result.success, result.data], [index, false, null])
          const expected = itemCodes(items[index], fieldRules)
          const sounds = ['signature_verification_failed', 'rate_limit_exceeded']
          const codes = expected.length === 0 ? sounds : expected
          assert.ok(codes.includes(result.code), `${result.code}, not ${codes}`)
          see(`item ${result.code}`)
        }
      }),
      { ...runs, numRuns: 800 },
    )
    const wholes = ['invalid_json', 'invalid_request', 'missing_field', 'invalid_parameter']
    const itemFaults = ['invalid_parameter', 'missing_field', 'signature_verification_failed']
    for (const name of [
      ...wholes.map((code) => `whole ${code}`),
      ...itemFaults.map((code) => `item ${code}`),
    ]) {
      assert.ok((seen.get(name) ?? 0) >= 10, `${name} is seen: ${[...seen]}`)
    }
    assert.equal(core.seen.length, 0, 'nothing reached the core')
  })
}

test('a signed order is accepted with any values in its unsigned and unknown fields', () => {
  const unsigned = fc.dictionary(
    fc.constantFrom('__proto__', 'constructor', 'signer', 'order_id', 'seq', 'X'),
    anyJson,
  )
  const place = fc.constantFrom(0, 9)
  fc.assert(
    fc.property(unsigned, place, fc.constantFrom(true, false, null), (more, at, mmp) => {
      const text = JSON.stringify({ ...orderBody(), mmp_enabled: mmp })
      const extra = JSON.stringify(more).slice(1, -1)
      const comma = extra === '' ? '' : ','
      const body =
        at === 0 ? `{${extra}${comma}${text.slice(1)}` : `${text.slice(0, -1)}${comma}${extra}}`
      const before = core.seen.length
      const answers = send('POST', '/order', Buffer.from(body))
      assert.equal(answers.length, 1)
      assert.equal(JSON.parse(answers[0]!.text).status, 'ACKED', answers[0]!.text)
      assert.equal(core.seen.length, before + 1)
    }),
    { seed, numRuns: isLongRun ? 150 : 50 },
  )
})

/** The items of a bulk body, or the code that refuses it whole. */
function itemsOf(bytes: Buffer, listName: string): readonly unknown[] | string {
  const { value, code } = rules.readJson(bytes)
  if (code !== undefined) return code
  if (!rules.isObject(value) && !Array.isArray(value)) return 'invalid_request'
  const items = Array.isArray(value) ? value : (value[listName] ?? null)
  if (items === null) return 'missing_field'
  if (!Array.isArray(items) || items.length < 1 || items.length > 50) return 'invalid_parameter'
  return items
}

function itemCodes(item: unknown, fieldRules: rules.FieldRules): readonly string[] {
  return rules.isObject(item) ? rules.faultCodes(item, fieldRules) : ['invalid_parameter']
}
