import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { FlowKind, makeFlow, randomFrom, readOrder } from '../../../bench/book-replay/book-flow.js'
import { TwinBook } from '../../../bench/twin-book.js'
import { assertBookConsistent } from '../../../engine/matching/book-check.js'
import { IncomingOrder, notResting } from '../../../engine/matching/order-book.js'
import { lotsPerContract } from '../../../schemas/bounds.js'
import { MatcherOrder } from '../../../schemas/generated/orders.js'
import { DoneOutcome } from '../../../schemas/record-values.js'
import { RecordingSink } from '../../support/book-table.js'
import { isLongRun } from '../../support/long-test.js'
import { doneLine, MatcherOwner, type OwnedOrder } from '../../support/matcher-owner.js'
import type { MatcherThreadData } from '../../support/matcher-thread.js'

test('a place that rests produces its level and Done', () => {
  const owner = new MatcherOwner()
  owner.place({ handle: 4, side: 'Buy', price: '100', size: '2' })
  assert.equal(owner.work(), 1)
  assert.deepEqual(owner.take(), ['1/0 level Buy 100: 2', '1 done Rested 2'])
})

test('fills and removals come first, then one level each, then Done', () => {
  const owner = new MatcherOwner()
  owner.place({ handle: 0, side: 'Sell', price: '100', size: '1' })
  owner.place({ handle: 1, side: 'Sell', price: '100', size: '1' })
  owner.work()
  owner.take()
  owner.place({ handle: 2, side: 'Buy', price: '100', size: '3', tif: 'Ioc' })
  owner.work()
  assert.deepEqual(owner.take(), [
    '3/0 fill 0 by 2: 1 at 100',
    '3/0 fill 1 by 2: 1 at 100',
    '3/0 removed 2 Ioc 1',
    '3/0 level Sell 100: 0',
    '3 done Finished 0',
  ])
})

test('a cancel produces the removal, and a second one NotResting', () => {
  const owner = new MatcherOwner()
  owner.place({ handle: 0, side: 'Buy', price: '100', size: '2' })
  owner.cancel(0)
  owner.cancel(0)
  owner.work()
  assert.deepEqual(owner.take().slice(2), [
    '2/0 removed 0 Cancel 2',
    '2/0 level Buy 100: 0',
    '2 done Finished 0',
    '3 done NotResting 0',
  ])
})

test('a replace with another open size than expected changes nothing and reports the size', () => {
  const owner = new MatcherOwner()
  owner.place({ handle: 0, side: 'Buy', price: '100', size: '5' })
  owner.place({ handle: 1, side: 'Sell', price: '100', size: '2' })
  owner.work()
  owner.take()
  owner.replace(0, '5', { handle: 2, side: 'Buy', price: '101', size: '4' })
  owner.replace(0, '3', { handle: 3, side: 'Buy', price: '101', size: '4' })
  owner.replace(0, '3', { handle: 4, side: 'Buy', price: '102', size: '4' })
  owner.work()
  assert.deepEqual(owner.take(), [
    '3 done OpenDiffers 3',
    '4/0 removed 0 Replace 3',
    '4/0 level Buy 100: 0',
    '4/0 level Buy 101: 4',
    '4 done Rested 4',
    '5 done NotResting 0',
  ])
})

test('an alo order that would trade is rejected, and leaves no trace', () => {
  const owner = new MatcherOwner()
  owner.place({ handle: 0, side: 'Sell', price: '101', size: '2' })
  owner.place({ handle: 1, side: 'Buy', price: '100', size: '3', tif: 'Alo' })
  owner.work()
  assert.deepEqual(owner.take().slice(2), ['2/0 level Buy 100: 3', '2 done Rested 3'])
  for (const price of ['101', '102']) {
    owner.place({ handle: 2, side: 'Buy', price, size: '1', tif: 'Alo' })
    owner.work()
    assert.deepEqual(owner.take(), [`${owner.ticket} done WouldTrade 0`])
  }
  // The book at that moment decides, in the order of the commands.
  owner.cancel(0)
  owner.place({ handle: 2, side: 'Buy', price: '101', size: '1', tif: 'Alo' })
  owner.place({ handle: 3, side: 'Sell', price: '101', size: '1', tif: 'Alo' })
  owner.work()
  const done = owner.take().filter((line) => line.includes('done'))
  assert.deepEqual(done, ['5 done Finished 0', '6 done Rested 1', '7 done WouldTrade 0'])
})

