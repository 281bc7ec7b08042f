import { InvalidArgumentError } from 'commander'
import { parseAddress } from '../../schemas/wallet.js'

// What options and arguments of a command line are read by; what is wrong is told by commander, with the option's name.

/** A number above the limit. */
export function above(limit: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (text.trim() !== '' && value > limit && Number.isFinite(value)) return value
    throw new InvalidArgumentError(`a number above ${limit}`)
  }
}

/** A whole number within bounds. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER) {
  const allowed = most === Number.MAX_SAFE_INTEGER ? 'on' : `to ${most}`
  return (text: string): number => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= least && value <= most) return value
    throw new InvalidArgumentError(`a whole number from ${least} ${allowed}`)
  }
}

/** An address in lower case. */
export function addressOf(text: string): string {
  if (parseAddress(text) !== null) return text.toLowerCase()
  throw new InvalidArgumentError('an address: 0x and 40 hexadecimal digits')
}

/** A time in Unix milliseconds. */
export function millisOf(text: string): number {
  const millis = /^\d{12,}$/.test(text) ? Number(text) : Date.parse(text)
  if (Number.isFinite(millis)) return millis
  throw new InvalidArgumentError('a time: 2026-11-23, 2026-11-23T08:00:00Z, or Unix milliseconds')
}

/** An option that may be given again and again. */
export function collected<T>(read: (text: string) => T) {
  return (text: string, earlier: readonly T[]): readonly T[] => [...earlier, read(text)]
}
