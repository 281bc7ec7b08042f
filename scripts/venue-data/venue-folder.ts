import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { engineVersions } from '../../engine/core/engine-versions.js'
import { NodeFiles } from '../../engine/journal/node-files.js'
import type { SegmentHeader } from '../../engine/journal/segment-format.js'
import { archiveFolder, SnapshotStore } from '../../engine/journal/snapshot-store.js'
import { KeptSegments } from '../../gateway/read-model/history/kept-segments.js'
import { refuseOldRelease } from '../../gateway/read-model/history/old-release.js'

/** A venue's data as it stands on the disk, of one that runs or has ended. Nothing is written. */
export class VenueFolder {
  readonly dataDir: string
  readonly journalDirectory: string
  /** Segments and snapshots, in the journal's folder or the archive. */
  readonly files: KeptSegments
  readonly store: SnapshotStore
  /** Whose it is: preset, service and chain in words. */
  readonly identity: string

  /** @throws Error when there is no journal, or one of an old release. */
  constructor(dataDir: string) {
    this.dataDir = dataDir
    this.journalDirectory = join(dataDir, 'journal')
    if (!existsSync(this.journalDirectory)) {
      const place = resolve(this.journalDirectory)
      throw new Error(`no journal at ${place}: --data-dir names the folder of a venue's data`)
    }
    refuseOldRelease(dataDir)
    this.files = new KeptSegments(new NodeFiles(this.journalDirectory))
    this.identity = this.headers().at(-1)?.identity ?? ''
    this.store = new SnapshotStore(this.files, engineVersions, this.identity)
  }

  /** Headers of the segments that are kept, in order; those that are not sound are left out. */
  headers(): readonly SegmentHeader[] {
    return this.files
      .numbers()
      .map((number) => this.files.headerOf(number))
      .filter((header) => header !== null)
  }

  /** Place among the numbers of segments of the last one that begins with the batch or before it; -1: none does. */
  placeOfBatch(batchNumber: number): number {
    const begins = (number: number) =>
      this.files.headerOf(number)?.firstBatchNumber ?? Number.POSITIVE_INFINITY
    return this.files.numbers().findLastIndex((number) => begins(number) <= batchNumber)
  }

  /** Path of a segment or snapshot, from the data folder. */
  placeOf(name: string): string {
    const isArchived = !existsSync(join(this.journalDirectory, name))
    return join('journal', isArchived ? archiveFolder : '', name)
  }

  /** Process that has the folder, as its lock names it; null when none seems to. It may be gone. */
  get holder(): number | null {
    const lock = readdirSync(this.dataDir).map((name) => /^lock-(\d+)-.*\.sock$/.exec(name))
    const found = lock.find((match) => match !== null)
    return found === undefined ? null : Number(found[1])
  }
}
