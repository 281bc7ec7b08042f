import { bidPositionsMax } from '../../schemas/bounds.js'
import { parseSignedLots, parseSignedMicros } from '../../schemas/decimal.js'
import { Result } from '../../schemas/results.js'
import type { AuctionPosition } from '../../schemas/signing/auction-terms-hash.js'
import { type InstrumentSymbol, parseSymbol } from '../../schemas/symbol.js'
import { BodyFields } from '../wire/body-fields.js'
import type { Fault } from '../wire/fault.js'
import {
  invalidField,
  invalidParameter,
  isJsonObject,
  type JsonObject,
} from '../wire/request-fields.js'

/** Position in a bid: its texts as signed, and their numbers. */
export interface BidPosition extends AuctionPosition {
  readonly terms: InstrumentSymbol
  readonly lots: number
  readonly entryMicros: number
}

const positionFields = new BodyFields({ symbol: 'text', quantity: 'text', entry_price: 'text' })

/** Reads the positions of a wallet in auction. */
export function readPositions(
  value: unknown,
  name: string,
  refusesUnknown: boolean,
): readonly BidPosition[] | Fault {
  if (!Array.isArray(value) || value.length === 0 || value.length > bidPositionsMax) {
    return invalidParameter(name, `must be a list of 1 to ${bidPositionsMax} positions`)
  }
  const positions: BidPosition[] = []
  for (const item of value) {
    const fault = isJsonObject(item) ? positionFields.fault(item, refusesUnknown) : null
    if (fault?.result === Result.InvalidField) return fault
    const position = isJsonObject(item) && fault === null ? readPosition(item) : null
    if (position === null)
      return invalidField(
        name,
        'each position must have symbol, quantity and entry_price as strings',
      )
    positions.push(position)
  }
  return positions
}

function readPosition(item: JsonObject): BidPosition | null {
  const { symbol, quantity, entry_price: entryPrice } = item
  if (typeof symbol !== 'string' || typeof quantity !== 'string') return null
  if (typeof entryPrice !== 'string') return null
  const terms = parseSymbol(symbol)
  const lots = parseSignedLots(quantity)
  const entryMicros = parseSignedMicros(entryPrice)
  if (typeof terms === 'string' || !Number.isInteger(lots) || !(entryMicros >= 0)) return null
  return { symbol, quantity, entryPrice, terms, lots, entryMicros }
}
