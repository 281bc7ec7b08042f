import { instrumentTypeOf } from '../../../schemas/symbol.js'

const monthNames = [
  ...['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'],
  ...['Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
]
const optionForm = /^([^-]+)-(\d{4})(\d\d)(\d\d)-([\d.]+)-([CP])$/

/** An option by what its symbol says; null of what is none. */
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

/** null of what is no option. */
export function optionOf(symbol: string | null): string | null {
  return symbol === null || isPerp(symbol) ? null : symbol
}

/** An option or a perp as people call it; other symbols as they are. */
export function symbolText(symbol: string): string {
  if (isPerp(symbol)) return `${underlyingOf(symbol)} perp`
  const parts = optionParts(symbol)
  if (parts === null) return symbol
  const strike = Number(parts.strike).toLocaleString('en-US')
  return `${parts.underlying} ${parts.day} ${strike} ${parts.right}`
}

/** The same in few letters, where all that is shown is of one underlying. */
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

/** A day of expiry. @param seconds Unix. */
export function expiryText(seconds: number): string {
  const date = new Date(seconds * 1000)
  const year = String(date.getUTCFullYear()).slice(2)
  return `${date.getUTCDate()} ${monthNames[date.getUTCMonth()]} ${year}`
}
