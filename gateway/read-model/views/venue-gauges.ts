import { readText, writeText } from '../../../schemas/record-text.js'

/** An expiry whose settlement price is missing. */
export interface PendingExpiry {
  readonly underlying: string
  readonly expiryMillis: number
}

/** How the venue itself stands: its own balances in micros, and numbers of wallets and expiries. */
export interface VenueGauges {
  readonly feesMicros: number
  readonly insuranceMicros: number
  readonly dustMicros: number
  readonly clearingMicros: number
  /** What the operator has paid into the insurance fund so far. */
  readonly depositsMicros: number
  /** Wallets in their grace period, in the partial phase, in auction. */
  readonly graceCount: number
  readonly partialCount: number
  readonly fullCount: number
  /** Wallets whose check waits for a mark. */
  readonly waitingCount: number
  /** Expiries that wait for the operator's price: all of them, and those there is room for. */
  readonly pendingCount: number
  readonly pending: readonly PendingExpiry[]
}

const numberNames = [
  'feesMicros',
  'insuranceMicros',
  'dustMicros',
  'clearingMicros',
  'depositsMicros',
  'graceCount',
  'partialCount',
  'fullCount',
  'waitingCount',
  'pendingCount',
] as const satisfies readonly (keyof VenueGauges)[]

//  The read model writes, the operator interface reads
//  0         8                         88       112
//  +---------+---- ... ----------------+--------+-------- ... ----+
//  | version | numbers (10 x Float64)  | spare  | rows            |   version: odd while it is written, 0 at first
//  +---------+---- ... ----------------+--------+-------- ... ----+
//  Row: expiry (Float64), underlying (16 bytes, filled up with 0)
const versionWord = 0
const numbersAt = 8
const rowsAt = 112
const rowBytes = 24
const underlyingAt = 8
const underlyingBytes = 16
const looksMax = 1000

/** The block of memory; rows for as many expiries as fit. */
export class VenueBoard {
  readonly #words: Int32Array
  readonly #f64: Float64Array
  readonly #bytes: Uint8Array
  readonly #rowsMax: number

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory)
    this.#f64 = new Float64Array(memory)
    this.#bytes = new Uint8Array(memory)
    this.#rowsMax = Math.floor((memory.byteLength - rowsAt) / rowBytes)
  }

  /** Owner: stores all of it; rows beyond the room are left out. */
  write(gauges: VenueGauges): void {
    Atomics.add(this.#words, versionWord, 1)
    for (const [i, name] of numberNames.entries()) this.#f64[numbersAt / 8 + i] = gauges[name]
    for (const [i, row] of gauges.pending.slice(0, this.#rowsMax).entries()) {
      const at = rowsAt + i * rowBytes
      this.#f64[at / 8] = row.expiryMillis
      writeText(row.underlying, this.#bytes, at + underlyingAt, underlyingBytes)
    }
    Atomics.add(this.#words, versionWord, 1)
  }

  /** What was written last, all of one moment; null before the first time. Looks again while it is being written. */
  read(): VenueGauges | null {
    for (let looks = 0; ; looks++) {
      const version = Atomics.load(this.#words, versionWord)
      if (version === 0) return null
      const gauges = this.#read()
      const isWhole = version % 2 === 0 && Atomics.load(this.#words, versionWord) === version
      if (isWhole || looks === looksMax) return gauges
    }
  }

  #read(): VenueGauges {
    const numbers = numberNames.map((name, i) => [name, this.#f64[numbersAt / 8 + i]!] as const)
    const gauges = Object.fromEntries(numbers) as Omit<VenueGauges, 'pending'>
    const rows = Math.min(gauges.pendingCount, this.#rowsMax)
    const pending = Array.from({ length: rows }, (_, i): PendingExpiry => {
      const at = rowsAt + i * rowBytes
      const underlying = readText(this.#bytes, at + underlyingAt, underlyingBytes)
      return { underlying, expiryMillis: this.#f64[at / 8]! }
    })
    return { ...gauges, pending }
  }
}
