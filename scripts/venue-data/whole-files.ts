import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { isLockName } from '../../engine/journal/data-lock.js'
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
/** Stands in a folder while it is being filled. */
export const claimName = 'unfinished'
const unlocked = { release: async () => {} }

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
  const from = openRegular(source)
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

/** Writes a file, its owner's alone, and flushes it. @throws Error when it exists. */
export function writeWhole(content: string | Uint8Array, folder: string, file: string): CopiedFile {
  writeFileSync(join(folder, file), content, { flag: 'wx', mode: ownerOnly, flush: true })
  return factsOf(folder, file)
}

/**
 * Opens what bytes can be read of without waiting for anybody: no pipe, no device, no folder.
 * @param flags for `open`; by its default a link is followed.
 */
function openRegular(path: string, flags = 0): number {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | flags)
  if (fstatSync(file).isFile()) return file
  closeSync(file)
  throw new Error(`${path} is no regular file`)
}

/** Length and hash of a file that is none of a link's. */
export function factsOf(folder: string, file: string): CopiedFile {
  const from = openRegular(join(folder, file), constants.O_NOFOLLOW)
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
 * @returns those that were made, the topmost one first.
 */
export function makeFolders(path: string): readonly string[] {
  if (existsSync(path)) return []
  const above = makeFolders(dirname(path))
  try {
    mkdirSync(path, { mode: ownersFolder })
  } catch (error) {
    // Somebody else has made it meanwhile.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return above
    throw new Error(`the folder ${path} cannot be made: ${errorOf(error).message}`, {
      cause: error,
    })
  }
  return [...above, path]
}

/**
 * Has a folder filled that is empty or not there. Of several that want the same one it is the first's alone, and what
 * fails leaves nothing of its own behind.
 * @param lock keeps others off the folder, too; its own file is no content.
 * @throws Error when the folder is somebody else's, or no longer empty.
 */
export async function filled<T>(
  path: string,
  fill: () => T | Promise<T>,
  lock: (path: string) => Promise<{ release(): Promise<void> }> = async () => unlocked,
): Promise<T> {
  const made = makeFolders(path)
  let isFilled = false
  try {
    // A file, not a lock: whoever fills a folder may do so where there are no sockets, and a crash says so there.
    claim(path)
    try {
      const { release } = await lock(path)
      const result = await filledAlone(path, fill).finally(release)
      isFilled = true
      return result
    } finally {
      rmSync(join(path, claimName))
    }
  } finally {
    if (!isFilled) removeEmpty(made)
  }
}

/** @throws Error when somebody has been there first. */
function claim(path: string): void {
  try {
    closeSync(openSync(join(path, claimName), 'wx', ownerOnly))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new Error(`${path} is being filled by another process, or was by one that has crashed`)
  }
}

async function filledAlone<T>(path: string, fill: () => T | Promise<T>): Promise<T> {
  if (contentOf(path).length > 0) throw new Error(`${path} is not empty any more`)
  try {
    return await fill()
  } catch (error) {
    for (const name of contentOf(path)) rmSync(join(path, name), { recursive: true, force: true })
    throw error
  }
}

function contentOf(path: string): readonly string[] {
  return readdirSync(path).filter((name) => name !== claimName && !isLockName(name))
}

/** Removes folders that nobody has put anything into, the lowest one first. */
function removeEmpty(folders: readonly string[]): void {
  for (const folder of [...folders].reverse()) {
    try {
      rmdirSync(folder)
    } catch {
      return // somebody else's by now, with those above it
    }
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
