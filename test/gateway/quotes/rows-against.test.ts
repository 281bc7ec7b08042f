import assert from 'node:assert/strict'
import { test } from 'node:test'
import { walletOf } from '../../../bench/event-script.js'
import { QuoteBoard } from '../../../gateway/quotes/quote-board.js'
import { QuoteScope } from '../../../gateway/quotes/quote-rows.js'
import { numbersOf } from '../../../gateway/quotes/row-numbers.js'
import { RowsAgainst } from '../../../gateway/quotes/rows-against.js'
import { auctionRowsMax } from '../../../schemas/bounds.js'
import { Side } from '../../../schemas/domain.js'

const symbol = 'A'
const taker = walletOf(0xff)

function rig() {
  const board = new QuoteBoard()
  const against = new RowsAgainst(board, (name) => [symbol].indexOf(name))
  let numbers = 0
  /** A provider by its account. */
  const provider = (account: number, log = 0) => {
    const wallet = walletOf(account)
    const scope = new QuoteScope(log, ++numbers, wallet, '', 0)
    board.openScope(scope)
    return (bidPrice: string, askPrice: string, maxBidSize = '1', maxAskSize = maxBidSize) => {
      const place = { row: ++numbers, instrument: 0, frame: ++numbers, updatedMillis: 0 }
      return board.setRow(scope, { ...place, bidPrice, askPrice, maxBidSize, maxAskSize })
    }
  }
  /** Accounts whose rows are found, in order. */
  const found = (side: Side, wallet = taker, name = symbol) => {
    const isAny = against.find(name, side, wallet)
    assert.equal(isAny, against.count > 0)
    return Array.from(
      { length: against.count },
      (_, place) => against.row(place).scope.owner!.account,
    )
  }
  return { board, provider, found }
}

const { Buy, Sell } = Side

test('rows are ordered by their price for the order, and by arrival at one price', () => {
  const { board, provider, found } = rig()
  for (const [account, bid, ask] of [
    [1, '8', '11'],
    [2, '9', '12'],
    [3, '9', '10'],
    [4, '0', '10'],
    [5, '7', '0'],
  ] as const) {
    board.setAccount(walletOf(account), account)
    provider(account)(bid, ask)
  }
  assert.deepEqual(found(Buy), [3, 4, 1, 2])
  assert.deepEqual(found(Sell), [2, 3, 1, 5])
})

test('crossed rows, rows without a size, the taker’s own and those of unknown wallets are left out', () => {
  const { board, provider, found } = rig()
  for (let account = 1; account < 6; account++) board.setAccount(walletOf(account), account)
  provider(1)('10.0000001', '10.0000001')
  provider(2)('9', '11', '1', '0')
  provider(3)('9', '11', '0.000000001')
  provider(4)('10.00000001', '10.00000002')
  provider(6)('9', '11')
  assert.deepEqual(found(Buy), [4])
  assert.deepEqual(found(Sell), [4, 2])
  assert.deepEqual(found(Buy, walletOf(4)), [])
  board.setAccount(walletOf(6), 6)
  assert.deepEqual(found(Buy), [4, 6])
  board.clearAccounts()
  assert.deepEqual(found(Buy), [])
})

test('a row in two logs counts once', () => {
  const { board, provider, found } = rig()
  board.setAccount(walletOf(1), 1)
  const [here, there] = [provider(1), provider(1, 1)]
  here('9', '11')
  there('9', '12')
  assert.deepEqual(found(Buy), [1])
})

test('instruments without quotes and unlisted ones have no rows', () => {
  const { board, provider, found } = rig()
  board.setAccount(walletOf(1), 1)
  assert.deepEqual(found(Buy), [])
  const row = provider(1)('9', '11')
  assert.deepEqual(found(Buy, taker, 'B'), [])
  board.removeRow(row)
  assert.deepEqual(found(Buy), [])
})

test('the best rows are found if there are more than an order carries', () => {
  const { board, provider, found } = rig()
  const count = auctionRowsMax + 10
  for (let account = 1; account <= count; account++) {
    board.setAccount(walletOf(account), account)
    provider(account)('1', String(2 + count - account))
  }
  const best = Array.from({ length: auctionRowsMax }, (_, place) => count - place)
  assert.deepEqual(found(Buy), best)
})

test('an ask counts as the next micro above it and a bid as the one below, while the texts exist', () => {
  const { provider } = rig()
  const quote = provider(1)
  const row = quote('1.0000019', '2.0000001', '1.000000019', '3')
  const numbers = numbersOf(row)
  assert.deepEqual(numbers, {
    ...{ bidMicros: 1_000_001, askMicros: 2_000_001 },
    ...{ bidLots: 100_000_001, askLots: 300_000_000 },
  })
  quote('1.0000019', '2.0000001', '1.000000019', '3')
  assert.equal(numbersOf(row), numbers)
  quote('1.0000019', '9007199254.7409915')
  assert.deepEqual([numbersOf(row).bidMicros, numbersOf(row).askMicros], [1_000_001, 0])
})
