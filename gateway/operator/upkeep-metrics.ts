import { statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CounterName, type Counters } from '../../engine/memory/counters.js'
import { doorbellOf, type ExchangeMemory, flagWords } from '../../engine/memory/exchange-memory.js'
import { steadyMillis } from '../../engine/memory/steady-clock.js'
import type { VenueHealth } from '../read-model/views/venue-health.js'
import { degradableParts } from '../wire/degraded-parts.js'
import { alone, type Metric, type Sample } from './metric-text.js'

/** File of the data folder whose time is that of the latest backup. */
export const backupNote = 'last-backup'

/** What the upkeep of a venue is measured by. */
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
  const ages = (name: string, help: string, kind: 'indexMillis' | 'surfaceMillis'): Metric => ({
    ...{ name, help, isLeftOut: true },
    samples: () =>
      health.ages().flatMap(({ underlying, [kind]: millis }): Sample[] => {
        return millis === null ? [] : [[`{underlying="${underlying}"}`, millis / 1000]]
      }),
  })
  return [
    {
      ...{ name: 'ready', help: '1 while the venue takes orders' },
      samples: () =>
        alone(
          isRaised(flagWords.ready) && !isRaised(flagWords.draining) && !isRaised(flagWords.failed)
            ? 1
            : 0,
        ),
    },
    {
      ...{ name: 'degraded', help: '1 for each part that the venue trades without' },
      samples: () => {
        const parts = new Set(health.degradations().map(({ part }) => part))
        return degradableParts.map((part) => [`{part="${part}"}`, parts.has(part) ? 1 : 0])
      },
    },
    ages('index_age_seconds', 'Age of the index price', 'indexMillis'),
    ages('surface_age_seconds', 'Age of the latest volatility surface', 'surfaceMillis'),
  ]
}

function snapshotMetrics(counters: Counters): readonly Metric[] {
  const read = (name: CounterName) => counters.read(doorbellOf.snapshot, name)
  return [
    {
      ...{
        name: 'snapshot_age_seconds',
        help: 'Time since the latest snapshot, or since the start',
      },
      isLeftOut: true,
      samples: () => {
        const millis = read(CounterName.SnapshotMillis)
        return millis === 0 ? [] : alone((steadyMillis() - millis) / 1000)
      },
    },
    {
      ...{ name: 'snapshot_lag_batches', help: 'Batches after the latest snapshot' },
      samples: () => {
        const written = counters.read(doorbellOf.core, CounterName.BatchNumber)
        return alone(Math.max(0, written - read(CounterName.SnapshotBatchNumber)))
      },
    },
    {
      ...{ name: 'snapshot_seconds_total', help: 'Time spent on writing snapshots' },
      samples: () => alone(read(CounterName.SnapshotNanos) / 1e9),
    },
  ]
}

function folderMetrics({ dataDir, certificateEndMillis }: UpkeepSource): readonly Metric[] {
  return [
    {
      ...{ name: 'disk_free_bytes', help: 'Free on the file system of the data folder' },
      samples: () => alone(diskOf(dataDir).free),
    },
    {
      ...{ name: 'disk_size_bytes', help: 'Size of the file system of the data folder' },
      samples: () => alone(diskOf(dataDir).size),
    },
    {
      ...{ name: 'backup_timestamp_seconds', help: 'Latest backup; absent: none was taken' },
      isLeftOut: true,
      samples: () => {
        const note = statSync(join(dataDir, backupNote), { throwIfNoEntry: false })
        return note === undefined ? [] : alone(note.mtimeMs / 1000)
      },
    },
    {
      ...{ name: 'certificate_expiry_timestamp_seconds', help: 'End of the TLS certificate' },
      isLeftOut: true,
      samples: () => (certificateEndMillis === null ? [] : alone(certificateEndMillis / 1000)),
    },
  ]
}

function diskOf(dataDir: string): { readonly free: number; readonly size: number } {
  const { bavail, blocks, bsize } = statfsSync(dataDir)
  return { free: bavail * bsize, size: blocks * bsize }
}
