import type { FileHandle } from 'node:fs/promises'
import type { AuditOutcome, AuditRow } from '../../schemas/interface/operator.js'
import { AuditFiles, type AuditFilesOptions } from './audit-files.js'
import { linesBackward, type ReadableLines, wholeBytesOf } from './audit-lines.js'
import { LostFile } from './noted-files.js'

/** Action of an operator. */
export type AuditAction = Pick<
  AuditRow,
  'identity' | 'address' | 'method' | 'path' | 'body' | 'requested'
>

/** Request that waits or waited for approval. */
export type AuditRequest = NonNullable<AuditRow['requested']>

/** Result of an action. `left_out` is absent: none. */
export type AuditEnding = Pick<AuditRow, 'status' | 'code' | 'seq'> &
  Partial<Pick<AuditRow, 'left_out'>> & {
    readonly outcome: Exclude<AuditOutcome, 'requested'>
  }

/** Line of the file. */
export interface AuditLine extends Omit<AuditRow, 'left_out'>, Partial<Pick<AuditRow, 'left_out'>> {
  /** Id of the line that this one completes; its own id if it completes none. */
  readonly of: number
  /** Offset of the oldest line whose action was not completed when this one was written. */
  readonly from: number
}

export interface AuditFilter {
  readonly identity: string | null
  readonly path: string | null
}

export interface AuditPage {
  readonly rows: readonly AuditRow[]
  /** Null on the last page. */
  readonly nextCursor: number | null
}

export interface AuditOptions extends AuditFilesOptions {
  /** True if a line must be durable before it counts as written. */
  readonly isFlushed: boolean
  readonly nowMillis: () => number
  /** Receives findings about the files, and write errors. */
  readonly onNote: (text: string) => void
}

