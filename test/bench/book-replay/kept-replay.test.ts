import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '../../../bench/book-replay/book-flow.js'
import { KeptReplay } from '../../../bench/book-replay/kept-replay.js'
import {
  decodeReplayFile,
  encodeReplayFile,
  type ReplayFile,
} from '../../../bench/book-replay/replay-file.js'
import { flowOf } from '../../../bench/book-replay/replay-flow.js'
import { sampleFile } from '../../../bench/book-replay/replay-sample.js'
import { timeRuns } from '../../../bench/measure/timed-task.js'
import { fileFrom, type PlainMessage, plainReplay } from '../../support/plain-replay.js'

/** Through the format and back, then through the book, the bare loop and the plain rules. */
function assertSame(file: ReplayFile, what: string): string[] {
  const { lines, sha256 } = plainReplay(file)
  const read = decodeReplayFile(encodeReplayFile(file))
  const replay = new KeptReplay(flowOf(read), Math.max(1, lines.length))
  const tasks = { book: replay.bookTask(), 'bare loop': replay.bareTask() }
  for (const name of ['book', 'bare loop', 'book'] as const) {
    timeRuns(tasks[name], 1)
    assert.deepEqual([...replay.hashes], [sha256], `${what}, ${name}`)
  }
  return lines
}

function assertLines(messages: readonly PlainMessage[], expected: readonly string[]): void {
  assert.deepEqual(assertSame(fileFrom(messages), expected.join(' ')), expected)
}

test('a trade is at the maker price, and an order without a rest is not cancelled', () => {
  assertLines(
    [
      { kind: 'New', id: 1, side: 'Sell', tick: 10, quantity: 3 },
      { kind: 'New', id: 2, side: 'Buy', tick: 12, quantity: 5 },
      { kind: 'Cancel', id: 1 },
      { kind: 'Cancel', id: 2 },
    ],
    ['0,0,1,1,10,3', '0,1,0,2,12,5', '1,1,10,3,1,2', '4,2,1', '2,3,0,2,12'],
  )
})

test('the rest of an immediate order is cancelled at once', () => {
  assertLines(
    [
      { kind: 'New', id: 1, side: 'Buy', tick: 10, quantity: 2 },
      { kind: 'New', id: 2, side: 'Sell', immediate: true, tick: 9, quantity: 3 },
      { kind: 'New', id: 3, side: 'Sell', immediate: true, tick: 9, quantity: 1 },
    ],
    ['0,0,0,1,10,2', '0,1,1,2,9,3', '1,1,10,2,1,2', '2,1,1,2,9', '0,2,1,3,9,1', '2,2,1,3,9'],
  )
})

test('a modify trades before it is acknowledged, and loses its place in the queue', () => {
  assertLines(
    [
      { kind: 'New', id: 1, side: 'Buy', tick: 10, quantity: 2 },
      { kind: 'New', id: 2, side: 'Buy', tick: 10, quantity: 2 },
      { kind: 'Modify', id: 1, side: 'Buy', tick: 10, quantity: 2 },
      { kind: 'New', id: 3, side: 'Sell', tick: 20, quantity: 5 },
      { kind: 'Modify', id: 3, side: 'Sell', tick: 9, quantity: 3 },
    ],
    [
      '0,0,0,1,10,2',
      '0,1,0,2,10,2',
      '3,2,0,1,10,2',
      '0,3,1,3,20,5',
      '1,4,10,2,2,3',
      '1,4,10,1,1,3',
      '3,4,1,3,9,3',
    ],
  )
})

test('a modify changes only price and quantity: its order keeps the side and rests', () => {
  assertLines(
    [
      { kind: 'New', id: 1, side: 'Buy', tick: 10 },
      { kind: 'Modify', id: 1, side: 'Sell', immediate: true, tick: 11 },
      { kind: 'Cancel', id: 1, side: 'Sell' },
    ],
    ['0,0,0,1,10,1', '3,1,0,1,11,1', '2,2,0,1,11'],
  )
})

