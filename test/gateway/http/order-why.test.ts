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
  const trace = await why(`order_id=${answer.order_id}`)
  assert.deepEqual(micros(trace.stages), ['ring', 'batch', 'match', 'flush', 'pump'])
  assert.deepEqual([trace.batch, trace.neighbours, trace.status], [null, [], 'ACKED'])
  assert.ok(trace.stages.total_micros > 0)
})

test('an order that waited for quotes has no batch, and its time there is unknown', async () => {
  rig.core.decide = () => ({ outcomeFlags: OutcomeFlag.Late })
  const { answer } = await place()
  emitBatch(answer.seq, answer.seq)
  const trace = await why(`order_id=${answer.order_id}`)
  assert.deepEqual(micros(trace.stages), ['ring', 'batch', 'match', 'flush'])
  assert.deepEqual([trace.batch, trace.neighbours], [null, []])
})

test('an unanswered command is in flight', async () => {
  rig.core.isStalled = true
  const body = orderBody()
  const sent = place(body)
  const query = `wallet=${owner.address}&nonce=${body['nonce']}`
  let response = await ask(query)
  while (response.status === 404) response = await ask(query)
  assert.deepEqual([response.body.data.status, response.body.data.seq], ['IN_FLIGHT', null])
  assert.equal(response.body.data.stages.total_micros, null)
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
  const trace = await why(`order_id=${answer.order_id}`)
  assert.deepEqual([trace.batch.place, trace.batch.commands], [1, 2])
  const [neighbour] = trace.neighbours
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
  const trace = await why(query)
  assert.deepEqual([trace.order_id, trace.reason, trace.check], [77, null, null])
  rig.core.decide = () => ({ orderId: 77, outcomeFlags: OutcomeFlag.Repeat })
  await place(body)
  const again = await why('order_id=77')
  assert.deepEqual([again.seq, again.stages], [trace.seq, trace.stages])
})

test('times that were not measured are looked up in the store, and nothing is invented', async () => {
  assert.equal((await ask('order_id=5')).status, 404)
  historyStatus = 503
  assert.deepEqual((await ask('order_id=5')).body.code, 'not_ready')
  assert.equal(whyStored(null), null)
  const symbol = 'BTC-20300628-100000-C'
  const row = { order_id: 5, symbol, status: 'filled', reason_code: null }
  const trace = whyStored(row)!
  assert.deepEqual([trace.source, trace.status, trace.order_id], ['store', 'FILLED', 5])
  assert.ok(Object.values(trace.stages).every((part) => part === null))
  assert.deepEqual(
    [trace.batch, trace.wallet, trace.seq, trace.received_at],
    [null, null, null, null],
  )
})

test('an error with amounts private to its wallet shows only its name', () => {
  const stored = whyStored({ order_id: 7, symbol: '', status: 'rejected', reason_code: null })!
  assert.deepEqual(withoutAmounts(stored), stored)
  const check = { name: 'insufficient_margin', has: '5', needs: '7', details: { equity: '5' } }
  const margin = { model: 'standard', scenario: null, binding: 'short_minimum' } as const
  const trace = withoutAmounts({ ...stored, check: { ...check, note: null }, margin })
  assert.doesNotMatch(JSON.stringify(trace), /[57]"|equity|short_minimum/)
  assert.equal(trace.check!.name, check.name)
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
  const trace = await why(`wallet=${owner.address}&nonce=${limited['nonce']}`)
  const expected = `Nothing was left of OrderPlacement, ${limit} a minute, for ${seconds} seconds more.`
  assert.deepEqual(
    [trace.status, trace.reason, trace.check.note],
    ['REJECTED', 'rate_limit_exceeded', expected],
  )
  assert.deepEqual([trace.check.has, trace.check.needs], [0, 1])
  assert.ok(trace.stages.total_micros > 0 && trace.batch === null)
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
