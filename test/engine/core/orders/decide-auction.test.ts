import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishBootstrap } from '../../../../engine/core/operator/bootstrap.js'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import { HaltMode, OrderStatus, ProviderStatus, TradingMode } from '../../../../schemas/domain.js'
import { EventType } from '../../../../schemas/generated/events.js'
import { LiquidationState } from '../../../../schemas/record-values.js'
import { uuidOf } from '../../../../schemas/uuid.js'
import { AuctionRig, bookMaker, rowsOf } from '../../../support/auction-rig.js'
import { call100k, call120k, cashOf, positionOf, taker } from '../../../support/rfq-rig.js'
import { type RigOrder, walletOf } from '../../../support/rig-commands.js'

/** An auction has begun: of a buy of five at 3,310, for which both providers show 3,296. */
function begun(order: Partial<RigOrder> = {}): { rig: AuctionRig; request: number } {
  const rig = new AuctionRig().openAuctions()
  const request = rig.ask(rowsOf(3296), order)
  assert.deepEqual(rig.story(), [
    'order of 1 ACKED',
    'rfq 1 created',
    'Invited 2',
    'Invited 3',
    'rfq 1 sent_to_qps',
  ])
  return { rig, request }
}

/** Returns the events of the order, its auction and its fills, without quotes and their answers. */
function orderLines(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => /^(order of 1|rfq|fill|\d+: [A-Z]{4,} )/.test(line))
}

test('the best quote that is better than the book by a step fills the whole order', () => {
  const { rig, request } = begun()
  rig.answer(2, 3296, 3)
  rig.answer(2, 3299.95)
  assert.match(rig.story()[0]!, /RfqLegsMismatch/)
  rig.answer(3, 3296)
  const lines = rig.story()
  assert.deepEqual(orderLines(lines), [
    'fill of 3: Sell 5 at 3296',
    'fill of 1: Buy 5 at 3296, taker',
    'rfq 1 executed fill 1',
    'order of 1 FILLED 5 for 16480',
    `${request}: FILLED Accepted`,
  ])
  assert.equal(positionOf(rig, taker, call100k), 5)
  assert.equal(positionOf(rig, 3, call100k), -5)
  assert.equal(cashOf(rig, 3), 1_016_480)
})

test('the builder of the order gets its share of the fee', () => {
  const fees = { ...engineConfigDefault.fees, takerRate: 0.0005, builderShare: 0.5 }
  const rig = new AuctionRig({ fees }).openAuctions()
  rig.builder(77)
  rig.ask(rowsOf(3296), { builder: 77 })
  rig.story()
  rig.answer(2, 3296)
  rig.answer(3, 3297)
  rig.story()
  const { accounts, risk } = rig.state
  assert.equal(risk.cashMicros[accounts.find(walletOf(77), 0)], 125e6)
  assert.equal(cashOf(rig, taker), 1_000_000 - 16_480 - 250)
})

test('of equal quotes the first wins, otherwise the best', () => {
  for (const [first, second, winner] of [
    [3296, 3296, 2],
    [3297, 3296, 3],
    [3296, 3296.1, 2],
  ] as const) {
    const { rig } = begun()
    rig.answer(2, first)
    rig.answer(3, second)
    const lines = rig.story()
    assert.equal(positionOf(rig, winner, call100k), -5, lines.join('\n'))
  }
})

test('a quote that is not a step better than the book does not count, and the order goes to the book', () => {
  const { rig, request } = begun()
  rig.answer(2, 3299.91)
  rig.answer(3, 3300)
  assert.deepEqual(orderLines(rig.story()).slice(1), [
    'rfq 1 expired RfqNoEligibleQuote',
    'fill on the book',
    'fill on the book',
    'fill on the book',
    'fill on the book',
    'order of 1 FILLED 5 for 16515',
    `${request}: FILLED Accepted`,
  ])
  const exact = begun()
  exact.rig.answer(2, 3299.9)
  exact.rig.answer(3, 3300)
  assert.ok(exact.rig.story().includes('fill of 2: Sell 5 at 3299.9'))
})

