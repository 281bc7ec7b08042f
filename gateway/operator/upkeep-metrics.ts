import { statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CounterName, type Counters } from '../../engine/memory/counters.js'
import { type ExchangeMemory, flagWords, wakeupOf } from '../../engine/memory/exchange-memory.js'
import { steadyMillis } from '../../engine/memory/steady-clock.js'
import { degradableParts } from '../../schemas/domain.js'
import type { VenueHealth } from '../read-model/views/venue-health.js'
import { alone, type Metric, metric, type Sample } from './metric-text.js'

/** Name and help of the metric of readiness. */
export const readyMetric = ['ready', '1 while the venue takes orders'] as const
/** File of the data folder whose time is that of the latest backup. */
export const backupNote = 'last-backup'

/** Sources of the metrics of upkeep. */
export interface UpkeepSource {
  readonly dataDir: string
  /** End of the certificate that the public port shows, milliseconds since 1970; null: it shows none. */
  readonly certificateEndMillis: number | null
  readonly health: Pick<VenueHealth, 'ages' | 'degradations'>
}

/** Metrics of readiness, feeds, snapshots, disk, backup and certificate. */
export function upkeepMetrics(
  { flags }: ExchangeMemory,
  counters: Counters,
  source: UpkeepSource,
): readonly Metric[] {
  return [
    ...healthMetrics(new Int32Array(flags), source.health),
    ...snapshotMetrics(counters),
    ...folderMetrics(source),
  ]
}

function healthMetrics(flags: Int32Array, health: UpkeepSource['health']): readonly Metric[] {
  const isRaised = (word: number) => Atomics.load(flags, word) !== 0
  const isReady = () =>
    isRaised(flagWords.ready) && !isRaised(flagWords.draining) && !isRaised(flagWords.failed)
  const agesOf = (kind: 'indexMillis' | 'surfaceMillis') => () =>
    health.ages().flatMap(({ underlying, [kind]: millis }): Sample[] => {
      return millis === null ? [] : [[`{underlying="${underlying}"}`, millis / 1000]]
    })
  return [
    metric(...readyMetric, () => alone(isReady() ? 1 : 0)),
    metric('degraded', '1 for each part that the venue trades without', () => {
      const parts = new Set(health.degradations().map(({ part }) => part))
      return degradableParts.map((part) => [`{part="${part}"}`, parts.has(part) ? 1 : 0])
    }),
    sparse('index_age_seconds', 'Age of the index price', agesOf('indexMillis')),
    sparse('surface_age_seconds', 'Age of the latest volatility surface', agesOf('surfaceMillis')),
  ]
}

function snapshotMetrics(counters: Counters): readonly Metric[] {
  const read = (name: CounterName) => counters.read(wakeupOf.snapshot, name)
  return [
    sparse('snapshot_age_seconds', 'Time since the latest snapshot, or since the start', () => {
      const millis = read(CounterName.SnapshotMillis)
      return millis === 0 ? [] : alone((steadyMillis() - millis) / 1000)
    }),
    metric('snapshot_lag_batches', 'Batches after the latest snapshot', () => {
      const written = counters.read(wakeupOf.core, CounterName.BatchNumber)
      return alone(Math.max(0, written - read(CounterName.SnapshotBatchNumber)))
    }),
    metric('snapshot_seconds_total', 'Time spent on writing snapshots', () =>
      alone(read(CounterName.SnapshotNanos) / 1e9),
    ),
  ]
}

function folderMetrics({ dataDir, certificateEndMillis }: UpkeepSource): readonly Metric[] {
  return [
    metric('disk_free_bytes', 'Free on the file system of the data folder', () =>
      alone(diskOf(dataDir).free),
    ),
    metric('disk_size_bytes', 'Size of the file system of the data folder', () =>
      alone(diskOf(dataDir).size),
    ),
    sparse('backup_timestamp_seconds', 'Latest backup; absent: none was taken', () => {
      const note = statSync(join(dataDir, backupNote), { throwIfNoEntry: false })
      return note === undefined ? [] : alone(note.mtimeMs / 1000)
    }),
    sparse('certificate_expiry_timestamp_seconds', 'End of the TLS certificate', () =>
      certificateEndMillis === null ? [] : alone(certificateEndMillis / 1000),
    ),
  ]
}

/** Returns a metric that is left out without samples. */
function sparse(name: string, help: string, samples: Metric['samples']): Metric {
  return { name, help, samples, isLeftOut: true }
}

function diskOf(dataDir: string): { readonly free: number; readonly size: number } {
  const { bavail, blocks, bsize } = statfsSync(dataDir)
  return { free: bavail * bsize, size: blocks * bsize }
}
