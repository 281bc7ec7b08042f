import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FolderKind, unpackFolder } from './folder-fixture.js'
import { folderRoot } from './kept-folder.js'

/** Kept folder as the data of a venue on disk, removed by `dispose`. */
export class KeptData {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'strikebook-data-'))

  constructor(kind: FolderKind) {
    unpackFolder(folderRoot, kind, join(this.dataDir, 'journal'))
  }

  /** Removes a file that a command has made next to it. */
  disposeOf(path: string): void {
    rmSync(path, { recursive: true, force: true })
  }

  dispose(): void {
    rmSync(this.dataDir, { recursive: true })
  }
}
