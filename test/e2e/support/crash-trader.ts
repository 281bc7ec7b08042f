import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../../../gateway/client/client-error.js'
import { type Fill, FillFeed } from '../../../gateway/client/fill-feed.js'
import { LocalBook } from '../../../gateway/client/local-book.js'
import { type FedOrder, OrderFeed, type PlacedOrder } from '../../../gateway/client/order-feed.js'
import { signPlaceOrder } from '../../../gateway/client/signed-actions.js'
import { StreamClient } from '../../../gateway/client/stream-client.js'
import type { StrikebookClient } from '../../../gateway/client/strikebook-client.js'
import type { RandomSource } from '../../../gateway/feeds/random-source.js'
import { allOrders } from './crash-rounds.js'
import { eventually, type Venue } from './venue.js'

/** Sent order with the client's result; null means that the venue never accepted it. */
interface Sent {
  readonly terms: { readonly symbol: string; readonly size: string; readonly price: string }
  readonly placed: PlacedOrder | null
}

const senders = 3
const cancelShare = 0.3
const priceSteps = 5
const depth = 20
const pauseMillis = 2

/**
 * Trader that has only the client package: orders over its stream, its feeds of orders and fills, its books. It learns
 * of the venue's crashes through them alone.
 */
export class CrashTrader {
  readonly client: StrikebookClient
  /** Errors of the feeds' reads, which the feeds retry. */
  readonly failures: unknown[] = []
  readonly #stream: StreamClient
  readonly #orders: OrderFeed
  readonly #fills: FillFeed
  readonly #books: readonly LocalBook[]
  readonly #symbols: readonly string[]
  readonly #random: RandomSource
  /** By client id. */
  readonly #sent = new Map<string, Sent>()
  readonly #receivedFills: Fill[] = []
  /** Latest update of each order. */
  readonly #receivedOrders = new Map<number, FedOrder>()
  #isTrading = false
  #missedFills = 0
  #working: Promise<void>[] = []

