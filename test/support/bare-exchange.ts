import { setTimeout as sleep } from 'node:timers/promises'
import { checkRecoverable } from '../../engine/core/core-start.js'
import { engineVersions } from '../../engine/core/engine-versions.js'
import { type Exchange, startExchange } from '../../engine/exchange.js'
import { historyEndAt } from '../../engine/journal/journal-loss.js'
import { NodeFiles } from '../../engine/journal/node-files.js'
import { CounterName, Counters } from '../../engine/memory/counters.js'
import { EventLogReader } from '../../engine/memory/event-log.js'
import { logReaders, wakeupOf } from '../../engine/memory/exchange-memory.js'
import { Ring } from '../../engine/memory/ring.js'
import { Wakeup } from '../../engine/memory/wakeup.js'
import { engineConfigDefault } from '../../engine/state/market/engine-config.js'
import { EventType, OutcomeEvent } from '../../schemas/generated/events.js'
import type { LogFollowerData } from './log-follower.js'

const outcome = new OutcomeEvent()
const sleepMillisMax = 10
/** Longer than a busy machine keeps a thread from its core. */
const calmChecks = 3
const calmCheckMillis = 20

export interface BareExchangeOptions {
  /** Folder of segments and snapshots. */
  readonly directory: string
  readonly matchers: number
  readonly segmentBytes: number
  /** Sequence that the history store claims to have. Recovery uses no snapshot ahead of it. */
  readonly historySeq?: number
  readonly acceptsLoss?: boolean
  /** Interval of the invariant checks; without it, none run. */
  readonly invariantMillis?: number
  readonly identity?: string
}

/**
 * Engine threads wired as in production, without gateways. The test sends commands as the operator, and two threads
 * follow the event log like the read model and the history writer.
 */
export class BareExchange {
  /** Notes of the recovery about the journal. */
  readonly notes: string[] = []
  readonly failures: string[] = []
  /** Producer end of the operator's command ring. */
  readonly commands: Ring
  /** Order named by the latest acknowledgement. */
  orderId = 0
  readonly #exchange: Exchange
  readonly #counters: Counters
  readonly #events: EventLogReader
  readonly #bell: Wakeup
  readonly #coreBell: Wakeup

  static async start(options: BareExchangeOptions): Promise<BareExchange> {
    const notes: string[] = []
    const failures: string[] = []
    const { historySeq = 0 } = options
    const follower = (reader: number, wakeup: number) => ({
      url: new URL('./log-follower.js', import.meta.url),
      data: (memory: Exchange['memory']): LogFollowerData => ({
        memory,
        reader,
        wakeup,
      }),
    })
    const { directory, identity = '', acceptsLoss = false } = options
    const files = new NodeFiles(directory)
    checkRecoverable({ files, versions: engineVersions, identity, acceptsLoss })
    const exchange = await startExchange({
      gateways: 0,
      matchers: options.matchers,
      virtualTime: null,
      historyEnd: historyEndAt(historySeq),
      options: {
        engine: engineConfigDefault,
        clock: { stepMillisMax: 2000, downtimeMillisMax: 259_200_000 },
        journalDirectory: directory,
        identity,
        acceptsLoss,
        durability: 'flush',
        idle: 'park',
        segmentBytes: options.segmentBytes,
        snapshots: { batches: 0, millis: 0, archivedMax: 0 },
        slowFlushMillis: 60_000,
        takesMemory: false,
        invariantMillis: options.invariantMillis ?? 0,
        pinning: {},
      },
      readModel: follower(logReaders.readModel, wakeupOf.readModel),
      history: follower(logReaders.history, wakeupOf.history),
      gateway: follower(-1, -1),
      onNote: (text) => notes.push(text),
      onSlowFlush: () => {},
      onBreach: ({ breach }) => notes.push(`breach: ${breach.text}`),
      onStopped: ({ wallets }) => notes.push(`stopped: ${wallets.join(' ')}`),
      onClock: ({ alarm }) => notes.push(`clock alarm ${alarm}`),
      onFailure: (role, error) => failures.push(`${role}: ${error.message}`),
    })
    exchange.open()
    return new BareExchange(exchange, notes, failures)
  }

  private constructor(exchange: Exchange, notes: string[], failures: string[]) {
    const { memory } = exchange
    this.#exchange = exchange
    this.notes = notes
    this.failures = failures
    this.commands = new Ring(memory.commandRings.at(-1)!, 'producer')
    this.#counters = new Counters(memory.counters, wakeupOf.operator)
    this.#events = new EventLogReader(memory.eventLog, logReaders.operator)
    this.#events.skipToDurable()
    this.#bell = new Wakeup(memory.wakeups, wakeupOf.operator)
    this.#coreBell = new Wakeup(memory.wakeups, wakeupOf.core)
  }

  /** Sends the records written to `commands`. */
  send(): void {
    this.commands.commit()
    this.#coreBell.ring()
  }

  /** Waits for `count` acknowledgements of requests. The acknowledgement of the start's configuration does not count. */
  async answered(count: number): Promise<void> {
    for (let seen = 0; seen < count; ) {
      const at = this.#events.next()
      if (at < 0) {
        this.#events.release()
        this.#bell.arm()
        if (this.#events.hasNext()) this.#bell.disarm()
        else await this.#bell.waitAsync(sleepMillisMax)
        continue
      }
      const { recordType, request, facts } = outcome.over(this.#events, at)
      if (recordType !== EventType.Outcome || request === 0) continue
      if (facts.orderId > 0) this.orderId = facts.orderId
      seen++
    }
  }

  /** Waits until the core has nothing more to do by itself: re-marks take batch after batch. */
  async calm(): Promise<void> {
    for (let checks = 0, seen = this.batchNumber(); checks < calmChecks; checks++) {
      await sleep(calmCheckMillis)
      if (this.batchNumber() === seen) continue
      seen = this.batchNumber()
      checks = -1
    }
  }

  /** Returns the state hash from the core's counters. */
  hash(): { low: number; high: number } {
    const read = (name: CounterName) => this.#counters.read(wakeupOf.core, name)
    return { low: read(CounterName.StateHashLow), high: read(CounterName.StateHashHigh) }
  }

  batchNumber(): number {
    return this.#counters.read(wakeupOf.core, CounterName.BatchNumber)
  }

  drain(): void {
    this.#exchange.drain()
  }

  stop(): Promise<void> {
    return this.#exchange.stop()
  }
}
