import type { OrderStatusName, SideName } from '../../schemas/wire-types.js'
import type { OrderOutcome } from './answer-types.js'
import { ConnectionError } from './client-error.js'
import { GaplessChannel } from './gapless-channel.js'
import type { Order } from './generated/interface.js'
import { settled } from './settled.js'
import { digestOfBody, type SignedBody } from './signed-actions.js'
import { sleep } from './sleep.js'
import type { StreamClient } from './stream-client.js'
import type { OrderResult, ToldMessage } from './stream-types.js'
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
  /**
   * The lists could not be read just now: they are tried again, less and less often. Or the exchange was set up from a
   * backup, and no longer knows orders that worked: the message says which.
   */
  readonly onError?: (error: unknown) => void
}

/** A state of an order as the stream or a list tells it. */
interface FedRow {
  readonly order: FedOrder
  /** Of the exchange; 0 where it is not told. */
  readonly createdMillis: number
}

/** What an order over the stream has come to. */
export type PlacedOrder = OrderResult | OrderOutcome

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
  readonly #channel: GaplessChannel<FedRow>
  readonly #working = new Map<number, FedOrder>()
  readonly #ended = new Set<number>()
  /** Worked before the exchange was set back, and were not looked at since. */
  readonly #doubted = new Set<number>()
  /** Creation of the youngest order that was told, milliseconds of the exchange; null before all was told once. */
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
      rowOf: fedOfUpdate,
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
    this.#channel.close()
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
  async #lookUp(digest: string, lost: ConnectionError): Promise<OrderOutcome | null> {
    while (!this.#channel.isClosed) {
      // What was on its way is decided by the time that the stream is up again, or never came.
      if (!this.#options.stream.isConnected) {
        await sleep(downMillis)
        continue
      }
      try {
        const { status, outcome } = await this.#options.client.safety.actionOutcome(digest)
        if (status === 'unknown') return null
        if (status === 'accepted') return outcome as OrderOutcome
      } catch {
        // It cannot be reached just now.
      }
      await sleep(retryMillis)
    }
    throw lost
  }

  /** Tells a state that is behind the one known. */
  #tell({ order, createdMillis }: FedRow, isMissed: boolean): void {
    this.#youngestMillis = Math.max(this.#youngestMillis ?? 0, createdMillis)
    const { order_id: id, status } = order
    if (this.#ended.has(id) || !isBehind(order, this.#working.get(id))) return
    if (ranks[status] < finalRank) this.#working.set(id, order)
    else this.#end(id)
    this.#options.onOrder(order, isMissed)
  }

  /** Ids are given again: none of those known says anything any more. */
  #onSetBack(): void {
    for (const id of this.#working.keys()) this.#doubted.add(id)
    this.#working.clear()
    this.#ended.clear()
  }

  #end(id: number): void {
    this.#working.delete(id)
    this.#ended.add(id)
    if (this.#ended.size > endedKept) this.#ended.delete(this.#ended.values().next().value!)
  }

  /** Latest states of what works, has ended or has come since, the oldest order first. */
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
    for (const id of [...this.#working.keys(), ...this.#doubted]) {
      const row = rows.has(id) ? null : await client.orderStatus(String(id))
      if (row !== null) keep(row)
      else if (!rows.has(id) && this.#doubted.has(id)) lost.push(id)
    }
    this.#doubted.clear()
    if (lost.length > 0) {
      const told = `orders ${lost.join(', ')} are not known to it`
      this.#options.onError?.(new ConnectionError(`the exchange was set back: ${told}`))
    }
    const all = [...rows.values()].sort((one, other) => one.created_at - other.created_at)
    return all.map((row) => ({ order: orderOfRow(row), createdMillis: row.created_at }))
  }

  /** Newest first. @param wants whether there is to be more behind a row. */
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

function fedOfUpdate(message: ToldMessage): FedRow | null {
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

/** Whether a state comes behind another one of its order. */
function isBehind(order: FedOrder, known: FedOrder | undefined): boolean {
  if (known === undefined) return true
  const filled = Number(order.filled_size) - Number(known.filled_size)
  return filled === 0 ? ranks[order.status] > ranks[known.status] : filled > 0
}
