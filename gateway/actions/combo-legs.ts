import { decimalCharsMax, moneyMicrosMax } from '../../schemas/bounds.js'
import { formatMicros, parseSizeLots } from '../../schemas/decimal.js'
import { type Side, sideNames } from '../../schemas/domain.js'
import { type LegTexts, parsePremiumMicros } from '../../schemas/signing/rfq-encoding.js'
import { formatSymbol, type InstrumentSymbol, parseSymbol } from '../../schemas/symbol.js'
import { BodyFields } from '../wire/body-fields.js'
import { Fault } from '../wire/fault.js'
import {
  invalidDecimal,
  invalidField,
  invalidParameter,
  isJsonObject,
  type JsonObject,
} from '../wire/request-fields.js'
import { quoted } from '../wire/shown-text.js'

/** Leg of an RFQ, from the taker's point of view. */
export interface ComboLeg {
  /** Canonical symbol. */
  readonly symbol: string
  readonly terms: InstrumentSymbol
  readonly side: Side
  readonly sizeLots: number
}

const legFields = new BodyFields({ instrument: 'text', side: 'text', size: 'text' })

/** Reads the limit for the premium of all legs, in micros. */
export function readPremiumLimit(text: string, name: string): number | Fault {
  const micros = parsePremiumMicros(text, 'refuse')
  if (micros === null) {
    const allowed = `a decimal of at most ${decimalCharsMax} characters, 6 of them decimals`
    return invalidField(name, `must be ${allowed}, not ${quoted(text)}`)
  }
  const number = Number(micros)
  if (Number.isSafeInteger(number)) return number
  return invalidField(name, `must be at most ${formatMicros(moneyMicrosMax)}, not ${quoted(text)}`)
}

/**
 * Reads legs. @returns The legs or the first fault: missing fields and types, then values, then rules about all legs.
 */
export function readLegs(
  given: readonly unknown[],
  name: string,
  refusesUnknown: boolean,
): readonly ComboLeg[] | Fault {
  for (const [index, leg] of given.entries()) {
    const place = `${name}[${index}]`
    if (!isJsonObject(leg)) return invalidParameter(place, 'must be an object')
    const fault = legFields.fault(leg, refusesUnknown)
    if (fault !== null) return new Fault(fault.result, {}, `${place}: ${fault.message}`)
  }
  const legs: ComboLeg[] = []
  for (const [index, leg] of given.entries()) {
    const read = readLeg(leg as JsonObject, `${name}[${index}]`)
    if (read instanceof Fault) return read
    legs.push(read)
  }
  const [first] = legs
  if (new Set(legs.map(({ symbol }) => symbol)).size < legs.length) {
    return invalidField(name, 'each leg must be a different instrument')
  }
  const isOne = legs.every(({ terms }) => terms.underlying === first!.terms.underlying)
  return isOne ? legs : invalidField(name, 'all legs must have the same underlying')
}

function readLeg(leg: JsonObject, place: string): ComboLeg | Fault {
  const { instrument, side: sideText, size } = leg as unknown as LegTexts
  const terms = parseSymbol(instrument)
  if (typeof terms === 'string') return invalidField(`${place}.instrument`, terms)
  const side = sideNames.indexOf(sideText as (typeof sideNames)[number])
  if (side < 0) return invalidField(`${place}.side`, `must be Buy or Sell, not ${quoted(sideText)}`)
  const sizeLots = parseSizeLots(size)
  if (sizeLots < 0) return invalidDecimal(`${place}.size`, size, sizeLots, parseSizeLots)
  return { symbol: formatSymbol(terms), terms, side: side as Side, sizeLots }
}
