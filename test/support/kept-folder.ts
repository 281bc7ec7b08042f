import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { engineVersions } from '../../engine/core/engine-versions.js'
import type { EngineVersions } from '../../engine/journal/engine-versions.js'
import { NodeFiles } from '../../engine/journal/node-files.js'
import { archiveFolder } from '../../engine/journal/snapshot-store.js'
import { engineVersion } from '../../engine/state/engine-version.js'
import { MemoryFiles } from '../engine/journal/memory-files.js'
import { type FolderKind, unpackFolder } from './folder-fixture.js'
import { projectPath } from './project.js'

/** Where the folders of the engine version before this one are kept. */
export const folderRoot = projectPath(`test/vectors/folders/engine-${engineVersion - 1}`)

/** A kept folder in memory, to be opened, damaged and compared. */
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

/** This engine, if the rules of all before it were others. */
export const otherRules: EngineVersions = changed(false)
/** This engine, if the rules of all before it were the same. */
export const sameRules: EngineVersions = changed(true)

function changed(isReplayable: boolean): EngineVersions {
  const own = engineVersions[engineVersions.length - 1]!
  const earlier = engineVersions.slice(0, -1).map((version) => ({ ...version, isReplayable }))
  return [...earlier, own] as unknown as EngineVersions
}
