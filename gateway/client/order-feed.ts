import type { OrderStatusName, SideName } from '../../schemas/wire-types.js'
import type { OrderOutcome } from './answer-types.js'
import { ConnectionError } from './client-error.js'
import { GaplessChannel } from './gapless-channel.js'
import type { Order } from './generated/interface.js'
import { settled } from './settled.js'
import { digestOfBody, type SignedBody } from './signed-actions.js'
import { sleep } from './sleep.js'
import type { StreamClient } from './stream-client.js'
import type { OrderResult, PublishedMessage } from './stream-types.js'
import type { StrikebookClient } from './strikebook-client.js'

/** Current state of one of the wallet's orders. */
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
  /** Stream of the client's wallet. */
  readonly stream: Pick<
    StreamClient,
    'listen' | 'subscribe' | 'answered' | 'isConnected' | 'placeOrder' | 'replaceOrder'
  >
  readonly client: Pick<StrikebookClient, 'orders' | 'orderStatus' | 'safety'>
  /**
   * Receives each state of an order once. After a gap in the stream, receives only the latest one.
   * @param isMissed True if the state dates from before the connection.
   */
  readonly onOrder: (order: FedOrder, isMissed: boolean) => void
  /** Called when all states up to now have been delivered: after the first connection, and after each gap. */
  readonly onReconciled?: () => void
  /**
   * Called when the lists could not be read; the feed retries with backoff. Also called when the exchange was restored
   * from a backup and no longer has orders that were working: the message names them.
   */
  readonly onError?: (error: unknown) => void
}

/** State of an order from the stream or a list. */
interface FedRow {
  readonly order: FedOrder
  /** Exchange time; 0 if the source does not state it. */
  readonly createdMillis: number
}

/** Result of an order placed over the stream. */
export type PlacedOrder = OrderResult | OrderOutcome

const pageRows = 50
// Pages overlap, because a row that leaves the list during the read moves later rows up.
const pageStep = 25
const retryMillis = 500
const downMillis = 50
// A late message may repeat an order that has ended.
const endedOrdersMax = 10_000
const ranks: Readonly<Record<OrderStatusName, number>> = {
  ...{ ACKED: 0, OPEN: 1, PARTIALLY_FILLED: 2 },
  ...{ FILLED: 3, CANCELED: 3, REJECTED: 3 },
}
const finalRank = 3

/**
 * Orders of a wallet without gaps: the working ones, and each change. After a connection that could not resume the
 * previous one, the feed compares them with GET /orders and delivers each change once, from whichever source. If the
 * answer of an order placed through the feed is lost, the feed queries its result.
 */
export class OrderFeed {
  readonly #options: OrderFeedOptions
  readonly #channel: GaplessChannel<FedRow>
  readonly #working = new Map<number, FedOrder>()
  readonly #ended = new Set<number>()
  /** Orders that worked before the exchange was set back, and have not been checked since. */
  readonly #unverified = new Set<number>()
  /** Creation time of the newest order delivered, in exchange milliseconds; null until the first reconciliation. */
  #youngestMillis: number | null = null

