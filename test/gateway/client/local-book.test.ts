import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BusyError } from '../../../gateway/client/client-error.js'
import { LocalBook } from '../../../gateway/client/local-book.js'
import { FakeStream, settle } from '../../support/fake-stream.js'

const symbol = 'BTC-20300628-100000-C'
type Levels = readonly (readonly [number, number])[]

/** A book over a stream and a GET of the test's own. */
function bookRig() {
  const stream = new FakeStream()
  const venue = {
    ...{ bids: [[100, 1]] as Levels, asks: [] as Levels, seq: 10, isListed: true },
    asked: [] as unknown[],
    hold: Promise.resolve(),
  }
  const rest = {
    async request<Answer>(_: string, path: string, options: object = {}): Promise<Answer> {
      const { query } = options as { query: { readonly min_seq: number } }
      venue.asked.push([path, query])
      if (query.min_seq > venue.seq) throw new BusyError(503, 'not_ready', 'not there yet', {})
      const { bids, asks, seq, isListed, hold } = venue
      await hold
      return { result: isListed ? { bids, asks } : null, as_of_seq: seq } as Answer
    },
  }
  const states: string[] = []
  const onChange = ({ state }: LocalBook) => states.push(state)
  const book = new LocalBook({ stream, rest, symbol, onChange })
  const say = (seq: number, bids: unknown, asks: unknown, of = symbol) =>
    stream.say({ type: 'OrderbookUpdate', symbol: of, bids, asks, seq })
  const best = () => [book.bids[0]?.price, book.asks[0]?.price]
  return { stream, venue, book, say, best, states }
}

test('it begins with the answer of GET /orderbook, and each message replaces both sides', async () => {
  const { book, say, best, venue } = bookRig()
  assert.equal(book.state, 'repairing')
  await settle()
  assert.deepEqual([book.state, book.seq, book.repairs], ['live', 10, 1])
  assert.deepEqual(venue.asked, [['/orderbook', { instrument_id: symbol, depth: 100, min_seq: 0 }]])
  assert.deepEqual(book.bids, [{ price: '100', size: '1' }])
  say(11, [['99', '2']], [['101', '0.00000001']])
  assert.deepEqual(best(), ['99', '101'])
  say(12, [], [], 'ETH-20300628-4000-C')
  assert.equal(book.seq, 11)
  say(13, [], [])
  assert.deepEqual([best(), book.seq], [[undefined, undefined], 13])
})

test('small sizes have no exponent, from any source', async () => {
  const { book, venue } = bookRig()
  venue.asks = [[101, 1e-8]]
  await settle()
  assert.deepEqual(book.asks, [{ price: '101', size: '0.00000001' }])
})

test('a message at or below the known sequence is late', async () => {
  const { book, say, best } = bookRig()
  await settle()
  say(10, [['1', '1']], [])
  say(9, [['2', '1']], [])
  assert.deepEqual([best(), book.staleMessages], [['100', undefined], 2])
})

test('messages that arrive during loading stay if they are newer', async () => {
  const { book, say, best, venue } = bookRig()
  let answer = () => {}
  venue.hold = new Promise((resolve) => {
    answer = resolve
  })
  await settle()
  say(12, [['98', '1']], [])
  answer()
  await settle()
  assert.deepEqual([best(), book.seq, book.state], [['98', undefined], 12, 'live'])
})

test('after a reconnect it loads at least the known sequence again', async () => {
  const { stream, book, venue, best, states } = bookRig()
  await settle()
  stream.drop()
  assert.equal(book.state, 'stale')
  assert.deepEqual(best(), ['100', undefined], 'the last that was known')
  // The book is empty by now, and the stream does not report that.
  Object.assign(venue, { bids: [], seq: 30 })
  stream.connect()
  assert.equal(book.state, 'repairing')
  await settle()
  assert.deepEqual([book.state, book.bids, book.seq], ['live', [], 30])
  assert.deepEqual(venue.asked.at(-1), [
    '/orderbook',
    { instrument_id: symbol, depth: 100, min_seq: 10 },
  ])
  assert.deepEqual(states, ['live', 'stale', 'repairing', 'live'])
})

