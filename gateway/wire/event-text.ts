import type { InstrumentEvent } from '../../schemas/generated/events.js'
import { formatSymbol } from '../../schemas/symbol.js'

/** Canonical symbol of the instrument. */
export function symbolOf({ nameText, expiryDate, strikeMicros, right }: InstrumentEvent): string {
  return formatSymbol({ underlying: nameText, expiryDate, strikeMicros, right })
}
