import { signal } from '@preact/signals'
import { agentFault } from '../model/agent-form.js'
import {
  agents,
  agentText,
  approveAgent,
  loadAgents,
  revokeAgent,
  revokeAllAgents,
} from '../state/agents.js'
import { attempt } from '../state/notices.js'
import { session } from '../state/session.js'
import { Table } from './table.jsx'
import { usePeriodic } from './use-periodic.js'

const lookMillis = 5000
/** Action that waits for its confirmation. */
const asked = signal<'approve' | 'revoke-all' | null>(null)

/** Agents that may trade for the wallet, in addition to its own key. */
export function Agents() {
  usePeriodic(lookMillis, loadAgents, session.value)
  if (session.value === null) return <p class="empty">Connect a wallet to see its agents.</p>
  const loaded = agents.value
  if (loaded === null) return <p class="empty">Loading…</p>
  return (
    <div class="agents prose">
      <Table
        heads={['Agent', 'Permissions', 'Valid until', '']}
        empty="No approved agents."
        rows={[
          ...loaded.agents.map((address) => ({ key: address, cells: agentCells(address) })),
          ...loaded.api_wallets.map(({ name, address }) => ({
            key: `${name} ${address}`,
            cells: [
              <Address key="agent" address={address} name={name} />,
              'trading directives',
              'removed by a directive',
              '',
            ],
          })),
        ]}
      />
      <Approve />
      {loaded.agents.length > 1 ? <RevokeAll count={loaded.agents.length} /> : null}
    </div>
  )
}

function agentCells(address: string) {
  return [
    <Address key="agent" address={address} />,
    'everything except withdrawals and agents',
    'revoked',
    <button key="revoke" type="button" onClick={() => attempt(() => revokeAgent(address))}>
      Revoke
    </button>,
  ]
}

function Address({ address, name }: { readonly address: string; readonly name?: string }) {
  return (
    <span class="address" title={address}>
      {address} {name === undefined ? null : <bdi class="dim">{name}</bdi>}
    </span>
  )
}

function Approve() {
  const text = agentText.value.trim()
  const fault = agentFault(text, session.value?.client.wallet ?? '', agents.value?.agents ?? [])
  const ask = (event: Event) => {
    event.preventDefault()
    if (fault === null) asked.value = 'approve'
  }
  return (
    <form class="fields" onSubmit={ask} aria-label="Approve an agent">
      <label for="agent" class="wide">
        Agent address
        <input
          id="agent"
          name="agent"
          autocomplete="off"
          spellcheck={false}
          value={agentText.value}
          onInput={({ currentTarget }) => {
            agentText.value = currentTarget.value
            asked.value = null
          }}
        />
      </label>
      {asked.value === 'approve' ? (
        <Confirm
          words={
            `${text} will be able to trade with all funds of this wallet until you revoke it. It cannot withdraw funds ` +
            `or approve agents.`
          }
          act="Approve agent"
          work={approveAgent}
        />
      ) : (
        <button type="submit" class="main" disabled={fault !== null}>
          Approve agent…
        </button>
      )}
      {fault !== null && text !== '' ? <p class="fault">{fault}</p> : null}
    </form>
  )
}

function RevokeAll({ count }: { readonly count: number }) {
  if (asked.value !== 'revoke-all') {
    return (
      <p class="row-end">
        <button
          type="button"
          onClick={() => {
            asked.value = 'revoke-all'
          }}
        >
          Revoke all {count}…
        </button>
      </p>
    )
  }
  return (
    <div class="fields">
      <Confirm
        words="No agent can trade for this wallet any more. Orders that agents placed remain open."
        act="Revoke all"
        work={revokeAllAgents}
      />
    </div>
  )
}

interface ConfirmProps {
  readonly words: string
  readonly act: string
  readonly work: () => Promise<void>
}

function Confirm({ words, act, work }: ConfirmProps) {
  const close = () => {
    asked.value = null
  }
  return (
    <div class="confirm" role="alertdialog" aria-label={act}>
      <p>{words}</p>
      <button
        type="button"
        class="main"
        ref={(button) => button?.focus()}
        onClick={() => {
          close()
          void attempt(work)
        }}
      >
        {act}
      </button>
      <button type="button" onClick={close}>
        Cancel
      </button>
    </div>
  )
}
