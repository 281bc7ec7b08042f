import { none } from '../memory/rows.js'
import { HashKind } from '../memory/state-hash.js'
import { setPosition } from './bucket-sums.js'
import {
  addPositionElements,
  addRealizedElement,
  moveElement,
  wholeAccount,
} from './hash-elements.js'
import type { RiskLedger } from './risk-ledger.js'
import { releaseExposure } from './working-orders.js'

/** A wallet's place in one instrument, and its money, at one moment. */
export interface Holding {
  readonly account: number
  readonly instrument: number
  readonly positionLots: number
  readonly costMicros: number
  readonly realizedMicros: number
  readonly realizedTotalMicros: number
  readonly cashMicros: number
}

/** What `restoreHolding` puts back. */
export function holdingOf(ledger: RiskLedger, account: number, instrument: number): Holding {
  const { exposures, cashMicros, realizedTotalMicros } = ledger
  const row = exposures.find(account, instrument)
  const isThere = row !== none
  return {
    account,
    instrument,
    positionLots: isThere ? exposures.positionLots[row] : 0,
    costMicros: isThere ? exposures.costMicros[row] : 0,
    realizedMicros: isThere ? exposures.realizedMicros[row] : 0,
    realizedTotalMicros: realizedTotalMicros[account],
    cashMicros: cashMicros[account],
  }
}

/** Undoes fills: of several in one instrument, the holding before the first of them is put back. */
export function restoreHolding(ledger: RiskLedger, holding: Holding): void {
  const { account, instrument } = holding
  const { exposures, cashMicros, hash, realizedTotalMicros } = ledger
  const row = ledger.exposureFor(account, instrument)
  const countedBefore = exposures.isCounted(row)
  addPositionElements(hash, exposures, row, -1)
  addRealizedElement(hash, exposures, row, -1)
  setPosition(ledger, row, holding.positionLots)
  exposures.costMicros[row] = holding.costMicros
  exposures.realizedMicros[row] = holding.realizedMicros
  addPositionElements(hash, exposures, row, 1)
  addRealizedElement(hash, exposures, row, 1)
  const counted = exposures.isCounted(row)
  if (counted !== countedBefore) ledger.positionsCounted[account] += counted ? 1 : -1
  moveElement(hash, HashKind.Cash, account, 0, cashMicros[account], holding.cashMicros)
  cashMicros[account] = holding.cashMicros
  const { PositionRealized } = HashKind
  const { realizedTotalMicros: totalMicros } = holding
  moveElement(
    hash,
    PositionRealized,
    account,
    wholeAccount,
    realizedTotalMicros[account],
    totalMicros,
  )
  realizedTotalMicros[account] = totalMicros
  releaseExposure(ledger, row)
}
