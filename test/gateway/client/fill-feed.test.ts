import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fill, FillFeed, type FillFeedOptions } from '../../../gateway/client/fill-feed.js'
import { FakeStream, settle } from '../../support/fake-stream.js'

/** A feed over a stream and a history of the test's own. */
function feedRig(options: Partial<FillFeedOptions> = {}) {
  const stream = new FakeStream()
  const venue = { fills: [] as number[], hold: Promise.resolve(), isDown: false }
  const rows = () => [...venue.fills].reverse().map((fill_id) => ({ fill_id }) as Fill)
  const client = {
    async fills({ limit = 50, offset = 0 }: { limit?: number; offset?: number } = {}) {
      if (venue.isDown) throw new Error('not_ready')
      const page = rows().slice(offset, offset + limit)
      await venue.hold
      return page as never
    },
  }
  const told: string[] = []
  const feed = new FillFeed({
    ...{ stream, client },
    onFill: ({ fill_id: id }, isMissed) => told.push(`${id}${isMissed ? ' missed' : ''}`),
    onReconciled: () => told.push('reconciled'),
    ...options,
  })
  const say = (fill_id: number) => stream.say({ type: 'Fill', fill_id })
  return { stream, venue, feed, told, say }
}

test('it tells what comes from now on, each fill once', async () => {
  const { venue, told, say } = feedRig()
  venue.fills = [1, 2]
  await settle()
  for (const id of [2, 3, 3, 4]) say(id)
  assert.deepEqual(told, ['reconciled', '3', '4'])
})

test('what was made while the stream was down is told first, by rising ids, over pages', async () => {
  const { stream, venue, told, say } = feedRig()
  venue.fills = [1]
  await settle()
  stream.drop()
  venue.fills = Array.from({ length: 250 }, (_, index) => index + 1)
  stream.connect()
  say(250)
  say(251)
  await settle()
  const missed = Array.from({ length: 249 }, (_, index) => `${index + 2} missed`)
  assert.deepEqual(told, ['reconciled', ...missed, '251', 'reconciled'])
})

test('who has kept the last fill that it has seen is told all behind it', async () => {
  const { venue, told, feed } = feedRig({ afterFillId: 5 })
  venue.fills = [4, 5, 6, 7]
  await settle()
  assert.deepEqual(told, ['6 missed', '7 missed', 'reconciled'])
  assert.equal(feed.lastFillId, 7)
})

test('what was read before a connection was lost is read again behind the next one', async () => {
  const { stream, venue, told } = feedRig({ afterFillId: 0 })
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
  assert.deepEqual(told, ['1 missed', '2 missed', 'reconciled'])
})

test('a closed feed tells nothing', async () => {
  const { feed, told, say, stream } = feedRig()
  await settle()
  feed.close()
  say(9)
  assert.deepEqual([told, stream.subscribed], [['reconciled'], []])
})

test('what a stream brings that goes on where it was is told as missed, and nothing is read', async () => {
  const { stream, venue, told, say } = feedRig()
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
  assert.deepEqual(told, ['reconciled', '2 missed', '3 missed', '4 missed', 'reconciled', '5'])
})

test('a stream that goes on does not make up for a history that was not read to its end', async () => {
  const { stream, venue, told, say } = feedRig()
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
  assert.deepEqual(told, ['reconciled', '2 missed', '3 missed', 'reconciled'])
})
