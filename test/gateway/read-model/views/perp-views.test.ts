import assert from 'node:assert/strict'
import { test } from 'node:test'
import { followEvents } from '../../../../bench/follow-events.js'
import { publishBootstrap } from '../../../../engine/core/operator/bootstrap.js'
import { MarginSummary, PositionMargin } from '../../../../engine/risk/order-check.js'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import { positionRows, positionText } from '../../../../gateway/read-model/texts/portfolio-text.js'
import { EventViews } from '../../../../gateway/read-model/views/event-views.js'
import { MarginMode, neverMillis, Right } from '../../../../schemas/domain.js'
import { formatAddress } from '../../../../schemas/wallet.js'
import { uniformsOf } from '../../../engine/pricing/random.js'
import { CoreRig } from '../../../support/core-rig.js'
import { type RigOrder, walletOf } from '../../../support/rig-commands.js'

const perp = { expiryDate: 0, strike: 0, right: Right.None }
const wallets = [1, 2, 3]

/** A core with an option and a perp, and a read model that follows it. */
class FollowedPerp {
  readonly rig = new CoreRig()
  readonly views = new EventViews(engineConfigDefault)

  constructor() {
    this.restart()
    const { rig } = this
    rig.list(perp, neverMillis)
    rig.list()
    rig.index(100_000)
    rig.surface(0.6)
    for (const wallet of wallets) rig.deposit(wallet, 1_000_000)
    this.follow()
  }

  /** Restarts the venue: a bootstrap publishes everything again. */
  restart(): void {
    publishBootstrap(this.rig.state, () => {})
    this.#read()
  }

  place(order: Omit<RigOrder, 'size'> & { size?: string }): void {
    this.rig.place({ size: '0.5', instrument: perp, ...order })
    this.follow()
  }

  index(price: number): void {
    this.rig.nowMillis += 60_000
    this.rig.index(price)
    this.rig.surface(0.6)
    this.follow()
  }

  follow(): void {
    this.rig.run()
    this.#read()
  }

  /** Positions of a wallet as clients see them. */
  positionsOf(wallet: number) {
    const account = this.#accountOf(wallet)
    return positionRows(this.views, account).map((row) => {
      const summary = new MarginSummary()
      this.views.accounts.risk.summarize(account, summary)
      // biome-ignore lint/suspicious/noExplicitAny: a row of the wire
      return positionText(this.views, '', row, summary) as any
    })
  }

  /** Both show every wallet, its positions and their marks alike. */
  compare(where: string): void {
    const { risk } = this.rig.state
    const read = this.views.accounts.risk
    read.setTime(this.rig.state.nowMillis)
    for (const wallet of wallets) {
      const account = this.#accountOf(wallet)
      const [one, other] = [new MarginSummary(), new MarginSummary()]
      risk.summarize(account, one)
      read.summarize(account, other)
      assert.deepEqual(other, one, `${where}: wallet ${wallet}`)
      assert.equal(read.cashMicros[account], risk.cashMicros[account], where)
      for (const row of positionRows(this.views, account)) {
        const instrument = read.exposures.instrument[row]!
        const ofCore = risk.findExposure(account, instrument)
        const [margin, marginRead] = [new PositionMargin(), new PositionMargin()]
        risk.positionMargin(ofCore, margin)
        read.positionMargin(row, marginRead)
        assert.deepEqual(marginRead, margin, `${where}: margin of ${instrument}`)
        for (const column of ['positionLots', 'costMicros', 'realizedMicros'] as const) {
          const [held, shown] = [risk.exposures[column][ofCore], read.exposures[column][row]]
          assert.equal(shown, held, `${where}: ${column} of ${instrument}`)
        }
      }
    }
  }

  #accountOf(wallet: number): number {
    return this.views.accounts.find(formatAddress(walletOf(wallet), 0))
  }

  #read(): void {
    followEvents(this.rig.reader, (event) => this.views.apply(event))
  }
}

