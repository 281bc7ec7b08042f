import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Book } from '../../../engine/matching/book.js'
import { assertBookConsistent } from '../../../engine/matching/book-check.js'
import { IncomingOrder, notResting } from '../../../engine/matching/order-book.js'
import { OrderPool, totalLotsMax, touchLevel } from '../../../engine/matching/order-pool.js'
import { priceIndexMax, priceIndexOf } from '../../../engine/matching/price-grid.js'
import { type SlotPool, slotShape } from '../../../engine/matching/slot-pool.js'
import { sizeLotsMax } from '../../../schemas/bounds.js'
import { Side, Tif } from '../../../schemas/domain.js'
import { DrawnBook, type DrawnOrder, RecordingSink } from '../../support/book-table.js'

// Every sentence holds for the fast book and for its twin.
for (const kind of ['fast', 'twin'] as const) {
  const bookFrom = (...rows: string[]): DrawnBook => new DrawnBook(kind, rows)

  /** Compares the book with each quote for an order. The book does not change. */
  function answers(book: DrawnBook, order: DrawnOrder, quotes: readonly string[]): boolean[] {
    const before = book.draw()
    const found = quotes.map((quoted) => book.fillsAsQuoted({ ...order, quoted }))
    assert.deepEqual(book.draw(), before)
    assert.deepEqual(book.sink.lines, [])
    return found
  }

  describe(`${kind} book: what an order would meet`, () => {
    const crosses = (book: DrawnBook, side: 'Buy' | 'Sell', price: string, replaced = notResting) =>
      book.book.crosses(book.incoming({ side, price, size: '1' }), replaced)

    test('a limit that reaches the best price of the other side would trade', () => {
      const book = bookFrom('  | 102 | 5', '  | 101 | 2', '3 | 100 |  ')
      const asked = ['100.5', '101', '103'].map((price) => crosses(book, 'Buy', price))
      assert.deepEqual(asked, [false, true, true])
      assert.deepEqual(
        [crosses(book, 'Sell', '100'), crosses(book, 'Sell', '100.5')],
        [true, false],
      )
      assert.equal(crosses(bookFrom(), 'Buy', '1000'), false)
    })

    test('a replaced order does not count, but orders next to it and after it do', () => {
      const book = bookFrom('  | 102 | 5', '  | 101 | 2', '3 | 100 |  ')
      assert.equal(crosses(book, 'Buy', '101', 2), false)
      assert.equal(crosses(book, 'Buy', '102', 2), true)
      assert.equal(crosses(book, 'Buy', '102', 1), true)
      assert.equal(crosses(book, 'Buy', '101', 3), true)
      const shared = bookFrom(' | 101 | 2 3')
      const rest = [1, 2].map((handle) => crosses(shared, 'Buy', '101', handle))
      assert.deepEqual(rest, [true, true])
    })

    test('an alo order rests like a gtc one', () => {
      const book = bookFrom('  | 102 | 5')
      assert.equal(book.place({ side: 'Buy', price: '101', size: '4', tif: 'Alo' }), 4)
      book.expect(['  | 102 | 5', '4 | 101 |  '], ['level Buy 101: 4'])
    })
  })

  describe(`${kind} book: price and time`, () => {
    test('a buy through the ask trades at the resting price and leaves the rest', () => {
      const book = bookFrom('    | 102.5 |   7', '  4 | 100   |    ')
      assert.equal(book.place({ side: 'Buy', price: '103', size: '2', tif: 'Ioc' }), 0)
      book.expect(
        ['    | 102.5 |   5', '  4 | 100   |    '],
        ['fill 1 by 3: 2 at 102.5', 'level Sell 102.5: 5'],
      )
    })

    test('a sell through the bid trades at the resting price', () => {
      const book = bookFrom('    | 102.5 |   7', '  4 | 100   |    ')
      book.place({ side: 'Sell', price: '99', size: '1' })
      book.expect(
        ['    | 102.5 |   7', '  3 | 100   |    '],
        ['fill 2 by 3: 1 at 100', 'level Buy 100: 3'],
      )
    })

    test('the older order of a level trades first', () => {
      const book = bookFrom(' | 100 | 1 2 3')
      book.place({ side: 'Buy', price: '100', size: '2' })
      book.expect(
        [' | 100 | 1 3'],
        ['fill 1 by 4: 1 at 100', 'fill 2 by 4: 1 at 100', 'level Sell 100: 4'],
      )
    })

    test('a sweep takes the better level first and rests what is left', () => {
      const book = bookFrom(' | 102 | 5', ' | 101 | 2', ' | 100 | 1')
      assert.equal(book.place({ side: 'Buy', price: '101', size: '10' }), 7)
      book.expect(
        ['  | 102 | 5', '7 | 101 |  '],
        [
          'fill 3 by 4: 1 at 100',
          'fill 2 by 4: 2 at 101',
          'level Sell 100: 0',
          'level Sell 101: 0',
          'level Buy 101: 7',
        ],
      )
    })

    test('an order that meets its size exactly leaves nothing', () => {
      const book = bookFrom(' | 100 | 1 2')
      assert.equal(book.place({ side: 'Buy', price: '100', size: '3' }), 0)
      book.expect([], ['fill 1 by 3: 1 at 100', 'fill 2 by 3: 2 at 100', 'level Sell 100: 0'])
    })

    test('prices of different decades sort correctly', () => {
      const book = bookFrom(' | 10 | 1', ' | 9.9999 | 1', ' | 0.1 | 1', ' | 0.099999 | 1')
      book.place({ side: 'Buy', price: '9.9999', size: '3' })
      book.expect([' | 10 | 1'])
    })

    test('the lowest and the highest price trade like any other', () => {
      const book = bookFrom(' | 1000000000 | 1', '1 | 0.000001 | ')
      book.place({ side: 'Buy', price: '1000000000', size: '2' })
      book.place({ side: 'Sell', price: '0.000001', size: '3' })
      book.expect(
        [' | 0.000001 | 1'],
        [
          'fill 1 by 3: 1 at 1000000000',
          'level Sell 1000000000: 0',
          'level Buy 1000000000: 1',
          'fill 3 by 4: 1 at 1000000000',
          'fill 2 by 4: 1 at 0.000001',
          'level Buy 1000000000: 0',
          'level Buy 0.000001: 0',
          'level Sell 0.000001: 1',
        ],
      )
    })
  })

  describe(`${kind} book: time in force`, () => {
    test('an ioc without a match is removed whole', () => {
      const book = bookFrom(' | 101 | 1')
      assert.equal(book.place({ side: 'Buy', price: '100', size: '2', tif: 'Ioc' }), 0)
      book.expect([' | 101 | 1'], ['removed 2 Ioc 2'])
    })

    test('the rest of an ioc is removed after its fills', () => {
      const book = bookFrom(' | 101 | 1')
      book.place({ side: 'Buy', price: '101', size: '3', tif: 'Ioc' })
      book.expect([], ['fill 1 by 2: 1 at 101', 'removed 2 Ioc 2', 'level Sell 101: 0'])
    })

    test('a fok without enough depth changes nothing', () => {
      const book = bookFrom(' | 102 | 9', ' | 101 | 1 1')
      book.place({ side: 'Buy', price: '101', size: '2.00000001', tif: 'Fok' })
      book.expect([' | 102 | 9', ' | 101 | 1 1'], ['removed 4 Fok 2.00000001'])
    })

    test('a fok with exactly enough depth trades whole', () => {
      const book = bookFrom(' | 102 | 9', ' | 101 | 1 1')
      book.place({ side: 'Buy', price: '102', size: '11', tif: 'Fok' })
      book.expect([])
    })
  })

  describe(`${kind} book: self-trade prevention`, () => {
    const rows = [' | 101 | 5', ' | 100 | 1 2@me 4']
    const mine = { side: 'Buy', price: '101', account: 'me' } as const

    test('cancel_taker removes the rest of the incoming order at the own order', () => {
      const book = bookFrom(...rows)
      assert.equal(book.place({ ...mine, size: '6' }), 0)
      book.expect(
        [' | 101 | 5', ' | 100 | 2@me 4'],
        ['fill 2 by 5: 1 at 100', 'removed 5 SelfTrade 5', 'level Sell 100: 6'],
      )
    })

    test('cancel_taker lets an order trade that fills before it meets an own order', () => {
      const book = bookFrom(...rows)
      book.place({ ...mine, size: '1' })
      book.expect([' | 101 | 5', ' | 100 | 2@me 4'], ['fill 2 by 5: 1 at 100', 'level Sell 100: 6'])
    })

    test('cancel_taker changes no level if the order meets an own order first', () => {
      const book = bookFrom(' | 100 | 2@me 4')
      book.place({ ...mine, size: '1' })
      book.expect([' | 100 | 2@me 4'], ['removed 3 SelfTrade 1'])
    })

    test('cancel_maker removes own orders on the way and continues to trade', () => {
      const book = bookFrom(...rows)
      assert.equal(book.place({ ...mine, size: '6', selfTrade: 'CancelMaker' }), 0)
      book.expect(
        [' | 101 | 4'],
        [
          'fill 2 by 5: 1 at 100',
          'removed 3 SelfTrade 2',
          'fill 4 by 5: 4 at 100',
          'fill 1 by 5: 1 at 101',
          'level Sell 100: 0',
          'level Sell 101: 4',
        ],
      )
    })

    test('cancel_maker leaves own orders after the last fill', () => {
      const book = bookFrom(...rows)
      book.place({ ...mine, size: '1', selfTrade: 'CancelMaker' })
      book.expect([' | 101 | 5', ' | 100 | 2@me 4'])
    })

    test('cancel_maker lets the order rest if only own orders were in the way', () => {
      const book = bookFrom(' | 100 | 2@me 3@me')
      assert.equal(book.place({ ...mine, size: '1', selfTrade: 'CancelMaker' }), 1)
      book.expect(
        ['1 | 101 | '],
        ['removed 1 SelfTrade 2', 'removed 2 SelfTrade 3', 'level Sell 100: 0', 'level Buy 101: 1'],
      )
    })

    test('cancel_both removes the own order and the rest of the incoming one', () => {
      const book = bookFrom(...rows)
      assert.equal(book.place({ ...mine, size: '6', selfTrade: 'CancelBoth' }), 0)
      book.expect(
        [' | 101 | 5', ' | 100 | 4'],
        [
          'fill 2 by 5: 1 at 100',
          'removed 3 SelfTrade 2',
          'removed 5 SelfTrade 5',
          'level Sell 100: 4',
        ],
      )
    })

    test('cancel_both empties a level that has only the own order', () => {
      const book = bookFrom(' | 101 | 5', ' | 100 | 2@me')
      book.place({ ...mine, size: '6', selfTrade: 'CancelBoth' })
      book.expect([' | 101 | 5'])
      assert.equal(book.book.bestIndexOf(Side.Sell), priceIndexOf(101_000_000))
    })

    test('own orders out of reach do not matter', () => {
      const book = bookFrom(' | 102 | 2@me', ' | 100 | 1')
      assert.equal(book.place({ ...mine, size: '3' }), 2)
      book.expect([' | 102 | 2@me', '2 | 101 | '])
    })

    for (const selfTrade of ['CancelTaker', 'CancelBoth'] as const) {
      test(`a fok with ${selfTrade} that would meet an own order changes nothing`, () => {
        const book = bookFrom(...rows)
        book.place({ ...mine, size: '2', tif: 'Fok', selfTrade })
        book.expect(rows, ['removed 5 SelfTrade 2'])
      })

      test(`a fok with ${selfTrade} trades when it is filled before the own order`, () => {
        const book = bookFrom(...rows)
        book.place({ ...mine, size: '1', tif: 'Fok', selfTrade })
        book.expect([' | 101 | 5', ' | 100 | 2@me 4'])
      })
    }

    test('a fok with cancel_maker counts only the orders of other wallets', () => {
      const book = bookFrom(...rows)
      book.place({ ...mine, size: '11', tif: 'Fok', selfTrade: 'CancelMaker' })
      book.expect(rows, ['removed 5 SelfTrade 11'])
      book.place({ ...mine, size: '13', tif: 'Fok', selfTrade: 'CancelMaker' })
      book.expect(rows, ['removed 6 Fok 13'])
      book.place({ ...mine, size: '10', tif: 'Fok', selfTrade: 'CancelMaker' })
      book.expect([])
    })
  })

  describe(`${kind} book: cancel and replace`, () => {
    test('a cancel takes an order from the front, the middle and the end of its queue', () => {
      const book = bookFrom('1 2 3 4 | 100 | ')
      assert.equal(book.book.cancel(2), 200_000_000)
      book.expect(['1 3 4 | 100 | '], ['removed 2 Cancel 2', 'level Buy 100: 8'])
      book.book.cancel(4)
      book.expect(['1 3 | 100 | '], ['removed 4 Cancel 4', 'level Buy 100: 4'])
      book.book.cancel(1)
      book.expect(['3 | 100 | '], ['removed 1 Cancel 1', 'level Buy 100: 3'])
      book.book.cancel(3)
      book.expect([], ['removed 3 Cancel 3', 'level Buy 100: 0'])
    })

    test('an order that does not rest can be neither cancelled nor replaced', () => {
      const book = bookFrom('1 | 100 | ')
      assert.equal(book.book.cancel(77), notResting)
      assert.equal(book.replace(77, { side: 'Buy', price: '99', size: '1' }), notResting)
      assert.equal(book.book.openLotsOf(77), notResting)
      book.expect(['1 | 100 | '], [])
    })

    test('a replaced order goes to the end of the queue', () => {
      const book = bookFrom('1 2 | 100 | ')
      book.replace(1, { side: 'Buy', price: '100', size: '5' })
      book.expect(['2 5 | 100 | '], ['removed 1 Replace 1', 'level Buy 100: 7'])
    })

    test('a replace that leaves its level unchanged reports no level', () => {
      const book = bookFrom('3 | 100 | ')
      book.replace(1, { side: 'Buy', price: '100', size: '3' })
      book.expect(['3 | 100 | '], ['removed 1 Replace 3'])
    })

    test('a replace to another price reports the old level, then the new one', () => {
      const book = bookFrom('3 | 100 | ')
      book.replace(1, { side: 'Buy', price: '99', size: '2' })
      book.expect(['2 | 99 | '], ['removed 1 Replace 3', 'level Buy 100: 0', 'level Buy 99: 2'])
      assert.equal(book.book.bestIndexOf(Side.Buy), priceIndexOf(99_000_000))
    })

    test('a replace trades where its new price crosses', () => {
      const book = bookFrom(' | 101 | 1', '3 | 100 | ')
      book.replace(2, { side: 'Buy', price: '101', size: '2' })
      book.expect(
        ['1 | 101 | '],
        [
          'removed 2 Replace 3',
          'fill 1 by 3: 1 at 101',
          'level Buy 100: 0',
          'level Sell 101: 0',
          'level Buy 101: 1',
        ],
      )
    })

    test('a replace may change the side, past the level that it emptied', () => {
      const book = bookFrom('3@me | 100 | ', '2 | 99 | ')
      book.replace(1, { side: 'Sell', price: '99', size: '3', account: 'me' })
      book.expect(
        [' | 99 | 1'],
        [
          'removed 1 Replace 3',
          'fill 2 by 3: 2 at 99',
          'level Buy 100: 0',
          'level Buy 99: 0',
          'level Sell 99: 1',
        ],
      )
    })

    test('a replace may keep the handle', () => {
      const book = bookFrom('3 | 100 | ')
      book.handle = 0
      book.replace(1, { side: 'Buy', price: '99', size: '2' })
      assert.equal(book.book.openLotsOf(1), 200_000_000)
      book.expect(['2 | 99 | '])
    })
  })

  describe(`${kind} book: whether it does as well as a quote`, () => {
    const two = [' | 102 | 5', ' | 100 | 1']
    const buy = { side: 'Buy', price: '102', size: '2' } as const

    test('an equal average is as well, one micro per contract above it is not', () => {
      assert.deepEqual(answers(bookFrom(...two), buy, ['101', '100.999999', '101.000001']), [
        true,
        false,
        true,
      ])
      const bids = bookFrom('1 | 102 | ', '5 | 100 | ')
      const sell = { side: 'Sell', price: '100', size: '2' } as const
      assert.deepEqual(answers(bids, sell, ['101', '101.000001', '100.999999']), [
        true,
        false,
        true,
      ])
    })

    test('an average between two micros is not rounded', () => {
      const three = { ...buy, size: '3' }
      assert.deepEqual(answers(bookFrom(...two), three, ['101.333333', '101.333334']), [
        false,
        true,
      ])
      const bids = bookFrom('1 | 102 | ', '5 | 100 | ')
      const sell = { side: 'Sell', price: '100', size: '3' } as const
      assert.deepEqual(answers(bids, sell, ['100.666666', '100.666667']), [true, false])
    })

    test('one lot too few within the limit does not fill the order, whatever the quote', () => {
      const book = bookFrom(...two, '9 | 99 | ')
      const asked = (price: string, size: string) =>
        answers(book, { side: 'Buy', price, size }, ['1000000000'])[0]
      assert.deepEqual(
        [asked('100', '1'), asked('100', '1.00000001'), asked('99.999', '1'), asked('102', '6')],
        [true, false, false, true],
      )
      assert.equal(asked('103', '6.00000001'), false)
      assert.deepEqual(answers(bookFrom(), buy, ['1000000000']), [false])
    })

    test('prices and sizes at their limits are compared to the micro and the lot', () => {
      const whole = bookFrom(' | 1000000000 | 100000')
      const most = { side: 'Buy', price: '1000000000', size: '100000' } as const
      assert.deepEqual(answers(whole, most, ['1000000000', '999999999.999999']), [true, false])
      // One lot of 1e13 is ten USD cheaper: the average is 1e-12 USD below the quote.
      const nearly = bookFrom(' | 1000000000 | 99999.99999999', ' | 999990000 | 0.00000001')
      assert.deepEqual(answers(nearly, most, ['1000000000', '999999999.999999']), [true, false])
      const bids = bookFrom('0.00000001 | 1000000000 | ', '99999.99999999 | 999990000 | ')
      const sell = { ...most, side: 'Sell', price: '999990000' } as const
      assert.deepEqual(answers(bids, sell, ['999990000', '999990000.000001']), [true, false])
    })

    test('the comparison is the same for any time in force, but an alo order takes nothing', () => {
      const asked = (['Gtc', 'Ioc', 'Fok', 'Alo'] as const).map(
        (tif) => answers(bookFrom(...two), { ...buy, tif }, ['101'])[0],
      )
      assert.deepEqual(asked, [true, true, true, false])
    })
  })

  describe(`${kind} book: own orders against a quote`, () => {
    const rows = [' | 102 | 5', ' | 100 | 1 2@me 4']
    const mine = { side: 'Buy', price: '102', account: 'me' } as const

    for (const selfTrade of ['CancelTaker', 'CancelBoth'] as const) {
      test(`${selfTrade} ends an order at its own, not before`, () => {
        const book = bookFrom(...rows)
        assert.deepEqual(answers(book, { ...mine, size: '1', selfTrade }, ['100']), [true])
        const more = { ...mine, size: '1.00000001', selfTrade }
        assert.deepEqual(answers(book, more, ['100', '102']), [false, false])
      })
    }

    test('cancel_maker passes over own orders, which cost nothing', () => {
      const order = { ...mine, size: '8', selfTrade: 'CancelMaker' } as const
      assert.deepEqual(answers(bookFrom(...rows), order, ['100.75', '100.749999']), [true, false])
      const all = { ...order, size: '10.00000001' }
      assert.deepEqual(answers(bookFrom(...rows), all, ['102']), [false])
    })
  })

  describe(`${kind} book: reduce-only orders against a quote`, () => {
    const book = (): DrawnBook => {
      const drawn = bookFrom(' | 103 | 5')
      const holder = { side: 'Sell', account: 'holder' } as const
      drawn.place({ ...holder, price: '100', size: '2' })
      drawn.place({ ...holder, price: '101', size: '3', reduces: '3' })
      drawn.sink.lines.length = 0
      return drawn
    }
    const buy = { side: 'Buy', price: '103', size: '4' } as const

    test('fills during the trial do not count', () => {
      assert.deepEqual(answers(book(), buy, ['101', '100.999999']), [true, false])
      assert.deepEqual(answers(book(), { ...buy, price: '101' }, ['103']), [false])
      assert.deepEqual(answers(book(), { ...buy, price: '101', size: '3' }, ['103']), [true])
    })

    test('an order that exceeds the position it may close is not filled whole', () => {
      const asked = (reduces: string) => answers(book(), { ...buy, reduces }, ['103'])[0]
      assert.deepEqual(['-4', '-3.99999999', '0', '4'].map(asked), [true, false, false, false])
    })

    test('own resting reduce-only orders leave less of the position to close', () => {
      const drawn = book()
      drawn.place({ side: 'Buy', price: '99', size: '2', account: 'closer', reduces: '-5' })
      drawn.sink.lines.length = 0
      const closer = { ...buy, account: 'closer', reduces: '-5' } as const
      assert.deepEqual(answers(drawn, closer, ['103']), [false])
      assert.deepEqual(answers(drawn, { ...closer, size: '3' }, ['103']), [true])
    })
  })
}

