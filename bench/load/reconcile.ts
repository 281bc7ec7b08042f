import { setTimeout as sleep } from 'node:timers/promises'
import { RateLimitError } from '../../gateway/client/client-error.js'
import type { Order, Orderbook } from '../../gateway/client/generated/interface.js'
import type { RestClient } from '../../gateway/client/rest-client.js'
import { type SigningContext, signCancelOrder } from '../../gateway/client/signed-actions.js'
import { microsPerUsd } from '../../schemas/bounds.js'
import { parsePriceMicros } from '../../schemas/decimal.js'
import type { Portfolio } from '../../schemas/interface/risk.js'
import { lotsOf, type OrderLedger } from './order-ledger.js'

/** Positions and books of the venue. */
export interface VenueState {
  /** Signed lots by wallet x instruments + instrument. */
  readonly positionLots: Float64Array
  /** By instrument: lots by side and price (`levelKey`). */
  readonly levels: readonly ReadonlyMap<string, number>[]
}

export interface ReconcileParts {
  readonly rest: RestClient
  readonly wallets: readonly string[]
  readonly symbols: readonly string[]
}

const pageLimit = 50
const bulkItems = 50
const depthMax = 1000

/** Reads the positions and books, before or after a run. */
export async function readVenueState(parts: ReconcileParts): Promise<VenueState> {
  const { rest, wallets, symbols } = parts
  const places = new Map(symbols.map((symbol, index) => [symbol, index]))
  const positionLots = new Float64Array(wallets.length * symbols.length)
  for (const [place, wallet] of wallets.entries()) {
    const { data } = await retryWhenLimited(() =>
      rest.request<{ data: Portfolio }>('GET', '/portfolio', { query: { wallet } }),
    )
    for (const { symbol, amount } of data.positions) {
      const instrument = places.get(symbol)
      if (instrument === undefined) continue
      const lots = lotsOf(amount.replace('-', ''))
      positionLots[place * symbols.length + instrument] = amount.startsWith('-') ? -lots : lots
    }
  }
  const levels: ReadonlyMap<string, number>[] = []
  for (const symbol of symbols) levels.push(await readLevels(rest, symbol))
  return { positionLots, levels }
}

/** Compares the venue with the ledger. @returns each difference as a sentence. */
export async function reconcile(
  parts: ReconcileParts,
  ledger: OrderLedger,
  before: VenueState,
): Promise<string[]> {
  const after = await readVenueState(parts)
  const differences = [
    ...ledger.differences(),
    ...positionDifferences(parts, ledger, before, after),
    ...bookDifferences(parts, ledger, before, after),
  ]
  const listed = new Map<number, Order>()
  for (const wallet of parts.wallets) {
    for (const row of await workingOrders(parts.rest, wallet)) listed.set(row.order_id, row)
  }
  for (const order of ledger.working()) {
    const row = listed.get(order.orderId)
    listed.delete(order.orderId)
    const what = `order ${order.orderId} of command ${order.index}`
    if (row === undefined) differences.push(`${what}: works on the stream, is not listed`)
    else if (
      parsePriceMicros(row.price) !== order.priceMicros ||
      lotsOf(row.size) !== order.sizeLots ||
      lotsOf(row.filled_size) !== order.filledLots
    ) {
      differences.push(`${what}: listed as ${row.size} @ ${row.price}, filled ${row.filled_size}`)
    }
  }
  for (const id of listed.keys()) differences.push(`order ${id}: listed, but not known here`)
  return differences
}

/** Cancels all working orders of the wallets. @returns their number. */
export async function cancelAll(
  rest: RestClient,
  contexts: readonly SigningContext[],
  nextNonce: () => number,
): Promise<number> {
  let count = 0
  for (const context of contexts) {
    const rows = await workingOrders(rest, context.wallet)
    for (let from = 0; from < rows.length; from += bulkItems) {
      const body = rows
        .slice(from, from + bulkItems)
        .map(({ order_id }) => signCancelOrder(context, order_id, nextNonce()))
      await retryWhenLimited(() => rest.request('DELETE', '/bulk_order', { body }))
    }
    count += rows.length
  }
  return count
}

async function workingOrders(rest: RestClient, wallet: string): Promise<readonly Order[]> {
  const rows: Order[] = []
  for (let offset = 0; ; offset += pageLimit) {
    const query = { wallet, status: 'open', limit: pageLimit, offset }
    const { data } = await retryWhenLimited(() =>
      rest.request<{ data: readonly Order[] }>('GET', '/orders', { query }),
    )
    rows.push(...data)
    if (data.length < pageLimit) return rows
  }
}

async function readLevels(rest: RestClient, symbol: string): Promise<ReadonlyMap<string, number>> {
  const query = { instrument_id: symbol, depth: depthMax }
  const { result } = await retryWhenLimited(() =>
    rest.request<{ result: Orderbook | null }>('GET', '/orderbook', { query }),
  )
  const levels = new Map<string, number>()
  for (const [side, rows] of [result?.bids ?? [], result?.asks ?? []].entries()) {
    for (const [price, size] of rows) {
      levels.set(levelKey(side, Math.round(price * microsPerUsd)), lotsOf(size))
    }
  }
  return levels
}

function positionDifferences(
  { wallets, symbols }: ReconcileParts,
  ledger: OrderLedger,
  before: VenueState,
  after: VenueState,
): string[] {
  return [...after.positionLots.keys()].flatMap((at) => {
    const expected = before.positionLots[at] + ledger.positionLots[at]
    const actual = after.positionLots[at]
    if (expected === actual) return []
    const wallet = wallets[Math.floor(at / symbols.length)]
    const symbol = symbols[at % symbols.length]
    return [`position of ${wallet} in ${symbol}: ${actual} lots, its fills make ${expected}`]
  })
}

/**
 * Compares the books. Every level must have at least the lots of our orders. It must have exactly these if the book was
 * empty before the run, and no foreign order traded with ours.
 */
function bookDifferences(
  { symbols }: ReconcileParts,
  ledger: OrderLedger,
  before: VenueState,
  after: VenueState,
): string[] {
  const own = symbols.map(() => new Map<string, number>())
  for (const { index, priceMicros, sizeLots, filledLots } of ledger.working()) {
    const levels = own[ledger.plan.instrument[index]]
    const key = levelKey(ledger.plan.side[index], priceMicros)
    levels.set(key, (levels.get(key) ?? 0) + sizeLots - filledLots)
  }
  return symbols.flatMap((symbol, instrument) => {
    const isOurs = before.levels[instrument].size === 0 && ledger.strangersFills === 0
    const shown = after.levels[instrument]
    const keys = new Set([...own[instrument].keys(), ...(isOurs ? shown.keys() : [])])
    return [...keys].flatMap((key) => {
      const expected = own[instrument].get(key) ?? 0
      const actual = shown.get(key) ?? 0
      if (actual === expected || (!isOurs && actual > expected)) return []
      return [`book of ${symbol}, ${key}: ${actual} lots, our orders make ${expected}`]
    })
  })
}

function levelKey(side: number, priceMicros: number): string {
  return `${side === 0 ? 'bid' : 'ask'} ${priceMicros / microsPerUsd}`
}

/** Retries a request while it fails only because of the rate limit. */
async function retryWhenLimited<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await ask()
    } catch (failure) {
      if (!(failure instanceof RateLimitError)) throw failure
      await sleep(failure.retryAfterSeconds * 1000)
    }
  }
}
