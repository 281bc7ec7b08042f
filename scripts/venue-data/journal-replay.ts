import { engineVersions } from '../../engine/core/engine-versions.js'
import { checkReplayable } from '../../engine/journal/engine-versions.js'
import { JournalDamage } from '../../engine/journal/journal-errors.js'
import { replayChecked } from '../../engine/journal/snapshotter.js'
import { SegmentOrigin } from '../../schemas/record-values.js'
import { FolderEngine } from './folder-engine.js'
import { batchesOf, type FoundBatch } from './journal-scan.js'

/** Replays the journal of a folder, and compares the state hash of each batch with the recorded one. */
export class JournalReplay extends FolderEngine {
  /** Replays up to a batch, or to the end. @returns the number of batches. @throws as `batches`. */
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
   * Replays batch after batch. At each yield, `state` is the state after that batch.
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
  const isAfterLoss = origin !== SegmentOrigin.Next && batch.batchNumber === firstBatchNumber
  if (batch.batchNumber === before + 1 || isAfterLoss) return
  throw new JournalDamage(reader.name, offset, `batch ${batch.batchNumber} after batch ${before}`)
}
