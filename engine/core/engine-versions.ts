import type { EngineVersions } from '../journal/engine-versions.js'
import { snapshotFormatVersion } from '../journal/snapshot-store.js'
import { engineVersion } from '../state/engine-version.js'

/** What a start may find, oldest first: the last one is this engine, and its release that of the package. */
export const engineVersions: EngineVersions = [
  {
    engine: engineVersion,
    release: '0.6.0',
    snapshotFormat: snapshotFormatVersion,
    isReplayable: true,
  },
]
