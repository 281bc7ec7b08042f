import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { quoteRig, readWhole, snapshotText, symbolAt, wireRow } from '../../../bench/quote-rig.js'
import { QuoteFrame, rowTexts } from '../../../gateway/providers/quote-frame.js'
import { InstrumentState } from '../../../schemas/domain.js'
import { Result } from '../../../schemas/results.js'

const rig = quoteRig(1)
const { instruments } = rig.gateways[0]!
const scope = 'ab'.repeat(16)

function read(text: string | Buffer, hints: readonly number[] = []): QuoteFrame {
  return readWhole(new QuoteFrame(Buffer.from(text), 1), instruments, Int32Array.from(hints))
}

/** Instrument and texts of each row. */
function rowsOf(frame: QuoteFrame): unknown[] {
  assert.equal(frame.fault, null)
  return Array.from({ length: frame.rowCount }, (_, row) => [
    frame.instrumentOf(row),
    ...rowTexts.map((_, index) => frame.textOf(row, index)),
  ])
}

function reasonsOf(rows: readonly unknown[]): unknown[] {
  return read(snapshotText(rows)).refused.map(({ instrument, reason }) => [instrument, reason])
}

test('rows are parsed with their texts as written, up to 64 characters', () => {
  const long = `${'9'.repeat(31)}.${'1'.repeat(32)}`
  const frame = read(snapshotText([wireRow(1, '100.50', '0101', '2.0'), wireRow(0, long)]))
  assert.deepEqual(rowsOf(frame), [
    [1, '100.50', '0101', '2.0', '2.0'],
    [0, long, '0', '1', '1'],
  ])
  assert.equal(frame.isSnapshot, true)
  assert.equal(frame.hasText(0, 0, '100.50'), true)
  assert.equal(frame.hasText(0, 0, '100.5'), false)
})

test('a row with a longer number is left out, and the reason states its length', () => {
  const long = `1.${'0'.repeat(63)}`
  const reason = 'has 65 characters; at most 64 are allowed'
  const rows = [wireRow(0, long), wireRow(1, '5', '6', long), wireRow(2, `0${long}`)]
  assert.deepEqual(reasonsOf(rows), [
    [symbolAt(0), `bid_price ${reason}`],
    [symbolAt(1), `max_bid_size ${reason}`],
    [symbolAt(2), `bid_price has 66 characters; at most 64 are allowed`],
  ])
})

test('a side that is absent, null or empty is not quoted, and a row without sides fails', () => {
  const one = { instrument: symbolAt(0), bid_price: '5', max_bid_size: '1', ask_price: null }
  const other = { instrument: symbolAt(1), ask_price: '7', max_ask_size: '2', bid_price: '' }
  const none = { instrument: symbolAt(2), bid_price: '0.00', max_bid_size: '3' }
  const frame = read(snapshotText([one, other, none, { instrument: symbolAt(3) }]))
  assert.deepEqual(rowsOf(frame), [
    [0, '5', '0', '1', '0'],
    [1, '0', '7', '0', '2'],
  ])
  assert.deepEqual(frame.refused, [])
})

test('members and fields may come in any order, with others between them and with escapes', () => {
  const row = `{"x":[{"y":"}"}],"max_bid_size":"1","bid\\u005fprice":"1\\u0030","instrument":"${symbolAt(2)}"}`
  const frame = read(
    ` {"quotes" : [ ${row} ] , "z":{"quotes":[1]}, "type":"indicative_quote_update"} `,
  )
  assert.deepEqual(rowsOf(frame), [[2, '10', '0', '1', '0']])
  assert.equal(frame.hasText(0, 0, '10'), true)
})

test('a row whose instrument was guessed wrong is still found by its name, in any form', () => {
  const rows = [wireRow(3, '1'), { ...wireRow(0, '2'), instrument: 'BTC-28JUN30-1000.0-C' }]
  const frame = read(snapshotText(rows), [0, 3])
  assert.deepEqual(
    rowsOf(frame).map((row) => (row as number[])[0]),
    [3, 0],
  )
})

test('an unsound row is left out and named, and the others count', () => {
  const unsound = [
    wireRow(99, '1'),
    { ...wireRow(0, '1'), instrument: undefined },
    { ...wireRow(0, '1'), instrument: 7 },
    wireRow(0, '-1'),
    wireRow(0, '1', '1e3'),
    { ...wireRow(0, '1'), max_bid_size: 5 },
    { ...wireRow(0, '1'), max_ask_size: '1.' },
    17,
  ]
  assert.deepEqual(reasonsOf([...unsound, wireRow(1, '1')]), [
    [symbolAt(99), 'instrument is not listed'],
    ['', 'instrument must be a symbol'],
    ['', 'instrument must be a symbol'],
    [symbolAt(0), 'bid_price must not be negative'],
    [symbolAt(0), 'ask_price must be a decimal number, such as 12.5'],
    [symbolAt(0), 'max_bid_size must be a string'],
    [symbolAt(0), 'max_ask_size must be a decimal number, such as 12.5'],
    ['', 'row must be an object'],
  ])
  assert.equal(read(snapshotText([...unsound, wireRow(1, '1')])).rowCount, 1)
})

test('an expired instrument is not active, and a deleted one is not listed', () => {
  rig.tell(2, InstrumentState.ExpiredPendingPrice)
  rig.tell(3, InstrumentState.Deleted)
  assert.deepEqual(reasonsOf([wireRow(2, '1'), wireRow(3, '1')]), [
    [symbolAt(2), 'instrument is not active'],
    [symbolAt(3), 'instrument is not listed'],
  ])
  rig.tell(4, InstrumentState.Active)
})

