import { OrderStatus, Side, type Tif } from '../../../schemas/domain.js'
import { type AnyEvent, EventType, OutcomeEvent } from '../../../schemas/generated/events.js'

const update = new OutcomeEvent()

/** Working order as of its latest event. */
export interface PublishedOrder {
  readonly orderId: number
  readonly account: number
  readonly instrument: number
  readonly side: Side
  readonly tif: Tif
  readonly priceMicros: number
  readonly sizeLots: number
  readonly filledLots: number
  readonly flags: number
  readonly status: OrderStatus
  readonly clientIdText: string
}

/** Working orders, from which books are built. */
export class PublishedOrders {
  readonly #rows = new Map<number, PublishedOrder>()

  /** Handles any event. */
  take(taken: AnyEvent): void {
    if (taken.recordType === EventType.BootstrapBegin) this.#rows.clear()
    if (taken.recordType !== EventType.OrderUpdate) return
    const { account, facts } = update.of(taken)
    const { orderId, status } = facts
    if (orderId === 0) return
    const isFinal = status === OrderStatus.Filled || status === OrderStatus.Canceled
    if (isFinal || status === OrderStatus.Rejected) this.#rows.delete(orderId)
    else this.#rows.set(orderId, { ...orderOf(account, facts), status })
  }

  find(orderId: number): PublishedOrder | null {
    return this.#rows.get(orderId) ?? null
  }

  /** Returns the orders of one side that rest in an instrument's book, the best price first. */
  resting(instrument: number, side: Side): readonly PublishedOrder[] {
    const rows = [...this.#rows.values()].filter(
      (order) =>
        order.instrument === instrument &&
        order.side === side &&
        order.status !== OrderStatus.Acked,
    )
    const sign = side === Side.Buy ? -1 : 1
    return rows.sort((one, other) => sign * (one.priceMicros - other.priceMicros))
  }
}

function orderOf(account: number, facts: OutcomeEvent['facts']): Omit<PublishedOrder, 'status'> {
  const { clientIdText, filledLots, flags, instrument, orderId, priceMicros, side, sizeLots, tif } =
    facts
  const named = { account, clientIdText, instrument, orderId }
  return { ...named, filledLots, flags, priceMicros, side, sizeLots, tif }
}