test('the read model follows orders, fills and marks of a perp, with restarts in between', () => {
  const followed = new FollowedPerp()
  const { rig, views } = followed
  const look = (where: string) => {
    followed.compare(where)
    followed.restart()
    followed.compare(`${where}, published again`)
  }
  followed.place({ wallet: 1, side: 'Sell', price: '100000', size: '2' })
  followed.place({ wallet: 2, side: 'Buy', price: '99000' })
  look('both orders rest')
  followed.place({ wallet: 2, side: 'Buy', price: '100000' })
  look('a part is sold')
  const [held] = followed.positionsOf(2)
  assert.deepEqual(
    [held.symbol, held.amount, held.entry_price, held.unrealized_pnl, held.instrument_type],
    ['BTC-PERP', '0.5', '100000', '0', 'perp'],
  )
  assert.equal(followed.positionsOf(1)[0].amount, '-0.5')
  assert.equal(views.market.openInterestLots[0], 50_000_000)
  followed.index(101_000)
  look('the index has moved')
  assert.equal(followed.positionsOf(2)[0].unrealized_pnl, '500')
  followed.place({ wallet: 3, side: 'Buy', price: '101000', size: '0.2', tif: 'ioc' })
  followed.place({ wallet: 3, side: 'Sell', price: '500', instrument: {}, size: '0.3' })
  followed.place({ wallet: 2, side: 'Buy', price: '500', instrument: {}, size: '0.3', tif: 'ioc' })
  rig.marginMode(2, MarginMode.Portfolio)
  followed.follow()
  look('an option too, one wallet in portfolio mode')
  followed.place({ wallet: 3, side: 'Buy', price: '101000', size: '2' })
  followed.place({ wallet: 2, side: 'Sell', price: '101000', size: '0.3' })
  look('sold at a profit')
  const [after] = followed.positionsOf(2)
  assert.deepEqual([after.amount, after.entry_price], ['0.2', '100000'])
  assert.equal(views.statistics.of(0).lastMicros, 101_000_000_000)
})

for (const [name, of, price] of [
  ['a perp', perp, 100_000],
  ['an option', {}, 500],
] as const) {
  for (const fills of [2, 3]) {
    test(`${name} has the core's realized profit after ${fills} fills of one order that flip it`, () => {
      const followed = new FollowedPerp()
      const place = (wallet: number, side: 'Buy' | 'Sell', more: number, size: string) =>
        followed.place({ wallet, side, price: String(price + more), size, instrument: of })
      place(1, 'Sell', 0, '0.5')
      place(2, 'Buy', 0, '0.5')
      place(3, 'Buy', 20, '0.5')
      for (let fill = 1; fill < fills; fill++) place(1, 'Buy', 10, '0.2')
      place(2, 'Sell', 10, fills === 2 ? '0.7' : '0.9')
      followed.compare('through zero')
      const shown = followed.positionsOf(2)[0].realized_pnl
      followed.restart()
      followed.compare('published again')
      assert.equal(followed.positionsOf(2)[0].realized_pnl, shown)
    })
  }
}

/** Holds 1 long for 9, sells 2 at 10 and 9.9 by one order, and buys 2 at 9. */
function throughZero(followed: FollowedPerp): void {
  const place = (wallet: number, side: 'Buy' | 'Sell', price: string, size: string) =>
    followed.place({ wallet, side, price, size, instrument: {} })
  place(1, 'Sell', '9', '1')
  place(2, 'Buy', '9', '1')
  place(1, 'Buy', '10', '1')
  place(1, 'Buy', '9.9', '1')
  place(2, 'Sell', '9.9', '2')
  place(1, 'Sell', '9', '2')
  place(2, 'Buy', '9', '2')
}

test('an order that flips a position in several fills has the realized profit as one', () => {
  const followed = new FollowedPerp()
  throughZero(followed)
  followed.compare('live')
  assert.equal(followed.positionsOf(2)[0].realized_pnl, '1.9')
  followed.restart()
  assert.equal(followed.positionsOf(2)[0].realized_pnl, '1.9')
})

for (const seed of [1, 2, 3]) {
  test(`positions show the core's realized profit, with restarts in between, seed ${seed}`, () => {
    const followed = new FollowedPerp()
    const uniform = uniformsOf(seed)
    const below = (count: number) => Math.floor(uniform() * count)
    for (let step = 0; step < 150; step++) {
      const side = below(2) === 0 ? 'Buy' : 'Sell'
      const [wallet, size] = [1 + below(3), String(1 + below(3))]
      const tif = below(4) === 0 ? 'ioc' : 'gtc'
      const price = String(500 + 10 * below(4))
      followed.place({ wallet, side, price, size, tif, instrument: {} })
      if (below(10) === 0) followed.restart()
      followed.compare(`step ${step}`)
    }
  })
}
