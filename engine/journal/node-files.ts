import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writevSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { JournalFile, JournalFiles } from './journal-files.js'

/**
 * Minimum time between two checks of a file's path. After each `stat`, Linux records the time of the next write to the
 * nanosecond, which dirties the inode and makes that flush 40 us slower. A deleted file loses everything acknowledged
 * before anyway, so a few more milliseconds do not matter.
 */
export const pathCheckMillis = 5

// An empty file that is already open; `create` renames it.
const aheadName = 'next-file'

/** The real disk, below `root`, which is created if it is missing. */
export class NodeFiles implements JournalFiles {
  readonly #root: string
  readonly #opensAhead: boolean
  readonly #wrap: (file: JournalFile) => JournalFile
  #ahead: number | null = null

  /**
   * @param opensAhead keeps an empty file open, which `create` renames. The only writer of a directory can then
   * continue with its next file even if the process may open no more.
   * @param wrap wraps each file that is opened for writing.
   */
  constructor(
    root: string,
    opensAhead = false,
    wrap: (file: JournalFile) => JournalFile = (file) => file,
  ) {
    this.#root = root
    this.#opensAhead = opensAhead
    this.#wrap = wrap
    makeDirectory(root)
    this.#openAhead()
  }

  list(folder: string): string[] {
    const path = join(this.#root, folder)
    if (!existsSync(path)) return []
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name)
      .filter((name) => name !== aheadName)
      .sort()
  }

  create(name: string): JournalFile {
    const path = join(this.#root, name)
    const ahead = this.#ahead
    if (ahead === null) return this.#file(path, openSync(path, 'wx', 0o600))
    if (existsSync(path)) throw new Error(`EEXIST: ${path} exists already`)
    renameSync(join(this.#root, aheadName), path)
    this.#ahead = null
    return this.#file(path, ahead)
  }

  open(name: string): JournalFile {
    const path = join(this.#root, name)
    return this.#file(path, openSync(path, 'r+'))
  }

  bytesOf(name: string): number {
    return statSync(join(this.#root, name)).size
  }

  read(
    name: string,
    bytesMax = Number.POSITIVE_INFINITY,
    into?: ArrayBuffer,
    from = 0,
  ): Uint8Array {
    const fd = openSync(join(this.#root, name), 'r')
    try {
      const wanted = Math.min(this.bytesOf(name) - from, bytesMax)
      const isReused = into !== undefined && into.byteLength >= wanted
      const bytes = isReused ? new Uint8Array(into, 0, wanted) : new Uint8Array(wanted)
      let length = 0
      while (length < bytes.length) {
        const count = readSync(fd, bytes, length, bytes.length - length, from + length)
        if (count === 0 && isReused) return bytes.subarray(0, length)
        if (count === 0) throw new Error(`${name} became shorter while it was read`)
        length += count
      }
      return bytes
    } finally {
      closeSync(fd)
    }
  }

  rename(source: string, target: string): void {
    renameSync(join(this.#root, source), join(this.#root, target))
  }

  remove(name: string): void {
    rmSync(join(this.#root, name))
  }

  syncDirectory(folder: string): void {
    const path = join(this.#root, folder)
    makeDirectory(path)
    syncPath(path)
    // Called last, when all other files opened on the way are closed again.
    if (folder === '') this.#openAhead()
  }

  #file(path: string, fd: number): JournalFile {
    return this.#wrap(new NodeFile(path, fd))
  }

  #openAhead(): void {
    if (!this.#opensAhead || this.#ahead !== null) return
    try {
      this.#ahead = openSync(join(this.#root, aheadName), 'w', 0o600)
    } catch {
      // `create` then opens the file itself and reports the error.
    }
  }
}

/**
 * Creates a missing folder and its missing parents, for the owner alone regardless of the umask. An existing folder
 * keeps its mode. Flushes the entry of each new folder in its parent, so that it is durable.
 */
export function makeDirectory(path: string): void {
  const folder = resolve(path)
  if (isDirectory(folder)) return
  const parent = dirname(folder)
  // Not mkdir's `recursive`: it loops forever if the file system returns ENOENT for a new folder, as /proc does.
  makeDirectory(parent)
  try {
    mkdirSync(folder, 0o700)
  } catch (error) {
    if (!isDirectory(folder)) throw error
  }
  syncPath(parent)
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Flushes a file, or the names in a directory. */
export function syncPath(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

class NodeFile implements JournalFile {
  readonly #path: string
  readonly #fd: number
  readonly #inode: number
  readonly #device: number

  #seenMillis = Number.NEGATIVE_INFINITY

  constructor(path: string, fd: number) {
    this.#path = path
    this.#fd = fd
    const { ino, dev } = fstatSync(fd)
    this.#inode = ino
    this.#device = dev
  }

  write(pieces: readonly Uint8Array[], offset: number): void {
    let wanted = 0
    for (const piece of pieces) wanted += piece.length
    try {
      this.#write(pieces, offset, wanted)
    } catch (error) {
      throw isFull(error) ? fullDisk(this.#path, wanted, error) : error
    }
  }

  #write(pieces: readonly Uint8Array[], offset: number, wanted: number): void {
    let written = writevSync(this.#fd, pieces, offset)
    // A short write is no error yet: a full disk causes one before ENOSPC. The next write reports the error.
    while (written < wanted) {
      const count = writevSync(this.#fd, after(pieces, written), offset + written)
      if (count === 0) throw new Error('nothing more could be written')
      written += count
    }
  }

  /** Calls fdatasync: flushes the data, and the metadata that reading it requires, such as a new length. */
  flush(): void {
    fdatasyncSync(this.#fd)
    const nowMillis = performance.now()
    if (nowMillis - this.#seenMillis < pathCheckMillis) return
    this.#checkPath()
    this.#seenMillis = nowMillis
  }

  /**
   * Checks that the path still leads to this file. A flush succeeds even if no one can find the file again, because it
   * or its folder was renamed, deleted, replaced or unmounted. The next start would then miss everything acknowledged
   * now.
   */
  #checkPath(): void {
    const stat = statSync(this.#path, { throwIfNoEntry: false })
    if (stat?.ino === this.#inode && stat.dev === this.#device) return
    const what = stat === undefined ? 'is gone' : 'is another file now'
    throw new Error(`${this.#path} ${what}: it or a folder above was moved, deleted or replaced`)
  }

  truncate(bytes: number): void {
    ftruncateSync(this.#fd, bytes)
  }

  close(): void {
    closeSync(this.#fd)
  }
}

function isFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT'
}

/** Returns an error that names the full file system and the size of the write. */
function fullDisk(path: string, bytes: number, cause: unknown): Error {
  const { bavail, bsize } = statfsSync(dirname(path))
  const free = `${bavail * bsize} bytes are free on its file system`
  const reason = (cause as NodeJS.ErrnoException).code === 'EDQUOT' ? 'the quota is used up' : free
  return new Error(`no room for ${bytes} bytes more in ${path}: ${reason}`, { cause })
}

function after(pieces: readonly Uint8Array[], skipBytes: number): Uint8Array[] {
  const left: Uint8Array[] = []
  let skip = skipBytes
  for (const piece of pieces) {
    if (skip < piece.length) left.push(piece.subarray(skip))
    skip = Math.max(0, skip - piece.length)
  }
  return left
}
