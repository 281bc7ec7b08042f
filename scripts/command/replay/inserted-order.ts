import { createHash } from 'node:crypto'
import { InvalidArgumentError } from 'commander'
import { askedByNobody } from '../../../engine/core/accept-loss.js'
import type { Ring } from '../../../engine/memory/ring.js'
import { writeKey } from '../../../gateway/wire/instrument-key.js'
import { parsePriceMicros, parseSizeLots } from '../../../schemas/decimal.js'
import { OrderFlag, Route, routeNames, Side, type Tif, tifNames } from '../../../schemas/domain.js'
import { CommandType, PlaceOrderCommand } from '../../../schemas/generated/commands.js'
import {
  type InstrumentSymbol,
  parsePerpSymbol,
  parseSymbol,
  perpOf,
} from '../../../schemas/symbol.js'
import { parseAddress } from '../../../schemas/wallet.js'

/** An order that nobody sent, checked. */
export interface OrderText {
  readonly text: string
  readonly wallet: Uint8Array
  readonly key: InstrumentSymbol
  readonly side: Side
  readonly priceMicros: number
  readonly sizeLots: number
  readonly tif: Tif
  readonly route: Route
  readonly reduceOnly: boolean
}

const known = ['wallet', 'symbol', 'side', 'price', 'size', 'tif', 'route', 'reduce_only']
const place = new PlaceOrderCommand()
const microsPerMilli = 1000
const nonceHalf = 2 ** 32

/** Reads an order as JSON, with the names that POST /order has. @throws InvalidArgumentError */
export function readOrder(text: string): OrderText {
  const order = parsed(text)
  const wallet = parseAddress(String(order['wallet']))
  if (wallet === null) throw new InvalidArgumentError('wallet: an address')
  const tif = tifNames.indexOf((order['tif'] ?? 'gtc') as never)
  if (tif < 0) throw new InvalidArgumentError(`tif: ${tifNames.join(', ')}`)
  const route = routeNames.indexOf((order['route'] ?? routeNames[Route.BookOnly]) as never)
  if (route < 0) throw new InvalidArgumentError(`route: ${routeNames.join(', ')}`)
  if (order['side'] !== 'Buy' && order['side'] !== 'Sell') {
    throw new InvalidArgumentError('side: Buy or Sell')
  }
  return {
    ...{ text, wallet, key: keyOf(String(order['symbol'])) },
    side: order['side'] === 'Buy' ? Side.Buy : Side.Sell,
    priceMicros: amountOf('price', parsePriceMicros(String(order['price']))),
    sizeLots: amountOf('size', parseSizeLots(String(order['size']))),
    ...{ tif: tif as Tif, route: route as Route, reduceOnly: order['reduce_only'] === true },
  }
}

/** Writes it as a command that its wallet has signed, with a nonce of the time. */
export function insertedOrder(
  ring: Ring,
  order: OrderText,
  timeMillis: number,
  index: number,
): void {
  if (!place.claim(ring, CommandType.PlaceOrder)) throw new Error('no room for an order')
  askedByNobody(place)
  place.u8.set(order.wallet, place.walletAt)
  place.u8.set(order.wallet, place.signerAt)
  const nonce = timeMillis * microsPerMilli + index
  place.nonceHigh = Math.floor(nonce / nonceHalf)
  place.nonceLow = (nonce % nonceHalf) | 0
  place.u8.set(createHash('sha256').update(`${index} ${order.text}`).digest(), place.digestAt)
  writeKey(place.key, order.key)
  place.priceMicros = order.priceMicros
  place.sizeLots = order.sizeLots
  place.side = order.side
  place.tif = order.tif
  place.route = order.route
  place.flags = order.reduceOnly ? OrderFlag.ReduceOnly : 0
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  let order: unknown
  try {
    order = JSON.parse(text)
  } catch {
    throw new InvalidArgumentError('an order as JSON')
  }
  if (typeof order !== 'object' || order === null) throw new InvalidArgumentError('an object')
  const unknown = Object.keys(order).find((name) => !known.includes(name))
  if (unknown !== undefined) throw new InvalidArgumentError(`no ${unknown}: ${known.join(', ')}`)
  return order as Readonly<Record<string, unknown>>
}

function keyOf(symbol: string): InstrumentSymbol {
  const underlying = parsePerpSymbol(symbol)
  if (underlying !== null) return perpOf(underlying)
  const key = parseSymbol(symbol)
  if (typeof key === 'string') throw new InvalidArgumentError(`symbol: ${key}`)
  return key
}

function amountOf(name: string, amount: number): number {
  if (amount > 0) return amount
  throw new InvalidArgumentError(`${name}: a decimal above 0, with as many digits as it may have`)
}
