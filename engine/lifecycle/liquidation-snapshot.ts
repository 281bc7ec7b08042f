import type { CoreState } from '../core/core-state.js'
import type { StateReader, StateWriter } from '../core/state-codec.js'

/** Writes liquidations, and whom the check has not come round to yet. */
export function saveLiquidations(state: CoreState, writer: StateWriter): void {
  const { liquidations, risk } = state
  liquidations.save(writer)
  writer.i32(risk.ledger.changed.count)
  risk.ledger.changed.forEach((account) => {
    writer.i32(account)
  })
}

/** Reads what `saveLiquidations` wrote; last of all, since loading the rest changes every account. */
export function loadLiquidations(state: CoreState, reader: StateReader): void {
  const { liquidations, risk } = state
  const { changed, markVersion } = risk.ledger
  liquidations.load(reader)
  changed.clear()
  for (let i = reader.i32(); i > 0; i--) changed.add(reader.i32())
  liquidations.seenMarks.set(markVersion)
}
