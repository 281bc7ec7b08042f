import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Book } from '../../../engine/matching/book.js'
import { assertBookConsistent } from '../../../engine/matching/book-check.js'
import { IncomingOrder } from '../../../engine/matching/order-book.js'
import { OrderPool } from '../../../engine/matching/order-pool.js'
import { Side, Tif } from '../../../schemas/domain.js'
import { DrawnBook, RecordingSink } from '../../support/book-table.js'

const me = { account: 'me' } as const

// Every sentence holds for the fast book and for its twin.
for (const kind of ['fast', 'twin'] as const) {
  const bookFrom = (...rows: string[]): DrawnBook => new DrawnBook(kind, rows)

  describe(`${kind} book: an incoming reduce-only order`, () => {
    test('a reduce-only order rests whole if it closes no more than the position', () => {
      const book = bookFrom()
      assert.equal(book.place({ ...me, side: 'Sell', price: '100', size: '5', reduces: '5' }), 5)
      book.expect([' | 100 | 5'], ['level Sell 100: 5'])
    })

    test('a reduce-only order is lowered to the position before it trades', () => {
      const book = bookFrom('2 | 100 | ')
      book.place({ ...me, side: 'Sell', price: '100', size: '5', reduces: '3' })
      book.expect(
        [' | 100 | 1'],
        ['reduced 2 to 3', 'fill 1 by 2: 2 at 100', 'level Buy 100: 0', 'level Sell 100: 1'],
      )
    })

    for (const [side, reduces] of [
      ['Buy', '5'],
      ['Sell', '-5'],
      ['Sell', '0'],
    ] as const) {
      test(`is removed when it would open: ${side} at ${reduces}`, () => {
        const book = bookFrom('2 | 100 | ', ' | 101 | 2')
        book.place({ ...me, side, price: '100.5', size: '1', reduces })
        book.expect([' | 101 | 2', '2 | 100 | '], ['removed 3 ReduceOnly 1'])
      })
    }

    test('a reduce-only order gets the part of the position that resting ones leave', () => {
      const book = bookFrom()
      book.place({ ...me, side: 'Buy', price: '99', size: '3', reduces: '-5' })
      book.place({ ...me, side: 'Buy', price: '100', size: '3', reduces: '-5' })
      book.place({ ...me, side: 'Buy', price: '101', size: '3', reduces: '-5' })
      book.expect(
        ['2 | 100 | ', '3 | 99 | '],
        ['level Buy 99: 3', 'reduced 2 to 2', 'level Buy 100: 2', 'removed 3 ReduceOnly 3'],
      )
    })

    test('a reduce-only fok is removed whole instead of lowered', () => {
      const book = bookFrom('9 | 100 | ')
      book.place({ ...me, side: 'Sell', price: '100', size: '5', tif: 'Fok', reduces: '4' })
      book.expect(['9 | 100 | '], ['removed 2 ReduceOnly 5'])
    })

    test('a reduce-only ioc loses its excess first and its rest last', () => {
      const book = bookFrom('2 | 100 | ')
      book.place({ ...me, side: 'Sell', price: '100', size: '5', tif: 'Ioc', reduces: '4' })
      book.expect(
        [],
        ['reduced 2 to 4', 'fill 1 by 2: 2 at 100', 'removed 2 Ioc 2', 'level Buy 100: 0'],
      )
    })

    test('a reduce-only order counts the trades of its round on top of its position', () => {
      const book = bookFrom('2@me | 100 | ')
      book.place({ side: 'Sell', price: '100', size: '2' })
      book.place({ ...me, side: 'Sell', price: '102', size: '5', reduces: '1' })
      book.expect([' | 102 | 3'])
      book.round++
      book.place({ ...me, side: 'Sell', price: '103', size: '1', reduces: '3' })
      book.expect([' | 102 | 3'], ['removed 4 ReduceOnly 1'])
    })

    test('a reduce-only order of the next round has the trades of the last one in its position', () => {
      const book = bookFrom('2@me | 100 | ')
      book.place({ side: 'Sell', price: '100', size: '2' })
      book.round++
      book.place({ ...me, side: 'Sell', price: '102', size: '5', reduces: '3' })
      book.expect([' | 102 | 3'])
    })
  })

  describe(`${kind} book: a shrinking position`, () => {
    test('a trade cuts the excess of a resting order between two matches', () => {
      const book = bookFrom('2 | 100 | ', '4 | 99 | ')
      book.place({ ...me, side: 'Sell', price: '105', size: '5', reduces: '5' })
      book.expect([' | 105 | 5', '2 | 100 | ', '4 | 99 | '])
      book.place({ ...me, side: 'Sell', price: '99', size: '3' })
      book.expect(
        [' | 105 | 2', '3 | 99 | '],
        [
          'fill 1 by 4: 2 at 100',
          'reduced 3 to 3',
          'fill 2 by 4: 1 at 99',
          'reduced 3 to 2',
          'level Buy 100: 0',
          'level Sell 105: 2',
          'level Buy 99: 3',
        ],
      )
    })

    test('the cut takes the worst price first, then the youngest order of a price', () => {
      const book = bookFrom('9 | 100 | ')
      for (const price of ['105', '104', '105', '103']) {
        book.place({ ...me, side: 'Sell', price, size: '1', reduces: '4' })
      }
      book.expect([' | 105 | 1 1', ' | 104 | 1', ' | 103 | 1', '9 | 100 | '])
      book.place({ ...me, side: 'Sell', price: '100', size: '1' })
      book.expect(
        [' | 105 | 1', ' | 104 | 1', ' | 103 | 1', '8 | 100 | '],
        [
          'fill 1 by 6: 1 at 100',
          'removed 4 ReduceOnly 1',
          'level Buy 100: 8',
          'level Sell 105: 1',
        ],
      )
      book.place({ ...me, side: 'Sell', price: '100', size: '2' })
      book.expect([' | 103 | 1', '6 | 100 | '])
    })

    test('a flipped position removes everything, and orders of the other side close it', () => {
      const book = bookFrom('9 | 100 | ')
      book.place({ ...me, side: 'Sell', price: '105', size: '2', reduces: '2' })
      book.place({ ...me, side: 'Sell', price: '100', size: '5' })
      book.expect(['4 | 100 | '])
      book.place({ ...me, side: 'Buy', price: '90', size: '9', reduces: '2' })
      book.expect(['4 | 100 | ', '3 | 90 | '], ['reduced 4 to 3', 'level Buy 90: 3'])
    })

    test('a cut removes the next maker before its turn', () => {
      const book = bookFrom(' | 101 | 7', ' | 100 | 3@me')
      book.place({ ...me, side: 'Sell', price: '100', size: '3', reduces: '3' })
      book.place({ ...me, side: 'Sell', price: '100', size: '1' })
      book.expect([' | 101 | 7', ' | 100 | 3 3 1'])
      book.place({ side: 'Buy', price: '101', size: '8' })
      book.expect(
        [' | 101 | 3'],
        [
          'fill 2 by 5: 3 at 100',
          'removed 3 ReduceOnly 3',
          'fill 4 by 5: 1 at 100',
          'fill 1 by 5: 4 at 101',
          'level Sell 100: 0',
          'level Sell 101: 3',
        ],
      )
    })

    test('a cut does not touch orders whose own trades reduce the position', () => {
      const book = bookFrom()
      book.place({ ...me, side: 'Sell', price: '100', size: '2', reduces: '5' })
      book.place({ ...me, side: 'Sell', price: '101', size: '3', reduces: '5' })
      book.place({ side: 'Buy', price: '101', size: '3' })
      book.expect([' | 101 | 2'])
    })

    test('a cut order keeps its place in the queue', () => {
      const book = bookFrom('9 | 90 | ')
      book.place({ ...me, side: 'Sell', price: '100', size: '5', reduces: '5' })
      book.place({ side: 'Sell', price: '100', size: '1' })
      book.place({ ...me, side: 'Sell', price: '90', size: '4' })
      book.expect([' | 100 | 1 1', '5 | 90 | '])
      book.place({ side: 'Buy', price: '100', size: '1' })
      book.expect([' | 100 | 1', '5 | 90 | '], ['fill 2 by 5: 1 at 100', 'level Sell 100: 1'])
    })

    test('a position that grows again restores nothing', () => {
      const book = bookFrom('9 | 90 | ', ' | 95 | 9')
      book.place({ ...me, side: 'Sell', price: '100', size: '5', reduces: '5' })
      book.place({ ...me, side: 'Sell', price: '90', size: '3' })
      book.place({ ...me, side: 'Buy', price: '95', size: '3' })
      book.expect([' | 100 | 2', ' | 95 | 6', '6 | 90 | '])
      book.place({ ...me, side: 'Sell', price: '101', size: '9', reduces: '5' })
      book.expect([' | 101 | 3', ' | 100 | 2', ' | 95 | 6', '6 | 90 | '])
    })

    test('a cut affects the orders of one account only', () => {
      const book = bookFrom('9 | 90 | ')
      book.place({ ...me, side: 'Sell', price: '100', size: '5', reduces: '5' })
      book.place({ account: 'you', side: 'Sell', price: '100', size: '5', reduces: '5' })
      book.place({ account: 'you', side: 'Sell', price: '90', size: '5' })
      book.expect([' | 100 | 5', '4 | 90 | '])
    })
  })

  describe(`${kind} book: a fok and resting reduce-only orders`, () => {
    const makers = (): DrawnBook => {
      const book = bookFrom(' | 100 | 3@me')
      book.place({ ...me, side: 'Sell', price: '101', size: '5', reduces: '5' })
      book.expect([' | 101 | 5', ' | 100 | 3'])
      return book
    }

    test('a reduce-only fok does not count orders that its own trades would cut', () => {
      const book = makers()
      book.place({ side: 'Buy', price: '101', size: '5.00000001', tif: 'Fok' })
      book.expect([' | 101 | 5', ' | 100 | 3'], ['removed 3 Fok 5.00000001'])
    })

    test('a reduce-only fok trades whole if the other orders suffice', () => {
      const book = makers()
      book.place({ side: 'Buy', price: '101', size: '5', tif: 'Fok' })
      book.expect(
        [],
        [
          'fill 1 by 3: 3 at 100',
          'reduced 2 to 2',
          'fill 2 by 3: 2 at 101',
          'level Sell 100: 0',
          'level Sell 101: 0',
        ],
      )
    })

    test('a reduce-only fok with cancel_maker does not count its own orders', () => {
      const book = bookFrom(' | 102 | 9', ' | 100 | 4@taker')
      book.place({ ...me, side: 'Sell', price: '101', size: '1', reduces: '1' })
      const fok = { account: 'taker', tif: 'Fok', selfTrade: 'CancelMaker' } as const
      book.place({ ...fok, side: 'Buy', price: '102', size: '4' })
      book.expect([' | 102 | 6'])
    })
  })

  describe(`${kind} book: a position that changes off the book`, () => {
    const held = () => {
      const book = bookFrom()
      book.place({ ...me, side: 'Sell', price: '100', size: '2', reduces: '5' })
      book.place({ ...me, side: 'Sell', price: '101', size: '3', reduces: '5' })
      book.expect([' | 101 | 3', ' | 100 | 2'])
      return book
    }

    test('a smaller position cuts the excess, beginning with the order that would trade last', () => {
      const book = held()
      book.setPosition('me', 4)
      book.expect([' | 101 | 2', ' | 100 | 2'], ['reduced 2 to 2', 'level Sell 101: 2'])
      book.setPosition('me', 1)
      book.expect(
        [' | 100 | 1'],
        ['removed 2 ReduceOnly 2', 'reduced 1 to 1', 'level Sell 101: 0', 'level Sell 100: 1'],
      )
    })

    test('a closed or flipped position cuts all of them', () => {
      for (const contracts of [0, -3]) {
        const book = held()
        book.setPosition('me', contracts)
        book.expect([])
      }
    })

    test('a larger position lets the next order close more', () => {
      const book = held()
      book.setPosition('me', 9)
      book.expect([' | 101 | 3', ' | 100 | 2'], [])
      assert.equal(book.place({ ...me, side: 'Sell', price: '102', size: '6', reduces: '9' }), 4)
    })

    test('a position without reduce-only orders changes nothing', () => {
      const book = bookFrom(' | 100 | 5@me')
      book.setPosition('me', 0)
      book.expect([' | 100 | 5'], [])
    })
  })

  describe(`${kind} book: replacing a reduce-only order`, () => {
    test('a replaced order frees its size for its replacement', () => {
      const book = bookFrom()
      book.place({ ...me, side: 'Sell', price: '100', size: '5', reduces: '5' })
      book.replace(1, { ...me, side: 'Sell', price: '101', size: '5', reduces: '5' })
      book.expect(
        [' | 101 | 5'],
        ['level Sell 100: 5', 'removed 1 Replace 5', 'level Sell 100: 0', 'level Sell 101: 5'],
      )
    })
  })
}

