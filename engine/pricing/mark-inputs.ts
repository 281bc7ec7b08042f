import { assert } from '../../schemas/assert.js'
import type { Surface } from './surface.js'

/** Mean of the settlement samples of an expiry so far, in micros, possibly with a fraction. */
export interface SettlementEstimate {
  readonly expiryMillis: number
  readonly priceMicros: number
}

/**
 * All inputs of the marks of one underlying, except parameters and instruments. Immutable: a re-mark keeps its object
 * while newer inputs arrive.
 */
export interface MarkInputs {
  /** Index in micros; NaN before the first observation. */
  readonly indexMicros: number
  /** Time of the observation; -Infinity before the first. */
  readonly indexAtMillis: number
  /** By rising expiry, one per expiry. */
  readonly surfaces: readonly Surface[]
  /** By rising expiry, one per expiry. */
  readonly estimates: readonly SettlementEstimate[]
}

export const markInputsNone: MarkInputs = {
  indexMicros: Number.NaN,
  indexAtMillis: Number.NEGATIVE_INFINITY,
  surfaces: [],
  estimates: [],
}

/** Returns a list by rising expiry with one entry replaced or added. */
export function withEntry<T extends { readonly expiryMillis: number }>(
  entries: readonly T[],
  entry: T,
): readonly T[] {
  assert(entry.expiryMillis > 0, 'mark inputs: the expiry is positive')
  const others = withoutEntry(entries, entry.expiryMillis)
  const index = others.findIndex((other) => other.expiryMillis > entry.expiryMillis)
  return index < 0 ? [...others, entry] : others.toSpliced(index, 0, entry)
}

/** Returns a list without the entry of an expiry. */
export function withoutEntry<T extends { readonly expiryMillis: number }>(
  entries: readonly T[],
  expiryMillis: number,
): readonly T[] {
  return entries.filter((entry) => entry.expiryMillis !== expiryMillis)
}

/** Returns the mean of the settlement samples of an expiry; NaN without samples. */
export function settlementEstimateOf(inputs: MarkInputs, expiryMillis: number): number {
  for (const estimate of inputs.estimates) {
    if (estimate.expiryMillis === expiryMillis) return estimate.priceMicros
  }
  return Number.NaN
}
