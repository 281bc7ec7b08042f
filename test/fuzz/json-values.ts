import fc from 'fast-check'

// Values and bytes as a hostile client sends them.

const strangeTexts = [
  '',
  ' ',
  '0',
  '-0',
  '-1',
  '+1',
  '1e3',
  '1.',
  '.5',
  '1_000',
  '0x1',
  'NaN',
  'null',
  '１２', // full-width digits
  '٣', // an Arabic digit
  '1\u0000',
  '\ud800', // half a pair
  '\u202e',
  '__proto__',
  'constructor',
  `0x${'0'.repeat(40)}`,
  '9'.repeat(400),
  'x'.repeat(300),
]
const strangeNumbers = [0, -0, -1, 1.5, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 1e21, 1e308, 5e-324]
const strangeKeys = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'length',
  'then',
  '',
]

/** Any JSON value, often one that breaks something. */
export const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...strangeTexts) },
  { weight: 3, arbitrary: fc.constantFrom(...strangeNumbers) },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false, [], {}, [[]], [null], { a: {} }) },
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 80 }) },
)

const extraFields = fc.dictionary(
  fc.oneof(fc.constantFrom(...strangeKeys), fc.string({ maxLength: 6 })),
  anyJson,
  { maxKeys: 3 },
)

/**
 * An object with some of its fields sound, some wrong, some absent and some unknown.
 * @param fields per field the values that may be sound, or nearly.
 */
export function nearly(
  fields: Readonly<Record<string, readonly unknown[]>>,
): fc.Arbitrary<Record<string, unknown>> {
  const values = Object.fromEntries(
    Object.entries(fields).map(([name, candidates]) => [name, nearlyOneOf(candidates)]),
  )
  return fc.tuple(fc.record(values), extraFields).map(([known, extra]) => {
    const body: Record<string, unknown> = {}
    for (const [name, value] of Object.entries({ ...extra, ...known })) {
      if (value === absent) continue
      // As JSON.parse does it: `__proto__` is a key like any other.
      Object.defineProperty(body, name, { value, enumerable: true, writable: true })
    }
    return body
  })
}

const absent = Symbol('absent')

/** The first candidate, sound, far more often than anything else. */
function nearlyOneOf(candidates: readonly unknown[]): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 30, arbitrary: fc.constant(candidates[0]) },
    { weight: 4, arbitrary: fc.constantFrom(...candidates) },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(absent, null) },
    { weight: 1, arbitrary: anyJson },
  )
}

/** Bytes of a JSON text, sometimes cut short, overwritten, nested deeply or no text at all. */
export function bytesOf(value: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> {
  const whole = value.map((json) => Buffer.from(JSON.stringify(json)))
  const damaged = fc.tuple(whole, fc.nat(), fc.nat({ max: 255 })).map(([bytes, place, byte]) => {
    const copy = Buffer.from(bytes)
    if (copy.length > 0) copy[place % copy.length] = byte
    return copy
  })
  const deep = fc
    .nat({ max: 20_000 })
    .chain((depth) =>
      fc.constantFrom(
        `${'['.repeat(depth)}${']'.repeat(depth)}`,
        `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
        `{"wallet":${'['.repeat(depth)}${']'.repeat(depth)}}`,
        '['.repeat(depth),
      ),
    )
  const literals = [
    '1e400',
    '{"type":"PlaceOrder","nonce":1e400}',
    '{"nonce":-0}',
    '[1,]',
    '\ufeff{}',
    '{} {}',
    '""',
  ]
  const any = fc.oneof(
    { weight: 24, arbitrary: whole },
    { weight: 3, arbitrary: damaged },
    {
      weight: 2,
      arbitrary: fc.tuple(whole, fc.nat()).map(([b, n]) => b.subarray(0, n % (b.length + 1))),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 1, arbitrary: fc.constantFrom(...literals).map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: deep.map((text) => Buffer.from(text)) },
  )
  return any.map(readable)
}

/** Makes fast-check tell the bytes of a counterexample as text. */
function readable(bytes: Buffer): Buffer {
  const text = () => JSON.stringify(bytes.toString('latin1').slice(0, 2_000))
  return Object.assign(bytes, { [fc.toStringMethod]: text })
}
