import type { FileHandle } from 'node:fs/promises'
import type { AuditOutcome, AuditRow } from '../../schemas/interface/operator.js'
import { AuditFiles, type AuditFilesOptions } from './audit-files.js'
import { linesBackward, type ReadableLines, wholeBytesOf } from './audit-lines.js'
import { LostFile } from './noted-files.js'

/** An action of an operator. */
export type AuditAction = Pick<
  AuditRow,
  'identity' | 'address' | 'method' | 'path' | 'body' | 'requested'
>

/** A request that waits, or waited, for a second identity. */
export type AuditRequest = NonNullable<AuditRow['requested']>

/** Result of an action. `left_out` is absent: none. */
export type AuditEnding = Pick<AuditRow, 'status' | 'code' | 'seq'> &
  Partial<Pick<AuditRow, 'left_out'>> & {
    readonly outcome: Exclude<AuditOutcome, 'requested'>
  }

/** A line of the file. */
export interface AuditLine extends Omit<AuditRow, 'left_out'>, Partial<Pick<AuditRow, 'left_out'>> {
  /** The line that this one ends; its own id where it stands alone. */
  readonly of: number
  /** Where the line of the oldest action stands that had no end when this one was written. */
  readonly from: number
}

export interface AuditFilter {
  readonly identity: string | null
  readonly path: string | null
}

export interface AuditPage {
  readonly rows: readonly AuditRow[]
  /** null: there is nothing before it. */
  readonly nextCursor: number | null
}

export interface AuditOptions extends AuditFilesOptions {
  /** Whether a line is on disk before it counts as written. */
  readonly isFlushed: boolean
  readonly nowMillis: () => number
  /** Hears what was found of the files, and what cannot be written. */
  readonly onNote: (text: string) => void
}

/** What it wants of its files. */
export interface AuditBytes
  extends ReadableLines,
    Pick<FileHandle, 'appendFile' | 'close' | 'datasync' | 'truncate'> {
  stat(): Promise<{ readonly size: number }>
  /** Returns what is wrong with the file that is written to, as a sentence that names it; null: nothing. */
  fault(): string | null
}

interface OpenAction {
  readonly action: AuditAction
  readonly at: number
}

interface QueuedLine {
  readonly bytes: Buffer
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

const scannedBytesMax = 4 * 1024 * 1024
const endedEarly: AuditEnding = { outcome: 'unknown', status: 0, code: null, seq: null }
const damaged = {
  ...{ identity: null, address: '', method: '', path: '', body: null, requested: null },
  ...{ id: 0, time_ms: 0, status: 0, code: null, seq: null, left_out: 0 },
}

/**
 * What operators have done: lines of JSON in files that only grow.
 *
 * An action has a line before it is done, and another one when it is known what became of it; both are on disk before
 * its answer leaves. So what was done is in it whatever ends the venue: an action whose second line is missing gets one
 * at the next start, `unknown`. Lines that are written at the same time share a flush.
 */
export class AuditLog {
  readonly #file: AuditBytes
  readonly #options: AuditOptions
  readonly #open = new Map<number, OpenAction>()
  /** Endings that could not be written. */
  readonly #owed = new Map<number, AuditEnding>()
  #queue: QueuedLine[] = []
  #flushing: Promise<void> | null = null
  /** Of lines that are written. */
  #bytes = 0
  /** Where the next line goes, behind those that are queued. */
  #end = 0
  #lastId = 0
  #foundSeq = 0
  /** A write has failed, and may have left a part of its lines. */
  #isTorn = false
  /** A flush has failed: what is on disk nobody knows, and a later one would not say. */
  #isLost = false

  private constructor(file: AuditBytes, options: AuditOptions) {
    this.#file = file
    this.#options = options
  }

