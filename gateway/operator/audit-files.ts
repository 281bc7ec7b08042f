import { existsSync, readdirSync, type Stats, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncPath } from '../../engine/journal/node-files.js'
import { changeOf, fileAt, lossOf } from './noted-files.js'

// The audit log is one sequence of bytes, split into files. Each file begins where the previous one ends:
//
//      operator-audit.jsonl            operator-audit-000000067108901.jsonl       operator-audit-000000134217950.jsonl
//      +--------------------------+    +-----------------------------------+     +-------------
//      | lines from 0 on          |    | lines from 67,108,901 on          |     | new lines
//      +--------------------------+    +-----------------------------------+     +-------------
//
// Only the last file is written to, and no line spans two files. The venue never renames or removes a file. An
// administrator may remove the oldest ones; the log then begins with the first that is left.

/** Name of the log's first file, in the data folder. */
export const auditFile = 'operator-audit.jsonl'

const baseDigits = 15
const laterName = /^operator-audit-(\d{15})\.jsonl$/

/** Returns the log offset at which a file begins, or null if the name is not that of a log file. */
export function auditBaseOf(name: string): number | null {
  if (name === auditFile) return 0
  const digits = laterName.exec(name)?.[1]
  return digits === undefined ? null : Number(digits)
}

function nameOf(base: number): string {
  return base === 0 ? auditFile : `operator-audit-${String(base).padStart(baseDigits, '0')}.jsonl`
}

/** File of the log. */
export interface AuditPart {
  readonly name: string
  readonly base: number
  readonly bytes: number
}

/** Returns the log's files in a folder, in order. */
export function auditPartsIn(folder: string): readonly AuditPart[] {
  const parts: AuditPart[] = []
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const base = auditBaseOf(name)
    const status =
      base === null ? undefined : statSync(join(folder, name), { throwIfNoEntry: false })
    if (base !== null && status?.isFile()) parts.push({ name, base, bytes: status.size })
  }
  return parts.sort((one, other) => one.base - other.base)
}

/** Describes a gap or overlap between two files; null if there is none. */
export function gapBefore(part: AuditPart, before: AuditPart): string | null {
  const end = before.base + before.bytes
  if (part.base === end) return null
  return part.base > end
    ? `${part.base - end} bytes are missing between ${before.name} and ${part.name}`
    : `${before.name} has ${end - part.base} bytes after the beginning of ${part.name}`
}

export interface AuditFilesOptions {
  /** Size from which a file is closed and the next one begun. */
  readonly fileBytesMax: number
  readonly onNote: (text: string) => void
  /** Length of the log according to the journal. */
  readonly notedBytes?: number
  /** True if the operator accepts a loss. */
  readonly acceptsLoss?: boolean
}

/** Last file of the log, open for writing. */
interface OpenFile {
  readonly handle: FileHandle
  readonly status: Stats
}

/** Files of the audit log. Offsets and sizes are those of the log as a whole. */
export class AuditFiles {
  readonly #folder: string
  readonly #options: AuditFilesOptions
  /** Files before the last one, without a gap. */
  readonly #closed: AuditPart[]
  #base: number
  #bytes: number
  /** Null: the log has lost bytes, and is read-only. */
  #file: OpenFile | null
  readonly #loss: string | null

  private constructor(
    folder: string,
    options: AuditFilesOptions,
    closed: AuditPart[],
    { base, bytes }: Omit<AuditPart, 'name'>,
    file: OpenFile | null,
    loss: string | null,
  ) {
    this.#loss = loss
    this.#folder = folder
    this.#options = options
    this.#closed = closed
    this.#base = base
    this.#bytes = bytes
    this.#file = file
  }

  /**
   * @throws Error if the last file cannot be opened.
   */
  static async open(folder: string, options: AuditFilesOptions): Promise<AuditFiles> {
    const parts = auditPartsIn(folder)
    const last = parts.at(-1) ?? { name: auditFile, base: 0, bytes: 0 }
    const loss = lossIn(folder, last, options)
    const file = loss === null ? await openLast(folder, last.base) : null
    const closed = parts.slice(0, -1)
    for (let index = closed.length - 1; index >= 0; index--) {
      const gap = gapBefore(closed[index + 1] ?? last, closed[index]!)
      if (gap === null) continue
      options.onNote(`audit log: ${gap}; earlier entries are not available`)
      closed.splice(0, index + 1)
      break
    }
    return new AuditFiles(folder, options, closed, last, file, loss)
  }

