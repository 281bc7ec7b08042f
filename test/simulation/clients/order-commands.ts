import { lotsPerContract } from '../../../schemas/bounds.js'
import { OrderFlag, Right, Side, Tif } from '../../../schemas/domain.js'
import {
  CancelByClientIdCommand,
  CancelOrderCommand,
  type PlaceOrderCommand,
} from '../../../schemas/generated/commands.js'
import { Action, bulkAction } from './action.js'
import { commandOf, copyOf } from './command-record.js'
import { hoard } from './dust-commands.js'
import {
  addressOf,
  instrumentPlans,
  type PlannedInstrument,
  perpPlans,
  smallWallets,
} from './market-plan.js'
import { spread, spreads } from './spread-commands.js'
import type { CommandGenerator, Trader } from './trader.js'

const sizesLots = [1e8, 5e7, 1e7, 1e7, 1e6, 2.25e8, 4e9] as const
const tifs = [Tif.Gtc, Tif.Gtc, Tif.Gtc, Tif.Gtc, Tif.Ioc, Tif.Fok, Tif.Alo] as const
/**
 * Sizes near the exact limit: at a price of a million, up to 4,503 contracts are exact, and a few larger orders too.
 */
const largeLots = [1e10, 2e10, 1e11, 4.5e11, 1e13] as const
/** Sizes that 12,000 USD, and four times that, can hold at 10 percent margin and an index of 100,000. */
const leveredLots = [1e8, 2e8, 4e8] as const
const lowestPriceMicros = 3_000e6
const priceStepMicros = 10e6
const priceCount = 16
/** A quarter of a percent of the first index each. Every such price has at most 5 significant figures. */
const perpStepMicros = 250e6
const perpStepsAtIndex = 400
const bulkItems = 12
const ladderPriceMicros = lowestPriceMicros + 8 * priceStepMicros
const ladderSizeLots = 1e5
/** The instrument of the ladders. */
const [first] = instrumentPlans

/** Trading commands of clients. */
export const orderCommands: readonly CommandGenerator[] = [
  { weight: 44, make: placeOrHedge },
  { weight: 12, make: replaceOrder },
  { weight: 10, make: cancelOrder },
  { weight: 3, make: cancelByClientId },
  { weight: 8, make: bulk },
  { weight: 2, make: cancelAll },
  { weight: 4, make: ladder },
  { weight: 4, make: sweep },
  { weight: 8, make: writeLate },
  { weight: 8, make: lever },
  { weight: 14, make: spread },
  { weight: 6, make: spreads },
]

/** In some runs nearly every order is part of a spread, and in some most are on the almost worthless underlying. */
function placeOrHedge(trader: Trader): Action {
  if (trader.isDusty && trader.random.below(5) > 0) return hoard(trader)
  if (!trader.isHedging || trader.random.below(6) === 0) return placeOrder(trader)
  return trader.random.below(3) === 0 ? spreads(trader) : spread(trader)
}

/** Returns a new order, signed by the wallet or by an address that may not be its agent. */
function placeOrder(trader: Trader): Action {
  return maybeBuilt(trader, drawnOrder(trader, trader.wallet()))
}

/** Poor wallets write the next expiry's option and rich ones buy it, so that some payouts cannot be paid in full. */
function writeLate(trader: Trader): Action | null {
  const next = trader.nextToExpire()
  if (next === null) return null
  const isWriter = trader.random.chance(0.5)
  const side = isWriter ? Side.Sell : Side.Buy
  const fields = { priceMicros: lowestPriceMicros, sizeLots: lotsPerContract, side }
  return trader.signedOrder(trader.smallOrRich(isWriter), next, fields)
}

/**
 * Poor wallets take the largest perp position their margin allows, against rich ones. A jump of the index ruins them.
 */
function lever(trader: Trader): Action {
  const { random } = trader
  const isSmall = random.chance(0.5)
  const wallet = trader.smallOrRich(isSmall)
  const plan = random.pick(perpPlans)
  const sizeLots = random.pick(leveredLots)
  const side = isSmall === trader.isRising ? Side.Buy : Side.Sell
  const priceMicros = Math.round(trader.lastShare * perpStepsAtIndex) * perpStepMicros
  return trader.signedOrder(wallet, plan, { priceMicros, sizeLots, side })
}

function replaceOrder(trader: Trader): Action {
  if (trader.orders.length === 0) return placeOrder(trader)
  const { orderId: oldOrderId, wallet, key } = trader.order()
  const action = maybeBuilt(trader, drawnOrder(trader, wallet, { oldOrderId }))
  if (key === null || trader.random.below(10) === 0) return action
  action.command.key.copy(key)
  action.command.priceMicros = priceMicrosOf(trader, key.right)
  return action
}

