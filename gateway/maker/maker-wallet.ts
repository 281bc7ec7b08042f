import type { SideName } from '../../schemas/wire-types.js'
import { ApiError, RateLimitError } from '../client/client-error.js'
import type { OptionSummary, OrderUpdate } from '../client/generated/interface.js'
import { StreamClient } from '../client/stream-client.js'
import type { StreamMessage } from '../client/stream-types.js'
import type { StrikebookClient } from '../client/strikebook-client.js'
import { type PerpMarket, planPerp } from './perp-plan.js'
import { clientIdOf, type PlannedQuote, planQuote, priceOf, requoteUrgency } from './quote-plan.js'
import { WindowBudget } from './window-budget.js'

interface Working {
  readonly clientId: string
  readonly symbol: string
  readonly side: SideName
  orderId: number | null
  quote: PlannedQuote | null
  /** True if it was partly filled since it was placed. */
  isTouched: boolean
}

interface Task {
  readonly working: Working
  readonly quote: PlannedQuote
  readonly urgency: number
}

// Below the tier's limits of 600 and 1200: the windows of the venue and of this process may differ by some requests.
const ordersPerMinute = 540
const cancelsPerMinute = 1000
const requestsAtOnce = 4
const sides: readonly SideName[] = ['Buy', 'Sell']
// Reasons after which the order does not exist. With the last one, an order still rests where the index has moved.
const goneReasons = [
  'order_already_filled',
  'order_already_canceled',
  'order_not_found',
  'post_only_would_trade',
]
const unplacedUrgency = Number.MAX_VALUE

/** Wallet of a maker, with its quotes and the requests that keep them near the mark. */
export class MakerWallet {
  readonly client: StrikebookClient
  readonly #orders = new WindowBudget(ordersPerMinute)
  readonly #cancels = new WindowBudget(cancelsPerMinute)
  /** Working orders by client id. */
  readonly #working = new Map<string, Working>()
  /** Signed contracts by symbol. */
  #positions: ReadonlyMap<string, number> = new Map()
  #arePositionsKnown = false
  readonly #stream: StreamClient
  readonly #onFailure: (message: string) => void

