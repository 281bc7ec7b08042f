import { assert } from '../../schemas/assert.js'
import { none } from '../memory/rows.js'
import { setPosition } from './bucket-sums.js'
import type { RiskLedger } from './risk-ledger.js'
import { releaseExposure } from './working-orders.js'

/** Position of a wallet in one instrument, and its money, at one moment. */
export interface Holding {
  readonly account: number
  readonly instrument: number
  readonly positionLots: number
  readonly costMicros: number
  readonly realizedMicros: number
  readonly realizedTotalMicros: number
  readonly cashMicros: number
}

/** Returns the values that `restoreHolding` restores. */
export function holdingOf(ledger: RiskLedger, account: number, instrument: number): Holding {
  const { exposures, cashMicros, realizedTotalMicros } = ledger
  const row = exposures.find(account, instrument)
  const exists = row !== none
  return {
    account,
    instrument,
    positionLots: exists ? exposures.positionLots[row] : 0,
    costMicros: exists ? exposures.costMicros[row] : 0,
    realizedMicros: exists ? exposures.realizedMicros[row] : 0,
    realizedTotalMicros: realizedTotalMicros[account],
    cashMicros: cashMicros[account],
  }
}

/**
 * Undoes fills by restoring an earlier holding. For several fills in one instrument, restore the holding before the
 * first.
 */
export function restoreHolding(ledger: RiskLedger, holding: Holding): void {
  const { account, instrument } = holding
  const { exposures, cashMicros, hash, realizedTotalMicros } = ledger
  const row = ledger.exposureFor(account, instrument)
  const countedBefore = exposures.isCounted(row)
  exposures.hashKept(row, hash, false)
  ledger.hashRow(account, hash, false)
  setPosition(ledger, row, holding.positionLots)
  exposures.costMicros[row] = holding.costMicros
  exposures.realizedMicros[row] = holding.realizedMicros
  cashMicros[account] = holding.cashMicros
  realizedTotalMicros[account] = holding.realizedTotalMicros
  assert(exposures.isCostSigned(row), 'risk: position and cost have the same sign')
  exposures.hashKept(row, hash, true)
  ledger.hashRow(account, hash, true)
  const counted = exposures.isCounted(row)
  if (counted !== countedBefore) ledger.positionsCounted[account] += counted ? 1 : -1
  releaseExposure(ledger, row)
}
