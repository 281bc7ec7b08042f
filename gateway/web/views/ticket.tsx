import type { Signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { moneyText, priceText } from '../model/numbers.js'
import { executionText, openSize, premiumOf, steppedPrice } from '../model/order-form.js'
import { isPerp, symbolText } from '../model/symbol-text.js'
import { legOf } from '../state/chain.js'
import { chosenSymbol } from '../state/choice.js'
import { attempt } from '../state/notices.js'
import {
  changed,
  focusAsked,
  isFollowing,
  isProtected,
  isReduceOnly,
  perpTif,
  price,
  reachable,
  route,
  side,
  size,
  tif,
  writePrice,
} from '../state/ticket.js'
import {
  isSending,
  type Preview,
  preview,
  sendOrder,
  ticketFault,
  ticketGap,
} from '../state/trading.js'

/** Form for a new order of the chosen instrument, or a change of one, with its effect on the account. */
export function Ticket() {
  const symbol = chosenSymbol.value
  const form = useRef<HTMLFormElement>(null)
  const asked = focusAsked.value
  useEffect(() => {
    const name = changed.peek() === null ? 'size' : 'price'
    if (asked > 0) form.current?.querySelector<HTMLInputElement>(`input[name=${name}]`)?.select()
  }, [asked])
  const texts = { price: price.value.trim(), size: size.value.trim() }
  const [gap, fault] = [ticketGap(), ticketFault()]
  const isReady = gap === null && fault === null
  const ofPerp = symbol !== null && isPerp(symbol)
  const send = (event: Event) => {
    event.preventDefault()
    if (isReady) void attempt(sendOrder)
  }
  return (
    <section class="card ticket-card" aria-label="Order ticket">
      <form ref={form} onSubmit={send}>
        <h2>{symbol === null ? 'Order' : symbolText(symbol)}</h2>
        <Change />
        <Sides />
        <div class="pair">
          <label for="size">
            <span>Size</span>
            <TextField text={size} name="size" onText={writeSize} />
          </label>
          <label for="price">
            <span>Price {isFollowing.value ? <Followed /> : <Mark symbol={symbol} />}</span>
            <TextField text={price} name="price" onText={writePrice} onStep={stepPrice} />
          </label>
        </div>
        {ofPerp ? <PerpChoices /> : <Choices />}
        <PreviewBox
          word={ofPerp ? 'Notional value' : 'Premium'}
          premium={premiumOf(texts)}
          execution={executionText(
            { side: side.value, price: texts.price, tif: (ofPerp ? perpTif : tif).value },
            reachable(),
          )}
        />
        <button type="submit" class={`main ${side.value}`} disabled={!isReady || isSending.value}>
          {isSending.value
            ? 'Sending…'
            : (gap ??
              `${changed.value === null ? side.value : 'Change to'} ${texts.size} at ${texts.price}`)}
        </button>
        {fault === null ? null : <p class="fault">{fault}</p>}
      </form>
    </section>
  )
}

/** Order that the ticket changes, with a button that ends the change. */
function Change() {
  const order = changed.value
  if (order === null) return null
  return (
    <p class="change" role="status">
      <span>
        {isPerp(order.symbol) ? 'Cancel and replace' : 'Change'} order {order.order_id}:{' '}
        {openSize(order)} at {order.price}
      </span>
      <button
        type="button"
        class="quiet"
        onClick={() => {
          changed.value = null
        }}
      >
        Cancel change
      </button>
    </p>
  )
}

function writeSize(text: string): void {
  size.value = text
}

function stepPrice(steps: 1 | -1): void {
  writePrice(steppedPrice(price.value.trim(), steps))
}

function Sides() {
  return (
    <div class="sides" role="radiogroup" aria-label="Side">
      {(['Buy', 'Sell'] as const).map((name) => (
        // biome-ignore lint/a11y/useSemanticElements: two buttons side by side that look like what they do
        <button
          type="button"
          role="radio"
          key={name}
          class={name}
          aria-checked={side.value === name}
          disabled={changed.value !== null}
          onClick={() => {
            side.value = name
          }}
        >
          {name}
        </button>
      ))}
    </div>
  )
}

/** Shows that the price follows the market. */
function Followed() {
  const quote = side.value === 'Buy' ? 'best ask' : 'best bid'
  return (
    <small class="own" title={`The price follows the ${quote} until you enter another one`}>
      {quote}, live
    </small>
  )
}

function Mark({ symbol }: { readonly symbol: string | null }) {
  const usd = symbol === null ? null : (legOf(symbol).value?.mark_price_usd ?? null)
  return <small class="dim">{usd === null ? '' : `mark ${priceText(usd)}`}</small>
}

interface TextFieldProps {
  readonly text: Signal<string>
  readonly name: string
  readonly onText: (text: string) => void
  /** Called for the up and down arrow keys. */
  readonly onStep?: (steps: 1 | -1) => void
}

function TextField({ text, name, onText, onStep }: TextFieldProps) {
  return (
    <input
      id={name}
      name={name}
      inputMode="decimal"
      autocomplete="off"
      value={text.value}
      onInput={({ currentTarget }) => onText(currentTarget.value)}
      onKeyDown={(event) => {
        const steps = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : null
        if (steps === null || onStep === undefined) return
        event.preventDefault()
        onStep(steps)
      }}
    />
  )
}

const routeWords = { best_execution: 'Best execution', book_only: 'Order book only' } as const

function Choices() {
  return (
    <div class="pair">
      <label for="tif">
        Time in force
        <Select value={tif} name="tif" words={{ gtc: 'GTC', ioc: 'IOC', fok: 'FOK' }} />
      </label>
      <label for="route">
        Route
        {changed.value === null ? (
          <Select value={route} name="route" words={routeWords} />
        ) : (
          <select id="route" disabled title="A replaced order trades on the order book only">
            <option>{routeWords.book_only}</option>
          </select>
        )}
      </label>
      <CheckBox value={isReduceOnly} word="Reduce only" />
      <CheckBox
        value={isProtected}
        word="MMP"
        title="Market-maker protection counts the fills of this order"
      />
    </div>
  )
}

/** Perps trade on the book only, without market-maker protection. */
function PerpChoices() {
  return (
    <div class="pair">
      <label for="tif">
        Time in force
        <Select
          value={perpTif}
          name="tif"
          words={{ gtc: 'GTC', ioc: 'IOC', alo: 'GTC, post only' }}
        />
      </label>
      <CheckBox value={isReduceOnly} word="Reduce only" />
    </div>
  )
}

interface CheckBoxProps {
  readonly value: Signal<boolean>
  readonly word: string
  readonly title?: string
}

function CheckBox({ value, word, title }: CheckBoxProps) {
  return (
    <label class="check" title={title}>
      <input
        type="checkbox"
        checked={value.value}
        onChange={({ currentTarget }) => {
          value.value = currentTarget.checked
        }}
      />
      {word}
    </label>
  )
}

interface SelectProps<Name extends string> {
  readonly value: Signal<Name>
  readonly name: string
  readonly words: Readonly<Record<Name, string>>
}

function Select<Name extends string>({ value, name, words }: SelectProps<Name>) {
  return (
    <select
      id={name}
      name={name}
      value={value.value}
      onChange={({ currentTarget }) => {
        value.value = currentTarget.value as Name
      }}
    >
      {Object.entries<string>(words).map(([each, word]) => (
        <option key={each} value={each}>
          {word}
        </option>
      ))}
    </select>
  )
}

interface PreviewBoxProps {
  readonly word: string
  readonly premium: number | null
  readonly execution: string | null
}

function PreviewBox({ word, premium, execution }: PreviewBoxProps) {
  const said = preview.value
  return (
    <dl class="preview" aria-live="polite">
      <dt>{word}</dt>
      <dd>{moneyText(premium)}</dd>
      <dt>Execution</dt>
      <dd class="execution">{execution ?? '–'}</dd>
      <dt>Initial margin added</dt>
      <dd>{typeof said === 'object' ? moneyText(said?.incremental_im) : '–'}</dd>
      <dt>Initial margin after</dt>
      <dd>{typeof said === 'object' && said !== null ? moneyText(said.required) : '–'}</dd>
      <dt>Pre-trade check</dt>
      <dd class={`verdict ${toneOf(said)}`}>{verdictOf(said)}</dd>
    </dl>
  )
}

function toneOf(said: Preview | string | null): string {
  if (said === null) return ''
  return typeof said === 'object' && said.admissible ? 'up' : 'down'
}

function verdictOf(said: Preview | string | null): string {
  if (said === null) return '–'
  if (typeof said === 'string') return said
  return said.admissible ? 'would be accepted' : (said.rejection_reason ?? 'would be rejected')
}
