import { Side } from '../../../schemas/domain.js'
import { type Action, bulkAction } from './action.js'
import {
  dustHighestUsd,
  dustHolders,
  dustIndexUsd,
  dustName,
  dustPlans,
  dustWriters,
} from './market-plan.js'
import {
  depositAction,
  indexAction,
  listAction,
  maxIndexAction,
  settlementAction,
  surfaceAction,
} from './operator-actions.js'
import type { Trader } from './trader.js'

// Options of an underlying that is worth almost nothing cost almost nothing and need no margin. Wallets write and hold
// them until their possible value reaches the limit of exact sums. Then the underlying becomes valuable: one wallet
// owes as much as a double holds exactly, and all together owe more.

const indexMicros = dustIndexUsd * 1e6
/** The largest order is 100,000 contracts. */
const sizesLots = [1e13, 5e12, 4.9e12] as const
const itemsMax = 3
/** Nothing observes the index after this time before the run, so no settlement window has enough samples. */
const seenBeforeMillis = 5000
const usd = { little: 60_000, enough: 2_200_000_000 } as const

/** Returns instruments and money for the runs with them. */
export function dustOpening(trader: Trader): Action[] {
  const { clock, isDustPaid } = trader
  const actions = dustPlans.map((plan) => listAction(plan))
  const observedMillis = clock.now() - seenBeforeMillis
  actions.push(indexAction([[dustName, indexMicros]], observedMillis))
  for (const plan of dustPlans) actions.push(surfaceAction(plan, 0.6, dustIndexUsd))
  for (let wallet = dustWriters.first; wallet <= dustHolders.last; wallet++) {
    const isPayer = isDustPaid && wallet > dustWriters.first && wallet <= dustWriters.last
    actions.push(depositAction(wallet, isPayer ? usd.enough : usd.little, `dust-${wallet}`))
  }
  return actions
}

/** A writer offers as much as it may, or a holder takes it. Sometimes either trades back. */
export function hoard(trader: Trader): Action {
  const { clock, random } = trader
  const { first, last } = random.chance(0.5) ? dustWriters : dustHolders
  const wallet = random.between(first, last)
  const isWriting = last === dustWriters.last
  const isBack = random.below(24) === 0
  const side = isWriting === isBack ? Side.Buy : Side.Sell
  const open = dustPlans.filter(({ expiryMillis }) => expiryMillis > clock.now())
  const plan = random.below(6) === 0 ? random.pick(open) : open[0]
  const items: Action[] = []
  for (let i = random.between(1, random.pick([1, itemsMax])); i > 0; i--) {
    const sizeLots = random.pick(sizesLots) - random.below(3)
    items.push(trader.signedOrder(wallet, plan, { priceMicros: indexMicros, sizeLots, side }))
  }
  return bulkAction(items)
}

/** Returns index and settlement prices, often the maximum, or raises the maximum. */
export function dustPrices(trader: Trader): Action | null {
  const { clock, isDusty, isDustRising, random } = trader
  if (!isDusty) return null
  const highestUsd = random.pick(dustHighestUsd)
  const ended = dustPlans.filter(({ expiryMillis }) => expiryMillis <= clock.now())
  if (ended.length > 0 && random.chance(0.9)) {
    const priceMicros = random.below(8) === 0 ? 2 * indexMicros : highestUsd * 1e6
    return settlementAction(dustName, random.pick(ended).expiryMillis, priceMicros)
  }
  if (random.below(6) === 0) return maxIndexAction(dustName, random.pick([highestUsd, 50_000]))
  if (!isDustRising) return null
  const isHighest = random.below(4) === 0
  const micros = isHighest ? highestUsd * 1e6 : indexMicros + random.below(indexMicros)
  return indexAction([[dustName, micros]], clock.now())
}
