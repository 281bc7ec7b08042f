import { assert } from '../../schemas/assert.js'
import { cursorBytes } from './layout.js'
import { steadyMillis, steadyMillisOf } from './steady-clock.js'

// Timestamps of the latest batches in shared memory. The core writes a row per batch, and the journal one field of it.
// Each reads the clock once per batch or flush. Any thread may read the rows.
//
//  0          128            + 4 x rows   + 8 x rows
//  +----------+--------------+------------+------------+-- ... --+   The index of a row is the batch number, masked.
//  | newest   | versions     | first seq  | last seq   |         |   Its version is 0 while it is written, otherwise
//  +----------+--------------+------------+------------+-- ... --+   the number of rows written so far. If the version
//                                                                    changes during a read, the values belong to two
//                                                                    batches and are discarded.
const newestAt = 0

/** A power of two: about an hour of batches in a quiet market. */
export const batchTimestampRows = 1 << 14

const Column = {
  Number: 0,
  FirstSeq: 1,
  LastSeq: 2,
  Commands: 3,
  TimeMillis: 4,
  Begun: 5,
  Collected: 6,
  Closed: 7,
  Flushed: 8,
} as const
const columnCount = 9
const rowBytes = 4 + 8 * columnCount

/** Timestamps of a batch, in steady milliseconds, which are comparable between threads. */
export interface BatchTimestamp {
  readonly number: number
  /** Sequences of its first and last event. */
  readonly firstSeq: number
  readonly lastSeq: number
  /** Number of commands that it decided; items of bulks count separately. */
  readonly commands: number
  /** Engine time of the batch, Unix milliseconds. */
  readonly timeMillis: number
  readonly begunMillis: number
  /** Time at which all commands were decided, by the matchers too where necessary. */
  readonly collectedMillis: number
  /** Time at which all results were applied and published. The journal received the batch next. */
  readonly closedMillis: number
  /** Time at which the batch was durable; 0 if it is not yet, or nothing waits for that. */
  readonly flushedMillis: number
}

export function allocateBatchTimestamps(rows = batchTimestampRows): SharedArrayBuffer {
  assert((rows & (rows - 1)) === 0 && rows > 1, 'batch timestamps: places are masked')
  return new SharedArrayBuffer(cursorBytes + rows * rowBytes)
}

class BatchColumns {
  readonly rows: number
  readonly #newest: Float64Array
  readonly versions: Int32Array
  readonly f64: Float64Array

  constructor(memory: SharedArrayBuffer) {
    this.rows = (memory.byteLength - cursorBytes) / rowBytes
    this.#newest = new Float64Array(memory, newestAt, 1)
    this.versions = new Int32Array(memory, cursorBytes, this.rows)
    this.f64 = new Float64Array(memory, cursorBytes + 4 * this.rows, columnCount * this.rows)
  }

  /** Number of the newest batch; 0 if there was none. */
  get newest(): number {
    return this.#newest[0]
  }

  set newest(number: number) {
    this.#newest[0] = number
  }

  placeOf(number: number): number {
    return number & (this.rows - 1)
  }
}

/** Writer of the core: receives each step of a batch. */
export class BatchTimestamps {
  readonly #columns: BatchColumns
  readonly #at = new Float64Array(2)
  #written = 0

  constructor(memory: SharedArrayBuffer) {
    this.#columns = new BatchColumns(memory)
  }

  /** @param nowMillis of `performance.now`, which the core has already read. */
  onBegun(nowMillis: number): void {
    this.#at[0] = steadyMillisOf(nowMillis)
  }

  /** Records that the commands of the batch are decided. */
  onCollected(): void {
    this.#at[1] = steadyMillis()
  }

  /** Writes the row of a published batch, before any thread that waits for its durability reads the row. */
  onClosed(
    number: number,
    firstSeq: number,
    lastSeq: number,
    commands: number,
    timeMillis: number,
  ): void {
    const columns = this.#columns
    const { f64, rows, versions } = columns
    const place = columns.placeOf(number)
    this.#written = (this.#written + 1) & 0x7fffffff || 1
    Atomics.store(versions, place, 0)
    f64[Column.Number * rows + place] = number
    f64[Column.FirstSeq * rows + place] = firstSeq
    f64[Column.LastSeq * rows + place] = lastSeq
    f64[Column.Commands * rows + place] = commands
    f64[Column.TimeMillis * rows + place] = timeMillis
    f64[Column.Begun * rows + place] = this.#at[0]
    f64[Column.Collected * rows + place] = this.#at[1]
    f64[Column.Closed * rows + place] = steadyMillis()
    f64[Column.Flushed * rows + place] = 0
    Atomics.store(versions, place, this.#written)
    columns.newest = number
  }
}

/** Writer of the journal. */
export class FlushTimestamps {
  readonly #columns: BatchColumns
  #done: number

  /** @param done number of the last batch that was durable before. */
  constructor(memory: SharedArrayBuffer, done: number) {
    this.#columns = new BatchColumns(memory)
    this.#done = done
  }

  /** Records that all batches up to this one are durable, before any thread is notified. */
  onDurable(last: number): void {
    const { f64, rows } = this.#columns
    const nowMillis = steadyMillis()
    for (let number = Math.max(this.#done + 1, last - rows + 1); number <= last; number++) {
      const place = this.#columns.placeOf(number)
      // A batch that was journaled early has no row.
      if (f64[Column.Number * rows + place] !== number) continue
      f64[Column.Flushed * rows + place] = nowMillis
    }
    this.#done = last
  }
}

/** Returns the batch that published an event; null if it is too old, or from before the start. */
export function findBatch(memory: SharedArrayBuffer, seq: number): BatchTimestamp | null {
  const columns = new BatchColumns(memory)
  const { f64, newest, rows } = columns
  for (let number = newest; number > 0 && number > newest - rows; number--) {
    const place = columns.placeOf(number)
    // The place holds another batch if this one has no row, or was just overwritten.
    if (f64[Column.Number * rows + place] !== number) continue
    if (f64[Column.FirstSeq * rows + place] > seq) continue
    const found = readRow(columns, place)
    if (found === null || found.number !== number) continue
    return seq <= found.lastSeq ? found : null
  }
  return null
}

/** Reads a row. @returns null if it is being written. */
function readRow({ f64, rows, versions }: BatchColumns, place: number): BatchTimestamp | null {
  const version = Atomics.load(versions, place)
  const numberOf = (column: number) => f64[column * rows + place]
  const row = {
    number: numberOf(Column.Number),
    firstSeq: numberOf(Column.FirstSeq),
    lastSeq: numberOf(Column.LastSeq),
    commands: numberOf(Column.Commands),
    timeMillis: numberOf(Column.TimeMillis),
    begunMillis: numberOf(Column.Begun),
    collectedMillis: numberOf(Column.Collected),
    closedMillis: numberOf(Column.Closed),
    flushedMillis: numberOf(Column.Flushed),
  }
  return version !== 0 && Atomics.load(versions, place) === version ? row : null
}
