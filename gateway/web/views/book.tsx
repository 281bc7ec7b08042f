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
import { shortSymbolText, symbolText } from '../model/symbol-text.js'
import { book, tape } from '../state/book.js'
import { chosenSymbol } from '../state/choice.js'
import { attempt } from '../state/notices.js'
import { workingOrders } from '../state/own-orders.js'
import { changed, changeOrder, fillTicket, price } from '../state/ticket.js'

const rungsMax = 10
const depthHeight = 120

/** The chosen option: its ladder, the same as curves, and what is traded of its underlying. */
export function Book() {
  const shown = book.value
  const symbol = chosenSymbol.value
  if (symbol === null) {
    return <section class="card book-card empty">Choose an option or a perp.</section>
  }
  const isThis = shown?.symbol === symbol
  const own = workingOrders.value.filter((order) => order.symbol === symbol)
  const ladder = isThis ? ladderOf(shown.bids, shown.asks, rungsMax, own) : ladderOf([], [], 1)
  return (
    <section class="card book-card" aria-label="Book">
      <h2>
        {symbolText(symbol)} <small>{isThis ? stateWords[shown.state] : 'loading'}</small>
      </h2>
      <LadderTable ladder={ladder} symbol={symbol} />
      <Depth ladder={ladder} />
    </section>
  )
}

const stateWords = {
  ...{ live: '', repairing: 'loading', stale: 'not connected' },
  ...{ unlisted: 'not listed any more', closed: '' },
} as const

function LadderTable({ ladder, symbol }: { readonly ladder: Ladder; readonly symbol: string }) {
  const { bids, asks, spread } = ladder
  if (bids.length + asks.length === 0) return <p class="empty">Nobody quotes it on the book.</p>
  return (
    <div class="ladder">
      {asks.toReversed().map((rung) => (
        <RungRow key={rung.price} rung={rung} side="ask" symbol={symbol} />
      ))}
      <div class="spread">spread {priceText(spread)}</div>
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
        title={changed.value === null ? `${traded} at ${price}` : `Change to ${price}`}
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

/** One's own part of a price: its latest order is changed by it. */
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
      aria-label={`Change own order of ${sizeText(own)} at ${price}`}
      title="Change it"
      onClick={() => attempt(() => changeOrder(order))}
    >
      {words}
    </button>
  )
}

/** While an order is changed, a price of the ladder is the one that it is to get. */
function takePrice(symbol: string, side: 'Buy' | 'Sell', told: string): void {
  if (changed.value?.symbol === symbol) price.value = told
  else fillTicket(symbol, side, told)
}

const depthLines = [
  { label: 'bids', color: '--up', isFilled: true, shape: 'steps-to' },
  { label: 'asks', color: '--down', isFilled: true, shape: 'steps-from' },
] as const

function Depth({ ladder }: { readonly ladder: Ladder }) {
  if (ladder.bids.length === 0 || ladder.asks.length === 0) return null
  return (
    <Plot
      kind="depth"
      data={depthSeries(nearMiddle(ladder)) as never}
      fromZero
      series={depthLines}
      height={depthHeight}
      xText={priceText}
      yText={sizeText}
      label="Contracts by price, of both sides"
    />
  )
}

/** Trades of the underlying, the latest first. */
export function Tape() {
  const trades = tape.value
  return (
    <section class="card tape-card" aria-label="Trades">
      <h2>Trades</h2>
      {trades.length === 0 ? <p class="empty">No trades yet.</p> : null}
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
    </section>
  )
}
