import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fill, FillFeed, type FillFeedOptions } from '../../../gateway/client/fill-feed.js'
import { FakeStream, settle } from '../../support/fake-stream.js'

type TradesQuery = { limit?: number; offset?: number; to_ts_ms?: number }

interface Venue {
  /** Ids, rising. */
  fills: number[]
  millisOf: (id: number) => number
  hold: Promise<void>
  isDown: boolean
  reads: number
  /** Numbers of the reads that have no answer. */
  failing: ReadonlySet<number>
}

/** The venue's rule: newest first, the end of the span exclusive, an offset with a bound. */
async function tradesOf(venue: Venue, query: TradesQuery = {}): Promise<never> {
  const { limit = 50, offset = 0, to_ts_ms: endMillis = Number.POSITIVE_INFINITY } = query
  venue.reads++
  if (venue.isDown || venue.failing.has(venue.reads)) throw new Error('not_ready')
  if (offset > 100_000) throw new Error('invalid_parameter')
  const { fills, millisOf } = venue
  let [count, above] = [0, fills.length]
  while (count < above) {
    const middle = (count + above) >> 1
    if (millisOf(fills[middle]!) < endMillis) count = middle + 1
    else above = middle
  }
  const end = Math.max(0, count - offset)
  const page = fills.slice(Math.max(0, end - limit), end).reverse()
  await venue.hold
  return page.map((id) => ({ fill_id: id, timestamp: millisOf(id) })) as never
}

/** A feed over a stream and a history of the test's own. */
function feedRig(options: Partial<FillFeedOptions> = {}) {
  const stream = new FakeStream()
  const venue: Venue = {
    ...{ fills: [], hold: Promise.resolve(), isDown: false, reads: 0, failing: new Set() },
    millisOf: (id) => id,
  }
  const client = { profile: { trades: (query?: TradesQuery) => tradesOf(venue, query) } }
  const delivered: string[] = []
  const feed = new FillFeed({
    ...{ stream, client },
    onFill: ({ fill_id: id }, isMissed) => delivered.push(`${id}${isMissed ? ' missed' : ''}`),
    onReconciled: () => delivered.push('reconciled'),
    ...options,
  })
  const say = (fill_id: number) => stream.say({ type: 'Fill', fill_id, timestamp: fill_id })
  return { stream, venue, feed, delivered, say }
}

async function untilReads(venue: Venue, reads: number): Promise<void> {
  while (venue.reads < reads) await settle()
  await settle()
}

test('it delivers fills from now on, each once', async () => {
  const { venue, delivered, say } = feedRig()
  venue.fills = [1, 2]
  await settle()
  for (const id of [2, 3, 3, 4]) say(id)
  assert.deepEqual(delivered, ['reconciled', '3', '4'])
})

test('fills during a broken connection are delivered first, by rising ids, over pages', async () => {
  const { stream, venue, delivered, say } = feedRig()
  venue.fills = [1]
  await settle()
  stream.drop()
  venue.fills = Array.from({ length: 250 }, (_, index) => index + 1)
  stream.connect()
  say(250)
  say(251)
  await settle()
  const missed = Array.from({ length: 249 }, (_, index) => `${index + 2} missed`)
  assert.deepEqual(delivered, ['reconciled', ...missed, '251', 'reconciled'])
})

test('a client that passes its last known fill gets all later ones', async () => {
  const { venue, delivered, feed } = feedRig({ afterFillId: 5 })
  venue.fills = [4, 5, 6, 7]
  await settle()
  assert.deepEqual(delivered, ['6 missed', '7 missed', 'reconciled'])
  assert.equal(feed.lastFillId, 7)
})

test('fills read before a connection was lost are read again after the next one', async () => {
  const { stream, venue, delivered } = feedRig({ afterFillId: 0 })
  let answer = () => {}
  venue.hold = new Promise((resolve) => {
    answer = resolve
  })
  venue.fills = [1]
  await settle()
  stream.drop()
  venue.fills = [1, 2]
  stream.connect()
  answer()
  await settle()
  await settle()
  assert.deepEqual(delivered, ['1 missed', '2 missed', 'reconciled'])
})

