import type { EngineVersions } from '../journal/engine-versions.js'
import { snapshotFormatVersion } from '../journal/snapshot-store.js'
import { engineVersion } from '../state/engine-version.js'

/** What a start may find: the last one is this engine, and its release that of the package. */
export const engineVersions: EngineVersions = [
  { engine: 3, release: '0.1.0', snapshotFormat: 4, isReplayable: true },
  { engine: 4, release: '0.2.0', snapshotFormat: 4, isReplayable: true },
  { engine: 5, release: '0.3.0', snapshotFormat: 5, isReplayable: true },
  { engine: 6, release: '0.4.0', snapshotFormat: 6, isReplayable: true },
  { engine: 7, release: '0.5.0', snapshotFormat: 7, isReplayable: true },
  {
    engine: engineVersion,
    release: '0.6.0',
    snapshotFormat: snapshotFormatVersion,
    isReplayable: true,
  },
]
