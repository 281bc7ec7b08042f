import type { JournalFile, JournalFiles } from '../../../engine/journal/journal-files.js'
import { DiskError } from '../run/simulation-errors.js'
import type { DiskWeather } from './disk-weather.js'
import { VirtualFile } from './virtual-file.js'

const nothing = new ArrayBuffer(0)

/** Faults that may interrupt the disk's operations. */
export type DiskHazards = Pick<
  DiskWeather,
  'beforeWrite' | 'failure' | 'beforeFlush' | 'beforeChange' | 'afterChange'
>

/** Change of a folder's entry that no flush of the folder has made durable yet. */
interface NameChange {
  readonly folder: string
  readonly path: string
  /** File that the name now refers to, or null if removed. */
  readonly file: VirtualFile | null
  /** Change that adds the new name of a rename, without which the removal of the old name is not durable. */
  readonly needs: NameChange | null
}

/**
 * Disk of the journal: files with a page cache, and folders whose entries are durable only after a flush of the folder.
 * power-cut.ts decides what a crash leaves of it.
 */
export class VirtualDisk implements JournalFiles {
  /** Hazards of operations; null: all operations succeed. */
  hazards: DiskHazards | null = null
  /** Paths of the files that a start read as a whole. */
  readonly wholeReads = new Set<string>()
  readonly names = new Map<string, VirtualFile>()
  readonly durableNames = new Map<string, VirtualFile>()
  pendingNames: NameChange[] = []

  list(folder: string): string[] {
    const prefix = folder === '' ? '' : `${folder}/`
    return [...this.names.keys()]
      .filter((path) => folderOf(path) === folder)
      .map((path) => path.slice(prefix.length))
      .sort()
  }

  create(name: string): JournalFile {
    if (this.names.has(name)) throw new DiskError(`${name} exists`)
    const file = new VirtualFile()
    this.#change(() => this.#setName(name, file))
    return this.#handle(name, file)
  }

  open(name: string): JournalFile {
    return this.#handle(name, this.fileOf(name))
  }

  bytesOf(name: string): number {
    return this.fileOf(name).cached.length
  }

  read(
    name: string,
    bytesMax: number = Number.POSITIVE_INFINITY,
    into: ArrayBuffer = nothing,
    from = 0,
  ): Uint8Array {
    const { bytes } = this.fileOf(name).cached
    // A reader in pieces reads all of them in order, so the last piece completes the file.
    if (from + bytesMax >= bytes.length) this.wholeReads.add(name)
    const length = Math.min(bytes.length - from, bytesMax)
    const target = new Uint8Array(
      into.byteLength < length ? new ArrayBuffer(length) : into,
      0,
      length,
    )
    target.set(bytes.subarray(from, from + length))
    return target
  }

  rename(source: string, target: string): void {
    const file = this.fileOf(source)
    this.#change(() => {
      const gained = this.#setName(target, file)
      this.#setName(source, null, gained)
    })
  }

  remove(name: string): void {
    this.fileOf(name)
    this.#change(() => this.#setName(name, null))
  }

  syncDirectory(folder: string): void {
    this.#change(() => {
      for (const change of this.pendingNames) if (change.folder === folder) this.keepName(change)
      this.pendingNames = this.pendingNames.filter((change) => change.folder !== folder)
    })
  }

  fileOf(name: string): VirtualFile {
    const file = this.names.get(name)
    if (file === undefined) throw new DiskError(`${name} is missing`)
    return file
  }

  /** Returns the size of all files in the page cache. */
  usedBytes(): number {
    let bytes = 0
    for (const file of this.names.values()) bytes += file.cached.length
    return bytes
  }

  /** Makes one entry durable. */
  keepName(change: NameChange): void {
    if (change.file === null) this.durableNames.delete(change.path)
    else this.durableNames.set(change.path, change.file)
  }

  /** Returns an independent disk with the contents of the page cache, all of it durable, and without hazards. */
  copy(): VirtualDisk {
    const copy = new VirtualDisk()
    for (const [path, file] of this.names) {
      const twin = file.copy()
      copy.names.set(path, twin)
      copy.durableNames.set(path, twin)
    }
    return copy
  }

  /** Carries out a change, with the hazards before and after it. */
  #change(change: () => void): void {
    this.hazards?.beforeChange()
    change()
    this.hazards?.afterChange()
  }

  /** Makes a name refer to a file, or removes it. */
  #setName(path: string, file: VirtualFile | null, needs: NameChange | null = null): NameChange {
    const change = { folder: folderOf(path), path, file, needs }
    if (file === null) this.names.delete(path)
    else this.names.set(path, file)
    this.pendingNames.push(change)
    return change
  }

  #handle(name: string, file: VirtualFile): JournalFile {
    return {
      // The pieces may lie in shared memory, which keeps changing, so the disk takes a copy.
      write: (pieces, offset) => this.#write(name, file, Buffer.concat(pieces), offset),
      flush: () => {
        this.hazards?.beforeFlush(name, file)
        this.flushFile(file)
        this.hazards?.afterChange()
      },
      truncate: (bytes) => this.#change(() => file.truncate(bytes)),
      close: () => {},
    }
  }

  /** A test overrides this with a disk that lies. */
  protected flushFile(file: VirtualFile): void {
    file.flush()
  }

  #write(name: string, file: VirtualFile, bytes: Uint8Array, offset: number): void {
    const growsBytes = Math.max(0, offset + bytes.length - file.cached.length)
    const count = this.hazards?.beforeWrite(name, bytes.length, growsBytes) ?? bytes.length
    if (count > 0) file.write(offset, bytes.subarray(0, count))
    if (count < bytes.length) throw this.hazards?.failure()
    this.hazards?.afterChange()
  }
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? '' : path.slice(0, slash)
}
