import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { owner } from '../support/gateway-rig.js'
import { isLongRun } from '../support/long-test.js'
import { callRig } from './call-rig.js'
import { type Code, isNonce, isObject, isPrice, isSize, readJson } from './field-rules.js'
import { anyJson, bytesOf, nearly } from './json-values.js'
import { cancelFields } from './sound-fields.js'

// POST /perp-order under bodies of any kind, against the rules of perp actions written down a second time.

type Fields = Readonly<Record<string, unknown>>

const { core, send } = callRig()
const seed = Number(process.env['STRIKEBOOK_TEST_SEED'] ?? 17)
const { wallet, nonce } = cancelFields
const cloid = `0x${'0a'.repeat(16)}`
const farMillis = 4_000_000_000_000

const decimals = ['1', '0.5', '100000', '1.0', '01', '1e3', '0', '123456', '0.0000001', 1]
const cloids = [cloid, cloid.toUpperCase(), cloid.slice(0, -1), `${cloid}0`, null, '']
const assets = [0, 7, 2 ** 40, -1, -0, 1.5, '7']
const kinds = [
  { limit: { tif: 'Gtc' } },
  { limit: { tif: 'Alo' } },
  { limit: { tif: 'gtc' } },
  { limit: { tif: 'Gtc', more: 1 } },
  { limit: {} },
  { trigger: { isMarket: true, triggerPx: '1', tpsl: 'sl' } },
]
const signatures = [
  `0x${'00'.repeat(65)}`,
  { r: '0x0', s: '0x0', v: 27 },
  { r: '0x0', s: '0x0' },
  { r: '0x0', s: 0, v: 27 },
  { r: '0x0', s: '0x0', v: 27, x: 1 },
]

/** Draws like `nearly`, more often with all fields sound, and without unknown ones. */
function some(fields: Readonly<Record<string, readonly unknown[]>>): fc.Arbitrary<Fields> {
  const sound = Object.entries(fields).map(([name, [first]]) => [name, first] as const)
  const known = nearly(fields).map((body) =>
    Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(fields, name))),
  )
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant(Object.fromEntries(sound)) },
    { weight: 6, arbitrary: known },
    nearly(fields),
  )
}

const samples = (values: fc.Arbitrary<unknown>) => fc.sample(values, { seed, numRuns: 400 })
/** Lists of one entry, a sound one first, and others. */
const listsOf = (fields: Readonly<Record<string, readonly unknown[]>>) => {
  const sound = Object.fromEntries(Object.entries(fields).map(([name, [first]]) => [name, first]))
  return [[sound], ...samples(some(fields).map((entry) => [entry])), [], [sound, sound], {}, null]
}
const order = {
  ...{ a: assets, b: [true, false, 1], p: ['100', ...decimals], s: decimals },
  ...{ r: [false, true, 'false'], t: kinds, c: cloids },
}
const ids = [12, ...assets]
const actions = samples(
  fc.oneof(
    some({ type: ['order'], orders: listsOf(order), grouping: ['na', 'normalTpsl'] }),
    some({ type: ['cancel'], cancels: listsOf({ a: assets, o: ids }) }),
    some({ type: ['cancelByCloid'], cancels: listsOf({ asset: assets, cloid: cloids }) }),
    some({ type: ['modify', 'order', 'cancel'] }),
  ),
)
// The first of the candidates is the likely one, so each body has an action of its own in that place.
const body = fc.constantFrom(...actions).chain((action) =>
  some({
    ...{ wallet, action: [action], nonce, signature: signatures },
    ...{ vaultAddress: [null, owner.address], expiresAfter: [null, farMillis, 5, -5, '5'] },
  }),
)

test('any body gets the error of its first faulty step', () => {
  const seen = new Map<string, number>()
  fc.assert(
    fc.property(bytesOf(fc.oneof({ weight: 20, arbitrary: body }, anyJson)), (bytes) => {
      const answers = send('POST', '/perp-order', bytes)
      assert.equal(answers.length, 1, 'one answer')
      const { status, text } = answers[0]!
      const value = JSON.parse(text)
      assert.equal(status, 400, text)
      assert.match(value.message, /^[\x20-\x7e]{1,400}$/)
      seen.set(value.code, (seen.get(value.code) ?? 0) + 1)
      const expected = codesOf(bytes)
      assert.ok(expected.includes(value.code), `${text}, not ${expected}`)
    }),
    { seed, numRuns: isLongRun ? 6_000 : 2_500 },
  )
  for (const code of [
    'invalid_json',
    'invalid_request',
    'missing_field',
    'invalid_parameter',
    'invalid_wallet',
    'invalid_field',
    'signature_verification_failed',
  ]) {
    assert.ok((seen.get(code) ?? 0) >= 10, `${code} is seen: ${[...seen]}`)
  }
  assert.equal(core.seen.length, 0, 'nothing reached the core')
})

type Check = (value: unknown) => boolean

/** Codes that may answer: those of the first step with a fault, else that of a signature which is none. */
function codesOf(bytes: Buffer): readonly Code[] {
  const { value, code } = readJson(bytes)
  if (code !== undefined) return [code]
  if (!isObject(value)) return ['invalid_request']
  const faults = new Set<Code>()
  checkBody(value, faults)
  if (faults.has('missing_field')) return ['missing_field']
  if (faults.has('invalid_parameter')) return ['invalid_parameter']
  return faults.size > 0 ? [...faults] : ['signature_verification_failed']
}