test('totals saturate instead of losing lots, and decrease exactly', () => {
  const book = new Book(new OrderPool(), new RecordingSink())
  const order = new IncomingOrder()
  order.priceIndex = 5
  order.sizeLots = sizeLotsMax - 1
  for (order.handle = 0; order.handle < 1000; order.handle++) {
    order.account = order.handle
    book.place(order)
  }
  assert.equal(book.levelLotsAt(Side.Buy, 5), totalLotsMax)
  assertBookConsistent(book)
  for (let handle = 0; handle < 500; handle++) book.cancel(handle)
  assert.equal(book.levelLotsAt(Side.Buy, 5), 500 * (sizeLotsMax - 1))
  order.handle = 2000
  order.account = 2000
  order.side = Side.Sell
  order.sizeLots = sizeLotsMax
  order.tif = Tif.Fok
  book.place(order)
  assert.equal(book.levelLotsAt(Side.Buy, 5), 500 * (sizeLotsMax - 1) - sizeLotsMax)
  assertBookConsistent(book)
})

test('books of one pool share slots but not orders', () => {
  const pool = new OrderPool(1)
  const books = [new Book(pool, new RecordingSink()), new Book(pool, new RecordingSink())]
  const order = new IncomingOrder()
  order.sizeLots = 1
  for (let handle = 0; handle < 100; handle++) {
    order.handle = handle
    order.account = handle
    order.priceIndex = 1 + ((handle * 7919) % priceIndexMax)
    books[handle & 1].place(order)
  }
  assert.equal(books.map(assertBookConsistent).join(), '50,50')
  assert.throws(() => books[0].cancel(1), /the order rests in this book/)
})

