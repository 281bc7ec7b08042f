// Formats numbers for people. An unknown value is a dash, never a zero.

export const unknown = '–'

const thousandsMin = 1000
const formats = new Map<number, Intl.NumberFormat>()

/** Formats with a fixed number of decimals, and commas between thousands. */
export function fixed(value: number | null | undefined, decimals: number): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return unknown
  let format = formats.get(decimals)
  if (format === undefined) {
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
    formats.set(decimals, (format = new Intl.NumberFormat('en-US', digits)))
  }
  return format.format(Object.is(value, -0) ? 0 : value)
}

/** Formats an option price. Higher prices get fewer decimals. */
export function priceText(value: number | null | undefined): string {
  if (value === null || value === undefined) return unknown
  const size = Math.abs(value)
  return fixed(value, size >= thousandsMin ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 4)
}

/** Formats an amount in USD to cents. */
export function moneyText(value: string | number | null | undefined): string {
  if (value === null || value === undefined || value === '') return unknown
  return fixed(Number(value), 2)
}

/** Formats a profit or loss with its sign. */
export function gainText(value: string | number | null | undefined): string {
  const text = moneyText(value)
  return Number(value) > 0 && text !== unknown ? `+${text}` : text
}

/** Formats a fraction as percent. */
export function percentText(fraction: number | null | undefined, decimals = 1): string {
  if (fraction === null || fraction === undefined || !Number.isFinite(fraction)) return unknown
  return `${fixed(fraction * 100, decimals)}%`
}

/** Formats a size in contracts, without trailing zeros. */
export function sizeText(value: string | number | null | undefined): string {
  if (value === null || value === undefined || value === '') return unknown
  const number = Number(value)
  if (!Number.isFinite(number)) return unknown
  return String(Number(number.toPrecision(8)))
}

const shortUnits = [
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const

/** Tolerance for the rounding error of a binary product, as a share of the last figure. */
const roundingShare = 1e-9

/** Formats a count from 0 to below 1e12 in at most four characters; large ones keep only their first figures. */
export function shortText(value: number): string {
  const [unit, letter] = shortUnits.find(([least]) => value >= least) ?? [1, '']
  const scaled = value / unit
  const decimals = (scaled >= 10 ? 0 : 1) + (unit === 1 ? 1 : 0)
  const cut = Math.floor(scaled * 10 ** decimals + roundingShare) / 10 ** decimals
  if (cut === 0 && value > 0) return '>0'
  return `${cut >= 100 ? Math.floor(cut) : cut}${letter}`
}

/** Formats hours, minutes and seconds in the time zone of the browser. */
export function clockText(millis: number): string {
  return new Date(millis).toTimeString().slice(0, 8)
}

/** Formats the date and time, for lists over more than a day. */
export function momentText(millis: number): string {
  return `${new Date(millis).toISOString().slice(5, 10)} ${clockText(millis)}`
}

const hourMillis = 3_600_000

/** Formats the time until `untilMillis`: days and hours, or hours and minutes. */
export function leftText(untilMillis: number, nowMillis: number): string {
  const left = Math.max(0, untilMillis - nowMillis)
  const hours = Math.floor(left / hourMillis)
  if (hours >= 24) return `${Math.floor(hours / 24)}d ${hours % 24}h`
  return `${hours}h ${Math.floor((left % hourMillis) / 60_000)}m`
}

/** Returns the whole seconds of a countdown, rounded up so that 0 is the end. */
export function secondsText(leftMillis: number): string {
  return `${Math.ceil(leftMillis / 1000)} s`
}

const secondsShown = 100

/** Formats the time until `untilMillis`, in seconds if there are few. */
export function secondsLeftText(untilMillis: number, nowMillis: number): string {
  const seconds = Math.max(0, Math.ceil((untilMillis - nowMillis) / 1000))
  return seconds < secondsShown ? `${seconds} s` : leftText(untilMillis, nowMillis)
}

/** Shortens an address to its ends. */
export function shortAddress(address: string): string {
  return address.length > 12 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address
}

/** Returns the style class of a number's sign. */
export function toneOf(value: string | number | null | undefined): 'up' | 'down' | '' {
  const number = Number(value ?? 0)
  return number > 0 ? 'up' : number < 0 ? 'down' : ''
}
