import { priceIndexMax } from '../../engine/matching/price-grid.js'
import { kindMask, MessageKind, type ReplayFile } from './replay-file.js'

/** Maximum order id, exclusive, for which ids are used as handles. A book uses four bytes per handle. */
const handlesDirect = 1 << 24

/**
 * File converted to handles and price indexes before the clock starts. In production the core does this for its matchers,
 * which never see order ids or prices as text.
 */
export interface ReplayFlow {
  readonly file: ReplayFile
  /** Handle of each message's order: its id, or the number of its id in the file if ids are large. */
  readonly handles: Int32Array
  /** Greatest handle + 1. */
  readonly handleCount: number
  /** Price index of each message, 1 to `priceIndexMax`; 0 for a cancel. */
  readonly priceIndexes: Int32Array
  /** Returns the order id of a handle. */
  orderIdOf(handle: number): number
  /** Returns the price in ticks of an index. */
  tickOf(priceIndex: number): number
  /** Number of new orders, at least 1, which bounds the resting orders. */
  readonly ordersMax: number
  /** True if several new orders have the same id. */
  readonly reusesIds: boolean
}

/** @throws Error if the file has more distinct prices than the price grid. */
export function flowOf(file: ReplayFile): ReplayFlow {
  return { file, ...handlesOf(file), ...pricesOf(file), ...ordersOf(file) }
}

function handlesOf({ count, orderIds }: ReplayFile) {
  let idMax = 0
  for (let message = 0; message < count; message++) idMax = Math.max(idMax, orderIds[message])
  if (idMax < handlesDirect) {
    const orderIdOf = (handle: number) => handle
    return { handles: Int32Array.from(orderIds), handleCount: idMax + 1, orderIdOf }
  }
  const handleOf = new Map<number, number>()
  const handles = new Int32Array(count)
  for (let message = 0; message < count; message++) {
    const orderId = orderIds[message]
    const handle = handleOf.get(orderId) ?? handleOf.size
    handleOf.set(orderId, handle)
    handles[message] = handle
  }
  const ids = Uint32Array.from(handleOf.keys())
  return { handles, handleCount: ids.length, orderIdOf: (handle: number) => ids[handle] }
}

/**
 * Maps ticks, which are any integers, to indexes from 1 to `priceIndexMax`. Indexes count from the lowest price of the
 * file. If the range is too large, the distinct prices are numbered in order.
 */
function pricesOf(file: ReplayFile) {
  const ticks = file.ticks.filter((_, message) => hasPrice(file, message)).sort()
  const least = ticks[0] ?? 0
  const greatest = ticks[ticks.length - 1] ?? 0
  if (greatest - least < priceIndexMax) {
    const indexOf = (tick: number) => tick - least + 1
    return { priceIndexes: indexesOf(file, indexOf), tickOf: (index: number) => index + least - 1 }
  }
  const distinct = ticks.filter((tick, place) => place === 0 || tick !== ticks[place - 1])
  if (distinct.length > priceIndexMax) {
    throw new Error(`${distinct.length} different prices; a book has room for ${priceIndexMax}`)
  }
  const indexes = new Map<number, number>()
  for (const tick of distinct) indexes.set(tick, indexes.size + 1)
  const indexOf = (tick: number) => indexes.get(tick) ?? 0
  return { priceIndexes: indexesOf(file, indexOf), tickOf: (index: number) => distinct[index - 1] }
}

function indexesOf(file: ReplayFile, indexOf: (tick: number) => number): Int32Array {
  return file.ticks.map((tick, message) => (hasPrice(file, message) ? indexOf(tick) : 0))
}

function hasPrice({ kinds }: ReplayFile, message: number): boolean {
  return (kinds[message] & kindMask) !== MessageKind.Cancel
}

function ordersOf({ count, kinds, orderIds }: ReplayFile) {
  const seen = new Set<number>()
  let ordersMax = 0
  for (let message = 0; message < count; message++) {
    if ((kinds[message] & kindMask) !== MessageKind.New) continue
    ordersMax++
    seen.add(orderIds[message])
  }
  return { ordersMax: Math.max(1, ordersMax), reusesIds: seen.size < ordersMax }
}
