import { fixed } from '../model/numbers.js'
import { percentile } from '../model/percentile.js'
import { latestWhy, type Trip, trips } from '../state/latency.js'
import { Table } from './table.jsx'

const kinds: Readonly<Record<Trip['kind'], string>> = {
  ...{ read: 'Read', order: 'Order', cancel: 'Cancel' },
}
/** Stages of GET /orders/why in order. */
const stages = [
  ['socket_micros', 'Read and hash'],
  ['recovery_micros', 'Recover signer'],
  ['ring_micros', 'Wait for the core'],
  ['batch_micros', 'Decide'],
  ['match_micros', 'Match and publish'],
  ['flush_micros', 'Flush to disk'],
  ['pump_micros', 'Answer'],
] as const

/** Latency from this browser, and the stage times of the latest order. */
export function Latency() {
  return (
    <div class="latency">
      <Table
        heads={['Round trip from this browser, ms', 'Count', 'Latest', 'Median', '99th percentile']}
        empty=""
        rows={Object.entries(kinds).map(([kind, words]) => {
          const millis = trips.value.filter((trip) => trip.kind === kind).map((trip) => trip.millis)
          return {
            key: kind,
            cells: [
              words,
              millis.length,
              fixed(millis.at(-1), 1),
              fixed(percentile(millis, 0.5), 1),
              fixed(percentile(millis, 0.99), 1),
            ],
          }
        })}
      />
      <Stages />
    </div>
  )
}

function Stages() {
  const why = latestWhy.value
  if (why === null)
    return <p class="empty">Place an order to see the time it spends in each stage of the venue.</p>
  const total = why.stages.total_micros
  return (
    <>
      <h3>
        Order {why.order_id} <small class="dim">{why.status}, time inside the venue</small>
      </h3>
      <ol class="stages">
        {stages.map(([name, words]) => (
          <Stage key={name} words={words} micros={why.stages[name]} total={total} />
        ))}
        <Stage words="Total" micros={total} total={total} />
      </ol>
    </>
  )
}

interface StageProps {
  readonly words: string
  readonly micros: number | null
  readonly total: number | null
}

function Stage({ words, micros, total }: StageProps) {
  const share = micros === null || total === null || total === 0 ? 0 : micros / total
  return (
    <li>
      <span>{words}</span>
      <span class="bar" style={{ width: `${(share * 100).toFixed(1)}%` }} />
      <span class="right">{micros === null ? 'not measured' : `${fixed(micros, 0)} µs`}</span>
    </li>
  )
}
