import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  allocateOrderTimestamps,
  findTimestamp,
  noTimestamp,
  type OrderTimestamp,
  OrderTimestamps,
  rejectionsPerSecondMax,
  timestampsBetween,
} from '../../../engine/memory/order-timestamps.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import { Result } from '../../../schemas/results.js'

const rows = 4
const wallet = Uint8Array.from({ length: 20 }, (_, index) => index + 1)
const i32 = new Int32Array(wallet.slice().buffer)
const any = () => true

function send(
  timestamps: OrderTimestamps,
  nonceLow: number,
  recordType = CommandType.PlaceOrder,
): number {
  timestamps.beginSubmit()
  return timestamps.send({ recordType, nonceHigh: 7, nonceLow, i32 }, 0, performance.now())
}

function decide(timestamps: OrderTimestamps, row: number, seq: number, result: Result = 0): void {
  const facts = { orderId: result < 0 ? 0 : seq * 100, status: 1, instrument: 5 }
  timestamps.decide(row, { seq, result, flags: 0, facts, details: (index) => index + 0.5 }, seq - 1)
}

function byNonce(memory: SharedArrayBuffer, nonceLow: number): OrderTimestamp | null {
  return findTimestamp([memory], { wallet, nonceHigh: 7, nonceLow }, any)
}

test("a command's timestamps are found by its nonce at once, and by its order once decided", () => {
  const memory = allocateOrderTimestamps(rows)
  const timestamps = new OrderTimestamps(memory)
  timestamps.receive()
  timestamps.check()
  const row = send(timestamps, 3)
  timestamps.leave()
  const sent = byNonce(memory, 3)!
  assert.deepEqual([sent.isDecided, sent.seq, sent.orderId, sent.answeredMillis], [false, 0, 0, 0])
  assert.equal(findTimestamp([memory], { orderId: 4_200 }, any), null)
  decide(timestamps, row, 42)
  assert.equal(timestamps.decidedRow, row)
  timestamps.answerDecided()
  const found = findTimestamp([memory], { orderId: 4_200 }, any)!
  assert.deepEqual(
    [found.isDecided, found.seq, found.publishedSeq, found.instrument],
    [true, 42, 41, 5],
  )
  assert.deepEqual([found.nonceHigh, found.nonceLow, found.wallet], [7, 3, wallet])
  const times = [found.receivedMillis, found.checkedMillis, found.sentMillis, found.answeredMillis]
  assert.ok(times[0]! > 0)
  assert.deepEqual(
    times,
    [...times].sort((one, other) => one - other),
  )
})

test('a command sent outside a request has no arrival times', () => {
  const memory = allocateOrderTimestamps(rows)
  const timestamps = new OrderTimestamps(memory)
  timestamps.receive()
  timestamps.leave()
  timestamps.check()
  send(timestamps, 1)
  const { receivedMillis, checkedMillis, sentMillis } = byNonce(memory, 1)!
  assert.deepEqual([receivedMillis, checkedMillis], [0, 0])
  assert.ok(sentMillis > 0)
})

test('a rejection keeps its details, and the latest one of a nonce is found', () => {
  const memory = allocateOrderTimestamps(rows)
  const timestamps = new OrderTimestamps(memory)
  decide(timestamps, send(timestamps, 1), 5, Result.InsufficientMargin)
  assert.deepEqual([...byNonce(memory, 1)!.details].slice(0, 3), [0.5, 1.5, 2.5])
  decide(timestamps, send(timestamps, 1), 6)
  assert.equal(byNonce(memory, 1)!.result, 0)
  const isRefused = ({ result }: OrderTimestamp) => result < 0
  assert.equal(findTimestamp([memory], { wallet, nonceHigh: 7, nonceLow: 1 }, isRefused)!.seq, 5)
  assert.equal(findTimestamp([memory], { wallet, nonceHigh: 8, nonceLow: 1 }, any), null)
  const other = wallet.map((byte) => byte + 1)
  assert.equal(findTimestamp([memory], { wallet: other, nonceHigh: 7, nonceLow: 1 }, any), null)
})