  constructor(client: StrikebookClient, onFailure: (message: string) => void) {
    this.client = client
    this.#onFailure = onFailure
    this.#stream = new StreamClient({
      url: client.rest.url,
      wallet: client.wallet,
      sessions: client.sessions,
      onMessage: (message) => {
        if (message.type === 'Fill') this.#onFill(message)
      },
      onConnected: () => {
        this.#arePositionsKnown = false
      },
    })
    this.#stream.subscribe('fills')
  }

  /** Number of quotes with orders on both sides. */
  get quotesShown(): number {
    let count = 0
    for (const { side, quote, orderId } of this.#working.values()) {
      if (side !== 'Buy' || orderId === null || quote === null) continue
      const other = this.#working.get(clientIdOf(quote, 'Sell'))
      if (other && other.orderId !== null) count++
    }
    return count
  }

  /** Places missing orders and replaces those far from the mark, most urgent first, within the rate limits. */
  async refresh(rows: readonly OptionSummary[], perps: readonly PerpMarket[]): Promise<void> {
    if (perps.length > 0 && !this.#arePositionsKnown) await this.#loadPositions()
    const tasks = this.#tasks(rows, perps).sort((one, other) => other.urgency - one.urgency)
    const workers = Array.from({ length: requestsAtOnce }, async () => {
      for (let task = tasks.shift(); task && this.#orders.take(); task = tasks.shift()) {
        await this.#execute(task)
      }
    })
    await Promise.all(workers)
  }

  close(): void {
    this.#stream.close()
  }

  async #loadPositions(): Promise<void> {
    this.#arePositionsKnown = true // a later fill clears it: the answer may lack that fill
    try {
      const { positions } = await this.client.portfolio()
      this.#positions = new Map(positions.map(({ symbol, amount }) => [symbol, Number(amount)]))
    } catch (error) {
      this.#arePositionsKnown = false
      this.#onFailure(`positions: ${messageOf(error)}`)
    }
  }

  #tasks(rows: readonly OptionSummary[], perps: readonly PerpMarket[]): Task[] {
    const tasks: Task[] = []
    const ofOptions = rows.map((row) => row.instrument_name)
    const listed = new Set([...ofOptions, ...perps.map((perp) => perp.symbol)])
    for (const [key, { symbol }] of this.#working)
      if (!listed.has(symbol)) this.#working.delete(key)
    const plans = perps.flatMap((perp) => planPerp(perp, this.#positions.get(perp.symbol) ?? 0))
    for (const quote of [...plans, ...rows.map(planQuote)]) {
      if (quote === null) continue
      for (const side of sides) {
        const working = this.#workingOf(quote, side)
        const urgency = urgencyOf(working, quote)
        if (urgency >= 1) tasks.push({ working, quote, urgency })
      }
    }
    return tasks
  }

  async #execute({ working, quote }: Task): Promise<void> {
    try {
      const update = await this.#send(working, quote)
      if (update.status !== 'REJECTED') {
        working.orderId = update.status === 'FILLED' ? null : update.order_id
        working.quote = quote
        working.isTouched = false
      } else await this.#onRejected(working, update)
    } catch (error) {
      if (error instanceof RateLimitError) this.#orders.exhaust()
      else if (error instanceof ApiError && error.code === 'limit_exceeded') this.#orders.exhaust()
      else this.#onFailure(`${working.symbol} ${working.side}: ${messageOf(error)}`)
    }
  }

  async #send(working: Working, quote: PlannedQuote): Promise<OrderUpdate> {
    const { symbol, side, clientId, orderId } = working
    const { asset, size } = quote
    const terms = { side, size, price: priceOf(quote, side), clientId }
    if (asset !== null) {
      if (orderId !== null) await this.#cancel(working) // orders of perps cannot be replaced
      return this.client.placePerpOrder({ ...terms, asset, tif: 'alo' })
    }
    if (orderId !== null) return this.client.replaceOrder({ ...terms, symbol, orderId })
    return this.client.placeOrder({ ...terms, symbol, route: 'book_only' })
  }

  async #onRejected(working: Working, update: OrderUpdate): Promise<void> {
    const code = update.reason_code ?? ''
    if (goneReasons.includes(code)) {
      working.orderId = null
      working.quote = null
    } else if (code === 'duplicate_client_id') {
      // An order of an earlier run: cancel it, so that the next refresh places a new one.
      await this.#cancel(working)
    } else this.#onFailure(`${working.symbol} ${working.side}: ${update.reason}`)
  }

  /** Cancels an order, and ignores the result: if the order still works, the next one fails as a duplicate. */
  async #cancel(working: Working): Promise<void> {
    working.orderId = null
    working.quote = null
    if (this.#cancels.take()) await this.client.cancelByClientId(working.clientId)
  }

  #onFill(fill: StreamMessage): void {
    if (fill['instrument_type'] === 'perp') this.#arePositionsKnown = false
    for (const working of this.#working.values()) {
      if (working.orderId === fill['order_id']) working.isTouched = true
    }
  }

  #workingOf(quote: PlannedQuote, side: SideName): Working {
    const clientId = clientIdOf(quote, side)
    const known = this.#working.get(clientId)
    if (known) return known
    const { symbol } = quote
    const working = { clientId, symbol, side, orderId: null, quote: null, isTouched: false }
    this.#working.set(clientId, working)
    return working
  }
}

function urgencyOf(working: Working, quote: PlannedQuote): number {
  if (working.orderId === null || working.quote === null) return unplacedUrgency
  return requoteUrgency(working.quote, quote.theo) + (working.isTouched ? 1 : 0)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
