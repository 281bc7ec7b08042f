import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FolderKind, unpackFolder } from './folder-fixture.js'
import { folderRoot } from './kept-folder.js'

/** A kept folder as the data of a venue on the disk, which `dispose` removes. */
export class KeptData {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'strikebook-data-'))

  constructor(kind: FolderKind) {
    unpackFolder(folderRoot, kind, join(this.dataDir, 'journal'))
  }

  /** Removes what a command has made beside it. */
  disposeOf(path: string): void {
    rmSync(path, { recursive: true, force: true })
  }

  dispose(): void {
    rmSync(this.dataDir, { recursive: true })
  }
}
