import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  allocateOrderStamps,
  findStamp,
  noStamp,
  type OrderStamp,
  OrderStamps,
  rejectionsPerSecondMax,
  stampsBetween,
} from '../../../engine/memory/order-stamps.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import { Result } from '../../../schemas/results.js'

const rows = 4
const wallet = Uint8Array.from({ length: 20 }, (_, index) => index + 1)
const i32 = new Int32Array(wallet.slice().buffer)
const any = () => true

function send(stamps: OrderStamps, nonceLow: number, recordType = CommandType.PlaceOrder): number {
  stamps.beginSubmit()
  return stamps.send({ recordType, nonceHigh: 7, nonceLow, i32 }, 0, performance.now())
}

function decide(stamps: OrderStamps, row: number, seq: number, result: Result = 0): void {
  const facts = { orderId: result < 0 ? 0 : seq * 100, status: 1, instrument: 5 }
  stamps.decide(row, { seq, result, flags: 0, facts, details: (index) => index + 0.5 }, seq - 1)
}

function byNonce(memory: SharedArrayBuffer, nonceLow: number): OrderStamp | null {
  return findStamp([memory], { wallet, nonceHigh: 7, nonceLow }, any)
}

test("a command's timestamps are found by its nonce at once, and by its order once decided", () => {
  const memory = allocateOrderStamps(rows)
  const stamps = new OrderStamps(memory)
  stamps.receive()
  stamps.check()
  const row = send(stamps, 3)
  stamps.leave()
  const sent = byNonce(memory, 3)!
  assert.deepEqual([sent.isDecided, sent.seq, sent.orderId, sent.answeredMillis], [false, 0, 0, 0])
  assert.equal(findStamp([memory], { orderId: 4_200 }, any), null)
  decide(stamps, row, 42)
  assert.equal(stamps.told, row)
  stamps.answerTold()
  const told = findStamp([memory], { orderId: 4_200 }, any)!
  assert.deepEqual([told.isDecided, told.seq, told.toldSeq, told.instrument], [true, 42, 41, 5])
  assert.deepEqual([told.nonceHigh, told.nonceLow, told.wallet], [7, 3, wallet])
  const times = [told.receivedMillis, told.checkedMillis, told.sentMillis, told.answeredMillis]
  assert.ok(times[0]! > 0)
  assert.deepEqual(
    times,
    [...times].sort((one, other) => one - other),
  )
})

test('a command sent outside a request has no arrival times', () => {
  const memory = allocateOrderStamps(rows)
  const stamps = new OrderStamps(memory)
  stamps.receive()
  stamps.leave()
  stamps.check()
  send(stamps, 1)
  const { receivedMillis, checkedMillis, sentMillis } = byNonce(memory, 1)!
  assert.deepEqual([receivedMillis, checkedMillis], [0, 0])
  assert.ok(sentMillis > 0)
})

test('a rejection keeps its details, and the latest one of a nonce is found', () => {
  const memory = allocateOrderStamps(rows)
  const stamps = new OrderStamps(memory)
  decide(stamps, send(stamps, 1), 5, Result.InsufficientMargin)
  assert.deepEqual([...byNonce(memory, 1)!.details].slice(0, 3), [0.5, 1.5, 2.5])
  decide(stamps, send(stamps, 1), 6)
  assert.equal(byNonce(memory, 1)!.result, 0)
  const isRefused = ({ result }: OrderStamp) => result < 0
  assert.equal(findStamp([memory], { wallet, nonceHigh: 7, nonceLow: 1 }, isRefused)!.seq, 5)
  assert.equal(findStamp([memory], { wallet, nonceHigh: 8, nonceLow: 1 }, any), null)
  const other = wallet.map((byte) => byte + 1)
  assert.equal(findStamp([memory], { wallet: other, nonceHigh: 7, nonceLow: 1 }, any), null)
})

