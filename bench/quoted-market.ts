import { snapshotText, type WireRow } from './quote-rig.js'

/** Rows per frame of a whole market, which has one scope per frame. */
export const quoteRowsPerFrame = 500
/** Number of versions of the market. Every row differs between versions. */
export const quoteVersions = 3
/** Lowest ask price of all rows in USD. */
export const askMin = 101

/** Returns provider snapshots that quote every instrument once. */
export function marketTexts(symbols: readonly string[], version: number): readonly string[] {
  const count = Math.ceil(symbols.length / quoteRowsPerFrame)
  return Array.from({ length: count }, (_, frame) => {
    const first = frame * quoteRowsPerFrame
    const own = symbols.slice(first, first + quoteRowsPerFrame)
    const rows = own.map((symbol, index) => rowOf(symbol, first + index, version))
    return snapshotText(rows, quoteScope(frame))
  })
}

/** Returns the scope of a frame. */
export function quoteScope(frame: number): string {
  return frame.toString(16).padStart(32, '0')
}

function rowOf(instrument: string, index: number, version: number): WireRow {
  const bid = askMin - 1 + ((index * 7) % 900)
  const cents = 10 + version
  return {
    ...{ instrument, bid_price: `${bid}.${cents}`, ask_price: `${bid + 1}.${cents}` },
    ...{ max_bid_size: '10.5', max_ask_size: '10.5' },
  }
}