test('an order that does not rest is not cancelled or modified, whatever its id', () => {
  assertLines(
    [
      { kind: 'Cancel', id: 4_294_967_295 },
      { kind: 'Modify', id: 0, tick: 5 },
      { kind: 'New', id: 7, tick: 5 },
      { kind: 'Cancel', id: 7 },
      { kind: 'Cancel', id: 7 },
    ],
    ['4,0,4294967295', '5,1,0', '0,2,0,7,5,1', '2,3,0,7,5', '4,4,7'],
  )
})

test('an id may name another order after the first is gone', () => {
  assertLines(
    [
      { kind: 'New', id: 9, side: 'Buy', tick: 10 },
      { kind: 'Cancel', id: 9 },
      { kind: 'New', id: 9, side: 'Sell', tick: 12 },
      { kind: 'Modify', id: 9, tick: 13, quantity: 2 },
    ],
    ['0,0,0,9,10,1', '2,1,0,9,10', '0,2,1,9,12,1', '3,3,1,9,13,2'],
  )
})

test('ticks may be negative, at the limits of 32 bits, and further apart than the grid', () => {
  const [least, greatest] = [-2_147_483_648, 2_147_483_647]
  for (const [low, high] of [
    [least, least + 1],
    [greatest - 1, greatest],
    [-500_000, 499_999],
    [-500_000, 500_000],
    [least, greatest],
  ]) {
    assertLines(
      [
        { kind: 'New', id: 1, side: 'Sell', tick: high },
        { kind: 'New', id: 2, side: 'Buy', tick: low },
        { kind: 'New', id: 3, side: 'Buy', tick: high, quantity: 2 },
        { kind: 'New', id: 4, side: 'Sell', tick: low, quantity: 3 },
      ],
      [
        `0,0,1,1,${high},1`,
        `0,1,0,2,${low},1`,
        `0,2,0,3,${high},2`,
        `1,2,${high},1,1,3`,
        `0,3,1,4,${low},3`,
        `1,3,${high},1,3,4`,
        `1,3,${low},1,2,4`,
      ],
    )
  }
})

test('more prices than the grid has places fail', () => {
  const count = 1_000_001
  const file: ReplayFile = {
    count,
    kinds: new Uint8Array(count),
    quantities: new Uint8Array(count).fill(1),
    orderIds: Uint32Array.from({ length: count }, (_, message) => message),
    ticks: Int32Array.from({ length: count }, (_, message) => message * 2),
  }
  assert.throws(() => flowOf(file), /1000001 different prices; a book has room for 1000000/)
})

test('the replays of all samples report the same, thin and thick, with small, large and distant ids and prices', () => {
  for (const [seed, tickLeast, tickSpread] of [
    [1, 100, 4],
    [2, -40, 80],
    [3, 30_000, 3_000],
    [4, -2_000_000, 4_000_000],
  ]) {
    const file = sampleFile({ seed, messages: 4_000, tickLeast, tickSpread })
    assertSame(file, `seed ${seed}`)
    const far = file.orderIds.map((id) => 4_294_967_295 - id * 1_000)
    assertSame({ ...file, orderIds: far }, `seed ${seed}, far ids`)
  }
})

test('random messages about few orders report the same', () => {
  for (let seed = 1; seed <= 30; seed++) {
    const random = randomFrom(seed)
    const below = (end: number) => Math.floor(random() * end)
    let fresh = 0
    const messages: PlainMessage[] = Array.from({ length: 400 }, () => {
      const kind = (['New', 'New', 'Cancel', 'Modify'] as const)[below(4)]
      return {
        kind,
        id: kind === 'New' ? fresh++ : Math.max(0, fresh + 2 - below(30)),
        side: random() < 0.5 ? 'Buy' : 'Sell',
        immediate: random() < 0.2,
        tick: below(12) - 6,
        quantity: 1 + below(255),
      }
    })
    assertSame(fileFrom(messages), `seed ${seed}`)
  }
})
