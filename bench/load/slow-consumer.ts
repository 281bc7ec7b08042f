import { runLoad } from './load.js'
import { type LoadOptions, phasesAt } from './load-options.js'
import { openLoadSession } from './load-session.js'
import { MarketReader, type ReaderEnd } from './market-reader.js'

export interface SlowConsumerOptions {
  readonly load: LoadOptions
  readonly ratePerSecond: number
  /** Length of a round: longer than the venue tolerates a stalled reader. */
  readonly seconds: number
  /** Number of pairs of rounds, without and with stalled readers. */
  readonly rounds: number
  readonly stalledReaders: number
  /** Snapshots that each of them requests without reading, to be closed sooner; default none. */
  readonly asksPerSecond?: number
  /**
   * Called after each round with stalled readers, while they are still stalled. Waits until the venue has closed them.
   * Without it the round must be long enough for that.
   */
  readonly untilLetGo?: () => Promise<void>
  readonly onLine: (line: string) => void
}

export interface SlowConsumerResult {
  /** 99th percentile of the other clients with stalled readers, divided by that of the preceding round without. */
  readonly acknowledgementRatios: readonly number[]
  /** The same ratio for deliveries on the private streams. */
  readonly deliveryRatios: readonly number[]
  /** Reason for which the reader that always reads was closed; null if it was not. */
  readonly lostReader: ReaderEnd | null
  /** Close codes and reasons of the stalled readers; null for one that was not closed. */
  readonly ends: readonly (string | null)[]
  readonly isReconciled: boolean
}

interface Round {
  readonly acknowledgementMillis: number
  readonly deliveryMillis: number
}

/** Runs the same load in turns without and with stalled readers. One normal reader is always connected. */
export async function runSlowConsumers(options: SlowConsumerOptions): Promise<SlowConsumerResult> {
  const { load, ratePerSecond, seconds, rounds, stalledReaders, onLine } = options
  const session = await openLoadSession(load)
  const phases = phasesAt(ratePerSecond, seconds, load.openOrders)
  let isReconciled = true
  const round = async (): Promise<Round> => {
    const { run, report } = await runLoad(session, { ...load, phases }, onLine)
    isReconciled &&= report.isReconciled
    for (const difference of report.differences.slice(0, 5)) onLine(`difference: ${difference}`)
    const deliveryMillis = run.deliveries.percentileMillis(0.99)
    return { acknowledgementMillis: report.latency.p99, deliveryMillis }
  }
  const reader = await MarketReader.open(load.url)
  await round() // compiles the hot paths
  const pairs: (readonly [Round, Round])[] = []
  const ends: (string | null)[] = []
  for (let turn = 0; turn < rounds; turn++) {
    const without = await round()
    const stalled = await Promise.all(
      Array.from({ length: stalledReaders }, () => MarketReader.open(load.url)),
    )
    for (const one of stalled) one.stall(options.asksPerSecond)
    const withThem = await round()
    await options.untilLetGo?.()
    for (const one of stalled) {
      const end = await one.end()
      ends.push(end === null ? null : `${end.code} ${end.reason}`)
    }
    pairs.push([without, withThem])
    onLine(
      `p99 without ${without.acknowledgementMillis.toFixed(2)} ms, with ${withThem.acknowledgementMillis.toFixed(2)} ms; deliveries ${without.deliveryMillis.toFixed(2)} and ${withThem.deliveryMillis.toFixed(2)} ms`,
    )
  }
  const lostReader = await reader.end()
  return {
    lostReader,
    acknowledgementRatios: pairs.map(
      ([one, other]) => other.acknowledgementMillis / one.acknowledgementMillis,
    ),
    deliveryRatios: pairs.map(([one, other]) => other.deliveryMillis / one.deliveryMillis),
    ends,
    isReconciled,
  }
}

/**
 * Returns true if the venue closed a stalled reader as specified: with 1008 and the slow-consumer reason, or without a
 * readable close frame (1006), because the frame came after unread data.
 */
export function isSlowConsumerEnd(end: string | null): boolean {
  return end !== null && (end.startsWith('1006') || slowConsumer.test(end))
}

// A reader that requests snapshots without reading may be closed because of queued acknowledgements.
const slowConsumer =
  /^1008 \{"error":"slow_consumer","class":("ordered_public","cause":"(message_limit|byte_limit|message_age|write_timeout)","recovery":"snapshot_resubscribe"|"command_result","cause":"(message_limit|byte_limit|message_age|write_timeout)","recovery":"rest_reconcile")\}$/