  constructor(client: StrikebookClient, symbols: readonly string[], random: RandomSource) {
    this.client = client
    this.#symbols = symbols
    this.#random = random
    const { url } = client.rest
    const stream = new StreamClient({ url, wallet: client.wallet, backoffMillisMax: 500 })
    const onError = (error: unknown) => this.failures.push(error)
    this.#stream = stream
    this.#orders = new OrderFeed({ stream, client, onOrder: (order) => this.#take(order), onError })
    const onFill = (fill: Fill, isMissed: boolean) => {
      this.#receivedFills.push(fill)
      if (isMissed) this.#missedFills++
    }
    this.#fills = new FillFeed({ stream, client, onFill, onError, afterFillId: 0 })
    this.#books = symbols.map(
      (symbol) => new LocalBook({ stream, rest: client.rest, symbol, depth }),
    )
  }

  /** Counts of what it received, and of the fills missed while the stream was down. */
  get counts(): string {
    const { size: orders } = this.#receivedOrders
    const fills = this.#receivedFills.length
    return `${this.#sent.size} sent, ${orders} orders, ${fills} fills, ${this.#missedFills} missed`
  }

  begin(): void {
    this.#isTrading = true
    this.#working = Array.from({ length: senders }, () => this.#trade())
  }

  /** Ends trading, and waits until the result of every sent order is known. */
  async end(): Promise<void> {
    this.#isTrading = false
    await Promise.all(this.#working)
  }

  close(): void {
    for (const part of [...this.#books, this.#orders, this.#fills, this.#stream]) part.close()
  }

  async #trade(): Promise<void> {
    while (this.#isTrading) {
      await this.#placeOne().catch((error: unknown) => {
        // A venue that has just started may refuse the order. Any other exchange error is a fault of the test.
        if (error instanceof ApiError) throw error
      })
      await sleep(pauseMillis)
    }
  }

  async #placeOne(): Promise<void> {
    const clientId = `trader ${this.#sent.size}`
    const symbol = this.#symbols[this.#below(this.#symbols.length)]!
    const side = this.#below(2) === 0 ? ('Buy' as const) : ('Sell' as const)
    const size = String(1 + this.#below(9))
    const terms = { symbol, size, price: String(1000 + this.#below(priceSteps) * 10) }
    this.#sent.set(clientId, { terms, placed: null })
    const { context } = this.client
    const body = signPlaceOrder(context, { ...terms, side, clientId }, this.client.nextNonce())
    const placed = await this.#orders.placeOrder(body)
    this.#sent.set(clientId, { terms, placed })
    const id = placed?.order_id ?? null
    if (id !== null && this.#random.next() < cancelShare)
      await this.client.cancelOrder(id).catch(() => {})
  }

  #below(count: number): number {
    return Math.floor(this.#random.next() * count)
  }

  #take(order: FedOrder): void {
    this.#receivedOrders.set(order.order_id, order)
  }

  /** Asserts that everything this client received is true, and that nothing is missing. */
  async check(venue: Venue, where: string): Promise<void> {
    await this.#checkBooks(venue, where)
    const rows = await allOrders(venue, this.client.wallet)
    await this.#checkFills(where)
    for (const [clientId, { terms, placed }] of this.#sent) {
      const row = rows.find(({ client_id }) => client_id === clientId)
      const name = `${where}, ${clientId}`
      if (placed === null || placed.status === 'REJECTED') {
        assert.equal(
          row?.order_id,
          undefined,
          `${name}: exists, although the client reported it as not accepted`,
        )
        continue
      }
      assert.ok(row !== undefined, `${name}: was acknowledged and is missing`)
      assert.equal(row.order_id, placed.order_id, name)
      assert.deepEqual([row.symbol, row.size, row.price], Object.values(terms), name)
    }
    for (const row of rows) {
      assert.ok(
        this.#sent.has(row.client_id ?? ''),
        `${where}: order ${row.order_id} was never sent`,
      )
    }
    await eventually(`${where}: the order feed has caught up`, async () => {
      const now = await allOrders(venue, this.client.wallet)
      const states = now.map(({ order_id, status, filled_size }) => {
        const received = this.#receivedOrders.get(order_id)
        const isSame =
          received?.status.toLowerCase() === status && received?.filled_size === filled_size
        return isSame ? null : { order_id, status, filled_size, received }
      })
      const wrong = states.filter((state) => state !== null)
      return wrong.length === 0 && this.#orders.working.size === openOf(now)
    })
  }

  /** Asserts that each fill arrived once, by rising ids, and that none of the history's is missing. */
  async #checkFills(where: string): Promise<void> {
    const fillIds = () => this.#receivedFills.map(({ fill_id: id }) => id)
    let kept: readonly number[] = []
    await eventually(`${where}: the fill feed has caught up`, async () => {
      kept = await this.#fillIds()
      return fillIds().length >= kept.length
    })
    assert.deepEqual(fillIds(), kept, `${where}: fills`)
  }

  async #checkBooks(venue: Venue, where: string): Promise<void> {
    for (const book of this.#books) {
      await eventually(`${where}: the book of ${book.symbol} is the venue's`, async () => {
        const path = `/orderbook?instrument_id=${book.symbol}&depth=${depth}`
        const { bids, asks } = (await venue.read(path)).result
        const mine = [book.bids, book.asks].map((side) =>
          side.map(({ price, size }) => [Number(price), Number(size)]),
        )
        return book.state === 'live' && JSON.stringify(mine) === JSON.stringify([bids, asks])
      })
    }
  }

  async #fillIds(): Promise<readonly number[]> {
    const ids: number[] = []
    for (;;) {
      const page = await this.client.profile.trades({ limit: 100, offset: ids.length })
      ids.push(...page.map(({ fill_id: id }) => id))
      if (page.length < 100) return ids.reverse()
    }
  }
}

function openOf(rows: readonly { readonly status: string }[]): number {
  return rows.filter(({ status }) => status === 'open' || status === 'partially_filled').length
}
