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

// What providers show for the instrument of an order, as its gateway knew it: behind the record of the order.

const terms = new AuctionTerms()
const row = new IndicativeRow()

/** The best prices of a book; 0: there is none. */
export interface BookTop {
  bidMicros: number
  askMicros: number
}

/** Whether the instrument trades on a book. */
export function hasBook({ instruments }: AuctionRowsState, instrument: number): boolean {
  return (instruments.tradingMode[instrument] & TradingMode.Orderbook) !== 0
}

/**
 * Price that an order's matcher is told, which asks for an auction where that or the book is within its limit; 0: it is
 * for the book alone. Where there is no book nobody but providers can help, whatever they show.
 */
export function askedMicros(state: AuctionRowsState, batch: Batch, ticket: number): number {
  const bestMicros = bestShownMicros(state, batch, ticket)
  if (bestMicros === 0 || hasBook(state, batch.instrument[ticket])) return bestMicros
  return batch.place(ticket).priceMicros
}

/** Best price that a provider whose row counts shows against the order of a ticket; 0: there is none. */
export function bestShownMicros(state: AuctionRowsState, batch: Batch, ticket: number): number {
  const count = countOf(state, batch, ticket)
  if (count === 0) return 0
  const { side } = batch.place(ticket)
  let best = 0
  for (let index = 0; index < count; index++) {
    if (!counts(state, batch, ticket, index)) continue
    const { askMicros, bidMicros } = row
    const micros = side === Side.Buy ? askMicros : bidMicros
    const isBetter = best === 0 || (side === Side.Buy ? micros < best : micros > best)
    if (micros !== 0 && isBetter) best = micros
  }
  return best
}

/** Providers whose rows count against the order of a ticket, each once, in the order of the rows: those that cross the book do not. */
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
    if (!counts(state, batch, ticket, index)) continue
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

/** Rows of a ticket's order; none where its instrument or its route leaves providers out. */
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

/** Moves `row` to a row of the order. @returns whether it counts: its provider can be asked, and has not been silent of late. */
function counts(state: AuctionRowsState, batch: Batch, ticket: number, index: number): boolean {
  const place = batch.place(ticket)
  const first = place.at + PlaceOrderCommand.bytes + AuctionTerms.bytes
  const { account } = row.over(place.views, first + index * IndicativeRow.bytes)
  const provider = state.providers.find(account)
  if (provider === null || provider.status !== ProviderStatus.Active) return false
  if (!provider.isConnected || account === batch.account[ticket]) return false
  if (state.walletStops.has(account)) return false
  return !state.auctions.isBarred(account, batch.instrument[ticket], state.nowMillis)
}
