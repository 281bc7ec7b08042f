import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertBookConsistent } from '../../../engine/matching/book-check.js'
import { MmpAction } from '../../../schemas/record-values.js'
import { MatcherOwner, type OwnedOrder, type OwnedTerms } from '../../support/matcher-owner.js'

// The worked example of protection: account 1 quotes two instruments of one underlying, C110k and
// P90k, whose marks have delta +0.32 and -0.25.

const c110k = { instrument: 0, delta: 0.32, vega: 102.5 } as const
const p90k = { instrument: 1, delta: -0.25, vega: 98.1 } as const
const example: OwnedTerms = { interval: 5000, frozen: 10_000, qty: 10, delta: 4 }
const maker = { account: 1, side: 'Sell', price: '100', mmp: true } as const

/** Runs the sent commands. @returns their results, without the levels. */
function run(owner: MatcherOwner): string[] {
  const lines: string[] = []
  do lines.push(...owner.take())
  while (owner.work() > 0)
  lines.push(...owner.take())
  for (const book of owner.matcher.books) if (book !== undefined) assertBookConsistent(book)
  return lines.filter((line) => !line.includes(' level '))
}

/** Takes from the book. @returns the results, without Done. */
function take(owner: MatcherOwner, nowMillis: number, order: Partial<OwnedOrder>): string[] {
  owner.nowMillis = nowMillis
  const taker = { handle: 90, account: 9, side: 'Buy', price: '100', size: '1' } as const
  owner.place({ ...taker, tif: 'Ioc', ...order })
  return run(owner)
    .filter((line) => !/ (done|removed 90) /.test(line))
    .map((line) => line.replace(/^\d+(\/(\d+))? /, '$2 ').trim())
}

/** The example's orders: 10 C110k in two orders, 6 P90k, and one of another account. */
function quoting(terms: OwnedTerms): MatcherOwner {
  const owner = new MatcherOwner()
  owner.protect(1, terms)
  owner.place({ ...maker, ...c110k, handle: 1, size: '3' })
  owner.place({ ...maker, ...c110k, handle: 2, size: '6' })
  owner.place({ ...maker, ...p90k, handle: 3, size: '6' })
  owner.place({ ...maker, ...p90k, handle: 4, size: '1', mmp: false })
  owner.place({ ...maker, ...c110k, handle: 5, account: 2, size: '9', price: '101' })
  run(owner)
  return owner
}

test('worked example: the third fill reaches the quantity; its rest and the other orders are cancelled', () => {
  const owner = quoting(example)
  assert.deepEqual(take(owner, 0, { ...c110k, size: '3' }), ['counted', '0 fill 1 by 90: 3 at 100'])
  assert.deepEqual(take(owner, 2000, { ...p90k, size: '4' }), [
    'counted',
    '1 fill 3 by 90: 4 at 100',
  ])
  assert.deepEqual(take(owner, 4000, { ...c110k, size: '3.5' }), [
    'counted, qty',
    '0 fill 2 by 90: 3.5 at 100',
    '0 removed 2 MmpFilled 2.5',
    '1 removed 3 MmpTriggered 2',
  ])
  // Orders without protection stay: one of this wallet, and one of another.
  assert.deepEqual(take(owner, 4000, { ...p90k, size: '1' }), ['1 fill 4 by 90: 1 at 100'])
})

test('worked example: only this wallet is frozen, until 14,000', () => {
  const owner = quoting(example)
  take(owner, 0, { ...c110k, size: '3' })
  take(owner, 2000, { ...p90k, size: '4' })
  take(owner, 4000, { ...c110k, size: '3.5' })
  const again = { ...maker, ...c110k, handle: 6, size: '1' }
  for (const [nowMillis, outcome] of [
    [13_999, 'Frozen 0'],
    [14_000, 'Rested 1'],
  ] as const) {
    owner.nowMillis = nowMillis
    owner.place(again)
    assert.match(run(owner).at(-1)!, new RegExp(`done ${outcome}$`))
  }
  owner.nowMillis = 5000
  const other = new MatcherOwner()
  other.protect(1, { ...example, qty: 1 })
  other.place({ ...maker, handle: 1, size: '1' })
  run(other)
  take(other, 0, { size: '1' })
  other.place({ ...maker, handle: 2, size: '1', mmp: false })
  other.place({ ...maker, handle: 3, size: '1', account: 2 })
  assert.equal(run(other).filter((line) => line.includes('Rested')).length, 2)
})

