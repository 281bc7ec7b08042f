import { lotsToNumber, microsToNumber } from '../../schemas/decimal.js'
import { InstrumentState, Side } from '../../schemas/domain.js'
import { markMicrosOf, openInterestOf, usdOrZero } from './texts/market-text.js'
import type { EventViews } from './views/event-views.js'
import type { InstrumentRows } from './views/instrument-rows.js'

/** Writes the current gauges of every active instrument, for the operator's metrics. */
export function writeInstrumentGauges(views: EventViews, rows: InstrumentRows): void {
  const { market, statistics, timeMillis } = views
  const { instruments } = market
  for (let id = 0; id < instruments.count; id++) {
    if (instruments.state[id] !== InstrumentState.Active) {
      rows.clear(id)
      continue
    }
    const book = market.books.of(id)
    rows.write(id, market.symbols[id]!, {
      bidPrice: microsToNumber(book.priceMicros(Side.Buy, 0)),
      askPrice: microsToNumber(book.priceMicros(Side.Sell, 0)),
      markPrice: usdOrZero(markMicrosOf(market, id)),
      openInterest: openInterestOf(market, id),
      volumeOfDay: lotsToNumber(statistics.of(id).day(timeMillis).volumeLots),
    })
  }
}
