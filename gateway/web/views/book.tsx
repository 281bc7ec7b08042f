import { signal } from '@preact/signals'
import { Plot } from '../charts/plot.jsx'
import {
  depthSeries,
  isRestingAt,
  type Ladder,
  ladderOf,
  nearMiddle,
  type Rung,
} from '../model/book-ladder.js'
import { clockText, priceText, sizeText } from '../model/numbers.js'
import { takingPrice } from '../model/shown-quote.js'
import { shortSymbolText, symbolText } from '../model/symbol-text.js'
import { book, tape } from '../state/book.js'
import { chosenSymbol } from '../state/choice.js'
import { attempt } from '../state/notices.js'
import { workingOrders } from '../state/own-orders.js'
import { providersOf } from '../state/provider-quotes.js'
import { changed, changeOrder, fillTicket, takeBest, writePrice } from '../state/ticket.js'
import { rungs } from '../state/width.js'

const depthRungs = 10
const depthHeight = 120

/** Order book of the chosen instrument, with the provider quote. */
export function Book() {
  const shown = book.value
  const symbol = chosenSymbol.value
  if (symbol === null) {
    return <section class="card book-card empty">Select an option or a perp.</section>
  }
  const isThis = shown?.symbol === symbol
  return (
    <section class="card book-card" aria-label="Order book">
      <h2>
        Order book · {symbolText(symbol)}{' '}
        <small>{isThis ? stateWords[shown.state] : 'loading'}</small>
      </h2>
      <LadderTable ladder={shownLadder(rungs.value)} symbol={symbol} />
      <ProviderQuote symbol={symbol} />
    </section>
  )
}

/** Ladder of the chosen instrument; empty until its book is loaded. */
function shownLadder(rungsMax: number): Ladder {
  const shown = book.value
  const symbol = chosenSymbol.value
  if (shown === null || shown.symbol !== symbol) return ladderOf([], [], 1)
  const own = workingOrders.value.filter((order) => order.symbol === symbol)
  return ladderOf(shown.bids, shown.asks, rungsMax, own)
}

const stateWords = {
  ...{ live: '', repairing: 'loading', stale: 'disconnected' },
  ...{ unlisted: 'delisted', closed: '' },
} as const

function LadderTable({ ladder, symbol }: { readonly ladder: Ladder; readonly symbol: string }) {
  const { bids, asks, spread } = ladder
  if (bids.length + asks.length === 0) return <p class="empty">The order book is empty.</p>
  return (
    <div class="ladder">
      {asks.toReversed().map((rung) => (
        <RungRow key={rung.price} rung={rung} side="ask" symbol={symbol} />
      ))}
      <div class="spread">Spread {priceText(spread)}</div>
      {bids.map((rung) => (
        <RungRow key={rung.price} rung={rung} side="bid" symbol={symbol} />
      ))}
    </div>
  )
}

interface RungProps {
  readonly rung: Rung
  readonly side: 'bid' | 'ask'
  readonly symbol: string
}

function RungRow({ rung, side, symbol }: RungProps) {
  const { price, size, total, share, own } = rung
  const traded = side === 'ask' ? 'Buy' : 'Sell'
  return (
    <div class="rung-place">
      <button
        type="button"
        class={`rung ${side}`}
        onClick={() => takePrice(symbol, traded, price)}
        title={changed.value === null ? `${traded} at ${price}` : `Change price to ${price}`}
      >
        <span class="bar" style={{ width: `${(share * 100).toFixed(1)}%` }} />
        <span class="price">{price}</span>
        <span />
        <span>{sizeText(size)}</span>
        <span class="dim">{sizeText(total)}</span>
      </button>
      {own > 0 ? <OwnRung rung={rung} side={side} symbol={symbol} /> : null}
    </div>
  )
}

