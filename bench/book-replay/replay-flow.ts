import { priceIndexMax } from '../../engine/matching/price-grid.js'
import { kindMask, MessageKind, type ReplayFile } from './replay-file.js'

/** Order ids below this are handles as they are: a book keeps four bytes per handle. */
const handlesDirect = 1 << 24

/**
 * A file in the terms of a book, made before any clock runs: what the core does for its matchers,
 * which never see an order id or a price as text either.
 */
export interface ReplayFlow {
  readonly file: ReplayFile
  /** The order of each message: its id, or its id's number in the file where ids are great. */
  readonly handles: Int32Array
  /** One more than the greatest handle. */
  readonly handleCount: number
  /** Place of each price on the book's grid, 1 to `priceIndexMax`; 0 for a cancel. */
  readonly priceIndexes: Int32Array
  /** Order id of a handle. */
  orderIdOf(handle: number): number
  /** Price in ticks at an index. */
  tickOf(priceIndex: number): number
  /** New orders, and at least 1: more cannot rest. */
  readonly ordersMax: number
  /** Whether an order id is given to more than one of them. */
  readonly reusesIds: boolean
}

/** @throws Error when the file has more different prices than the grid. */
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
 * Ticks are whole numbers of any kind, the grid is 1 to `priceIndexMax`: prices are counted from
 * the least of the file, or, where they lie too far apart for that, numbered in their order.
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