function cancelOrder(trader: Trader): Action {
  if (trader.orders.length === 0) return placeOrder(trader)
  const { orderId, wallet } = trader.order()
  return trader.signed(commandOf(CancelOrderCommand, { orderId }), wallet)
}

function cancelByClientId(trader: Trader): Action {
  const clientIdText = `c${trader.random.below(5)}`
  return trader.signed(commandOf(CancelByClientIdCommand, { clientIdText }))
}

/** Places, replaces and cancels in one request; sometimes two items share a nonce. */
function bulk(trader: Trader): Action {
  const { random } = trader
  const makers = [placeOrder, placeOrder, replaceOrder, cancelOrder, cancelByClientId]
  const items: Action[] = []
  for (let i = random.between(1, bulkItems); i > 0; i--) {
    if (items.length > 0 && random.below(15) === 0) {
      const { command, wallet } = random.pick(items)
      items.push(new Action(copyOf(command), wallet))
    } else items.push(random.pick(makers)(trader))
  }
  return bulkAction(items)
}

/** Cancels all orders that a wallet knows of. */
function cancelAll(trader: Trader): Action | null {
  const wallet = trader.wallet()
  const orders = trader.ordersOf(wallet, bulkItems)
  if (orders.length === 0) return null
  return bulkAction(
    orders.map(({ orderId }) => trader.signed(commandOf(CancelOrderCommand, { orderId }), wallet)),
  )
}

/** Places many small orders at one price, so that one order trades through the level for a long time. */
function ladder(trader: Trader): Action {
  const [wallet, side] = [trader.wallet(), trader.random.pick([Side.Buy, Side.Sell])]
  const priceMicros = ladderPriceMicros + (side === Side.Buy ? -priceStepMicros : 0)
  const rung = { priceMicros, sizeLots: ladderSizeLots, side, tif: Tif.Gtc, flags: 0 }
  const items = Array.from({ length: bulkItems }, () => drawnOrder(trader, wallet, rung, first))
  return bulkAction(items)
}

/** Places one order that trades through all ladders. */
function sweep(trader: Trader): Action {
  const side = trader.random.pick([Side.Buy, Side.Sell])
  const away = (side === Side.Buy ? 1 : -1) * priceCount * priceStepMicros
  const fixed = { priceMicros: ladderPriceMicros + away, side, flags: 0 }
  const action = drawnOrder(trader, trader.wallet(), fixed, first)
  action.command.sizeLots = ladderSizeLots * trader.random.between(1, 60)
  return action
}

/** Returns a random order, except for the fixed fields. */
function drawnOrder(
  trader: Trader,
  wallet: number,
  fixed: Partial<PlaceOrderCommand> = {},
  fixedPlan: PlannedInstrument | null = null,
): Action<PlaceOrderCommand> {
  const { random } = trader
  const instrument = trader.instrument()
  const drawn = {
    sizeLots: sizeLotsOf(trader, wallet),
    side: random.chance(0.5) ? Side.Buy : Side.Sell,
    tif: random.pick(tifs),
    flags: flagsAtRandom(trader),
    clientIdText: trader.clientId(),
    priceMicros: priceMicrosOf(trader, instrument.right),
  }
  return trader.signedOrder(wallet, fixedPlan ?? instrument, { ...drawn, ...fixed })
}

/** Returns a size that sometimes reaches or exceeds what a rich wallet can hold exactly. */
function sizeLotsOf({ isRich, random }: Trader, wallet: number): number {
  const isLarge = isRich && wallet > smallWallets && random.below(3) === 0
  return random.pick(isLarge ? largeLots : sizesLots)
}

/** Returns a price for the order's instrument: for a perp, near the operator's last index. */
function priceMicrosOf({ isRich, random, lastShare }: Trader, right: Right): number {
  if (right !== Right.None) {
    // Sometimes the maximum price, and one step above it.
    if (isRich && random.below(30) === 0) return random.pick([1e12, 1.0001e12])
    return lowestPriceMicros + random.below(priceCount) * priceStepMicros
  }
  const steps = Math.round(lastShare * perpStepsAtIndex) + random.below(priceCount) - priceCount / 2
  return steps * perpStepMicros
}

/** Makes some orders reduce-only, and half of them protected. */
function flagsAtRandom({ random }: Trader): number {
  const reduces = random.below(10) === 0 ? OrderFlag.ReduceOnly : 0
  return reduces | (random.chance(0.5) ? OrderFlag.MmpEnabled : 0)
}

/** Adds a builder to some orders, sometimes their own wallet. */
function maybeBuilt(trader: Trader, action: Action<PlaceOrderCommand>): Action<PlaceOrderCommand> {
  if (trader.random.below(8) > 0) return action
  const { command } = action
  command.flags |= OrderFlag.HasBuilder
  const builder = trader.random.below(6) === 0 ? action.wallet : trader.agent()
  command.u8.set(addressOf(builder), command.builderAt)
  return action
}