test('an overwritten row is gone, and its late acknowledgement does not appear in the row that replaced it', () => {
  const memory = allocateOrderStamps(rows)
  const stamps = new OrderStamps(memory)
  const first = send(stamps, 1)
  for (const nonce of [2, 3, 4, 5]) send(stamps, nonce)
  assert.equal(byNonce(memory, 1), null)
  decide(stamps, first, 9)
  assert.equal(stamps.told, noStamp)
  stamps.answer(first)
  const heir = byNonce(memory, 5)!
  assert.deepEqual([heir.isDecided, heir.orderId, heir.answeredMillis], [false, 0, 0])
  decide(stamps, noStamp, 10)
  assert.equal(byNonce(memory, 5)!.isDecided, false, 'an outcome without a row is dropped')
})

test('a row that is being written, or was written during the read, counts as missing', (t) => {
  const memory = allocateOrderStamps(rows)
  const stamps = new OrderStamps(memory)
  decide(stamps, send(stamps, 1), 5)
  const versions = new Int32Array(memory, 128, rows)
  const version = versions[0]!
  versions[0] = 0
  assert.equal(byNonce(memory, 1), null)
  assert.deepEqual(stampsBetween([memory], 1, 9), [])
  versions[0] = version
  const load = Atomics.load
  let loads = 0
  t.mock.method(Atomics, 'load', (words: Int32Array, index: number) => {
    if (++loads === 2) decide(stamps, 0, 6)
    return load(words, index)
  })
  assert.equal(byNonce(memory, 1), null)
})

test('one answer applies to all commands sent with it, and to no other', () => {
  const memory = allocateOrderStamps(8)
  const stamps = new OrderStamps(memory)
  const answered = () => [1, 2, 3, 4].map((nonce) => byNonce(memory, nonce)!.answeredMillis > 0)
  send(stamps, 1)
  stamps.beginSubmit()
  for (const nonceLow of [2, 3]) {
    const recordType = CommandType.PlaceOrder
    stamps.send({ recordType, nonceHigh: 7, nonceLow, i32 }, 0, performance.now())
  }
  send(stamps, 4)
  stamps.answer(1)
  assert.deepEqual(answered(), [false, true, true, false])
})

test('the commands of all senders between two sequences come by rising sequence', () => {
  const memories = [allocateOrderStamps(rows), allocateOrderStamps(rows)]
  const [one, other] = memories.map((memory) => new OrderStamps(memory))
  decide(one!, send(one!, 1), 14)
  decide(other!, send(other!, 2), 12)
  decide(one!, send(one!, 3), 10)
  decide(one!, send(one!, 4), 20)
  const found = stampsBetween(memories, 11, 19)
  assert.deepEqual(
    found.map(({ asker, seq }) => [asker, seq]),
    [
      [1, 12],
      [0, 14],
    ],
  )
})

test('an order that its gateway rejects alone has no sequence', () => {
  const memory = allocateOrderStamps(rows)
  const recordType = CommandType.PlaceOrder
  const order = { recordType, wallet, nonceHigh: 7, nonceLow: 2 }
  new OrderStamps(memory).refuse(order, Result.NoFunds)
  const { command, isDecided, result, seq } = byNonce(memory, 2)!
  assert.deepEqual([command, isDecided], [CommandType.PlaceOrder, true])
  assert.deepEqual([result, seq], [Result.NoFunds, 0])
})

test('endless rejections displace nothing: only a limited number per second is kept', () => {
  const memory = allocateOrderStamps()
  const stamps = new OrderStamps(memory)
  const recordType = CommandType.PlaceOrder
  for (let nonceLow = 1; nonceLow <= rejectionsPerSecondMax + 1; nonceLow++) {
    stamps.refuse({ recordType, wallet, nonceHigh: 7, nonceLow }, Result.Unauthorized, [60, 5])
  }
  const last = byNonce(memory, rejectionsPerSecondMax)!
  assert.deepEqual([...last.details.slice(0, 3)], [60, 5, 0])
  assert.equal(byNonce(memory, rejectionsPerSecondMax + 1), null)
  assert.equal(stamps.told, noStamp)
})
