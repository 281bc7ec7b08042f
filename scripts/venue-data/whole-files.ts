import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { syncPath } from '../../engine/journal/node-files.js'
import { errorOf } from '../../engine/threads/error-of.js'

/** A file of a copy, as it was when it was whole. */
export interface CopiedFile {
  /** From the folder of the copy. */
  readonly file: string
  readonly bytes: number
  readonly sha256: string
}

const chunkBytes = 1 << 20
const ownerOnly = 0o600
const ownersFolder = 0o700

/**
 * Copies a file, its owner's alone, and flushes it.
 * @param bytesMax of a file that grows, how much of it is wanted.
 * @throws Error when the target exists.
 */
export function copyWhole(
  source: string,
  folder: string,
  file: string,
  bytesMax = Number.POSITIVE_INFINITY,
): CopiedFile {
  const target = join(folder, file)
  makeFolders(dirname(target))
  const from = openSync(source, 'r')
  try {
    const to = openSync(target, 'wx', ownerOnly)
    try {
      const facts = pump(from, bytesMax, (piece) => writeSync(to, piece))
      fsyncSync(to)
      return { file, ...facts }
    } catch (error) {
      throw new Error(`${target}: ${errorOf(error).message}`, { cause: error })
    } finally {
      closeSync(to)
    }
  } finally {
    closeSync(from)
  }
}

/** Length and hash of a file. */
export function factsOf(folder: string, file: string): CopiedFile {
  const from = openSync(join(folder, file), 'r')
  try {
    return { file, ...pump(from, Number.POSITIVE_INFINITY, () => {}) }
  } finally {
    closeSync(from)
  }
}

/** Flushes the names in a folder and below. */
export function syncFolders(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) syncPath(join(entry.parentPath, entry.name))
  }
  syncPath(folder)
}

/** Whether there is nothing at a path, or an empty folder. @throws Error when there is something else. */
export function isVacant(path: string): boolean {
  if (!existsSync(path)) return true
  if (!statSync(path).isDirectory()) throw new Error(`${path} is no folder`)
  return readdirSync(path).length === 0
}

/**
 * Makes a folder, its owner's alone, with those above it. Node's own way to do that goes on for ever where a file system
 * takes no folders and says that there is none above, as /proc does.
 * @returns the topmost one that was made; null: the folder was there.
 */
export function makeFolders(path: string): string | null {
  if (existsSync(path)) return null
  const above = makeFolders(dirname(path))
  try {
    mkdirSync(path, { mode: ownersFolder })
  } catch (error) {
    throw new Error(`the folder ${path} cannot be made: ${errorOf(error).message}`, {
      cause: error,
    })
  }
  return above ?? path
}

/**
 * Has a folder filled that was empty. What fails leaves nothing of it behind.
 * @param made the topmost folder that was made for it; null: it was there.
 */
export async function filled<T>(
  path: string,
  made: string | null,
  fill: () => T | Promise<T>,
): Promise<T> {
  try {
    return await fill()
  } catch (error) {
    const own = made === null ? readdirSync(path).map((name) => join(path, name)) : [made]
    for (const one of own) rmSync(one, { recursive: true, force: true })
    throw error
  }
}

function pump(from: number, bytesMax: number, take: (piece: Uint8Array) => void) {
  const hash = createHash('sha256')
  const chunk = new Uint8Array(chunkBytes)
  let bytes = 0
  while (bytes < bytesMax) {
    const count = readSync(from, chunk, 0, Math.min(chunkBytes, bytesMax - bytes), bytes)
    if (count === 0) break
    const piece = chunk.subarray(0, count)
    hash.update(piece)
    take(piece)
    bytes += count
  }
  return { bytes, sha256: hash.digest('hex') }
}
