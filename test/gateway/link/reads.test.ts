import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventScript, smallMemory } from '../../../bench/event-script.js'
import { EventLogReader } from '../../../engine/memory/event-log.js'
import { Ring } from '../../../engine/memory/ring.js'
import { ReadClient } from '../../../gateway/link/reads.js'
import type { Fault } from '../../../gateway/wire/fault.js'
import { ReadRequest } from '../../../schemas/generated/reads.js'
import { ReplyPart, ReplyRecord } from '../../../schemas/generated/replies.js'
import { Result } from '../../../schemas/results.js'

const { Part, Last } = ReplyRecord

function rig() {
  const memory = smallMemory()
  const script = new EventScript(memory, 1)
  script.bootstrap()
  const logOffset = script.commit()
  const client = new ReadClient(memory, 0, new EventLogReader(memory.eventLog, 3))
  const requests = new Ring(memory.readRings[0]!, 'consumer')
  const replies = new Ring(memory.replyRings[0]!, 'producer')
  const part = new ReplyPart()
  const reply = (slot: number, type: typeof Part | typeof Last, status: number, text: string) => {
    assert.ok(part.claim(replies, type, ReplyPart.bytesWith(text.length)))
    Object.assign(part, { slot, status, bodyBytes: text.length })
    replies.u8.set(Buffer.from(text), part.bodyAt)
    replies.commit()
  }
  return { client, requests, reply, logOffset }
}

test('a read carries its route, its query and the offset of the log that clients may have received', () => {
  const { client, requests, logOffset } = rig()
  assert.equal(client.ask(3, 'wallet=0x1&x=é', 77, assert.fail), null)
  const read = new ReadRequest().over(requests, requests.next())
  const query = requests.u8.slice(read.queryAt, read.queryAt + read.queryBytes)
  assert.equal(read.recordType, 3)
  assert.equal(Buffer.from(query).toString(), 'wallet=0x1&x=é')
  assert.equal(read.logOffset, logOffset)
  assert.equal(read.arrivedMillis, 77)
})

test('parts of two replies are assembled for their own reads', () => {
  const { client, reply } = rig()
  const answers: string[] = []
  const listen = (name: string) => (status: number, body: Uint8Array) =>
    answers.push(`${name} ${status} ${Buffer.from(body)}`)
  client.ask(0, '', 0, listen('a'))
  client.ask(0, '', 0, listen('b'))
  reply(0, Part, 200, '[1,')
  reply(1, Part, 404, '{')
  reply(1, Last, 404, '}')
  reply(0, Last, 200, '2]')
  assert.equal(client.takeReplies(), 4)
  assert.deepEqual(answers, ['b 404 {}', 'a 200 [1,2]'])
  assert.equal(client.waiting, 0)
})

test('a read without an answer ends as not ready, and a late answer reaches nobody', () => {
  const { client, reply } = rig()
  const answers: number[] = []
  client.ask(0, '', 1000, (status) => answers.push(status))
  client.expire(10_999)
  assert.deepEqual(answers, [])
  client.expire(11_000)
  assert.deepEqual(answers, [503])
  reply(0, Last, 200, 'late')
  assert.equal(client.takeReplies(), 1)
  assert.deepEqual(answers, [503])
})

test('a full ring is answered as busy', () => {
  const { client } = rig()
  const query = 'x'.repeat(1000)
  let fault: Fault | null = null
  for (let i = 0; i < 100 && fault === null; i++) fault = client.ask(0, query, 0, () => {})
  assert.equal(fault?.result, Result.EngineBusy)
})
