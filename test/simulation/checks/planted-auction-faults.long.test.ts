import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Book } from '../../../engine/matching/book.js'
import { KeptOutcomes } from '../../../engine/state/accounts/kept-outcomes.js'
import { CoreState } from '../../../engine/state/core-state.js'
import type { Auction } from '../../../engine/state/rfq/auction-row.js'
import { AuctionTable } from '../../../engine/state/rfq/auction-table.js'
import { Rfq } from '../../../engine/state/rfq/rfq-row.js'
import { firstFailing, onlyWith } from '../../support/planted-fault.js'
import type { Seams } from '../simulated-exchange.js'

// Faults of orders that wait for quotes: each of these plants one in all engines of a run.

type LoadedFrom = Parameters<AuctionTable['load']>

const steps = 400
/** Without anything else that goes wrong most orders that wait are helped, or not, by providers. */
const without = onlyWith('auctions', 'repeat')

test('an order that waits longer than its time is found', (t) => {
  t.mock.getter(Rfq.prototype, 'dueMillis', () => Number.POSITIVE_INFINITY)
  fails(/waits longer than its time/, {}, 14)
})

test('an order that waits for providers that have all answered is found', (t) => {
  t.mock.getter(Rfq.prototype, 'isAnswered', () => false)
  fails(/waits for nobody/)
})

test('an order that waits in a halt is found', () => {
  fails(/waits in a halt|open in a halt|which has ended|in liquidation|another state/, {
    disturb: ({ rfqs }) => {
      Object.defineProperty(rfqs, 'mayBeStale', { get: () => false, set: () => {} })
    },
  })
})

test('an auction that is left half decided is found', () => {
  fails(/is half decided/, {
    disturb: ({ auctions }) => {
      for (const auction of auctions.rows) auctions.due.add(auction)
    },
  })
})

test('an order that counts as being in its book, and waits, is found', () => {
  fails(/is open \d+, rests|is crossed|another book/, {
    disturb: ({ auctions }) => {
      auctions.has = () => false
    },
  })
})

test('a reference that leaves the book out is found', (t) => {
  const { add } = AuctionTable.prototype
  t.mock.method(AuctionTable.prototype, 'add', function (this: AuctionTable, auction: Auction) {
    Object.assign(auction.terms, { mustImprove: false })
    add.call(this, auction)
  })
  fails(/has reference \d+, not \d+/)
})

test('a quote that wins and is no better than the reference is found', (t) => {
  const { find } = AuctionTable.prototype
  t.mock.method(AuctionTable.prototype, 'find', function (this: AuctionTable, slot: number) {
    const auction = find.call(this, slot)
    if (auction !== null) Object.assign(auction.terms, { tickMicros: -1e8 })
    return auction
  })
  fails(/filled by a quote that is too bad/, {}, 9)
})

test('a quote that wins while the book is as good is found', (t) => {
  t.mock.method(Book.prototype, 'fillsAsQuoted', () => false)
  fails(/its book is as good/, {}, 44)
})

test('an order that goes to a book that is worse than its best quote is found', (t) => {
  t.mock.method(Book.prototype, 'fillsAsQuoted', () => true)
  fails(/goes to a book that is worse/)
})

test('a row that counts although its provider has helped nobody is found', (t) => {
  t.mock.method(AuctionTable.prototype, 'isBarred', () => false)
  fails(/whose row counts not/, {}, 14)
})

test('a row that does not count although it should is found', (t) => {
  t.mock.method(AuctionTable.prototype, 'isBarred', () => true)
  fails(/does not ask/)
})

test('an order whose sender is never answered is found', () => {
  fails(/is not answered|are not answered/, {
    disturb: ({ auctions }) => {
      auctions.clientsSinceBatch = Number.POSITIVE_INFINITY
    },
  })
})

test('a repeat that is told of an order that waits, and does not any more, is found', (t) => {
  t.mock.method(KeptOutcomes.prototype, 'amend', () => {})
  fails(/waits once more behind its end|another answer|works twice/, {}, 4)
})

test('an order that enters its book behind others, and is listed before them, is found', (t) => {
  t.mock.method(CoreState.prototype, 'enterBookLate', () => {})
  fails(/has another place in its queue/, {}, 30)
})

test('a snapshot that forgets what providers had shown is found', (t) => {
  const { load } = AuctionTable.prototype
  t.mock.method(AuctionTable.prototype, 'load', function (this: AuctionTable, ...from: LoadedFrom) {
    load.apply(this, from)
    for (const { terms } of this.rows) Object.assign(terms, { shown: [] })
  })
  fails(/loads as another state|has another state/)
})

/** The fault is found by a sentence like this. @param first of `Planted`. */
function fails(what: RegExp, seams: Seams = {}, first = 1): void {
  assert.match(firstFailing({ steps, seams, without, first }).what, what)
}
