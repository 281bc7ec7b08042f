import { hashText } from '../../engine/memory/state-hash.js'
import { JournalReplay } from './journal-replay.js'
import { countsOf } from './state-tables.js'
import type { VenueFolder } from './venue-folder.js'

/** End of a folder's journal, and the state there. */
export interface ProvenEnd {
  readonly lastBatch: number
  readonly lastSeq: number
  readonly timeMillis: number
  readonly stateHash: string
  readonly counts: Readonly<Record<string, number>>
}

/**
 * Recovers as a start does: loads the newest snapshot, replays every batch after it, and compares each hash.
 * @throws JournalDamage, JournalRefusal, ReplayDivergence
 */
export function provenEnd(folder: VenueFolder): ProvenEnd {
  const replay = new JournalReplay(folder, Number.POSITIVE_INFINITY)
  replay.to()
  const { batchNumber, hash, nowMillis, sink } = replay.state
  const stateHash = hashText(hash.low, hash.high)
  const counts = countsOf(replay.state)
  return { lastBatch: batchNumber, lastSeq: sink.seq, timeMillis: nowMillis, stateHash, counts }
}
