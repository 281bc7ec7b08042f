import { Side } from '../../../schemas/domain.js'
import { isWithin } from './book-offer.js'
import type { PublishedOrder } from './published-orders.js'
import type { PublishedProviders } from './published-providers.js'
import { Known, type RowBars } from './row-bars.js'
import type { SentRow } from './sent-rows.js'

/** Best prices of a book; 0 means none. */
export interface PublishedTop {
  readonly bidMicros: number
  readonly askMicros: number
}

/** Providers that an order invites. */
export interface Counting {
  /** Rows by account of the provider. */
  readonly rows: ReadonlyMap<number, SentRow>
  /** True if these are certainly all of them. */
  readonly isSure: boolean
}

/** Known state of providers. */
export interface KnownProviders {
  readonly providers: PublishedProviders
  readonly bars: RowBars
}

/**
 * Returns the rows that count for an order: of active, connected providers other than its wallet that are not barred
 * for silence, and that do not cross the book. Returns none where neither the book nor any row is within its limit.
 */
export function countingRows(
  order: PublishedOrder,
  sent: readonly SentRow[],
  top: PublishedTop,
  { bars, providers }: KnownProviders,
  nowMillis: number,
): Counting {
  const { instrument, priceMicros, side } = order
  const rows = new Map<number, SentRow>()
  let isSure = true
  for (const row of sent) {
    const provider = providers.find(row.account)
    if (provider === null || !provider.isActive || !provider.isConnected) continue
    if (row.account === order.account || crosses(row, top) || shownMicros(row, side) === 0) continue
    const barred = bars.isBarred(row.account, instrument, nowMillis)
    if (barred === Known.Maybe) isSure = false
    if (barred === Known.Yes || rows.has(row.account)) continue
    rows.set(row.account, row)
  }
  const bestMicros = side === Side.Buy ? top.askMicros : top.bidMicros
  const isOnBook = bestMicros !== 0 && isWithin(side, priceMicros, bestMicros)
  const helps = [...rows.values()].some((row) => {
    return isWithin(side, priceMicros, shownMicros(row, side))
  })
  return { rows: isOnBook || helps ? rows : new Map(), isSure }
}

/** Returns the price that a row offers to an order of this side, or 0. */
export function shownMicros({ askMicros, bidMicros }: SentRow, side: Side): number {
  return side === Side.Buy ? askMicros : bidMicros
}

function crosses(row: SentRow, top: PublishedTop): boolean {
  const isAskCrossed = row.bidMicros !== 0 && top.askMicros !== 0 && row.bidMicros >= top.askMicros
  const isBidCrossed = row.askMicros !== 0 && top.bidMicros !== 0 && row.askMicros <= top.bidMicros
  return isAskCrossed || isBidCrossed
}
