import { ByteBuffer } from 'flatbuffers'
import { AnyEvent } from '../../schemas/generated/events.js'
import { BookCleared } from '../../schemas/generated/market-data/book-cleared.js'
import { BookLevel } from '../../schemas/generated/market-data/book-level.js'
import { IndexPrice } from '../../schemas/generated/market-data/index-price.js'
import { Trade } from '../../schemas/generated/market-data/trade.js'
import { noViews, type RecordPlace, type RecordViews } from '../../schemas/record-views.js'

// Readers of market data events, whose bodies are FlatBuffers tables that any client of the schema could read. One
// reader per kind, moved by the next event.

/** Reads numbers through aligned views; the base class assembles them from single bytes. */
class RecordBytes extends ByteBuffer {
  readonly views: RecordViews

  constructor(views: RecordViews) {
    super(views.u8)
    this.views = views
  }

  override readInt32(offset: number): number {
    return this.views.i32[offset >> 2]!
  }

  override readFloat64(offset: number): number {
    return this.views.f64[offset >> 3]!
  }
}

let bytes = new RecordBytes(noViews)
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

/** Returns the reader of the event's views, reused while the views stay the same. */
function bytesOf({ views }: RecordPlace): RecordBytes {
  if (bytes.views !== views) bytes = new RecordBytes(views)
  return bytes
}
