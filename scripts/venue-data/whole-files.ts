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

/** File of a copy, with the length and hash of the complete file. */
export interface CopiedFile {
  /** Path from the folder of the copy. */
  readonly file: string
  readonly bytes: number
  readonly sha256: string
}

const chunkBytes = 1 << 20
const ownerOnly = 0o600
const ownersFolder = 0o700
/** Name of the file that claims a folder while it is being filled. */
export const claimName = 'unfinished'
const unlocked = { release: async () => {} }

/**
 * Copies a file with mode 0600, and flushes it.
 * @param bytesMax largest length to copy, for a file that grows.
 * @throws Error if the target exists.
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

/** Writes a file with mode 0600, and flushes it. @throws Error if it exists. */
export function writeWhole(content: string | Uint8Array, folder: string, file: string): CopiedFile {
  writeFileSync(join(folder, file), content, { flag: 'wx', mode: ownerOnly, flush: true })
  return factsOf(folder, file)
}

/**
 * Opens a regular file. @throws Error for a pipe, a device or a folder; the open never blocks on them.
 * @param flags for `open`; the default follows a symbolic link.
 */
function openRegular(path: string, flags = 0): number {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | flags)
  if (fstatSync(file).isFile()) return file
  closeSync(file)
  throw new Error(`${path} is not a regular file`)
}

/** Returns the length and hash of a file. @throws Error for a symbolic link. */
export function factsOf(folder: string, file: string): CopiedFile {
  const from = openRegular(join(folder, file), constants.O_NOFOLLOW)
  try {
    return { file, ...pump(from, Number.POSITIVE_INFINITY, () => {}) }
  } finally {
    closeSync(from)
  }
}

/** Flushes the directory entries of a folder and of all folders below it. */
export function syncFolders(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) syncPath(join(entry.parentPath, entry.name))
  }
  syncPath(folder)
}

/** Returns true if a path does not exist or is an empty folder. @throws Error if it is not a folder. */
export function isVacant(path: string): boolean {
  if (!existsSync(path)) return true
  if (!statSync(path).isDirectory()) throw new Error(`${path} is not a folder`)
  return readdirSync(path).length === 0
}

/**
 * Creates a folder with mode 0700, and its parents. Node's recursive `mkdir` never returns on a file system such as
 * /proc, which reports ENOENT for an existing parent.
 * @returns the created folders, the topmost one first.
 */
export function makeFolders(path: string): readonly string[] {
  if (existsSync(path)) return []
  const above = makeFolders(dirname(path))
  try {
    mkdirSync(path, { mode: ownersFolder })
  } catch (error) {
    // Another process has just created it.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return above
    throw new Error(`the folder ${path} cannot be created: ${errorOf(error).message}`, {
      cause: error,
    })
  }
  return [...above, path]
}

/**
 * Fills a folder that is empty or missing. If several processes try, the first wins. A failure removes everything that
 * `fill` wrote.
 * @param lock also locks the folder while it is filled; its file does not count as content.
 * @throws Error if another process claims the folder, or it is no longer empty.
 */
export async function filled<T>(
  path: string,
  fill: () => T | Promise<T>,
  lock: (path: string) => Promise<{ release(): Promise<void> }> = async () => unlocked,
): Promise<T> {
  const made = makeFolders(path)
  let isFilled = false
  try {
    // The claim is a file, not a socket lock: the file system may lack sockets, and a file shows that a fill crashed.
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

/** Claims the folder. @throws Error if another process was first. */
function claim(path: string): void {
  try {
    closeSync(openSync(join(path, claimName), 'wx', ownerOnly))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new Error(`${path} is in use by another process, or by one that crashed`)
  }
}

async function filledAlone<T>(path: string, fill: () => T | Promise<T>): Promise<T> {
  if (contentOf(path).length > 0) throw new Error(`${path} is no longer empty`)
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

/** Removes the folders that are still empty, the lowest one first. */
function removeEmpty(folders: readonly string[]): void {
  for (const folder of [...folders].reverse()) {
    try {
      rmdirSync(folder)
    } catch {
      return // in use by another process, and so are its parents
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
