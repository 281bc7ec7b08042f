import { lotsPerContract } from '../../../schemas/bounds.js'
import { OrderFlag, Side } from '../../../schemas/domain.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import type { Random } from '../random.js'
import type { Action } from './action.js'
import { poorWallet, smallWallets, spreadLegs } from './market-plan.js'
import { bulkAction, orderOn, signed } from './order-commands.js'
import type { KnownOrder, TradingDesk } from './trading-desk.js'

/** Of a price around the mark: mostly near it, at times what no market would ask for. */
const shares = [0.02, 0.5, 0.9, 1, 1, 1, 1, 1, 1.1, 1.5, 2, 3] as const
const nearShares = [0.9, 1, 1, 1.1] as const
const sizes = [1, 1, 1, 0.5, 2] as const
const bulkItemsMax = 4
/** Places of the longs in `spreadLegs`; what each covers follows it. */
const coverOfCalls = 0
const coverOfPuts = 2

/**
 * Wallets with little hold, write, cover and close options of one expiry, against rich ones: longs that cover working
 * sells, covers that are sold, shorts that are bought back for far more than they are worth.
 */
export function spread(desk: TradingDesk): Action {
  const { random } = desk
  const isSmall = random.below(2) === 0
  const wallet = isSmall ? smallWallet(random) : random.between(smallWallets + 1, poorWallet - 1)
  const place = random.below(spreadLegs.length)
  const side = random.pick([Side.Buy, Side.Sell])
  return legOf(desk, wallet, place, side, random.pick(isSmall ? shares : nearShares), null)
}

/** A long, what it covers, and the sale of the cover, or some of it, at once and in place of orders that may work. */
export function spreads(desk: TradingDesk): Action {
  const { random } = desk
  const wallet = smallWallet(random)
  const known = desk.ordersOf(wallet, bulkItemsMax)
  const cover = random.pick([coverOfCalls, coverOfPuts])
  const items: Action[] = []
  for (const [place, side, share] of [
    [cover, Side.Buy, 1.1],
    [cover + 1, Side.Sell, 1],
    [cover, Side.Sell, 0.9],
    [cover + 1, Side.Buy, random.pick(shares)],
  ] as const) {
    if (items.length > 0 && random.below(3) === 0) continue
    const isReplacing = random.below(4) === 0
    items.push(legOf(desk, wallet, place, side, share, (isReplacing && known.pop()) || null))
  }
  return bulkAction(items)
}

function legOf(
  desk: TradingDesk,
  wallet: number,
  place: number,
  side: Side,
  share: number,
  replaced: KnownOrder | null,
): Action {
  const { random } = desk
  const { plan, aroundUsd } = spreadLegs[place]
  const type = replaced === null ? CommandType.PlaceOrder : CommandType.ReplaceOrder
  const fields = {
    priceMicros: Math.round(aroundUsd * share) * 1e6,
    sizeLots: random.pick(sizes) * lotsPerContract,
    side,
    flags: random.below(8) === 0 ? OrderFlag.ReduceOnly : 0,
    oldOrderId: replaced?.orderId ?? 0,
  }
  const order = orderOn(plan, fields, type)
  if (replaced !== null && replaced.key !== null) order.key.copy(replaced.key)
  return signed(desk, order, wallet)
}

/** Mostly one of those with the least. */
function smallWallet(random: Random): number {
  return random.pick([1, 1, 1, 1, 2, smallWallets])
}
