import {
  computed,
  type Signal,
  signal,
  untracked,
  useComputed,
  useSignalEffect,
} from '@preact/signals'
import { memo } from 'preact/compat'
import { useMemo } from 'preact/hooks'
import { fixed, leftText, percentText, priceText, shortText } from '../model/numbers.js'
import type { ChainSection, Right, Strike } from '../model/option-chain.js'
import { strikesBelow } from '../model/option-chain.js'
import type { QuoteSource } from '../model/shown-quote.js'
import { expiryText } from '../model/symbol-text.js'
import { expiries, legOf, sections, shownQuotesOf, underlyings } from '../state/chain.js'
import { chosenExpiry, chosenSymbol, chosenUnderlying } from '../state/choice.js'
import { ownOrdersOf } from '../state/own-orders.js'
import { takeBest } from '../state/ticket.js'
import { indexPrices } from '../state/venue.js'
import { width } from '../state/width.js'

const quotes = ['Bid', 'Mark', 'Ask'] as const
/** Columns in addition to the quotes, from the outside in, by width. */
const details = {
  narrow: [],
  middle: ['OI', 'Delta', 'IV'],
  wide: ['OI', 'Theta', 'Vega', 'Gamma', 'Delta', 'IV'],
} as const
type Column = (typeof quotes)[number] | (typeof details)['wide'][number]
/** Texts of an option: one per column, and the sources of its bid and ask. */
type LegText = Column | 'BidSource' | 'AskSource'

const sourceWords: Readonly<Record<QuoteSource, string>> = {
  book: 'from the order book',
  provider: 'from a quote provider',
  own: 'from your own order',
}

/** Columns by right. Those of puts are mirrored, except for the quotes. */
const columnsOf = computed((): Readonly<Record<Right, readonly Column[]>> => {
  const shown = details[width.value]
  return { call: [...shown, ...quotes], put: [...quotes, ...shown.toReversed()] }
})

/** Options by expiry: calls left, strikes, puts right. */
export function Chain() {
  return (
    <section class="card chain-card" aria-label="Option chain">
      <Choices />
      <ChainTable />
    </section>
  )
}

function Choices() {
  return (
    <div class="choices">
      <div class="tabs" role="tablist" aria-label="Underlying">
        {[...underlyings.value, null].map((name) => (
          <button
            type="button"
            role="tab"
            key={name}
            aria-selected={chosenUnderlying.value === name}
            onClick={() => chooseUnderlying(name)}
          >
            {name ?? 'All'}
          </button>
        ))}
      </div>
      <div class="tabs" role="tablist" aria-label="Expiry">
        {[null, ...expiries.value].map((expiry) => (
          <button
            type="button"
            role="tab"
            key={expiry}
            aria-selected={chosenExpiry.value === expiry}
            onClick={() => {
              chosenExpiry.value = expiry
            }}
          >
            {expiry === null ? 'All expiries' : expiryText(expiry)}
          </button>
        ))}
      </div>
      <p class="legend" title="Best execution trades at the better of the two">
        <span>Order book</span>
        <span data-source="provider">Provider quote</span>
      </p>
    </div>
  )
}

export function chooseUnderlying(name: string | null): void {
  chosenUnderlying.value = name
  chosenExpiry.value = null
}

function ChainTable() {
  const shown = sections.value
  if (shown.length === 0) return <p class="empty">Waiting for market data…</p>
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: cells are chosen by keys of the page
    // biome-ignore lint/a11y/useKeyWithMouseEvents: the style of a cell shows the same as its title
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the page move over the chain and trade from it
    <div class="chain-scroll" onClick={onChainClick} onMouseOver={onChainHover}>
      <table class="chain heads">
        <Columns />
        <thead>
          <tr>
            <Heads right="call" />
            <th class="strike">Strike</th>
            <Heads right="put" />
          </tr>
        </thead>
      </table>
      {shown.map((section) => (
        <Section key={`${section.underlying}/${section.expiry}`} section={section} />
      ))}
    </div>
  )
}

/** Fixed columns, the same for every table: widths do not depend on the content. */
function Columns() {
  const { call, put } = columnsOf.value
  return (
    <colgroup>
      {[...call, 'Strike', ...put].map((name, place) => (
        <col key={place} class={classOf(name)} />
      ))}
    </colgroup>
  )
}

function Heads({ right }: { readonly right: Right }) {
  return (
    <>
      {columnsOf.value[right].map((name) => (
        <th key={name} class={classOf(name)}>
          {name}
        </th>
      ))}
    </>
  )
}

