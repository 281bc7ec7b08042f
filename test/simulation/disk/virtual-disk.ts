import type { JournalFile, JournalFiles } from '../../../engine/journal/journal-files.js'
import { DiskError } from '../run/simulation-errors.js'
import type { DiskWeather } from './disk-weather.js'
import { VirtualFile } from './virtual-file.js'

const nothing = new ArrayBuffer(0)

/** What may happen to the disk's operations. */
export type DiskHazards = Pick<
  DiskWeather,
  'beforeWrite' | 'failure' | 'beforeFlush' | 'beforeChange' | 'afterChange'
>

/** An entry of a folder that no flush of the folder has made durable yet. */
interface NameChange {
  readonly folder: string
  readonly path: string
  /** What the name now stands for; null: for nothing. */
  readonly file: VirtualFile | null
  /** Of the old name in a rename: the new one, without which it does not go. */
  readonly needs: NameChange | null
}

/**
 * The journal's disk: files with a page cache, and folders whose entries are durable only once the
 * folder is flushed. What a crash leaves of it is decided in power-cut.ts.
 */
export class VirtualDisk implements JournalFiles {
  /** Without any all operations succeed. */
  hazards: DiskHazards | null = null
  /** Paths of the files that were read as a whole, for who wants to know what a start-up looked at. */
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
    // Who reads in pieces reads all of them, the last one last.
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

  /** Bytes of all files, as the page cache has them. */
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

  /** An independent disk with what the page cache shows, all of it durable, and no hazards. */
  copy(): VirtualDisk {
    const copy = new VirtualDisk()
    for (const [path, file] of this.names) {
      const twin = file.copy()
      copy.names.set(path, twin)
      copy.durableNames.set(path, twin)
    }
    return copy
  }

  /** Carries out a change with what the hazards have before and behind it. */
  #change(change: () => void): void {
    this.hazards?.beforeChange()
    change()
    this.hazards?.afterChange()
  }

  /** Has a name stand for a file, or for nothing. */
  #setName(path: string, file: VirtualFile | null, needs: NameChange | null = null): NameChange {
    const change = { folder: folderOf(path), path, file, needs }
    if (file === null) this.names.delete(path)
    else this.names.set(path, file)
    this.pendingNames.push(change)
    return change
  }

  #handle(name: string, file: VirtualFile): JournalFile {
    return {
      // The pieces may lie in shared memory, which goes on changing: the disk takes a copy.
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

  /** A test makes it lie. */
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
