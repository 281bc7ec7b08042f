import { engineVersions } from '../../engine/core/engine-versions.js'
import { checkReplayable } from '../../engine/journal/engine-versions.js'
import { JournalDamage } from '../../engine/journal/journal-errors.js'
import { replayChecked } from '../../engine/journal/snapshotter.js'
import { SegmentOrigin } from '../../schemas/record-values.js'
import { FolderEngine } from './folder-engine.js'
import { batchesOf, type FoundBatch } from './journal-scan.js'

/** An engine that replays what a folder keeps, each batch compared with the hash that it has recorded. */
export class JournalReplay extends FolderEngine {
  /** Replays up to a batch, or to the end. @returns how many batches. @throws as `batches`. */
  to(lastBatch = Number.POSITIVE_INFINITY): number {
    let count = 0
    if (this.state.batchNumber >= lastBatch) return count
    for (const { batch } of this.batches()) {
      count++
      if (batch.batchNumber >= lastBatch) break
    }
    return count
  }

  /**
   * Replays batch after batch, and stands behind the one that it has given.
   * @throws JournalDamage, JournalRefusal, ReplayDivergence
   */
  *batches(): Generator<FoundBatch> {
    for (const found of batchesOf(this.folder, this.state.batchNumber + 1)) {
      if (found.isShutdown) continue
      checkFollows(found, this.state.batchNumber)
      checkReplayable(found.reader.header, engineVersions)
      replayChecked(this.replay, found.batch)
      this.tell()
      yield found
    }
  }
}

function checkFollows({ reader, batch, offset }: FoundBatch, before: number): void {
  const { origin, firstBatchNumber } = reader.header
  const isBehindLoss = origin !== SegmentOrigin.Next && batch.batchNumber === firstBatchNumber
  if (batch.batchNumber === before + 1 || isBehindLoss) return
  throw new JournalDamage(reader.name, offset, `batch ${batch.batchNumber} after batch ${before}`)
}
