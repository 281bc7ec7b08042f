import { orderStatusNames } from '../../../schemas/domain.js'
import { liquidationStateNames } from '../../../schemas/record-values.js'
import {
  isMove,
  liquidationMoves,
  orderMoves,
  type StateMove,
} from '../../../schemas/state-moves.js'
import type { Wire } from './venue.js'

/** Holds what a stream tells of orders and liquidations against the moves that there are. */
export class MoveCheck {
  /** By id: what was told of an order so far. */
  readonly #orders = new Map<number, { readonly seq: number; readonly status: string }>()

  /** @returns what is wrong with a message, else null. */
  fault(message: Wire): string | null {
    if (message.type === 'OrderUpdate') return this.#orderFault(message)
    if (message.type !== 'LiquidationStateChange') return null
    const { previous_state: from, new_state: to } = message
    return faultOf(liquidationMoves, liquidationStateNames, from, to)
  }

  #orderFault({ order_id: id, seq, status }: Wire): string | null {
    if (id === null) return null
    const known = this.#orders.get(id)
    // A stream that goes on where it was tells some once more; one that begins knows not all of them from the beginning.
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
