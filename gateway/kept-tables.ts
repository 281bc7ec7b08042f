import {
  type AnyEvent,
  AuctionEvent,
  EventType,
  InstrumentEvent,
} from '../schemas/generated/events.js'
import type { GatewayContext } from './link/gateway-context.js'

// Tables that a gateway derives from events, in addition to the books of the stream: instruments, auctions, requests for
// quote, wallets and their fills.

const auction = new AuctionEvent()
const instrument = new InstrumentEvent()

/** Updates the tables with an event. */
export function takeIntoTables(context: GatewayContext, event: AnyEvent): void {
  context.limits.onEvent(event)
  context.rfqs.take(event)
  context.stepFills.onEvent(event)
  if (event.recordType === EventType.Auction) context.auctions.take(auction.of(event))
  else if (event.recordType === EventType.Instrument) {
    context.names.instruments.take(instrument.of(event))
    context.perps.take(instrument)
  }
}

/** Clears the tables, because they may have read bytes that were no event. */
export function clearTables(context: GatewayContext): void {
  const { names, perps, auctions, rfqs, stepFills, limits } = context
  const tables = [names.instruments, perps, auctions, rfqs, stepFills, limits.directory]
  for (const table of tables) table.clear()
}
