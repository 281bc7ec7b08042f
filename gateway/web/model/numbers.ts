// Numbers as people read them. What is unknown is a dash, never a zero.

export const unknown = '–'

const thousandsMin = 1000
const formats = new Map<number, Intl.NumberFormat>()

/** With a fixed count of decimals, and commas between thousands. */
export function fixed(value: number | null | undefined, decimals: number): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return unknown
  let format = formats.get(decimals)
  if (format === undefined) {
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
    formats.set(decimals, (format = new Intl.NumberFormat('en-US', digits)))
  }
  return format.format(Object.is(value, -0) ? 0 : value)
}

/** A price of an option: the more it is, the fewer decimals say something. */
export function priceText(value: number | null | undefined): string {
  if (value === null || value === undefined) return unknown
  const size = Math.abs(value)
  return fixed(value, size >= thousandsMin ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 4)
}

/** An amount of money of an account, in cents. */
export function moneyText(value: string | number | null | undefined): string {
  if (value === null || value === undefined || value === '') return unknown
  return fixed(Number(value), 2)
}

/** Money with its sign, as gains are written. */
export function gainText(value: string | number | null | undefined): string {
  const text = moneyText(value)
  return Number(value) > 0 && text !== unknown ? `+${text}` : text
}

/** A fraction as percent. */
export function percentText(fraction: number | null | undefined, decimals = 1): string {
  if (fraction === null || fraction === undefined || !Number.isFinite(fraction)) return unknown
  return `${fixed(fraction * 100, decimals)}%`
}

/** A size in contracts: no more decimals than it has. */
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

/** Of the last figure: what a product of binary fractions may lack. */
const roundingShare = 1e-9

/** A count from 0 on in at most four characters where it is below 1e12: of a large one its first figures. */
export function shortText(value: number): string {
  const [unit, letter] = shortUnits.find(([least]) => value >= least) ?? [1, '']
  const scaled = value / unit
  const decimals = (scaled >= 10 ? 0 : 1) + (unit === 1 ? 1 : 0)
  const cut = Math.floor(scaled * 10 ** decimals + roundingShare) / 10 ** decimals
  if (cut === 0 && value > 0) return '>0'
  return `${cut >= 100 ? Math.floor(cut) : cut}${letter}`
}

/** Hours, minutes and seconds of where the page is looked at. */
export function clockText(millis: number): string {
  return new Date(millis).toTimeString().slice(0, 8)
}

/** The same with the day before it, as lists of more than a day have it. */
export function momentText(millis: number): string {
  return `${new Date(millis).toISOString().slice(5, 10)} ${clockText(millis)}`
}

const hourMillis = 3_600_000

/** How long it is until then: days and hours, or hours and minutes. */
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

/** The same of what is not over yet, in seconds where there are few. */
export function secondsLeftText(untilMillis: number, nowMillis: number): string {
  const seconds = Math.max(0, Math.ceil((untilMillis - nowMillis) / 1000))
  return seconds < secondsShown ? `${seconds} s` : leftText(untilMillis, nowMillis)
}

/** An address by its ends. */
export function shortAddress(address: string): string {
  return address.length > 12 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address
}

/** Which way a number points, as a class of the style. */
export function toneOf(value: string | number | null | undefined): 'up' | 'down' | '' {
  const number = Number(value ?? 0)
  return number > 0 ? 'up' : number < 0 ? 'down' : ''
}
