import { recoverCore } from '../../../engine/core/core-start.js'
import { engineVersions } from '../../../engine/core/engine-versions.js'
import {
  JournalDamage,
  JournalLoss,
  JournalRefusal,
} from '../../../engine/journal/journal-errors.js'
import { historyEndAt } from '../../../engine/journal/journal-loss.js'
import { segmentName } from '../../../engine/journal/segment-format.js'
import { listSegments } from '../../../engine/journal/segment-reader.js'
import type { EngineConfig } from '../../../engine/state/market/engine-config.js'
import type { BatchHistory } from '../run/batch-history.js'
import type { Random } from '../run/random.js'
import { replayCore } from '../run/replay-core.js'
import { mustHold } from '../run/simulation-errors.js'
import type { Statistics } from '../run/statistics.js'
import { type DamageKind, damageDisk } from './damage.js'
import { differencesOf, expectationOf } from './damage-oracle.js'
import type { VirtualDisk } from './virtual-disk.js'

export interface TrialWorld {
  readonly config: EngineConfig
  readonly history: BatchHistory
  readonly historySeq: number
  /** True if a crash may have taken events that the history store has, without any damage. */
  readonly isMemory: boolean
  /** Last batch that a start from the undamaged disk found. */
  readonly lastBatch: number
  readonly statistics: Statistics
}

/**
 * Damages a copy of the disk and tries to start from it. Recovery must fail with a clear error or cut and report, as
 * the design says, and must never accept damaged data.
 * @returns the damage and its result in words, or null when there was nothing to damage
 */
export function tryDamage(
  good: VirtualDisk,
  kind: DamageKind,
  random: Random,
  world: TrialWorld,
): string | null {
  const damaged = good.copy()
  const damage = damageDisk(damaged, kind, random)
  if (damage === null) return null
  const isChanged = [...good.names.keys()].some(
    (name) => differencesOf(good, damaged, name).length > 0,
  )
  if (!isChanged) return null
  return `${damage}: ${startFrom(good, damaged, damage, world)}`
}

function startFrom(
  good: VirtualDisk,
  damaged: VirtualDisk,
  damage: string,
  world: TrialWorld,
): string {
  const { config, history, historySeq, statistics } = world
  const core = replayCore(config, 1)
  damaged.wholeReads.clear()
  // Recovery cuts what it reads, so the oracle needs the damage as it was.
  const asDamaged = damaged.copy()
  const expected = () => expectationOf(good, asDamaged, damaged.wholeReads)
  try {
    const { notes } = recoverCore(core, {
      files: damaged,
      versions: engineVersions,
      history: historyEndAt(historySeq),
      onBatch: () => {},
      pause: () => {},
    })
    const { mayStart, lastBatch, cutAt } = expected()
    const { batchNumber, hash } = core.state
    const { seq } = core.state.sink
    mustHold(seq >= historySeq, () => `${damage}: event ${historySeq} is lost in silence`)
    mustHold(mayStart, () => `${damage}: start-up from batch ${batchNumber} is not refused`)
    const wanted = lastBatch < 0 ? world.lastBatch : lastBatch
    mustHold(
      batchNumber === wanted,
      () => `${damage}: batch ${batchNumber}, not ${wanted}, is last`,
    )
    const isKnown = history.hashes.fits(batchNumber, hash)
    mustHold(isKnown, () => `${damage}: another state after batch ${batchNumber}`)
    mustBeReported(good, asDamaged, damaged.wholeReads, damage, notes)
    const isCut = cutAt >= 0 && hasTail(asDamaged, cutAt)
    const isCutPublished = notes.some((note) => note.includes('were cut'))
    mustHold(!isCut || isCutPublished, () => `${damage}: a tail was cut in silence`)
    statistics.add(batchNumber < world.lastBatch ? 'damage cut' : 'damage harmless')
    return batchNumber < world.lastBatch ? 'cut' : 'harmless'
  } catch (error) {
    if (!(error instanceof JournalDamage || error instanceof JournalRefusal)) throw error
    const isLost = world.isMemory || expected().lastBatch >= 0
    const isLoss = error instanceof JournalLoss && isLost
    mustHold(isLoss || expected().mayRefuse, () => `${damage}: refused: ${error.message}`)
    const isClear = /segment|snapshot/.test(error.message)
    mustHold(isClear, () => `${damage}: the refusal says nothing of files: ${error.message}`)
    statistics.add('damage refused')
    return 'refused'
  }
}

/** True if the newest segment has anything after this byte. */
function hasTail(disk: VirtualDisk, cutAt: number): boolean {
  const name = segmentName(listSegments(disk).at(-1) ?? 0)
  return disk
    .fileOf(name)
    .cached.bytes.subarray(cutAt)
    .some((byte) => byte !== 0)
}

/** Checks that a note names each damaged snapshot that was read. */
function mustBeReported(
  good: VirtualDisk,
  damaged: VirtualDisk,
  wholeReads: ReadonlySet<string>,
  damage: string,
  notes: readonly string[],
): void {
  for (const name of wholeReads) {
    if (!name.startsWith('snapshot-') || differencesOf(good, damaged, name).length === 0) continue
    mustHold(
      notes.some((note) => note.includes(name)),
      () => `${damage}: passed over in silence`,
    )
  }
}
