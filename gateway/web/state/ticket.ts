import { batch, effect, signal } from '@preact/signals'
import type { FedOrder } from '../../client/order-feed.js'
import type { OptionTifName, PerpTifName, SideName } from '../../wire/wire-types.js'
import { openSize } from '../model/order-form.js'
import { chosenSymbol, part } from './choice.js'
import { session } from './session.js'

/** What the ticket would order. Texts are as they were written. */
export const side = signal<SideName>('Buy')
export const price = signal('')
export const size = signal('0.1')
export const tif = signal<OptionTifName>('gtc')
export const perpTif = signal<PerpTifName>('gtc')
export const route = signal<'best_execution' | 'book_only'>('book_only')
export const isReduceOnly = signal(false)
/** Whether fills of it count for the protection of a market maker. */
export const isProtected = signal(false)
/** The order that is replaced; null: the ticket orders something new. */
export const changed = signal<FedOrder | null>(null)
/** Rises when the ticket is to be written in. */
export const focusAsked = signal(0)

/** What the price was written for. */
let pricedSymbol: string | null = null

/** Has the ticket trade an instrument at a price; null: nobody quotes it. */
export function fillTicket(symbol: string, chosen: SideName, told: number | string | null): void {
  batch(() => {
    changed.value = null
    chosenSymbol.value = pricedSymbol = symbol
    side.value = chosen
    price.value = told === null ? '' : String(told)
  })
  showTicket()
}

/** Boxes of the ticket as they are to be again behind a change. */
let boxesBefore: { readonly reduceOnly: boolean; readonly isProtected: boolean } | null = null

/** Has the ticket replace a working order by one that is the same in all that is not written anew. */
export async function changeOrder(order: FedOrder): Promise<void> {
  const row = await session.value?.client.orderStatus(String(order.order_id))
  if (!row) throw new Error('The venue does not tell of this order yet')
  boxesBefore ??= { reduceOnly: isReduceOnly.value, isProtected: isProtected.value }
  batch(() => {
    changed.value = order
    isReduceOnly.value = row.reduce_only === true
    isProtected.value = row.mmp_enabled
    chosenSymbol.value = pricedSymbol = order.symbol
    side.value = order.side
    price.value = order.price
    size.value = openSize(order)
    tif.value = 'gtc'
    perpTif.value = row.add_liquidity_only === true ? 'alo' : 'gtc'
  })
  showTicket()
}

/** Price and change are of one instrument: who goes on to another one has left them behind. */
export function startTicket(): void {
  effect(() => {
    const symbol = chosenSymbol.value
    if (symbol !== pricedSymbol) price.value = ''
    pricedSymbol = symbol
    const order = changed.peek()
    if (order !== null && order.symbol !== symbol) changed.value = null
  })
  effect(() => {
    if (changed.value !== null || boxesBefore === null) return
    isReduceOnly.value = boxesBefore.reduceOnly
    isProtected.value = boxesBefore.isProtected
    boxesBefore = null
  })
}

function showTicket(): void {
  part.value = 'ticket'
  focusAsked.value++
}
