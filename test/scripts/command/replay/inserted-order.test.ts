import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidArgumentError } from 'commander'
import { formatAddress } from '../../../../schemas/wallet.js'
import { putOrder, readInserted } from '../../../../scripts/command/replay/inserted-order.js'
import { symbolOf } from '../../../../scripts/venue-data/state-tables.js'
import { AuctionRig } from '../../../support/auction-rig.js'
import { walletOf } from '../../../support/rig-commands.js'

const addressOf = (wallet: number) => formatAddress(walletOf(wallet), 0)
const tradedAtOnce = ['order of 1 ACKED', 'order of 1 FILLED 5 for 16515']
const sizes = { max_bid_size: '9', max_ask_size: '9' }

/** Returns the events of an inserted buy of five at 3,310, with two at 3,300 in the book. */
function publishedOf(more: object): readonly string[] {
  const rig = new AuctionRig().openAuctions()
  const order = {
    ...{ wallet: addressOf(1), symbol: symbolOf(rig.state, 0), side: 'Buy' },
    ...{ price: '3310', size: '5', tif: 'ioc', ...more },
  }
  putOrder(readInserted(JSON.stringify(order)), 0, rig.commands, rig.state, rig.nowMillis)
  return rig.story().filter((line) => /^(order of 1|Invited)/.test(line))
}

test('an inserted order trades with the book', () => {
  assert.deepEqual(publishedOf({}), tradedAtOnce)
})

test('with provider rows it waits for those whose price is better than the book', () => {
  const quotes = [
    { wallet: addressOf(2), ask_price: '3296', ...sizes },
    { wallet: addressOf(3), ask_price: '3299.95', bid_price: '3290', ...sizes },
  ]
  const route = 'best_execution'
  assert.deepEqual(publishedOf({ route, quotes }), ['order of 1 ACKED', 'Invited 2', 'Invited 3'])
  assert.deepEqual(publishedOf({ route: 'book_only', quotes }), tradedAtOnce)
  const crossed = quotes.map((quote) => ({ ...quote, bid_price: '3298' }))
  assert.deepEqual(publishedOf({ route, quotes: crossed }), ['order of 1 ACKED', 'Invited 3'])
})

test('a wallet that has no account shows nothing', () => {
  const quotes = [{ wallet: addressOf(99), ask_price: '3296', ...sizes }]
  assert.deepEqual(publishedOf({ route: 'best_execution', quotes }), tradedAtOnce)
})

test('a field that orders do not have is an error', () => {
  const order = { wallet: addressOf(1), symbol: 'BTC-PERP', side: 'Buy', price: '1', size: '1' }
  readInserted(JSON.stringify(order))
  for (const wrong of [
    { nonsense: 1 },
    { wallet: '0x1' },
    { symbol: 'BTC' },
    { side: 'buy' },
    { price: '-1' },
    { quotes: {} },
    { quotes: [{ ask_price: '1' }] },
    { quotes: [{ wallet: addressOf(2), ask_price: 'dear' }] },
  ]) {
    assert.throws(
      () => readInserted(JSON.stringify({ ...order, ...wrong })),
      InvalidArgumentError,
      JSON.stringify(wrong),
    )
  }
})
