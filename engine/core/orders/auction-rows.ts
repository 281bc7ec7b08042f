import { auctionRowsMax } from '../../../schemas/bounds.js'
import { ProviderStatus, Route, Side, TradingMode } from '../../../schemas/domain.js'
import {
  AuctionTerms,
  CommandType,
  IndicativeRow,
  PlaceOrderCommand,
} from '../../../schemas/generated/commands.js'
import { none } from '../../memory/rows.js'
import type { InstrumentTable } from '../../pricing/instruments.js'
import type { WalletStops } from '../../state/accounts/wallet-stops.js'
import type { Batch } from '../../state/batch.js'
import type { Shown } from '../../state/rfq/auction-row.js'
import type { AuctionTable } from '../../state/rfq/auction-table.js'
import type { ProviderTable } from '../../state/rfq/provider-table.js'

export interface AuctionRowsState {
  readonly instruments: InstrumentTable
  readonly providers: ProviderTable
  readonly walletStops: WalletStops
  readonly auctions: AuctionTable
  readonly nowMillis: number
}

// Indicative rows of providers for an order's instrument, as its gateway knew them. They follow the order's record.

const terms = new AuctionTerms()
const row = new IndicativeRow()

/** Best prices of a book; 0 if there is none. */
export interface BookTop {
  bidMicros: number
  askMicros: number
}

/** Returns true if the instrument trades on a book. */
export function hasBook({ instruments }: AuctionRowsState, instrument: number): boolean {
  return (instruments.tradingMode[instrument] & TradingMode.Orderbook) !== 0
}

/**
 * Returns the price that the core sends to an order's matcher. The matcher asks for an auction if this price or the
 * book is within the order's limit. 0 means that the order is for the book alone. Without a book only providers can
 * fill the order, whatever they show.
 */
export function auctionMicros(state: AuctionRowsState, batch: Batch, ticket: number): number {
  const bestMicros = bestShownMicros(state, batch, ticket)
  if (bestMicros === 0 || hasBook(state, batch.instrument[ticket])) return bestMicros
  return batch.place(ticket).priceMicros
}

/** Returns the best price that a counting row shows against the order of a ticket; 0 if there is none. */
export function bestShownMicros(state: AuctionRowsState, batch: Batch, ticket: number): number {
  const count = countOf(state, batch, ticket)
  if (count === 0) return 0
  const { side } = batch.place(ticket)
  let best = 0
  for (let index = 0; index < count; index++) {
    if (!isCounting(state, batch, ticket, index)) continue
    const { askMicros, bidMicros } = row
    const micros = side === Side.Buy ? askMicros : bidMicros
    const isBetter = best === 0 || (side === Side.Buy ? micros < best : micros > best)
    if (micros !== 0 && isBetter) best = micros
  }
  return best
}

/**
 * Returns the providers whose rows count against the order of a ticket, each once, in row order. Rows that cross the
 * book do not count.
 */
export function shownTo(
  state: AuctionRowsState,
  batch: Batch,
  ticket: number,
  { askMicros: bookAsk, bidMicros: bookBid }: BookTop,
): readonly Shown[] {
  const shown: Shown[] = []
  const { side } = batch.place(ticket)
  const count = countOf(state, batch, ticket)
  for (let index = 0; index < count; index++) {
    if (!isCounting(state, batch, ticket, index)) continue
    const { account, askMicros, bidMicros, sizeLots } = row
    const crossesAsk = bidMicros !== 0 && bookAsk !== 0 && bidMicros >= bookAsk
    const crossesBid = askMicros !== 0 && bookBid !== 0 && askMicros <= bookBid
    const priceMicros = side === Side.Buy ? askMicros : bidMicros
    if (crossesAsk || crossesBid || priceMicros === 0) continue
    if (!shown.some((one) => one.account === account))
      shown.push({ account, priceMicros, sizeLots })
  }
  return shown
}

/** Returns the number of rows with a ticket's order; 0 if its instrument or its route excludes providers. */
function countOf({ instruments }: AuctionRowsState, batch: Batch, ticket: number): number {
  if (batch.type[ticket] !== CommandType.PlaceOrder) return 0
  const place = batch.place(ticket)
  const bytes = place.recordBytes - PlaceOrderCommand.bytes
  if (place.route !== Route.BestExecution || bytes < AuctionTerms.bytes) return 0
  const instrument = batch.instrument[ticket]
  const isServed =
    instrument !== none && (instruments.tradingMode[instrument] & TradingMode.Rfq) !== 0
  if (!isServed) return 0
  const { count } = terms.over(place.views, place.at + PlaceOrderCommand.bytes)
  const room = Math.floor((bytes - AuctionTerms.bytes) / IndicativeRow.bytes)
  return Math.max(0, Math.min(count, room, auctionRowsMax))
}

/**
 * Moves `row` to a row of the order.
 * @returns true if the row counts: its provider is connected, active, and not barred.
 */
function isCounting(state: AuctionRowsState, batch: Batch, ticket: number, index: number): boolean {
  const place = batch.place(ticket)
  const first = place.at + PlaceOrderCommand.bytes + AuctionTerms.bytes
  const { account } = row.over(place.views, first + index * IndicativeRow.bytes)
  const provider = state.providers.find(account)
  if (provider === null || provider.status !== ProviderStatus.Active) return false
  if (!provider.isConnected || account === batch.account[ticket]) return false
  if (state.walletStops.has(account)) return false
  return !state.auctions.isBarred(account, batch.instrument[ticket], state.nowMillis)
}