test('an answer to a request of an earlier connection is ignored after a reconnect', async () => {
  const { stream, book, venue } = bookRig()
  await settle()
  let answer = () => {}
  stream.drop()
  venue.hold = new Promise((resolve) => {
    answer = resolve
  })
  stream.connect()
  stream.drop()
  Object.assign(venue, { bids: [], seq: 40 })
  stream.connect()
  answer()
  await settle()
  await settle()
  assert.deepEqual([book.state, book.bids, book.seq], ['live', [], 40])
})

test('crossed or unsorted sides are not a book: it loads again', async () => {
  const { book, say, venue, best } = bookRig()
  await settle()
  const wrong: readonly (readonly [unknown, unknown])[] = [
    [[['102', '1']], [['101', '1']]],
    [
      [
        ['99', '1'],
        ['100', '1'],
      ],
      [],
    ],
    [[['x', '1']], [['101', '1']]],
    [[['99', '0']], []],
    [[], [['101', '-1']]],
    [[['0', '1']], [['101', '1']]],
    [[['-1', '1']], []],
  ]
  for (const [index, [bids, asks]] of wrong.entries()) {
    venue.seq = 50 + index
    say(50 + index, bids, asks)
    await settle()
    assert.deepEqual([book.state, book.repairs, best()], ['live', 2 + index, ['100', undefined]])
  }
})

test('an invalid sequence is not a book', async () => {
  const { book, say, best } = bookRig()
  await settle()
  say(1e300, [['99', '1']], [])
  assert.equal(book.state, 'repairing')
  await settle()
  assert.deepEqual([book.state, book.seq, best()], ['live', 10, ['100', undefined]])
})

test('a message with a lower sequence than before makes it load again', async () => {
  const { book, say, venue, stream } = bookRig()
  await settle()
  say(12, [['99', '1']], [])
  Object.assign(venue, { bids: [[98, 1]], seq: 13 })
  say(11, [['97', '1']], [])
  assert.equal(book.state, 'repairing')
  await settle()
  assert.deepEqual([book.state, book.bids[0]?.price, book.repairs], ['live', '98', 2])
  stream.drop()
  say(10, [], [])
  assert.equal(book.state, 'stale', 'another connection')
})

test('an invalid answer is requested again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { book, venue } = bookRig()
  venue.bids = [[100, 0]]
  await settle()
  assert.deepEqual([book.state, book.bids], ['repairing', []])
  venue.bids = [[100, 1]]
  t.mock.timers.tick(500)
  await settle()
  assert.deepEqual([book.state, book.bids[0]?.price], ['live', '100'])
})

test('it gives up after ten seconds on a sequence that the exchange does not reach', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let nowMillis = 0
  t.mock.method(performance, 'now', () => nowMillis)
  const { book, say, venue } = bookRig()
  const wait = async (millis: number) => {
    nowMillis += millis
    t.mock.timers.tick(500)
    await settle()
  }
  await settle()
  say(9e15, [['99', '1']], [])
  say(11, [['98', '1']], [])
  await settle()
  await wait(9_900)
  assert.deepEqual([book.state, book.seq], ['repairing', 9e15])
  Object.assign(venue, { bids: [[97, 1]], seq: 12 })
  await wait(100)
  await wait(500)
  assert.deepEqual([book.state, book.seq, book.bids[0]?.price], ['live', 12, '97'])
  say(13, [['96', '1']], [])
  assert.equal(book.bids[0]?.price, '96')
})

test('an unlisted instrument is reported, and a closed book receives nothing', async () => {
  const { book, venue, stream, say } = bookRig()
  venue.isListed = false
  await settle()
  assert.equal(book.state, 'unlisted')
  book.close()
  say(60, [['1', '1']], [])
  stream.connect()
  assert.deepEqual([book.state, book.bids, stream.subscribed], ['closed', [], []])
})