const isText: Check = (value) => typeof value === 'string'
const isFlag: Check = (value) => typeof value === 'boolean'
const isInteger: Check = (value) => Number.isSafeInteger(value)
const isThere: Check = (value) => value !== undefined && value !== null

/** Required and optional fields with the check of their types. */
function checkFields(
  fields: Fields,
  required: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>>,
  faults: Set<Code>,
): void {
  const all = { ...required, ...optional }
  if (Object.keys(required).some((name) => !isThere(fields[name]))) faults.add('missing_field')
  for (const [name, isTyped] of Object.entries(all)) {
    const value = fields[name]
    if (!isThere(value)) continue
    if (!isTyped(value)) faults.add('invalid_parameter')
    const isBelow = isTyped === isInteger && ((value as number) < 0 || Object.is(value, -0))
    if (isBelow) faults.add('invalid_field')
  }
  const isUnknown = (name: string) => !Object.keys(all).includes(name)
  if (Object.keys(fields).some(isUnknown)) faults.add('invalid_field')
}

function checkBody(fields: Fields, faults: Set<Code>): void {
  const isSignature: Check = (value) => isText(value) || isObject(value)
  checkFields(
    fields,
    { wallet: isText, action: isObject, nonce: isNonce, signature: isSignature },
    { vaultAddress: isText, expiresAfter: isInteger },
    faults,
  )
  const { wallet: text, action, signature, vaultAddress } = fields
  const isWallet = isText(text) && /^0x[0-9a-fA-F]{40}$/.test(text as string)
  if (isThere(text) && (!isWallet || /^0x0+$/.test(text as string))) faults.add('invalid_wallet')
  const lower = (value: unknown) => (value as string).toLowerCase()
  const isVault = isText(text) && isText(vaultAddress) && lower(vaultAddress) === lower(text)
  if (isThere(vaultAddress) && !isVault) faults.add('invalid_field')
  if (isObject(signature)) {
    checkFields(signature, { r: isText, s: isText, v: isInteger }, {}, faults)
  }
  if (isObject(action)) checkAction(action, faults)
}

function checkAction(action: Fields, faults: Set<Code>): void {
  const { type } = action
  if (!isThere(type)) faults.add('missing_field')
  else if (!isText(type)) faults.add('invalid_parameter')
  else if (type === 'order') {
    const isList = Array.isArray
    checkFields(action, { type: isText, orders: isList, grouping: isText }, {}, faults)
    if (isThere(action['grouping']) && action['grouping'] !== 'na') faults.add('invalid_field')
    checkEntry(action['orders'], checkOrder, faults)
  } else if (type === 'cancel' || type === 'cancelByCloid') {
    checkFields(action, { type: isText, cancels: Array.isArray }, {}, faults)
    checkEntry(action['cancels'], type === 'cancel' ? checkCancel : checkByCloid, faults)
  } else faults.add('invalid_field')
}

function checkEntry(
  list: unknown,
  check: (entry: Fields, faults: Set<Code>) => void,
  faults: Set<Code>,
): void {
  if (!Array.isArray(list)) return
  const [entry] = list
  if (list.length === 1 && isObject(entry)) check(entry, faults)
  else faults.add('invalid_parameter')
}

function checkOrder(entry: Fields, faults: Set<Code>): void {
  const terms = { a: isInteger, b: isFlag, p: isText, s: isText, r: isFlag, t: isObject }
  checkFields(entry, terms, { c: isText }, faults)
  const { p, s, t, c } = entry as Record<string, string>
  if (isText(p) && !(isCanonical(p!) && isPrice(p!))) faults.add('invalid_field')
  if (isText(s) && !(isCanonical(s!) && isSize(s!))) faults.add('invalid_field')
  checkCloid(c, faults)
  if (!isObject(t)) return
  if (isThere(t['trigger'])) {
    faults.add('invalid_field')
    return
  }
  checkFields(t, { limit: isObject }, {}, faults)
  if (!isObject(t['limit'])) return
  checkFields(t['limit'], { tif: isText }, {}, faults)
  const { tif } = t['limit']
  if (isThere(tif) && !['Gtc', 'Ioc', 'Alo'].includes(tif as string)) faults.add('invalid_field')
}

function checkCancel(entry: Fields, faults: Set<Code>): void {
  checkFields(entry, { a: isInteger, o: isInteger }, {}, faults)
}

function checkByCloid(entry: Fields, faults: Set<Code>): void {
  checkFields(entry, { asset: isInteger, cloid: isText }, {}, faults)
  checkCloid(entry['cloid'], faults)
}

function checkCloid(value: unknown, faults: Set<Code>): void {
  if (isText(value) && !/^0x[0-9a-f]{32}$/i.test(value as string)) faults.add('invalid_field')
}

/** At most 8 decimals, no zeros at the ends, no exponent. */
function isCanonical(text: string): boolean {
  const [whole, fraction] = text.split('.')
  const isWhole = whole === '0' || /^[1-9][0-9]*$/.test(whole!)
  return isWhole && (fraction === undefined || /^[0-9]{0,7}[1-9]$/.test(fraction))
}