test('the limit applies to the amount that changes hands, not only to the price', () => {
  const rig = new AuctionRig().openAuctions()
  rig.ask(rowsOf(3296), { price: '3296' })
  rig.story()
  rig.answer(2, 3296, 5, { net: -16_480.000_001 })
  rig.answer(3, 3296)
  assert.ok(rig.story().includes('fill of 3: Sell 5 at 3296'))
})

test('a sell gets a step more than the best bid', () => {
  const rig = new AuctionRig().openAuctions()
  const rows = [{ provider: 2, bid: 3201, size: 10 }]
  const request = rig.ask(rows, { side: 'Sell', price: '3190' })
  rig.story()
  rig.answer(2, 3200.1, -5)
  assert.deepEqual(orderLines(rig.story()), [
    'rfq 1 quotes_received',
    'fill of 2: Buy 5 at 3200.1',
    'fill of 1: Sell 5 at 3200.1, taker',
    'rfq 1 executed fill 1',
    'order of 1 FILLED 5 for 16000.5',
    `${request}: FILLED Accepted`,
  ])
})

test('if the limit reaches only a row, a quote at the limit suffices', () => {
  const rig = new AuctionRig().openAuctions()
  rig.ask(rowsOf(3290), { price: '3295' })
  rig.story()
  const [auction] = rig.state.auctions.rows
  assert.equal(auction!.terms.mustImprove, false)
  assert.equal(auction!.terms.referenceMicros, 3295e6)
  rig.answer(2, 3295)
  rig.answer(3, 3295.000_001)
  assert.ok(rig.story().includes('fill of 2: Sell 5 at 3295'))
})

test('an order that no provider can improve goes to its book at once', () => {
  const rig = new AuctionRig().openAuctions()
  const crossing = { price: '3310', size: '1' }
  rig.provider(3, ProviderStatus.Suspended)
  rig.leaveProvider(2, 0)
  for (const rows of [
    [],
    [{ provider: 2, ask: 3296 }], // has gone
    [{ provider: 3, ask: 3296 }], // is suspended
    [{ provider: bookMaker, ask: 3296 }], // is none
    [{ provider: 99, ask: 3296 }],
  ]) {
    const request = rig.ask(rows, crossing)
    assert.ok(rig.story().includes(`${request}: FILLED Accepted`))
  }
  rig.provider(3)
  rig.connectProvider(3, 7)
  const passive = rig.ask([{ provider: 3, ask: 3296 }], { price: '3295.9' })
  assert.ok(rig.story().includes(`${passive}: ACKED Accepted`))
  assert.equal(rig.auctions.length, 0)
})

test('rows of the taker and rows that cross the book do not count', () => {
  const rig = new AuctionRig().openAuctions()
  rig.provider(taker)
  rig.connectProvider(taker, 5)
  const own = rig.ask([{ provider: taker, ask: 3296 }], { size: '1' })
  assert.ok(rig.story().includes(`${own}: FILLED Accepted`))
  for (const row of [
    { provider: 2, ask: 3200 },
    { provider: 2, bid: 3305, ask: 3306 },
  ]) {
    const request = rig.ask([row], { size: '1' })
    const lines = rig.story()
    const ended = `rfq ${rig.auctions.length} no_quotes RfqNoProvider`
    assert.ok(lines.includes(ended), lines.join('\n'))
    assert.ok(lines.includes(`${request}: FILLED Accepted`), 'in the same step')
  }
})

test('an order stops waiting when all providers have declined or left', () => {
  const { rig, request } = begun({ tif: 'ioc' })
  rig.decline(rig.auctions[0]!, 2)
  rig.story()
  rig.leaveProvider(3, 1)
  const lines = orderLines(rig.story())
  assert.equal(lines[0], 'rfq 1 no_quotes RfqUnanswered')
  assert.equal(lines.at(-1), `${request}: FILLED Accepted`)
})

