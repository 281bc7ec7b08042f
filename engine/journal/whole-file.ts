import { chmodSync, closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncPath } from './node-files.js'

const ownerOnly = 0o600

/** Renames a file that cannot be used, and leaves it for the operator. @returns the new name. */
export function setFileAside(path: string): string {
  const aside = `${path}.aside-${Date.now()}`
  renameSync(path, aside)
  return aside
}

/**
 * Writes a file atomically: a crash leaves either the complete new text or the old file. Returns once it is durable.
 */
export function writeWholeFile(path: string, text: string): void {
  const part = `${path}.part`
  const file = openSync(part, 'w', ownerOnly)
  try {
    // Writes everything: a nearly full disk may accept only a part at a time.
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  // A leftover file keeps its mode, so set it.
  chmodSync(part, ownerOnly)
  renameSync(part, path)
  syncPath(dirname(path))
}
