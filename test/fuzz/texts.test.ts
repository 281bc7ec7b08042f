import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { orderIdText } from '../../gateway/wire/request-fields.js'
import {
  DecimalFault,
  formatLots,
  formatMicros,
  parseAmountMicros,
  parsePriceMicros,
  parseSizeLots,
  parseStrikeMicros,
} from '../../schemas/decimal.js'
import { Right } from '../../schemas/domain.js'
import { formatHex, parseHex } from '../../schemas/hex.js'
import { formatNonce, parseNonce } from '../../schemas/nonce.js'
import { parseSignature } from '../../schemas/signing/signature.js'
import {
  canonicalSymbol,
  formatSymbol,
  type InstrumentSymbol,
  isUnderlying,
  parseOptionSymbol,
  parsePerpSymbol,
} from '../../schemas/symbol.js'
import { formatAddress, parseAddress } from '../../schemas/wallet.js'
import { dateOf, isOptionSymbol, isOrderId } from './field-rules.js'
import { anyJson } from './json-values.js'

// Every text of the wire, sound and damaged, against a second, plainer reading of it: patterns,
// big integers and the platform's own dates.

const seed = Number(process.env['STRIKEBOOK_TEST_SEED'] ?? 14)
const runs = { seed, numRuns: 4_000 }
const strangers = [
  '.',
  '-',
  '+',
  'e',
  'E',
  ' ',
  '\n',
  '\0',
  ',',
  '_',
  'x',
  '٣',
  '１',
  'é',
  '😀',
  '/',
  ':',
]

/** A text with some characters put in, left out, doubled or replaced. */
function damaged(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const stranger = fc.oneof(
    fc.constantFrom(...strangers),
    fc.string({ unit: 'binary', maxLength: 2 }),
  )
  const edit = fc.record({ place: fc.nat({ max: 140 }), drop: fc.nat({ max: 2 }), put: stranger })
  const edits = fc.array(edit, { maxLength: 2 })
  return fc.tuple(texts, edits).map(([text, list]) =>
    list.reduce((so, { place, drop, put }) => {
      const at = place % (so.length + 1)
      return so.slice(0, at) + put + so.slice(at + drop)
    }, text),
  )
}

const digits = fc.string({ unit: fc.constantFrom(...'000123456789'), minLength: 1, maxLength: 18 })
const decimal = fc
  .tuple(digits, fc.option(digits, { nil: null }))
  .map(([whole, fraction]) => (fraction === null ? whole : `${whole}.${fraction}`))

const parsers = [
  {
    name: 'price',
    parse: parsePriceMicros,
    format: formatMicros,
    decimals: 6,
    figures: 5,
    max: 10n ** 15n,
  },
  {
    name: 'size',
    parse: parseSizeLots,
    format: formatLots,
    decimals: 8,
    figures: 99,
    max: 10n ** 13n,
  },
  {
    name: 'amount',
    parse: parseAmountMicros,
    format: formatMicros,
    decimals: 6,
    figures: 99,
    max: 2n ** 53n - 1n,
  },
  {
    name: 'strike',
    parse: parseStrikeMicros,
    format: formatMicros,
    decimals: 6,
    figures: 99,
    max: 10n ** 15n,
  },
] as const

for (const parser of parsers) {
  test(`the text of a ${parser.name} is its exact integer, or refused for its exact reason`, () => {
    fc.assert(
      fc.property(damaged(decimal), (text) => {
        const value = parser.parse(text)
        assert.equal(value, decimalOf(text, parser), JSON.stringify(text))
        if (value > 0) assert.equal(parser.parse(parser.format(value)), value)
      }),
      runs,
    )
  })
}

const option: fc.Arbitrary<InstrumentSymbol> = fc.record({
  underlying: fc.stringMatching(/^[A-Z0-9._]{1,16}$/),
  expiryDate: fc
    .date({ min: new Date('1970-01-01'), max: new Date('2105-12-31'), noInvalidDate: true })
    .map((date) => Number(date.toISOString().slice(0, 10).replaceAll('-', ''))),
  strikeMicros: fc.oneof(
    fc.integer({ min: 1, max: 1e15 }),
    fc.integer({ min: 1, max: 1e6 }).map((usd) => usd * 1e6),
  ),
  right: fc.constantFrom(Right.Call, Right.Put),
})
const months = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')

test('an option has one canonical text, and every other spelling leads to it', () => {
  fc.assert(
    fc.property(option, fc.nat({ max: 3 }), fc.nat({ max: 3 }), (parts, ahead, behind) => {
      const text = formatSymbol(parts)
      assert.deepEqual(parseOptionSymbol(text), { ...parts })
      const [underlying, date, strike, right] = text.split('-') as [string, string, string, string]
      const fraction = strike.includes('.') ? '' : '.'
      const zeros = behind === 0 ? '' : fraction + '0'.repeat(behind)
      const isShort = date >= '20000101' && date < '21000101'
      const month = months[Number(date.slice(4, 6)) - 1]
      const shortDate = isShort ? date.slice(6) + month + date.slice(2, 4) : date
      const other = `${underlying}-${shortDate}-${'0'.repeat(ahead)}${strike}${zeros}-${right}`
      assert.equal(canonicalSymbol(other), text)
    }),
    runs,
  )
})

