import { comboFault, premiumWords } from '../model/combo-legs.js'
import { momentText, secondsText, sizeText } from '../model/numbers.js'
import { optionOf, symbolText } from '../model/symbol-text.js'
import { chosenSymbol } from '../state/choice.js'
import { attempt } from '../state/notices.js'
import {
  acceptQuote,
  addLeg,
  hereMillis,
  isFinal,
  type LiveRfq,
  legs,
  limit,
  liveRfq,
  type Quote,
  requestQuotes,
  rfqs,
} from '../state/rfq.js'
import { connectWords, session } from '../state/session.js'
import { Side } from './orders.jsx'
import { Table } from './table.jsx'
import { useCountdown } from './use-countdown.js'

/** Form for the legs of a request for quote, its live quotes, and earlier requests. */
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
  const fault = comboFault(legs.value, limit.value.trim())
  const isUntouched = legs.value.length === 0 && limit.value === ''
  const isReady = session.value !== null && fault === null
  const ask = (event: Event) => {
    event.preventDefault()
    if (isReady) void attempt(requestQuotes)
  }
  return (
    <form class="composer" onSubmit={ask}>
      <div class="row">
        <span class="name">{chosen === null ? 'No option selected' : symbolText(chosen)}</span>
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
        <span class="name">Auto-accept limit, USD (optional)</span>
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
        {isUntouched ? (
          <span class="name dim">Add options from the chain as legs</span>
        ) : (
          <span class="name fault">{fault ?? ''}</span>
        )}
        <button type="submit" class="main" disabled={!isReady}>
          {session.value === null ? connectWords : 'Request quotes'}
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
        aria-label="Remove leg"
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
        {statusWords[live.status] ?? live.status}{' '}
        <small class="dim">
          {live.reason ?? ''} {isFinal(live.status) ? null : <TimeLeft live={live} />}
        </small>
      </h3>
      {live.quotes.map((quote) => (
        <QuoteRow key={quote.quote_id} quote={quote} live={live} />
      ))}
    </div>
  )
}

/** Countdown of a request for quote. */
function TimeLeft({ live }: { readonly live: LiveRfq }) {
  const leftMillis = useCountdown(hereMillis(live.expiresAtMillis, live))
  if (live.expiresAtMillis === null) return null
  return <span class="countdown">expires in {secondsText(leftMillis)}</span>
}

const statusWords: Readonly<Record<string, string>> = {
  ...{ created: 'Sent', sent_to_qps: 'Waiting for quotes', quotes_received: 'Quotes received' },
  ...{ accepted: 'Accepted', executed: 'Executed', no_quotes: 'No quotes' },
  ...{ expired: 'Expired', failed: 'Failed' },
}

function QuoteRow({ quote, live }: { readonly quote: Quote; readonly live: LiveRfq }) {
  const leftMillis = useCountdown(hereMillis(quote.expires_at, live))
  return (
    <div class="row quote">
      <span class="name">
        <b>{premiumWords(quote.net_premium)}</b>{' '}
        <small class="dim countdown">
          {leftMillis > 0 ? `expires in ${secondsText(leftMillis)}` : 'expired'}
        </small>
      </span>
      <button
        type="button"
        class="main accept"
        disabled={leftMillis === 0}
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
      heads={['Requested', 'Legs', 'Status', 'Best quote']}
      empty="No requests for quote yet."
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
