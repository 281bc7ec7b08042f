import type { Signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { moneyText, priceText } from '../model/numbers.js'
import { orderFault, premiumOf } from '../model/order-form.js'
import { symbolText } from '../model/symbol-text.js'
import { markSignalOf } from '../state/chain.js'
import { chosenSymbol } from '../state/choice.js'
import { attempt } from '../state/notices.js'
import { session } from '../state/session.js'
import { focusAsked, isReduceOnly, price, route, side, size, tif } from '../state/ticket.js'
import { isSending, type Preview, preview, sendOrder } from '../state/trading.js'

/** An order of the chosen option, with what it would mean for the account. */
export function Ticket() {
  const symbol = chosenSymbol.value
  const form = useRef<HTMLFormElement>(null)
  const asked = focusAsked.value
  useEffect(() => {
    if (asked > 0) form.current?.querySelector<HTMLInputElement>('input')?.select()
  }, [asked])
  const texts = { symbol: symbol ?? '', price: price.value.trim(), size: size.value.trim() }
  const fault = session.value === null ? 'Take a demo key or a wallet first' : orderFault(texts)
  const send = (event: Event) => {
    event.preventDefault()
    if (fault === null) void attempt(sendOrder)
  }
  return (
    <section class="card ticket-card" aria-label="Order ticket">
      <form ref={form} onSubmit={send}>
        <h2>{symbol === null ? 'Order' : symbolText(symbol)}</h2>
        <Sides />
        <label for="size">
          Size
          <TextField text={size} name="size" />
        </label>
        <label for="price">
          Price <Mark symbol={symbol} />
          <TextField text={price} name="price" />
        </label>
        <Choices />
        <PreviewBox premium={premiumOf(texts)} />
        <button
          type="submit"
          class={`main ${side.value}`}
          disabled={fault !== null || isSending.value}
        >
          {isSending.value ? 'Sending…' : `${side.value} ${texts.size} at ${texts.price || '–'}`}
        </button>
        {fault === null ? null : <p class="fault">{fault}</p>}
      </form>
    </section>
  )
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

function TextField({ text, name }: { readonly text: Signal<string>; readonly name: string }) {
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
        />
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={isReduceOnly.value}
          onChange={({ currentTarget }) => {
            isReduceOnly.value = currentTarget.checked
          }}
        />
        reduce only
      </label>
    </div>
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

function PreviewBox({ premium }: { readonly premium: number | null }) {
  const said = preview.value
  return (
    <dl class="preview" aria-live="polite">
      <dt>Premium</dt>
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
