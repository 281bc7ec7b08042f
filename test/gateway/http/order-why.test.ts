import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { BatchTimestamps } from '../../../engine/memory/batch-timestamps.js'
import { OrderTimestamps } from '../../../engine/memory/order-timestamps.js'
import { whyStored, withoutAmounts } from '../../../gateway/http/order-why.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import { OutcomeFlag } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { type GatewayRig, orderBody, owner, startRig } from '../../support/gateway-rig.js'

let rig: GatewayRig
let historyStatus = 200
let batchNumber = 0

before(async () => {
  const nowMillis = Date.now() // does not pass: a full window stays full
  rig = await startRig({}, { historyStatus: () => historyStatus, nowMillis: () => nowMillis })
})
beforeEach(() => {
  rig.core.decide = () => ({})
  historyStatus = 200
})
after(() => rig.stop())

async function ask(query: string) {
  const response = await rig.request('GET', `/orders/why?${query}`)
  return { status: response.status, body: JSON.parse(await response.text()) }
}

async function why(query: string) {
  const { status, body } = await ask(query)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

async function place(body = orderBody()) {
  const response = await rig.request('POST', '/order', body)
  return { body, answer: JSON.parse(await response.text()) }
}

/** Publishes the timestamps of a batch with these sequences, like the core. */
function emitBatch(firstSeq: number, lastSeq: number, commands = 1): void {
  const timestamps = new BatchTimestamps(rig.memory.batchTimestamps)
  timestamps.onBegun(performance.now())
  timestamps.onCollected()
  timestamps.onClosed(++batchNumber, firstSeq, lastSeq, commands, 1_700_000_000_000)
}

const micros = (stages: Record<string, number | null>) =>
  Object.entries(stages)
    .filter(([, value]) => value === null)
    .map(([name]) => name.replace('_micros', ''))

test('an order without the timestamps of its batch has only the times of its gateway', async () => {
  const { answer } = await place()
  const published = await why(`order_id=${answer.order_id}`)
  assert.deepEqual(micros(published.stages), ['ring', 'batch', 'match', 'flush', 'pump'])
  assert.deepEqual([published.batch, published.neighbours, published.status], [null, [], 'ACKED'])
  assert.ok(published.stages.total_micros > 0)
})

test('an order that waited for quotes has no batch, and its time there is unknown', async () => {
  rig.core.decide = () => ({ outcomeFlags: OutcomeFlag.Late })
  const { answer } = await place()
  emitBatch(answer.seq, answer.seq)
  const published = await why(`order_id=${answer.order_id}`)
  assert.deepEqual(micros(published.stages), ['ring', 'batch', 'match', 'flush'])
  assert.deepEqual([published.batch, published.neighbours], [null, []])
})

test('an unanswered command is in flight', async () => {
  rig.core.isStalled = true
  const body = orderBody()
  const sent = place(body)
  const query = `wallet=${owner.address}&nonce=${body['nonce']}`
  let published = await ask(query)
  while (published.status === 404) published = await ask(query)
  assert.deepEqual([published.body.data.status, published.body.data.seq], ['IN_FLIGHT', null])
  assert.equal(published.body.data.stages.total_micros, null)
  rig.core.isStalled = false
  await sent
  assert.equal((await why(query)).status, 'ACKED')
})

test('neighbors are those of all requesters, and the operator is not a gateway', async () => {
  const { answer } = await place()
  const other = new OrderTimestamps(rig.memory.orderTimestamps.at(-1)!)
  const i32 = new Int32Array(5)
  const command = { recordType: CommandType.SetHalt, nonceHigh: 0, nonceLow: 0, i32 }
  const facts = { orderId: 0, status: 0, instrument: -1 }
  const row = other.send(command, 0, performance.now())
  const seq = answer.seq + 1
  other.decide(row, { ...{ seq, result: 0, flags: 0, facts }, details: () => 0 }, seq)
  emitBatch(answer.seq, seq, 2)
  const published = await why(`order_id=${answer.order_id}`)
  assert.deepEqual([published.batch.place, published.batch.commands], [1, 2])
  const [neighbour] = published.neighbours
  assert.deepEqual(
    [neighbour.seq, neighbour.place, neighbour.action, neighbour.gateway, neighbour.status],
    [seq, 2, 'SetHalt', null, null],
  )
})

test('a duplicate of an order reveals nothing about it, and a later order with a failed nonce does', async () => {
  rig.core.decide = () => ({ result: Result.TierLongOnly })
  const { body } = await place()
  const query = `wallet=${owner.address}&nonce=${body['nonce']}`
  assert.equal((await why(query)).reason, 'tier_long_only')
  rig.core.decide = () => ({ orderId: 77 })
  await place(body)
  const published = await why(query)
  assert.deepEqual([published.order_id, published.reason, published.check], [77, null, null])
  rig.core.decide = () => ({ orderId: 77, outcomeFlags: OutcomeFlag.Repeat })
  await place(body)
  const again = await why('order_id=77')
  assert.deepEqual([again.seq, again.stages], [published.seq, published.stages])
})

test('times that were not measured are looked up in the store, and nothing is invented', async () => {
  assert.equal((await ask('order_id=5')).status, 404)
  historyStatus = 503
  assert.deepEqual((await ask('order_id=5')).body.code, 'not_ready')
  assert.equal(whyStored(null), null)
  const symbol = 'BTC-20300628-100000-C'
  const row = { order_id: 5, symbol, status: 'filled', reason_code: null }
  const published = whyStored(row)!
  assert.deepEqual([published.source, published.status, published.order_id], ['store', 'FILLED', 5])
  assert.ok(Object.values(published.stages).every((part) => part === null))
  assert.deepEqual(
    [published.batch, published.wallet, published.seq, published.received_at],
    [null, null, null, null],
  )
})

test('an error with amounts private to its wallet shows only its name', () => {
  const stored = whyStored({ order_id: 7, symbol: '', status: 'rejected', reason_code: null })!
  assert.deepEqual(withoutAmounts(stored), stored)
  const check = { name: 'insufficient_margin', has: '5', needs: '7', details: { equity: '5' } }
  const margin = { model: 'standard', scenario: null, binding: 'short_minimum' } as const
  const published = withoutAmounts({ ...stored, check: { ...check, note: null }, margin })
  assert.doesNotMatch(JSON.stringify(published), /[57]"|equity|short_minimum/)
  assert.equal(published.check!.name, check.name)
})

test('an error of the gateway is found by its nonce: for its window or its signature', async () => {
  const { body: first, answer } = await place()
  assert.equal(answer.status, 'ACKED')
  let limited = orderBody()
  let response = await rig.request('POST', '/order', limited)
  while (response.status === 200) {
    limited = orderBody()
    response = await rig.request('POST', '/order', limited)
  }
  assert.equal(response.status, 429)
  const { retry_after_secs: seconds, limit } = JSON.parse(await response.text())
  const published = await why(`wallet=${owner.address}&nonce=${limited['nonce']}`)
  const expected = `Nothing was left of OrderPlacement, ${limit} a minute, for ${seconds} seconds more.`
  assert.deepEqual(
    [published.status, published.reason, published.check.note],
    ['REJECTED', 'rate_limit_exceeded', expected],
  )
  assert.deepEqual([published.check.has, published.check.needs], [0, 1])
  assert.ok(published.stages.total_micros > 0 && published.batch === null)
  // A later failure with the same wallet and nonce does not hide an order.
  const signature = `0x${'ff'.repeat(64)}1b`
  assert.equal((await place({ ...first, signature })).answer.code, 'signature_verification_failed')
  const mine = await why(`wallet=${owner.address}&nonce=${first['nonce']}`)
  assert.deepEqual([mine.order_id, mine.reason], [answer.order_id, null])
  const forged: Record<string, unknown> = { ...orderBody(), signature }
  await place(forged)
  const refused = await why(`wallet=${owner.address}&nonce=${forged['nonce']}`)
  assert.deepEqual([refused.reason, refused.check.details], ['signature_verification_failed', null])
  assert.match(refused.check.note, /order\/debug/)
})
