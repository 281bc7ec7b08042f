import type { CoreRecovery } from '../core/core-start.js'
import { JournalFailure } from '../journal/journal-errors.js'
import type { Durability } from '../journal/journal-writer.js'
import { ringRecordsAt } from '../memory/layout.js'
import { allocateRing } from '../memory/ring.js'
import type { EngineConfig } from '../state/engine-config.js'
import { BatchHistory } from './batch-history.js'
import { HistoryFollower } from './checks/history-follower.js'
import { ToldEvents } from './checks/told-events.js'
import type { Watch } from './checks/watch.js'
import type { Clients } from './clients/clients.js'
import { pickConfig } from './clients/market-plan.js'
import { damageKinds } from './disk/damage.js'
import { tryDamage } from './disk/damage-trial.js'
import type { DiskWeather } from './disk/disk-weather.js'
import { cutPower } from './disk/power-cut.js'
import type { VirtualDisk } from './disk/virtual-disk.js'
import type { ExchangeParts } from './exchange-parts.js'
import { drawProcessPlan, journalRingBytes } from './process-plan.js'
import { Random } from './random.js'
import type { MatcherSchedule } from './simulated-matchers.js'
import { SimulatedProcess } from './simulated-process.js'
import { DiskError, mustHold, SimulatedCrash } from './simulation-errors.js'
import type { ThreadName } from './threads.js'
import type { VirtualClock } from './virtual-clock.js'

export interface LivesParts extends ExchangeParts {
  readonly clock: VirtualClock
  readonly clients: Clients
  readonly watch: Watch
  readonly weather: DiskWeather
  readonly schedule: MatcherSchedule
  readonly pause: () => void
  readonly step: () => number
}

const startsMax = 40
/** Of the kinds of damage, each is tried before so many starts. */
const damageProbability = 0.3
const crashes = ['crash', 'power'] as const
/** That a start meets a crash of its own. */
const crashProbability = 0.04
const drainTurnsMax = 20_000

/** The lives of one exchange: how each begins after the end of the one before. */
export class Lives {
  readonly history = new BatchHistory()
  readonly store: HistoryFollower
  /** Without a flush before every answer: a crash may take answers back. */
  readonly isMemory: boolean
  readonly #parts: LivesParts
  readonly #random: Random
  readonly #told: ToldEvents
  readonly #config: EngineConfig
  readonly #durability: Durability
  readonly #journalRing = allocateRing(journalRingBytes)
  #process: SimulatedProcess | null = null
  #batchNumber = 0

