import type { OrderRow } from '../read-model/history/history-rows.js'
import type { OrderOutcomeText } from '../wire/outcome-text.js'
import type { OrderStatusName, SideName } from '../wire/wire-types.js'
import { ConnectionError } from './client-error.js'
import { settled } from './settled.js'
import { digestOfBody, type SignedBody } from './signed-actions.js'
import { sleep } from './sleep.js'
import type { StreamClient } from './stream-client.js'
import type { OrderResult, StreamMessage } from './stream-types.js'
import type { StrikebookClient } from './strikebook-client.js'

/** An order of the wallet as it stands. */
export interface FedOrder {
  readonly order_id: number
  readonly client_id: string | null
  readonly symbol: string
  readonly side: SideName
  /** Decimal texts. */
  readonly price: string
  readonly size: string
  readonly filled_size: string
  readonly status: OrderStatusName
  readonly reason: string | null
  readonly reason_code: string | null
}

export interface OrderFeedOptions {
  /** Of the client's wallet. */
  readonly stream: Pick<
    StreamClient,
    'listen' | 'subscribe' | 'answered' | 'isConnected' | 'placeOrder' | 'replaceOrder'
  >
  readonly client: Pick<StrikebookClient, 'orders' | 'orderStatus' | 'safety'>
  /**
   * A state of an order, once: each that the stream tells, and where the stream has missed something the latest.
   * @param isMissed it came about while the stream was down, or before.
   */
  readonly onOrder: (order: FedOrder, isMissed: boolean) => void
  /** All is told up to here: after the first connection with what works, and after each later one with what was missed. */
  readonly onReconciled?: () => void
}

/** What an order over the stream has come to. */
export type PlacedOrder = OrderResult | OrderOutcomeText

const pageRows = 50
// Pages overlap: a row that leaves the list while it is read moves the others up.
const pageStep = 25
const retryMillis = 500
const downMillis = 50
// An order that has ended may be told once more by whoever is late.
const endedKept = 10_000
const ranks: Readonly<Record<OrderStatusName, number>> = {
  ...{ ACKED: 0, OPEN: 1, PARTIALLY_FILLED: 2 },
  ...{ FILLED: 3, CANCELED: 3, REJECTED: 3 },
}
const finalRank = 3

/**
 * The orders of a wallet without a gap: what works, and each change of it. After a connection that could not go on where
 * the one before it ended, they are compared with GET /orders: what has ended meanwhile, changed or come is told, once,
 * whoever says it. Orders that are placed through it are found again when their answer is lost.
 */
export class OrderFeed {
  readonly #options: OrderFeedOptions
  readonly #ends: (() => void)[]
  readonly #working = new Map<number, FedOrder>()
  readonly #ended = new Set<number>()
  /** Told by the stream while the lists are being read. */
  #held: FedOrder[] | null = []
  #isReading = false
  #isWhole = false
  #connections = 0
  /** Creation of the youngest order that is known, milliseconds of the exchange; null before the first list. */
  #youngestMillis: number | null = null

  /**
   * @example
   * const onOrder = ({ order_id, status }: FedOrder) => console.log(order_id, status)
   * const feed = new OrderFeed({ stream, client, onOrder })
   */
  constructor(options: OrderFeedOptions) {
    this.#options = options
    const { stream } = options
    const listener = {
      onMessage: (message: StreamMessage) => this.#take(message),
      onConnected: (_count: number, resumed: ReadonlySet<string>) => this.#onConnected(resumed),
      onDisconnected: () => {
        this.#held ??= []
      },
    }
    this.#ends = [stream.listen(listener), stream.subscribe('order_updates')]
    void stream.answered().then(() => this.#reconcile())
  }

  /**
   * Orders that work, by their ids: as the exchange has them, but for what is under way.
   * @example
   * console.log(orderFeed.working.size)
   */
  get working(): ReadonlyMap<number, FedOrder> {
    return this.#working
  }

  /**
   * Ends it, and its subscription.
   * @example
   * orderFeed.close()
   */
  close(): void {
    for (const end of this.#ends.splice(0)) end()
  }

  /**
   * Places an order over the stream; `body` is made by `signPlaceOrder`. When the stream goes down before the answer, what
   * the order has come to is asked by its digest as soon as the exchange can be reached.
   * @returns null when the exchange has not accepted it, as far as it has come: bytes may still be on the way, so who must
   * be sure signs something else under the same nonce.
   * @throws ApiError as the stream's `placeOrder`. ConnectionError when the feed was closed before an answer.
   * @example
   * const body = signPlaceOrder(client.context, terms, client.nextNonce())
   * const placed = await orderFeed.placeOrder(body)
   * if (placed?.status === 'OPEN' || placed?.status === 'ACKED') console.log('works', placed.order_id)
   */
  placeOrder(body: SignedBody): Promise<PlacedOrder | null> {
    return this.#send(body, (ready) => this.#options.stream.placeOrder(ready))
  }

  /**
   * Replaces a working order; `body` is made by `signReplaceOrder`. Returns and throws as `placeOrder`.
   * @example
   * const body = signReplaceOrder(client.context, { orderId, ...terms }, client.nextNonce())
   * const replaced = await orderFeed.replaceOrder(body)
   */
  replaceOrder(body: SignedBody): Promise<PlacedOrder | null> {
    return this.#send(body, (ready) => this.#options.stream.replaceOrder(ready))
  }

  async #send(
    body: SignedBody,
    send: (body: SignedBody) => Promise<OrderResult>,
  ): Promise<PlacedOrder | null> {
    const digest = digestOfBody(body)
    const ready = await settled(body)
    try {
      return await send(ready)
    } catch (error) {
      if (!(error instanceof ConnectionError) || digest === undefined) throw error
      return this.#lookUp(digest, error)
    }
  }

  /** Asks until there is an answer, and none that still waits for quotes. */
  async #lookUp(digest: string, lost: ConnectionError): Promise<OrderOutcomeText | null> {
    while (this.#ends.length > 0) {
      // What was on its way is decided by the time that the stream is up again, or never came.
      if (!this.#options.stream.isConnected) {
        await sleep(downMillis)
        continue
      }
      try {
        const { status, outcome } = await this.#options.client.safety.actionOutcome(digest)
        if (status === 'unknown') return null
        if (status === 'accepted') return outcome as OrderOutcomeText
      } catch {
        // It cannot be reached just now.
      }
      await sleep(retryMillis)
    }
    throw lost
  }

