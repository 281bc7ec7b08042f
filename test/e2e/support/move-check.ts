import { orderStatusNames } from '../../../schemas/domain.js'
import { liquidationStateNames } from '../../../schemas/record-values.js'
import {
  isMove,
  liquidationMoves,
  orderMoves,
  type StateMove,
} from '../../../schemas/state-moves.js'
import type { Wire } from './venue.js'

/** Checks a stream's order and liquidation updates against the allowed moves. */
export class MoveCheck {
  /** Latest update of each order, by id. */
  readonly #orders = new Map<number, { readonly seq: number; readonly status: string }>()

  /** @returns the error in a message, or null */
  fault(message: Wire): string | null {
    if (message.type === 'OrderUpdate') return this.#orderFault(message)
    if (message.type !== 'LiquidationStateChange') return null
    const { previous_state: from, new_state: to } = message
    return faultOf(liquidationMoves, liquidationStateNames, from, to)
  }

  #orderFault({ order_id: id, seq, status }: Wire): string | null {
    if (id === null) return null
    const known = this.#orders.get(id)
    // A stream that resumes repeats some updates. One that starts may see an order late in its life.
    if (known !== undefined && seq <= known.seq) return null
    this.#orders.set(id, { seq, status })
    if (known === undefined) return null
    return faultOf(orderMoves, orderStatusNames, known.status, status)
  }
}

function faultOf(
  moves: readonly StateMove<number>[],
  names: readonly string[],
  from: string,
  to: string,
): string | null {
  const may = isMove(moves, names.indexOf(from), names.indexOf(to))
  return may ? null : `no move from ${from} to ${to}`
}
