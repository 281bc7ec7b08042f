import { lotsPerContract } from '../../../schemas/bounds.js'
import {
  cancelByClientIdBytes,
  cancelClientIdAt,
  cancelClientIdBytesAt,
  cancelOrderBytes,
  cancelOrderIdAt,
  keyRightAt,
  placeBuilderAt,
  placeClientIdAt,
  placeClientIdBytesAt,
  placeFlagsAt,
  placeKeyAt,
  placeOldOrderIdAt,
  placeOrderBytes,
  placePriceMicrosAt,
  placeSideAt,
  placeSizeLotsAt,
  placeTifAt,
} from '../../../schemas/commands.js'
import { OrderFlag, Right, Side, Tif } from '../../../schemas/domain.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import type { Random } from '../random.js'
import { Action } from './action.js'
import { bulkOf, CommandRecord } from './command-record.js'
import { addressOf, instrumentPlans, perpPlans, poorWallet, smallWallets } from './market-plan.js'
import type { TradingDesk } from './trading-desk.js'

const sizesLots = [1e8, 5e7, 1e7, 1e7, 1e6, 2.25e8, 4e9] as const
const tifs = [Tif.Gtc, Tif.Gtc, Tif.Gtc, Tif.Gtc, Tif.Ioc, Tif.Fok, Tif.Alo] as const
/** What 12,000 USD, and four times that, bear at a tenth of an index of 100,000. */
/** Contracts of a million at the highest are exact up to 4,503 of them, and a few more orders. */
const largeLots = [1e10, 2e10, 1e11, 4.5e11, 1e13] as const
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
  const record = new CommandRecord(CommandType.PlaceOrder, placeOrderBytes)
    .setKey(placeKeyAt, next)
    .setF64(placePriceMicrosAt, lowestPriceMicros)
    .setF64(placeSizeLotsAt, lotsPerContract)
    .setI32(placeSideAt, isWriter ? Side.Sell : Side.Buy)
    .setI32(placeTifAt, Tif.Gtc)
  return signed(desk, record, wallet)
}

/**
 * Wallets with little take as much of a perp as their margin bears, against rich ones: a jump of its index is too much.
 */
export function lever(desk: TradingDesk): Action {
  const { random } = desk
  const isSmall = random.chance(0.5)
  const wallet = isSmall ? random.between(1, smallWallets) : richWallet(random)
  const record = new CommandRecord(CommandType.PlaceOrder, placeOrderBytes)
    .setKey(placeKeyAt, random.pick(perpPlans))
    .setF64(placeSizeLotsAt, random.pick(leveredLots))
    .setI32(placeSideAt, isSmall === desk.isRising ? Side.Buy : Side.Sell)
    .setI32(placeTifAt, Tif.Gtc)
  record.setF64(placePriceMicrosAt, Math.round(desk.lastShare * perpStepsAtIndex) * perpStepMicros)
  return signed(desk, record, wallet)
}

export function replaceOrder(desk: TradingDesk): Action {
  if (!desk.knowsOrders) return placeOrder(desk)
  const { orderId, wallet, key } = desk.order()
  const action = maybeBuilt(desk, orderAction(desk, CommandType.ReplaceOrder, wallet, orderId))
  if (key === null || desk.random.below(10) === 0) return action
  action.record.u8.set(key, placeKeyAt)
  action.record.setF64(placePriceMicrosAt, priceMicros(desk, action.record))
  return action
}

export function cancelOrder(desk: TradingDesk): Action {
  if (!desk.knowsOrders) return placeOrder(desk)
  const { orderId, wallet } = desk.order()
  return cancelAction(desk, wallet, orderId)
}

export function cancelByClientId(desk: TradingDesk): Action {
  const record = new CommandRecord(CommandType.CancelByClientId, cancelByClientIdBytes)
  record.setClientId(cancelClientIdBytesAt, cancelClientIdAt, `c${desk.random.below(5)}`)
  return signed(desk, record, desk.wallet())
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
  const items: Action[] = []
  for (let i = 0; i < bulkItems; i++) {
    const item = orderAction(desk, CommandType.PlaceOrder, wallet, 0)
    item.record
      .setKey(placeKeyAt, instrumentPlans[0])
      .setF64(placePriceMicrosAt, ladderPriceMicros + (side === Side.Buy ? -priceStepMicros : 0))
      .setF64(placeSizeLotsAt, ladderSizeLots)
      .setI32(placeSideAt, side)
      .setI32(placeTifAt, Tif.Gtc)
      .setI32(placeFlagsAt, 0)
    items.push(item)
  }
  return bulkAction(items)
}