test('a replacement that would trade leaves the old order, which is not in its way', () => {
  const owner = new MatcherOwner()
  owner.place({ handle: 0, side: 'Sell', price: '101', size: '2' })
  owner.place({ handle: 1, side: 'Buy', price: '100', size: '3' })
  owner.place({ handle: 2, side: 'Sell', price: '102', size: '2' })
  owner.replace(1, '3', { handle: 3, side: 'Buy', price: '101', size: '1', tif: 'Alo' })
  owner.replace(0, '2', { handle: 4, side: 'Buy', price: '102', size: '1', tif: 'Alo' })
  owner.work()
  const done = owner.take().filter((line) => line.includes('done'))
  assert.deepEqual(done.slice(3), ['4 done WouldTrade 0', '5 done WouldTrade 0'])
  owner.replace(0, '2', { handle: 5, side: 'Buy', price: '101', size: '1', tif: 'Alo' })
  owner.work()
  assert.deepEqual(owner.take(), [
    '6/0 removed 0 Replace 2',
    '6/0 level Sell 101: 0',
    '6/0 level Buy 101: 1',
    '6 done Rested 1',
  ])
})

/** A book with a bid of 3 at 99.5 and an ask of 2 at 101, run and read. */
function quotedBook(): MatcherOwner {
  const owner = new MatcherOwner()
  owner.place({ handle: 0, side: 'Buy', price: '99.5', size: '3' })
  owner.place({ handle: 1, side: 'Sell', price: '101', size: '2' })
  owner.work()
  owner.take()
  return owner
}

/** Sends one order. @returns its results, without tickets. */
function resultsOf(owner: MatcherOwner, order: OwnedOrder): string[] {
  owner.place(order)
  owner.work()
  return owner.take().map((line) => line.replace(/^\d+(\/0)? /, ''))
}

test('an order with a provider row against it asks for an auction if it reaches the row or the book', () => {
  const asked = ['top 99.5 101', 'done AsksAuction 0']
  for (const [side, price, quoted] of [
    ['Buy', '101', '150'],
    ['Buy', '100', '100'],
    ['Buy', '100', '99.999999'],
    ['Buy', '1', '0.999999'],
    ['Sell', '99.5', '50'],
    ['Sell', '100', '100'],
    ['Sell', '100', '100.000001'],
  ] as const) {
    const owner = quotedBook()
    assert.deepEqual(resultsOf(owner, { handle: 2, side, price, size: '5', quoted }), asked)
    const open = [0, 1, 2].map((handle) => owner.matcher.books[0]?.openLotsOf(handle))
    assert.deepEqual(open, [3 * lotsPerContract, 2 * lotsPerContract, notResting])
  }
})

test('an order that reaches neither the book nor the row enters the book in the same step', () => {
  const owner = quotedBook()
  const buy = { handle: 2, side: 'Buy', price: '100', size: '5', quoted: '100.000001' } as const
  assert.deepEqual(resultsOf(owner, buy), ['level Buy 100: 5', 'done Rested 5'])
  const sell = { handle: 3, side: 'Sell', price: '100.5', size: '4', quoted: '100.499999' } as const
  assert.deepEqual(resultsOf(owner, sell), ['level Sell 100.5: 4', 'done Rested 4'])
})

test('without a book, or with an empty side, the auction gets zeros', () => {
  const owner = new MatcherOwner()
  const buy = { handle: 0, side: 'Buy', price: '100', size: '5', quoted: '99' } as const
  assert.deepEqual(resultsOf(owner, buy), ['top 0 0', 'done AsksAuction 0'])
  assert.equal(owner.matcher.books[0], undefined)
  resultsOf(owner, { handle: 1, side: 'Sell', price: '101', size: '2' })
  assert.deepEqual(resultsOf(owner, buy), ['top 0 101', 'done AsksAuction 0'])
})

