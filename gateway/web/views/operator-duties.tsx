import { fixed } from '../model/numbers.js'
import {
  haltModes,
  type OperatorAction,
  operatorActions,
  reaches,
} from '../model/operator-actions.js'
import {
  approvals,
  audit,
  identity,
  names,
  type Proposal,
  proposal,
  providers,
  type VenueState,
} from '../state/operator.js'
import { draft } from './operator-actions.jsx'
import { Card } from './operator-figures.jsx'
import { Table } from './table.jsx'

/** Texts of the trading modes. */
const modeWords = { open: 'Open', cancel_only: 'Cancel only', halted: 'Halt' } as const

interface OfState {
  readonly state: VenueState
}

/** Buttons of one action, each with a confirmation; none if the identity lacks the scope. */
function Proposals({
  action,
  choices,
  about,
}: {
  readonly action: OperatorAction
  readonly about?: Proposal['about']
  readonly choices: readonly (readonly [word: string, body: Proposal['body']])[]
}) {
  if (!reaches(identity.value?.scopes ?? [], action.scope)) return null
  return (
    <div class="buttons">
      {choices.map(([word, body]) => (
        <button
          type="button"
          key={word}
          onClick={() => {
            proposal.value = { action, body, ...(about === undefined ? {} : { about }) }
          }}
        >
          {word}
        </button>
      ))}
    </div>
  )
}

export function Halts({ state: { halts, invariants } }: OfState) {
  const stopped = invariants.breaches.flatMap(({ wallet }) => wallet ?? [])
  return (
    <Card title="Trading halts">
      <Table
        heads={['Underlying', 'Mode', '']}
        empty="No underlyings are listed."
        rows={(halts ?? []).map(({ underlying, mode }) => ({
          key: underlying,
          cells: [
            underlying,
            <span class={mode === 'open' ? 'up' : 'alarm'}>{mode.replace('_', ' ')}</span>,
            <Proposals
              action={operatorActions.halt}
              choices={haltModes
                .filter((other) => other !== mode)
                .map((other) => [modeWords[other], { underlying, mode: other }])}
            />,
          ],
        }))}
      />
      <Proposals
        action={operatorActions.haltAll}
        choices={haltModes.map((mode) => [`All: ${modeWords[mode]}`, { scope: 'all', mode }])}
      />
      <Proposals
        action={operatorActions.resumeWallet}
        choices={stopped.map((wallet) => [`Resume ${wallet}`, { wallet, mode: 'open' }])}
      />
    </Card>
  )
}

export function Expiries({ state: { venue } }: OfState) {
  const { count = 0, expiries = [] } = venue?.expiries_pending ?? {}
  const canSettle = reaches(identity.value?.scopes ?? [], operatorActions.settle.scope)
  return (
    <Card title={`Expiries awaiting a settlement price: ${count}`}>
      <Table
        heads={['Underlying', 'Expiry', '']}
        empty="No expiries are pending."
        rows={expiries.map(({ underlying, expiry }) => ({
          key: `${underlying} ${expiry}`,
          cells: [
            underlying,
            new Date(expiry * 1000).toISOString().replace('.000', ''),
            canSettle && (
              <button
                type="button"
                onClick={() => {
                  draft.value = { name: 'settle', values: { underlying, expiry: String(expiry) } }
                }}
              >
                Set price…
              </button>
            ),
          ],
        }))}
      />
    </Card>
  )
}

export function Providers() {
  return (
    <Card title="Quote providers">
      <Table
        heads={['Wallet', 'Status', 'Sessions', '']}
        empty="No quote providers are registered."
        rows={providers.value.map(({ wallet, status, sessions }) => {
          const other = status === 'active' ? 'suspended' : 'active'
          return {
            key: wallet,
            cells: [
              <span title={wallet}>{shortOf(wallet)}</span>,
              <span class={status === 'active' ? 'up' : 'down'}>{status}</span>,
              fixed(sessions, 0),
              <Proposals
                action={operatorActions.provider}
                choices={[[other === 'active' ? 'Activate' : 'Suspend', { wallet, status: other }]]}
              />,
            ],
          }
        })}
      />
    </Card>
  )
}

export function Names() {
  return (
    <Card title="Usernames awaiting approval">
      <Table
        heads={['Wallet', 'Requested', 'Current', '']}
        empty="No pending usernames."
        rows={names.value.map(({ wallet, requested_username: username, username: has }) => ({
          key: wallet,
          cells: [
            <span title={wallet}>{shortOf(wallet)}</span>,
            <b>
              <bdi>{username}</bdi>
            </b>,
            has ?? '',
            <Proposals
              action={operatorActions.username}
              choices={[
                ['Approve', { wallet, username, verdict: 'approved' }],
                ['Reject', { wallet, username, verdict: 'rejected' }],
              ]}
            />,
          ],
        }))}
      />
    </Card>
  )
}

/** Requests that need approval. The requester can withdraw one; another identity decides it. */
export function Approvals() {
  const me = identity.value?.identity
  return (
    <Card title="Requests awaiting a second approval" isWide={approvals.value.length > 0}>
      <Table
        heads={['Requested by', 'Decision', 'Request', 'Expires, UTC']}
        empty="No pending requests."
        rows={approvals.value.map(({ approval_id, path, body, requested_by, expires_ts_ms }) => {
          const reject = [
            requested_by === me ? 'Withdraw' : 'Reject',
            { approval_id, verdict: 'rejected' },
          ] as const
          const approve = ['Approve', { approval_id, verdict: 'approved' }] as const
          return {
            key: approval_id,
            cells: [
              requested_by,
              <Proposals
                action={operatorActions.approve}
                about={{ 'requested by': requested_by, request: path, content: body }}
                choices={requested_by === me ? [reject] : [approve, reject]}
              />,
              <Done path={path} body={body} />,
              timeOf(expires_ts_ms),
            ],
          }
        })}
      />
    </Card>
  )
}

export function Audit() {
  return (
    <Card title="Audit log" isWide>
      <div class="audit-list">
        <Table
          heads={['Time, UTC', 'Identity', 'Result', 'Request', 'Sequence']}
          empty="No actions yet."
          rows={audit.value.map(
            ({ id, time_ms, identity: who, outcome, path, body, code, seq }) => ({
              key: id,
              cells: [
                timeOf(time_ms),
                who ?? 'unknown token',
                <span class={outcome === 'done' ? 'up' : outcome === 'refused' ? 'down' : ''}>
                  {code === null ? outcome : `${outcome}: ${code}`}
                </span>,
                <Done path={path} body={body} />,
                seq ?? '',
              ],
            }),
          )}
        />
      </div>
    </Card>
  )
}

/** Path and body of a request. */
function Done({ path, body }: { readonly path: string; readonly body: unknown }) {
  const text = body === null ? '' : JSON.stringify(body)
  return (
    <span title={text}>
      {path.replace('/operator/', '')} <bdi class="body dim">{text}</bdi>
    </span>
  )
}

function shortOf(wallet: string): string {
  return `${wallet.slice(0, 8)}…${wallet.slice(-6)}`
}

function timeOf(millis: number): string {
  return new Date(millis).toISOString().slice(5, 19).replace('T', ' ')
}
