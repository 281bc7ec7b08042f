import { chmodSync, closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncPath } from './node-files.js'

const ownersAlone = 0o600

/** Gives a file that cannot be used another name, under which whoever has the machine finds it. @returns that name. */
export function setFileAside(path: string): string {
  const aside = `${path}.aside-${Date.now()}`
  renameSync(path, aside)
  return aside
}

/** Under its name there is all of a text or what was before, whenever the process ends. @returns once it is on disk. */
export function writeWholeFile(path: string, text: string): void {
  const part = `${path}.part`
  const file = openSync(part, 'w', ownersAlone)
  try {
    // Until all of it is: a disk that is nearly full may take a part at a time.
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  // One that somebody has left there keeps its mode.
  chmodSync(part, ownersAlone)
  renameSync(part, path)
  syncPath(dirname(path))
}
