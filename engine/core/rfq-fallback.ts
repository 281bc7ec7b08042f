import { assert } from '../../schemas/assert.js'
import { isFinalRfq, Route, Tif } from '../../schemas/domain.js'
import { AnyCommand, CommandType, PlaceOrderCommand } from '../../schemas/generated/commands.js'
import { viewsOf } from '../../schemas/record-views.js'
import { Result } from '../../schemas/results.js'
import { revive } from '../lifecycle/liquidation-gate.js'
import { ticketsLeft } from '../lifecycle/liquidation-orders.js'
import { none } from '../memory/rows.js'
import { nobody } from '../publish/publish-orders.js'
import { fallbackMicros, publishRfqEnd } from '../rfq/rfq-states.js'
import { type Batch, TicketFlag } from '../state/batch.js'
import type { CoreState } from '../state/core-state.js'
import type { Rfq } from '../state/rfq/rfq-row.js'
import { decidePlace } from './decide-signed.js'

const record = new AnyCommand()

/**
 * Places the fallback orders of requests that ended without a trade, after everything else of the batch is executed.
 * Each is decided like any order, at its limit, with the id of its request as client id. It has no requester, so it
 * gets no answer and burns no nonce. A replay places it again.
 * @returns true if there were any; call again after they are answered.
 */
export function placeFallbacks(state: CoreState, batch: Batch): boolean {
  const { fallbacks } = state.rfqs
  // Matchers must receive moved positions first.
  if (fallbacks.length === 0 || state.liquidations.moved.length > 0) return false
  while (fallbacks.length > 0 && ticketsLeft(batch) > 0) {
    const { row, reason } = fallbacks.shift()!
    const fallbackOrderId = place(state, batch, row)
    publishRfqEnd(state, row, { reason, fallbackOrderId })
  }
  return true
}

/** @returns the order id, 0 if the order was rejected. */
function place(state: CoreState, batch: Batch, row: Rfq): number {
  const { account } = row.terms
  assert(isFinalRfq(row.status), 'fallback: the request has ended')
  assert(fallbackMicros(row) > 0, 'fallback: the order has a price')
  const ticket = batch.add(recordOf(state, row), none)
  batch.account[ticket] = account
  batch.flags[ticket] = TicketFlag.Own
  decidePlace(state, batch, ticket)
  if (batch.result[ticket] !== Result.Accepted) return 0
  revive(state, account)
  return state.orders.orderId[batch.slot[ticket]]
}

/** Returns the order as a command in memory of its own, because it is read until the batch ends. */
function recordOf(state: CoreState, row: Rfq): AnyCommand {
  const { accounts, instruments } = state
  const { account, legs } = row.terms
  const [{ instrument, side, sizeLots }] = legs
  const bytes = PlaceOrderCommand.bytes
  const order = new PlaceOrderCommand().over(viewsOf(new ArrayBuffer(bytes)), 0)
  order.recordBytes = bytes
  order.recordType = CommandType.PlaceOrder
  order.gateway = nobody
  accounts.addresses.write(account, order.u8, order.walletAt)
  const { key } = order
  key.underlyingText = instruments.underlyingNames[instruments.underlying[instrument]]
  key.expiryDate = instruments.expiryDate[instrument]
  key.right = instruments.right[instrument] as typeof key.right
  key.strikeMicros = instruments.strikeMicros[instrument]
  order.priceMicros = fallbackMicros(row)
  order.sizeLots = sizeLots
  order.side = side
  order.tif = Tif.Gtc
  order.route = Route.BookOnly
  order.clientIdText = row.key
  return record.of(order)
}
