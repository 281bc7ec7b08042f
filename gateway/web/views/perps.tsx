import {
  clockText,
  fixed,
  gainText,
  moneyText,
  percentText,
  priceText,
  sizeText,
  toneOf,
} from '../model/numbers.js'
import { basisOf, type PerpQuote, rateText, untilFunding, yearlyText } from '../model/perp-quote.js'
import { symbolText } from '../model/symbol-text.js'
import { portfolio } from '../state/account.js'
import { chosenSymbol } from '../state/choice.js'
import { loadPerps, perpQuotes } from '../state/perps.js'
import { takeBest } from '../state/ticket.js'
import { Fact } from './account.jsx'
import { Table } from './table.jsx'
import { usePeriodic } from './use-periodic.js'

const perpsMillis = 2000

/** Perps of the venue. Book and ticket show the chosen one. */
export function Perps() {
  usePeriodic(perpsMillis, loadPerps, null)
  const quotes = perpQuotes.value
  if (quotes === null) return <p class="empty">Loading…</p>
  const chosen = quotes.find(({ symbol }) => symbol === chosenSymbol.value)
  return (
    <div class="perps">
      <Table
        heads={[
          'Perp',
          'Bid',
          'Mark',
          'Ask',
          'Funding',
          '24h change',
          '24h volume',
          'OI',
          'Position',
        ]}
        empty="No perps are listed."
        rows={quotes.map((quote) => ({ key: quote.symbol, cells: cellsOf(quote) }))}
      />
      {chosen === undefined ? null : <PerpFacts quote={chosen} />}
    </div>
  )
}

function cellsOf(quote: PerpQuote) {
  const { symbol, bid, ask, mark, fundingRate, change, volume, openInterest } = quote
  const isChosen = symbol === chosenSymbol.value
  return [
    <button
      key="symbol"
      type="button"
      class={`symbol ${isChosen ? 'own' : ''}`}
      aria-pressed={isChosen}
      onClick={() => {
        chosenSymbol.value = symbol
      }}
    >
      {symbolText(symbol)}
    </button>,
    <Quote key="bid" symbol={symbol} side="Sell" price={bid} />,
    priceText(mark),
    <Quote key="ask" symbol={symbol} side="Buy" price={ask} />,
    <span key="funding" class={toneOf(fundingRate)}>
      {rateText(fundingRate)}
    </span>,
    <span key="change" class={toneOf(change)}>
      {percentText(change, 2)}
    </span>,
    sizeText(volume),
    sizeText(openInterest),
    <Position key="position" symbol={symbol} />,
  ]
}

interface QuoteProps {
  readonly symbol: string
  readonly side: 'Buy' | 'Sell'
  readonly price: number | null
}

function Quote({ symbol, side, price }: QuoteProps) {
  return (
    <button
      type="button"
      class={`symbol ${side === 'Buy' ? 'down' : 'up'}`}
      title={side}
      onClick={() => takeBest(symbol, side)}
    >
      {priceText(price)}
    </button>
  )
}

function Position({ symbol }: { readonly symbol: string }) {
  const amount = positionOf(symbol)?.amount ?? null
  return <span class={toneOf(amount)}>{amount === null ? '' : sizeText(amount)}</span>
}

function positionOf(symbol: string) {
  return portfolio.value?.positions.find((row) => row.symbol === symbol)
}

function PerpFacts({ quote }: { readonly quote: PerpQuote }) {
  const { symbol, index, fundingRate, fundedMillis, high, low, volumeUsd } = quote
  const basis = basisOf(quote)
  const position = positionOf(symbol)
  return (
    <>
      <h3>{symbolText(symbol)}</h3>
      <dl class="facts">
        <Fact name="Index" value={priceText(index)} />
        <Fact name="Mid vs. index" value={percentText(basis, 3)} tone={toneOf(basis)} />
        <Fact
          name={
            fundedMillis === null
              ? 'Funding rate'
              : `Funding rate, hour to ${clockText(fundedMillis)}`
          }
          value={rateText(fundingRate)}
          tone={toneOf(fundingRate)}
        />
        <Fact name="Annualized" value={yearlyText(fundingRate)} />
        <Fact name="Next funding in" value={untilFunding(Date.now())} />
        <Fact name="24h high" value={priceText(high)} />
        <Fact name="24h low" value={priceText(low)} />
        <Fact name="24h volume, USD" value={fixed(volumeUsd, 0)} />
        {position === undefined ? null : (
          <>
            <Fact
              name="Position"
              value={sizeText(position.amount)}
              tone={toneOf(position.amount)}
            />
            <Fact name="Entry price" value={moneyText(position.entry_price)} />
            <Fact
              name="Unrealized P&L"
              value={gainText(position.unrealized_pnl)}
              tone={toneOf(position.unrealized_pnl)}
            />
          </>
        )}
      </dl>
      <p class="empty">
        {fundingRate === null
          ? 'No funding has been paid yet. While the book is above the index, longs pay shorts each hour.'
          : 'Paid hourly. Positive: longs pay shorts; negative: shorts pay longs.'}
      </p>
    </>
  )
}
