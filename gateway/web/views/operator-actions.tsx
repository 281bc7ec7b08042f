import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import {
  type ActionField,
  type ActionName,
  bodyOf,
  type OperatorAction,
  operatorActions,
  reaches,
} from '../model/operator-actions.js'
import { attempt, tell } from '../state/notices.js'
import { identity, perform, proposal } from '../state/operator.js'
import { Card } from './operator-figures.jsx'

/** Action and values of the form. */
export const draft = signal<{
  readonly name: ActionName | ''
  readonly values: Readonly<Record<string, string>>
}>({ name: '', values: {} })

/** Form for every action within the scopes of the identity. */
export function ActionForm() {
  const { name, values } = draft.value
  const scopes = identity.value?.scopes ?? []
  const reached = (Object.entries(operatorActions) as [ActionName, OperatorAction][]).filter(
    ([, { scope }]) => reaches(scopes, scope),
  )
  const action = reached.find(([other]) => other === name)?.[1]
  const submit = (event: Event) => {
    event.preventDefault()
    if (action === undefined) return
    const body = bodyOf(action, values)
    if ('missing' in body) tell(`${body.missing} is missing or not a number`, 'bad')
    else proposal.value = { action, body }
  }
  return (
    <Card title="Actions">
      {reached.length === 0 && <p class="empty">This identity has read-only access.</p>}
      {reached.length > 0 && (
        <form class="action-form" onSubmit={submit}>
          <select
            aria-label="Action"
            name="action"
            value={name}
            onChange={(event) => {
              const chosen = event.currentTarget.value as ActionName
              const row: OperatorAction = operatorActions[chosen]
              draft.value = { name: chosen, values: firstValues(row) }
            }}
          >
            <option value="">Select an action</option>
            {reached.map(([key, { word }]) => (
              <option key={key} value={key}>
                {word}
              </option>
            ))}
          </select>
          {action?.fields.map((field) => (
            <Field key={field.name} field={field} value={values[field.name] ?? ''} />
          ))}
          {action !== undefined && (
            <button type="submit" class="main">
              {action.word}…
            </button>
          )}
        </form>
      )}
    </Card>
  )
}

function Field({ field, value }: { readonly field: ActionField; readonly value: string }) {
  const { name, label, choices } = field
  const set = (text: string) => {
    draft.value = { ...draft.value, values: { ...draft.value.values, [name]: text } }
  }
  return (
    <label for={`field-${name}`}>
      {label}
      {choices === undefined ? (
        <input
          id={`field-${name}`}
          name={name}
          autocomplete="off"
          value={value}
          onInput={(event) => set(event.currentTarget.value)}
        />
      ) : (
        <select
          id={`field-${name}`}
          name={name}
          value={value}
          onChange={(event) => set(event.currentTarget.value)}
        >
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      )}
    </label>
  )
}

/** Returns the initial values: choices start with their first value, which the form shows. */
function firstValues(action: OperatorAction | undefined): Readonly<Record<string, string>> {
  const chosen = (action?.fields ?? []).flatMap(({ name, choices }) =>
    choices === undefined ? [] : [[name, choices[0]!] as const],
  )
  return Object.fromEntries(chosen)
}

/** Dialog that shows the exact request, and sends it once confirmed. */
export function Confirmation() {
  const dialog = useRef<HTMLDialogElement>(null)
  const asked = proposal.value
  useEffect(() => {
    if (asked !== null) dialog.current?.showModal()
  }, [asked])
  if (asked === null) return null
  const close = () => {
    proposal.value = null
  }
  const confirm = async () => {
    close()
    if (await attempt(() => perform(asked))) draft.value = { name: '', values: {} }
  }
  const { action, body, about = {} } = asked
  return (
    <dialog ref={dialog} onClose={close} aria-label={action.word}>
      <h2>{action.word}?</h2>
      <dl>
        <dt>Identity</dt>
        <dd>{identity.value?.identity}</dd>
        {Object.entries({ ...about, ...body }).map(([name, value]) => [
          <dt key={`${name} name`}>{name}</dt>,
          <dd key={name}>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>,
        ])}
      </dl>
      <p class="dim">{action.effect} The audit log records this action.</p>
      <div class="buttons">
        <button type="button" onClick={close}>
          Cancel
        </button>
        <button type="button" class="main" onClick={() => void confirm()}>
          Confirm
        </button>
      </div>
    </dialog>
  )
}