test('a closed book frees all its memory', () => {
  const pool = new OrderPool()
  const book = new Book(pool, new RecordingSink())
  const order = new IncomingOrder()
  order.sizeLots = 1
  for (let handle = 0; handle < 50; handle++) {
    order.handle = handle
    order.side = handle < 25 ? Side.Buy : Side.Sell
    order.priceIndex = 1 + 1000 * handle
    book.place(order)
  }
  book.close()
  assert.deepEqual([pool.orders.count, pool.levels.count, pool.index.nodeCount], [0, 0, 0])
  assert.ok(pool.slotOf.every((slot) => slot === 0))
})

test('a size or price out of range is a bug of the caller', () => {
  const book = new Book(new OrderPool(), new RecordingSink())
  const order = new IncomingOrder()
  order.priceIndex = 1
  assert.throws(() => book.place(order), /size within its bounds/)
  order.sizeLots = sizeLotsMax + 1
  assert.throws(() => book.place(order), /size within its bounds/)
  order.sizeLots = 1
  order.priceIndex = 0
  assert.throws(() => book.place(order), /price on the grid/)
  order.priceIndex = 1
  order.handle = notResting
  assert.throws(() => book.place(order), /the handle is not negative/)
})

test('placing a crossing ALO order stops the book', () => {
  const book = new DrawnBook('fast', [' | 100 | 5'])
  const alo = { side: 'Buy', price: '100', size: '1', tif: 'Alo' } as const
  assert.throws(() => book.place(alo), /an ALO order never takes liquidity/)
})

