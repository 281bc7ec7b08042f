import { assert } from '../../schemas/assert.js'
import { detailsCount, orderTracesKept } from '../../schemas/bounds.js'
import { OrderStatus } from '../../schemas/domain.js'
import { sameAddress } from '../../schemas/wallet.js'
import { cursorBytes } from './layout.js'
import { steadyMillisOf } from './steady-clock.js'

// Traces of the latest commands of one requester, in shared memory. Only its thread writes them; any thread may read.
//
//  0          128            + 4 x rows           + 8 x rows
//  +----------+--------------+------------ ... ---+---------- ... --+   A row is claimed when its command is sent, and
//  | claimed  | versions     | columns of Int32   | of Float64      |   completed when its result arrives. Its version
//  +----------+--------------+------------ ... ---+---------- ... --+   is 0 while it is written, then a new number.
//
// Columns are used because a search reads one or two of them. Rows are filled in order, so their lines stay in the
// cache.

const walletWords = 5
const I32 = {
  Submit: 0,
  NonceHigh: 1,
  NonceLow: 2,
  Command: 3,
  Result: 4,
  Flags: 5,
  Status: 6,
  Instrument: 7,
  IsAnswered: 8,
  Wallet: 9,
} as const
const i32Count = I32.Wallet + walletWords
const F64 = {
  Received: 0,
  Checked: 1,
  Sent: 2,
  Answered: 3,
  Seq: 4,
  PublishedSeq: 5,
  OrderId: 6,
  Details: 7,
} as const
const f64Count = F64.Details + detailsCount
const rowBytes = 4 + 4 * i32Count + 8 * f64Count

/** Means no row. */
export const noTimestamp = -1

/**
 * Maximum number of gateway rejections per second that are kept for a requester. A client with endless rejections
 * therefore cannot push out the traces of others.
 */
export const rejectionsPerSecondMax = 100

/** A command as it was sent. */
export interface TimedCommand {
  readonly recordType: number
  readonly nonceHigh: number
  readonly nonceLow: number
  readonly i32: Int32Array
}

/** An order or cancel that the gateway rejected before it became a command. */
export interface RefusedCommand {
  readonly recordType: number
  readonly wallet: Uint8Array
  readonly nonceHigh: number
  readonly nonceLow: number
}

/** Parts of a result that are kept. */
export interface TimedResult {
  readonly seq: number
  readonly result: number
  readonly flags: number
  readonly facts: {
    readonly orderId: number
    readonly status: number
    readonly instrument: number
  }
  details(index: number): number
}

/** Trace of one command. Times are steady milliseconds, comparable between threads; 0 if not measured, or not yet. */
export interface OrderTimestamp {
  /** Index of the requester: a gateway's. */
  readonly requester: number
  readonly command: number
  readonly nonceHigh: number
  readonly nonceLow: number
  readonly wallet: Uint8Array
  /** Time at which the whole request had arrived. */
  readonly receivedMillis: number
  /** Time at which its fields were parsed and hashed; the signature check comes next. */
  readonly checkedMillis: number
  /** Time at which it was in the ring to the core. */
  readonly sentMillis: number
  /** Time at which its answer was sent. */
  readonly answeredMillis: number
  /** True if its result is known; the following fields are 0 before that. */
  readonly isDecided: boolean
  /** Sequence of its result; 0 if the gateway rejected it. */
  readonly seq: number
  /** Sequence in its answer. */
  readonly publishedSeq: number
  readonly orderId: number
  readonly result: number
  readonly flags: number
  readonly status: number
  readonly instrument: number
  /** Details of a rejection, as in its event. */
  readonly details: Float64Array
}

export function allocateOrderTimestamps(rows = orderTracesKept): SharedArrayBuffer {
  assert((rows & (rows - 1)) === 0 && rows > 1, 'order timestamps: places are masked')
  return new SharedArrayBuffer(cursorBytes + rows * rowBytes)
}

class TimestampColumns {
  readonly rows: number
  readonly mask: number
  readonly claimed: Float64Array
  readonly versions: Int32Array
  readonly i32: Int32Array
  readonly f64: Float64Array