test('an own order at the best price asks for an auction like any other; an alo order that would trade is rejected', () => {
  const owner = quotedBook()
  const mine = { handle: 2, side: 'Buy', price: '101', size: '1', quoted: '150' } as const
  assert.deepEqual(resultsOf(owner, { ...mine, account: 1 }), [
    'top 99.5 101',
    'done AsksAuction 0',
  ])
  assert.deepEqual(resultsOf(owner, { ...mine, tif: 'Alo' }), ['done WouldTrade 0'])
})

test('after an auction an order enters the book if the book is as good as the quote, and otherwise nothing happens', () => {
  const owner = quotedBook()
  const order = { handle: 2, side: 'Buy', price: '101', size: '2' } as const
  owner.decide({ ...order, quoted: '100.999999' })
  owner.decide({ ...order, size: '2.00000001', quoted: '101' })
  owner.decide({ ...order, instrument: 1, quoted: '1000' })
  owner.decide({ ...order, quoted: '101' })
  owner.work()
  assert.deepEqual(owner.take(), [
    '3 done QuoteWins 0',
    '4 done QuoteWins 0',
    '5 done QuoteWins 0',
    '6/0 fill 1 by 2: 2 at 101',
    '6/0 level Sell 101: 0',
    '6 done Finished 0',
  ])
  assert.equal(owner.matcher.books[1], undefined)
})

test('a replace of an order outside the book reports its end and places the new one', () => {
  const owner = quotedBook()
  owner.replaceUnbooked(7, '4', { handle: 8, side: 'Buy', price: '101', size: '3' })
  owner.replaceUnbooked(5, '1', { handle: 5, side: 'Sell', price: '50', size: '1', instrument: 1 })
  owner.work()
  assert.deepEqual(owner.take(), [
    '3/0 removed 7 Replace 4',
    '3/0 fill 1 by 8: 2 at 101',
    '3/0 level Sell 101: 0',
    '3/0 level Buy 101: 1',
    '3 done Rested 1',
    '4/1 removed 5 Replace 1',
    '4/1 level Sell 50: 1',
    '4 done Rested 1',
  ])
})

test('a replace of an order outside the book is rejected before its end is reported', () => {
  const owner = quotedBook()
  owner.replaceUnbooked(7, '4', { handle: 8, side: 'Buy', price: '101', size: '3', tif: 'Alo' })
  owner.work()
  assert.deepEqual(owner.take(), ['3 done WouldTrade 0'])
})

test('the orders of a closed book do not rest, and the next order opens a new book', () => {
  const owner = new MatcherOwner()
  owner.place({ handle: 0, instrument: 3, side: 'Buy', price: '100', size: '1' })
  owner.closeBook(3)
  owner.closeBook(77)
  owner.cancel(0, 3)
  owner.replace(0, '1', { handle: 1, instrument: 3, side: 'Buy', price: '100', size: '1' })
  owner.place({ handle: 0, instrument: 3, side: 'Sell', price: '100', size: '2' })
  owner.work()
  assert.deepEqual(owner.take().slice(2), [
    '2 done Finished 0',
    '3 done Finished 0',
    '4 done NotResting 0',
    '5 done NotResting 0',
    '6/3 level Sell 100: 2',
    '6 done Rested 2',
  ])
  assert.equal(owner.matcher.pool.orders.count, 1)
})

test('books of different instruments do not meet', () => {
  const owner = new MatcherOwner()
  owner.place({ handle: 0, instrument: 1, side: 'Buy', price: '100', size: '1' })
  owner.place({ handle: 1, instrument: 2, side: 'Sell', price: '100', size: '1' })
  owner.work()
  assert.deepEqual(
    owner.take().filter((line) => line.includes('done')),
    ['1 done Rested 1', '2 done Rested 1'],
  )
})

