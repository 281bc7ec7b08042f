import { InstrumentState } from '../../../schemas/domain.js'
import { type AnyCommand, SettlementPriceCommand } from '../../../schemas/generated/commands.js'
import { PriceSource } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { type SettlementState, setPrice } from '../../lifecycle/settlement.js'
import { isPriced } from '../../state/market/settlement-table.js'
import type { MarketOutcome } from '../steps/market-outcome.js'
import { isWithinMaxIndex, type MaxIndexState } from './max-index.js'

interface DecideSettlementState extends MaxIndexState, SettlementState {}

const given = new SettlementPriceCommand()

/**
 * SettlementPrice: the operator's price for an expiry that waits for one.
 * @returns `NotFound` if nothing was listed for the expiry, `NotExpired` before its time, `PriceKnown` if another price
 * is in force.
 */
export function giveSettlementPrice(
  state: DecideSettlementState,
  command: AnyCommand,
  out: MarketOutcome,
): Result {
  const { expiryMillis, priceMicros } = given.of(command)
  const underlying = state.instruments.findNamed(given)
  if (!(priceMicros > 0)) return Result.ValueRefused
  if (underlying >= 0 && !isWithinMaxIndex(state, underlying, priceMicros, 0, out)) {
    return Result.IndexLimit
  }
  const row = underlying < 0 ? null : state.settlements.find(underlying, expiryMillis)
  if (row === null) {
    return isListed(state, underlying, expiryMillis) ? Result.NotExpired : Result.NotFound
  }
  if (isPriced(row)) {
    out.repeat = true
    return row.priceMicros === priceMicros ? Result.Accepted : Result.PriceKnown
  }
  setPrice(state, row, priceMicros, PriceSource.Operator)
  return Result.Accepted
}

function isListed(
  { instruments }: DecideSettlementState,
  underlying: number,
  expiryMillis: number,
): boolean {
  if (underlying < 0) return false
  return instruments.ofUnderlying[underlying].some(
    (id) =>
      instruments.expiryMillis[id] === expiryMillis &&
      instruments.state[id] !== InstrumentState.Deleted,
  )
}
