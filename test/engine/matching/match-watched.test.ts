import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DrawnBook, type DrawnOrder } from '../../support/book-table.js'

// Every sentence holds for the fast book and for its twin.
for (const kind of ['fast', 'twin'] as const) {
  const bookFrom = (...rows: string[]): DrawnBook => new DrawnBook(kind, rows)

  /** Asks the book of an order against each of some quotes; the book stays what it was. */
  function answers(book: DrawnBook, order: DrawnOrder, quotes: readonly string[]): boolean[] {
    const before = book.draw()
    const found = quotes.map((quoted) => book.fillsAsQuoted({ ...order, quoted }))
    assert.deepEqual(book.draw(), before)
    assert.deepEqual(book.sink.lines, [])
    return found
  }

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

    test('one lot too few within the limit is no fill, whatever the quote', () => {
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

    test('prices and sizes at their bounds are compared to the micro and the lot', () => {
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

    test('any time in force is asked alike, but an alo order takes nothing', () => {
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

    test('what they lose on the way is not counted', () => {
      assert.deepEqual(answers(book(), buy, ['101', '100.999999']), [true, false])
      assert.deepEqual(answers(book(), { ...buy, price: '101' }, ['103']), [false])
      assert.deepEqual(answers(book(), { ...buy, price: '101', size: '3' }, ['103']), [true])
    })

    test('an order that may not close as much is not filled whole', () => {
      const asked = (reduces: string) => answers(book(), { ...buy, reduces }, ['103'])[0]
      assert.deepEqual(['-4', '-3.99999999', '0', '4'].map(asked), [true, false, false, false])
    })

    test('own reduce-only orders that rest leave the less to close', () => {
      const drawn = book()
      drawn.place({ side: 'Buy', price: '99', size: '2', account: 'closer', reduces: '-5' })
      drawn.sink.lines.length = 0
      const closer = { ...buy, account: 'closer', reduces: '-5' } as const
      assert.deepEqual(answers(drawn, closer, ['103']), [false])
      assert.deepEqual(answers(drawn, { ...closer, size: '3' }, ['103']), [true])
    })
  })
}
