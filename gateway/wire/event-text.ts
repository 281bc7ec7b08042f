import type { InstrumentEvent } from '../../schemas/generated/events.js'
import { formatSymbol } from '../../schemas/symbol.js'

/** Returns the canonical symbol of an instrument. */
export function symbolOf({ nameText, expiryDate, strikeMicros, right }: InstrumentEvent): string {
  return formatSymbol({ underlying: nameText, expiryDate, strikeMicros, right })
}
