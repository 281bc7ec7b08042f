import { batch, computed, type Signal, signal } from '@preact/signals'
import {
  type ChainLeg,
  type ChainRemoval,
  type ChainRow,
  expiriesOf,
  isSameLeg,
  type Strike,
  sectionsOf,
  strikeKey,
} from '../model/option-chain.js'
import { type BestPrices, type ShownQuote, shownQuote } from '../model/shown-quote.js'
import { type Quoted, quotedOf } from '../model/smile.js'
import { chosenExpiry, chosenUnderlying } from './choice.js'
import { othersBestOf } from './own-books.js'
import { ownOrdersOf } from './own-orders.js'
import { providersOf } from './provider-quotes.js'
import { indexPrices, onMessage, stream } from './venue.js'

/** Time between two updates. Each one lays out and paints the whole chain, and nobody reads faster. */
const lookMillis = 300
/** Most options that one frame updates. The rest waits for the next frame. */
const optionsPerFrameMax = 80

/** Listed strikes by key. */
const strikes = signal<ReadonlyMap<string, Strike>>(new Map())
const legs = new Map<string, Signal<ChainLeg | null>>()
/** Received rows that are not shown yet, the latest of each key. */
const pending = new Map<string, ChainRow>()
let isLookAsked = false

export const underlyings = computed(() =>
  [...new Set([...strikes.value.values()].map(({ underlying }) => underlying))].sort(),
)
export const expiries = computed(() =>
  expiriesOf(strikes.value.values(), chosenUnderlying.value ?? ''),
)
/** Sections that the chain shows. */
export const sections = computed(() =>
  sectionsOf(strikes.value.values(), chosenUnderlying.value, chosenExpiry.value),
)

/** Returns the signal of an option's quotes, mark, open interest and greeks. */
export function legOf(symbol: string): Signal<ChainLeg | null> {
  let found = legs.get(symbol)
  if (found === undefined) legs.set(symbol, (found = signal<ChainLeg | null>(null)))
  return found
}

/** Returns the prices of an option as the chain shows them. */
export function shownQuotesOf(symbol: string): Readonly<Record<keyof BestPrices, ShownQuote>> {
  const leg = legOf(symbol).value
  const own = ownOrdersOf(symbol).value
  const [book, provider] =
    own.length === 0 ? [null, null] : [othersBestOf(symbol).value, providersOf(symbol).value]
  const best = { bid: leg?.bid_price_usd ?? null, ask: leg?.ask_price_usd ?? null }
  const source = { bid: leg?.bid_source ?? null, ask: leg?.ask_source ?? null }
  const quoteOf = (side: keyof BestPrices) =>
    shownQuote(side, {
      best: best[side],
      source: source[side],
      opposite: best[side === 'bid' ? 'ask' : 'bid'],
      book: book?.[side] ?? null,
      provider: provider?.[side] ?? null,
      own: own.filter((order) => (order.side === 'Buy') === (side === 'bid')).map(priceOf),
    })
  return { bid: quoteOf('bid'), ask: quoteOf('ask') }
}

function priceOf({ price }: { readonly price: string }): number {
  return Number(price)
}

/** Returns all options of an underlying as the stream last sent them, without following them. */
export function quotedOptions(underlying: string): readonly Quoted[] {
  const index = indexPrices.peek().get(underlying)
  if (index === undefined) return []
  const legPeeked = (symbol: string | null) => (symbol === null ? null : legOf(symbol).peek())
  return [...strikes.peek().values()]
    .filter((strike) => strike.underlying === underlying)
    .flatMap((strike) => {
      const legs = { call: legPeeked(strike.call), put: legPeeked(strike.put) }
      return quotedOf(strike, legs, index)
    })
}

export function startChain(): void {
  onMessage('OptionsChainUpdate', (message) => {
    if (message.action === 'Upsert') {
      pending.set(strikeKey(message.currency, message.expiry, message.row.strike), message)
      requestLook()
    } else remove(message)
  })
  // The channel's rows have every figure of an option, so the page needs no GET /options-summary.
  stream.subscribe('options_chain')
}

/** Schedules an update that shows the pending rows. */
function requestLook(): void {
  if (isLookAsked) return
  isLookAsked = true
  const waitMillis = strikes.peek().size === 0 ? 0 : lookMillis
  setTimeout(() => requestAnimationFrame(look), waitMillis)
}

function look(): void {
  batch(showPending)
  if (pending.size > 0) requestAnimationFrame(look)
  else isLookAsked = false
}

/** Shows pending rows. The first call shows all, later ones at most `optionsPerFrameMax`, to keep frames short. */
function showPending(): void {
  const isFirst = strikes.value.size === 0
  const added = new Map<string, Strike>()
  let left = isFirst ? Number.POSITIVE_INFINITY : optionsPerFrameMax
  for (const [key, { currency, expiry, row }] of pending) {
    if (left <= 0) break
    pending.delete(key)
    const { strike, call = null, put = null } = row
    if (!strikes.value.has(key)) {
      const names = { call: call?.symbol ?? null, put: put?.symbol ?? null }
      added.set(key, { underlying: currency, expiry, strike, ...names })
    }
    for (const leg of [call, put]) {
      if (leg === null) continue
      show(leg)
      left--
    }
  }
  if (added.size > 0) strikes.value = new Map([...strikes.value, ...added])
}

function show(leg: ChainLeg): void {
  const shown = legOf(leg.symbol)
  if (!isSameLeg(shown.value, leg)) shown.value = leg
}

function remove({ currency, expiry, strike, symbol }: ChainRemoval): void {
  const key = strikeKey(currency, expiry, strike)
  pending.delete(key)
  const listed = strikes.value.get(key)
  if (listed === undefined) return
  const rest = new Map(strikes.value)
  const call = listed.call === symbol ? null : listed.call
  const put = listed.put === symbol ? null : listed.put
  if (call === null && put === null) rest.delete(key)
  else rest.set(key, { ...listed, call, put })
  legs.delete(symbol)
  strikes.value = rest
}
