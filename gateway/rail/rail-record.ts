import { existsSync, readFileSync, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { syncPath } from '../../engine/journal/node-files.js'
import { changeOf, LostFile } from '../operator/noted-files.js'
import type { RecordedDelivery } from './settlement-rail.js'

/** File in the data folder. */
export const recordFile = 'rail.jsonl'

/**
 * Record of the embedded rail, with a line of JSON per step of a delivery. The latest line of an id counts. A step
 * whose line a crash cut off was never reported.
 */
export class RailRecord {
  readonly #path: string
  readonly #file: FileHandle
  readonly #opened: Stats
  readonly #latest: Map<string, RecordedDelivery>
  #written: Promise<void> = Promise.resolve()
  /** Bytes of whole lines. */
  #bytes: number
  /** True if a failed write may have left a part of its line. */
  #isTorn = false

  private constructor(
    path: string,
    file: FileHandle,
    opened: Stats,
    { latest, bytes }: Pick<ReadRecord, 'latest' | 'bytes'>,
  ) {
    this.#path = path
    this.#file = file
    this.#opened = opened
    this.#latest = latest
    this.#bytes = bytes
  }

  /** Opens a record, and cuts off a torn line. @throws Error that names the file and the line that cannot be read. */
  static async open(path: string): Promise<RailRecord> {
    const file = await open(path, 'a+', 0o600)
    // Syncs the folder: if a power cut removed the whole record, every delivery would start again.
    syncPath(dirname(path))
    try {
      const found = read(path)
      await file.truncate(found.bytes)
      return new RailRecord(path, file, await file.stat(), found)
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /**
   * Reads a record without changing it; an absent one is empty.
   * @returns the latest line of each delivery, and the bytes of all whole lines.
   * @throws Error that names the file and the line that cannot be read.
   */
  static look(path: string): {
    readonly rows: readonly RecordedDelivery[]
    readonly bytes: number
  } {
    if (!existsSync(path)) return { rows: [], bytes: 0 }
    const { latest, bytes } = read(path)
    return { rows: [...latest.values()], bytes }
  }

  /**
   * Returns the lines of deliveries up to a sequence, unchanged, without those that began after it.
   * @throws Error that names the file and the line that cannot be read.
   */
  static linesUpTo(path: string, seq: number): string {
    const { rows } = read(path)
    return rows
      .filter(({ delivery }) => delivery.seq <= seq)
      .map(({ line }) => `${line}\n`)
      .join('')
  }

  /** Length of the whole lines. */
  get bytes(): number {
    return this.#bytes
  }

  /** Returns the fault of the file since it was opened, as a sentence with its name; null: none. */
  fault(): string | null {
    const change = changeOf(this.#path, this.#opened, this.#bytes)
    return change === null ? null : `${basename(this.#path)} ${change}`
  }

  get all(): Iterable<RecordedDelivery> {
    return this.#latest.values()
  }

  find(directiveId: string): RecordedDelivery | null {
    return this.#latest.get(directiveId) ?? null
  }

  /**
   * Appends a step after all earlier ones.
   * @returns once it is on disk. @throws LostFile if the file is missing, was truncated or was replaced.
   */
  write(delivery: RecordedDelivery): Promise<void> {
    const written = this.#written.then(() => this.#append(delivery))
    this.#written = written.catch(() => {})
    return written
  }

  async #append(delivery: RecordedDelivery): Promise<void> {
    this.#check()
    if (this.#isTorn) await this.#file.truncate(this.#bytes)
    const line = `${JSON.stringify(delivery)}\n`
    this.#isTorn = true
    await this.#file.appendFile(line)
    await this.#file.datasync()
    // The line counts only in the file that the next start reads.
    this.#check()
    this.#isTorn = false
    this.#bytes += Buffer.byteLength(line)
    this.#latest.set(delivery.directiveId, delivery)
  }

  #check(): void {
    const fault = this.fault()
    if (fault !== null) throw new LostFile(fault)
  }

  async close(): Promise<void> {
    await this.#written
    await this.#file.close()
  }
}

interface ReadRecord {
  readonly rows: readonly { readonly line: string; readonly delivery: RecordedDelivery }[]
  readonly latest: Map<string, RecordedDelivery>
  readonly bytes: number
}

/** Reads the whole lines, the latest line of each id, and their bytes. */
function read(path: string): ReadRecord {
  const text = readFileSync(path, 'utf8')
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  const latest = new Map<string, RecordedDelivery>()
  const rows: { readonly line: string; readonly delivery: RecordedDelivery }[] = []
  for (const [index, line] of whole.split('\n').entries()) {
    if (line === '') continue
    const delivery = deliveryOf(line)
    if (delivery === null) {
      throw new Error(`${path}: line ${index + 1} is damaged, so its deliveries are unknown`)
    }
    latest.set(delivery.directiveId, delivery)
    rows.push({ line, delivery })
  }
  return { rows, latest, bytes: Buffer.byteLength(whole) }
}

/** Parses a line. @returns null if it is malformed. */
function deliveryOf(line: string): RecordedDelivery | null {
  try {
    const row = JSON.parse(line) as RecordedDelivery
    const texts = [row.directiveId, row.wallet, row.destination]
    const numbers = [row.amountMicros, row.seq, row.delivery]
    const isWhole =
      texts.every((text) => typeof text === 'string') && numbers.every(Number.isSafeInteger)
    return isWhole && (row.txHash === null || typeof row.txHash === 'string') ? row : null
  } catch {
    return null
  }
}
