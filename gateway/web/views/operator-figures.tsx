import type { ComponentChildren } from 'preact'
import { fixed, moneyText, percentText, unknown } from '../model/numbers.js'
import type { Look, VenueState } from '../state/operator.js'
import { Table } from './table.jsx'

interface OfState {
  readonly state: VenueState
}
interface OfLooks {
  readonly looks: readonly [Look | null, Look | null]
}

const kibibyte = 1024

/** Card with a heading. */
export function Card({
  title,
  isWide = false,
  children,
}: {
  readonly title: string
  readonly isWide?: boolean
  readonly children?: ComponentChildren
}) {
  return (
    <section class={isWide ? 'card wide' : 'card'} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

export function Facts({
  rows,
}: {
  readonly rows: readonly (readonly [string, ComponentChildren])[]
}) {
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export function Status({ state }: OfState) {
  const { clock, invariants, history, seq } = state
  const status = state.draining ? 'draining' : state.ready ? 'ready' : 'not ready'
  return (
    <Card title="Status">
      <Facts
        rows={[
          ['Venue', <span class={state.ready ? 'up' : 'alarm'}>{status}</span>],
          ['Sequence', fixed(seq, 0)],
          ['History lag', `${fixed(Math.max(0, seq - history.seq), 0)} events`],
          ['State hash', state.state_hash],
          ['Clock', clock.alarm ? <span class="alarm">stepped</span> : 'in sync'],
          ['Machine clock ahead', `${fixed(clock.ahead_ms, 0)} ms`],
          ['Invariant checks', fixed(invariants.looks, 0)],
          ['Last checked batch', fixed(invariants.batch_number, 0)],
        ]}
      />
      {invariants.breaches.map(({ invariant, text }) => (
        <p class="empty alarm" key={invariant}>
          {invariant}: {text}
        </p>
      ))}
      {invariants.breaches.length === 0 && <p class="empty">All invariants hold.</p>}
    </Card>
  )
}

export function Threads({ looks: [before, now] }: OfLooks) {
  const threads = now?.state.threads ?? []
  // Compares heartbeats with each other, because the browser's clock may differ from the venue's.
  const latest = Math.max(...threads.map(({ heartbeat_ms }) => heartbeat_ms))
  const earlier = new Map(before?.state.threads.map((row) => [row.role, row.processor_seconds]))
  const seconds = ((now?.millis ?? 0) - (before?.millis ?? 0)) / 1000
  return (
    <Card title="Threads">
      <Table
        heads={['Thread', 'Thread ID', 'CPU', 'Silent for']}
        empty="No heartbeat yet."
        rows={threads.map(({ role, thread_id, heartbeat_ms, processor_seconds }) => {
          const ran = (processor_seconds ?? Number.NaN) - (earlier.get(role) ?? Number.NaN)
          return {
            key: role,
            cells: [
              role,
              thread_id,
              percentText(ran / seconds),
              `${fixed((latest - heartbeat_ms) / 1000, 1)} s`,
            ],
          }
        })}
      />
    </Card>
  )
}

export function Journal({ looks: [before, now] }: OfLooks) {
  if (now === null) return null
  const { journal, batch_number } = now.state
  const earlier = before?.state.journal
  const flushes = journal.flushes - (earlier?.flushes ?? Number.NaN)
  const millis = journal.flush_ms - (earlier?.flush_ms ?? 0)
  const seconds = (now.millis - (before?.millis ?? 0)) / 1000
  const inAll = journal.flush_ms / journal.flushes
  return (
    <Card title="Journal">
      <Facts
        rows={[
          ['Last durable batch', fixed(journal.batch_number, 0)],
          ['Lag', `${fixed(Math.max(0, batch_number - journal.batch_number), 0)} batches`],
          ['Written', `${fixed(journal.bytes / kibibyte / kibibyte, 1)} MiB`],
          ['Last snapshot, batch', fixed(journal.snapshot_batch_number, 0)],
          ['Flushes per second', fixed(flushes / seconds, 1)],
          ['Flush time, current', flushes > 0 ? `${fixed(millis / flushes, 2)} ms` : unknown],
          ['Flush time, mean', `${fixed(inAll, 2)} ms`],
          ['Flush time, max', `${fixed(journal.flush_ms_max, 1)} ms`],
        ]}
      />
    </Card>
  )
}

export function Rings({ state: { rings } }: OfState) {
  return (
    <Card title="Rings">
      <Table
        heads={['Ring', 'Unread bytes']}
        empty="No rings."
        rows={Object.entries(rings).map(([name, bytes]) => ({
          key: name,
          cells: [name, fixed(bytes, 0)],
        }))}
      />
    </Card>
  )
}

const fundWords: Readonly<Record<string, string>> = {
  fees: 'Fees',
  insurance: 'Insurance fund',
  dust: 'Rounding remainders',
  clearing: 'Clearing',
  in_transit: 'Pending withdrawals',
  insurance_deposits: 'Insurance deposits',
}

export function Funds({ state: { venue } }: OfState) {
  return (
    <Card title="Funds, USD">
      <Facts
        rows={Object.entries(venue?.funds ?? {}).map(([name, amount]) => [
          fundWords[name] ?? name,
          <span class={Number(amount) < 0 ? 'down' : ''}>{moneyText(amount)}</span>,
        ])}
      />
      {venue === null && <p class="empty">The read model is still loading.</p>}
    </Card>
  )
}
