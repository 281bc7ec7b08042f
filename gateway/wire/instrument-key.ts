import {
  keyExpiryDateAt,
  keyRightAt,
  keyStrikeMicrosAt,
  keyUnderlyingAt,
} from '../../schemas/commands.js'
import type { RecordViews } from '../../schemas/record-views.js'
import type { InstrumentSymbol } from '../../schemas/symbol.js'

/** Writes text whose characters are known to be ASCII. */
export function writeAscii(text: string, target: Uint8Array, at: number): void {
  for (let i = 0; i < text.length; i++) target[at + i] = text.charCodeAt(i)
}

/** Writes an instrument key into bytes that are zero. */
export function writeKey(
  { i32, f64, u8 }: RecordViews,
  at: number,
  option: InstrumentSymbol,
): void {
  writeAscii(option.underlying, u8, at + keyUnderlyingAt)
  i32[(at + keyExpiryDateAt) >> 2] = option.expiryDate
  i32[(at + keyRightAt) >> 2] = option.right
  f64[(at + keyStrikeMicrosAt) >> 3] = option.strikeMicros
}
