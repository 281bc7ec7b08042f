import { OrderStatus, orderStatusNames, Route } from '../../schemas/domain.js'
import { CommandType } from '../../schemas/generated/commands.js'
import { type AnyEvent, EventType, OutcomeEvent, RfqEvent } from '../../schemas/generated/events.js'
import { RfqChange } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import { call100k, providers, RfqRig, resultNames, taker } from './rfq-rig.js'
import type { RigOrder, RigRow } from './rig-commands.js'

const rfq = new RfqEvent()
const outcome = new OutcomeEvent()
const orderCommands: readonly number[] = [
  CommandType.PlaceOrder,
  CommandType.ReplaceOrder,
  CommandType.CancelOrder,
]

/** Wallet whose orders rest in the book. */
export const bookMaker = 4

/** Returns rows in which both providers show an ask at this price, and more than enough size. */
export function rowsOf(ask: number, size = 100): readonly RigRow[] {
  return providers.map((provider) => ({ provider, ask, size }))
}

/** Core whose story also has auction orders: their updates, and the answers to their senders. */
export class AuctionRig extends RfqRig {
  /** Ids of the started auctions, the latest last. */
  readonly auctions: Uint8Array[] = []

  /**
   * Opens a market for a call at an index of 100,000. Its book has a bid of 10 at 3,200, and asks of 2 at 3,300 and 10
   * at 3,305. Wallets 2 and 3 are connected providers.
   */
  openAuctions(usd = 1_000_000): this {
    this.openCombos(usd)
    this.rest({ side: 'Buy', price: '3200', size: '10' })
    this.rest({ side: 'Sell', price: '3300', size: '2' })
    this.rest({ side: 'Sell', price: '3305', size: '10' })
    this.story()
    return this
  }

  /** Places an order of the book's maker. */
  rest(order: Partial<RigOrder> & Pick<RigOrder, 'side' | 'price' | 'size'>): number {
    return this.place({ wallet: bookMaker, instrument: call100k, ...order })
  }

  /** Places a best-execution order of the taker, by default a buy of five at 3,310. */
  ask(rows: readonly RigRow[], order: Partial<RigOrder> = {}): number {
    return this.place({
      ...{ wallet: taker, side: 'Buy', price: '3310', size: '5', instrument: call100k },
      ...{ route: Route.BestExecution, rows },
      ...order,
    })
  }

  /** Quotes in the latest auction. `contracts` is the taker's size, above 0 where it buys. */
  answer(provider: number, price: number, contracts = 5, terms: object = {}): number {
    const legs = [[call100k, contracts]] as const
    return this.quote({ id: this.auctions.at(-1)!, provider, legs, prices: [price], ...terms })
  }

  /** Id of the newest order. */
  get lastOrderId(): number {
    const { orders } = this.state
    let last = 0
    for (const slot of orders.working()) last = Math.max(last, orders.orderId[slot]!)
    return last
  }

  protected override tell(event: AnyEvent): void {
    if (event.recordType === EventType.Rfq) this.#noteAuction(event)
    super.tell(event)
    if (event.recordType === EventType.OrderUpdate) this.#emitOrder(event)
    else if (event.recordType === EventType.Outcome) this.#emitAnswer(event)
  }

  #noteAuction(event: AnyEvent): void {
    const { change, rfqIdAt, status, u8 } = rfq.of(event)
    const isNew = change === RfqChange.Status && status === 0
    if (isNew) this.auctions.push(u8.slice(rfqIdAt, rfqIdAt + 16))
  }

  #emitOrder(event: AnyEvent): void {
    const { account, facts, result } = outcome.of(event)
    const parts = [`order of ${account + 1} ${orderStatusNames[facts.status]}`]
    if (facts.status === OrderStatus.Filled || facts.filledLots > 0) {
      parts.push(`${facts.filledLots / 1e8} for ${facts.filledMicros / 1e6}`)
    }
    if (result !== Result.Accepted) parts.push(resultNames[result]!)
    this.lines.push(parts.join(' '))
  }

  #emitAnswer(event: AnyEvent): void {
    const { command, facts, gateway, request, result } = outcome.of(event)
    if (!orderCommands.includes(command)) return
    const requester = gateway < 0 ? 'nobody' : request
    this.lines.push(`${requester}: ${orderStatusNames[facts.status]} ${resultNames[result]}`)
  }
}
