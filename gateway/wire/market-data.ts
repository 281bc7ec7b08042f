import { ByteBuffer } from 'flatbuffers'
import { AnyEvent } from '../../schemas/generated/events.js'
import { BookCleared } from '../../schemas/generated/market-data/book-cleared.js'
import { BookLevel } from '../../schemas/generated/market-data/book-level.js'
import { IndexPrice } from '../../schemas/generated/market-data/index-price.js'
import { Trade } from '../../schemas/generated/market-data/trade.js'
import { noViews, type RecordPlace } from '../../schemas/record-views.js'

// Market data is read by what FlatBuffers generates of its schema: the bodies of these events are what any client of the
// schema could read. There is one reader of each kind, which the next event moves.

let bytes = new ByteBuffer(noViews.u8)
const trade = new Trade()
const bookLevel = new BookLevel()
const bookCleared = new BookCleared()
const indexPrice = new IndexPrice()

export function tradeOf(event: RecordPlace): Trade {
  return trade.__init(event.at + AnyEvent.bytes, bytesOf(event))
}

export function bookLevelOf(event: RecordPlace): BookLevel {
  return bookLevel.__init(event.at + AnyEvent.bytes, bytesOf(event))
}

export function bookClearedOf(event: RecordPlace): BookCleared {
  return bookCleared.__init(event.at + AnyEvent.bytes, bytesOf(event))
}

export function indexPriceOf(event: RecordPlace): IndexPrice {
  return indexPrice.__init(event.at + AnyEvent.bytes, bytesOf(event))
}

/** Those of the event's views, wrapped once for as long as events stand in the same ones. */
function bytesOf({ views: { u8 } }: RecordPlace): ByteBuffer {
  if (bytes.bytes() !== u8) bytes = new ByteBuffer(u8)
  return bytes
}
