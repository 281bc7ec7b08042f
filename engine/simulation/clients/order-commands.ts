import { lotsPerContract } from '../../../schemas/bounds.js'
import { OrderFlag, Right, Side, Tif } from '../../../schemas/domain.js'
import {
  type AnyCommand,
  CancelByClientIdCommand,
  CancelOrderCommand,
  CommandType,
  PlaceOrderCommand,
} from '../../../schemas/generated/commands.js'
import type { Random } from '../random.js'
import { Action } from './action.js'
import { bulkOf, commandOf, copyOf, setKey, setWallet, sign } from './command-record.js'
import {
  addressOf,
  instrumentPlans,
  type PlannedInstrument,
  perpPlans,
  poorWallet,
  smallWallets,
} from './market-plan.js'
import type { TradingDesk } from './trading-desk.js'

type OrderType = typeof CommandType.PlaceOrder | typeof CommandType.ReplaceOrder

const sizesLots = [1e8, 5e7, 1e7, 1e7, 1e6, 2.25e8, 4e9] as const
const tifs = [Tif.Gtc, Tif.Gtc, Tif.Gtc, Tif.Gtc, Tif.Ioc, Tif.Fok, Tif.Alo] as const
/** Contracts of a million at the highest are exact up to 4,503 of them, and a few more orders. */
const largeLots = [1e10, 2e10, 1e11, 4.5e11, 1e13] as const
/** What 12,000 USD, and four times that, bear at a tenth of an index of 100,000. */
const leveredLots = [1e8, 2e8, 4e8] as const
const lowestPriceMicros = 3_000e6
const priceStepMicros = 10e6
const priceCount = 16
/** A quarter of a percent of the first index each; at most 5 significant figures at any of its prices. */
const perpStepMicros = 250e6
const perpStepsAtIndex = 400
const bulkItems = 12
const ladderPriceMicros = lowestPriceMicros + 8 * priceStepMicros
const ladderSizeLots = 1e5

/** A new order, by the wallet or by an agent that may not be one. */
export function placeOrder(desk: TradingDesk): Action {
  return maybeBuilt(desk, orderAction(desk, CommandType.PlaceOrder, desk.wallet(), 0))
}

/** Wallets with little write what expires next, and rich ones buy it: not all of it can be paid in the end. */
export function writeLate(desk: TradingDesk): Action | null {
  const { random } = desk
  const next = desk.nextToExpire()
  if (next === null) return null
  const isWriter = random.chance(0.5)
  const wallet = isWriter ? random.between(1, smallWallets) : richWallet(random)
  const side = isWriter ? Side.Sell : Side.Buy
  const fields = { priceMicros: lowestPriceMicros, sizeLots: lotsPerContract, side }
  return signed(desk, orderOn(next, fields), wallet)
}

/**
 * Wallets with little take as much of a perp as their margin bears, against rich ones: a jump of its index is too much.
 */
export function lever(desk: TradingDesk): Action {
  const { random } = desk
  const isSmall = random.chance(0.5)
  const wallet = isSmall ? random.between(1, smallWallets) : richWallet(random)
  const plan = random.pick(perpPlans)
  const sizeLots = random.pick(leveredLots)
  const side = isSmall === desk.isRising ? Side.Buy : Side.Sell
  const priceMicros = Math.round(desk.lastShare * perpStepsAtIndex) * perpStepMicros
  return signed(desk, orderOn(plan, { priceMicros, sizeLots, side }), wallet)
}

export function replaceOrder(desk: TradingDesk): Action {
  if (!desk.knowsOrders) return placeOrder(desk)
  const { orderId, wallet, key } = desk.order()
  const action = maybeBuilt(desk, orderAction(desk, CommandType.ReplaceOrder, wallet, orderId))
  if (key === null || desk.random.below(10) === 0) return action
  action.command.key.copy(key)
  action.command.priceMicros = priceMicrosOf(desk, key.right)
  return action
}

export function cancelOrder(desk: TradingDesk): Action {
  if (!desk.knowsOrders) return placeOrder(desk)
  const { orderId, wallet } = desk.order()
  return cancelAction(desk, wallet, orderId)
}

export function cancelByClientId(desk: TradingDesk): Action {
  const clientIdText = `c${desk.random.below(5)}`
  return signed(desk, commandOf(CancelByClientIdCommand, { clientIdText }), desk.wallet())
}

/** Places, replaces and cancels in one request; now and then one nonce stands in it twice. */
export function bulk(desk: TradingDesk): Action {
  const { random } = desk
  const makers = [placeOrder, placeOrder, replaceOrder, cancelOrder, cancelByClientId]
  const items: Action[] = []
  for (let i = random.between(1, bulkItems); i > 0; i--) {
    const isAgain = items.length > 0 && random.below(15) === 0
    items.push(isAgain ? again(random.pick(items)) : random.pick(makers)(desk))
  }
  return bulkAction(items)
}

/** Cancels everything that a wallet knows of its own. */
export function cancelAll(desk: TradingDesk): Action | null {
  const wallet = desk.wallet()
  const orders = desk.ordersOf(wallet, bulkItems)
  if (orders.length === 0) return null
  return bulkAction(orders.map(({ orderId }) => cancelAction(desk, wallet, orderId)))
}

