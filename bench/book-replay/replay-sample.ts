import { randomFrom } from './book-flow.js'
import { immediateBit, MessageKind, type ReplayFile, sellBit } from './replay-file.js'

export interface ReplaySample {
  readonly seed: number
  readonly messages: number
  /** Lowest price, and how far the others reach. */
  readonly tickLeast: number
  readonly tickSpread: number
}

const quantityMax = 100
/** Parts of the messages after which an order is cancelled or modified at once. */
const cancelled = 0.8
const modified = 0.1
const immediate = 0.08

/**
 * Messages of the kind that the yardstick's files have: most orders are cancelled at once, some
 * modified, and prices swing, so that now and then an order meets others.
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
    // Buys lean to the lower half and sells to the upper one; some reach across.
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
