import assert from 'node:assert/strict'
import { test } from 'node:test'
import { followEvents } from '../../../../bench/follow-events.js'
import { publishBootstrap } from '../../../../engine/core/operator/bootstrap.js'
import { allocateExchangeMemory } from '../../../../engine/memory/exchange-memory.js'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import { Fund } from '../../../../engine/state/money/funds.js'
import { EventViews } from '../../../../gateway/read-model/views/event-views.js'
import type { MarketViews } from '../../../../gateway/read-model/views/market-views.js'
import { SharedValue } from '../../../../gateway/read-model/views/shared-value.js'
import {
  haltRowsOf,
  pendingShownMax,
  venueGaugesOf,
} from '../../../../gateway/read-model/views/venue-views.js'
import { underlyingsMax } from '../../../../schemas/bounds.js'
import { HaltMode } from '../../../../schemas/domain.js'
import type { SettlementEvent } from '../../../../schemas/generated/events.js'
import { SettlementPhase } from '../../../../schemas/record-values.js'
import { LiquidationRig, shortRig, still } from '../../../support/liquidation-rig.js'

const expiry = Date.UTC(2026, 0, 31, 0)

/** Returns views that receive a bootstrap, as after a restart, and then the later events. */
function followed(rig: LiquidationRig) {
  rig.run().events()
  const views = new EventViews(rig.state.config)
  const now = () => {
    rig.run()
    followEvents(rig.reader, (event) => views.apply(event))
    return venueGaugesOf(views)
  }
  publishBootstrap(rig.state, () => {})
  now()
  return { views, now }
}

test('the balances of the venue equal those of the engine after deposits, settlements and a restart', () => {
  const rig = new LiquidationRig(still).openMarket()
  for (const buyer of [2, 3, 4]) rig.trade(buyer, 1, '3000', '0.3333333')
  const { views, now } = followed(rig)
  const before = views.venueVersion
  rig.fundInsurance(2500.5)
  assert.deepEqual([now().insuranceMicros, now().depositsMicros], [2500.5e6, 2500.5e6])
  assert.ok(views.venueVersion > before)
  rig.nowMillis = expiry
  rig.settlementPrice(110_000.000001)
  const settled = now()
  const { balanceMicros } = rig.state.funds
  assert.notEqual(balanceMicros[Fund.Dust], 0)
  for (const gauges of [settled, followed(rig).now()]) {
    const { feesMicros, insuranceMicros, dustMicros, clearingMicros, inTransitMicros } = gauges
    assert.deepEqual(
      [feesMicros, insuranceMicros, dustMicros, clearingMicros, inTransitMicros],
      [...balanceMicros],
    )
  }
})

test('an expiry is pending from its time to its price, also after a restart', () => {
  const rig = new LiquidationRig(still).openMarket()
  rig.list({ underlying: 'ETH', strike: 4000 }, expiry + 60_000)
  const { now } = followed(rig)
  assert.deepEqual([now().pendingCount, now().pending], [0, []])
  rig.nowMillis = expiry + 60_000
  rig.tick()
  const wanted = [
    { underlying: 'BTC', expiryMillis: expiry },
    { underlying: 'ETH', expiryMillis: expiry + 60_000 },
  ]
  assert.deepEqual(now().pending, wanted)
  assert.deepEqual(followed(rig).now().pending, wanted)
  rig.settlementPrice(100_000)
  const { pendingCount, pending } = now()
  assert.deepEqual([pendingCount, pending], [1, wanted.slice(1)])
})

test('wallets are counted by their liquidation phase, and no longer when they are healthy', () => {
  const rig = shortRig(still)
  const { now } = followed(rig)
  const phases = () => {
    const { graceCount, partialCount, fullCount } = now()
    return [graceCount, partialCount, fullCount]
  }
  assert.deepEqual(phases(), [0, 0, 0])
  rig.index(108_000)
  assert.deepEqual(phases(), [1, 0, 0])
  rig.nowMillis += 60_000
  assert.deepEqual(phases(), [0, 1, 0])
  rig.nowMillis += 120_000
  assert.deepEqual(phases(), [0, 0, 1])
  assert.equal(followed(rig).now().fullCount, 1)
  rig.deposit(5, 100_000)
  assert.deepEqual(phases(), [0, 0, 0])
})

const since = 1_900_000_000_000

function marketOf(underlyingNames: readonly string[], modes: readonly HaltMode[]): MarketViews {
  const haltModes = Uint8Array.from(modes)
  const ofUnderlying = underlyingNames.map((_, number) => (number === 2 ? [] : [number]))
  const haltedMillis = Float64Array.from(modes, (mode) => (mode === HaltMode.Open ? 0 : since))
  const instruments = { underlyingNames, ofUnderlying }
  return { instruments, haltModes, haltedMillis } as unknown as MarketViews
}

test('the halt of an underlying is shown once its name is known', () => {
  const modes = [HaltMode.Open, HaltMode.Halted, HaltMode.CancelOnly]
  assert.deepEqual(haltRowsOf(marketOf(['BTC', '', 'ETH'], modes)), [
    { underlying: 'BTC', mode: HaltMode.Open, number: 0, isLive: true, sinceMillis: 0 },
    { underlying: 'ETH', mode: HaltMode.CancelOnly, number: 2, isLive: false, sinceMillis: since },
  ])
})

test('the memory of an exchange has room for every underlying, and for the displayed expiries', () => {
  const { haltBoard, venueBoard } = allocateExchangeMemory(1, 1)
  const names = Array.from({ length: underlyingsMax }, (_, u) => `U${u}`.padEnd(16, 'X'))
  const modes = names.map(() => HaltMode.CancelOnly)
  const rows = haltRowsOf(marketOf(names, modes))
  new SharedValue(haltBoard).write({
    underlyings: rows,
    stopped: { count: 1_000_000, sinceMillis: since },
  })
  assert.equal(rows.length, underlyingsMax)
  const views = new EventViews(engineConfigDefault)
  views.market.instruments.nameUnderlying(0, names[0]!)
  const phase = SettlementPhase.Pending
  for (let i = 0; i <= pendingShownMax; i++) {
    views.venue.applySettlement({
      underlying: 0,
      expiryMillis: expiry + i,
      phase,
    } as SettlementEvent)
  }
  const gauges = venueGaugesOf(views)
  new SharedValue(venueBoard).write(gauges)
  assert.deepEqual(
    [gauges.pendingCount, gauges.pending.length],
    [pendingShownMax + 1, pendingShownMax],
  )
})