/** Expiry as a separate table, so that the browser skips layout and paint of invisible ones. */
function Section({ section }: { readonly section: ChainSection }) {
  const { underlying, expiry, strikes } = section
  const below = useComputed(() => strikesBelow(strikes, indexPrices.value.get(underlying)))
  return (
    <div class="chain-section">
      <table class="chain">
        <Columns />
        <tbody>
          <tr class="section">
            <th colSpan={columnsOf.value.call.length}>
              Calls · {underlying} {expiryText(expiry)}
            </th>
            <th class="strike">{leftText(expiry * 1000, Date.now())}</th>
            <th colSpan={columnsOf.value.put.length} class="right">
              Puts
            </th>
          </tr>
          {strikes.map((strike, place) => (
            <StrikeRow
              key={strike.strike}
              strike={strike}
              isBelow={place < below.value}
              isNext={place === below.value}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface StrikeRowProps {
  readonly strike: Strike
  /** True if the strike is below the index. */
  readonly isBelow: boolean
  /** True if it is the first strike above the index. */
  readonly isNext: boolean
}

const StrikeRow = memo(({ strike, isBelow, isNext }: StrikeRowProps) => (
  <tr class={isNext ? 'at-index' : ''}>
    <Leg symbol={strike.call} right="call" isInside={isBelow} />
    <th class="strike" scope="row">
      {strike.strike.toLocaleString('en-US')}
    </th>
    <Leg symbol={strike.put} right="put" isInside={!isBelow} />
  </tr>
))

interface LegProps {
  readonly symbol: string | null
  readonly right: Right
  readonly isInside: boolean
}

/** Cells of one side of a strike. */
const Leg = memo(({ symbol, right, isInside }: LegProps) => {
  if (symbol === null) return <td colSpan={columnsOf.value[right].length} class="none" />
  return <Cells key={symbol} symbol={symbol} right={right} isInside={isInside} />
})

/** Cells of one option. Signals update their texts without rendering the cells again. */
function Cells({ symbol, right, isInside }: LegProps & { readonly symbol: string }) {
  const isChosen = useComputed(() => chosenSymbol.value === symbol)
  const own = useComputed(() => ownOrdersOf(symbol).value.length)
  const columns = columnsOf.value[right]
  const texts = useLegTexts(symbol)
  const tones = `${isInside ? 'inside ' : ''}${isChosen.value ? 'chosen ' : ''}`
  return (
    <>
      {columns.map((name) => (
        <td
          key={name}
          class={`${tones}${classOf(name)}`}
          data-symbol={symbol}
          data-act={name === 'Bid' ? 'Sell' : name === 'Ask' ? 'Buy' : undefined}
          data-source={
            name === 'Bid' ? texts.BidSource : name === 'Ask' ? texts.AskSource : undefined
          }
        >
          {name === 'Mark' && own.value > 0 ? <OwnMark count={own.value} /> : null}
          {texts[name]}
        </td>
      ))}
    </>
  )
}

function OwnMark({ count }: { readonly count: number }) {
  const words = `${count} open ${count === 1 ? 'order' : 'orders'} of yours`
  return (
    <span class="own" role="img" aria-label={words} title={words}>
      ●
    </span>
  )
}

/** Returns the texts of an option, each as its own signal. */
function useLegTexts(symbol: string): Readonly<Record<LegText, Signal<string>>> {
  const shown = useMemo(() => {
    const texts = Object.entries(untracked(() => legTexts(symbol)))
    const signals = texts.map(([name, text]) => [name, signal(text)])
    return Object.fromEntries(signals) as Record<LegText, Signal<string>>
  }, [symbol])
  useSignalEffect(() => {
    for (const [name, text] of Object.entries(legTexts(symbol))) shown[name as LegText].value = text
  })
  return shown
}

function legTexts(symbol: string): Readonly<Record<LegText, string>> {
  const leg = legOf(symbol).value
  const { bid, ask } = shownQuotesOf(symbol)
  const greeks = leg?.greeks_abs
  return {
    OI: leg === null ? '' : shortText(leg.open_interest),
    Theta: fixed(greeks?.theta, 1),
    Vega: fixed(greeks?.vega, 1),
    Gamma: greeks ? greeks.gamma.toPrecision(2) : '–',
    Delta: fixed(greeks?.delta, 2),
    IV: percentText(leg?.mark_iv),
    Bid: priceText(bid.price),
    BidSource: bid.source ?? '',
    Mark: priceText(leg?.mark_price_usd),
    Ask: priceText(ask.price),
    AskSource: ask.source ?? '',
  }
}

function classOf(name: string): string {
  return name.toLowerCase()
}

/** Fills the ticket: a bid sells, an ask buys. A click on any other cell chooses the option. */
function onChainClick({ target }: MouseEvent): void {
  const cell = (target as Element).closest<HTMLElement>('[data-symbol]')
  if (cell === null) return
  const { symbol, act } = cell.dataset
  if (act !== 'Buy' && act !== 'Sell') chosenSymbol.value = symbol!
  else takeBest(symbol!, act)
}

/** Sets the title of a cell on hover, because each update would otherwise remake hundreds of titles. */
function onChainHover({ target }: MouseEvent): void {
  const cell = (target as Element).closest<HTMLElement>('[data-act]')
  if (cell === null) return
  const source = cell.dataset['source'] as QuoteSource | ''
  const side = cell.dataset['act'] === 'Sell' ? 'Bid' : 'Ask'
  cell.title = source === '' ? `No ${side.toLowerCase()}` : `${side} ${sourceWords[source]}`
}
