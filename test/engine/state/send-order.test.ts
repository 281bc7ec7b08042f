import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allocateRing, Ring } from '../../../engine/memory/ring.js'
import { CoreState } from '../../../engine/state/core-state.js'
import { EventSink } from '../../../engine/state/event-sink.js'
import { engineConfigDefault } from '../../../engine/state/market/engine-config.js'
import { MatcherLinks } from '../../../engine/state/matcher-links.js'
import { slotOf } from '../../../engine/state/orders/orders.js'
import { sendPlace, sendReplace } from '../../../engine/state/send-order.js'
import { OrderFlag, Right, SelfTradeMode, Side } from '../../../schemas/domain.js'
import { MatcherOrder } from '../../../schemas/generated/orders.js'
import { countsAsTakerFlag } from '../../../schemas/record-values.js'
import { walletOf } from '../../support/rig-commands.js'

const { MmpEnabled, ReduceOnly } = OrderFlag
/** Order that was sent last. */
const order = new MatcherOrder()

test('an order goes to the matcher of its underlying with everything that the core knows about it', () => {
  const bed = sending()
  sendPlace(bed.state, 7, bed.order(MmpEnabled | ReduceOnly))
  assert.deepEqual(bed.sent(), {
    ticket: 7,
    selfTrade: SelfTradeMode.CancelBoth,
    flags: MmpEnabled | ReduceOnly | countsAsTakerFlag,
    positionLots: -300,
    underlying: 1,
    nowMillis: 1_000_000_000_000,
    deltaMicros: 250_000,
    vegaMicros: 1_500_000,
  })
})

test('a replace carries the open size of the old order, and both handles', () => {
  const bed = sending()
  const [old, slot] = [bed.order(0), bed.order(0)]
  bed.state.orders.openLots[old] = 300
  sendReplace(bed.state, 1, slot, old)
  bed.sent()
  assert.deepEqual([order.handle, order.oldHandle].map(slotOf), [slot, old])
  assert.deepEqual([order.sizeLots, order.expectedOpenLots], [100, 300])
})

test('a replace carries the terms of the new order, and none of an order sent before it', () => {
  const bed = sending()
  const old = bed.order(MmpEnabled | ReduceOnly)
  sendPlace(bed.state, 0, old)
  bed.sent()
  bed.state.marks.vegaPerPoint[0] = Number.NaN
  bed.state.nowMillis += 5
  sendReplace(bed.state, 1, bed.order(0), old)
  assert.deepEqual(bed.sent(), {
    ticket: 1,
    selfTrade: SelfTradeMode.CancelBoth,
    flags: 0,
    positionLots: 0,
    underlying: 1,
    nowMillis: 1_000_000_000_005,
    deltaMicros: 250_000,
    vegaMicros: 0,
  })
})

/** One wallet, short three contracts of an option of the second underlying, which has the second matcher. */
function sending() {
  const rings = [allocateRing(1 << 16), allocateRing(1 << 16)] as const
  const links = new MatcherLinks(
    rings.map((ring) => new Ring(ring, 'producer')),
    rings.map(() => new Ring(allocateRing(1 << 16), 'consumer')),
    () => {},
    () => {},
  )
  const config = { ...engineConfigDefault, mmpCountTakerFills: true }
  const state = new CoreState(config, new EventSink(null), links)
  state.nowMillis = 1_000_000_000_000
  const account = state.openAccount(walletOf(1), 0)
  state.accounts.setSelfTrade(account, SelfTradeMode.CancelBoth)
  state.addUnderlying('ETH')
  state.addUnderlying('BTC')
  const instrument = state.instruments.add({
    underlyingName: 'BTC',
    expiryDate: 20270101,
    expiryMillis: Date.UTC(2027, 0, 1, 8),
    strikeMicros: 100_000e6,
    right: Right.Call,
    tradingMode: 0,
    listedMillis: 0,
  })
  state.marks.delta[instrument] = 0.25
  state.marks.vegaPerPoint[instrument] = 1.5
  const row = state.risk.exposureFor(account, instrument)
  state.risk.exposures.positionLots[row] = -300
  const reader = new Ring(rings[1], 'consumer')
  return {
    state,
    /** A working bid with the flags given. @returns its slot */
    order(flags: number): number {
      const { orders } = state
      const slot = orders.take()
      orders.orderId[slot] = ++state.orderCount
      orders.account[slot] = account
      orders.instrument[slot] = instrument
      orders.side[slot] = Side.Buy
      orders.flags[slot] = flags
      orders.priceMicros[slot] = 1_000_000
      orders.sizeLots[slot] = 100
      orders.openLots[slot] = 100
      state.startOrder(slot)
      return slot
    },
    sent() {
      links.commit()
      const at = reader.next()
      assert.ok(at >= 0, 'nothing was sent to the second matcher')
      const { ticket, selfTrade, flags, positionLots, underlying, nowMillis } = order.over(
        reader,
        at,
      )
      const { deltaMicros, vegaMicros } = order
      const greeks = { deltaMicros, vegaMicros }
      return { ticket, selfTrade, flags, positionLots, underlying, nowMillis, ...greeks }
    },
  }
}
