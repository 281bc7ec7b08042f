export const gaugeNames = [
  'bidPrice',
  'askPrice',
  'markPrice',
  'openInterest',
  'volumeOfDay',
] as const

/** Gauges of one instrument; prices in USD, sizes in contracts. 0 if there is no value. */
export type InstrumentGauges = Record<(typeof gaugeNames)[number], number>

//  Row of an instrument, by its id; the read model writes, the operator interface reads
//  0              8                        48       56           56 + length
//  +--------------+---- ... ---------------+--------+---- ... ---+
//  | symbol bytes | gauges (5 x Float64)   | spare  | symbol     |   symbol bytes 0: no active instrument
//  +--------------+---- ... ---------------+--------+---- ... ---+
// The gauges of a row may differ in time: each is a single store, and they are never added up.
const gaugesAt = 8
const symbolAt = 56
const rowBytes = 128
const symbolBytesMax = rowBytes - symbolAt

const decoder = new TextDecoder()

/** Rows in shared memory. Instruments with ids beyond the last row have none. */
export class InstrumentRows {
  readonly #f64: Float64Array
  readonly #u8: Uint8Array
  readonly #count: number

  constructor(memory: SharedArrayBuffer) {
    this.#f64 = new Float64Array(memory)
    this.#u8 = new Uint8Array(memory)
    this.#count = Math.floor(memory.byteLength / rowBytes)
  }

  write(instrument: number, symbol: string, gauges: InstrumentGauges): void {
    if (instrument >= this.#count || symbol.length > symbolBytesMax) return
    const at = instrument * rowBytes
    const first = (at + gaugesAt) / 8
    for (let i = 0; i < gaugeNames.length; i++) this.#f64[first + i] = gauges[gaugeNames[i]!]
    for (let i = 0; i < symbol.length; i++) this.#u8[at + symbolAt + i] = symbol.charCodeAt(i)
    this.#f64[at / 8] = symbol.length
  }

  /** Clears the row of an instrument that is no longer active. */
  clear(instrument: number): void {
    if (instrument < this.#count) this.#f64[(instrument * rowBytes) / 8] = 0
  }

  /** Visits every active instrument; `gauges` is reused. */
  forEach(visit: (symbol: string, gauges: Readonly<InstrumentGauges>) => void): void {
    const gauges = { bidPrice: 0, askPrice: 0, markPrice: 0, openInterest: 0, volumeOfDay: 0 }
    for (let instrument = 0; instrument < this.#count; instrument++) {
      const at = instrument * rowBytes
      const length = this.#f64[at / 8]!
      if (length === 0) continue
      for (const [i, name] of gaugeNames.entries()) {
        gauges[name] = this.#f64[(at + gaugesAt) / 8 + i]!
      }
      const first = at + symbolAt
      // Copied, because text decoders reject shared memory.
      visit(decoder.decode(this.#u8.slice(first, first + length)), gauges)
    }
  }
}
