import { effect, signal } from '@preact/signals'
import type { ExchangeInfo } from '../../client/answer-types.js'
import { ConnectionError } from '../../client/client-error.js'
import { signDirective } from '../../client/directives.js'
import type { Answers, DirectiveAnswer, OrderUpdate } from '../../client/generated/interface.js'
import type { FedOrder, OrderFeed, PlacedOrder } from '../../client/order-feed.js'
import {
  signAction,
  signCancelOrder,
  signPlaceOrder,
  signReplaceOrder,
} from '../../client/signed-actions.js'
import { sleep } from '../../client/sleep.js'
import type { StrikebookClient } from '../../client/strikebook-client.js'
import { missingInput, orderFault, sizeLeft, typedFault } from '../model/order-form.js'
import { answerNotice } from '../model/order-notice.js'
import { perpDirective } from '../model/perp-order.js'
import { isPerp, symbolText } from '../model/symbol-text.js'
import { fillFeed, orderFeed } from './account.js'
import { chosenSymbol } from './choice.js'
import { noteTrip } from './latency.js'
import { reasonOf, showNotice, tell } from './notices.js'
import { workingOrders } from './own-orders.js'
import { connectWords, session } from './session.js'
import {
  changed,
  changeOrder,
  followedJump,
  isProtected,
  isReduceOnly,
  perpTif,
  price,
  route,
  side,
  size,
  tif,
} from './ticket.js'
import { rest, venueInfo } from './venue.js'

/** Venue's evaluation of an order before it is sent (POST /risk/simulate/orders). */
export interface Preview {
  readonly admissible: boolean
  readonly rejection_reason: string | null
  readonly required: string
  readonly equity: string
  readonly consumed_im: string
  readonly incremental_im: string
}

type Texts = ReturnType<typeof textsOfTicket>

/** Result of an order of a perp. */
interface PlacedPerp extends Pick<OrderUpdate, 'status'> {
  /** null: the venue rejected it. */
  readonly order_id: number | null
  readonly reason: string | null
}

const previewMillis = 250
const againMillis = 1000
const againMax = 5

/** Preview of the current ticket; a text if the request itself failed. */
export const preview = signal<Preview | string | null>(null)
export const isSending = signal(false)

/** Requests a preview after every change of the ticket. */
export function startPreview(): void {
  effect(() => {
    const wallet = session.value?.client.wallet
    const order = textsOfTicket()
    preview.value = null
    if (wallet === undefined || orderFault(order) !== null) return
    let isCurrent = true
    const timer = setTimeout(async () => {
      const said = await requestPreview(wallet, order)
      if (isCurrent) preview.value = said
    }, previewMillis)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  })
}

/** Returns the fault of the ticket; null: none, although an input may be missing. */
export function ticketFault(): string | null {
  const order = changed.value
  if (order !== null && !isWorking(order)) return 'The order to change is no longer open'
  return typedFault(textsOfTicket())
}

/** Names the next step before the ticket can be sent; null: nothing is missing. */
export function ticketGap(): string | null {
  if (session.value === null) return connectWords
  return missingInput(textsOfTicket())
}

/** Signs and sends the order of the ticket. */
export async function sendOrder(): Promise<void> {
  const [current, feed, replaced] = [session.value, orderFeed.value, changed.value]
  if (current === null || feed === null || isSending.value) return
  const fault = ticketGap() ?? ticketFault()
  if (fault !== null) throw new Error(fault)
  const texts = textsOfTicket()
  const before = followedJump()
  if (before !== null) throw new Error(jumpText(before, texts.price))
  isSending.value = true
  try {
    const sentMillis = performance.now()
    const isFillFed = (fillFeed.value?.lastFillId ?? null) !== null
    const placed = await place(current.client, feed, texts)
    if (placed === null) throw new Error('The order was not accepted. You can send it again')
    noteTrip('order', performance.now() - sentMillis, placed.order_id)
    const fed = { fills: isFillFed, cancellations: current.stream.isConnected }
    showNotice(answerNotice(placed, texts, fed))
    if (placed.status !== 'REJECTED' && changed.value === replaced) changed.value = null
  } finally {
    isSending.value = false
  }
}

function jumpText(before: string, now: string): string {
  return `Not sent: the price moved from ${before} to ${now} within the last second. Check it and send again`
}

/** @returns null if it was not accepted. */
function place(
  client: StrikebookClient,
  feed: OrderFeed,
  texts: Texts,
): Promise<PlacedOrder | PlacedPerp | null> {
  const order = changed.value
  if (isPerp(texts.symbol)) {
    return order === null ? placePerp(client, texts, null) : movePerp(client, order, texts)
  }
  const more = { tif: tif.value, reduceOnly: isReduceOnly.value, mmpEnabled: isProtected.value }
  if (order === null) {
    const terms = { ...texts, ...more, route: route.value }
    return feed.placeOrder(signPlaceOrder(client.context, terms, client.nextNonce()))
  }
  const kept = order.client_id === null ? {} : { clientId: order.client_id }
  const terms = { ...texts, ...more, ...kept, orderId: order.order_id }
  return feed.replaceOrder(signReplaceOrder(client.context, terms, client.nextNonce()))
}

