import { batch, computed, effect, type Signal, signal } from '@preact/signals'
import type { OptionSummary } from '../../client/generated/interface.js'
import {
  type ChainLeg,
  type ChainRemoval,
  type ChainRow,
  expiriesOf,
  isSameLeg,
  isSameMark,
  type Mark,
  markOf,
  type Strike,
  sectionsOf,
  strikeKey,
} from '../model/option-chain.js'
import { type BestPrices, type ShownQuote, shownQuote } from '../model/shown-quote.js'
import { optionOf } from '../model/symbol-text.js'
import { chosenExpiry, chosenSymbol, chosenUnderlying } from './choice.js'
import { othersBestOf } from './own-books.js'
import { ownOrdersOf } from './own-orders.js'
import { periodic } from './periodic.js'
import { onMessage, rest, stream } from './venue.js'

/** Interval of the marks. Their answer is the largest of the page; bids and asks come over the stream. */
const markMillis = 10_000
/** Between two looks: every one lays the whole chain out and paints it, and nobody reads faster. */
const lookMillis = 300
/** How many options a frame takes, their marks as well: what is more waits for the next one. */
const optionsPerFrameMax = 80

/** Every strike that is listed, by its key. */
const strikes = signal<ReadonlyMap<string, Strike>>(new Map())
const legs = new Map<string, Signal<ChainLeg | null>>()
const marks = new Map<string, Signal<Mark | null>>()
/** Told and not shown yet, the latest of each key. */
const pending = new Map<string, ChainRow>()
/** The same of marks, by symbol. */
const pendingMarks = new Map<string, Mark>()
let isLookAsked = false

export const underlyings = computed(() =>
  [...new Set([...strikes.value.values()].map(({ underlying }) => underlying))].sort(),
)
export const expiries = computed(() =>
  expiriesOf(strikes.value.values(), chosenUnderlying.value ?? ''),
)
/** What the chain shows. */
export const sections = computed(() =>
  sectionsOf(strikes.value.values(), chosenUnderlying.value, chosenExpiry.value),
)

/** Quotes and greeks of an option. */
export function legOf(symbol: string): Signal<ChainLeg | null> {
  return known(legs, symbol)
}

/** Mark and open interest of an option. */
export function markSignalOf(symbol: string): Signal<Mark | null> {
  return known(marks, symbol)
}

/** Returns the prices of an option as the chain shows them. */
export function shownQuotesOf(symbol: string): Readonly<Record<keyof BestPrices, ShownQuote>> {
  const leg = legOf(symbol).value
  const mark = markSignalOf(symbol).value
  const own = ownOrdersOf(symbol).value
  const book = own.length === 0 ? mark?.book : othersBestOf(symbol).value
  const best = { bid: leg?.bid_price_usd ?? null, ask: leg?.ask_price_usd ?? null }
  const quoteOf = (side: keyof BestPrices) =>
    shownQuote(side, {
      best: best[side],
      opposite: best[side === 'bid' ? 'ask' : 'bid'],
      book: book?.[side] ?? null,
      provider: mark?.providers[side] ?? null,
      own: own.filter((order) => (order.side === 'Buy') === (side === 'bid')).map(priceOf),
    })
  return { bid: quoteOf('bid'), ask: quoteOf('ask') }
}

function priceOf({ price }: { readonly price: string }): number {
  return Number(price)
}

/** Summaries as they were told last: what smiles are drawn of. */
export const summaries = signal<readonly OptionSummary[]>([])

export function startChain(): void {
  onMessage('OptionsChainUpdate', (message) => {
    if (message.action === 'Upsert') {
      pending.set(strikeKey(message.currency, message.expiry, message.row.strike), message)
      askLook()
    } else remove(message)
  })
  stream.subscribe('options_chain')
  effect(() => {
    const underlying = chosenUnderlying.value
    return periodic(markMillis, () => loadMarks(underlying))
  })
  onMessage('IndicativeMarketData', ({ instrument, best_bid: bid, best_ask: ask }) => {
    const shown = markSignalOf(instrument)
    if (shown.value === null) return
    const providers = { bid: Number(bid) || null, ask: Number(ask) || null }
    if (!isSameMark(shown.value, { ...shown.value, providers })) {
      shown.value = { ...shown.value, providers }
    }
  })
  // The ticket and the book show the provider quote of the chosen option, so it must be live.
  effect(() => {
    const symbol = optionOf(chosenSymbol.value)
    return symbol === null
      ? undefined
      : stream.subscribe('indicative_market_data', { symbols: [symbol] })
  })
}

/** Loads the marks of an underlying. @param underlying null: of all. */
async function loadMarks(underlying: string | null): Promise<void> {
  const query = { currency: underlying ?? undefined }
  const { result } = await rest.request<{ result: readonly OptionSummary[] }>(
    'GET',
    '/options-summary',
    { query },
  )
  summaries.value = result
  for (const row of result) pendingMarks.set(String(row.instrument_name), markOf(row))
  askLook()
}

/** Has the next look show what is told until then. */
function askLook(): void {
  if (isLookAsked) return
  isLookAsked = true
  const waitMillis = strikes.peek().size === 0 ? 0 : lookMillis
  setTimeout(() => requestAnimationFrame(look), waitMillis)
}

function look(): void {
  batch(showPending)
  if (pending.size + pendingMarks.size > 0) requestAnimationFrame(look)
  else isLookAsked = false
}

/** At first all, so that the page is whole at once; later no more than a frame can bear. */
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
      showMark(leg.symbol)
      left--
    }
  }
  for (const symbol of pendingMarks.keys()) {
    if (left <= 0) break
    if (showMark(symbol)) left--
  }
  if (added.size > 0) strikes.value = new Map([...strikes.value, ...added])
}

function show(leg: ChainLeg): void {
  const shown = legOf(leg.symbol)
  if (!isSameLeg(shown.value, leg)) shown.value = leg
}

/** @returns whether it looks another than before. */
function showMark(symbol: string): boolean {
  const mark = pendingMarks.get(symbol)
  if (mark === undefined) return false
  pendingMarks.delete(symbol)
  const shown = markSignalOf(symbol)
  if (isSameMark(shown.value, mark)) return false
  shown.value = mark
  return true
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
  marks.delete(symbol)
  pendingMarks.delete(symbol)
  strikes.value = rest
}

function known<Value>(all: Map<string, Signal<Value | null>>, symbol: string) {
  let found = all.get(symbol)
  if (found === undefined) all.set(symbol, (found = signal<Value | null>(null)))
  return found
}
