import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auctionRowsMax } from '../../../../schemas/bounds.js'
import { Route, TradingMode } from '../../../../schemas/domain.js'
import { AuctionRig, rowsOf } from '../../../support/auction-rig.js'
import type { RigOrder, RigRow } from '../../../support/rig-commands.js'

/** A buy of five below the book's best ask of 3,300, so that rows alone are within its limit. */
const below: Partial<RigOrder> = { price: '3298' }

/** Returns the providers that an order with these rows invites. */
function askedOf(rows: readonly RigRow[], order = below, rig = new AuctionRig()): string[] {
  if (rig.state.accounts.count === 0) rig.openAuctions()
  rig.ask(rows, order)
  return rig.story().filter((line) => line.startsWith('Invited'))
}

test('the best row decides if there is an auction, at any position in the list', () => {
  const [near, far] = [
    { provider: 2, ask: 3296 },
    { provider: 3, ask: 3320 },
  ]
  for (const rows of [
    [near, far],
    [far, near],
  ]) {
    assert.equal(askedOf(rows).length, 2)
  }
  assert.deepEqual(askedOf([far]), [])
  const selling = { side: 'Sell', price: '3210' } as const
  const [high, low] = [
    { provider: 2, bid: 3215 },
    { provider: 3, bid: 3100 },
  ]
  for (const rows of [
    [high, low],
    [low, high],
  ]) {
    assert.equal(askedOf(rows, selling).length, 2)
  }
  assert.deepEqual(askedOf([low], selling), [])
})

test('a provider without a price on the needed side is not invited, and does not hinder the others', () => {
  const rows = [
    { provider: 2, ask: 3296 },
    { provider: 3, bid: 3100 },
  ]
  assert.deepEqual(askedOf(rows), ['Invited 2'])
  assert.deepEqual(askedOf(rows.toReversed()), ['Invited 2'])
})

test('a provider is invited once, by its first row', () => {
  const rig = new AuctionRig()
  const rows = [
    { provider: 2, ask: 3297, size: 1 },
    { provider: 2, ask: 3296, size: 2 },
  ]
  assert.deepEqual(askedOf(rows, below, rig), ['Invited 2'])
  const [auction] = rig.state.auctions.rows
  const shown = { account: 1, priceMicros: 3297e6, sizeLots: 1e8 }
  assert.deepEqual(auction!.terms.shown, [shown])
})

test('rows beyond the maximum of an order are not read', () => {
  const strangers = Array.from({ length: auctionRowsMax }, () => ({ provider: 99, ask: 3296 }))
  assert.deepEqual(askedOf([...strangers, { provider: 2, ask: 3296 }]), [])
  assert.equal(askedOf([...strangers.slice(1), { provider: 2, ask: 3296 }]).length, 1)
})

test('with another route, or without requests for the instrument, rows do not count', () => {
  assert.deepEqual(askedOf(rowsOf(3296), { route: Route.BookOnly }), [])
  const rig = new AuctionRig().openAuctions()
  rig.state.instruments.tradingMode[0] = TradingMode.Orderbook
  assert.deepEqual(askedOf(rowsOf(3296), {}, rig), [])
})
