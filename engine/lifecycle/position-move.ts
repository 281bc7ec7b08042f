import { assert } from '../../schemas/assert.js'
import { InstrumentState, Side } from '../../schemas/domain.js'
import type { TransferCause } from '../../schemas/record-values.js'
import { type PublishLiquidationState, publishTransfer } from '../publish/publish-liquidation.js'
import { FillEffect, FillTerms } from '../risk/order-check.js'
import { type LiquidationOrdersState, noteMoved } from './liquidation-orders.js'

export interface PositionMoveState extends PublishLiquidationState, LiquidationOrdersState {}

/** A position that changes hands off the book, for an amount that the buyer pays. */
export interface Move {
  readonly instrument: number
  readonly seller: number
  readonly buyer: number
  readonly sizeLots: number
  readonly priceMicros: number
  readonly premiumMicros: number
}

const terms = new FillTerms()
const effect = new FillEffect()

/** Moves a position from seller to buyer, with its payment, and publishes both sides. */
export function movePosition(state: PositionMoveState, move: Move, cause: TransferCause): void {
  assert(move.seller !== move.buyer, 'move: seller and buyer are different wallets')
  moveSide(state, move, Side.Sell, effect)
  publishTransfer(state, terms, effect, move.buyer, cause)
  moveSide(state, move, Side.Buy, effect)
  publishTransfer(state, terms, effect, move.seller, cause)
  noteMoved(state, move.seller, move.instrument)
  noteMoved(state, move.buyer, move.instrument)
}

/** Applies one side of a move without publishing it. */
export function moveSide(state: PositionMoveState, move: Move, side: Side, out: FillEffect): void {
  const isActive = state.instruments.state[move.instrument] === InstrumentState.Active
  assert(isActive, 'move: the instrument is active')
  assert(Number.isSafeInteger(move.premiumMicros), 'move: the premium is a safe integer')
  terms.account = side === Side.Buy ? move.buyer : move.seller
  terms.instrument = move.instrument
  terms.side = side
  terms.sizeLots = move.sizeLots
  terms.priceMicros = move.priceMicros
  terms.premiumMicros = move.premiumMicros
  terms.feeMicros = 0
  state.risk.limits.forget(terms.account)
  state.risk.fill(terms, out)
}
