import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Outbox } from '../../../gateway/ws/outbox.js'

const message = (text: string, key: string | null = null, queuedMillis = 0) => ({
  bytes: Buffer.from(text),
  messageClass: 'trades' as never,
  key,
  queuedMillis,
})

function drain(outbox: Outbox): string[] {
  const texts: string[] = []
  for (let next = outbox.shift(); next !== null; next = outbox.shift()) {
    texts.push(Buffer.from(next.bytes).toString())
  }
  return texts
}

test('messages leave in the order of their arrival', () => {
  const outbox = new Outbox({ queueMessages: 10, queueBytes: 100 })
  for (const text of ['a', 'bb', 'ccc']) assert.equal(outbox.push(message(text)), null)
  assert.equal(outbox.count, 3)
  assert.equal(outbox.bytes, 6)
  assert.deepEqual(drain(outbox), ['a', 'bb', 'ccc'])
  assert.equal(outbox.bytes, 0)
})

test('a newer message of a key replaces the waiting one, at the end', () => {
  const outbox = new Outbox({ queueMessages: 10, queueBytes: 100 })
  outbox.push(message('old', 'k', 1))
  outbox.push(message('x', null, 2))
  outbox.push(message('newer', 'k', 3))
  assert.equal(outbox.count, 2)
  assert.equal(outbox.bytes, 6)
  assert.equal(outbox.oldest()?.queuedMillis, 2)
  assert.deepEqual(drain(outbox), ['x', 'newer'])
  outbox.push(message('again', 'k'))
  assert.deepEqual(drain(outbox), ['again'])
})

test('the limits themselves are accepted', () => {
  const few = new Outbox({ queueMessages: 2, queueBytes: 100 })
  few.push(message('a'))
  assert.equal(few.push(message('b')), null)
  assert.equal(few.push(message('c')), 'message_limit')
  const small = new Outbox({ queueMessages: 100, queueBytes: 4 })
  assert.equal(small.push(message('four')), null)
  assert.equal(small.push(message('x')), 'byte_limit')
})

test('it agrees with a plain list over many random steps', () => {
  const seed = 4711
  let state = seed
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state % below
  }
  const outbox = new Outbox({ queueMessages: 1e9, queueBytes: 1e9 })
  let plain: { text: string; key: string | null }[] = []
  for (let step = 0; step < 20_000; step++) {
    if (random(100) < 60) {
      const key = random(3) === 0 ? `k${random(20)}` : null
      const text = String(step)
      plain = plain.filter((item) => key === null || item.key !== key)
      plain.push({ text, key })
      outbox.push(message(text, key))
    } else {
      const expected = plain.shift()?.text
      const got = outbox.shift()
      assert.equal(got && Buffer.from(got.bytes).toString(), expected ?? null, `seed ${seed}`)
    }
    assert.equal(outbox.count, plain.length, `seed ${seed}, step ${step}`)
  }
})