test('an order waits at most its time, then goes to the book with its own time in force', () => {
  for (const [tif, size, status] of [
    ['gtc', '20', 'PARTIALLY_FILLED Accepted'],
    ['ioc', '20', 'CANCELED IocRemainder'],
    ['fok', '20', 'CANCELED FokNotFilled'],
    ['fok', '12', 'FILLED Accepted'],
  ] as const) {
    const { rig, request } = begun({ tif, size })
    assert.deepEqual(rig.after(250), [])
    const lines = rig.after(1)
    assert.equal(lines[0], 'rfq 1 no_quotes RfqUnanswered')
    assert.equal(lines.at(-1), `${request}: ${status}`)
    assert.equal(rig.state.auctions.count, 0)
  }
})

test('a quote in the last millisecond counts unless it has expired', () => {
  const { rig } = begun()
  rig.answer(2, 3290, 5, { validMillis: 100 })
  rig.story()
  rig.nowMillis += 250
  rig.answer(3, 3297)
  assert.ok(rig.story().includes('fill of 3: Sell 5 at 3297'))
})

test('the auction is decided against the book of that moment', () => {
  const { rig, request } = begun()
  rig.rest({ side: 'Sell', price: '3295', size: '5' })
  rig.answer(2, 3296)
  rig.answer(3, 3295.5)
  const lines = rig.story()
  assert.ok(lines.includes('rfq 1 expired RfqNoEligibleQuote'))
  assert.ok(lines.includes(`${request}: FILLED Accepted`))
  assert.equal(positionOf(rig, taker, call100k), 5)
  assert.equal(positionOf(rig, 2, call100k), 0)
})

test('a provider with insufficient margin is passed over for the next one, then for the book', () => {
  const { rig, request } = begun()
  rig.answer(2, 3290)
  rig.story()
  rig.state.risk.creditCash(1, -999_999e6)
  rig.answer(3, 3296)
  const lines = rig.story()
  assert.ok(lines.includes('MarginRejected 2 at -16450 InsufficientMargin'))
  assert.ok(lines.includes('fill of 3: Sell 5 at 3296'))
  assert.equal(lines.filter((line) => line.startsWith(`${request}: `)).length, 1)
  const alone = begun()
  alone.rig.answer(2, 3290)
  alone.rig.story()
  alone.rig.state.risk.creditCash(1, -999_999e6)
  alone.rig.decline(alone.rig.auctions[0]!, 3)
  assert.ok(alone.rig.story().includes(`${alone.request}: FILLED Accepted`))
})

test('a cancel by id or in a bulk ends the auction, and both requests are answered', () => {
  const { rig, request } = begun()
  const orderId = rig.lastOrderId
  const cancel = rig.cancel(taker, orderId)
  assert.deepEqual(rig.story(), [
    'order of 1 CANCELED CanceledOnRequest',
    'rfq 1 failed CanceledOnRequest',
    `${request}: CANCELED CanceledOnRequest`,
    `${cancel}: CANCELED CanceledOnRequest`,
  ])
  rig.answer(2, 3290)
  assert.match(rig.story()[0]!, /RfqClosed/)
  const again = begun()
  const id = again.rig.lastOrderId
  again.rig.bulk(() => {
    again.rig.cancel(taker, id)
    again.rig.place(replacing(id))
    again.rig.cancel(taker, id)
  })
  const lines = again.rig.story()
  assert.equal(refusals(lines, 'OrderAlreadyCanceled'), 2)
  assert.equal(again.rig.state.auctions.count, 0)
})

/** Answers of this reason. */
function refusals(lines: readonly string[], reason: string): number {
  return lines.filter((line) => /^\d/.test(line) && line.endsWith(reason)).length
}

function replacing(replaces: number): RigOrder {
  return { wallet: taker, side: 'Buy', price: '3100', size: '1', instrument: call100k, replaces }
}

