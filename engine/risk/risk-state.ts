import { assert } from '../../schemas/assert.js'
import type { Tier } from '../../schemas/domain.js'
import { none } from '../memory/rows.js'
import type { StateReader, StateWriter } from '../memory/state-codec.js'
import { setPosition } from './bucket-sums.js'
import type { RiskEngine } from './risk-engine.js'

const riskSection = 0x4b534952 // "RISK"

/**
 * Writes what cannot be derived: accounts, and the exposures with a position or a realized amount. Reserves,
 * mark-dependent sums and cached requirements follow from these, the orders and the marks.
 */
export function saveRisk(engine: RiskEngine, writer: StateWriter): void {
  writer.section(riskSection)
  writer.f64(engine.nowMillis)
  writer.i32(engine.accountCount)
  for (let account = 0; account < engine.accountCount; account++) {
    engine.saveRow(account, writer)
    saveExposures(engine, account, writer)
  }
}

/** Reads what `saveRisk` wrote into an engine without accounts. */
export function loadRisk(engine: RiskEngine, reader: StateReader): void {
  const { hash } = engine
  assert(engine.accountCount === 0, 'risk: the engine has no accounts before a load')
  reader.section(riskSection)
  engine.nowMillis = reader.f64()
  const accountCount = reader.i32()
  for (let account = 0; account < accountCount; account++) {
    engine.openAccount(account)
    engine.hashRow(account, hash, false)
    engine.loadRow(account, reader)
    engine.hashRow(account, hash, true)
    // Derives the margin model.
    engine.setTier(account, engine.tier[account] as Tier)
    const count = reader.i32()
    for (let index = 0; index < count; index++) loadExposure(engine, account, reader)
  }
}

function saveExposures(engine: RiskEngine, account: number, writer: StateWriter): void {
  const { exposures, firstExposure } = engine
  let count = 0
  let row = firstExposure[account]
  for (; row !== none; row = exposures.nextInAccount[row]) if (exposures.isKept(row)) count++
  writer.i32(count)
  for (row = firstExposure[account]; row !== none; row = exposures.nextInAccount[row]) {
    if (!exposures.isKept(row)) continue
    writer.i32(exposures.instrument[row])
    exposures.saveRow(row, writer)
  }
}

function loadExposure(engine: RiskEngine, account: number, reader: StateReader): void {
  const { exposures, hash } = engine
  const row = engine.exposureFor(account, reader.i32())
  assert(!exposures.isKept(row), 'risk: a snapshot has a position once')
  exposures.loadRow(row, reader)
  assert(exposures.isCostSigned(row), 'risk: position and cost have the same sign')
  // The sums over positions follow from this change.
  const positionLots = exposures.positionLots[row]
  exposures.positionLots[row] = 0
  setPosition(engine, row, positionLots)
  exposures.hashKept(row, hash, true)
  if (exposures.isCounted(row)) engine.positionsCounted[account]++
}