test('variant: fills at 0, 6,000 and 8,000 trigger nothing, because the first has left the window', () => {
  const owner = quoting(example)
  take(owner, 0, { ...c110k, size: '3' })
  take(owner, 6000, { ...p90k, size: '4' })
  assert.deepEqual(take(owner, 8000, { ...c110k, size: '3.5' }), [
    'counted',
    '0 fill 2 by 90: 3.5 at 100',
  ])
})

for (const [qty, reached] of [
  [10, 'qty and delta'],
  [20, 'delta'],
] as const) {
  test(`variant: four sells of 3.2 in 5 s reach ${reached} with a quantity of ${qty}`, () => {
    const owner = new MatcherOwner()
    owner.protect(1, { ...example, qty })
    owner.place({ ...maker, ...c110k, handle: 1, size: '20' })
    run(owner)
    for (const nowMillis of [0, 1000, 2000]) {
      assert.equal(take(owner, nowMillis, { ...c110k, size: '3.2' })[0], 'counted')
    }
    assert.deepEqual(take(owner, 3000, { ...c110k, size: '3.2' }), [
      `counted, ${reached}`,
      '0 fill 1 by 90: 3.2 at 100',
      '0 removed 1 MmpFilled 7.2',
    ])
  })
}

test('the trigger runs before the incoming order meets the wallet again; others are met', () => {
  const owner = new MatcherOwner()
  owner.protect(1, { interval: 5000, frozen: 0, qty: 2 })
  owner.place({ ...maker, handle: 1, size: '2' })
  owner.place({ ...maker, handle: 2, size: '5' })
  owner.place({ ...maker, handle: 3, size: '4', account: 2 })
  owner.place({ ...maker, handle: 4, size: '5', side: 'Buy', price: '90' })
  run(owner)
  assert.deepEqual(take(owner, 0, { size: '5' }), [
    'counted, qty',
    '0 fill 1 by 90: 2 at 100',
    '0 removed 2 MmpTriggered 5',
    '0 removed 4 MmpTriggered 5',
    '0 fill 3 by 90: 3 at 100',
  ])
})

test('levels of other books are reported once, after those of the book that traded', () => {
  const owner = new MatcherOwner()
  for (const account of [1, 2]) owner.protect(account, { interval: 5000, frozen: 0, qty: 1 })
  owner.place({ ...maker, handle: 1, size: '1' })
  owner.place({ ...maker, handle: 2, size: '1', account: 2 })
  owner.place({ ...maker, handle: 3, size: '2', instrument: 4 })
  owner.place({ ...maker, handle: 4, size: '3', instrument: 4, account: 2 })
  owner.place({ ...maker, handle: 5, size: '4', instrument: 4, account: 3 })
  owner.place({ ...maker, handle: 6, size: '7', instrument: 2, account: 2 })
  run(owner)
  owner.place({ handle: 90, side: 'Buy', price: '100', size: '2' })
  owner.work()
  const lines = owner.take().filter((line) => line.includes('level'))
  assert.deepEqual(
    lines.map((line) => line.split('/')[1]),
    ['0 level Sell 100: 0', '4 level Sell 100: 4', '2 level Sell 100: 0'],
  )
})

test('a fill-or-kill does not count orders that its own trades would cancel', () => {
  const market = (): MatcherOwner => {
    const owner = new MatcherOwner()
    owner.protect(1, { interval: 5000, frozen: 0, qty: 2 })
    owner.place({ ...maker, handle: 1, size: '2' })
    owner.place({ ...maker, handle: 2, size: '2' })
    owner.place({ ...maker, handle: 3, size: '2', account: 2 })
    run(owner)
    return owner
  }
  const outcome = (size: string): string => {
    const owner = market()
    owner.place({ handle: 90, side: 'Buy', price: '100', size, tif: 'Fok' })
    const lines = run(owner)
    return lines.find((line) => line.includes('removed 90')) ?? `${lines.length} lines`
  }
  // 2 of the first order, 2 of the stranger; the second order is gone by then.
  assert.match(outcome('4'), /^5 lines$/)
  assert.match(outcome('4.5'), /removed 90 Fok 4.5$/)
})

