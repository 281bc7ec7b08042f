import { assert } from '../../schemas/assert.js'
import { lotsPerContract, microsPerUsd, mmpIntervalMillisMax } from '../../schemas/bounds.js'

// Market-maker protection of one wallet and underlying.
//
// A fill adds three amounts: its size, its size times delta, and its size times vega. Greeks are integers of 1e-6 (of a
// contract, or of a USD per volatility point), and sizes are in 1e-8 contract. Their product is stored exactly, as
// micros and a remainder of 1e-8 micros. Sums below 2^53 micros are therefore exact in any order of additions. A sum
// with a limit stays below, because limits are at most 2^52. A sum without a limit is only displayed.
//
//   entry   0       1 and 2            3 and 4            5 and 6            7
//           millis  size               delta              vega               unused
//                   micros, remainder  micros, remainder  micros, remainder
//
// Entries are in a ring, oldest first. Fills of one millisecond share an entry. A window of up to `entriesMax`
// milliseconds is therefore always exact, and a longer one is exact while its fills occupy at most that many different
// milliseconds. Otherwise, entries of the same 1/8,192 of the interval are merged, and expire with the youngest of
// them.

/** Amounts that fills add to and limits apply to; index into columns of three. */
export const Measure = { Qty: 0, Delta: 1, Vega: 2 } as const
export const measureCount = 3

/** Limits that a fill reached, as bits. */
export const MmpTrigger = { Qty: 1, Delta: 2, Vega: 4 } as const

/** Maximum number of entries of a window: 1 MiB. */
export const entriesMax = 1 << 14

const entriesFirst = 8
const entryShift = 3
const sumCount = 2 * measureCount
const sumMax = Number.MAX_SAFE_INTEGER
/** Number of interval parts whose entries may be merged. After a merge, half the entries are free. */
const partsMax = entriesMax / 2

/** A fill to be counted, and its result. Callers reuse one object, so that no number is boxed in a call. */
export class CountedFill {
  account = 0
  underlying = 0
  /** Engine time of the fill. */
  nowMillis = 0
  /** Positive for a buy of the protected wallet. */
  sizeLots = 0
  /** Per contract in 1e-6, from the engine's mark. */
  deltaMicros = 0
  /** Per contract in 1e-6 USD per volatility point, from the engine's mark. */
  vegaMicros = 0
  /** Limits that the fill reached, as MmpTrigger bits. */
  triggers = 0
}

/** Configuration, fills and freeze of one wallet and underlying. */
export class MmpWindow {
  intervalMillis = 0
  /** Duration of the freeze after a trigger; 0 for until reset. */
  frozenMillis = 0
  /** Limits by measure; 0 for no limit. */
  readonly limitMicros = new Float64Array(measureCount)
  /** Engine time at which the freeze ends: 0 if never frozen, Infinity for until reset. */
  frozenUntilMillis = 0
  entries = new Float64Array(entriesFirst << entryShift)
  head = 0
  count = 0
  /** Sums over all entries: micros and remainder, by measure. */
  readonly sums = new Float64Array(sumCount)
}

/**
 * Counts a fill: adds it, drops expired entries, and compares the sums with the limits. A reached limit empties the
 * window and freezes it.
 * @returns the limits reached, as in `fill.triggers`.
 */
export function countFill(window: MmpWindow, fill: CountedFill): number {
  fillAmounts(fill)
  time[0] = fill.nowMillis
  drop(window)
  addEntry(window)
  fill.triggers = triggersOf(window, window.sums)
  if (fill.triggers === 0) return 0
  emptyWindow(window)
  const { frozenMillis } = window
  window.frozenUntilMillis =
    frozenMillis === 0 ? Number.POSITIVE_INFINITY : fill.nowMillis + frozenMillis
  return fill.triggers
}

/** Returns true if new protected orders are rejected at this time. */
export function isFrozen(window: MmpWindow, nowMillis: number): boolean {
  return nowMillis < window.frozenUntilMillis
}

/** Removes all fills. */
function emptyWindow(window: MmpWindow): void {
  window.head = 0
  window.count = 0
  window.sums.fill(0)
}