test('a reduce-only order is limited by its position and the trades of its round', () => {
  const owner = new MatcherOwner()
  const mine = { account: 7, price: '100', size: '5' } as const
  owner.place({ handle: 0, side: 'Buy', price: '90', size: '9' })
  owner.place({ handle: 1, side: 'Sell', ...mine, price: '90', size: '1' })
  owner.place({ handle: 2, side: 'Sell', ...mine, reduces: '5' })
  owner.round++
  owner.place({ handle: 3, instrument: 1, side: 'Buy', ...mine, reduces: '-5' })
  owner.place({ handle: 4, side: 'Sell', ...mine, price: '90', size: '1' })
  owner.work()
  assert.deepEqual(owner.take().slice(5), [
    '3/0 reduced 2 to 4',
    '3/0 level Sell 100: 4',
    '3 done Rested 4',
    '4/1 level Buy 100: 5',
    '4 done Rested 5',
    '5/0 fill 0 by 4: 1 at 90',
    '5/0 reduced 2 to 3',
    '5/0 level Buy 90: 7',
    '5/0 level Sell 100: 3',
    '5 done Finished 0',
  ])
})

test('the matcher runs at most the given number of commands, and returns their number', () => {
  const owner = new MatcherOwner()
  for (let handle = 0; handle < 5; handle++) {
    owner.place({ handle, side: 'Buy', price: '100', size: '1' })
  }
  assert.equal(owner.matcher.doWork(2), 2)
  assert.equal(owner.matcher.doWork(), 3)
  assert.equal(owner.matcher.doWork(), 0)
  assert.equal(owner.orders.depthBytes(), 0)
})

test('the matcher begins no command while the result ring lacks room', () => {
  const owner = new MatcherOwner({ resultBytes: 1024 })
  for (let handle = 0; handle < 40; handle++) {
    owner.place({ handle, side: 'Buy', price: '100', size: '1' })
  }
  const first = owner.work()
  assert.ok(first > 5 && first < 40, `${first} commands`)
  assert.equal(owner.matcher.doWork(), 0)
  const lines = owner.take()
  while (owner.work() > 0) lines.push(...owner.take())
  assert.equal(lines.filter((line) => line.includes('done Rested')).length, 40)
  assert.equal(lines.at(-1), '40 done Rested 1')
})

test('a sweep with more results than the ring holds is drained in between', () => {
  const owner = new MatcherOwner({ resultBytes: 1024 })
  for (let handle = 0; handle < 300; handle++) {
    owner.place({ handle, side: 'Sell', price: String(100 + (handle % 50)), size: '1' })
  }
  while (owner.work() > 0) owner.take()
  owner.drained.length = 0
  owner.place({ handle: 300, side: 'Buy', price: '200', size: '301' })
  assert.equal(owner.work(), 1)
  const lines = [...owner.drained, ...owner.take()]
  assert.equal(lines.filter((line) => line.includes('fill')).length, 300)
  assert.equal(lines.filter((line) => line.includes('level Sell')).length, 50)
  assert.equal(lines.at(-1), '301 done Rested 1')
  assert.equal(owner.drained[0], '301/0 fill 0 by 300: 1 at 100')
})

test('a price off the grid and an unknown record are bugs of the core', () => {
  const owner = new MatcherOwner()
  owner.place({ handle: 0, side: 'Buy', price: '100', size: '1' })
  new MatcherOrder().over(owner.orders, 0).priceMicros = 1_234_560_000
  assert.throws(() => owner.work(), /the price is legal/)
  const other = new MatcherOwner()
  other.orders.tryClaim(80, 99)
  other.orders.commit()
  assert.throws(() => other.work(), /a record of the order ring/)
})

const flowSeed = 41
const flow = makeFlow({
  seed: flowSeed,
  events: isLongRun ? 20_000 : 8_000,
  middleIndex: 150_000,
  spreadIndexes: 5,
  crossing: 0.3,
  cancels: 0.3,
  replaces: 0.3,
  reach: 30,
  accounts: 4,
  plain: false,
})

