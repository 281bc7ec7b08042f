import {
  type MmpTexts,
  type MmpUse,
  mmpFault,
  mmpMeasures,
  mmpStateText,
  mmpTextsOf,
  mmpUse,
  type Protected,
} from '../model/mmp-form.js'
import { underlyings } from '../state/chain.js'
import { attempt } from '../state/notices.js'
import {
  endProtection,
  loadProtections,
  mmpTexts,
  noTexts,
  protections,
  resetProtection,
  setProtection,
} from '../state/protection.js'
import { session } from '../state/session.js'
import { Table } from './table.jsx'
import { usePeriodic } from './use-periodic.js'

const lookMillis = 1000

/** Market-maker protection: use of its limits, and the reset of a freeze. */
export function Protection() {
  usePeriodic(lookMillis, loadProtections, session.value)
  if (session.value === null)
    return <p class="empty">Connect a wallet to set market-maker protection.</p>
  const rows = protections.value
  if (rows === null) return <p class="empty">Loading…</p>
  return (
    <div class="protection">
      <Table
        heads={['Underlying', 'State', 'Window', 'Contracts', 'Delta', 'Vega', '']}
        empty="No market-maker protection is set."
        rows={rows.map((config) => ({ key: config.currency, cells: cellsOf(config) }))}
      />
      <Form />
      <p class="empty">
        Market-maker protection (MMP) adds up the fills of orders with MMP checked in the ticket. At
        a limit, the venue cancels your working MMP orders and rejects new ones until the freeze
        ends or you reset it. A freeze of 0 seconds lasts until you reset it.
      </p>
    </div>
  )
}

function cellsOf(config: Protected) {
  const { currency, frozen, interval_ms: millis } = config
  return [
    currency,
    <span key="state" class={frozen ? 'down' : 'up'}>
      {mmpStateText(config, Date.now())}
    </span>,
    `${millis / 1000} s`,
    ...mmpMeasures.map(([name, measure]) => <Use key={name} use={mmpUse(config, measure)} />),
    <span key="acts" class="acts end">
      <button type="button" onClick={() => attempt(() => resetProtection(currency))}>
        Reset
      </button>
      <button
        type="button"
        onClick={() => {
          mmpTexts.value = mmpTextsOf(config)
        }}
      >
        Edit
      </button>
      <button type="button" onClick={() => attempt(() => endProtection(currency))}>
        Remove
      </button>
    </span>,
  ]
}

function Use({ use: { text, share } }: { readonly use: MmpUse }) {
  if (share === null) return <span class="dim">{text}</span>
  return (
    <span class="use">
      {text}
      <span class="bar" style={{ width: `${(share * 100).toFixed(1)}%` }} />
    </span>
  )
}

function Form() {
  const texts = mmpTexts.value
  const fault = mmpFault(texts)
  const set = (event: Event) => {
    event.preventDefault()
    if (fault === null) void attempt(setProtection)
  }
  return (
    <form class="fields" onSubmit={set} aria-label="Set market-maker protection">
      <label for="mmp-currency">
        Underlying
        <select
          id="mmp-currency"
          name="currency"
          value={texts.currency}
          onChange={({ currentTarget }) => write({ currency: currentTarget.value })}
        >
          <option value="">Select</option>
          {underlyings.value.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Field name="interval" word="Window, seconds" />
      <Field name="frozen" word="Freeze, seconds" />
      {mmpMeasures.map(([name, , word]) => (
        <Field key={name} name={name} word={`${word} limit`} />
      ))}
      <button type="submit" class="main" disabled={fault !== null} title={fault ?? ''}>
        Set protection
      </button>
      {fault !== null && texts !== noTexts ? <p class="fault">{fault}</p> : null}
    </form>
  )
}

function Field({ name, word }: { readonly name: keyof MmpTexts; readonly word: string }) {
  return (
    <label for={`mmp-${name}`}>
      {word}
      <input
        id={`mmp-${name}`}
        name={name}
        inputMode="decimal"
        autocomplete="off"
        value={mmpTexts.value[name]}
        onInput={({ currentTarget }) => write({ [name]: currentTarget.value.trim() })}
      />
    </label>
  )
}

function write(texts: Partial<MmpTexts>): void {
  mmpTexts.value = { ...mmpTexts.value, ...texts }
}