/** Removes all fills and ends the freeze. */
export function resetWindow(window: MmpWindow): void {
  emptyWindow(window)
  window.frozenUntilMillis = 0
}

/**
 * Changes interval and limits. Fills and freeze remain (our choice: a reset clears them). Fills that have already
 * expired do not return with a longer interval.
 */
export function setLimits(
  window: MmpWindow,
  nowMillis: number,
  intervalMillis: number,
  frozenMillis: number,
  limitMicros: Float64Array,
): void {
  assert(
    intervalMillis >= 1 && intervalMillis <= mmpIntervalMillisMax,
    'mmp: the interval is within its bounds',
  )
  dropOld(window, nowMillis)
  window.intervalMillis = intervalMillis
  window.frozenMillis = frozenMillis
  window.limitMicros.set(limitMicros)
  // A sum without a limit may have exceeded 2^53 micros and been rounded.
  recount(window)
}

/** Restores one entry of a saved window; call it oldest first. @param amounts read from `at` on. */
export function restoreEntry(
  window: MmpWindow,
  millis: number,
  amounts: Float64Array,
  at: number,
): void {
  for (let i = 0; i < sumCount; i++) added[i] = amounts[at + i]
  time[0] = millis
  addEntry(window)
}

/** Returns the index in `entries` of the entry `index`, where 0 is the oldest: its millis, then its amounts. */
export function entryAt(window: MmpWindow, index: number): number {
  const capacity = window.entries.length >> entryShift
  return ((window.head + index) & (capacity - 1)) << entryShift
}

/** Drops the entries that have expired at this time. */
export function dropOld(window: MmpWindow, nowMillis: number): void {
  time[0] = nowMillis
  drop(window)
}

/** Returns the absolute sum of a measure, rounded toward zero to whole micros. */
export function sumMicros(sums: Float64Array, measure: number): number {
  const remainder = sums[2 * measure + 1]
  const carry = Math.floor(remainder / lotsPerContract)
  const whole = sums[2 * measure] + carry
  if (whole >= 0) return whole
  return remainder === carry * lotsPerContract ? -whole : -whole - 1
}

/** Returns the signed sum of a measure, rounded toward zero to whole micros. */
export function signedSumMicros(sums: Float64Array, measure: number): number {
  const micros = sumMicros(sums, measure)
  // The remainder is never negative, so a negative whole part determines the sign.
  return sums[2 * measure] + Math.floor(sums[2 * measure + 1] / lotsPerContract) < 0
    ? -micros + 0
    : micros
}

/** Returns the limits that these sums reach, as MmpTrigger bits. */
export function triggersOf(window: MmpWindow, sums: Float64Array): number {
  const { limitMicros } = window
  let triggers = 0
  for (let measure = 0; measure < measureCount; measure++) {
    if (limitMicros[measure] > 0 && reaches(sums, limitMicros, measure)) triggers |= 1 << measure
  }
  return triggers
}

/** Returns true if the absolute value of a sum is at or above its limit. */
function reaches(sums: Float64Array, limitMicros: Float64Array, measure: number): boolean {
  const remainder = sums[2 * measure + 1]
  const carry = Math.floor(remainder / lotsPerContract)
  const whole = sums[2 * measure] + carry
  if (whole >= 0) return whole >= limitMicros[measure]
  // For a negative sum, a remainder reduces the absolute value.
  return (remainder === carry * lotsPerContract ? -whole : -whole - 1) >= limitMicros[measure]
}

/** Adds the amounts of a fill to sums. */
export function addAmounts(sums: Float64Array, fill: CountedFill): void {
  fillAmounts(fill)
  for (let i = 0; i < sumCount; i++) sums[i] += added[i]
}

// A call that is not inlined would box a double argument; typed cells do not.
/** Amounts of the fill at work: micros and remainder, by measure. */
const added = new Float64Array(sumCount)
/** Time of the current fill. */
const time = new Float64Array(1)
/** Factors of the current product. */
const factors = new Float64Array(2)

