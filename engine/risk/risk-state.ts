import { assert } from '../../schemas/assert.js'
import type { MarginMode, Tier } from '../../schemas/domain.js'
import { none } from '../memory/rows.js'
import type { StateReader, StateWriter } from '../memory/state-codec.js'
import { HashKind } from '../memory/state-hash.js'
import { setPosition } from './bucket-sums.js'
import {
  addPositionElements,
  addRealizedElement,
  moveElement,
  wholeAccount,
} from './hash-elements.js'
import type { RiskEngine } from './risk-engine.js'

const riskSection = 0x4b534952 // "RISK"

/**
 * Writes what cannot be derived: accounts, and the exposures that hold a position or a realized
 * amount. Reserves, sums over marks and kept requirements follow from these, orders and marks.
 */
export function saveRisk(engine: RiskEngine, writer: StateWriter): void {
  writer.section(riskSection)
  writer.f64(engine.nowMillis)
  writer.i32(engine.accountCount)
  for (let account = 0; account < engine.accountCount; account++) {
    writer.f64(engine.cashMicros[account])
    writer.f64(engine.realizedTotalMicros[account])
    writer.i32(engine.tier[account])
    writer.i32(engine.marginMode[account])
    saveExposures(engine, account, writer)
  }
}

/** Reads what `saveRisk` wrote into an engine that never had an account. */
export function loadRisk(engine: RiskEngine, reader: StateReader): void {
  const { hash } = engine
  assert(engine.accountCount === 0, 'risk: loaded over accounts')
  reader.section(riskSection)
  engine.nowMillis = reader.f64()
  const accountCount = reader.i32()
  for (let account = 0; account < accountCount; account++) {
    engine.openAccount(account)
    engine.creditCash(account, reader.f64())
    const realizedMicros = reader.f64()
    engine.realizedTotalMicros[account] = realizedMicros
    moveElement(hash, HashKind.PositionRealized, account, wholeAccount, 0, realizedMicros)
    engine.setTier(account, reader.i32() as Tier)
    engine.setMarginMode(account, reader.i32() as MarginMode)
    const count = reader.i32()
    for (let index = 0; index < count; index++) loadExposure(engine, account, reader)
  }
}

function saveExposures(engine: RiskEngine, account: number, writer: StateWriter): void {
  const { exposures, firstExposure } = engine
  let count = 0
  let row = firstExposure[account]
  for (; row !== none; row = exposures.nextInAccount[row]) if (isKept(engine, row)) count++
  writer.i32(count)
  for (row = firstExposure[account]; row !== none; row = exposures.nextInAccount[row]) {
    if (!isKept(engine, row)) continue
    writer.i32(exposures.instrument[row])
    exposures.saveRow(row, writer)
  }
}

// A closed position's realized amount lasts as long as working orders keep its exposure.
function isKept(engine: RiskEngine, row: number): boolean {
  const { positionLots, realizedMicros } = engine.exposures
  return positionLots[row] !== 0 || realizedMicros[row] !== 0
}

function loadExposure(engine: RiskEngine, account: number, reader: StateReader): void {
  const { hash } = engine
  const { exposures } = engine
  const row = engine.exposureFor(account, reader.i32())
  exposures.loadRow(row, reader)
  // The sums over positions follow from the change.
  const positionLots = exposures.positionLots[row]
  exposures.positionLots[row] = 0
  setPosition(engine, row, positionLots)
  addPositionElements(hash, exposures, row, 1)
  addRealizedElement(hash, exposures, row, 1)
  if (exposures.isCounted(row)) engine.positionsCounted[account]++
}
