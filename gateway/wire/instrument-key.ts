import type { InstrumentKey } from '../../schemas/generated/commands.js'
import type { InstrumentSymbol } from '../../schemas/symbol.js'

export function writeKey(key: InstrumentKey, symbol: InstrumentSymbol): void {
  key.underlyingText = symbol.underlying
  key.expiryDate = symbol.expiryDate
  key.right = symbol.right
  key.strikeMicros = symbol.strikeMicros
}