/**
 * Changes an order of a perp in two steps, because perps have no replace: cancels the order, then places the new size minus
 * the fills since the ticket was filled in.
 * @throws Error if the order ended before the cancel, or has filled the new size; nothing is placed then.
 */
async function movePerp(
  client: StrikebookClient,
  order: FedOrder,
  texts: Texts,
): Promise<PlacedPerp> {
  const body = signCancelOrder(client.context, order.order_id, client.nextNonce())
  const {
    status,
    reason,
    filled_size: filled,
  } = await untilAnswered(() => client.rest.request<OrderUpdate>('DELETE', '/order', { body }))
  if (status !== 'CANCELED') throw new Error(`The order was not changed: ${reason ?? status}`)
  const size = sizeLeft(texts.size, order.filled_size, String(filled))
  if (size === null) throw new Error('The order filled before the change; no new order was sent')
  return placePerp(client, { ...texts, size }, order.client_id)
}

/** Places it as a directive, whose domain has the venue's chain. Wallets do not sign for chain 1337 of `POST /perp-order`. */
async function placePerp(
  client: StrikebookClient,
  texts: Texts,
  clientId: string | null,
): Promise<PlacedPerp> {
  const terms = { side: texts.side, tif: perpTif.value, reduceOnly: isReduceOnly.value, clientId }
  const action = perpDirective({ ...texts, ...terms, asset: await assetOf(texts.symbol) })
  const body = signDirective(client.context, 'hl_limit_order', action, client.nextNonce())
  const path = '/v1/actions/hl_limit_order'
  const { orderId, orderStatus, rejection } = await untilAnswered(() =>
    client.rest.request<DirectiveAnswer>('POST', path, { body }),
  )
  return {
    order_id: orderId ?? null,
    status: rejection === null ? orderStatus! : 'REJECTED',
    reason: rejection?.message ?? null,
  }
}

/** Retries a signed write whose answer is lost. The venue executes it once and repeats its answer. */
async function untilAnswered<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  for (let again = 0; ; again++) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof ConnectionError) || again === againMax) throw error
      await sleep(againMillis)
    }
  }
}

/** Returns the number that directives name a perp by. */
async function assetOf(symbol: string): Promise<number> {
  const find = (info: ExchangeInfo | null) => info?.perps.find((row) => row.symbol === symbol)
  if (find(venueInfo.value) === undefined) {
    venueInfo.value = await rest.request<ExchangeInfo>('GET', '/exchange-info')
  }
  const perp = find(venueInfo.value)
  if (perp === undefined) throw new Error(`${symbolText(symbol)} is not listed`)
  return perp.asset
}

function isWorking({ order_id: id }: FedOrder): boolean {
  return workingOrders.value.some((order) => order.order_id === id)
}

/** Opens the latest order of the chosen instrument in the ticket, or else the latest of all. */
export async function changeLatest(): Promise<void> {
  const orders = workingOrders.value
  const latest = orders.find(({ symbol }) => symbol === chosenSymbol.value) ?? orders[0]
  if (latest === undefined) tell('No open orders')
  else await changeOrder(latest)
}

export async function cancelOrder(orderId: number): Promise<void> {
  const { client, stream } = session.value!
  const body = signCancelOrder(client.context, orderId, client.nextNonce())
  const sentMillis = performance.now()
  const { status, reason } = await byStreamOrRest(
    () => stream.cancelOrder(body),
    async () => {
      const update = await client.rest.request<OrderUpdate>('DELETE', '/order', { body })
      if (update.status === 'CANCELED') tell('Canceled', 'good')
      return update
    },
  )
  noteTrip('cancel', performance.now() - sentMillis, orderId)
  if (status === 'REJECTED') tell(`Not canceled: ${reason}`, 'bad')
}

export async function cancelLatest(): Promise<void> {
  const [latest] = workingOrders.value
  if (latest === undefined) tell('No open orders')
  else await cancelOrder(latest.order_id)
}

export async function cancelAll(): Promise<void> {
  if (session.value === null) return
  const { client, stream } = session.value
  const body = signAction(client.context, 'CancelAll', { scope: 'all' }, client.nextNonce())
  const { canceled } = await byStreamOrRest(
    () => stream.cancelAll(body),
    async () => {
      type Answer = Answers['POST /cancel-all']
      return (await client.rest.request<Answer>('POST', '/cancel-all', { body })).data
    },
  )
  tell(`${canceled} ${canceled === 1 ? 'order' : 'orders'} canceled`)
}

/** Sends a signed write by stream, and again by REST if the connection is lost. The venue executes it once. */
async function byStreamOrRest<Stream, Rest>(
  byStream: () => Promise<Stream>,
  byRest: () => Promise<Rest>,
): Promise<Stream | Rest> {
  try {
    return await byStream()
  } catch (error) {
    if (error instanceof ConnectionError) return byRest()
    throw error
  }
}

function textsOfTicket() {
  const texts = { price: price.value.trim(), size: size.value.trim() }
  return { symbol: chosenSymbol.value ?? '', side: side.value, ...texts }
}

async function requestPreview(wallet: string, order: object): Promise<Preview | string> {
  try {
    const body = { wallet, orders: [order] }
    type Answer = { readonly data: Preview }
    return (await rest.request<Answer>('POST', '/risk/simulate/orders', { body })).data
  } catch (error) {
    return reasonOf(error)
  }
}
