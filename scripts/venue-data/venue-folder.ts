import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { engineVersions } from '../../engine/core/engine-versions.js'
import { NodeFiles } from '../../engine/journal/node-files.js'
import type { SegmentHeader } from '../../engine/journal/segment-format.js'
import { archiveFolder, SnapshotStore } from '../../engine/journal/snapshot-store.js'
import { KeptSegments } from '../../gateway/read-model/history/kept-segments.js'
import { refuseOldRelease } from '../../gateway/read-model/history/old-release.js'

/** Read-only view of a venue's data on disk. The venue may be running. */
export class VenueFolder {
  readonly dataDir: string
  readonly journalDirectory: string
  /** Segments and snapshots, in the journal's folder or the archive. */
  readonly files: KeptSegments
  readonly store: SnapshotStore
  /** Identity of the venue as text: preset, service and chain. */
  readonly identity: string

  /** @throws Error if there is no journal, or an old release wrote it. */
  constructor(dataDir: string) {
    this.dataDir = dataDir
    this.journalDirectory = join(dataDir, 'journal')
    if (!existsSync(this.journalDirectory)) {
      const place = resolve(this.journalDirectory)
      throw new Error(`no journal at ${place}; set the data folder with --data-dir`)
    }
    refuseOldRelease(dataDir)
    this.files = new KeptSegments(new NodeFiles(this.journalDirectory))
    this.identity = this.headers().at(-1)?.identity ?? ''
    this.store = new SnapshotStore(this.files, engineVersions, this.identity)
  }

  /** Returns the headers of the stored segments in order, without damaged ones. */
  headers(): readonly SegmentHeader[] {
    return this.files
      .numbers()
      .map((number) => this.files.headerOf(number))
      .filter((header) => header !== null)
  }

  /** Returns the index in `files.numbers()` of the last segment that begins at or before the batch; -1: none. */
  placeOfBatch(batchNumber: number): number {
    const begins = (number: number) =>
      this.files.headerOf(number)?.firstBatchNumber ?? Number.POSITIVE_INFINITY
    return this.files.numbers().findLastIndex((number) => begins(number) <= batchNumber)
  }

  /** Returns the path of a segment or snapshot from the data folder. */
  placeOf(name: string): string {
    const isArchived = !existsSync(join(this.journalDirectory, name))
    return join('journal', isArchived ? archiveFolder : '', name)
  }

  /** Process id in the folder's lock file; null if there is no lock. The process may have ended. */
  get holder(): number | null {
    const lock = readdirSync(this.dataDir).map((name) => /^lock-(\d+)-.*\.sock$/.exec(name))
    const found = lock.find((match) => match !== null)
    return found === undefined ? null : Number(found[1])
  }
}
