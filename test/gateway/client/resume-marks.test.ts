import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ResumeMarks } from '../../../gateway/client/resume-marks.js'
import type { StreamMessage } from '../../../gateway/client/stream-types.js'

/** Marks that receive messages like a stream. */
function marksRig() {
  const marks = new ResumeMarks()
  const hear = (message: StreamMessage) => marks.take(message, JSON.stringify(message))
  const acked = (channel: string, seq: number) =>
    hear({ type: 'Subscribed', channel, as_of_seq: seq })
  const resumed = (channel: string, seq: number) =>
    hear({ type: 'Resumed', channel, from_seq: 0, as_of_seq: seq })
  const refused = (channel: string, seq: number) => {
    const code = 'resume_unavailable'
    return hear({ type: 'Error', code, request_type: 'Subscribe', channel, as_of_seq: seq })
  }
  return { marks, hear, acked, resumed, refused }
}

const fill = (id: number, seq: number) => ({ type: 'Fill', fill_id: id, seq })

test('it resumes after the beginning of its subscription, or after the last received message', () => {
  const { marks, hear, acked } = marksRig()
  marks.begin()
  assert.deepEqual(marks.ask('fills', true), { as_of_seq: true })
  assert.deepEqual(marks.ask('trades', true), { as_of_seq: true })
  assert.deepEqual(marks.ask('orderbook', true), {}, 'which nothing can go on with')
  acked('fills', 100)
  acked('trades', 101)
  hear({ type: 'Subscribed', channel: 'orderbook' })
  assert.deepEqual([...marks.resumed()], [], 'the first connection knows nothing of before')
  hear(fill(1, 107))
  marks.begin()
  assert.deepEqual(marks.ask('trades', true), { as_of_seq: true, from_seq: 101 })
  // Another message may share its sequence.
  assert.deepEqual(marks.ask('fills', true), { as_of_seq: true, from_seq: 106 })
})

test('a duplicate message is delivered once', () => {
  const { marks, hear, acked, resumed } = marksRig()
  marks.ask('fills', true)
  acked('fills', 100)
  assert.equal(hear(fill(1, 107)), true)
  marks.begin()
  marks.ask('fills', true)
  acked('fills', 120)
  assert.deepEqual([hear(fill(1, 107)), hear(fill(2, 108))], [false, true])
  assert.equal(marks.isAwaiting, true)
  // The connection breaks: the next one begins where this one did.
  marks.begin()
  assert.equal(marks.isAwaiting, false)
  assert.equal(marks.ask('fills', true)['from_seq'], 106)
  acked('fills', 125)
  assert.deepEqual(
    [hear(fill(1, 107)), hear(fill(2, 108)), hear(fill(3, 109))],
    [false, false, true],
  )
  resumed('fills', 130)
  assert.deepEqual([marks.isAwaiting, [...marks.resumed()]], [false, ['fills']])
  marks.begin()
  assert.equal(marks.ask('fills', true)['from_seq'], 130)
})

test('a channel resumes at the point that all of its subscriptions have reached', () => {
  const { marks, hear, acked, resumed } = marksRig()
  marks.ask('trades', true)
  acked('trades', 100)
  marks.begin()
  marks.ask('trades', true)
  marks.ask('trades', true)
  acked('trades', 100)
  acked('trades', 100)
  hear({ type: 'Trade', seq: 150 })
  resumed('trades', 160)
  marks.begin()
  assert.equal(marks.ask('trades', true)['from_seq'], 100, 'the second had not come to its end')
})

test('a failed resume is a gap of its channel only, and the next resume begins after it', () => {
  const { marks, acked, resumed, refused } = marksRig()
  for (const channel of ['fills', 'rfq']) marks.ask(channel, true)
  for (const channel of ['fills', 'rfq']) acked(channel, 100)
  marks.begin()
  for (const channel of ['fills', 'rfq']) marks.ask(channel, true)
  for (const channel of ['fills', 'rfq']) acked(channel, 200)
  refused('fills', 205)
  resumed('rfq', 206)
  assert.deepEqual([...marks.resumed()], ['rfq'])
  marks.begin()
  assert.equal(marks.ask('fills', true)['from_seq'], 205)
})

test('an exchange without resumes, or a failed subscription, leaves nothing pending', () => {
  const { marks, hear, acked } = marksRig()
  marks.ask('fills', true)
  acked('fills', 100)
  for (const answer of [
    { type: 'Subscribed', channel: 'fills' },
    { type: 'Error', code: 'unauthorized', request_type: 'Subscribe', channel: 'fills' },
  ]) {
    marks.begin()
    marks.ask('fills', true)
    hear(answer)
    assert.deepEqual([marks.isAwaiting, [...marks.resumed()]], [false, []])
  }
})

test('an acknowledgement advances all channels except those that are resuming', () => {
  const { marks, acked } = marksRig()
  for (const channel of ['fills', 'rfq']) marks.ask(channel, true)
  for (const channel of ['fills', 'rfq']) acked(channel, 100)
  marks.ask('fills', false)
  acked('fills', 300)
  marks.begin()
  assert.equal(marks.ask('rfq', true)['from_seq'], 300)
  marks.ask('fills', false)
  acked('rfq', 400)
  acked('fills', 400)
  marks.begin()
  assert.equal(marks.ask('rfq', true)['from_seq'], 300)
  assert.equal(marks.ask('fills', true)['from_seq'], 400)
})

test('an exchange restored from a backup is noticed, and the next connection resumes at its sequences', () => {
  const { marks, hear, acked, refused, resumed } = marksRig()
  marks.ask('fills', true)
  acked('fills', 1000)
  hear(fill(7, 1000))
  marks.begin()
  marks.ask('fills', true)
  acked('fills', 500)
  refused('fills', 500)
  assert.ok(marks.isSetBack)
  assert.deepEqual([...marks.resumed()], [])
  assert.ok(hear(fill(7, 1000)), 'the text that was heard once is of another fill')
  marks.begin()
  assert.ok(!marks.isSetBack)
  assert.equal(marks.ask('fills', true)['from_seq'], 999)
  acked('fills', 1000)
  resumed('fills', 1000)
  assert.ok(!marks.isSetBack)
})

test('an exchange that has lost the missed messages, but continued, was not restored', () => {
  const { marks, acked, refused } = marksRig()
  marks.ask('fills', true)
  acked('fills', 100)
  marks.begin()
  marks.ask('fills', true)
  acked('fills', 100)
  refused('fills', 100)
  assert.ok(!marks.isSetBack)
})
