import { lotsPerContract } from '../../../schemas/bounds.js'
import { OrderFlag, Side } from '../../../schemas/domain.js'
import type { Random } from '../run/random.js'
import { type Action, bulkAction } from './action.js'
import { smallWallets, spreadLegs } from './market-plan.js'
import type { KnownOrder, Trader } from './trader.js'

/** Factors of a price near the mark: mostly close to it, sometimes unrealistic. */
const shares = [0.02, 0.5, 0.9, 1, 1, 1, 1, 1, 1.1, 1.5, 2, 3] as const
const nearShares = [0.9, 1, 1, 1.1] as const
const sizes = [1, 1, 1, 0.5, 2] as const
const bulkItemsMax = 4
/** Indexes of the longs in `spreadLegs`; the leg that each covers is the next one. */
const coverOfCalls = 0
const coverOfPuts = 2

/** Leg by its index, at this share of the price near its mark. */
interface Leg {
  readonly place: number
  readonly side: Side
  readonly share: number
}

/**
 * Poor wallets hold, write, cover and close options of one expiry, against rich ones. Longs cover working sells,
 * wallets sell covers, and buy shorts back far above their value.
 */
export function spread(trader: Trader): Action {
  const { random } = trader
  const isSmall = random.below(2) === 0
  const wallet = isSmall ? smallWallet(random) : trader.smallOrRich(false)
  const place = random.below(spreadLegs.length)
  const side = random.pick([Side.Buy, Side.Sell])
  return legOrder(trader, wallet, {
    place,
    side,
    share: random.pick(isSmall ? shares : nearShares),
  })
}

/**
 * Returns a bulk of a long, the short it covers, and the sale of all or some of the cover. Orders replace earlier ones
 * that may still work.
 */
export function spreads(trader: Trader): Action {
  const { random } = trader
  const wallet = smallWallet(random)
  const known = trader.ordersOf(wallet, bulkItemsMax)
  const cover = random.pick([coverOfCalls, coverOfPuts])
  const items: Action[] = []
  for (const leg of [
    { place: cover, side: Side.Buy, share: 1.1 },
    { place: cover + 1, side: Side.Sell, share: 1 },
    { place: cover, side: Side.Sell, share: 0.9 },
    { place: cover + 1, side: Side.Buy, share: random.pick(shares) },
  ]) {
    if (items.length > 0 && random.below(3) === 0) continue
    const isReplacing = random.below(4) === 0
    items.push(legOrder(trader, wallet, leg, isReplacing ? known.pop() : undefined))
  }
  return bulkAction(items)
}

function legOrder(trader: Trader, wallet: number, leg: Leg, replaced?: KnownOrder): Action {
  const { random } = trader
  const { plan, aroundUsd } = spreadLegs[leg.place]
  const fields = {
    priceMicros: Math.round(aroundUsd * leg.share) * 1e6,
    sizeLots: random.pick(sizes) * lotsPerContract,
    side: leg.side,
    flags: random.below(8) === 0 ? OrderFlag.ReduceOnly : 0,
    ...(replaced !== undefined && { oldOrderId: replaced.orderId }),
  }
  const action = trader.signedOrder(wallet, plan, fields)
  if (replaced !== undefined && replaced.key !== null) action.command.key.copy(replaced.key)
  return action
}

/** Mostly returns one of the poorest. */
function smallWallet(random: Random): number {
  return random.pick([1, 1, 1, 1, 2, smallWallets])
}