test('a replace ends the auction, and the new order is in the book', () => {
  const { rig, request } = begun()
  const replace = rig.place(replacing(rig.lastOrderId))
  assert.deepEqual(rig.story(), [
    'order of 1 CANCELED Replaced',
    'rfq 1 failed Replaced',
    `${request}: CANCELED Replaced`,
    'order of 1 ACKED',
    'order of 1 OPEN',
    `${replace}: ACKED Accepted`,
  ])
})

test('of two replaces in a bulk the first counts, and a rejected one changes nothing', () => {
  const { rig } = begun()
  const id = rig.lastOrderId
  rig.bulk(() => {
    rig.place({ ...replacing(id), tif: 'alo', price: '3300' })
    rig.place(replacing(id))
    rig.place({ ...replacing(id), price: '3090' })
  })
  const lines = rig.story()
  assert.equal(refusals(lines, 'PostOnlyWouldTrade'), 1)
  assert.equal(lines.filter((line) => line === 'order of 1 OPEN').length, 1)
  assert.equal(refusals(lines, 'OrderAlreadyCanceled'), 1)
})

test('halts, delisting and expiry end the auction', () => {
  const ends: readonly [reason: string, end: (rig: AuctionRig) => void][] = [
    ['TradingHalted', (rig) => rig.halt(HaltMode.Halted, 'BTC')],
    ['CancelOnly', (rig) => rig.halt(HaltMode.CancelOnly, 'BTC')],
    ['InstrumentDelisted', (rig) => rig.delist(call100k)],
  ]
  for (const [reason, end] of ends) {
    const { rig, request } = begun()
    rig.answer(2, 3290)
    rig.story()
    end(rig)
    assert.deepEqual(orderLines(rig.story()), [
      `order of 1 CANCELED ${reason}`,
      `rfq 1 failed ${reason}`,
      `${request}: CANCELED ${reason}`,
    ])
    rig.answer(3, 3280)
    assert.match(rig.story()[0]!, /RfqClosed/)
  }
  const rig = new AuctionRig().openAuctions()
  rig.nowMillis = Date.UTC(2026, 0, 31) - 100
  rig.index(100_000)
  rig.story()
  const request = rig.ask(rowsOf(3296))
  rig.story()
  const lines = rig.after(100)
  assert.ok(lines.includes(`${request}: CANCELED InstrumentExpired`), lines.join('\n'))
})

test('a halt cancels an auction that ends at the same time', () => {
  const { rig, request } = begun()
  rig.nowMillis += 250
  rig.halt(HaltMode.Halted, 'BTC')
  rig.answer(2, 3290)
  rig.answer(3, 3290)
  assert.ok(rig.story().includes(`${request}: CANCELED TradingHalted`))
  for (const [mode, reason] of [
    [HaltMode.Halted, 'TradingHalted'],
    [HaltMode.CancelOnly, 'CancelOnly'],
  ] as const) {
    const declined = begun()
    declined.rig.halt(mode, 'BTC')
    for (const provider of [2, 3]) declined.rig.decline(declined.rig.auctions[0]!, provider)
    assert.ok(declined.rig.story().includes(`${declined.request}: CANCELED ${reason}`))
  }
})

test('market-maker protection ends the auction of a protected order', () => {
  const { rig, request } = begun({ mmpEnabled: true })
  rig.setMmp(taker, { interval: 60_000, frozen: 60_000, qty: 2 })
  rig.place({
    ...{ wallet: taker, side: 'Sell', price: '3290', size: '3', instrument: call100k },
    mmpEnabled: true,
  })
  rig.story()
  rig.place({ wallet: bookMaker, side: 'Buy', price: '3290', size: '3', instrument: call100k })
  const lines = rig.story()
  assert.ok(lines.includes(`${request}: CANCELED MmpCanceled`), lines.join('\n'))
  assert.equal(rig.state.auctions.count, 0)
})

