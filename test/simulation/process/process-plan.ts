import type { ClockBounds } from '../../../engine/core/engine-clock.js'
import type { Random } from '../run/random.js'

/** Clock limits small enough that runs of a few minutes reach them. */
export const clockBounds: ClockBounds = { stepMillisMax: 2000, downtimeMillisMax: 8000 }
/** Room for a bulk and the largest configuration. */
export const operatorRingBytes = 1 << 16
/** Fits all orders of a batch by design, so this ring never fills up. */
export const orderRingBytes = 1 << 15
/** Smallest size that holds the largest batch twice. */
export const journalRingBytes = 1 << 21

const segmentBytesChoices = [3_000, 12_000, 12_000, 40_000, 1 << 20] as const
const aheadBytesChoices = [0, 4_096, 4_096, 16_384] as const

/** Layout of one process, drawn anew at each start, since nothing durable may depend on it. */
export type ProcessPlan = Readonly<ReturnType<typeof drawProcessPlan>>

/**
 * @param isMemory true if answers go out without a flush before them
 * @param hasSmallRings true if rings are so small that they fill up
 */
export function drawProcessPlan(random: Random, isMemory: boolean, hasSmallRings: boolean) {
  return {
    gateways: random.between(1, 3),
    /** Number of matcher threads; with 0 the core runs the only matcher itself. */
    matchers: random.below(4),
    durability: isMemory ? ('memory' as const) : ('flush' as const),
    segmentBytes: random.pick(segmentBytesChoices),
    aheadBytes: random.pick(aheadBytesChoices),
    commandRingBytes: hasSmallRings ? 1 << 13 : 1 << 15,
    resultRingBytes: hasSmallRings ? 1 << 10 : 1 << 15,
    logBytes: hasSmallRings ? 1 << 18 : 1 << 19,
    /** Bytes in the journal ring from which it counts as full. */
    journalQueueBytesMax: hasSmallRings ? 6_000 : journalRingBytes,
    hasSmallRings,
  }
}
