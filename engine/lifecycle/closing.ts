import { assert } from '../../schemas/assert.js'
import { InstrumentState } from '../../schemas/domain.js'
import { InstrumentChange } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import { instrumentMoves, isMove } from '../../schemas/state-moves.js'
import { none } from '../memory/rows.js'
import {
  type PublishMarketState,
  publishCleared,
  publishInstrument,
} from '../publish/publish-market.js'
import type { FundingTable } from '../state/market/funding-table.js'
import type { OrderStore } from '../state/orders/orders.js'
import { leaveRemark, type RemarkQueueState } from '../state/remark-queue.js'
import type { RfqTable } from '../state/rfq/rfq-table.js'
import { expectSettlement, type SettlementState } from './settlement.js'

interface ClosingState extends PublishMarketState, SettlementState, RemarkQueueState {
  hasPositions(instrument: number): boolean
  readonly fundings: FundingTable
  closeBook(instrument: number): void
  readonly rfqs: RfqTable
  readonly orders: OrderStore
  readonly closing: number[]
}

/**
 * Expires an instrument. Matching stops at once, the instrument awaits its price, and its working orders are cancelled
 * in this and the following batches.
 */
export function expireInstrument(state: ClosingState, instrument: number): void {
  const { instruments, nowMillis } = state
  assert(!instruments.isPerp(instrument), 'expiry: a perp never expires')
  assert(instruments.expiryMillis[instrument] <= nowMillis, 'expiry: its time has come')
  close(state, instrument, InstrumentState.ExpiredPendingPrice)
  publishInstrument(state, instrument, InstrumentChange.Expired)
  expectSettlement(state, instrument)
}

/**
 * Delists an instrument without positions.
 * @returns `PositionsOpen` if it has positions, or `PendingSettlement` if it has expired with positions.
 */
export function deleteInstrument(state: ClosingState, instrument: number): Result {
  if (state.hasPositions(instrument)) {
    const isActive = state.instruments.state[instrument] === InstrumentState.Active
    return isActive ? Result.PositionsOpen : Result.PendingSettlement
  }
  state.expiries.remove(instrument)
  state.fundings.remove(instrument)
  close(state, instrument, InstrumentState.Deleted)
  publishInstrument(state, instrument, InstrumentChange.Deleted)
  return Result.Accepted
}

/**
 * Expires every instrument that is due, in order of expiry and listing. None expires during a clock alarm, which also
 * halts trading.
 */
export function expireDue(state: ClosingState): void {
  if (state.clockAlarm) return
  while (state.expiries.nextMillis <= state.nowMillis)
    expireInstrument(state, state.expiries.take())
}

function close(state: ClosingState, instrument: number, to: InstrumentState): void {
  const { instruments, hash, cells } = state
  assert(
    isMove(instrumentMoves, instruments.state[instrument], to),
    'instrument: the state change is allowed',
  )
  instruments.hashRow(instrument, hash, false)
  if (to === InstrumentState.Deleted) {
    leaveRemark(state, instrument)
    instruments.remove(instrument)
  } else {
    instruments.state[instrument] = to
  }
  instruments.hashRow(instrument, hash, true)
  state.closeBook(instrument)
  state.rfqs.mayBeStale = true
  state.marks.markInstrument(instrument)
  state.risk.newMarks(instruments.underlying[instrument])
  publishCleared(state, instrument)
  if (state.orders.firstOf(instrument) === none) return
  state.closing.push(instrument)
  hash.note(cells.closing)
}
