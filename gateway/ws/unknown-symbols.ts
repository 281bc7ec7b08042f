import { type Channel, channelRows } from '../../schemas/interface/channels.js'
import { canonicalSymbol } from '../../schemas/symbol.js'
import type { InstrumentNames } from '../link/instrument-names.js'
import { printable } from '../wire/shown-text.js'

/** What an acknowledgement says of names that the venue does not know; nothing where it knows all. */
export interface UnknownSymbols {
  /** As received, without control characters and cut to 64 characters; the first ones. */
  readonly unknown_symbols?: readonly string[]
  /** All of them. */
  readonly unknown_symbol_count?: number
}

const namesMax = 100
const none: UnknownSymbols = {}

/**
 * Names of a subscription's filter that match nothing which is listed now. Of those that parse, a later listing is heard
 * of; the others never match anything on this channel.
 * @param symbols of the frame: a list of texts, or absent.
 */
export function unknownSymbols(
  channel: Channel,
  symbols: unknown,
  names: InstrumentNames,
): UnknownSymbols {
  const kind = channelRows[channel].symbols
  if (!Array.isArray(symbols) || kind === 'none') return none
  const isKnown = (text: string) => {
    const isUnderlying = kind !== 'instrument' && names.isUnderlying(text)
    if (isUnderlying || kind === 'underlying') return isUnderlying
    const symbol = canonicalSymbol(text)
    return symbol !== null && names.isListed(symbol)
  }
  const unknown = [...new Set(symbols as string[])].filter((text) => !isKnown(text))
  if (unknown.length === 0) return none
  return {
    unknown_symbols: unknown.slice(0, namesMax).map(printable),
    unknown_symbol_count: unknown.length,
  }
}
