import { underlyingBytesMax } from '../../schemas/bounds.js'
import type { Right } from '../../schemas/domain.js'
import {
  instrumentExpiryDateAt,
  instrumentNameAt,
  instrumentRightAt,
  instrumentStrikeMicrosAt,
} from '../../schemas/events.js'
import type { InstrumentEvent } from '../../schemas/generated/events.js'
import { formatSymbol } from '../../schemas/symbol.js'

/** The views of an event log that its records are read through. */
export interface EventRecords {
  readonly i32: Int32Array
  readonly f64: Float64Array
  readonly u8: Uint8Array
}

/** Text of `bytes` ASCII bytes from `at` on. */
export function asciiAt(records: EventRecords, at: number, bytes: number): string {
  const { u8 } = records
  return Buffer.from(u8.buffer, u8.byteOffset + at, bytes).toString('latin1')
}

/** Name of the underlying in an Instrument event: padded with NUL. */
export function underlyingNameAt(records: EventRecords, at: number): string {
  let bytes = 0
  while (bytes < underlyingBytesMax && records.u8[at + instrumentNameAt + bytes] !== 0) bytes++
  return asciiAt(records, at + instrumentNameAt, bytes)
}

/** Canonical symbol of the instrument in an Instrument event. */
export function symbolAt(records: EventRecords, at: number): string {
  return formatSymbol({
    underlying: underlyingNameAt(records, at),
    expiryDate: records.i32[(at + instrumentExpiryDateAt) >> 2],
    strikeMicros: records.f64[(at + instrumentStrikeMicrosAt) >> 3],
    right: records.i32[(at + instrumentRightAt) >> 2] as Right,
  })
}

/** Name of the underlying: padded with NUL. */
export function underlyingNameOf({ u8, nameAt }: InstrumentEvent): string {
  const end = u8.indexOf(0, nameAt)
  const bytes = end < 0 ? underlyingBytesMax : Math.min(underlyingBytesMax, end - nameAt)
  return Buffer.from(u8.buffer, u8.byteOffset + nameAt, bytes).toString('latin1')
}

/** Canonical symbol of the instrument. */
export function symbolOf(event: InstrumentEvent): string {
  const { expiryDate, strikeMicros, right } = event
  return formatSymbol({ underlying: underlyingNameOf(event), expiryDate, strikeMicros, right })
}
