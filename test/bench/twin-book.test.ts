import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FlowShape, makeFlow, runStep } from '../../bench/book-replay/book-flow.js'
import { TwinBook } from '../../bench/twin-book.js'
import { Book } from '../../engine/matching/book.js'
import { assertBookConsistent } from '../../engine/matching/book-check.js'
import { IncomingOrder } from '../../engine/matching/order-book.js'
import { OrderPool } from '../../engine/matching/order-pool.js'
import { RemovedCause } from '../../schemas/record-values.js'
import { type BookMaker, emitSteps, firstDifference, shrink } from '../support/book-pair.js'
import { RecordingSink } from '../support/book-table.js'
import { isLongRun } from '../support/long-test.js'

const fast: BookMaker = {
  make: (sink) => new Book(new OrderPool(1), sink),
  check: (book) => {
    assertBookConsistent(book as Book)
  },
}
const twin: BookMaker = { make: (sink) => new TwinBook(sink), check: () => {} }

const narrow: FlowShape = {
  seed: 0,
  events: isLongRun ? 30_000 : 15_000,
  middleIndex: 99_998,
  spreadIndexes: 6,
  crossing: 0.3,
  cancels: 0.35,
  replaces: 0.25,
  reach: 25,
  accounts: 4,
  plain: false,
}
const wide: FlowShape = {
  ...narrow,
  events: isLongRun ? 20_000 : 10_000,
  spreadIndexes: 90_000,
  crossing: 0.4,
  cancels: 0.4,
  reach: 6,
}
const crowded: FlowShape = {
  ...narrow,
  events: 10_000,
  spreadIndexes: 2,
  crossing: 0.05,
  reach: 300,
}

const reducing: FlowShape = {
  ...narrow,
  events: isLongRun ? 15_000 : 8_000,
  reduceOnly: 0.5,
  cancels: 0.2,
}
const reducingDeep: FlowShape = { ...crowded, accounts: 3, reduceOnly: 0.6, crossing: 0.15 }

const shapes = { narrow, wide, crowded, reducing, reducingDeep }

for (const [name, shape] of Object.entries(shapes)) {
  test(`both books do the same on a ${name} random flow`, () => {
    const seed = Number(process.env['STRIKEBOOK_TEST_SEED'] ?? 23)
    const flow = makeFlow({ ...shape, seed })
    const steps = Int32Array.from({ length: flow.count }, (_, step) => step)
    const place = firstDifference(fast, twin, flow, steps)
    if (place < 0) return
    const few = shrink(fast, twin, flow, place)
    assert.fail(`the books differ: seed ${seed}, step ${place}, as after\n${emitSteps(flow, few)}`)
  })
}

test('the narrow flow reaches every result and every cause of a plain book', () => {
  const sink = new RecordingSink()
  const book = new Book(new OrderPool(), sink)
  const flow = makeFlow({ ...narrow, events: 30_000, seed: 23 })
  const order = new IncomingOrder()
  const results = { rested: 0, finished: 0, notResting: 0 }
  for (let step = 0; step < flow.count; step++) {
    const result = runStep(book, flow, step, order)
    results[result > 0 ? 'rested' : result === 0 ? 'finished' : 'notResting']++
  }
  const times = (words: RegExp): number => sink.lines.filter((line) => words.test(line)).length
  for (const count of Object.values(results)) assert.ok(count > 1_000, JSON.stringify(results))
  for (const cause of Object.keys(RemovedCause)) {
    if (cause === 'ReduceOnly' || cause.startsWith('Mmp')) continue
    assert.ok(times(new RegExp(`^removed \\d+ ${cause} `)) > 1_000, cause)
  }
  assert.ok(times(/^fill/) > 1_000)
})

test('the reducing flow cuts incoming orders, and resting ones between two matches', () => {
  const counts = { incoming: 0, resting: 0 }
  const counting: BookMaker = {
    check: fast.check,
    make: (sink) => {
      let isTrading = false
      const cut = (): void => {
        counts[isTrading ? 'resting' : 'incoming']++
      }
      return new Book(new OrderPool(), {
        fill: (...fill) => {
          isTrading = true
          sink.fill(...fill)
        },
        removed: (handle, cause, openLots) => {
          if (cause === RemovedCause.ReduceOnly) cut()
          else isTrading = false
          sink.removed(handle, cause, openLots)
        },
        reduced: (handle, openLots) => {
          cut()
          sink.reduced(handle, openLots)
        },
        level: (...level) => {
          isTrading = false
          sink.level(...level)
        },
      })
    },
  }
  const flow = makeFlow({ ...reducing, seed: 23, events: 10_000 })
  const steps = Int32Array.from({ length: flow.count }, (_, step) => step)
  assert.equal(firstDifference(counting, twin, flow, steps), -1)
  assert.ok(counts.incoming > 300 && counts.resting > 300, JSON.stringify(counts))
})

test('a book that ignores time priority is found with few commands', () => {
  const forgetful: BookMaker = { ...twin, make: (sink) => new ForgetfulBook(sink) }
  const flow = makeFlow({ ...narrow, seed: 5, events: 2_000 })
  const steps = Int32Array.from({ length: flow.count }, (_, step) => step)
  const place = firstDifference(fast, forgetful, flow, steps)
  assert.ok(place > 0)
  const few = shrink(fast, forgetful, flow, place)
  assert.ok(few.length <= 4, emitSteps(flow, few))
})

/** Lets the youngest order of a level trade first. */
class ForgetfulBook extends TwinBook {
  override match(order: IncomingOrder): number {
    this.rank -= 2
    return super.match(order)
  }
}
