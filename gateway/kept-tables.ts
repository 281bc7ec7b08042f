import {
  type AnyEvent,
  AuctionEvent,
  EventType,
  InstrumentEvent,
} from '../schemas/generated/events.js'
import type { GatewayContext } from './link/gateway-context.js'

// What a gateway keeps of instruments, auctions, requests for quote, wallets and what they trade, beside the stream's books.

const auction = new AuctionEvent()
const instrument = new InstrumentEvent()

/** Takes in an event that may concern them. */
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

/** Forgets all: they may have read what was no event. */
export function clearTables(context: GatewayContext): void {
  const { names, perps, auctions, rfqs, stepFills, limits } = context
  const tables = [names.instruments, perps, auctions, rfqs, stepFills, limits.directory]
  for (const table of tables) table.clear()
}
