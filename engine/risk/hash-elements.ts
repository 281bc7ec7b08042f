import { element, HashKind, type StateHash } from '../memory/state-hash.js'
import type { Exposures } from './exposures.js'

/** Instrument id of the element that holds a wallet's realized total. */
export const wholeAccount = -1

/**
 * Replaces an element in the hash. A value of 0 is no element, so a wallet that was never there equals one
 * that is empty again.
 */
export function moveElement(
  hash: StateHash,
  kind: HashKind,
  a: number,
  b: number,
  before: number,
  after: number,
): void {
  if (before === after) return
  if (before !== 0) hash.remove(kind, a, b, before)
  if (after !== 0) hash.add(kind, a, b, after)
}

/** Removes (sign -1) or adds what stands in `element`, if that is an element. */
export function moveValue(hash: StateHash, kind: HashKind, sign: number): void {
  if (element[2] === 0) return
  if (sign > 0) hash.addElement(kind)
  else hash.removeElement(kind)
}

/**
 * Removes (sign -1) or adds the elements of an exposure's position; done around every change of it.
 */
export function addPositionElements(
  hash: StateHash,
  exposures: Exposures,
  exposure: number,
  sign: number,
): void {
  element[0] = exposures.account[exposure]
  element[1] = exposures.instrument[exposure]
  element[2] = exposures.positionLots[exposure]
  moveValue(hash, HashKind.Position, sign)
  element[2] = exposures.costMicros[exposure]
  moveValue(hash, HashKind.PositionCost, sign)
}

/** The same for what an exposure has realized. */
export function addRealizedElement(
  hash: StateHash,
  exposures: Exposures,
  exposure: number,
  sign: number,
): void {
  element[0] = exposures.account[exposure]
  element[1] = exposures.instrument[exposure]
  element[2] = exposures.realizedMicros[exposure]
  moveValue(hash, HashKind.PositionRealized, sign)
}
