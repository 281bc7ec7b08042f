import {
  type AnyEvent,
  AuctionEvent,
  EventType,
  InstrumentEvent,
} from '../schemas/generated/events.js'
import type { GatewayContext } from './link/gateway-context.js'

// What a gateway keeps of instruments, auctions, requests for quote and wallets, beside the stream's books.

const auction = new AuctionEvent()
const instrument = new InstrumentEvent()

/** Takes in an event that may concern them. */
export function takeIntoTables(context: GatewayContext, event: AnyEvent): void {
  context.limits.onEvent(event)
  context.rfqs.take(event)
  if (event.recordType === EventType.Auction) context.auctions.take(auction.of(event))
  else if (event.recordType === EventType.Instrument) {
    context.names.instruments.take(instrument.of(event))
    context.perps.take(instrument)
  }
}

/** Forgets all: they may have read what was no event. */
export function clearTables({ names, perps, auctions, rfqs, limits }: GatewayContext): void {
  for (const table of [names.instruments, perps, auctions, rfqs, limits.directory]) table.clear()
}
