import type { StateReader, StateWriter } from '../../memory/state-codec.js'
import type { RiskEngine } from '../../risk/risk-engine.js'
import type { LiquidationTable } from '../market/liquidation-table.js'

interface LiquidationSnapshotState {
  readonly liquidations: LiquidationTable
  readonly risk: RiskEngine
}

/** Writes liquidations, and the accounts that the check has not visited yet. */
export function saveLiquidations(state: LiquidationSnapshotState, writer: StateWriter): void {
  const { liquidations, risk } = state
  const { changed, remarked } = risk
  liquidations.save(writer)
  writer.i32(changed.turn)
  writer.i32(changed.count)
  changed.forEach((account) => {
    writer.i32(account)
    writer.i32(remarked.has(account) ? 1 : 0)
  })
}

/** Reads what `saveLiquidations` wrote. Call it last, because loading the rest marks every account as changed. */
export function loadLiquidations(state: LiquidationSnapshotState, reader: StateReader): void {
  const { liquidations, risk } = state
  const { changed, remarked, markVersion } = risk
  liquidations.load(reader)
  changed.clear()
  remarked.clear()
  changed.turn = reader.i32()
  for (let i = reader.i32(); i > 0; i--) {
    const account = reader.i32()
    changed.add(account)
    if (reader.i32() === 1) remarked.add(account)
  }
  liquidations.seenMarks.set(markVersion)
}