const level = 1
const [older, younger] = [1, 2]
for (const [fault, damage, symptom] of [
  [
    'an order without open lots',
    ({ orders }) => setLots(orders, older, 0),
    /a resting order has open lots/,
  ],
  ['a level without lots', ({ levels }) => setLots(levels, level, 0), /a level holds at least/],
  ['an empty level with lots', ({ levels }) => setLots(levels, level, 3), /level is empty/],
  [
    'a handle of another order',
    ({ slotOf }) => slotOf.fill(younger, 1, 2),
    /the handle belongs to this order/,
  ],
  ['an unfinished command', (pool) => touchLevel(pool, level), /no command is in progress/],
] as const satisfies readonly [string, (pool: OrderPool) => unknown, RegExp][]) {
  test(`${fault}: the next command stops`, () => {
    const drawn = new DrawnBook('fast', [' | 100 | 0.00000001 0.00000001'])
    damage((drawn.book as Book).pool)
    assert.throws(() => {
      drawn.book.cancel(1)
      drawn.place({ side: 'Buy', price: '100', size: '1' })
    }, symptom)
  })
}

function setLots({ lots }: SlotPool, slot: number, sizeLots: number): void {
  lots[(slot << slotShape.lotsShift) | slotShape.lots] = sizeLots
}

test('a sweep of more levels than a command had room for reports each of them once', () => {
  const sink = new RecordingSink()
  const book = new Book(new OrderPool(1), sink)
  const order = new IncomingOrder()
  order.side = Side.Sell
  order.sizeLots = 1
  for (let priceIndex = 1; priceIndex <= 600; priceIndex++) {
    Object.assign(order, { handle: priceIndex, account: 1, priceIndex })
    book.place(order)
  }
  sink.lines.length = 0
  Object.assign(order, { handle: 601, account: 2, side: Side.Buy, sizeLots: 600 })
  assert.equal(book.place(order), 0)
  const levels = sink.lines.filter((line) => line.startsWith('level Sell'))
  assert.equal(levels.length, 600)
  assert.equal(new Set(levels).size, 600)
  assert.equal(assertBookConsistent(book), 0)
})
