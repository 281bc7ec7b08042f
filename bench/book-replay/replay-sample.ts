import { randomFrom } from './book-flow.js'
import { immediateBit, MessageKind, type ReplayFile, sellBit } from './replay-file.js'

export interface ReplaySample {
  readonly seed: number
  readonly messages: number
  /** Lowest price, and range of the prices above it. */
  readonly tickLeast: number
  readonly tickSpread: number
}

const quantityMax = 100
/** Shares of orders that are cancelled or modified immediately. */
const cancelled = 0.8
const modified = 0.1
const immediate = 0.08

/**
 * Generates messages like those of the yardstick's files: most orders are cancelled immediately, some are modified, and
 * prices vary, so that some orders trade.
 */
export function sampleFile({ seed, messages, tickLeast, tickSpread }: ReplaySample): ReplayFile {
  const random = randomFrom(seed)
  const below = (end: number) => Math.floor(random() * end)
  const kinds = new Uint8Array(messages)
  const quantities = new Uint8Array(messages)
  const orderIds = new Uint32Array(messages)
  const ticks = new Int32Array(messages)
  let orders = 0
  for (let message = 0; message < messages; message++) {
    const chance = orders === 0 ? 1 : random()
    const isNew = orders <= message >> 1 || chance >= cancelled + modified
    const isCancel = !isNew && chance < cancelled
    const sell = isNew ? random() < 0.5 : (kinds[message - 1] & sellBit) !== 0
    // Buys are mostly in the lower half of the range and sells in the upper one. Some cross the middle.
    const lean = random() < 0.95 ? 0.5 : 0.9
    const distance = below(tickSpread * lean)
    kinds[message] = isNew
      ? MessageKind.New | (random() < immediate ? immediateBit : 0)
      : isCancel
        ? MessageKind.Cancel
        : MessageKind.Modify
    if (sell) kinds[message] |= sellBit
    quantities[message] = 1 + below(quantityMax)
    orderIds[message] = isNew ? ++orders : orders
    ticks[message] = tickLeast + (sell ? tickSpread - 1 - distance : distance)
  }
  return { count: messages, kinds, quantities, orderIds, ticks }
}
