import { instrumentStateNames, orderStatusNames, rfqStatusNames } from '../../schemas/domain.js'
import { liquidationStateNames } from '../../schemas/record-values.js'
import {
  instrumentMoves,
  liquidationMoves,
  orderMoves,
  rfqMoves,
  type StateMove,
} from '../../schemas/state-moves.js'

// How orders, instruments, requests for quote and accounts in liquidation go from state to state, by the tables that the
// engine is tried against.

type Json = Readonly<Record<string, unknown>>

/** `x-states` of both documents: states, those that are never left, and the moves between them. */
export function statesText(): Json {
  return {
    order: machine(orderMoves, orderStatusNames),
    instrument: machine(instrumentMoves, instrumentStateNames),
    rfq: machine(rfqMoves, rfqStatusNames),
    liquidation: machine(liquidationMoves, liquidationStateNames),
  }
}

function machine(moves: readonly StateMove<number>[], names: readonly string[]): Json {
  const left = new Set(moves.map(({ from }) => from))
  const states = names.filter((name) => name !== '')
  return {
    states,
    final: states.filter((name) => !left.has(names.indexOf(name))),
    moves: moves.map(({ from, to, when }) => ({
      from: from === null ? null : names[from],
      to: names[to],
      when,
    })),
  }
}
