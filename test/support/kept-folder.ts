import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { engineVersions } from '../../engine/core/engine-versions.js'
import {
  type EngineVersion,
  type EngineVersions,
  versionOf,
} from '../../engine/journal/engine-versions.js'
import { NodeFiles } from '../../engine/journal/node-files.js'
import { archiveFolder, snapshotFormatVersion } from '../../engine/journal/snapshot-store.js'
import { expectedOf, type FolderKind, unpackFolder } from './folder-fixture.js'
import { MemoryFiles } from './memory-files.js'
import { projectPath } from './project.js'

const foldersRoot = projectPath('test/vectors/folders')
const engineOf = (name: string) => Number(name.replace('engine-', ''))
const [newest] = readdirSync(foldersRoot).sort((a, b) => engineOf(b) - engineOf(a))
/** Path of the folders of the newest engine version that has some. */
export const folderRoot = join(foldersRoot, newest!)

/** Returns a kept folder in memory, for tests that open, damage and compare it. */
export function keptFolder(kind: FolderKind): MemoryFiles {
  const directory = mkdtempSync(join(tmpdir(), 'strikebook-kept-'))
  try {
    unpackFolder(folderRoot, kind, directory)
    const disk = new NodeFiles(directory)
    const files = new MemoryFiles()
    for (const name of disk.list('')) files.files.set(name, disk.read(name))
    for (const name of disk.list(archiveFolder)) {
      files.files.set(`${archiveFolder}/${name}`, disk.read(`${archiveFolder}/${name}`))
    }
    return files
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** Engine version that wrote the folder, and a later one. */
export const writer = versionOf(engineVersions, expectedOf(folderRoot).engineVersion)!
export const later: EngineVersion = {
  engine: writer.engine + 1,
  release: 'later',
  snapshotFormat: snapshotFormatVersion,
  isReplayable: true,
}

/** Engine versions if the later engine has other rules. */
export const otherRules: EngineVersions = [{ ...writer, isReplayable: false }, later]
/** Engine versions if the later engine has the same rules. */
export const sameRules: EngineVersions = [writer, later]