  /** @param folder of the data. @throws Error when its file cannot be had. */
  static async open(folder: string, options: AuditOptions): Promise<AuditLog> {
    const file = await AuditFiles.open(folder, options)
    try {
      return await AuditLog.over(file, options)
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** @param file to whose end is written, and which the log closes. */
  static async over(file: AuditBytes, options: AuditOptions): Promise<AuditLog> {
    const log = new AuditLog(file, options)
    await log.#recover()
    return log
  }

  /** Highest sequence that the latest lines told of when the log was opened; 0: none did. */
  get foundSeq(): number {
    return this.#foundSeq
  }

  /** Length of the lines that are on disk. */
  get bytes(): number {
    return this.#bytes
  }

  /** Returns why nothing is written, as a sentence that names the file; null: nothing is wrong. */
  fault(): string | null {
    return this.#file.fault()
  }

  /** @returns the action's number, once it is on disk. @throws Error: it is not, and must not be done. */
  async begin(action: AuditAction): Promise<number> {
    for (const [id, ending] of [...this.#owed]) await this.end(id, ending)
    if (this.#owed.size > 0) throw new Error('what became of an earlier action cannot be written')
    const id = ++this.#lastId
    this.#open.set(id, { action, at: this.#end })
    try {
      await this.#write({ id, of: id, outcome: 'requested', ...action, ...nothingYet })
    } catch (error) {
      this.#open.delete(id)
      throw error
    }
    return id
  }

  /** Comes back when it is on disk, or owed: then it is written before any other action begins. */
  async end(id: number, ending: AuditEnding): Promise<void> {
    const begun = this.#open.get(id)
    if (begun === undefined) return
    this.#owed.delete(id)
    try {
      await this.#write({ id: ++this.#lastId, of: id, ...begun.action, ...ending })
      this.#open.delete(id)
    } catch (error) {
      this.#owed.set(id, ending)
      this.#options.onNote(`audit log: ${String(error)}`)
    }
  }

  /** What needs no line before it: nothing of the engine is changed by it. @throws Error: it is not on disk. */
  note(action: AuditAction, ending: AuditEnding): Promise<void> {
    const id = ++this.#lastId
    return this.#write({ id, of: id, ...action, ...ending })
  }

  /**
   * The newest lines before a cursor; fewer than asked for where much of the file has been looked through.
   * @returns null: the cursor is none that a page has told.
   */
  async page(cursor: number | null, limit: number, filter: AuditFilter): Promise<AuditPage | null> {
    const { begin } = this.#file
    try {
      return await this.#pageBefore(cursor, limit, filter)
    } catch (error) {
      if (this.#file.begin === begin) throw error
      // The first files were taken away meanwhile: what there is to tell ends with those that are left.
      return this.page(cursor, limit, filter)
    }
  }

  async #pageBefore(
    cursor: number | null,
    limit: number,
    filter: AuditFilter,
  ): Promise<AuditPage | null> {
    const end = cursor ?? this.#bytes
    if (end > this.#bytes || !(await this.#isBorder(end))) return null
    const rows: AuditRow[] = []
    let before = end
    for await (const { at, text } of linesBackward(this.#file, end)) {
      before = at
      const row = rowOf(text)
      if (row !== null && isWanted(row, filter)) rows.push(row)
      if (rows.length === limit || end - at > scannedBytesMax) break
    }
    return { rows, nextCursor: before <= this.#file.begin ? null : before }
  }

  async close(): Promise<void> {
    await this.#flushing
    await this.#file.close()
  }

  /** Cuts what a crash has left of a line, and ends what had no end. */
  async #recover(): Promise<void> {
    const { size } = await this.#file.stat()
    const whole = await wholeBytesOf(this.#file, size)
    const isWritable = this.#file.fault() === null
    if (whole < size && isWritable) {
      await this.#file.truncate(whole)
      this.#options.onNote(`audit log: cut ${size - whole} bytes of a line that was never finished`)
    }
    this.#bytes = whole
    this.#end = whole
    let from = whole
    const ended = new Set<number>()
    for await (const { at, text } of linesBackward(this.#file, whole)) {
      const line = auditLineOf(text)
      if (line !== null) {
        if (this.#lastId === 0) from = line.from
        this.#lastId = Math.max(this.#lastId, line.id)
        this.#foundSeq = Math.max(this.#foundSeq, line.seq ?? 0)
        if (line.outcome !== 'requested') ended.add(line.of)
        else if (!ended.has(line.id)) this.#open.set(line.id, { action: actionOf(line), at })
      }
      const isDeep = this.#foundSeq > 0 || whole - at > scannedBytesMax
      if (this.#lastId > 0 && at <= from && isDeep) break
    }
    if (!isWritable) return
    for (const id of [...this.#open.keys()].reverse()) await this.end(id, endedEarly)
  }

  async #isBorder(at: number): Promise<boolean> {
    if (at <= this.#file.begin) return at === this.#file.begin
    const { buffer } = await this.#file.read(Buffer.alloc(1), 0, 1, at - 1)
    return buffer[0] === lineFeed
  }

  #write(line: Omit<AuditLine, 'from' | 'time_ms'>): Promise<void> {
    const from = Math.min(this.#end, ...[...this.#open.values()].map(({ at }) => at))
    const { id, ...rest } = line
    const text = JSON.stringify({ id, time_ms: this.#options.nowMillis(), ...rest, from })
    const bytes = Buffer.from(`${text}\n`)
    this.#end += bytes.length
    return new Promise((resolve, reject) => {
      this.#queue.push({ bytes, resolve, reject })
      this.#flushing ??= this.#flush()
    })
  }

  async #flush(): Promise<void> {
    // A turn later, so that requests of one turn share it.
    await Promise.resolve()
    while (this.#queue.length > 0) {
      const lines = this.#queue
      this.#queue = []
      try {
        await this.#append(Buffer.concat(lines.map(({ bytes }) => bytes)))
        for (const { resolve } of lines) resolve()
      } catch (error) {
        // What was queued meanwhile counts on places that there are not.
        for (const { reject } of [...lines, ...this.#queue]) reject(error as Error)
        this.#queue = []
        this.#end = this.#bytes
      }
    }
    this.#flushing = null
  }

  async #append(bytes: Buffer): Promise<void> {
    if (this.#isLost) throw new Error('a flush of the audit log has failed; start the venue anew')
    this.#check()
    if (this.#isTorn) await this.#file.truncate(this.#bytes)
    this.#isTorn = true
    await this.#file.appendFile(bytes)
    if (this.#options.isFlushed) {
      this.#isLost = true
      await this.#file.datasync()
      this.#isLost = false
    }
    // The lines count only in the file that the next start reads.
    this.#check()
    this.#isTorn = false
    this.#bytes += bytes.length
  }

  #check(): void {
    const fault = this.#file.fault()
    if (fault !== null) throw new LostFile(fault)
  }
}

const nothingYet = { status: 0, code: null, seq: null }
const lineFeed = 0x0a

/** @returns null: it is none that can be read. */
export function auditLineOf(text: string): AuditLine | null {
  try {
    const line = JSON.parse(text)
    return typeof line?.id === 'number' ? line : null
  } catch {
    return null
  }
}

function actionOf({ identity, address, method, path, body, requested }: AuditLine): AuditAction {
  return { identity, address, method, path, body, requested }
}

/** What is told of a line: nothing of one that another ends; a line that cannot be read is told of, too. */
function rowOf(text: string): AuditRow | null {
  const line = auditLineOf(text)
  if (line === null) return { ...damaged, outcome: 'damaged' }
  if (line.outcome === 'requested') return null
  const { of, from, ...row } = line
  return { ...row, left_out: row.left_out ?? 0 }
}

/** A line that cannot be read may be anybody's. */
function isWanted({ outcome, ...row }: AuditRow, { identity, path }: AuditFilter): boolean {
  if (outcome === 'damaged') return true
  return (identity === null || row.identity === identity) && (path === null || row.path === path)
}
