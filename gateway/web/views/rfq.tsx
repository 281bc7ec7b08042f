import { leftText, momentText, sizeText } from '../model/numbers.js'
import { packageFault, premiumWords } from '../model/package-legs.js'
import { optionOf, symbolText } from '../model/symbol-text.js'
import { chosenSymbol } from '../state/choice.js'
import { attempt } from '../state/notices.js'
import {
  acceptQuote,
  addLeg,
  askQuotes,
  isFinal,
  legs,
  limit,
  liveRfq,
  type Quote,
  rfqs,
} from '../state/rfq.js'
import { session } from '../state/session.js'
import { Side } from './orders.jsx'
import { Table } from './table.jsx'

/** A package put together, asked for, and traded at a quote. */
export function Rfq() {
  return (
    <div class="rfq">
      <Composer />
      <Live />
      <Earlier />
    </div>
  )
}

function Composer() {
  const chosen = optionOf(chosenSymbol.value)
  const fault =
    session.value === null
      ? 'Take a demo key or a wallet first'
      : packageFault(legs.value, limit.value.trim())
  const ask = (event: Event) => {
    event.preventDefault()
    if (fault === null) void attempt(askQuotes)
  }
  return (
    <form class="composer" onSubmit={ask}>
      <div class="row">
        <span class="name">{chosen === null ? 'No option chosen' : symbolText(chosen)}</span>
        <button type="button" disabled={chosen === null} onClick={() => addLeg(chosen, 'Buy')}>
          + Buy <kbd>r</kbd>
        </button>
        <button type="button" disabled={chosen === null} onClick={() => addLeg(chosen, 'Sell')}>
          + Sell <kbd>R</kbd>
        </button>
      </div>
      {legs.value.map((leg, place) => (
        <LegRow key={leg.instrument} place={place} />
      ))}
      <label class="row">
        <span class="name">Trade at once within (USD, empty: look first)</span>
        <input
          name="limit"
          inputMode="decimal"
          autocomplete="off"
          value={limit.value}
          onInput={({ currentTarget }) => {
            limit.value = currentTarget.value
          }}
        />
      </label>
      <div class="row">
        <span class="name fault">{fault ?? ''}</span>
        <button type="submit" class="main" disabled={fault !== null}>
          Ask for quotes
        </button>
      </div>
    </form>
  )
}

function LegRow({ place }: { readonly place: number }) {
  const leg = legs.value[place]!
  return (
    <div class="row leg">
      <span class="name">
        <Side side={leg.side} /> {symbolText(leg.instrument)}
      </span>
      <input
        aria-label="Size"
        inputMode="decimal"
        autocomplete="off"
        value={leg.size}
        onInput={({ currentTarget }) => {
          const size = currentTarget.value
          legs.value = legs.value.map((each, at) => (at === place ? { ...each, size } : each))
        }}
      />
      <button
        type="button"
        aria-label="Remove the leg"
        onClick={() => {
          legs.value = legs.value.filter((_, at) => at !== place)
        }}
      >
        ✕
      </button>
    </div>
  )
}

function Live() {
  const live = liveRfq.value
  if (live === null) return null
  return (
    <div class="live-rfq" aria-live="polite">
      <h3>
        {statusWords[live.status] ?? live.status} <small class="dim">{live.reason ?? ''}</small>
      </h3>
      {live.quotes.map((quote) => (
        <QuoteRow key={quote.quote_id} quote={quote} />
      ))}
    </div>
  )
}

const statusWords: Readonly<Record<string, string>> = {
  ...{ created: 'Sent', sent_to_qps: 'Providers are asked', quotes_received: 'Quotes' },
  ...{ accepted: 'Accepted', executed: 'Traded', no_quotes: 'Nobody quotes it' },
  ...{ expired: 'Over', failed: 'Not traded' },
}

function QuoteRow({ quote }: { readonly quote: Quote }) {
  return (
    <div class="row quote">
      <span class="name">
        <b>{premiumWords(quote.net_premium)}</b>{' '}
        <small class="dim">until {momentText(quote.expires_at)}</small>
      </span>
      <button
        type="button"
        class="main accept"
        title={leftText(quote.expires_at, Date.now())}
        onClick={() => attempt(() => acceptQuote(quote))}
      >
        Accept
      </button>
    </div>
  )
}

function Earlier() {
  return (
    <Table
      heads={['Asked', 'Package', 'Status', 'Best quote']}
      empty="No request yet."
      rows={rfqs.value.map((row) => ({
        key: row.rfq_id,
        cells: [
          momentText(row.created_at),
          row.legs
            .map(
              ({ side, size, instrument }) => `${side} ${sizeText(size)} ${symbolText(instrument)}`,
            )
            .join(' · '),
          isFinal(row.status) ? (statusWords[row.status] ?? row.status) : 'open',
          row.quotes[0] === undefined ? '' : premiumWords(row.quotes[0].net_premium),
        ],
      }))}
    />
  )
}
