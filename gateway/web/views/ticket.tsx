import type { Signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { moneyText, priceText } from '../model/numbers.js'
import { openSize, premiumOf, steppedPrice } from '../model/order-form.js'
import { isPerp, symbolText } from '../model/symbol-text.js'
import { markSignalOf } from '../state/chain.js'
import { chosenSymbol } from '../state/choice.js'
import { attempt } from '../state/notices.js'
import {
  changed,
  focusAsked,
  isProtected,
  isReduceOnly,
  perpTif,
  price,
  route,
  side,
  size,
  tif,
} from '../state/ticket.js'
import { isSending, type Preview, preview, sendOrder, ticketFault } from '../state/trading.js'

/** An order of the chosen instrument, or a change of one, with what it would mean for the account. */
export function Ticket() {
  const symbol = chosenSymbol.value
  const form = useRef<HTMLFormElement>(null)
  const asked = focusAsked.value
  useEffect(() => {
    const name = changed.peek() === null ? 'size' : 'price'
    if (asked > 0) form.current?.querySelector<HTMLInputElement>(`input[name=${name}]`)?.select()
  }, [asked])
  const texts = { price: price.value.trim(), size: size.value.trim() }
  const fault = ticketFault()
  const ofPerp = symbol !== null && isPerp(symbol)
  const send = (event: Event) => {
    event.preventDefault()
    if (fault === null) void attempt(sendOrder)
  }
  return (
    <section class="card ticket-card" aria-label="Order ticket">
      <form ref={form} onSubmit={send}>
        <h2>{symbol === null ? 'Order' : symbolText(symbol)}</h2>
        <Change />
        <Sides />
        <label for="size">
          Size
          <TextField text={size} name="size" />
        </label>
        <label for="price">
          Price <Mark symbol={symbol} />
          <TextField text={price} name="price" onStep={stepPrice} />
        </label>
        {ofPerp ? <PerpChoices /> : <Choices />}
        <PreviewBox word={ofPerp ? 'Value' : 'Premium'} premium={premiumOf(texts)} />
        <button
          type="submit"
          class={`main ${side.value}`}
          disabled={fault !== null || isSending.value}
        >
          {isSending.value
            ? 'Sending…'
            : `${changed.value === null ? side.value : 'Change to'} ${texts.size} at ${texts.price || '–'}`}
        </button>
        {fault === null ? null : <p class="fault">{fault}</p>}
      </form>
    </section>
  )
}

/** Which order is replaced, and the way out of it. */
function Change() {
  const order = changed.value
  if (order === null) return null
  return (
    <p class="change" role="status">
      <span>
        {isPerp(order.symbol) ? 'Cancels and places anew' : 'Changes'} order {order.order_id}:{' '}
        {openSize(order)} at {order.price}
      </span>
      <button
        type="button"
        class="quiet"
        onClick={() => {
          changed.value = null
        }}
      >
        Leave it
      </button>
    </p>
  )
}

function stepPrice(steps: 1 | -1): void {
  price.value = steppedPrice(price.value.trim(), steps)
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

function Mark({ symbol }: { readonly symbol: string | null }) {
  const mark = symbol === null ? null : markSignalOf(symbol).value
  return <small class="dim">{mark === null ? '' : `mark ${priceText(mark.price)}`}</small>
}

interface TextFieldProps {
  readonly text: Signal<string>
  readonly name: string
  /** What arrows up and down do. */
  readonly onStep?: (steps: 1 | -1) => void
}

function TextField({ text, name, onStep }: TextFieldProps) {
  return (
    <input
      id={name}
      name={name}
      inputMode="decimal"
      autocomplete="off"
      value={text.value}
      onInput={({ currentTarget }) => {
        text.value = currentTarget.value
      }}
      onKeyDown={(event) => {
        const steps = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : null
        if (steps === null || onStep === undefined) return
        event.preventDefault()
        onStep(steps)
      }}
    />
  )
}

function Choices() {
  return (
    <div class="pair">
      <label for="tif">
        Until
        <Select
          value={tif}
          name="tif"
          words={{ gtc: 'canceled', ioc: 'at once, or less', fok: 'at once, all' }}
        />
      </label>
      <label for="route">
        Way
        <Select
          value={route}
          name="route"
          words={{ book_only: 'book', best_execution: 'quotes, then book' }}
          isDisabled={changed.value !== null}
        />
      </label>
      <CheckBox value={isReduceOnly} word="reduce only" />
      <CheckBox value={isProtected} word="under protection" />
    </div>
  )
}

/** Perps have no quotes of providers, and no protection. */
function PerpChoices() {
  return (
    <div class="pair">
      <label for="tif">
        Until
        <Select
          value={perpTif}
          name="tif"
          words={{ gtc: 'canceled', ioc: 'at once, or less', alo: 'canceled, never takes' }}
        />
      </label>
      <CheckBox value={isReduceOnly} word="reduce only" />
    </div>
  )
}

function CheckBox({ value, word }: { readonly value: Signal<boolean>; readonly word: string }) {
  return (
    <label class="check">
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
  readonly isDisabled?: boolean
}

function Select<Name extends string>({ value, name, words, isDisabled }: SelectProps<Name>) {
  return (
    <select
      id={name}
      name={name}
      value={value.value}
      disabled={isDisabled}
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

function PreviewBox({ word, premium }: { readonly word: string; readonly premium: number | null }) {
  const said = preview.value
  return (
    <dl class="preview" aria-live="polite">
      <dt>{word}</dt>
      <dd>{moneyText(premium)}</dd>
      <dt>Margin it adds</dt>
      <dd>{typeof said === 'object' ? moneyText(said?.incremental_im) : '–'}</dd>
      <dt>Margin then</dt>
      <dd>{typeof said === 'object' && said !== null ? moneyText(said.required) : '–'}</dd>
      <dt>Verdict</dt>
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
  return said.admissible ? 'would be taken' : (said.rejection_reason ?? 'would be rejected')
}
