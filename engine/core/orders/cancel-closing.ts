import { assert } from '../../../schemas/assert.js'
import { InstrumentState, OrderStatus } from '../../../schemas/domain.js'
import { Result } from '../../../schemas/results.js'
import { type FinishOrderState, finishOrder } from '../../lifecycle/finish-order.js'
import { none } from '../../memory/rows.js'
import type { StateHash } from '../../memory/state-hash.js'
import type { Batch } from '../../state/batch.js'
import type { StateCells } from '../../state/state-cells.js'

interface CancelClosingState extends FinishOrderState {
  readonly closing: number[]
  readonly hash: StateHash
  readonly cells: StateCells
}

/** Cancels working orders of closed instruments, oldest first, up to the limit of the batch. */
export function cancelClosing(state: CancelClosingState, batch: Batch): void {
  while (batch.closingLeft > 0 && state.closing.length > 0) {
    const instrument = state.closing[0]
    const slot = state.orders.firstOf(instrument)
    if (slot === none) {
      state.closing.shift()
      state.hash.note(state.cells.closing)
      continue
    }
    const isOpen = state.instruments.state[instrument] === InstrumentState.Active
    assert(!isOpen, 'closing: the instrument no longer trades')
    const isDeleted = state.instruments.state[instrument] === InstrumentState.Deleted
    const result = isDeleted ? Result.InstrumentDelisted : Result.InstrumentExpired
    finishOrder(state, slot, OrderStatus.Canceled, result)
    batch.closingLeft--
  }
}