/** Many small orders at one price: a level that takes one order long to trade through. */
export function ladder(desk: TradingDesk): Action {
  const [wallet, side] = [desk.wallet(), desk.random.pick([Side.Buy, Side.Sell])]
  const priceMicros = ladderPriceMicros + (side === Side.Buy ? -priceStepMicros : 0)
  const items: Action[] = []
  for (let i = 0; i < bulkItems; i++) {
    const item = orderAction(desk, CommandType.PlaceOrder, wallet, 0)
    setKey(item.command.key, instrumentPlans[0])
    Object.assign(item.command, {
      priceMicros,
      sizeLots: ladderSizeLots,
      side,
      tif: Tif.Gtc,
      flags: 0,
    })
    items.push(item)
  }
  return bulkAction(items)
}

/** One order through everything that ladders have put up. */
export function sweep(desk: TradingDesk): Action {
  const side = desk.random.pick([Side.Buy, Side.Sell])
  const away = (side === Side.Buy ? 1 : -1) * priceCount * priceStepMicros
  const action = orderAction(desk, CommandType.PlaceOrder, desk.wallet(), 0)
  setKey(action.command.key, instrumentPlans[0])
  action.command.priceMicros = ladderPriceMicros + away
  action.command.sizeLots = ladderSizeLots * desk.random.between(1, 60)
  action.command.side = side
  action.command.flags = 0
  return action
}

/** Another payload under the nonce of an action that was sent before. */
export function conflictingNonce(desk: TradingDesk): Action | null {
  if (desk.sent.length === 0) return null
  const { command, wallet } = desk.random.pick(desk.sent)
  const copy = copyOf(command)
  copy.u8[copy.digestAt] ^= 1
  return new Action(copy, wallet)
}

function richWallet(random: Random): number {
  return random.between(smallWallets + 1, poorWallet - 1)
}

/** Signs a record for a wallet: by itself, or by an agent that it may have approved. */
export function signed<Command extends AnyCommand>(
  desk: TradingDesk,
  command: Command,
  wallet: number,
): Action<Command> {
  const signer = desk.random.below(20) === 0 ? desk.agent() : wallet
  setWallet(command, wallet)
  sign(command, signer, desk.nonce(), desk.digest())
  return new Action(command, wallet)
}

/** An order in an instrument, good till cancelled unless its fields say otherwise. */
export function orderOn(
  instrument: PlannedInstrument,
  fields: Partial<PlaceOrderCommand>,
  type: OrderType = CommandType.PlaceOrder,
): PlaceOrderCommand {
  const order = commandOf(PlaceOrderCommand, { tif: Tif.Gtc, ...fields }, type)
  setKey(order.key, instrument)
  return order
}

function orderAction(
  desk: TradingDesk,
  type: OrderType,
  wallet: number,
  oldOrderId: number,
): Action<PlaceOrderCommand> {
  const { random } = desk
  const instrument = desk.instrument()
  const fields = {
    sizeLots: sizeLotsOf(desk, wallet),
    side: random.chance(0.5) ? Side.Buy : Side.Sell,
    tif: random.pick(tifs),
    flags: flagsAtRandom(desk),
    oldOrderId,
    clientIdText: desk.clientId(),
    priceMicros: priceMicrosOf(desk, instrument.right),
  }
  return signed(desk, orderOn(instrument, fields, type), wallet)
}

/** At times as much as somebody rich can hold exactly, or more. */
function sizeLotsOf({ isRich, random }: TradingDesk, wallet: number): number {
  const isLarge = isRich && wallet > smallWallets && random.below(3) === 0
  return random.pick(isLarge ? largeLots : sizesLots)
}

/** A price for the order's instrument: of a perp around where its index was last thrown. */
function priceMicrosOf({ isRich, random, lastShare }: TradingDesk, right: Right): number {
  if (right !== Right.None) {
    // At times the most that anything can be worth, and a step more.
    if (isRich && random.below(30) === 0) return random.pick([1e12, 1.0001e12])
    return lowestPriceMicros + random.below(priceCount) * priceStepMicros
  }
  const steps = Math.round(lastShare * perpStepsAtIndex) + random.below(priceCount) - priceCount / 2
  return steps * perpStepMicros
}

/** Some reduce-only, half of them under protection. */
function flagsAtRandom({ random }: TradingDesk): number {
  const reduces = random.below(10) === 0 ? OrderFlag.ReduceOnly : 0
  return reduces | (random.chance(0.5) ? OrderFlag.MmpEnabled : 0)
}

/** Some orders name a builder, now and then their own wallet. */
function maybeBuilt(
  desk: TradingDesk,
  action: Action<PlaceOrderCommand>,
): Action<PlaceOrderCommand> {
  if (desk.random.below(8) > 0) return action
  const { command } = action
  command.flags |= OrderFlag.HasBuilder
  const builder = desk.random.below(6) === 0 ? action.wallet : desk.agent()
  command.u8.set(addressOf(builder), command.builderAt)
  return action
}

function cancelAction(desk: TradingDesk, wallet: number, orderId: number): Action {
  return signed(desk, commandOf(CancelOrderCommand, { orderId }), wallet)
}

function again({ command, wallet }: Action): Action {
  return new Action(copyOf(command), wallet)
}

/** One request of several orders and cancels. */
export function bulkAction(items: readonly Action[]): Action {
  return new Action(bulkOf(items.map(({ command }) => command)), items[0].wallet, items)
}