/** Operations that the log needs of its files. */
export interface AuditBytes
  extends ReadableLines,
    Pick<FileHandle, 'appendFile' | 'close' | 'datasync' | 'truncate'> {
  stat(): Promise<{ readonly size: number }>
  /** Returns the fault of the last file, as a sentence that names it; null if it is intact. */
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
 * Audit log of operators' actions: lines of JSON in append-only files.
 *
 * An action has one line before it is executed and another with its result; both are durable before its answer leaves.
 * So the log contains every action, however the venue ends: an action without a second line gets one at the next start,
 * `unknown`. Concurrent lines share a flush.
 */
export class AuditLog {
  readonly #file: AuditBytes
  readonly #options: AuditOptions
  readonly #open = new Map<number, OpenAction>()
  /** Results that could not be written yet. */
  readonly #unwritten = new Map<number, AuditEnding>()
  #queue: QueuedLine[] = []
  #flushing: Promise<void> | null = null
  /** Length of the written lines. */
  #bytes = 0
  /** Offset of the next line, after the queued ones. */
  #end = 0
  #lastId = 0
  #foundSeq = 0
  /** Set during a write. After a failed one, part of its lines may be in the file. */
  #isTorn = false
  /** Set after a failed flush: the disk's content is unknown, and later flushes would not reveal it. */
  #isLost = false

  private constructor(file: AuditBytes, options: AuditOptions) {
    this.#file = file
    this.#options = options
  }

  /**
   * @param folder Data folder. @throws Error if the file cannot be opened.
   */
  static async open(folder: string, options: AuditOptions): Promise<AuditLog> {
    const file = await AuditFiles.open(folder, options)
    try {
      return await AuditLog.over(file, options)
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /**
   * @param file Receives the lines; the log closes it.
   */
  static async over(file: AuditBytes, options: AuditOptions): Promise<AuditLog> {
    const log = new AuditLog(file, options)
    await log.#recover()
    return log
  }

  /** Highest sequence in the latest lines when the log was opened; 0 if there was none. */
  get foundSeq(): number {
    return this.#foundSeq
  }

  /** Length of the durable lines. */
  get bytes(): number {
    return this.#bytes
  }

  /** Returns why nothing can be written, as a sentence that names the file; null if writing works. */
  fault(): string | null {
    return this.#file.fault()
  }

  /**
   * @returns Id of the action, once its line is durable. @throws Error if it is not; the action must not be executed.
   */
  async begin(action: AuditAction): Promise<number> {
    for (const [id, ending] of [...this.#unwritten]) await this.end(id, ending)
    if (this.#unwritten.size > 0)
      throw new Error('the result of an earlier action cannot be written')
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

  /**
   * Writes the result of an action. Resolves when it is durable, or queued to be written before any other action
   * begins.
   */
  async end(id: number, ending: AuditEnding): Promise<void> {
    const begun = this.#open.get(id)
    if (begun === undefined) return
    this.#unwritten.delete(id)
    try {
      await this.#write({ id: ++this.#lastId, of: id, ...begun.action, ...ending })
      this.#open.delete(id)
    } catch (error) {
      this.#unwritten.set(id, ending)
      this.#options.onNote(`audit log: ${String(error)}`)
    }
  }

  /** Writes a single line for an action that changes nothing in the engine. @throws Error if it is not durable. */
  note(action: AuditAction, ending: AuditEnding): Promise<void> {
    const id = ++this.#lastId
    return this.#write({ id, of: id, ...action, ...ending })
  }

  /**
   * Returns the newest lines before a cursor, or fewer if much of the file had to be scanned.
   * @returns Null if no page has returned this cursor.
   */
  async page(cursor: number | null, limit: number, filter: AuditFilter): Promise<AuditPage | null> {
    const { begin } = this.#file
    try {
      return await this.#pageBefore(cursor, limit, filter)
    } catch (error) {
      if (this.#file.begin === begin) throw error
      // The first files have been removed, so retry with the remaining ones.
      return this.page(cursor, limit, filter)
    }
  }

  async #pageBefore(
    cursor: number | null,
    limit: number,
    filter: AuditFilter,
  ): Promise<AuditPage | null> {
    const end = cursor ?? this.#bytes
    if (end > this.#bytes || !(await this.#isLineStart(end))) return null
    const rows: AuditRow[] = []
    let before = end
    for await (const { at, text } of linesBackward(this.#file, end)) {
      before = at
      const row = rowOf(text)
      if (row !== null && matches(row, filter)) rows.push(row)
      if (rows.length === limit || end - at > scannedBytesMax) break
    }
    return { rows, nextCursor: before <= this.#file.begin ? null : before }
  }

  async close(): Promise<void> {
    await this.#flushing
    await this.#file.close()
  }

  /** Truncates an incomplete line after a crash, and completes unfinished actions. */
  async #recover(): Promise<void> {
    const { size } = await this.#file.stat()
    const whole = await wholeBytesOf(this.#file, size)
    const isWritable = this.#file.fault() === null
    if (whole < size && isWritable) {
      await this.#file.truncate(whole)
      this.#options.onNote(`audit log: removed ${size - whole} bytes of an unfinished line`)
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

  async #isLineStart(at: number): Promise<boolean> {
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
    // One microtask later, so that requests of the same turn share the flush.
    await Promise.resolve()
    while (this.#queue.length > 0) {
      const lines = this.#queue
      this.#queue = []
      try {
        await this.#append(Buffer.concat(lines.map(({ bytes }) => bytes)))
        for (const { resolve } of lines) resolve()
      } catch (error) {
        // Lines queued in the meantime have offsets that assume the failed ones.
        for (const { reject } of [...lines, ...this.#queue]) reject(error as Error)
        this.#queue = []
        this.#end = this.#bytes
      }
    }
    this.#flushing = null
  }

  async #append(bytes: Buffer): Promise<void> {
    if (this.#isLost) throw new Error('a flush of the audit log failed; restart the venue')
    this.#check()
    if (this.#isTorn) await this.#file.truncate(this.#bytes)
    this.#isTorn = true
    await this.#file.appendFile(bytes)
    if (this.#options.isFlushed) {
      this.#isLost = true
      await this.#file.datasync()
      this.#isLost = false
    }
    // Lines count only in the file that the next start reads.
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

/**
 * @returns Null if the line is malformed.
 */
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

/** Returns the row of a line; null if another line completes it. A malformed line has a row too. */
function rowOf(text: string): AuditRow | null {
  const line = auditLineOf(text)
  if (line === null) return { ...damaged, outcome: 'damaged' }
  if (line.outcome === 'requested') return null
  const { of, from, ...row } = line
  return { ...row, left_out: row.left_out ?? 0 }
}

/** True if a row matches the filter. A malformed line always matches. */
function matches({ outcome, ...row }: AuditRow, { identity, path }: AuditFilter): boolean {
  if (outcome === 'damaged') return true
  return (identity === null || row.identity === identity) && (path === null || row.path === path)
}
