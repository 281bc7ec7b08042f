import { type ExchangeMemory, flagWords } from '../../engine/memory/exchange-memory.js'
import { ClockAlarm } from '../../schemas/domain.js'
import { degradedOf } from '../../schemas/interface/health-status.js'
import type { Liveness, Readiness, StoppedWallet } from '../../schemas/interface/operator.js'
import type { VenueHealth } from '../read-model/views/venue-health.js'
import type { ClockStanding } from './clock-log.js'
import { type BreachRow, breachText } from './invariant-log.js'
import type { PlainAnswer } from './operator-server.js'

type Failure = Liveness['failing'][number]

/** Health of one thread. */
export interface ThreadHealth {
  readonly role: string
  /** Age of its last heartbeat; null if there has been none. */
  readonly silentMillis: number | null
}

// A parked thread sends a heartbeat at least every 50 ms; a flush of a slow disk may block the journal for seconds.
const silentMillisMax = 10_000

/** Returns the threads whose last heartbeat is too old. */
export function silentThreads(threads: readonly ThreadHealth[]): readonly ThreadHealth[] {
  return threads.filter(
    ({ silentMillis }) => silentMillis !== null && silentMillis > silentMillisMax,
  )
}

/**
 * Answers GET /livez. 503 means a thread without a fresh heartbeat, a clock in alarm, or a breach that halts the market.
 * Stopped wallets leave it at 200: a supervisor that restarts on 503 must not end trading for all because of one wallet.
 */
export function livezAnswer(
  threads: readonly ThreadHealth[],
  clock: ClockStanding,
  breaches: readonly BreachRow[],
): PlainAnswer {
  const silent = silentThreads(threads)
  const alarms = clock.alarm === ClockAlarm.None ? [] : [clockFailure(clock)]
  const ofMarket = breaches.filter(({ wallet }) => wallet === undefined)
  const broken = ofMarket.map((breach): Failure => {
    return { role: 'snapshot', alarm: 'invariant', ...breachText(breach) }
  })
  const failing = [...silent, ...alarms, ...broken]
  const status = failing.length === 0 ? 'ok' : 'failing'
  const stopped = breaches.flatMap((breach): StoppedWallet[] => {
    const { wallet } = breach
    return wallet === undefined ? [] : [{ ...breachText(breach), wallet }]
  })
  const wallets = stopped.length === 0 ? {} : { stopped_wallets: stopped }
  const body: Liveness = { status, failing, ...wallets }
  return jsonAnswer(failing.length === 0 ? 200 : 503, body)
}

function clockFailure({ alarm, aheadMillis }: ClockStanding): Failure {
  const state = alarm === ClockAlarm.Accepted ? 'accepted' : 'stepped'
  return { role: 'clock', alarm: 'clock', state, aheadMillis: Math.round(aheadMillis) }
}

/**
 * Answers GET /readyz: 503 before recovery has ended, while the venue drains, and after a thread has failed. A degraded
 * venue accepts orders and cancels, so it answers 200 and a load balancer keeps routing to it.
 */
export function readyzAnswer({ flags: words }: ExchangeMemory, health: VenueHealth): PlainAnswer {
  const flags = new Int32Array(words)
  const failing: string[] = []
  if (Atomics.load(flags, flagWords.ready) === 0) failing.push('recovery')
  if (Atomics.load(flags, flagWords.draining) !== 0) failing.push('draining')
  if (Atomics.load(flags, flagWords.failed) !== 0) failing.push('failed thread')
  if (failing.length > 0) return jsonAnswer<Readiness>(503, { status: 'not_ready', failing })
  const reasons = health.reasons()
  const status = reasons.length > 0 ? 'degraded' : 'ready'
  return jsonAnswer<Readiness>(200, { status, ...degradedOf(reasons), failing })
}

/** Returns an answer with a JSON body. */
export function jsonAnswer<Json extends object>(status: number, body: Json): PlainAnswer {
  return { status, contentType: 'application/json', body: JSON.stringify(body) }
}