test('a taker counts where configured: its rest and its resting orders are cancelled', () => {
  const owner = new MatcherOwner()
  owner.protect(9, { interval: 5000, frozen: 0, qty: 3 })
  owner.place({ ...maker, handle: 1, size: '2', mmp: false })
  owner.place({ ...maker, handle: 2, size: '2', mmp: false })
  owner.place({ ...maker, handle: 3, size: '1', account: 9, side: 'Buy', price: '80' })
  run(owner)
  owner.place({ handle: 90, account: 9, side: 'Buy', price: '100', size: '5', mmp: true })
  assert.equal(
    run(owner).some((line) => line.includes('counted')),
    false,
  )
  owner.cancel(90)
  owner.place({ ...maker, handle: 4, size: '2', mmp: false })
  owner.place({ ...maker, handle: 5, size: '2', mmp: false })
  run(owner)
  owner.place({ handle: 91, account: 9, side: 'Buy', price: '100', size: '5', mmp: 'taker' })
  assert.deepEqual(
    run(owner).map((line) => line.replace(/^\d+\/?/, '').trim()),
    [
      'counted',
      '0 fill 4 by 91: 2 at 100',
      'counted, qty',
      '0 fill 5 by 91: 2 at 100',
      '0 removed 91 MmpFilled 1',
      '0 removed 3 MmpTriggered 1',
      'done Finished 0',
    ],
  )
})

test('a fill-or-kill that its own protection would end is not filled at all', () => {
  const owner = new MatcherOwner()
  owner.protect(9, { interval: 5000, frozen: 0, qty: 2 })
  owner.place({ ...maker, handle: 1, size: '2', mmp: false })
  owner.place({ ...maker, handle: 2, size: '2', mmp: false })
  run(owner)
  const fok = { account: 9, side: 'Buy', price: '100', tif: 'Fok', mmp: 'taker' } as const
  owner.place({ ...fok, handle: 90, size: '3' })
  assert.match(run(owner)[0]!, /removed 90 Fok 3$/)
  owner.place({ ...fok, handle: 91, size: '2' })
  assert.match(run(owner)[0]!, /counted, qty$/, 'the fill that reaches the limit stands')
})

test('protection ends a reduce-only order before its position is checked', () => {
  const owner = new MatcherOwner()
  owner.protect(1, { interval: 5000, frozen: 0, qty: 5 })
  owner.place({ ...maker, handle: 1, size: '5', reduces: '10' })
  owner.place({ ...maker, handle: 2, size: '3', price: '101', mmp: false, reduces: '10' })
  owner.place({ ...maker, handle: 3, size: '5', price: '102' })
  run(owner)
  assert.deepEqual(take(owner, 0, { size: '5' }), [
    'counted, qty',
    '0 fill 1 by 90: 5 at 100',
    '0 removed 3 MmpTriggered 5',
  ])
})

test('a replace of a frozen wallet changes nothing; without protection it succeeds', () => {
  const owner = new MatcherOwner()
  owner.protect(1, { interval: 5000, frozen: 0, qty: 1 })
  owner.place({ ...maker, handle: 1, size: '1' })
  owner.place({ ...maker, handle: 2, size: '4', price: '103', mmp: false })
  run(owner)
  take(owner, 0, { size: '1' })
  owner.replace(2, '4', { ...maker, handle: 3, size: '2', price: '104' })
  assert.match(run(owner)[0]!, /done Frozen 0$/)
  owner.replace(2, '4', { ...maker, handle: 4, size: '2', price: '104', mmp: false })
  assert.match(run(owner).at(-1)!, /done Rested 2$/)
})

/** Decides an order of account 9 against each quote, in new books. @returns the result of each. */
function decide(make: () => MatcherOwner, order: Partial<OwnedOrder>, quotes: string[]): string[] {
  return quotes.map((quoted) => {
    const owner = make()
    owner.decide({ handle: 90, account: 9, side: 'Buy', price: '102', size: '3', ...order, quoted })
    return run(owner).at(-1)!.replace(/^\d+ /, '')
  })
}

test('a quote is compared with the orders that protection leaves in the book', () => {
  const book = (): MatcherOwner => {
    const owner = new MatcherOwner()
    owner.protect(1, { interval: 5000, frozen: 0, qty: 2 })
    owner.place({ ...maker, handle: 1, size: '2' })
    owner.place({ ...maker, handle: 2, size: '3', price: '101' })
    owner.place({ ...maker, handle: 3, size: '5', price: '102', account: 2 })
    run(owner)
    return owner
  }
  assert.deepEqual(decide(book, {}, ['100.666666', '100.666667']), [
    'done QuoteWins 0',
    'done Finished 0',
  ])
  assert.deepEqual(decide(book, { price: '101' }, ['102']), ['done QuoteWins 0'])
  assert.deepEqual(decide(book, { size: '2' }, ['99.999999', '100']), [
    'done QuoteWins 0',
    'done Finished 0',
  ])
})