/** The wallet's own size at a price. A click changes its latest order there. */
function OwnRung({ rung: { price, own }, side, symbol }: RungProps) {
  const resting = side === 'ask' ? 'Sell' : 'Buy'
  const order = workingOrders.value.find(
    (each) => each.symbol === symbol && isRestingAt(each, resting, price),
  )
  const words = `● ${sizeText(own)}`
  if (order === undefined) return <span class="own own-rung">{words}</span>
  return (
    <button
      type="button"
      class="own own-rung"
      aria-label={`Change your order: ${sizeText(own)} at ${price}`}
      title="Change this order"
      onClick={() => attempt(() => changeOrder(order))}
    >
      {words}
    </button>
  )
}

/** Takes a price of the ladder into the ticket. During a change, it becomes the new price of the order. */
function takePrice(symbol: string, side: 'Buy' | 'Sell', quoted: string): void {
  if (changed.value?.symbol === symbol) writePrice(quoted)
  else fillTicket(symbol, side, quoted)
}

/** Indicative prices of the providers, which best execution trades at. */
function ProviderQuote({ symbol }: { readonly symbol: string }) {
  const { bid, ask } = providersOf(symbol).value
  if (bid === null && ask === null) return null
  return (
    <div class="provider-quote" data-source="provider">
      <span class="dim">Provider quote</span>
      <ProviderPrice symbol={symbol} side="Sell" quote={bid} />
      <ProviderPrice symbol={symbol} side="Buy" quote={ask} />
    </div>
  )
}

interface ProviderPriceProps {
  readonly symbol: string
  readonly side: 'Buy' | 'Sell'
  readonly quote: number | null
}

function ProviderPrice({ symbol, side, quote }: ProviderPriceProps) {
  const text = takingPrice(quote, side)
  return (
    <button
      type="button"
      class={side === 'Buy' ? 'down' : 'up'}
      disabled={text === ''}
      title={`${side} at ${text}`}
      onClick={() => {
        if (changed.value?.symbol === symbol) writePrice(text)
        else takeBest(symbol, side)
      }}
    >
      {priceText(quote)}
    </button>
  )
}

const depthLines = [
  { label: 'bids', color: '--up', isFilled: true, shape: 'steps-to' },
  { label: 'asks', color: '--down', isFilled: true, shape: 'steps-from' },
] as const

function Depth() {
  const ladder = shownLadder(depthRungs)
  if (ladder.bids.length === 0 || ladder.asks.length === 0) {
    return <p class="empty">The depth chart needs bids and asks.</p>
  }
  return (
    <Plot
      kind="depth"
      data={depthSeries(nearMiddle(ladder)) as never}
      fromZero
      series={depthLines}
      height={depthHeight}
      xText={priceText}
      yText={sizeText}
      label="Depth chart: cumulative contracts by price, bids and asks"
    />
  )
}

const activities = { Trades: Tape, Depth } as const
const activity = signal<keyof typeof activities>('Trades')

/** Trades of the underlying, or the depth of the chosen book. */
export function Activity() {
  const Shown = activities[activity.value]
  return (
    <section class="card tape-card" aria-label={activity.value}>
      <div class="tabs" role="tablist" aria-label="Trades or depth">
        {(Object.keys(activities) as (keyof typeof activities)[]).map((name) => (
          <button
            type="button"
            role="tab"
            key={name}
            aria-selected={activity.value === name}
            onClick={() => {
              activity.value = name
            }}
          >
            {name}
          </button>
        ))}
      </div>
      <Shown />
    </section>
  )
}

/** Trades of the underlying, the latest first. */
function Tape() {
  const trades = tape.value
  if (trades.length === 0) return <p class="empty">No trades yet.</p>
  return (
    <ol class="tape">
      {trades.map(({ id, symbol, side, price, size, millis }) => (
        <li key={id} class={symbol === chosenSymbol.value ? 'chosen' : ''}>
          <span class="dim">{clockText(millis)}</span>
          <span class="name" title={symbolText(symbol)}>
            {shortSymbolText(symbol)}
          </span>
          <span class={side === 'Buy' ? 'up' : 'down'}>{price}</span>
          <span>{sizeText(size)}</span>
        </li>
      ))}
    </ol>
  )
}