  constructor(memory: SharedArrayBuffer) {
    const rows = (memory.byteLength - cursorBytes) / rowBytes
    this.rows = rows
    this.mask = rows - 1
    this.claimed = new Float64Array(memory, 0, 1)
    this.versions = new Int32Array(memory, cursorBytes, rows)
    this.i32 = new Int32Array(memory, cursorBytes + 4 * rows, i32Count * rows)
    this.f64 = new Float64Array(memory, cursorBytes + 4 * rows * (1 + i32Count), f64Count * rows)
  }
}

/**
 * The requester's writer. A request is processed from its arrival to the ring without interruption, so its times are
 * kept outside the rows. Commands sent at other times were not received from a client and have no such times. Allocates
 * nothing.
 */
export class OrderTimestamps {
  readonly #columns: TimestampColumns
  /** Steady milliseconds at which the current request arrived and was checked. */
  readonly #at = new Float64Array(2)
  #claimed = 0
  #submits = 0
  #versions = 0
  #rejectionsFromMillis = 0
  #rejections = 0
  /** Row whose result is being reported. */
  decidedRow = noTimestamp

  constructor(memory: SharedArrayBuffer) {
    this.#columns = new TimestampColumns(memory)
  }

  /** Records the arrival of a request, by default now. @returns microseconds, as `answer` does. */
  receive(nowMillis = performance.now()): number {
    this.#at[0] = steadyMillisOf(nowMillis)
    this.#at[1] = 0
    return (nowMillis * 1000) | 0
  }