function drop(window: MmpWindow): void {
  const { entries, sums } = window
  const cutoffMillis = time[0] - window.intervalMillis
  while (window.count > 0) {
    const at = entryAt(window, 0)
    if (entries[at] > cutoffMillis) return
    for (let i = 0; i < sumCount; i++) sums[i] -= entries[at + 1 + i]
    window.head = (at >> entryShift) + 1
    window.count--
  }
}

function fillAmounts(fill: CountedFill): void {
  factors[0] = Math.abs(fill.sizeLots)
  factors[1] = microsPerUsd
  multiply(0)
  factors[0] = fill.sizeLots
  factors[1] = fill.deltaMicros
  multiply(2)
  factors[1] = fill.vegaMicros
  multiply(4)
}

/**
 * Multiplies a size in lots by an amount per contract in micros. Writes whole micros to `added[at]`, and the remainder
 * in 1e-8 micros, not negative, to `added[at + 1]`. Both factors are split at the lots per contract, so that every
 * product is an integer below 2^53, as in `valueMicros` of engine/risk/money.ts, which rounds the result.
 */
function multiply(at: number): void {
  const sizeLots = factors[0]
  const amount = factors[1]
  const wholeSize = Math.floor(sizeLots / lotsPerContract)
  const sizeRemainder = sizeLots - wholeSize * lotsPerContract
  // Rounded to nearest, so that the remainder is at most half a contract's lots and its product with the other
  // remainder is below 2^53.
  const wholeAmount = Math.floor(amount / lotsPerContract + 0.5)
  const remainders = (amount - wholeAmount * lotsPerContract) * sizeRemainder
  const floor = Math.floor(remainders / lotsPerContract)
  const whole = amount * wholeSize + wholeAmount * sizeRemainder + floor
  const isExact = whole <= sumMax && whole >= -sumMax
  // Every limit is lower: a value beyond reaches all limits, and no more than that matters.
  added[at] = isExact ? whole + 0 : Math.sign(whole) * sumMax
  added[at + 1] = isExact ? remainders - floor * lotsPerContract : 0
}

function addEntry(window: MmpWindow): void {
  const { sums } = window
  const millis = time[0]
  for (let i = 0; i < sumCount; i++) sums[i] += added[i]
  if (window.count > 0) {
    const last = entryAt(window, window.count - 1)
    if (window.entries[last] === millis) {
      for (let i = 0; i < sumCount; i++) window.entries[last + 1 + i] += added[i]
      return
    }
    assert(window.entries[last] < millis, 'mmp: engine time never goes back')
  }
  if (window.count << entryShift === window.entries.length) growOrMerge(window)
  const at = entryAt(window, window.count++)
  window.entries[at] = millis
  for (let i = 0; i < sumCount; i++) window.entries[at + 1 + i] = added[i]
}

function growOrMerge(window: MmpWindow): void {
  if (window.count === entriesMax) {
    mergeEntries(window)
    return
  }
  const { entries, count } = window
  const larger = new Float64Array(2 * entries.length)
  for (let index = 0; index < count; index++) {
    const at = entryAt(window, index)
    larger.set(entries.subarray(at, at + (1 << entryShift)), index << entryShift)
  }
  window.entries = larger
  window.head = 0
}

/** Merges all entries in the same part of the interval into one, with the time of the youngest. */
function mergeEntries(window: MmpWindow): void {
  const { entries } = window
  const partMillis = Math.ceil(window.intervalMillis / partsMax)
  let mergedLast = 0
  let target = entryAt(window, 0)
  for (let index = 1; index < window.count; index++) {
    const source = entryAt(window, index)
    const isSame =
      Math.floor(entries[source] / partMillis) === Math.floor(entries[target] / partMillis)
    if (!isSame) target = entryAt(window, ++mergedLast)
    entries[target] = entries[source]
    for (let i = 1; i <= sumCount; i++) {
      entries[target + i] = entries[source + i] + (isSame ? entries[target + i] : 0)
    }
  }
  window.count = mergedLast + 1
}

function recount(window: MmpWindow): void {
  const { entries, sums } = window
  sums.fill(0)
  for (let index = 0; index < window.count; index++) {
    const at = entryAt(window, index)
    for (let i = 0; i < sumCount; i++) sums[i] += entries[at + 1 + i]
  }
}