  #take(message: StreamMessage): void {
    if (message.type !== 'OrderUpdate' || message['order_id'] === null) return
    const order = orderOfUpdate(message)
    if (this.#held !== null) {
      this.#held.push(order)
      return
    }
    if (order.status === 'ACKED') {
      this.#youngestMillis = Math.max(this.#youngestMillis ?? 0, Number(message['timestamp']))
    }
    this.#tell(order, false)
  }

  /** Tells a state that is behind the one known. */
  #tell(order: FedOrder, isMissed: boolean): void {
    const { order_id: id, status } = order
    if (this.#ended.has(id) || !isBehind(order, this.#working.get(id))) return
    if (ranks[status] < finalRank) this.#working.set(id, order)
    else this.#end(id)
    this.#options.onOrder(order, isMissed)
  }

  #end(id: number): void {
    this.#working.delete(id)
    this.#ended.add(id)
    if (this.#ended.size > endedKept) this.#ended.delete(this.#ended.values().next().value!)
  }

  #onConnected(resumed: ReadonlySet<string>): void {
    if (this.#isWhole && resumed.has('order_updates')) this.#release([], true)
    else void this.#reconcile()
  }

  /** Tells what was missed, then what the stream has told meanwhile. */
  #release(missed: readonly FedOrder[], isHeldMissed: boolean): void {
    const held = this.#held ?? []
    this.#held = null
    this.#isWhole = true
    for (const order of missed) this.#tell(order, true)
    for (const order of held) this.#tell(order, isHeldMissed)
    this.#options.onReconciled?.()
  }

  async #reconcile(): Promise<void> {
    this.#connections++
    if (this.#isReading || this.#held === null) return
    this.#isReading = true
    this.#isWhole = false
    while (this.#ends.length > 0 && this.#options.stream.isConnected) {
      try {
        const connections = this.#connections
        const missed = await this.#readMissed()
        if (connections !== this.#connections) continue
        this.#release(missed, false)
        break
      } catch {
        await sleep(retryMillis) // the history is not there yet, or no answer came
      }
    }
    this.#isReading = false
  }

  /** Latest states of what works, has ended or has come since, the oldest order first. */
  async #readMissed(): Promise<readonly FedOrder[]> {
    const { client } = this.#options
    const since = this.#youngestMillis
    const rows = new Map<number, OrderRow>()
    const keep = (row: OrderRow) => rows.set(row.order_id, row)
    await this.#readPages({ status: 'open' }, (row) => {
      keep(row)
      return true
    })
    if (since !== null) {
      await this.#readPages({}, (row) => {
        keep(row)
        return row.created_at >= since
      })
    }
    for (const id of this.#working.keys()) {
      const row = rows.has(id) ? null : await client.orderStatus(String(id))
      if (row !== null) keep(row)
    }
    const all = [...rows.values()].sort((one, other) => one.created_at - other.created_at)
    this.#youngestMillis = Math.max(since ?? 0, ...all.map((row) => row.created_at))
    return all.map(orderOfRow)
  }

  /** Newest first. @param wants whether there is to be more behind a row. */
  async #readPages(
    filter: { readonly status?: string },
    wants: (row: OrderRow) => boolean,
  ): Promise<void> {
    for (let offset = 0; ; offset += pageStep) {
      const page = await this.#options.client.orders({ ...filter, limit: pageRows, offset })
      const wantsMore = page.map(wants)
      if (page.length < pageRows || wantsMore.includes(false)) return
    }
  }
}

function orderOfUpdate(message: StreamMessage): FedOrder {
  const { price, size, symbol, side } = message['request'] as FedOrder
  const { order_id, client_id, filled_size, status, reason, reason_code } =
    message as unknown as FedOrder
  return {
    ...{ order_id, client_id, symbol, side, price, size, filled_size },
    ...{ status, reason, reason_code },
  }
}

function orderOfRow(row: OrderRow): FedOrder {
  const { order_id, client_id, symbol, side, price, size, filled_size, reason, reason_code } = row
  const status = row.status.toUpperCase() as OrderStatusName
  return {
    ...{ order_id, client_id, symbol, side, price, size, filled_size },
    ...{ status, reason, reason_code },
  }
}

/** Whether a state comes behind another one of its order. */
function isBehind(order: FedOrder, known: FedOrder | undefined): boolean {
  if (known === undefined) return true
  const filled = Number(order.filled_size) - Number(known.filled_size)
  return filled === 0 ? ranks[order.status] > ranks[known.status] : filled > 0
}
