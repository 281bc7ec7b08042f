import { Core } from '../../../engine/core/core.js'
import {
  acceptLoss,
  type CoreRecovery,
  configureCore,
  endOldSessions,
  recoverCore,
} from '../../../engine/core/core-start.js'
import { EngineClock } from '../../../engine/core/engine-clock.js'
import { engineVersions } from '../../../engine/core/engine-versions.js'
import { JournalLink } from '../../../engine/core/journal-link.js'
import { publishBootstrap } from '../../../engine/core/operator/bootstrap.js'
import { type CoreRef, CoreReplica } from '../../../engine/core/replica.js'
import { JournalWriter } from '../../../engine/journal/journal-writer.js'
import type { RecoveredJournal } from '../../../engine/journal/recovery.js'
import { SnapshotStore } from '../../../engine/journal/snapshot-store.js'
import { Snapshotter } from '../../../engine/journal/snapshotter.js'
import type { Matcher } from '../../../engine/matching/matcher.js'
import { allocateEventLog, DurableGate, EventLogWriter } from '../../../engine/memory/event-log.js'
import { logReaders, recoveringLogReaders } from '../../../engine/memory/exchange-memory.js'
import { allocateRing, Ring } from '../../../engine/memory/ring.js'
import { CoreState } from '../../../engine/state/core-state.js'
import { engineVersion } from '../../../engine/state/engine-version.js'
import { EventSink } from '../../../engine/state/event-sink.js'
import type { EngineConfig } from '../../../engine/state/market/engine-config.js'
import type { Clients } from '../clients/clients.js'
import { VirtualGateway } from '../clients/virtual-gateway.js'
import type { VirtualDisk } from '../disk/virtual-disk.js'
import type { HistoryFollower } from '../published/history-follower.js'
import type { LogReaderMaker } from '../published/log-events.js'
import { MarketFollower } from '../published/market-follower.js'
import type { PublishedEvents } from '../published/published-events.js'
import { type BatchHistory, recordingSink } from '../run/batch-history.js'
import type { Run } from '../run/run.js'
import { mustHold } from '../run/simulation-errors.js'
import type { VirtualClock } from '../run/virtual-clock.js'
import type { MatcherTurns } from './matcher-turns.js'
import { clockBounds, operatorRingBytes, orderRingBytes, type ProcessPlan } from './process-plan.js'
import { linkMatchers } from './simulated-matchers.js'

const shellRingBytes = 1 << 17

/** Environment of every process of a run. */
export interface Outside extends Run {
  readonly disk: VirtualDisk
  readonly clock: VirtualClock
  readonly clients: Clients
  readonly turns: MatcherTurns
  readonly makeReader: LogReaderMaker
  /** Lets the other threads run while the core waits for them. */
  readonly pause: () => void
}

/** The environment, with what continues from one life to the next. */
export interface ProcessWorld extends Outside {
  /** Memory of the journal ring: the largest block, reused by each life. */
  readonly journalRing: SharedArrayBuffer
  readonly config: EngineConfig
  readonly history: BatchHistory
  readonly published: PublishedEvents
  readonly store: HistoryFollower
  /** True if the operator gives up what a crash took. */
  readonly acceptsLoss: boolean
}

/**
 * One life of the exchange's process: the parts that exchange.ts and the thread shells combine, with the threads' loops
 * left to the simulation. Its memory ends with the object; the disk stays.
 */
export class SimulatedProcess {
  readonly plan: ProcessPlan
  readonly core: Core
  readonly log: EventLogWriter
  readonly matchers: readonly Matcher[]
  /** Owners of a command ring: the gateways, and the operator's interface. */
  readonly requesters: readonly VirtualGateway[]
  readonly gateways: readonly VirtualGateway[]
  readonly operator: VirtualGateway
  readonly market: MarketFollower
  readonly clock: EngineClock
  readonly #world: ProcessWorld
  readonly #logMemory: SharedArrayBuffer
  readonly #journalProducer: Ring
  readonly #shell: Ring
  readonly #link: JournalLink
  /** True after the core has recovered and published the bootstrap. */
  isReady = false
  #journal: JournalWriter | null = null
  #snapshotter: Snapshotter | null = null
  #segmentsFinished = 0

