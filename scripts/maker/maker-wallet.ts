import { ApiError, RateLimitError } from '../../gateway/client/client-error.js'
import { StreamClient } from '../../gateway/client/stream-client.js'
import type { StrikebookClient } from '../../gateway/client/strikebook-client.js'
import type { OptionSummary, OrderUpdate, SideName } from '../../gateway/client/wire-types.js'
import { type PlannedQuote, planQuote, priceOf, requoteUrgency } from './quote-plan.js'
import { WindowBudget } from './window-budget.js'

interface Working {
  readonly symbol: string
  readonly side: SideName
  orderId: number | null
  quote: PlannedQuote | null
  /** A fill took part of it. */
  isTouched: boolean
}

interface Task {
  readonly working: Working
  readonly quote: PlannedQuote
  readonly urgency: number
}

// A tenth below the tier's limits: the exchange's clock and ours may differ by a request or two.
const ordersPerMinute = 540
const cancelsPerMinute = 1000
const requestsAtOnce = 4
const sides: readonly SideName[] = ['Buy', 'Sell']
const goneReasons = ['order_already_filled', 'order_already_canceled', 'order_not_found']
const unplacedUrgency = Number.MAX_VALUE

/** One maker's wallet: its quotes, and the requests that keep them near the mark. */
export class MakerWallet {
  readonly client: StrikebookClient
  readonly #orders = new WindowBudget(ordersPerMinute)
  readonly #cancels = new WindowBudget(cancelsPerMinute)
  readonly #working = new Map<string, Working>()
  readonly #stream: StreamClient
  readonly #onFailure: (message: string) => void

  constructor(client: StrikebookClient, onFailure: (message: string) => void) {
    this.client = client
    this.#onFailure = onFailure
    this.#stream = new StreamClient({
      url: client.rest.url,
      wallet: client.wallet,
      onMessage: (message) => {
        if (message.type === 'Fill') this.#onFill(message['order_id'])
      },
    })
    this.#stream.subscribe('fills')
  }

  /** Options quoted on both sides now. */
  get quotedOptions(): number {
    let count = 0
    for (const { side, symbol, orderId } of this.#working.values()) {
      const other = this.#working.get(keyOf(symbol, 'Sell'))
      if (side === 'Buy' && orderId !== null && other && other.orderId !== null) count++
    }
    return count
  }

  /** Places and replaces what is missing or has left the mark, most urgent first, within the rate limits. */
  async refresh(rows: readonly OptionSummary[]): Promise<void> {
    const tasks = this.#tasks(rows).sort((one, other) => other.urgency - one.urgency)
    const workers = Array.from({ length: requestsAtOnce }, async () => {
      for (let task = tasks.shift(); task && this.#orders.take(); task = tasks.shift()) {
        await this.#carryOut(task)
      }
    })
    await Promise.all(workers)
  }

  close(): void {
    this.#stream.close()
  }

  #tasks(rows: readonly OptionSummary[]): Task[] {
    const tasks: Task[] = []
    const listed = new Set(rows.map((row) => row.instrument_name))
    for (const [key, { symbol }] of this.#working)
      if (!listed.has(symbol)) this.#working.delete(key)
    for (const row of rows) {
      const quote = planQuote(row)
      if (quote === null) continue
      for (const side of sides) {
        const working = this.#workingOf(row.instrument_name, side)
        const urgency = urgencyOf(working, quote)
        if (urgency >= 1) tasks.push({ working, quote, urgency })
      }
    }
    return tasks
  }

  async #carryOut({ working, quote }: Task): Promise<void> {
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

  #send(working: Working, quote: PlannedQuote): Promise<OrderUpdate> {
    const { symbol, side, orderId } = working
    const terms = {
      symbol,
      side,
      size: quote.size,
      price: priceOf(quote, side),
      clientId: keyOf(symbol, side),
    }
    if (orderId === null) return this.client.placeOrder({ ...terms, route: 'book_only' })
    return this.client.replaceOrder({ ...terms, orderId })
  }

  async #onRejected(working: Working, update: OrderUpdate): Promise<void> {
    const code = update.reason_code ?? ''
    if (goneReasons.includes(code)) {
      working.orderId = null
      working.quote = null
    } else if (code === 'duplicate_client_id' && this.#cancels.take()) {
      // An order of an earlier run: it goes, and the next refresh places anew.
      await this.client.cancelByClientId(keyOf(working.symbol, working.side))
    } else this.#onFailure(`${working.symbol} ${working.side}: ${update.reason}`)
  }

  #onFill(orderId: unknown): void {
    for (const working of this.#working.values()) {
      if (working.orderId === orderId) working.isTouched = true
    }
  }

  #workingOf(symbol: string, side: SideName): Working {
    const key = keyOf(symbol, side)
    const known = this.#working.get(key)
    if (known) return known
    const working: Working = { symbol, side, orderId: null, quote: null, isTouched: false }
    this.#working.set(key, working)
    return working
  }
}

function urgencyOf(working: Working, quote: PlannedQuote): number {
  if (working.orderId === null || working.quote === null) return unplacedUrgency
  return requoteUrgency(working.quote, quote.theo) + (working.isTouched ? 1 : 0)
}

/** Also the client id: it finds an order of an earlier run. */
function keyOf(symbol: string, side: SideName): string {
  return `${symbol}:${side}`
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