test('a reduce-only order that exceeds the position goes to its book and is cut there', () => {
  const rig = new AuctionRig().openAuctions()
  rig.place({ wallet: taker, side: 'Buy', price: '3305', size: '5', instrument: call100k })
  rig.story()
  const rows = [{ provider: 2, bid: 3201, size: 10 }]
  const request = rig.ask(rows, { side: 'Sell', price: '3190', reduceOnly: true })
  rig.place({ wallet: taker, side: 'Sell', price: '3200', size: '3', instrument: call100k })
  const lines = rig.story()
  assert.ok(lines.includes(`${request}: FILLED Accepted`), lines.join('\n'))
  assert.equal(positionOf(rig, taker, call100k), 0)
})

test('a reduce-only order that equals the position may be filled by a quote', () => {
  const rig = new AuctionRig().openAuctions()
  rig.place({ wallet: taker, side: 'Buy', price: '3305', size: '5', instrument: call100k })
  rig.story()
  const rows = [{ provider: 2, bid: 3201, size: 10 }]
  rig.ask(rows, { side: 'Sell', price: '3190', reduceOnly: true })
  rig.story()
  rig.answer(2, 3200.1, -5)
  assert.ok(rig.story().includes('fill of 2: Buy 5 at 3200.1'))
})

test('matchers receive the positions that a quote has moved before the next auction is decided', () => {
  const rig = new AuctionRig().openAuctions()
  rig.deposit(5, 1_000_000)
  rig.place({ wallet: 2, side: 'Buy', price: '3300', size: '2', instrument: call100k })
  rig.story()
  const closing = { side: 'Sell', price: '3299.5', size: '2', instrument: call100k } as const
  rig.place({ wallet: 2, reduceOnly: true, ...closing })
  rig.rest({ side: 'Sell', price: '3300', size: '2' })
  rig.ask(rowsOf(3296), { size: '2' })
  rig.story()
  rig.answer(2, 3290, 2)
  rig.ask(rowsOf(3296), { wallet: 5, size: '2' })
  rig.story()
  rig.after(251)
  assert.equal(positionOf(rig, 2, call100k), 0, 'its reduce-only order has gone')
  assert.deepEqual(
    [taker, 5].map((wallet) => positionOf(rig, wallet, call100k)),
    [2, 2],
  )
})

test('a wallet in liquidation does not wait for quotes', () => {
  const rig = new AuctionRig().openAuctions()
  rig.place({ wallet: taker, side: 'Sell', price: '3200', size: '1', instrument: call100k })
  rig.story()
  const request = rig.ask(rowsOf(3296))
  rig.story()
  rig.state.risk.creditCash(taker - 1, -1_000_000e6)
  const lines = rig.after(1)
  assert.ok(lines.includes(`${request}: CANCELED AccountInLiquidation`), lines.join('\n'))
})

test('without a book, an order that finds no quote is cancelled', () => {
  const rig = new AuctionRig().openAuctions()
  const instrument = call120k
  rig.state.instruments.tradingMode[2] = TradingMode.Rfq
  const none = rig.ask([], { instrument })
  assert.ok(rig.story().includes(`${none}: REJECTED OrderbookNotFound`))
  const missed = rig.ask(rowsOf(3320), { instrument, price: '3310' })
  assert.ok(rig.story().includes(`${missed}: CANCELED RfqNoEligibleQuote`))
  const request = rig.ask(rowsOf(3296), { instrument })
  rig.story()
  assert.ok(rig.after(251).includes(`${request}: CANCELED RfqNoEligibleQuote`))
  rig.nowMillis += 10_001
  const filled = rig.ask(rowsOf(3296), { instrument })
  rig.story()
  rig.answer(2, 3310, 5, { legs: [[instrument, 5]] })
  rig.decline(rig.auctions.at(-1)!, 3)
  assert.ok(rig.story().includes(`${filled}: FILLED Accepted`))
})

