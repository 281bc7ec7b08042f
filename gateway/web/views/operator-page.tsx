import { useState } from 'preact/hooks'
import { reaches } from '../model/operator-actions.js'
import { changeTheme } from '../state/choice.js'
import { attempt } from '../state/notices.js'
import {
  approvals,
  identity,
  isAnswering,
  isAsking,
  looks,
  signIn,
  signOut,
} from '../state/operator.js'
import { Notices } from './notices.jsx'
import { ActionForm, Confirmation } from './operator-actions.jsx'
import { Approvals, Audit, Expiries, Halts, Names, Providers } from './operator-duties.jsx'
import { Funds, Journal, Rings, Status, Threads } from './operator-figures.jsx'
import { Liquidations } from './operator-liquidations.jsx'

/** Page for operators. */
export function OperatorPage() {
  return (
    <>
      <OperatorBar />
      {identity.value === null ? <SignIn /> : <Cards />}
      <Confirmation />
      <Notices />
    </>
  )
}

function OperatorBar() {
  const who = identity.value
  const isLive = who !== null && isAnswering.value
  return (
    <header class="top">
      <h1>Strikebook operator</h1>
      {who !== null && (
        <span class="who">
          <b>{who.identity}</b> <small class="dim">{who.scopes.join(', ')}</small>
        </span>
      )}
      {who !== null && reaches(who.scopes, 'read') && (
        <span class={`link ${isLive ? 'up' : 'down'}`} role="status">
          {isLive ? 'live' : 'disconnected'}
        </span>
      )}
      <div class="top-end">
        <button
          type="button"
          class="quiet"
          onClick={changeTheme}
          aria-label="Switch theme"
          title="Switch theme"
        >
          ◐
        </button>
        {who !== null && (
          <button type="button" onClick={signOut}>
            Sign out
          </button>
        )}
      </div>
    </header>
  )
}

function SignIn() {
  const [text, setText] = useState('')
  const submit = (event: Event) => {
    event.preventDefault()
    setText('')
    void attempt(() => signIn(text))
  }
  return (
    <form class="card sign-in" onSubmit={submit}>
      <h2>Sign in with an operator token</h2>
      <input
        name="token"
        type="password"
        autocomplete="off"
        aria-label="Token"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" class="main" disabled={isAsking.value || text === ''}>
        Sign in
      </button>
      <p class="dim">
        The token stays in this tab until you close it, and is sent only to this venue.
      </p>
    </form>
  )
}

function Cards() {
  const { scopes } = identity.value!
  const [, now] = looks.value
  if (!reaches(scopes, 'read')) {
    return (
      <main class="operator">
        <p class="card empty">This identity lacks the scope read, so the page shows no data.</p>
        <ActionForm />
      </main>
    )
  }
  if (now === null) return <p class="empty">Loading…</p>
  return (
    <main class="operator">
      {approvals.value.length > 0 && <Approvals />}
      <Status state={now.state} />
      <Halts state={now.state} />
      <ActionForm />
      <Threads looks={looks.value} />
      <Journal looks={looks.value} />
      <Rings state={now.state} />
      <Funds state={now.state} />
      <Liquidations state={now.state} />
      <Expiries state={now.state} />
      <Providers />
      <Names />
      {approvals.value.length === 0 && <Approvals />}
      <Audit />
    </main>
  )
}
