import { assert } from '../../schemas/assert.js'
import { lotsPerContract, microsPerUsd, mmpIntervalMillisMax } from '../../schemas/bounds.js'

// Market-maker protection of one wallet and underlying.
//
// A fill adds three amounts: its size, its size times delta, its size times vega. Greeks are integers of
// 1e-6 (of a contract, of a USD per volatility point), sizes of 1e-8 contract, and their product is kept
// whole, as micros and a remainder of 1e-8 micros: sums are exact, whatever the order in which they come about,
// as long as they stay below 2^53 micros. A sum with a limit does, since limits end at 2^52; one without is
// only shown.
//
//   entry   0       1 and 2            3 and 4            5 and 6            7
//           millis  size               delta              vega               unused
//                   micros, remainder  micros, remainder  micros, remainder
//
// Entries stand in a ring, oldest first. Fills of one millisecond share an entry, so a window of up to
// `entriesMax` milliseconds is exact always, and a longer one as long as its fills fall into no more than
// that many different milliseconds. Beyond, those of the same small part of the interval (1 / 8,192) are
// put together, and leave with the youngest of them.

/** What a fill adds to, and a limit is for: the place in columns of three. */
export const Measure = { Qty: 0, Delta: 1, Vega: 2 } as const
export const measureCount = 3

/** Limits that a fill has reached, as bits. */
export const MmpTrigger = { Qty: 1, Delta: 2, Vega: 4 } as const

/** Entries of a window at most: 1 MiB. */
export const entriesMax = 1 << 14

const entriesFirst = 8
const entryShift = 3
const sumCount = 2 * measureCount
const sumMax = Number.MAX_SAFE_INTEGER
/** Parts of an interval whose fills may be put together: half the entries are free again afterwards. */
const partsMax = entriesMax / 2

/**
 * One fill on its way into a window, and what came of it: filled anew for each, so that no number
 * is boxed on its way through a call.
 */
export class CountedFill {
  account = 0
  underlying = 0
  /** Engine time of the fill. */
  nowMillis = 0
  /** Above zero for a buy of the protected wallet. */
  sizeLots = 0
  /** Per contract, in 1e-6; of the engine's mark. */
  deltaMicros = 0
  /** Per contract, in 1e-6 USD per volatility point; of the engine's mark. */
  vegaMicros = 0
  /** Limits that the fill reached: MmpTrigger bits. */
  triggers = 0
}

/** Configuration, fills and freeze of one wallet and underlying. */
export class MmpWindow {
  intervalMillis = 0
  /** How long a trigger freezes; 0: until reset. */
  frozenMillis = 0
  /** By measure; 0: no limit. */
  readonly limitMicros = new Float64Array(measureCount)
  /** Frozen while engine time is below: 0 when it never was, Infinity until reset. */
  frozenUntilMillis = 0
  entries = new Float64Array(entriesFirst << entryShift)
  head = 0
  count = 0
  /** Of all entries: micros and remainder, by measure. */
  readonly sums = new Float64Array(sumCount)
}

/**
 * Counts a fill: adds it, drops what has left the window, and compares. A limit that is reached
 * empties the window and freezes it.
 * @returns the limits reached, which stand in `fill.triggers` too.
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

/** Whether new protected orders are refused at this time. */
export function isFrozen(window: MmpWindow, nowMillis: number): boolean {
  return nowMillis < window.frozenUntilMillis
}

/** Forgets all fills. */
function emptyWindow(window: MmpWindow): void {
  window.head = 0
  window.count = 0
  window.sums.fill(0)
}

/** Forgets all fills, and thaws. */
export function resetWindow(window: MmpWindow): void {
  emptyWindow(window)
  window.frozenUntilMillis = 0
}

/**
 * Changes what fills are compared with; fills and freeze stay (our choice: a reset clears them). What has left the
 * window by then does not come back with a longer interval.
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
    'mmp: interval in its bounds',
  )
  dropOld(window, nowMillis)
  window.intervalMillis = intervalMillis
  window.frozenMillis = frozenMillis
  window.limitMicros.set(limitMicros)
  // A sum that no limit kept below 2^53 micros may have rounded.
  recount(window)
}

/** Puts back one entry of a window that was saved, the oldest first. @param amounts from `at` on. */
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

/** Place in `entries` of entry number `index`, the oldest being 0: its millis, then its amounts. */
export function entryAt(window: MmpWindow, index: number): number {
  const capacity = window.entries.length >> entryShift
  return ((window.head + index) & (capacity - 1)) << entryShift
}

/** Drops the entries that have left the window at this time. */
export function dropOld(window: MmpWindow, nowMillis: number): void {
  time[0] = nowMillis
  drop(window)
}