/** One order through everything that ladders have put up. */
export function sweep(desk: TradingDesk): Action {
  const side = desk.random.pick([Side.Buy, Side.Sell])
  const away = (side === Side.Buy ? 1 : -1) * priceCount * priceStepMicros
  const action = orderAction(desk, CommandType.PlaceOrder, desk.wallet(), 0)
  action.record
    .setKey(placeKeyAt, instrumentPlans[0])
    .setF64(placePriceMicrosAt, ladderPriceMicros + away)
    .setF64(placeSizeLotsAt, ladderSizeLots * desk.random.between(1, 60))
    .setI32(placeSideAt, side)
    .setI32(placeFlagsAt, 0)
  return action
}

/** Another payload under the nonce of an action that was sent before. */
export function conflictingNonce(desk: TradingDesk): Action | null {
  if (desk.sent.length === 0) return null
  const { record, wallet } = desk.random.pick(desk.sent)
  const copy = record.copy()
  copy.u8[64] ^= 1
  return new Action(copy, wallet)
}

function richWallet(random: Random): number {
  return random.between(smallWallets + 1, poorWallet - 1)
}

/** Signs a record for a wallet: by itself, or by an agent that it may have approved. */
export function signed(desk: TradingDesk, record: CommandRecord, wallet: number): Action {
  const signer = desk.random.below(20) === 0 ? desk.agent() : wallet
  const { high, low } = desk.nonce()
  record.setWallet(wallet).sign(signer, high, low, desk.digest())
  return new Action(record, wallet)
}

function orderAction(
  desk: TradingDesk,
  type: typeof CommandType.PlaceOrder | typeof CommandType.ReplaceOrder,
  wallet: number,
  oldOrderId: number,
): Action {
  const { random } = desk
  const record = new CommandRecord(type, placeOrderBytes)
    .setKey(placeKeyAt, desk.instrument())
    .setF64(placeSizeLotsAt, sizeLots(desk, wallet))
    .setI32(placeSideAt, random.chance(0.5) ? Side.Buy : Side.Sell)
    .setI32(placeTifAt, random.pick(tifs))
    .setI32(placeFlagsAt, flagsAtRandom(desk))
    .setF64(placeOldOrderIdAt, oldOrderId)
    .setClientId(placeClientIdBytesAt, placeClientIdAt, desk.clientId())
  record.setF64(placePriceMicrosAt, priceMicros(desk, record))
  return signed(desk, record, wallet)
}

/** At times as much as somebody rich can hold exactly, or more. */
function sizeLots({ isRich, random }: TradingDesk, wallet: number): number {
  const isLarge = isRich && wallet > smallWallets && random.below(3) === 0
  return random.pick(isLarge ? largeLots : sizesLots)
}

/** A price for the order's instrument: of a perp around where its index was last thrown. */
function priceMicros({ isRich, random, lastShare }: TradingDesk, { i32 }: CommandRecord): number {
  if (i32[(placeKeyAt + keyRightAt) >> 2] !== Right.None) {
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
function maybeBuilt(desk: TradingDesk, action: Action): Action {
  if (desk.random.below(8) > 0) return action
  const { record } = action
  record.i32[placeFlagsAt >> 2] |= OrderFlag.HasBuilder
  const builder = desk.random.below(6) === 0 ? action.wallet : desk.agent()
  record.u8.set(addressOf(builder), placeBuilderAt)
  return action
}

function cancelAction(desk: TradingDesk, wallet: number, orderId: number): Action {
  const record = new CommandRecord(CommandType.CancelOrder, cancelOrderBytes)
  return signed(desk, record.setF64(cancelOrderIdAt, orderId), wallet)
}

function again({ record, wallet }: Action): Action {
  return new Action(record.copy(), wallet)
}

/** One request of several orders and cancels. */
export function bulkAction(items: readonly Action[]): Action {
  return new Action(bulkOf(items.map(({ record }) => record)), items[0].wallet, items)
}