test('a damaged symbol parses exactly if it is a symbol again', () => {
  const texts = fc.oneof(
    option.map(formatSymbol),
    fc.constantFrom('BTC-28JUN30-100000-C', 'BTC-29FEB28-1-P', 'BTC-PERP', '.-PERP'),
  )
  let sound = 0
  fc.assert(
    fc.property(damaged(texts), (text) => {
      const parsed = parseOptionSymbol(text)
      assert.equal(typeof parsed === 'object', isOptionSymbol(text), JSON.stringify(text))
      assert.equal(parsePerpSymbol(text) !== null, /^[A-Z0-9._]{1,16}-PERP$/.test(text))
      assert.equal(isUnderlying(text), /^[A-Z0-9._]{1,16}$/.test(text))
      if (typeof parsed === 'string') return
      sound++
      assert.equal(parsed.expiryDate, dateOf(text.split('-')[1]!))
      assert.deepEqual(parseOptionSymbol(formatSymbol(parsed)), parsed)
    }),
    runs,
  )
  assert.ok(sound > 500, `${sound} sound`)
})

const hexOf = (bytes: number) =>
  fc
    .tuple(fc.uint8Array({ minLength: bytes, maxLength: bytes }), fc.boolean())
    .map(([some, isUpper]) => {
      const text = formatHex(some, 0, bytes)
      return isUpper ? `0x${text.slice(2).toUpperCase()}` : text
    })

test('hexadecimal text of any length parses with any case and the prefix 0x, and nothing else does', () => {
  const out = new Uint8Array(65)
  const text = fc.oneof(hexOf(0), hexOf(20), hexOf(20), hexOf(65), hexOf(65), hexOf(7))
  fc.assert(
    fc.property(damaged(text), (hex) => {
      const bytes = parseHex(hex)
      assert.equal(bytes !== null, /^0x([0-9a-fA-F]{2})*$/.test(hex), JSON.stringify(hex))
      if (bytes !== null) assert.equal(formatHex(bytes, 0, bytes.length), hex.toLowerCase())
      const address = parseAddress(hex)
      assert.equal(address !== null, /^0x[0-9a-fA-F]{40}$/.test(hex))
      if (address !== null) assert.equal(formatAddress(address, 0), hex.toLowerCase())
      const isSignature = parseSignature(hex, out)
      assert.equal(isSignature, /^0x[0-9a-fA-F]{130}$/.test(hex))
      if (isSignature) assert.deepEqual(out, bytes)
    }),
    runs,
  )
})

test('a nonce is a whole number of 64 bits as number or digits, and is returned as its digits', () => {
  const halves = new Uint32Array(2)
  const text = fc.bigInt({ min: 0n, max: 2n ** 65n }).map(String)
  const value = fc.oneof(damaged(text), fc.maxSafeInteger(), fc.double(), anyJson)
  fc.assert(
    fc.property(value, (nonce) => {
      halves.set([1, 2])
      const expected = integerOf(nonce)
      const isNonce = expected !== null && expected < 2n ** 64n
      assert.equal(parseNonce(nonce, halves), isNonce, String(nonce))
      if (isNonce) assert.equal(formatNonce(halves[0]!, halves[1]!), String(expected))
      else assert.deepEqual([...halves], [1, 2], 'untouched')
    }),
    runs,
  )
})

test('an order id is a whole number below 2^53 as number or digits', () => {
  const text = fc.bigInt({ min: 0n, max: 2n ** 54n }).map(String)
  fc.assert(
    fc.property(fc.oneof(damaged(text), fc.maxSafeInteger(), fc.double(), anyJson), (id) => {
      const read = orderIdText(id)
      assert.equal(typeof read === 'string', isOrderId(id), String(id))
      if (typeof read === 'string') assert.equal(read, String(integerOf(id)))
    }),
    runs,
  )
})

/** A number or digits as an integer of 0 or more, or null. */
function integerOf(value: unknown): bigint | null {
  if (typeof value === 'string') return /^[0-9]+$/.test(value) ? BigInt(value) : null
  const isWhole = Number.isSafeInteger(value) && !Object.is(value, -0) && (value as number) >= 0
  return isWhole ? BigInt(value as number) : null
}

/** Returns the value of a decimal text, or its first fault: form, sign, figures, decimals, size. */
function decimalOf(
  text: string,
  { decimals, figures, max }: { decimals: number; figures: number; max: bigint },
): number {
  const match = /^([0-9]+)(?:\.([0-9]+))?$/.exec(text)
  if (match === null) return DecimalFault.Malformed
  const [, whole = '', fraction = ''] = match
  const significant = (whole + fraction).replace(/^0+/, '').replace(/0+$/, '')
  if (significant === '') return DecimalFault.NotPositive
  if (significant.length > figures) return DecimalFault.TooManyFigures
  if (/[1-9]/.test(fraction.slice(decimals))) return DecimalFault.OffGrid
  const scaled = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  return scaled > max ? DecimalFault.TooLarge : Number(scaled)
}
