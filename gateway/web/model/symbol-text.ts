import { instrumentTypeOf } from '../../../schemas/symbol.js'

const monthNames = [
  ...['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'],
  ...['Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
]
const optionForm = /^([^-]+)-(\d{4})(\d\d)(\d\d)-([\d.]+)-([CP])$/

/** Parses the symbol of an option; null for other symbols. */
export function optionParts(symbol: string) {
  const match = optionForm.exec(symbol)
  if (match === null) return null
  const [, underlying, year, month, day, strike, right] = match
  return {
    underlying: underlying!,
    day: `${Number(day)} ${monthNames[Number(month) - 1]} ${year!.slice(2)}`,
    strike: strike!,
    right: right === 'C' ? ('call' as const) : ('put' as const),
  }
}

export function isPerp(symbol: string): boolean {
  return instrumentTypeOf(symbol) === 'perp'
}

/** Returns the symbol if it is not a perp's; else null. */
export function optionOf(symbol: string | null): string | null {
  return symbol === null || isPerp(symbol) ? null : symbol
}

/** Formats the symbol of an option or perp for people. Other symbols are unchanged. */
export function symbolText(symbol: string): string {
  if (isPerp(symbol)) return `${underlyingOf(symbol)} perp`
  const parts = optionParts(symbol)
  if (parts === null) return symbol
  const strike = Number(parts.strike).toLocaleString('en-US')
  return `${parts.underlying} ${parts.day} ${strike} ${parts.right}`
}

/** Formats a symbol briefly, where everything shown has one underlying. */
export function shortSymbolText(symbol: string): string {
  if (isPerp(symbol)) return 'perp'
  const parts = optionParts(symbol)
  if (parts === null) return symbol
  const strike = Number(parts.strike).toLocaleString('en-US')
  return `${parts.day} ${strike} ${parts.right === 'call' ? 'C' : 'P'}`
}

export function underlyingOf(symbol: string): string {
  return symbol.slice(0, symbol.indexOf('-'))
}

/** Formats the date of an expiry. @param seconds Unix seconds. */
export function expiryText(seconds: number): string {
  const date = new Date(seconds * 1000)
  const year = String(date.getUTCFullYear()).slice(2)
  return `${date.getUTCDate()} ${monthNames[date.getUTCMonth()]} ${year}`
}
