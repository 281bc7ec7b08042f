import { HashKind, type StateHash } from '../core/state-hash.js'
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

/**
 * Removes (sign -1) or adds the facts of an exposure's position; done around every change of it.
 */
export function addExposureFacts(
  hash: StateHash,
  exposures: Exposures,
  exposure: number,
  sign: number,
): void {
  const account = exposures.account[exposure]
  const instrument = exposures.instrument[exposure]
  addFact(hash, HashKind.Position, account, instrument, exposures.positionLots[exposure], sign)
  addFact(hash, HashKind.PositionCost, account, instrument, exposures.costMicros[exposure], sign)
  const realizedMicros = exposures.realizedMicros[exposure]
  addFact(hash, HashKind.PositionRealized, account, instrument, realizedMicros, sign)
}

function addFact(
  hash: StateHash,
  kind: HashKind,
  account: number,
  instrument: number,
  value: number,
  sign: number,
): void {
  if (value === 0) return
  if (sign > 0) hash.add(kind, account, instrument, value)
  else hash.remove(kind, account, instrument, value)
}
