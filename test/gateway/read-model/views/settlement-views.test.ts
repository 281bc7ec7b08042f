import assert from 'node:assert/strict'
import { test } from 'node:test'
import { followEvents } from '../../../../bench/follow-events.js'
import { publishBootstrap } from '../../../../engine/core/operator/bootstrap.js'
import { MarginSummary } from '../../../../engine/risk/order-check.js'
import {
  type EngineConfig,
  engineConfigDefault,
} from '../../../../engine/state/market/engine-config.js'
import { EventViews } from '../../../../gateway/read-model/views/event-views.js'
import { InstrumentState, Right, Tier } from '../../../../schemas/domain.js'
import { CoreRig } from '../../../support/core-rig.js'
import type { RigInstrument } from '../../../support/rig-commands.js'

const expiry = Date.UTC(2026, 0, 31, 0)
const later = expiry + 86_400_000
const options: readonly (readonly [RigInstrument, number])[] = [
  [{ strike: 100_000 }, expiry],
  [{ strike: 105_000, right: Right.Put }, expiry],
  [{ strike: 110_000 }, later],
]

/** A core and a read model that follows it. */
class FollowedRig {
  readonly rig: CoreRig
  readonly views: EventViews

  constructor(config: EngineConfig) {
    this.rig = new CoreRig(config)
    const { rig } = this
    rig.configure(config)
    this.views = new EventViews(config)
    this.restart()
    for (const [instrument, millis] of options) rig.list(instrument, millis)
    rig.index(100_000)
    for (const millis of [expiry, later]) rig.surface(0.6, 'BTC', millis)
    rig.deposit(1, 10_000_000)
    rig.tier(1, Tier.MarketMaker)
    this.follow()
    for (let wallet = 2; wallet < 12; wallet++) {
      rig.deposit(wallet, 20_000)
      for (const [instrument] of options) {
        const order = { price: '3000', size: '0.123457', instrument }
        rig.place({ ...order, wallet: 1, side: 'Sell' })
        rig.place({ ...order, wallet, side: 'Buy' })
        this.follow()
      }
    }
  }

  /** Restarts the venue: a bootstrap publishes everything again. */
  restart(): void {
    publishBootstrap(this.rig.state, () => {})
    this.#read()
  }

  follow(): void {
    this.rig.run()
    this.#read()
  }

  step(): void {
    this.rig.step()
    this.#read()
  }

  /** Both show every wallet, mark and state alike. */
  compare(where: string): void {
    const { state } = this.rig
    const { accounts, market } = this.views
    accounts.risk.setTime(state.nowMillis)
    const [core, read] = [new MarginSummary(), new MarginSummary()]
    for (let account = 0; account < state.accounts.count; account++) {
      state.risk.summarize(account, core)
      accounts.risk.summarize(account, read)
      assert.deepEqual(read, core, `${where}: account ${account}`)
      const counted = accounts.risk.positionsCounted[account]
      assert.equal(counted, state.risk.positionsCounted[account], where)
    }
    for (let id = 0; id < state.instruments.count; id++) {
      const [one, other] = [state.marks.markMicros[id], market.marks.markMicros[id]]
      assert.ok(Object.is(one, other), `${where}: mark of ${id} is ${one}, read ${other}`)
      assert.equal(market.instruments.state[id], state.instruments.state[id], where)
      assert.equal(market.openInterestLots[id] ?? 0, longLotsOf(this.rig, id), `${where}: ${id}`)
    }
  }

  #read(): void {
    followEvents(this.rig.reader, (event) => this.views.apply(event))
  }
}

function longLotsOf({ state }: CoreRig, instrument: number): number {
  let lots = 0
  for (let account = 0; account < state.accounts.count; account++) {
    const row = state.risk.findExposure(account, instrument)
    if (row >= 0) lots += Math.max(0, state.risk.exposures.positionLots[row]!)
  }
  return lots
}

for (const settlementBlend of [false, true]) {
  const marks = settlementBlend ? 'marks that know the window' : 'plain marks'
  test(`the read model follows an expiry to the micro, with ${marks} and restarts in between`, () => {
    const followed = new FollowedRig({
      ...engineConfigDefault,
      pricing: { ...engineConfigDefault.pricing, settlementBlend },
      settlement: { ...engineConfigDefault.settlement, payoutsPerBatch: 3, feeRate: 0.00015 },
    })
    const { rig } = followed
    followed.compare('before')
    for (let second = 1800; second > 0; second -= 150) {
      rig.nowMillis = expiry - second * 1000
      rig.index(104_000 + second)
      followed.follow()
      if (second % 300 === 0) followed.restart()
      followed.compare(`${second} s before`)
    }
    rig.nowMillis = expiry + 5
    followed.step()
    followed.compare('expired')
    // A sample every 150 seconds is not enough.
    assert.equal(rig.state.instruments.state[0], InstrumentState.ExpiredPendingPrice)
    followed.restart()
    followed.compare('published again while it waits')
    rig.settlementPrice(104_321.123457, expiry)
    let batches = 0
    do {
      followed.step()
      followed.compare(`batch ${batches}`)
      if (batches++ % 2 === 0) followed.restart()
      followed.compare(`published again after batch ${batches}`)
    } while (rig.state.settlements.busy.length > 0)
    assert.ok(batches > 4)
    assert.equal(followed.views.market.settlementMicrosOf(0), 104_321_123_457)
    assert.ok(Number.isNaN(followed.views.market.settlementMicrosOf(2)))
  })
}