test('time priority of an order begins when it enters the book', () => {
  const { rig } = begun({ price: '3298', size: '3' })
  rig.after(1)
  rig.place({ wallet: 3, side: 'Buy', price: '3298', size: '1', instrument: call100k })
  rig.story()
  rig.after(251)
  const restored = new AuctionRig()
  restored.nowMillis = rig.nowMillis
  restored.restore(rig.save())
  assert.equal(restored.state.hash.low, rig.state.hash.low)
  for (const market of [rig, restored]) {
    market.rest({ side: 'Sell', price: '3298', size: '1', nonce: 99 })
    market.story()
    assert.equal(positionOf(market, 3, call100k), 1)
    assert.equal(positionOf(market, taker, call100k), 0)
  }
  assert.equal(restored.state.hash.high, rig.state.hash.high)
})

test('a duplicate gets the order as accepted during the auction, and its result afterwards', () => {
  const { rig } = begun({ nonce: 77 })
  const ask = () => rig.ask(rowsOf(3296), { nonce: 77 })
  const first = ask()
  assert.deepEqual(rig.story(), [`${first}: ACKED Accepted`])
  rig.answer(2, 3290)
  rig.answer(3, 3290)
  rig.story()
  const second = ask()
  assert.deepEqual(rig.story(), [`${second}: FILLED Accepted`])
})

test('rows of a provider that did not help do not count for ten seconds', () => {
  const { rig } = begun()
  rig.answer(2, 3297) // worse than its row, and good enough
  rig.decline(rig.auctions[0]!, 3)
  rig.story()
  const barred = rig.ask(rowsOf(3296), { size: '1' })
  assert.ok(rig.story().includes(`${barred}: FILLED Accepted`))
  rig.nowMillis += 10_001
  rig.ask(rowsOf(3296, 4.99), { size: '5' })
  rig.story()
  rig.answer(2, 3297) // beyond the size of its row
  rig.answer(3, 3296)
  rig.story()
  const again = rig.ask(rowsOf(3296), { size: '1' })
  rig.story()
  const [auction] = rig.state.auctions.rows
  assert.equal(auction!.row.invited.length, 2, 'of both')
  assert.ok(rig.after(251).includes(`${again}: FILLED Accepted`), 'and now they were silent')
})

test('a provider that declines more than the size of its row is invited again', () => {
  const rig = new AuctionRig().openAuctions()
  rig.ask(rowsOf(3296, 4.99), { size: '5' })
  rig.story()
  rig.decline(rig.auctions[0]!, 2)
  rig.story()
  rig.after(251) // the other one says nothing
  rig.ask(rowsOf(3296, 5), { size: '5' })
  assert.deepEqual(
    rig.story().filter((line) => line.startsWith('Invited')),
    ['Invited 2'],
  )
})

test('a provider that leaves without a quote and returns with the same row is not invited again at once', () => {
  const { rig } = begun()
  rig.nowMillis += 249
  rig.leaveProvider(3, 1)
  rig.decline(rig.auctions[0]!, 2)
  rig.story()
  rig.connectProvider(3, 7)
  rig.story()
  const next = rig.ask(rowsOf(3296), { size: '1' })
  const lines = rig.story()
  assert.ok(lines.includes(`${next}: FILLED Accepted`), lines.join('\n'))
})

test('a quote at a price that no order can have does not count, even for a tiny amount', () => {
  const rig = new AuctionRig().openAuctions()
  const instrument = { strike: 900_000 }
  rig.list(instrument)
  rig.surface(0.05)
  rig.place({ wallet: bookMaker, side: 'Buy', price: '1', size: '1', instrument })
  rig.story()
  const rows = [{ provider: 2, bid: 2, size: 1 }]
  rig.ask(rows, { side: 'Sell', price: '1', size: '0.0001', instrument })
  rig.story()
  const terms = { legs: [[instrument, -0.0001]] } as const
  const refused = rig.answer(2, 1_000_000_000.01, 0, terms)
  assert.deepEqual(rig.story(), [`${refused}: RfqPremiumMismatch`])
  rig.answer(2, 1_000_000_000, 0, terms)
  assert.ok(rig.story().includes('Executed 2 at 100000'))
})

