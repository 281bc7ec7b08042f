import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MmpRow } from '../../../../engine/state/accounts/mmp-table.js'
import type { EngineConfig } from '../../../../engine/state/market/engine-config.js'
import { AuctionRig, rowsOf } from '../../../support/auction-rig.js'
import { call100k, RfqRig, taker } from '../../../support/rfq-rig.js'
import type { RigInstrument, RigMmp } from '../../../support/rig-commands.js'

const terms: RigMmp = { interval: 60_000, frozen: 60_000, qty: 1.5 }
const put: RigInstrument = { strike: 100_000, right: 1 }

/** Both wallets of a package are protected. */
function market(config: Partial<EngineConfig> = {}, mmp = terms): RfqRig {
  const rig = new RfqRig({ mmpIncludeRfq: true, ...config }).openCombos()
  for (const wallet of [taker, 2]) rig.setMmp(wallet, mmp)
  rig.story()
  return rig
}

/** The taker buys so many calls of the second wallet, below 0 sells. */
function trade(rig: RfqRig, contracts: number, instrument = call100k): void {
  const legs = [[instrument, contracts]] as const
  const id = rig.requests
  rig.submit({ id, legs })
  rig.quote({ id, provider: 2, legs, prices: [6900] })
  rig.story()
  rig.accept(id)
  rig.run()
}

function windowOf({ state }: RfqRig, wallet: number): MmpRow {
  return state.mmp.find(wallet - 1, 0)!
}

/** Orders that work, by wallet. */
function working({ state }: RfqRig): readonly number[] {
  return [...state.orders.working()].map((slot) => state.orders.account[slot]! + 1).sort()
}

test('a leg counts for its provider, and for its taker where fills as taker count', () => {
  for (const mmpCountTakerFills of [false, true]) {
    const rig = market({ mmpCountTakerFills })
    trade(rig, 1)
    assert.equal(windowOf(rig, 2).count, 1)
    assert.equal(windowOf(rig, taker).count, mmpCountTakerFills ? 1 : 0)
  }
})

test("deltas of legs add up by the wallet's side, so bought and sold legs cancel out", () => {
  const rig = market({ mmpCountTakerFills: true })
  trade(rig, 0.5)
  const [sold, bought] = [windowOf(rig, 2), windowOf(rig, taker)].map((row) => row.sums[2]!)
  assert.ok(sold! < 0 && bought! > 0, `${sold}, ${bought}`)
  trade(rig, -0.5)
  for (const wallet of [taker, 2]) {
    const { sums } = windowOf(rig, wallet)
    assert.deepEqual([sums[0], sums[2]! + 0], [1e6, 0], 'sizes add up, deltas do not')
  }
})

test('a matcher counts a fill in the book on top of legs', () => {
  const rig = market()
  const offer = { wallet: 2, side: 'Sell', price: '7000', instrument: call100k } as const
  rig.place({ ...offer, size: '5', mmpEnabled: true })
  trade(rig, 1)
  rig.place({ wallet: 4, side: 'Buy', price: '7000', size: '0.5', instrument: call100k })
  rig.run()
  assert.deepEqual(working(rig), [])
  assert.ok(windowOf(rig, 2).frozenUntilMillis > rig.nowMillis)
})

test('a limit that legs reach ends only the protected orders of that wallet and underlying', () => {
  const rig = market()
  const ether: RigInstrument = { underlying: 'ETH', strike: 3000 }
  rig.list(ether)
  rig.list(put)
  rig.index(3000, 'ETH')
  rig.surface(0.6, 'ETH')
  rig.index(100_000)
  rig.surface(0.6)
  rig.run()
  const bid = { side: 'Buy', price: '10', size: '1', mmpEnabled: true } as const
  for (const wallet of [2, 4]) rig.place({ ...bid, wallet, instrument: call100k })
  rig.place({ ...bid, wallet: 2, instrument: put })
  rig.place({ ...bid, wallet: 2, instrument: call100k, mmpEnabled: false })
  rig.place({ ...bid, wallet: 2, instrument: ether })
  rig.run()
  assert.deepEqual(working(rig), [2, 2, 2, 2, 4])
  trade(rig, 2)
  assert.deepEqual(working(rig), [2, 2, 4])
  const { instruments, orders } = rig.state
  const left = [...orders.working()].filter((slot) => orders.account[slot] === 1)
  const names = left.map(
    (slot) => instruments.underlyingNames[instruments.underlying[orders.instrument[slot]!]!],
  )
  assert.deepEqual(names.sort(), ['BTC', 'ETH'])
})

test('a protected order that has just begun to wait for quotes is ended, too', () => {
  const rig = new AuctionRig({ mmpIncludeRfq: true, mmpCountTakerFills: true }).openAuctions()
  rig.setMmp(taker, terms)
  const legs = [[call100k, 2]] as const
  rig.submit({ id: 1, legs })
  rig.quote({ id: 1, provider: 2, legs, prices: [3300] })
  rig.story()
  const [quote] = rig.quotes
  const request = rig.ask(rowsOf(3296), { mmpEnabled: true })
  rig.accept(1, quote)
  const lines = rig.story()
  assert.ok(lines.includes(`${request}: CANCELED MmpCanceled`), lines.join('\n'))
  assert.equal(rig.state.auctions.count, 0)
})

/** Quotes of the second wallet alone count, until it has traded two. */
function auctionsOfTwo(): AuctionRig {
  const rig = new AuctionRig({ mmpIncludeRfq: true }).openAuctions()
  rig.setMmp(2, { interval: 60_000, frozen: 60_000, qty: 2 })
  rig.story()
  return rig
}

test('an order that has reached its book from an auction in the same step is ended, too', () => {
  const rig = auctionsOfTwo()
  const rows = [{ provider: 3, ask: 3200.1, size: 100 }]
  const own = rig.ask(rows, { wallet: 2, price: '3250', size: '1', mmpEnabled: true })
  rig.story()
  rig.ask(rowsOf(3296))
  rig.story()
  rig.answer(2, 3290)
  rig.story()
  const lines = rig.after(251)
  assert.ok(lines.includes(`${own}: ACKED Accepted`), lines.join('\n'))
  assert.ok(lines.includes('order of 2 CANCELED MmpCanceled'), lines.join('\n'))
  assert.ok(!working(rig).includes(2))
})

test('no auction in the book meets an order that a leg ended, even in the same step', () => {
  const rig = auctionsOfTwo()
  const offer = { wallet: 2, side: 'Sell', price: '3299', size: '1' } as const
  rig.place({ ...offer, instrument: call100k, mmpEnabled: true })
  for (const size of ['5', '1']) {
    rig.ask(rowsOf(3290), { size })
    rig.story()
  }
  const [first] = rig.auctions
  rig.quote({ id: first!, provider: 2, legs: [[call100k, 5]], prices: [3250] })
  rig.story()
  const lines = rig.after(251)
  assert.ok(lines.includes('order of 2 CANCELED MmpCanceled'), lines.join('\n'))
  assert.ok(lines.includes('order of 1 FILLED 1 for 3300'), lines.join('\n'))
})
