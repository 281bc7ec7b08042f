import { assert } from '../../../schemas/assert.js'

// Numbers as decimal digits at fixed places, four digits a word: what a statement of the store can read as a number.

const groupEnd = 10_000
const groups = digitGroups()
const [blank, minus] = words('       -') as unknown as readonly [number, number]

/** Bytes of a number that a double holds exactly: its sign, and 16 digits. */
export const integerBytes = 20
/** Bytes of a length or place. */
export const countBytes = 8

/** @param value beyond what a double holds exactly the last one that it does. @param at in words. */
export function writeInteger(target: Uint32Array, at: number, value: number): void {
  assert(!Number.isNaN(value), 'row: a number of the store is none')
  const absolute = Number.isSafeInteger(value)
    ? Math.abs(value)
    : Math.min(Math.round(Math.abs(value)), Number.MAX_SAFE_INTEGER)
  const high = Math.floor(absolute / (groupEnd * groupEnd))
  target[at] = value < 0 ? minus : blank
  writeCount(target, at + 1, high)
  writeCount(target, at + 3, absolute - high * (groupEnd * groupEnd))
}

/** @param value 0 to 99,999,999. */
export function writeCount(target: Uint32Array, at: number, value: number): void {
  const high = (value / groupEnd) | 0
  target[at] = groups[high]!
  target[at + 1] = groups[value - high * groupEnd]!
}

/** Texts of two characters, as they stand in memory. */
export function asciiPairs(texts: readonly string[]): Uint16Array {
  return new Uint16Array(Uint8Array.from(Buffer.from(texts.join(''), 'latin1')).buffer)
}

function digitGroups(): Uint32Array {
  return words(
    Array.from({ length: groupEnd }, (_, number) => String(number).padStart(4, '0')).join(''),
  )
}

function words(text: string): Uint32Array {
  return new Uint32Array(Uint8Array.from(Buffer.from(text, 'latin1')).buffer)
}