  /** Records that the check of its signature, or of the first of several, starts. */
  check(): void {
    if (this.#at[0] !== 0 && this.#at[1] === 0) this.#at[1] = steadyMillisOf(performance.now())
  }

  /** Ends the current request. */
  leave(): void {
    this.#at[0] = 0
    this.#at[1] = 0
  }

  /** Starts a group of commands that one answer will cover. */
  beginSubmit(): void {
    this.#submits = (this.#submits + 1) | 0
  }

  /**
   * Records a command in the ring.
   * @param walletAt offset of the wallet's 20 bytes.
   * @returns the row, which the acknowledgement of the command refers to.
   */
  send(command: TimedCommand, walletAt: number, nowMillis: number): number {
    const columns = this.#columns
    const { i32, f64, rows } = columns
    const row = this.#claimed++
    const place = row & columns.mask
    Atomics.store(columns.versions, place, 0)
    i32[I32.Submit * rows + place] = this.#submits
    i32[I32.NonceHigh * rows + place] = command.nonceHigh
    i32[I32.NonceLow * rows + place] = command.nonceLow
    i32[I32.Command * rows + place] = command.recordType
    i32[I32.IsAnswered * rows + place] = 0
    const from = walletAt >> 2
    for (let word = 0; word < walletWords; word++) {
      i32[(I32.Wallet + word) * rows + place] = command.i32[from + word]
    }
    f64[F64.Received * rows + place] = this.#at[0]
    f64[F64.Checked * rows + place] = this.#at[1]
    f64[F64.Sent * rows + place] = steadyMillisOf(nowMillis)
    f64[F64.Answered * rows + place] = 0
    f64[F64.Seq * rows + place] = 0
    f64[F64.OrderId * rows + place] = 0
    Atomics.store(columns.versions, place, this.#nextVersion())
    columns.claimed[0] = this.#claimed
    return row
  }

  /** Records a command that the gateway rejects itself. @param details of the rejection. */
  refuse(rejected: RefusedCommand, result: number, details: readonly number[] = []): void {
    const nowMillis = performance.now()
    if (!this.#keepsRejection(nowMillis)) {
      this.decidedRow = noTimestamp
      return
    }
    const { recordType, nonceHigh, nonceLow } = rejected
    const i32 = new Int32Array(rejected.wallet.slice().buffer)
    this.beginSubmit()
    const row = this.send({ recordType, nonceHigh, nonceLow, i32 }, 0, nowMillis)
    const facts = { orderId: 0, status: OrderStatus.Rejected, instrument: -1 }
    const detailOf = (index: number) => details[index] ?? 0
    this.decide(row, { ...{ seq: 0, result, flags: 0, facts }, details: detailOf }, 0)
  }

  #keepsRejection(nowMillis: number): boolean {
    if (nowMillis - this.#rejectionsFromMillis >= 1000) {
      this.#rejectionsFromMillis = nowMillis
      this.#rejections = 0
    }
    return ++this.#rejections <= rejectionsPerSecondMax
  }

  /** Records the result of a command. Its row is `decidedRow` until the next one's. */
  decide(row: number, outcome: TimedResult, publishedSeq: number): void {
    const columns = this.#columns
    // The command has no row, or its row was reused by later commands.
    if (!(row >= 0 && row >= this.#claimed - columns.rows)) {
      this.decidedRow = noTimestamp
      return
    }
    const { i32, f64, rows } = columns
    const place = row & columns.mask
    const { facts, result } = outcome
    Atomics.store(columns.versions, place, 0)
    i32[I32.Result * rows + place] = result
    i32[I32.Flags * rows + place] = outcome.flags
    i32[I32.Status * rows + place] = facts.status
    i32[I32.Instrument * rows + place] = facts.instrument
    i32[I32.IsAnswered * rows + place] = 1
    f64[F64.Seq * rows + place] = outcome.seq
    f64[F64.PublishedSeq * rows + place] = publishedSeq
    f64[F64.OrderId * rows + place] = facts.orderId
    if (result < 0) {
      for (let index = 0; index < detailsCount; index++) {
        f64[(F64.Details + index) * rows + place] = outcome.details(index)
      }
    }
    Atomics.store(columns.versions, place, this.#nextVersion())
    this.decidedRow = row
  }

  /**
   * Records the time of the answer to a row, and to all rows of its group.
   * @returns wrapping microseconds, as `receive` does.
   */
  answer(row: number): number {
    const nowMillis = performance.now()
    if (row !== noTimestamp) this.#answerAll(row, steadyMillisOf(nowMillis))
    return (nowMillis * 1000) | 0
  }

  /** Calls `answer` for the row whose result is being reported. */
  answerDecided(): number {
    return this.answer(this.decidedRow)
  }

  #answerAll(row: number, steady: number): void {
    const { f64, i32, mask, rows } = this.#columns
    const first = Math.max(0, this.#claimed - rows)
    if (row < first) return
    const submit = i32[I32.Submit * rows + (row & mask)]
    for (let other = row; other >= first; other--) {
      if (i32[I32.Submit * rows + (other & mask)] !== submit) break
      f64[F64.Answered * rows + (other & mask)] = steady
    }
    for (let other = row + 1; other < this.#claimed; other++) {
      if (i32[I32.Submit * rows + (other & mask)] !== submit) break
      f64[F64.Answered * rows + (other & mask)] = steady
    }
  }

  #nextVersion(): number {
    this.#versions = (this.#versions + 1) & 0x7fffffff || 1
    return this.#versions
  }
}

/** Commands to search for: of one order, or of one nonce. */
export type TimestampKey =
  | { readonly orderId: number }
  | { readonly wallet: Uint8Array; readonly nonceHigh: number; readonly nonceLow: number }

/**
 * Returns the latest matching command for which `isMeant` is true, over all requesters; null if there is none.
 * @param memories in the order of the requesters.
 */
export function findTimestamp(
  memories: readonly SharedArrayBuffer[],
  query: TimestampKey,
  matches: (timestamp: OrderTimestamp) => boolean,
): OrderTimestamp | null {
  let latest: OrderTimestamp | null = null
  for (const [requester, memory] of memories.entries()) {
    const columns = new TimestampColumns(memory)
    const found = latestOf(columns, requester, query, matches)
    if (found !== null && (latest === null || found.sentMillis > latest.sentMillis)) latest = found
  }
  return latest
}

/** Returns all commands whose results are between two sequences, inclusive, by rising sequence. */
export function timestampsBetween(
  memories: readonly SharedArrayBuffer[],
  firstSeq: number,
  lastSeq: number,
): OrderTimestamp[] {
  const found: OrderTimestamp[] = []
  for (const [requester, memory] of memories.entries()) {
    const columns = new TimestampColumns(memory)
    const { f64, rows } = columns
    const seqs = f64.subarray(F64.Seq * rows, (F64.Seq + 1) * rows)
    for (let place = 0; place < rows; place++) {
      const seq = seqs[place]
      if (!(seq >= firstSeq && seq <= lastSeq)) continue
      const timestamp = readRow(columns, requester, place)
      if (timestamp !== null && timestamp.seq >= firstSeq && timestamp.seq <= lastSeq)
        found.push(timestamp)
    }
  }
  return found.sort((one, other) => one.seq - other.seq)
}

function latestOf(
  columns: TimestampColumns,
  requester: number,
  query: TimestampKey,
  matches: (timestamp: OrderTimestamp) => boolean,
): OrderTimestamp | null {
  const { f64, i32, rows } = columns
  const end = Math.min(rows, columns.claimed[0])
  const isOrder = 'orderId' in query
  const value = isOrder ? query.orderId : query.nonceLow | 0
  const from = (isOrder ? F64.OrderId : I32.NonceLow) * rows
  // The runtime's own search: a loop here takes ten times as long, and blocks the gateway.
  const column = (isOrder ? f64 : i32).subarray(from, from + end)
  const words = isOrder ? new Int32Array() : new Int32Array(query.wallet.slice().buffer)
  let latest: OrderTimestamp | null = null
  for (let place = column.indexOf(value); place >= 0; place = column.indexOf(value, place + 1)) {
    const isWallets = words.every(
      (word, index) => i32[(I32.Wallet + index) * rows + place] === word,
    )
    const timestamp = isWallets ? readRow(columns, requester, place) : null
    if (timestamp === null || !matchesQuery(timestamp, query) || !matches(timestamp)) continue
    if (latest === null || timestamp.sentMillis >= latest.sentMillis) latest = timestamp
  }
  return latest
}

/** Checks the row again after reading it, because it may have been reused. */
function matchesQuery(timestamp: OrderTimestamp, query: TimestampKey): boolean {
  if ('orderId' in query) return timestamp.orderId === query.orderId
  const { nonceHigh, nonceLow, wallet } = query
  const isNonce = timestamp.nonceHigh === nonceHigh && timestamp.nonceLow === nonceLow
  return isNonce && sameAddress(timestamp.wallet, 0, wallet, 0)
}

/** Reads a row. @returns null if it is being written. */
function readRow(
  columns: TimestampColumns,
  requester: number,
  place: number,
): OrderTimestamp | null {
  const { f64, i32, rows, versions } = columns
  const version = Atomics.load(versions, place)
  if (version === 0) return null
  const wordOf = (column: number) => i32[column * rows + place]
  const numberOf = (column: number) => f64[column * rows + place]
  const isDecided = wordOf(I32.IsAnswered) === 1
  const words = Int32Array.from({ length: walletWords }, (_, word) => wordOf(I32.Wallet + word))
  const timestamp: OrderTimestamp = {
    requester,
    command: wordOf(I32.Command),
    nonceHigh: wordOf(I32.NonceHigh) >>> 0,
    nonceLow: wordOf(I32.NonceLow) >>> 0,
    wallet: new Uint8Array(words.buffer),
    receivedMillis: numberOf(F64.Received),
    checkedMillis: numberOf(F64.Checked),
    sentMillis: numberOf(F64.Sent),
    answeredMillis: numberOf(F64.Answered),
    isDecided,
    seq: numberOf(F64.Seq),
    publishedSeq: isDecided ? numberOf(F64.PublishedSeq) : 0,
    orderId: numberOf(F64.OrderId),
    result: isDecided ? wordOf(I32.Result) : 0,
    flags: isDecided ? wordOf(I32.Flags) : 0,
    status: isDecided ? wordOf(I32.Status) : 0,
    instrument: isDecided ? wordOf(I32.Instrument) : -1,
    details: Float64Array.from({ length: detailsCount }, (_, index) =>
      numberOf(F64.Details + index),
    ),
  }
  return Atomics.load(versions, place) === version ? timestamp : null
}