test('it delivers more than an offset reaches, and a failed read in between does not end it', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const errors: unknown[] = []
  const onError = (error: unknown) => errors.push(error)
  const fills: number[] = []
  const onFill = ({ fill_id: id }: Fill) => fills.push(id)
  const { venue, say, delivered, feed } = feedRig({ afterFillId: 0, onError, onFill })
  venue.fills = Array.from({ length: 101_000 }, (_, index) => index + 1)
  // Three of a millisecond, and of one of them more than two pages have.
  venue.millisOf = (id) => (id > 50_000 && id <= 50_250 ? 16_700 : Math.floor(id / 3))
  venue.failing = new Set([300, 301])
  await untilReads(venue, 300)
  assert.equal(errors.length, 1)
  t.mock.timers.tick(500)
  await untilReads(venue, 301)
  assert.equal(errors.length, 2)
  t.mock.timers.tick(499)
  await settle()
  assert.equal(venue.reads, 301, 'the second pause is longer than half of the first one at most')
  venue.fills.push(101_001)
  say(101_001)
  t.mock.timers.tick(501)
  while (delivered.length === 0) await settle()
  assert.deepEqual(
    fills,
    Array.from({ length: 101_001 }, (_, index) => index + 1),
  )
  assert.ok(venue.reads < 1_060, `${venue.reads} reads`)
  assert.deepEqual([feed.lastFillId, errors.length], [101_001, 2])
})

test('a closed feed delivers nothing', async () => {
  const { feed, delivered, say, stream } = feedRig()
  await settle()
  feed.close()
  say(9)
  assert.deepEqual([delivered, stream.subscribed], [['reconciled'], []])
})

test('messages of a resumed stream are delivered as missed, and nothing is read', async () => {
  const { stream, venue, delivered, say } = feedRig()
  venue.fills = [1]
  await settle()
  stream.drop()
  venue.isDown = true
  for (const id of [2, 3]) say(id)
  stream.drop()
  for (const id of [3, 4]) say(id)
  stream.connect('fills')
  say(5)
  await settle()
  assert.deepEqual(delivered, ['reconciled', '2 missed', '3 missed', '4 missed', 'reconciled', '5'])
})

test('a resumed stream does not replace a history that was not read to its end', async () => {
  const { stream, venue, delivered, say } = feedRig()
  venue.fills = [1]
  await settle()
  stream.drop()
  venue.fills = [1, 2]
  let read = () => {}
  venue.hold = new Promise((resolve) => {
    read = resolve
  })
  stream.connect()
  stream.drop()
  say(3)
  stream.connect('fills')
  venue.fills = [1, 2, 3]
  read()
  for (let turns = 0; turns < 5; turns++) await settle()
  assert.deepEqual(delivered, ['reconciled', '2 missed', '3 missed', 'reconciled'])
})

test('from an exchange restored from a backup it delivers the fills after the last one, and reports it', async () => {
  const errors: string[] = []
  const onError = (error: unknown) => errors.push((error as Error).message)
  const { stream, venue, delivered, say } = feedRig({ afterFillId: 0, onError })
  venue.fills = [1, 2, 3]
  await settle()
  say(4)
  stream.drop()
  // Its fills 3 and 4 are of a later time than ours were.
  venue.fills = [1, 2, 3, 4]
  venue.millisOf = (id) => (id < 3 ? id : id + 100)
  const { reads } = venue
  stream.connectSetBack()
  await untilReads(venue, reads + 2)
  say(5)
  assert.deepEqual(delivered, [
    ...['1 missed', '2 missed', '3 missed', 'reconciled', '4'],
    ...['3 missed', '4 missed', 'reconciled', '5'],
  ])
  assert.deepEqual(errors, ['the exchange was set back: fill 4 was delivered, its latest is 2'])
})
