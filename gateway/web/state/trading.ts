import { effect, signal } from '@preact/signals'
import { signAction, signCancelOrder, signPlaceOrder } from '../../client/signed-actions.js'
import { orderFault } from '../model/order-form.js'
import { symbolText } from '../model/symbol-text.js'
import { orderFeed } from './account.js'
import { chosenSymbol } from './choice.js'
import { noteTrip } from './latency.js'
import { reasonOf, tell } from './notices.js'
import { workingOrders } from './own-orders.js'
import { session } from './session.js'
import { isReduceOnly, price, route, side, size, tif } from './ticket.js'
import { rest } from './venue.js'

/** What the venue says of an order before it is sent (POST /risk/simulate/orders). */
export interface Preview {
  readonly admissible: boolean
  readonly rejection_reason: string | null
  readonly required: string
  readonly equity: string
  readonly consumed_im: string
  readonly incremental_im: string
}

const previewMillis = 250

/** Of the ticket as it stands; a text where the venue would not even look at it. */
export const preview = signal<Preview | string | null>(null)
export const isSending = signal(false)

/** Has every change of the ticket previewed. */
export function startPreview(): void {
  effect(() => {
    const wallet = session.value?.client.wallet
    const order = { symbol: chosenSymbol.value ?? '', side: side.value, ...textsOfTicket() }
    preview.value = null
    if (wallet === undefined || orderFault(order) !== null) return
    let isCurrent = true
    const timer = setTimeout(async () => {
      const said = await askPreview(wallet, order)
      if (isCurrent) preview.value = said
    }, previewMillis)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  })
}

/** Signs and sends what the ticket says. */
export async function sendOrder(): Promise<void> {
  const symbol = chosenSymbol.value
  const [current, feed] = [session.value, orderFeed.value]
  if (symbol === null || current === null || feed === null || isSending.value) return
  const texts = { symbol, side: side.value, ...textsOfTicket() }
  const fault = orderFault(texts)
  if (fault !== null) throw new Error(fault)
  const { client } = current
  const options = { tif: tif.value, route: route.value, reduceOnly: isReduceOnly.value }
  isSending.value = true
  try {
    const body = signPlaceOrder(client.context, { ...texts, ...options }, client.nextNonce())
    const sentMillis = performance.now()
    const placed = await feed.placeOrder(body)
    if (placed === null) throw new Error('The order was not accepted; it may be sent again')
    noteTrip('order', performance.now() - sentMillis, placed.order_id)
    const what = `${texts.side} ${texts.size} ${symbolText(symbol)} at ${texts.price}`
    if (placed.status === 'REJECTED') tell(`Rejected: ${what}. ${placed.reason ?? ''}`, 'bad')
    else tell(`${statusWords[placed.status] ?? placed.status}: ${what}`, 'good')
  } finally {
    isSending.value = false
  }
}

const statusWords: Readonly<Record<string, string>> = {
  ...{ ACKED: 'Working', OPEN: 'Working', PARTIALLY_FILLED: 'Filled in part', FILLED: 'Filled' },
  CANCELED: 'Ended',
}

export async function cancelOrder(orderId: number): Promise<void> {
  const { client, stream } = session.value!
  const body = signCancelOrder(client.context, orderId, client.nextNonce())
  const sentMillis = performance.now()
  const { status, reason } = await stream.cancelOrder(body)
  noteTrip('cancel', performance.now() - sentMillis, orderId)
  if (status === 'REJECTED') tell(`Not canceled: ${reason}`, 'bad')
}

export async function cancelLatest(): Promise<void> {
  const [latest] = workingOrders.value
  if (latest === undefined) tell('No order works')
  else await cancelOrder(latest.order_id)
}

export async function cancelAll(): Promise<void> {
  if (session.value === null) return
  const { client, stream } = session.value
  const body = signAction(client.context, 'CancelAll', { scope: 'all' }, client.nextNonce())
  const { canceled } = await stream.cancelAll(body)
  tell(`${canceled} ${canceled === 1 ? 'order' : 'orders'} canceled`)
}

function textsOfTicket() {
  return { price: price.value.trim(), size: size.value.trim() }
}

async function askPreview(wallet: string, order: object): Promise<Preview | string> {
  try {
    const body = { wallet, orders: [order] }
    type Answer = { readonly data: Preview }
    return (await rest.request<Answer>('POST', '/risk/simulate/orders', { body })).data
  } catch (error) {
    return reasonOf(error)
  }
}
