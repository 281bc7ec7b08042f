import { ConnectionError } from '../../../gateway/client/client-error.js'
import type { OrderUpdate } from '../../../gateway/client/generated/interface.js'
import type { StrikebookClient } from '../../../gateway/client/strikebook-client.js'
import type { RandomSource } from '../../../gateway/feeds/random-source.js'

/** Sent order with what its client knows. */
export interface SentOrder {
  readonly symbol: string
  readonly side: 'Buy' | 'Sell'
  readonly size: string
  readonly price: string
  /** Answer, or null if none came: the order may or may not exist. */
  placed: OrderUpdate | null
  /** Answer of its cancel, if one was sent and answered. */
  canceled: OrderUpdate | null
}

const requestsAtOnce = 6
const cancelShare = 0.3
const priceSteps = 5

/** Random orders and cancels of one wallet until the venue is gone; keeps what was acknowledged. */
export class CrashLoad {
  readonly client: StrikebookClient
  /** By client id, which is unique over all rounds. */
  readonly sent = new Map<string, SentOrder>()
  readonly #random: RandomSource
  readonly #symbols: readonly string[]

  constructor(client: StrikebookClient, symbols: readonly string[], random: RandomSource) {
    this.client = client
    this.#symbols = symbols
    this.#random = random
  }

  /** @returns when the venue no longer answers */
  async run(): Promise<void> {
    await Promise.all(Array.from({ length: requestsAtOnce }, () => this.#work()))
  }

  async #work(): Promise<void> {
    try {
      for (;;) await this.#step()
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error
    }
  }

  async #step(): Promise<void> {
    const clientId = `order ${this.sent.size}`
    const order: SentOrder = {
      symbol: this.#symbols[this.#integer(this.#symbols.length)]!,
      side: this.#random.next() < 0.5 ? 'Buy' : 'Sell',
      size: String(1 + this.#integer(9)),
      price: String(1000 + this.#integer(priceSteps) * 10),
      placed: null,
      canceled: null,
    }
    this.sent.set(clientId, order)
    const { symbol, side, size, price } = order
    order.placed = await this.client.placeOrder({ symbol, side, size, price, clientId })
    const { order_id: orderId } = order.placed
    if (orderId === null || this.#random.next() > cancelShare) return
    order.canceled = await this.client.cancelOrder(orderId)
  }

  #integer(below: number): number {
    return Math.floor(this.#random.next() * below)
  }
}