  /**
   * @example
   * const onOrder = ({ order_id, status }: FedOrder) => console.log(order_id, status)
   * const feed = new OrderFeed({ stream, client, onOrder })
   */
  constructor(options: OrderFeedOptions) {
    this.#options = options
    this.#channel = new GaplessChannel({
      stream: options.stream,
      channel: 'order_updates',
      rowOf: rowOfUpdate,
      readMissed: () => this.#readMissed(),
      tell: (row, isMissed) => this.#tell(row, isMissed),
      onReconciled: () => {
        this.#youngestMillis ??= 0
        options.onReconciled?.()
      },
      onSetBack: () => this.#onSetBack(),
      onError: (error) => options.onError?.(error),
    })
  }

  /**
   * Working orders by id, as on the exchange, except for messages in flight.
   * @example
   * console.log(orderFeed.working.size)
   */
  get working(): ReadonlyMap<number, FedOrder> {
    return this.#working
  }

  /**
   * Closes the feed and ends its subscription.
   * @example
   * orderFeed.close()
   */
  close(): void {
    this.#channel.close()
  }

  /**
   * Places an order over the stream. `signPlaceOrder` makes `body`. If the stream goes down before the answer, the feed
   * queries the result by digest as soon as it can reach the exchange.
   * @returns Null if the exchange has not accepted the order so far. Bytes may still be in flight; to rule that out,
   * sign a different action with the same nonce.
   * @throws ApiError as the stream's `placeOrder`. ConnectionError if the feed was closed before an answer.
   * @example
   * const body = signPlaceOrder(client.context, terms, client.nextNonce())
   * const placed = await orderFeed.placeOrder(body)
   * if (placed?.status === 'OPEN' || placed?.status === 'ACKED') console.log('works', placed.order_id)
   */
  placeOrder(body: SignedBody): Promise<PlacedOrder | null> {
    return this.#send(body, (ready) => this.#options.stream.placeOrder(ready))
  }

  /**
   * Replaces a working order. `signReplaceOrder` makes `body`. Returns and throws as `placeOrder`.
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

  /** Polls until the result is final. An order that still waits for quotes has none yet. */
  async #lookUp(digest: string, lost: ConnectionError): Promise<OrderOutcome | null> {
    while (!this.#channel.isClosed) {
      // By the time the stream is up again, bytes that were in flight have been processed or lost.
      if (!this.#options.stream.isConnected) {
        await sleep(downMillis)
        continue
      }
      try {
        const { status, outcome } = await this.#options.client.safety.actionOutcome(digest)
        if (status === 'unknown') return null
        if (status === 'accepted') return outcome as OrderOutcome
      } catch {
        // The exchange is unreachable at the moment.
      }
      await sleep(retryMillis)
    }
    throw lost
  }

  /** Delivers a state that is later than the known one. */
  #tell({ order, createdMillis }: FedRow, isMissed: boolean): void {
    this.#youngestMillis = Math.max(this.#youngestMillis ?? 0, createdMillis)
    const { order_id: id, status } = order
    if (this.#ended.has(id) || !isLater(order, this.#working.get(id))) return
    if (ranks[status] < finalRank) this.#working.set(id, order)
    else this.#end(id)
    this.#options.onOrder(order, isMissed)
  }

  /** Ids may be assigned again, so the known states no longer apply. */
  #onSetBack(): void {
    for (const id of this.#working.keys()) this.#unverified.add(id)
    this.#working.clear()
    this.#ended.clear()
  }

  #end(id: number): void {
    this.#working.delete(id)
    this.#ended.add(id)
    if (this.#ended.size > endedOrdersMax) this.#ended.delete(this.#ended.values().next().value!)
  }

  /** Returns the latest states of orders that work, or that have changed or appeared since, oldest order first. */
  async #readMissed(): Promise<readonly FedRow[]> {
    const { client } = this.#options
    const since = this.#youngestMillis
    const rows = new Map<number, Order>()
    const keep = (row: Order) => rows.set(row.order_id, row)
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
    const lost: number[] = []
    for (const id of [...this.#working.keys(), ...this.#unverified]) {
      const row = rows.has(id) ? null : await client.orderStatus(String(id))
      if (row !== null) keep(row)
      else if (!rows.has(id) && this.#unverified.has(id)) lost.push(id)
    }
    this.#unverified.clear()
    if (lost.length > 0) {
      const text = `orders ${lost.join(', ')} are not known to it`
      this.#options.onError?.(new ConnectionError(`the exchange was set back: ${text}`))
    }
    const all = [...rows.values()].sort((one, other) => one.created_at - other.created_at)
    return all.map((row) => ({ order: orderOfRow(row), createdMillis: row.created_at }))
  }

  /** Reads newest first. @param wants False if no page after that of the row is needed. */
  async #readPages(
    filter: { readonly status?: string },
    wants: (row: Order) => boolean,
  ): Promise<void> {
    for (let offset = 0; ; offset += pageStep) {
      const page = await this.#options.client.orders({ ...filter, limit: pageRows, offset })
      const wantsMore = page.map(wants)
      if (page.length < pageRows || wantsMore.includes(false)) return
    }
  }
}

function rowOfUpdate(message: PublishedMessage): FedRow | null {
  if (message.type !== 'OrderUpdate' || message.order_id === null) return null
  const { order_id, client_id, filled_size, status, reason, reason_code } = message
  const { price, size, symbol, side } = message.request
  return {
    order: {
      ...{ order_id, client_id, symbol, side, price, size, filled_size },
      ...{ status, reason, reason_code },
    },
    createdMillis: status === 'ACKED' ? message.timestamp : 0,
  }
}

function orderOfRow(row: Order): FedOrder {
  const { order_id, client_id, symbol, side, price, size, filled_size, reason, reason_code } = row
  const status = row.status.toUpperCase() as OrderStatusName
  return {
    ...{ order_id, client_id, symbol, side, price, size, filled_size },
    ...{ status, reason, reason_code },
  }
}

/** True if a state is later than another one of the same order. */
function isLater(order: FedOrder, known: FedOrder | undefined): boolean {
  if (known === undefined) return true
  const filled = Number(order.filled_size) - Number(known.filled_size)
  return filled === 0 ? ranks[order.status] > ranks[known.status] : filled > 0
}