test('a post-only order is cancelled if its book crosses it by then', () => {
  const rig = new AuctionRig().openAuctions()
  const request = rig.ask(rowsOf(3296), { price: '3299', tif: 'alo' })
  rig.rest({ side: 'Sell', price: '3298', size: '10' })
  rig.story()
  assert.deepEqual(rig.after(251), [
    'rfq 1 no_quotes RfqUnanswered',
    'order of 1 CANCELED PostOnlyWouldTrade',
    `${request}: CANCELED PostOnlyWouldTrade`,
  ])
})

test('a provider that sold its row twice can quote twice, and no third time', () => {
  const { rig } = begun()
  rig.answer(2, 3299)
  rig.answer(2, 3298)
  const third = rig.answer(2, 3290)
  assert.ok(rig.story().includes(`${third}: QuotesLimit`))
})

test('the auction is not a request of a wallet', () => {
  const { rig } = begun()
  rig.answer(2, 3290)
  rig.story()
  assert.equal(rig.state.rfqs.openCountOf(taker - 1), 0)
  const accept = rig.accept(rig.auctions[0]!)
  assert.ok(rig.story().includes(`${accept}: RfqUnknown`))
})

test('the id of an auction differs from all ids of requests', () => {
  const rig = new AuctionRig().openAuctions()
  const [taken, next] = [1, 2].map((number) => uuidOf(rig.nowMillis, number))
  rig.submit({ id: taken!, legs: [[call100k, 1]] })
  rig.story()
  rig.ask(rowsOf(3296))
  rig.story()
  assert.deepEqual(rig.auctions.at(-1), next)
})

test('in its grace period a wallet keeps its auction, although other events end auctions', () => {
  const rig = new AuctionRig().openAuctions(20_000)
  rig.deposit(bookMaker, 1_000_000)
  rig.rest({ side: 'Buy', price: '6000', size: '1' })
  rig.place({ wallet: taker, side: 'Sell', price: '6000', size: '1', instrument: call100k })
  rig.index(112_000)
  rig.story()
  assert.equal(rig.state.liquidations.find(0)?.state, LiquidationState.PreLiquidation)
  rig.ask(rowsOf(3296), { size: '1' })
  rig.story()
  rig.delist(call120k)
  rig.story()
  assert.equal(rig.state.auctions.count, 1)
})

test('a start restores orders in auction, and no client waits for their answers', () => {
  const { rig } = begun()
  rig.answer(2, 3290)
  rig.story()
  const started = new AuctionRig()
  started.nowMillis = rig.nowMillis
  started.restore(rig.save())
  started.state.auctions.clientsSinceBatch = started.state.batchNumber
  assert.equal(started.state.hash.low, rig.state.hash.low)
  started.endSessions()
  const lines = started.story()
  assert.ok(lines.includes('nobody: FILLED Accepted'), lines.join('\n'))
  assert.ok(lines.includes('fill of 2: Sell 5 at 3290'), 'a firm quote outlives its connection')
})

test('a replay decides every auction in the same way', () => {
  const { rig } = begun()
  rig.answer(2, 3297)
  rig.after(251)
  rig.nowMillis += 10_001
  rig.ask(rowsOf(3296), { size: '40' })
  rig.after(300)
  rig.ask(rowsOf(3296), { price: '3298', tif: 'ioc' })
  rig.story()
  const replayed = new AuctionRig({ ...engineConfigDefault })
  for (const batch of rig.batches) replayed.replay(batch)
  assert.equal(replayed.state.hash.low, rig.state.hash.low)
  assert.equal(replayed.state.hash.high, rig.state.hash.high)
})

test('a new reader finds a waiting order as accepted, and no level for it', () => {
  const { rig } = begun()
  publishBootstrap(rig.state, () => {})
  const events = rig.events()
  const levels = events.filter(({ type }) => type === EventType.BookLevel)
  assert.deepEqual(
    levels.map(({ fields }) => fields['price']).sort(),
    [3200, 3300, 3305],
    'of the book alone',
  )
  const waiting = events.filter(
    ({ type, fields }) => type === EventType.OrderUpdate && fields['status'] === OrderStatus.Acked,
  )
  assert.equal(waiting.length, 1)
})