test('a closed book clears its reduce-only records, and the next book of its root starts without any', () => {
  const pool = new OrderPool(1)
  const order = new IncomingOrder()
  order.isReduceOnly = true
  order.side = Side.Sell
  order.positionLots = 1000
  const book = new Book(pool, new RecordingSink())
  for (let account = 0; account < 300; account++) {
    order.handle = account
    order.account = account
    order.priceIndex = 1 + (account % 7)
    order.sizeLots = 1 + account
    book.place(order)
  }
  assert.equal(book.watchCount, 300)
  assert.equal(assertBookConsistent(book), 300)
  for (let account = 0; account < 300; account += 3) book.cancel(account)
  assert.equal(book.watchCount, 200)
  assert.equal(assertBookConsistent(book), 200)
  book.close()
  assert.deepEqual([pool.watched.watches.count, pool.watched.entries.count], [0, 0])
  assert.ok(pool.watched.watches.buckets.every((watch) => watch === 0))
})

test('the number of trials wraps, and a fok still counts a position once', () => {
  const pool = new OrderPool()
  const book = new Book(pool, new RecordingSink())
  const order = Object.assign(new IncomingOrder(), { handle: 1, account: 1, side: Side.Sell })
  book.place(Object.assign(order, { priceIndex: 100, sizeLots: 3 }))
  const closing = { handle: 2, isReduceOnly: true, positionLots: 5 }
  book.place(Object.assign(order, closing, { priceIndex: 101, sizeLots: 5 }))
  pool.watched.trial = 2 ** 31 - 1
  const fok = { handle: 3, account: 2, side: Side.Buy, tif: Tif.Fok, isReduceOnly: false }
  // Once the first order has traded, two lots are left of the position: five in all.
  book.place(Object.assign(order, fok, { priceIndex: 101, sizeLots: 6 }))
  assert.deepEqual([book.openLotsOf(1), book.openLotsOf(2)], [3, 5])
})

test('a fok counts the positions of more accounts than the table had room for', () => {
  const pool = new OrderPool()
  const book = new Book(pool, new RecordingSink())
  const order = Object.assign(new IncomingOrder(), { side: Side.Sell, priceIndex: 100 })
  for (let account = 1; account <= 100; account++) {
    // Every account may sell three lots in all: two at once, and one of the two that reduce only.
    Object.assign(order, { handle: 2 * account, account, sizeLots: 2, isReduceOnly: false })
    book.place(order)
    const closing = { handle: 2 * account + 1, isReduceOnly: true, positionLots: 3, sizeLots: 2 }
    book.place(Object.assign(order, closing))
  }
  const fok = { side: Side.Buy, tif: Tif.Fok, account: 101, isReduceOnly: false }
  for (const sizeLots of [301, 300]) {
    assert.equal(book.place(Object.assign(order, fok, { handle: sizeLots, sizeLots })), 0)
    assert.equal(assertBookConsistent(book), sizeLots === 301 ? 200 : 0)
  }
})