  constructor(plan: ProcessPlan, world: ProcessWorld) {
    this.plan = plan
    this.#world = world
    this.#logMemory = allocateEventLog(plan.logBytes)
    const shell = allocateRing(shellRingBytes)
    this.#shell = new Ring(shell, 'producer')
    const gatewayReaders = Array.from({ length: plan.gateways }, (_, i) => logReaders.gateway(i))
    const rings = gatewayReaders.map(() => allocateRing(plan.commandRingBytes))
    rings.push(allocateRing(operatorRingBytes))
    const readerOf = (index: number) => world.makeReader(this.#logMemory, index)
    this.requesters = [...gatewayReaders, logReaders.operator].map((reader, index) => {
      const ring = new Ring(rings[index], 'producer')
      return new VirtualGateway(index, ring, readerOf(reader), world.clients)
    })
    this.gateways = this.requesters.slice(0, -1)
    this.operator = this.requesters[plan.gateways]
    const { sentRows, sentScopes } = world.clients
    const reader = readerOf(logReaders.readModel)
    this.market = new MarketFollower(reader, world.published, sentRows, sentScopes)
    world.store.attach(readerOf(logReaders.history))
    this.log = new EventLogWriter(this.#logMemory, [...recoveringLogReaders, ...gatewayReaders])
    this.#journalProducer = new Ring(world.journalRing, 'producer')
    this.#link = new JournalLink(this.#journalProducer, () => {}, plan.durability === 'memory')
    const ref: CoreRef = { core: null }
    const { links, matchers } = linkMatchers(ref, plan, world.turns)
    this.matchers = matchers
    const state = new CoreState(world.config, new EventSink(this.log), links)
    const sources = [shell, ...rings].map((ring) => new Ring(ring, 'consumer'))
    const sink = recordingSink(this.#link, world.history, () => this.#hasRoom())
    this.core = new Core(state, sources, sink, world.pause)
    ref.core = this.core
    this.clock = new EngineClock(state, this.#shell, world.clock, clockBounds)
  }

  /**
   * Recovers, publishes the bootstrap and applies the configuration, as the threads do until the exchange is ready.
   * @returns where the journal continues, and the notes of the recovery
   */
  start(onRecovered: (recovery: CoreRecovery) => void): void {
    const { core } = this
    const { disk, store, pause, config, acceptsLoss } = this.#world
    const recovery = recoverCore(core, {
      files: disk,
      versions: engineVersions,
      history: store.end,
      acceptsLoss,
      onBatch: () => {},
      pause,
    })
    onRecovered(recovery)
    if (recovery.loss !== null) core.beginAfterLoss(recovery.loss.border)
    this.#startJournal(recovery.resume)
    publishBootstrap(core.state, pause)
    this.log.holdFor(recoveringLogReaders)
    this.#startSnapshots()
    if (recovery.loss !== null) acceptLoss(core, this.#shell, recovery.loss, [])
    configureCore(core, this.#shell, config, this.clock.start())
    endOldSessions(core, this.#shell, this.clock.read())
    this.isReady = true
  }

  /** True after the journal's thread has started. */
  get hasJournal(): boolean {
    return this.#journal !== null
  }

  get journal(): JournalWriter {
    mustHold(this.#journal !== null, () => 'process: its journal has not been started')
    return this.#journal
  }

  /** Bytes that wait for the journal. */
  get journalDepthBytes(): number {
    return this.#journalProducer.depthBytes()
  }

  /** Number of answers that the core owes. */
  underWayCount(): number {
    return this.requesters.reduce((count, { underWayCount }) => count + underWayCount, 0)
  }

  /** True if slow readers leave the log no room for a batch. */
  isLogFull(): boolean {
    return this.log.freeBytes() < this.log.capacityBytes / 4
  }

  runSnapshots(): number {
    return this.#snapshotter?.doWork() ?? 0
  }

  /**
   * Writes the journal's last record, the end of a graceful shutdown.
   * @returns false without room
   */
  shutDown(): boolean {
    if (!this.#link.hasRoom()) return false
    this.#link.shutDown(this.core.state, this.core.batch)
    return true
  }

  /** Makes the journal count as full early. */
  #hasRoom(): boolean {
    const { statistics } = this.#world
    const isFree = this.journalDepthBytes <= this.plan.journalQueueBytesMax && this.#link.hasRoom()
    if (!isFree) statistics.add('full journal ring')
    return isFree
  }

  #startJournal(resume: RecoveredJournal): void {
    const { plan } = this
    this.#segmentsFinished = Math.max(0, resume.segmentNumber)
    const journal = new JournalWriter({
      files: this.#world.disk,
      ring: new Ring(this.#world.journalRing, 'consumer'),
      gate: new DurableGate(this.#logMemory),
      wakeups: [],
      durability: plan.durability,
      engineVersion,
      resume,
      segmentBytes: plan.segmentBytes,
      aheadBytes: plan.aheadBytes,
      onSegmentFinished: (segmentNumber) => {
        this.#segmentsFinished = segmentNumber + 1
      },
    })
    journal.onStart()
    this.#journal = journal
  }

  #startSnapshots(): void {
    const { disk, config, store, statistics } = this.#world
    this.#snapshotter = new Snapshotter({
      files: disk,
      store: new SnapshotStore(disk, engineVersions),
      replica: new CoreReplica(config, orderRingBytes),
      segmentsFinished: () => this.#segmentsFinished,
      batchesWritten: () => this.journal.nextBatchNumber - 1,
      historySeq: () => store.flushedSeq,
      onSnapshot: () => statistics.add('snapshots'),
    })
    this.#snapshotter.onStart()
  }
}
