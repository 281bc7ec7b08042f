import type { OrderStatusName, SideName } from '../../../schemas/wire-types.js'
import { symbolText } from './symbol-text.js'

/** Text of a notice, and what it says of the work that caused it. */
export interface NoticeText {
  readonly tone: 'good' | 'bad' | ''
  readonly text: string
}

/** Terms of an order or a fill, as texts. */
interface Terms {
  readonly side: SideName
  readonly size: string
  readonly symbol: string
  readonly price: string
}

interface OrderStatus {
  readonly status: OrderStatusName
  readonly reason?: string | null | undefined
}

/** Changes of a sent order that the feeds of the account report, so that its answer need not. */
export interface FedChanges {
  /** False if the order was sent before the feed of fills was whole. */
  readonly fills: boolean
  /** False while the stream is down. */
  readonly cancellations: boolean
}

const answerWords: Readonly<Record<OrderStatusName, string>> = {
  ...{ ACKED: 'Order accepted', OPEN: 'Order accepted', REJECTED: 'Rejected' },
  ...{ PARTIALLY_FILLED: 'Partially filled', FILLED: 'Filled', CANCELED: 'Canceled' },
}

/** Returns the notice of the answer to a sent order; null: a feed reports the same. */
export function answerNotice(
  { status, reason }: OrderStatus,
  { side, size, symbol, price }: Terms,
  fed: FedChanges,
): NoticeText | null {
  const isFilled = status === 'FILLED' || status === 'PARTIALLY_FILLED'
  if (isFilled && fed.fills) return null
  if (status === 'CANCELED' && fed.cancellations) return null
  const text = `${answerWords[status]}: ${side} ${size} ${symbolText(symbol)} at ${price}`
  if (status === 'REJECTED') return { tone: 'bad', text: `${text}. ${reason ?? ''}` }
  return { tone: 'good', text }
}

/** Returns the notice of a change of an order; null: another notice says it. */
export function orderNotice({
  status,
  reason,
  side,
  size,
  symbol,
}: OrderStatus & Omit<Terms, 'price'>): NoticeText | null {
  if (status !== 'CANCELED') return null
  const text = `Canceled: ${side} ${size} ${symbolText(symbol)}${reason ? ` (${reason})` : ''}`
  return { tone: '', text }
}

export function fillNotice({ side, size, symbol, price }: Terms): NoticeText {
  const verb = side === 'Buy' ? 'Bought' : 'Sold'
  return { tone: 'good', text: `${verb} ${size} ${symbolText(symbol)} at ${price}` }
}
