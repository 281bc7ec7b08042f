import { type Channel, channelRows } from '../../schemas/interface/channels.js'
import type { MessageOf } from '../../schemas/interface/streams.js'
import { canonicalSymbol } from '../../schemas/symbol.js'
import type { InstrumentNames } from '../link/instrument-names.js'
import { printable } from '../wire/shown-text.js'

/** Fields of a Subscribed for symbols that are not listed; empty if all are. */
export type UnknownSymbols = Pick<
  MessageOf<'Subscribed'>,
  'unknown_symbols' | 'unknown_symbol_count'
>

const namesMax = 100
const none: UnknownSymbols = {}

/**
 * Returns the symbols of a filter that match no current listing, without control characters and cut to 64 characters.
 * Valid symbols match after a later listing; the others never match on this channel.
 * @param symbols From the frame: a list of texts, or absent.
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