  /** Returns the fault of the last file, as a sentence that names it; null if it is intact. */
  fault(): string | null {
    if (this.#file === null) return this.#loss
    const name = nameOf(this.#base)
    const change = changeOf(join(this.#folder, name), this.#file.status, this.#bytes)
    return change === null ? null : `${name} ${change}`
  }

  /** Offset of the log's first byte on disk; earlier files were removed. */
  get begin(): number {
    return this.#closed[0]?.base ?? this.#base
  }

  async stat(): Promise<{ readonly size: number }> {
    return { size: this.#base + this.#bytes }
  }

  /** Reads bytes of the log into a buffer, across file boundaries. */
  async read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly buffer: Buffer; readonly bytesRead: number }> {
    let bytesRead = 0
    while (bytesRead < length) {
      const at = position + bytesRead
      const read = await this.#readWithin(buffer, offset + bytesRead, length - bytesRead, at)
      if (read === 0) break
      bytesRead += read
    }
    return { buffer, bytesRead }
  }

  /** Appends complete lines, to one file. */
  async appendFile(bytes: Buffer): Promise<void> {
    if (this.#bytes >= this.#options.fileBytesMax) await this.#beginFile()
    await this.#open().appendFile(bytes)
    this.#bytes += bytes.length
  }

  datasync(): Promise<void> {
    return this.#open().datasync()
  }

  /**
   * @param size Of the log; must be within the last file.
   */
  async truncate(size: number): Promise<void> {
    if (size < this.#base) throw new Error('the cut is in a closed file')
    await this.#open().truncate(size - this.#base)
    this.#bytes = size - this.#base
  }

  async close(): Promise<void> {
    await this.#file?.handle.close()
  }

  #open(): FileHandle {
    if (this.#file === null) throw new Error(this.#loss ?? 'the audit log is closed')
    return this.#file.handle
  }

  /** Begins a new file, after flushing the full one, so that a crash cannot leave a gap. */
  async #beginFile(): Promise<void> {
    const full = this.#open()
    await full.datasync()
    const end = this.#base + this.#bytes
    this.#file = await openLast(this.#folder, end)
    this.#closed.push({ name: nameOf(this.#base), base: this.#base, bytes: this.#bytes })
    this.#base = end
    this.#bytes = 0
    await full.close()
  }

  #partAt(at: number): AuditPart | undefined {
    const last = { name: nameOf(this.#base), base: this.#base, bytes: this.#bytes }
    return [...this.#closed, last].find(({ base, bytes }) => at >= base && at < base + bytes)
  }

  async #readWithin(buffer: Buffer, offset: number, length: number, at: number): Promise<number> {
    if (at >= this.#base) {
      if (this.#file !== null) {
        return (await this.#file.handle.read(buffer, offset, length, at - this.#base)).bytesRead
      }
      if (at >= this.#base + this.#bytes) return 0
    }
    const part = this.#partAt(at)
    if (part === undefined) return 0
    const file = await open(join(this.#folder, part.name), 'r').catch((error) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      // Removed while the venue runs, so the log now begins after it.
      this.#closed.splice(0, this.#closed.indexOf(part) + 1)
      this.#options.onNote(`audit log: ${String(error)}; it now begins at ${this.begin}`)
      throw error
    })
    try {
      const within = Math.min(length, part.base + part.bytes - at)
      return (await file.read(buffer, offset, within, at - part.base)).bytesRead
    } finally {
      await file.close()
    }
  }
}

/** Returns why a start opens the log read-only, as a sentence that names its last file; null if it does not. */
function lossIn(
  folder: string,
  { name, base, bytes }: AuditPart,
  { notedBytes = 0, acceptsLoss = false, onNote }: AuditFilesOptions,
): string | null {
  const path = join(folder, name)
  const what = lossOf(path, base + bytes, notedBytes)
  if (what === null) return null
  const isRegular = fileAt(path)?.isFile() ?? true
  if (!acceptsLoss || !isRegular) return `${name} ${what}`
  onNote(`alarm: audit log: ${name} ${what}; --accept-lost-files accepts the loss`)
  return null
}

async function openLast(folder: string, base: number): Promise<OpenFile> {
  const path = join(folder, nameOf(base))
  const file = await open(path, 'a+', 0o600)
  try {
    syncPath(dirname(path))
    return { handle: file, status: await file.stat() }
  } catch (error) {
    await file.close()
    throw error
  }
}
