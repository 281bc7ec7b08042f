import { CounterName, Counters } from '../../engine/memory/counters.js'
import { doorbellOf, type ExchangeMemory, flagWords } from '../../engine/memory/exchange-memory.js'
import { ClockAlarm } from '../../schemas/domain.js'
import type { ClockStanding } from './clock-log.js'
import type { BreachRow } from './invariant-log.js'
import type { PlainAnswer } from './operator-server.js'

/** One thread as health checks see it. */
export interface ThreadHealth {
  readonly role: string
  /** Age of its last heartbeat; null: it has never beaten. */
  readonly silentMillis: number | null
}

// A parked thread beats at least every 50 ms; a flush of a slow disk may hold the journal for seconds.
const silentMillisMax = 10_000

/** GET /livez: every duty's heartbeat is fresh, the clock is believed and every invariant holds; names what is not so. */
export function livezAnswer(
  threads: readonly ThreadHealth[],
  clock: ClockStanding,
  breaches: readonly BreachRow[],
): PlainAnswer {
  const silent = threads.filter(
    ({ silentMillis }) => silentMillis !== null && silentMillis > silentMillisMax,
  )
  const alarms = clock.alarm === ClockAlarm.None ? [] : [clockFailure(clock)]
  const broken = breaches.map(({ batchNumber, ...breach }) => {
    return { role: 'snapshot', alarm: 'invariant', ...breach, batch_number: batchNumber }
  })
  const failing = [...silent, ...alarms, ...broken]
  const status = failing.length === 0 ? 'ok' : 'failing'
  return jsonAnswer(failing.length === 0 ? 200 : 503, { status, failing })
}

function clockFailure({ alarm, aheadMillis }: ClockStanding): object {
  const state = alarm === ClockAlarm.Accepted ? 'accepted' : 'stepped'
  return { role: 'clock', alarm: 'clock', state, aheadMillis: Math.round(aheadMillis) }
}

/** GET /readyz: replay done, not draining, nothing failed; names what is not, and what is out of service beside it. */
export function readyzAnswer(memory: ExchangeMemory): PlainAnswer {
  const flags = new Int32Array(memory.flags)
  const counters = new Counters(memory.counters, doorbellOf.operator)
  const failing: string[] = []
  if (Atomics.load(flags, flagWords.ready) === 0) failing.push('recovery')
  if (Atomics.load(flags, flagWords.draining) !== 0) failing.push('draining')
  if (Atomics.load(flags, flagWords.failed) !== 0) failing.push('failed thread')
  const status = failing.length === 0 ? 'ready' : 'not_ready'
  const isHistoryDown = counters.read(doorbellOf.history, CounterName.HistoryDown) === 1
  // Trading does without it, so whoever routes by the status goes on.
  const degraded = isHistoryDown ? { degraded: ['history'] } : {}
  return jsonAnswer(failing.length === 0 ? 200 : 503, { status, failing, ...degraded })
}

/** An answer with a JSON body. */
export function jsonAnswer(status: number, body: object): PlainAnswer {
  return { status, contentType: 'application/json', body: JSON.stringify(body) }
}
