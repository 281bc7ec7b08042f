import { instrumentStateNames, orderStatusNames, rfqStatusNames } from '../../schemas/domain.js'
import { liquidationStateNames } from '../../schemas/record-values.js'
import {
  instrumentMoves,
  liquidationMoves,
  orderMoves,
  rfqMoves,
  type StateMove,
} from '../../schemas/state-moves.js'

// State machines of orders, instruments, RFQs and liquidations. The engine is tested against the same tables.

type Json = Readonly<Record<string, unknown>>

/** Returns `x-states` of both documents: states, final states and transitions. */
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
