import type { EngineVersions } from '../journal/engine-versions.js'
import { snapshotFormatVersion } from '../journal/snapshot-store.js'
import { engineVersion } from '../state/engine-version.js'

/**
 * Engine versions whose data a start accepts, oldest first. The last is this engine, with the release of the package.
 */
export const engineVersions: EngineVersions = [
  {
    engine: engineVersion,
    release: '1.0.0',
    snapshotFormat: snapshotFormatVersion,
    isReplayable: true,
  },
]
