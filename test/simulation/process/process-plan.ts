import type { ClockBounds } from '../../../engine/core/engine-clock.js'
import type { Random } from '../run/random.js'

/** Machines whose clocks are believed only as far as runs of a few minutes show anything. */
export const clockBounds: ClockBounds = { stepMillisMax: 2000, downtimeMillisMax: 8000 }
/** Room for a bulk and the largest configuration. */
export const operatorRingBytes = 1 << 16
/** A batch's orders all fit, by design: this ring never fills up. */
export const orderRingBytes = 1 << 15
/** The least that holds the largest batch twice. */
export const journalRingBytes = 1 << 21

const segmentBytesChoices = [3_000, 12_000, 12_000, 40_000, 1 << 20] as const
const aheadBytesChoices = [0, 4_096, 4_096, 16_384] as const

/** How one process is laid out: drawn anew at each start, since nothing durable may depend on it. */
export type ProcessPlan = Readonly<ReturnType<typeof drawProcessPlan>>

/**
 * @param isMemory whether answers go out without a flush before them.
 * @param hasSmallRings whether rings are made small to fill up.
 */
export function drawProcessPlan(random: Random, isMemory: boolean, hasSmallRings: boolean) {
  return {
    gateways: random.between(1, 3),
    /** Matcher threads; 0: the core runs the one matcher itself. */
    matchers: random.below(4),
    durability: isMemory ? ('memory' as const) : ('flush' as const),
    segmentBytes: random.pick(segmentBytesChoices),
    aheadBytes: random.pick(aheadBytesChoices),
    commandRingBytes: hasSmallRings ? 1 << 13 : 1 << 15,
    resultRingBytes: hasSmallRings ? 1 << 10 : 1 << 15,
    logBytes: hasSmallRings ? 1 << 18 : 1 << 19,
    /** Bytes in the journal ring from which on it counts as full. */
    journalQueueBytesMax: hasSmallRings ? 6_000 : journalRingBytes,
    hasSmallRings,
  }
}