test('an overwritten row is gone, and its late acknowledgement does not appear in the row that replaced it', () => {
  const memory = allocateOrderTimestamps(rows)
  const timestamps = new OrderTimestamps(memory)
  const first = send(timestamps, 1)
  for (const nonce of [2, 3, 4, 5]) send(timestamps, nonce)
  assert.equal(byNonce(memory, 1), null)
  decide(timestamps, first, 9)
  assert.equal(timestamps.decidedRow, noTimestamp)
  timestamps.answer(first)
  const heir = byNonce(memory, 5)!
  assert.deepEqual([heir.isDecided, heir.orderId, heir.answeredMillis], [false, 0, 0])
  decide(timestamps, noTimestamp, 10)
  assert.equal(byNonce(memory, 5)!.isDecided, false, 'an outcome without a row is dropped')
})

test('a row that is being written, or was written during the read, counts as missing', (t) => {
  const memory = allocateOrderTimestamps(rows)
  const timestamps = new OrderTimestamps(memory)
  decide(timestamps, send(timestamps, 1), 5)
  const versions = new Int32Array(memory, 128, rows)
  const version = versions[0]!
  versions[0] = 0
  assert.equal(byNonce(memory, 1), null)
  assert.deepEqual(timestampsBetween([memory], 1, 9), [])
  versions[0] = version
  const load = Atomics.load
  let loads = 0
  t.mock.method(Atomics, 'load', (words: Int32Array, index: number) => {
    if (++loads === 2) decide(timestamps, 0, 6)
    return load(words, index)
  })
  assert.equal(byNonce(memory, 1), null)
})

test('one answer applies to all commands sent with it, and to no other', () => {
  const memory = allocateOrderTimestamps(8)
  const timestamps = new OrderTimestamps(memory)
  const answered = () => [1, 2, 3, 4].map((nonce) => byNonce(memory, nonce)!.answeredMillis > 0)
  send(timestamps, 1)
  timestamps.beginSubmit()
  for (const nonceLow of [2, 3]) {
    const recordType = CommandType.PlaceOrder
    timestamps.send({ recordType, nonceHigh: 7, nonceLow, i32 }, 0, performance.now())
  }
  send(timestamps, 4)
  timestamps.answer(1)
  assert.deepEqual(answered(), [false, true, true, false])
})

test('the commands of all senders between two sequences come by rising sequence', () => {
  const memories = [allocateOrderTimestamps(rows), allocateOrderTimestamps(rows)]
  const [one, other] = memories.map((memory) => new OrderTimestamps(memory))
  decide(one!, send(one!, 1), 14)
  decide(other!, send(other!, 2), 12)
  decide(one!, send(one!, 3), 10)
  decide(one!, send(one!, 4), 20)
  const found = timestampsBetween(memories, 11, 19)
  assert.deepEqual(
    found.map(({ requester, seq }) => [requester, seq]),
    [
      [1, 12],
      [0, 14],
    ],
  )
})

test('an order that its gateway rejects alone has no sequence', () => {
  const memory = allocateOrderTimestamps(rows)
  const recordType = CommandType.PlaceOrder
  const order = { recordType, wallet, nonceHigh: 7, nonceLow: 2 }
  new OrderTimestamps(memory).refuse(order, Result.NoFunds)
  const { command, isDecided, result, seq } = byNonce(memory, 2)!
  assert.deepEqual([command, isDecided], [CommandType.PlaceOrder, true])
  assert.deepEqual([result, seq], [Result.NoFunds, 0])
})

test('endless rejections displace nothing: only a limited number per second is kept', () => {
  const memory = allocateOrderTimestamps()
  const timestamps = new OrderTimestamps(memory)
  const recordType = CommandType.PlaceOrder
  for (let nonceLow = 1; nonceLow <= rejectionsPerSecondMax + 1; nonceLow++) {
    timestamps.refuse({ recordType, wallet, nonceHigh: 7, nonceLow }, Result.Unauthorized, [60, 5])
  }
  const last = byNonce(memory, rejectionsPerSecondMax)!
  assert.deepEqual([...last.details.slice(0, 3)], [60, 5, 0])
  assert.equal(byNonce(memory, rejectionsPerSecondMax + 1), null)
  assert.equal(timestamps.decidedRow, noTimestamp)
})