/** Sum of a measure, towards zero to whole micros, without its sign. */
export function sumMicros(sums: Float64Array, measure: number): number {
  const remainder = sums[2 * measure + 1]
  const carry = Math.floor(remainder / lotsPerContract)
  const whole = sums[2 * measure] + carry
  if (whole >= 0) return whole
  return remainder === carry * lotsPerContract ? -whole : -whole - 1
}

/** Sum of a measure, towards zero to whole micros. */
export function signedSumMicros(sums: Float64Array, measure: number): number {
  const micros = sumMicros(sums, measure)
  // The remainder is never below zero, so a whole part below zero outweighs it.
  return sums[2 * measure] + Math.floor(sums[2 * measure + 1] / lotsPerContract) < 0
    ? -micros + 0
    : micros
}

/** Limits that these sums reach, as MmpTrigger bits. */
export function triggersOf(window: MmpWindow, sums: Float64Array): number {
  const { limitMicros } = window
  let triggers = 0
  for (let measure = 0; measure < measureCount; measure++) {
    if (limitMicros[measure] > 0 && reaches(sums, limitMicros, measure)) triggers |= 1 << measure
  }
  return triggers
}

/** Whether the size of a sum, up or down, is at its limit or beyond. */
function reaches(sums: Float64Array, limitMicros: Float64Array, measure: number): boolean {
  const remainder = sums[2 * measure + 1]
  const carry = Math.floor(remainder / lotsPerContract)
  const whole = sums[2 * measure] + carry
  if (whole >= 0) return whole >= limitMicros[measure]
  // Below zero a remainder makes the sum smaller.
  return (remainder === carry * lotsPerContract ? -whole : -whole - 1) >= limitMicros[measure]
}

/** Adds the amounts of a fill to sums. */
export function addAmounts(sums: Float64Array, fill: CountedFill): void {
  fillAmounts(fill)
  for (let i = 0; i < sumCount; i++) sums[i] += added[i]
}

// A call that is not inlined would box a double among its arguments; typed slots cost nothing.
/** Amounts of the fill at work: micros and remainder, by measure. */
const added = new Float64Array(sumCount)
/** Its time. */
const time = new Float64Array(1)
/** Of the product at work. */
const factors = new Float64Array(2)

function drop(window: MmpWindow): void {
  const { entries, sums } = window
  const borderMillis = time[0] - window.intervalMillis
  while (window.count > 0) {
    const at = entryAt(window, 0)
    if (entries[at] > borderMillis) return
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
 * Product of a size in lots and an amount per contract in micros: whole micros to `added[at]`, the remainder of
 * 1e-8 micros, from 0 on, behind it. Both factors are split at the lots of a contract, so that every product is an
 * integer below 2^53, as in `valueMicros` of engine/risk/money.ts, whose result is rounded.
 */
function multiply(at: number): void {
  const sizeLots = factors[0]
  const amount = factors[1]
  const wholeSize = Math.floor(sizeLots / lotsPerContract)
  const sizeRemainder = sizeLots - wholeSize * lotsPerContract
  // To the nearest, so that the remainder is at most half of it, and its product with the other below 2^53.
  const wholeAmount = Math.floor(amount / lotsPerContract + 0.5)
  const remainders = (amount - wholeAmount * lotsPerContract) * sizeRemainder
  const floor = Math.floor(remainders / lotsPerContract)
  const whole = amount * wholeSize + wholeAmount * sizeRemainder + floor
  const isExact = whole <= sumMax && whole >= -sumMax
  // No limit is that great: what is beyond it reaches every limit, and only that is asked.
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
  if (window.count << entryShift === window.entries.length) makeRoom(window)
  const at = entryAt(window, window.count++)
  window.entries[at] = millis
  for (let i = 0; i < sumCount; i++) window.entries[at + 1 + i] = added[i]
}

function makeRoom(window: MmpWindow): void {
  if (window.count === entriesMax) {
    putTogether(window)
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

/** One entry for all that fall into the same part of the interval, with the time of the youngest. */
function putTogether(window: MmpWindow): void {
  const { entries } = window
  const partMillis = Math.ceil(window.intervalMillis / partsMax)
  let kept = 0
  let target = entryAt(window, 0)
  for (let index = 1; index < window.count; index++) {
    const source = entryAt(window, index)
    const isSame =
      Math.floor(entries[source] / partMillis) === Math.floor(entries[target] / partMillis)
    if (!isSame) target = entryAt(window, ++kept)
    entries[target] = entries[source]
    for (let i = 1; i <= sumCount; i++) {
      entries[target + i] = entries[source + i] + (isSame ? entries[target + i] : 0)
    }
  }
  window.count = kept + 1
}

function recount(window: MmpWindow): void {
  const { entries, sums } = window
  sums.fill(0)
  for (let index = 0; index < window.count; index++) {
    const at = entryAt(window, index)
    for (let i = 0; i < sumCount; i++) sums[i] += entries[at + 1 + i]
  }
}