test('an order that its own protection would end is not as good as any quote', () => {
  const book = (): MatcherOwner => {
    const owner = new MatcherOwner()
    owner.protect(9, { interval: 5000, frozen: 0, qty: 2 })
    owner.place({ ...maker, handle: 1, size: '2' })
    owner.place({ ...maker, handle: 2, size: '3' })
    run(owner)
    return owner
  }
  assert.deepEqual(decide(book, { mmp: 'taker' }, ['102']), ['done QuoteWins 0'])
  assert.deepEqual(decide(book, { mmp: 'taker', size: '2' }, ['100']), ['done Finished 0'])
  assert.deepEqual(decide(book, { mmp: true }, ['100']), ['done Finished 0'])
})

test('reduce-only orders do not get back the size that cancelled orders lost to them', () => {
  const book = (): MatcherOwner => {
    const owner = new MatcherOwner()
    owner.protect(1, { interval: 5000, frozen: 0, qty: 1 })
    owner.place({ ...maker, handle: 1, size: '2', price: '99', mmp: false })
    owner.place({ ...maker, handle: 2, size: '1' })
    owner.place({ ...maker, handle: 3, size: '5', price: '101', reduces: '10' })
    owner.place({ ...maker, handle: 4, size: '5', price: '102', mmp: false, reduces: '10' })
    run(owner)
    return owner
  }
  for (const [size, outcome] of [
    ['6', 'Finished'],
    ['6.00000001', 'QuoteWins'],
    ['8', 'QuoteWins'],
  ] as const) {
    assert.deepEqual(decide(book, { size }, ['102']), [`done ${outcome} 0`])
  }
  const owner = book()
  owner.place({ handle: 90, account: 9, side: 'Buy', price: '102', size: '8', tif: 'Fok' })
  assert.match(run(owner)[0]!, /removed 90 Fok 8$/)
  owner.place({ handle: 91, account: 9, side: 'Buy', price: '102', size: '6', tif: 'Fok' })
  assert.match(run(owner).at(-2)!, /fill 4 by 91: 3 at 102$/)
})

test('a frozen wallet gets no auction, and no end of an order that waits for one', () => {
  const owner = new MatcherOwner()
  owner.protect(1, { interval: 5000, frozen: 0, qty: 1 })
  owner.place({ ...maker, handle: 1, size: '1' })
  run(owner)
  take(owner, 0, { size: '1' })
  owner.place({ ...maker, handle: 2, size: '1', quoted: '100' })
  assert.deepEqual(run(owner), [`${owner.ticket} done Frozen 0`])
  owner.decide({ ...maker, handle: 2, size: '1', quoted: '100' })
  assert.deepEqual(run(owner), [`${owner.ticket} done Frozen 0`])
  owner.replaceUnbooked(2, '1', { ...maker, handle: 3, size: '1' })
  assert.deepEqual(run(owner), [`${owner.ticket} done Frozen 0`])
})

test('a reset clears the window and the freeze; after a deletion orders do not count', () => {
  const owner = new MatcherOwner()
  owner.protect(1, { interval: 5000, frozen: 0, qty: 2 })
  owner.place({ ...maker, handle: 1, size: '9' })
  run(owner)
  take(owner, 0, { size: '1' })
  owner.protect(1, { interval: 1, frozen: 0 }, MmpAction.Reset)
  run(owner)
  assert.equal(take(owner, 0, { size: '1' })[0], 'counted', 'the sum began anew')
  assert.equal(take(owner, 0, { size: '1' })[0], 'counted, qty')
  owner.protect(1, { interval: 1, frozen: 0 }, MmpAction.Reset)
  owner.place({ ...maker, handle: 2, size: '9' })
  owner.protect(1, { interval: 1, frozen: 0 }, MmpAction.Delete)
  run(owner)
  assert.deepEqual(take(owner, 0, { size: '9' }), ['0 fill 2 by 90: 9 at 100'])
})

test('a closing book cancels its protected orders', () => {
  const owner = quoting(example)
  owner.closeBook(0)
  owner.closeBook(1)
  run(owner)
  const { protections, watched } = owner.matcher.pool
  assert.equal(watched.entries.count, 0)
  assert.equal(protections.groups.count, 1, 'the group of the window is left')
  owner.protect(1, example, MmpAction.Delete)
  run(owner)
  assert.equal(protections.groups.count, 0)
})
