import { batch, effect, signal } from '@preact/signals'
import type { OptionTifName, PerpTifName, SideName } from '../../../schemas/wire-types.js'
import type { FedOrder } from '../../client/order-feed.js'
import { jumpedFrom, type ShownPrice, withShown } from '../model/followed-price.js'
import { openSize, type Reachable } from '../model/order-form.js'
import { bestOfOthers, takingPrice } from '../model/shown-quote.js'
import { isPerp } from '../model/symbol-text.js'
import { book } from './book.js'
import { shownQuotesOf } from './chain.js'
import { chosenSymbol, part } from './choice.js'
import { ownOrdersOf } from './own-orders.js'
import { session } from './session.js'

/** Terms of the ticket. Texts are as the user typed them. */
export const side = signal<SideName>('Buy')
export const price = signal('')
export const size = signal('0.1')
export const tif = signal<OptionTifName>('gtc')
export const perpTif = signal<PerpTifName>('gtc')
/** Route of the order. Best execution also trades at provider quotes, which the chain shows. */
export const route = signal<'best_execution' | 'book_only'>('best_execution')
/** True while the price follows the best quote of the other side. */
export const isFollowing = signal(false)
export const isReduceOnly = signal(false)
/** True if its fills count for market-maker protection. */
export const isProtected = signal(false)
/** Order that the ticket replaces; null: the ticket is a new order. */
export const changed = signal<FedOrder | null>(null)
/** Incremented to focus the ticket. */
export const focusAsked = signal(0)

/** Returns the best prices on the other side that the ticket can trade at. */
export function reachable(): Reachable {
  const symbol = chosenSymbol.value
  if (symbol === null) return { book: null, provider: null }
  const isBookOnly = isPerp(symbol) || changed.value !== null || route.value === 'book_only'
  if (isBookOnly) return { book: bestOnBook(symbol), provider: null }
  const { price, source } = shownQuotesOf(symbol)[side.value === 'Buy' ? 'ask' : 'bid']
  if (source === 'provider') return { book: bestOnBook(symbol), provider: price }
  // The ladder is newer than the chain.
  return { book: source === 'own' ? null : (bestOnBook(symbol) ?? price), provider: null }
}

/** Returns the best price of other wallets on the other side of the book; null: none, or unknown. */
function bestOnBook(symbol: string): number | null {
  if (book.value?.symbol !== symbol) return null
  const { bids, asks } = book.value
  const own = ownOrdersOf(symbol).value
  return side.value === 'Buy' ? bestOfOthers(asks, 'Sell', own) : bestOfOthers(bids, 'Buy', own)
}

/** Writes a price, and stops following the best quote. */
export function writePrice(text: string): void {
  isFollowing.value = false
  price.value = text
}

/** Prices that the ticket has shown while it follows one side of an instrument. */
let followed: { readonly of: string; readonly shown: readonly ShownPrice[] } = { of: '', shown: [] }

/** Returns the earlier price if the followed one has jumped too recently for the user to notice; null: it has not. */
export function followedJump(): string | null {
  return isFollowing.value ? jumpedFrom(followed.shown, side.value, performance.now()) : null
}

function noteFollowed(of: string, quoted: string): void {
  const shown = followed.of === of ? followed.shown : []
  followed = { of, shown: withShown(shown, quoted, performance.now()) }
}

/** Instrument of the price. */
let pricedSymbol: string | null = null

/** Fills the ticket with an instrument at its best price, which the ticket follows until the user types another one. */
export function takeBest(symbol: string, chosen: SideName): void {
  fillTicket(symbol, chosen, null)
  followed = { of: '', shown: [] }
  isFollowing.value = true
}

/** Fills the ticket with an instrument and a price. @param quoted null: there is no quote. */
export function fillTicket(symbol: string, chosen: SideName, quoted: number | string | null): void {
  batch(() => {
    changed.value = null
    isFollowing.value = false
    chosenSymbol.value = pricedSymbol = symbol
    side.value = chosen
    price.value = quoted === null ? '' : String(quoted)
  })
  showTicket()
}

/** Check boxes of the ticket before a change, which are restored after it. */
let boxesBefore: { readonly reduceOnly: boolean; readonly isProtected: boolean } | null = null

/** Fills the ticket with a working order, which it will replace. */
export async function changeOrder(order: FedOrder): Promise<void> {
  const row = await session.value?.client.orderStatus(String(order.order_id))
  if (!row) throw new Error('The venue has not listed this order yet. Try again')
  boxesBefore ??= { reduceOnly: isReduceOnly.value, isProtected: isProtected.value }
  batch(() => {
    changed.value = order
    isFollowing.value = false
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

/** Clears the price and the change when the user chooses another instrument. */
export function startTicket(): void {
  effect(() => {
    const symbol = chosenSymbol.value
    if (symbol !== pricedSymbol) writePrice('')
    pricedSymbol = symbol
    const order = changed.peek()
    if (order !== null && order.symbol !== symbol) changed.value = null
  })
  effect(() => {
    if (!isFollowing.value) return
    const { book, provider } = reachable()
    const quote = provider ?? book
    if (quote === null) return
    price.value = takingPrice(quote, side.value)
    noteFollowed(`${side.value} ${chosenSymbol.value}`, price.peek())
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