  constructor(parts: LivesParts) {
    this.#parts = parts
    this.#random = new Random(parts.seed, 'lives')
    this.#told = new ToldEvents(parts.trace)
    this.store = new HistoryFollower(this.#told)
    this.#durability = this.#random.below(4) === 0 ? 'memory' : 'flush'
    this.isMemory = this.#durability === 'memory'
    this.#config = pickConfig(this.#random)
    parts.watch.begin(this.history, this.#config, this.#random.between(1, 3))
  }

  get process(): SimulatedProcess {
    mustHold(this.#process !== null, () => 'no process has been started')
    return this.#process
  }

  /** Starts a process, again and again while faults keep it from starting. */
  begin(afterPowerCut: boolean): void {
    const { disk, plan, weather, statistics, trace, step } = this.#parts
    for (const asker of this.#process?.askers ?? []) asker.forgetRequests()
    let isPower = afterPowerCut
    for (let start = 0; ; start++) {
      mustHold(start < startsMax, () => 'the exchange does not start any more')
      if (isPower) cutPower(disk, plan)
      // Somebody looks at the disk before long.
      if (this.#random.below(3) > 0 || start > 3) weather.clear()
      for (const kind of crashes) {
        if (plan.strikes(kind, crashProbability)) weather.armCrash(kind)
      }
      const before = this.#wantsDamage() ? disk.copy() : null
      const historySeq = this.store.flushedSeq
      try {
        this.#start()
        statistics.add('starts')
        if (before !== null) this.#damage(before, historySeq)
        return
      } catch (error) {
        const cause = error instanceof JournalFailure ? error.cause : error
        const isDisk = cause instanceof DiskError
        if (!isDisk && !(cause instanceof SimulatedCrash)) throw cause
        trace.note(step(), `while starting: ${cause.message}`)
        statistics.add('starts that failed')
        isPower = !isDisk && cause.power
      }
    }
  }

  /** Everything that is queued flows out; then the journal is closed. */
  shutDown(run: (name: ThreadName) => void): void {
    const { process } = this
    const { statistics, trace, step } = this.#parts
    trace.note(step(), 'graceful end')
    const turn = () => {
      for (const name of ['core', 'journal', 'market', 'history'] as const) run(name)
    }
    let turns = 0
    const mustEnd = () => mustHold(++turns < drainTurnsMax, () => 'a graceful end does not end')
    for (; process.core.hasCommands(); mustEnd()) turn()
    for (; !process.shutDown(); mustEnd()) turn()
    for (; !process.journal.isShutDown; mustEnd()) turn()
    if (this.#random.below(2) === 0) run('gateways')
    while (this.#random.below(6) > 0 && process.runSnapshots() > 0) statistics.add('last snapshots')
    statistics.add('graceful ends')
  }

  #start(): void {
    const parts = this.#parts
    const { plan, statistics, disk, clients } = parts
    new Uint8Array(this.#journalRing).fill(0, 0, ringRecordsAt)
    disk.hazards = plan.isActive ? parts.weather : null
    const hasSmallRings = plan.strikes('ring', 0.5)
    if (hasSmallRings) plan.count('ring')
    const layout = drawProcessPlan(this.#random, this.#durability, hasSmallRings)
    const process = new SimulatedProcess(layout, {
      disk,
      clock: parts.clock,
      config: this.#config,
      journalRing: this.#journalRing,
      history: this.history,
      told: this.#told,
      store: this.store,
      makeReader: parts.makeReader,
      schedule: parts.schedule,
      pause: parts.pause,
      onAnswer: (action, outcome) => clients.take(action, outcome),
      onFullJournal: () => statistics.add('full journal ring'),
      onSnapshot: () => statistics.add('snapshots'),
      acceptsLoss: this.isMemory,
    })
    this.#process = process
    parts.clock.isAlarmed = () => process.core.state.clockAlarm
    parts.clock.now = () => Math.max(process.core.state.nowMillis, process.clock.now)
    process.start((recovery) => this.#recovered(process, recovery))
    parts.watch.checkBatch(process, null)
  }

  #recovered(process: SimulatedProcess, { resume, notes, loss }: CoreRecovery): void {
    const { trace, watch, clients, statistics, step } = this.#parts
    const { batchNumber } = process.core.state
    trace.note(step(), `recovered to batch ${batchNumber}, sequence ${resume.seqAfter}`)
    for (const note of notes) trace.note(step(), note)
    if (resume.cutBytes > 0) statistics.add('tails cut')
    if (resume.batchCount > 0) statistics.add('batches replayed', resume.batchCount)
    if (this.isMemory) {
      const lostFrom = loss?.seq ?? resume.seqAfter
      // What nobody but clients had seen may come again; what the history store had has a number for good.
      this.#told.forgetAfter(resume.seqAfter)
      this.store.goBack(lostFrom)
      clients.acknowledgements.forgetAfter(lostFrom)
    }
    if (loss !== null) {
      this.store.pass(loss.border)
      statistics.add('losses accepted')
    }
    const isWhole = loss !== null || resume.nextBatchNumber === batchNumber + 1
    mustHold(isWhole, () => `recovered batch ${batchNumber}, not ${resume.nextBatchNumber - 1}`)
    watch.checkRecovery(process, this.#told.seqMax, clients.acknowledgements, this.isMemory)
    this.history.truncate(batchNumber)
    this.#batchNumber = batchNumber
  }

  #wantsDamage(): boolean {
    const { plan } = this.#parts
    return damageKinds.some((kind) => plan.has(kind))
  }

  #damage(before: VirtualDisk, historySeq: number): void {
    const { plan, statistics, trace, step } = this.#parts
    for (const kind of damageKinds) {
      if (!plan.strikes(kind, damageProbability)) continue
      const what = tryDamage(before, kind, plan.random(kind), {
        config: this.#config,
        history: this.history,
        historySeq,
        isMemory: this.isMemory,
        lastBatch: this.#batchNumber,
        statistics,
      })
      if (what === null) continue
      plan.count(kind)
      trace.note(step(), what)
    }
  }
}