test('an error names the first thousand rows that are left out, and counts all', () => {
  const frame = read(snapshotText([...Array(1200).fill(0), wireRow(0, '5')]))
  assert.deepEqual([frame.refusedCount, frame.refused.length, frame.rowCount], [1200, 1000, 1])
})

test('a frame that is not a sound JSON object fails as a whole', () => {
  const sound = snapshotText([wireRow(0, '1'), wireRow(1, '2')])
  for (let length = 0; length < sound.length; length++) {
    assert.equal(
      read(sound.slice(0, length)).fault?.result,
      Result.InvalidJson,
      sound.slice(0, length),
    )
  }
  for (const text of [`${sound}x`, `${sound},`, sound.replace(']', ',]'), '{"a":1,}', '{,}']) {
    assert.equal(read(text).fault?.result, Result.InvalidJson, text)
  }
  assert.equal(read(Buffer.from([0x7b, 0xff, 0x7d])).fault?.result, Result.InvalidJson)
  assert.equal(read('[1]').fault?.message, 'Invalid message: must be a JSON object')
})

test('a scope is exactly 32 lower-case hexadecimal digits', () => {
  const textOf = (value: unknown) =>
    read(JSON.stringify({ type: 'scoped_indicative_quote_update', scope: value, quotes: [] })).fault
  assert.equal(textOf(scope), null)
  assert.equal(textOf('abc')?.message, 'scope must be 32 lowercase hex chars, got length 3')
  assert.equal(textOf(scope.toUpperCase())?.message, 'scope must be canonical lowercase hex')
  assert.equal(textOf(undefined)?.message, 'Missing field: scope')
  assert.equal(textOf(5)?.message, 'Invalid scope: must be a string')
})

test('a snapshot has to have its rows, and another type is not a snapshot', () => {
  assert.equal(read('{"type":"indicative_quote_update"}').fault?.message, 'Missing field: quotes')
  const faultOf = (quotes: string) =>
    read(`{"type":"indicative_quote_update","quotes":${quotes}}`).fault
  assert.equal(faultOf('null')?.message, 'Missing field: quotes')
  for (const text of ['{}', '5', '"x"', 'false']) {
    assert.equal(faultOf(text)?.message, 'Invalid quotes: must be a list', text)
  }
  assert.equal(faultOf('5,"quotes":[]'), null, 'of two the last one counts')
  const other = read('{"type":"rfq_response","quotes":[{}]}')
  assert.deepEqual([other.fault, other.isSnapshot, other.type], [null, false, 'rfq_response'])
})

test('a frame that was copied survives changes of the received bytes', () => {
  const bytes = Buffer.from(snapshotText([wireRow(0, '1'), wireRow(1, '2')]))
  const frame = new QuoteFrame(bytes, 1)
  frame.read(3, instruments, () => new Int32Array(0))
  frame.keep()
  bytes.fill(0)
  assert.equal(rowsOf(readWhole(frame, instruments)).length, 2)
})

/** A frame as the parser and a loop would read it. */
function plainRows(text: string): unknown[] {
  const decimal = /^\d+(\.\d+)?$/
  const { quotes } = JSON.parse(text) as { quotes: Record<string, unknown>[] }
  return quotes.flatMap((row) => {
    const instrument = instruments.find(String(row['instrument']))
    const texts = rowTexts.map((name) => row[name] ?? '')
    const isSound = texts.every((value) => value === '' || decimal.test(String(value)))
    const isText =
      typeof row['instrument'] === 'string' && texts.every((t) => typeof t === 'string')
    const isQuoted = [0, 1].some((side) => Number(texts[side]) > 0 && Number(texts[side + 2]) > 0)
    if (!isText || !isSound || instrument < 0 || !isQuoted) return []
    return [[instrument, ...texts.map((value) => (value === '' ? '0' : value))]]
  })
}

test('a frame in any spelling is parsed as the JSON parser parses it', () => {
  const value = fc.oneof(
    fc.constantFrom('', '0', '0.00', '1.5', '007', '-1', '1e3', null, 5, ['1']),
    fc.stringMatching(/^\d{1,3}(\.\d{1,3})?$/),
  )
  const row = fc.record(
    {
      instrument: fc.constantFrom(symbolAt(0), symbolAt(1), symbolAt(4), symbolAt(50), 3),
      ...Object.fromEntries(rowTexts.map((name) => [name, value])),
      other: fc.constantFrom(1, null, 'x]}', [{ a: '}{' }], { b: [true] }),
    },
    { requiredKeys: [] },
  )
  const escaped = (text: string, every: number) =>
    text.replace(/[a-z0-9]/g, (letter, at: number) =>
      at % every === 0 ? `\\u00${letter.charCodeAt(0).toString(16)}` : letter,
    )
  const style = fc.record({ space: fc.constantFrom(0, 1), every: fc.constantFrom(0, 7, 11) })
  fc.assert(
    fc.property(fc.array(row, { maxLength: 6 }), style, (quotes, { space, every }) => {
      const frame = JSON.stringify({ quotes, type: 'indicative_quote_update' }, null, space)
      // Within strings only: outside of them an escape is no JSON.
      const text =
        every === 0 ? frame : frame.replace(/"[^"\\]*"/g, (string) => escaped(string, every))
      const taken = read(text, [0, 1, 4])
      assert.deepEqual(rowsOf(taken), plainRows(frame), text)
    }),
    { numRuns: 300 },
  )
})