test('random commands through small rings produce the results of plain books', () => {
  const owner = new MatcherOwner({ orderBytes: 1024, resultBytes: 4096 })
  const found: string[] = []
  const { expected, resting } = runTwin((step, old, guess, order) => {
    while (!owner.trySend(flow.kind[step], old, guess, order)) {
      owner.work()
      found.push(...owner.take())
    }
  })
  while (owner.work() > 0) found.push(...owner.take())
  assertSameLines(found, expected)
  const book = owner.matcher.books[0]
  assert.equal(book === undefined ? -1 : assertBookConsistent(book), resting)
})

test('a matcher in a thread of its own waits for room and produces the same', async (context) => {
  const owner = new MatcherOwner({ orderBytes: 1 << 22, resultBytes: 1024 })
  const { expected } = runTwin((step, old, guess, order) => {
    assert.ok(owner.trySend(flow.kind[step], old, guess, order), 'the order ring holds the flow')
  })
  const { orderMemory: orders, resultMemory: results } = owner
  const data: MatcherThreadData = { orders, results, commands: flow.count }
  const script = new URL('../../support/matcher-thread.js', import.meta.url)
  const thread = new Worker(script, { workerData: data })
  context.after(() => thread.terminate())
  const ended = once(thread, 'exit')
  const found: string[] = []
  const deadlineMillis = Date.now() + 60_000
  while (found.length < expected.length && Date.now() < deadlineMillis) {
    found.push(...owner.take())
    await setImmediate()
  }
  await thread.terminate()
  await ended
  assertSameLines(found, expected)
})

/**
 * Runs the flow on the plain book; `send` gets every command, some replaces with a wrong open
 * size.
 */
function runTwin(send: (step: number, old: number, guess: number, order: IncomingOrder) => void): {
  expected: string[]
  resting: number
} {
  const random = randomFrom(flowSeed)
  const sink = new RecordingSink()
  const twin = new TwinBook(sink)
  const expected: string[] = []
  const order = new IncomingOrder()
  for (let step = 0; step < flow.count; step++) {
    readOrder(flow, step, order)
    const [kind, old, ticket] = [flow.kind[step], flow.oldHandle[step], step + 1]
    const openLots = twin.openLotsOf(old)
    const guess = random() < 0.1 ? openLots + 1 : openLots
    send(step, old, guess, order)
    sink.lines.length = 0
    const last =
      refusalLine(kind, openLots, guess, ticket) ?? runLine(twin, kind, old, order, ticket)
    expected.push(...sink.lines.map((line) => `${ticket}/0 ${line}`), last)
  }
  return { expected, resting: twin.resting.size }
}

function assertSameLines(found: string[], expected: string[]): void {
  for (const [place, line] of expected.entries()) {
    if (found[place] === line) continue
    assert.fail(`seed ${flowSeed}, line ${place}: ${found[place]}, not ${line}`)
  }
  assert.equal(found.length, expected.length, `seed ${flowSeed}`)
}

/** Done of a command that finds its old order gone, or not as open as it is believed to be; else null. */
function refusalLine(kind: number, openLots: number, guess: number, ticket: number): string | null {
  if (kind !== FlowKind.Place && openLots === notResting) {
    return doneLine(ticket, DoneOutcome.NotResting, 0)
  }
  const differs = kind === FlowKind.Replace && openLots !== guess
  return differs ? doneLine(ticket, DoneOutcome.OpenDiffers, openLots) : null
}

/** Runs a command on the plain book. @returns the line of its Done. */
function runLine(
  twin: TwinBook,
  kind: number,
  old: number,
  order: IncomingOrder,
  ticket: number,
): string {
  let restLots = 0
  if (kind === FlowKind.Cancel) twin.cancel(old)
  else restLots = kind === FlowKind.Place ? twin.place(order) : twin.replace(old, order)
  return doneLine(ticket, restLots > 0 ? DoneOutcome.Rested : DoneOutcome.Finished, restLots)
}
