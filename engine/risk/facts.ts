import { fact, HashKind, type StateHash } from '../memory/state-hash.js'
import type { Exposures } from './exposures.js'

/** Instrument id of the fact that holds a wallet's realized total. */
export const wholeAccount = -1

/**
 * Replaces a fact in the hash. A value of 0 is no fact, so a wallet that was never there equals one
 * that is empty again.
 */
export function moveFact(
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

/** Removes (sign -1) or adds what stands in `fact`, if that is a fact. */
export function moveValue(hash: StateHash, kind: HashKind, sign: number): void {
  if (fact[2] === 0) return
  if (sign > 0) hash.addFact(kind)
  else hash.removeFact(kind)
}

/**
 * Removes (sign -1) or adds the facts of an exposure's position; done around every change of it.
 */
export function addPositionFacts(
  hash: StateHash,
  exposures: Exposures,
  exposure: number,
  sign: number,
): void {
  fact[0] = exposures.account[exposure]
  fact[1] = exposures.instrument[exposure]
  fact[2] = exposures.positionLots[exposure]
  moveValue(hash, HashKind.Position, sign)
  fact[2] = exposures.costMicros[exposure]
  moveValue(hash, HashKind.PositionCost, sign)
}

/** The same for what an exposure has realized. */
export function addRealizedFact(
  hash: StateHash,
  exposures: Exposures,
  exposure: number,
  sign: number,
): void {
  fact[0] = exposures.account[exposure]
  fact[1] = exposures.instrument[exposure]
  fact[2] = exposures.realizedMicros[exposure]
  moveValue(hash, HashKind.PositionRealized, sign)
}
