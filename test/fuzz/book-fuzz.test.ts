import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '../../bench/book-replay/book-flow.js'
import { Book } from '../../engine/matching/book.js'
import { type IncomingOrder, notResting } from '../../engine/matching/order-book.js'
import { Side } from '../../schemas/domain.js'
import { DoneOutcome, RemovedCause } from '../../schemas/record-values.js'
import { isLongRun, longTest } from '../support/long-test.js'
import { BookCommand, parseCommands, textOf } from './book-command.js'
import { failureText, fuzzBooks, runCommands } from './book-fuzz.js'
import { bookProfiles } from './book-profiles.js'
import { shrinkSequence } from './shrink.js'

// `npm run fuzz` runs more of it: scripts/fuzz.ts.

const seed = Number(process.env['STRIKEBOOK_TEST_SEED'] ?? 1)
const stories = isLongRun ? 1_000 : 250

test('the matcher and plain books agree on random commands of every profile', () => {
  for (const [profile, { commands }] of Object.entries(bookProfiles)) {
    const events = isLongRun ? commands : commands / 2
    const report = fuzzBooks({ seed, events, profile })
    assert.equal(report.failure, null, report.failure === null ? '' : failureText(report.failure))
    assert.equal(report.events, events)
  }
})

longTest('a mix of all profiles reaches every result, every cause and every order state', () => {
  const report = fuzzBooks({ seed, events: 300_000 })
  assert.equal(report.failure, null, report.failure === null ? '' : failureText(report.failure))
  const names = ['fill', 'level', 'reduced', 'counted', 'top']
  for (const cause of Object.values(RemovedCause)) names.push(`removed ${cause}`)
  for (const outcome of Object.values(DoneOutcome)) names.push(`done ${outcome}`)
  for (const name of names) assert.ok((report.counts.get(name) ?? 0) >= 10, `${name}, seed ${seed}`)
})

// Few commands of a long run meet protection and reduce-only orders of one account in the order that matters.
test('a trial reports the effects of protection and positions on the makers of one account', () => {
  const random = randomFrom(seed)
  for (let story = 0; story < stories; story++) {
    const commands = storyOfMakers(random)
    const found = runCommands(commands, { instruments: 1, accounts: 2 })
    if (found === null) continue
    assert.fail(`seed ${seed}: ${found.difference}, as after\n${commands.map(textOf).join('\n')}`)
  }
})

/** Account 0 is long, protected, and sells by several orders; account 1 asks for ever less, until it gets it. */
function storyOfMakers(random: () => number): BookCommand[] {
  const below = (count: number): number => Math.floor(random() * count)
  const command = (terms: Partial<BookCommand>) => Object.assign(new BookCommand(), terms)
  const lots = (count: number): number => 100 * (1 + count)
  const commands = [
    command({ kind: 'move', sizeLots: lots(below(15)) }),
    command({ kind: 'protect', intervalMillis: 50, qtyMicros: 1 + below(6) }),
  ]
  for (let order = 0; order < 8; order++) {
    const [priceIndex, sizeLots] = [1 + below(5), lots(below(5))]
    const [reduceOnly, mmpEnabled] = [random() < 0.5, random() < 0.5]
    const terms = { order, side: Side.Sell, priceIndex, sizeLots, reduceOnly, mmpEnabled }
    commands.push(command({ kind: 'place', ...terms }))
  }
  commands.push(command({}))
  const [priceIndex, quotedMicros] = [3 + below(3), 3 + below(3)]
  for (let order = 40; order >= 8; order--) {
    const taker = { order, account: 1, priceIndex, sizeLots: lots(order - 8), quotedMicros }
    commands.push(command({ kind: 'decide', ...taker }))
  }
  return commands
}

test('equal seeds give the same run, and another seed gives another', () => {
  const hashOf = (first: number) => fuzzBooks({ seed: first, events: 5_000 }).hash
  assert.equal(hashOf(3), hashOf(3))
  assert.notEqual(hashOf(3), hashOf(4))
})

/** Leaves the best order of its side where it is when a replace only lowers its size. */
class LazyBook extends Book {
  override replace(oldHandle: number, order: IncomingOrder): number {
    const isBest = this.bestIndexOf(order.side) === order.priceIndex
    const isLower = oldHandle === order.handle && order.sizeLots < this.openLotsOf(oldHandle)
    return isBest && isLower ? order.sizeLots : super.replace(oldHandle, order)
  }
}

/** Takes a fill-or-kill order for an immediate-or-cancel one when it is for exactly three lots. */
class HastyBook extends Book {
  override place(order: IncomingOrder): number {
    if (order.tif === 2 && order.sizeLots === 3) order.tif = 1
    return super.place(order)
  }
}

/** Forgets that an order is reduce-only when it is its account's second one. */
class ForgetfulBook extends Book {
  override place(order: IncomingOrder): number {
    if (order.isReduceOnly && this.watchCount > 1) order.isReduceOnly = false
    return super.place(order)
  }
}

/** Refuses an add-liquidity-only order for the order that it replaces. */
class TimidBook extends Book {
  override crosses(order: IncomingOrder): boolean {
    return super.crosses(order, notResting)
  }
}

for (const [Faulty, commandsMax] of [
  [LazyBook, 4],
  [HastyBook, 1],
  [ForgetfulBook, 9],
  [TimidBook, 3],
] as const) {
  test(`a fault is found and shrunk: ${Faulty.name}`, () => {
    const makeBook = (...parts: ConstructorParameters<typeof Book>) => new Faulty(...parts)
    const { failure } = fuzzBooks({ seed, events: 1_000_000, makeBook })
    assert.ok(failure !== null, 'the fault is found')
    const text = failureText(failure)
    assert.match(text, /--seed \d+ --events \d+/)
    assert.ok(failure.commands.length <= commandsMax, text)
    const again = fuzzBooks({ seed: failure.seed, events: failure.events, makeBook })
    assert.equal(again.failure?.difference, failure.difference, 'the command line meets it again')
    assert.equal(again.episodes, 1)
    const read = parseCommands(failure.commands.map(textOf).join('\n'))
    assert.deepEqual(read, failure.commands)
    assert.equal(runCommands(read, failure.shape, makeBook)?.difference, failure.difference)
    assert.equal(runCommands(read, failure.shape), null, 'the book itself has no such fault')
  })
}

test('a sequence shrinks to the elements that matter, at any position', () => {
  const numbers = Array.from({ length: 1000 }, (_, place) => place)
  const few = shrinkSequence(numbers, (some) => {
    const place = some.indexOf(901)
    return some.includes(7) && some.includes(500) && place >= 0 ? place + 1 : 0
  })
  assert.deepEqual(few, [7, 500, 901])
})
