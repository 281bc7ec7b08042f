import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Book } from '../../../engine/matching/book.js'
import { KeptResults } from '../../../engine/state/accounts/kept-results.js'
import { CoreState } from '../../../engine/state/core-state.js'
import type { Auction } from '../../../engine/state/rfq/auction-row.js'
import { AuctionTable } from '../../../engine/state/rfq/auction-table.js'
import { Rfq } from '../../../engine/state/rfq/rfq-row.js'
import { firstFailing, onlyWith } from '../../support/planted-fault.js'
import type { Seams } from '../simulated-exchange.js'

// Faults of orders that wait for quotes: each test plants one in all engines of a run.

type LoadedFrom = Parameters<AuctionTable['load']>

const steps = 400
/** With few other faults, most waiting orders get an answer from providers. */
const without = onlyWith('auctions', 'repeat')

test('the simulator finds an order that waits past its deadline', (t) => {
  t.mock.getter(Rfq.prototype, 'dueMillis', () => Number.POSITIVE_INFINITY)
  fails(/waits longer than its time/, {}, 14)
})

test('the simulator finds an order that waits for providers that have all answered', (t) => {
  t.mock.getter(Rfq.prototype, 'isAnswered', () => false)
  fails(/waits for nobody/)
})

test('the simulator finds an order that waits during a halt', () => {
  fails(/waits in a halt|open in a halt|which has ended|in liquidation|another state/, {
    disturb: ({ rfqs }) => {
      Object.defineProperty(rfqs, 'mayBeStale', { get: () => false, set: () => {} })
    },
  })
})

test('the simulator finds an auction that is left half decided', () => {
  fails(/is half decided/, {
    disturb: ({ auctions }) => {
      for (const auction of auctions.rows) auctions.due.add(auction)
    },
  })
})

test('the simulator finds a waiting order that counts as being in its book', () => {
  fails(/is open \d+, rests|is crossed|another book/, {
    disturb: ({ auctions }) => {
      auctions.has = () => false
    },
  })
})

test('the simulator finds a reference price that leaves the book out', (t) => {
  const { add } = AuctionTable.prototype
  t.mock.method(AuctionTable.prototype, 'add', function (this: AuctionTable, auction: Auction) {
    Object.assign(auction.terms, { mustImprove: false })
    add.call(this, auction)
  })
  fails(/has reference \d+, not \d+/)
})

test('the simulator finds a winning quote that is no better than the reference', (t) => {
  const { find } = AuctionTable.prototype
  t.mock.method(AuctionTable.prototype, 'find', function (this: AuctionTable, slot: number) {
    const auction = find.call(this, slot)
    if (auction !== null) Object.assign(auction.terms, { tickMicros: -1e8 })
    return auction
  })
  fails(/filled by a quote that is too bad/, {}, 9)
})

test('the simulator finds a winning quote that the book matches', (t) => {
  t.mock.method(Book.prototype, 'fillsAsQuoted', () => false)
  fails(/its book is as good/, {}, 44)
})

test('the simulator finds an order that goes to a book worse than its best quote', (t) => {
  t.mock.method(Book.prototype, 'fillsAsQuoted', () => true)
  fails(/goes to a book that is worse/)
})

test('the simulator finds a row that counts although its provider has helped nobody', (t) => {
  t.mock.method(AuctionTable.prototype, 'isBarred', () => false)
  fails(/whose row counts not/, {}, 14)
})

test('the simulator finds a row that should count and does not', (t) => {
  t.mock.method(AuctionTable.prototype, 'isBarred', () => true)
  fails(/does not ask/)
})

test('the simulator finds an order whose sender never receives an answer', () => {
  fails(/is not answered|are not answered/, {
    disturb: ({ auctions }) => {
      auctions.clientsSinceBatch = Number.POSITIVE_INFINITY
    },
  })
})

test('the simulator finds a retry whose answer says that an ended order still waits', (t) => {
  t.mock.method(KeptResults.prototype, 'amend', () => {})
  fails(/waits once more after its end|another answer|works twice/, {}, 4)
})

test('the simulator finds an order that is listed before the orders it queues after', (t) => {
  t.mock.method(CoreState.prototype, 'enterBookLate', () => {})
  fails(/has another place in its queue/, {}, 30)
})

test('the simulator finds a snapshot that omits the rows that providers had shown', (t) => {
  const { load } = AuctionTable.prototype
  t.mock.method(AuctionTable.prototype, 'load', function (this: AuctionTable, ...from: LoadedFrom) {
    load.apply(this, from)
    for (const { terms } of this.rows) Object.assign(terms, { shown: [] })
  })
  fails(/loads as another state|has another state/)
})

/**
 * Expects the run to fail with a message that matches.
 * @param first of `Planted`
 */
function fails(what: RegExp, seams: Seams = {}, first = 1): void {
  assert.match(firstFailing({ steps, seams, without, first }).what, what)
}
