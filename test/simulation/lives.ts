import type { CoreRecovery } from '../../engine/core/core-start.js'
import { ringRecordsAt } from '../../engine/memory/layout.js'
import { allocateRing } from '../../engine/memory/ring.js'
import type { EngineConfig } from '../../engine/state/market/engine-config.js'
import { Watch } from './checks/watch.js'
import { pickConfig } from './clients/market-plan.js'
import { damageKinds } from './disk/damage.js'
import { tryDamage } from './disk/damage-trial.js'
import { crashKinds, type DiskWeather } from './disk/disk-weather.js'
import { cutPower } from './disk/power-cut.js'
import type { VirtualDisk } from './disk/virtual-disk.js'
import { drawProcessPlan, journalRingBytes } from './process/process-plan.js'
import { type Outside, SimulatedProcess } from './process/simulated-process.js'
import { HistoryFollower } from './published/history-follower.js'
import { PublishedEvents } from './published/published-events.js'
import { BatchHistory } from './run/batch-history.js'
import { Random } from './run/random.js'
import { endOfLife, mustHold, SimulatedCrash } from './run/simulation-errors.js'
import type { ThreadName } from './threads.js'

const startsMax = 40
/** Probability that a kind of damage is tried before a start. */
const damageProbability = 0.3
/** Probability that a start is interrupted by a crash. */
const crashProbability = 0.04
const drainTurnsMax = 20_000

/** Successive lives of one exchange: starts each after the previous one has ended. */
export class Lives {
  readonly history = new BatchHistory()
  readonly store: HistoryFollower
  readonly watch: Watch
  /** True if answers go out without a flush before them, so that a crash may take answers back. */
  readonly isMemory: boolean
  readonly #outside: Outside
  readonly #weather: DiskWeather
  readonly #random: Random
  readonly #published: PublishedEvents
  readonly #config: EngineConfig
  readonly #journalRing = allocateRing(journalRingBytes)
  #process: SimulatedProcess | null = null
  #batchNumber = 0

  constructor(outside: Outside, weather: DiskWeather) {
    this.#outside = outside
    this.#weather = weather
    this.#random = new Random(outside.seed, 'lives')
    this.#published = new PublishedEvents(outside.trace)
    this.store = new HistoryFollower(this.#published)
    this.isMemory = this.#random.below(4) === 0
    this.#config = pickConfig(this.#random)
    const standbyMatchers = this.#random.between(1, 3)
    this.watch = new Watch(outside, this.history, this.#config, standbyMatchers)
  }

  get process(): SimulatedProcess {
    mustHold(this.#process !== null, () => 'no process has been started')
    return this.#process
  }

  /** Starts a process, and retries while faults keep it from starting. */
  begin(afterPowerCut: boolean): void {
    const { disk, plan, statistics, trace } = this.#outside
    for (const requester of this.#process?.requesters ?? []) requester.forgetRequests()
    let isPower = afterPowerCut
    for (let start = 0; ; start++) {
      mustHold(start < startsMax, () => 'the exchange does not start any more')
      if (isPower) cutPower(disk, plan)
      // An operator soon makes room on a full disk.
      if (this.#random.below(3) > 0 || start > 3) this.#weather.clear()
      for (const kind of crashKinds) {
        if (plan.strikes(kind, crashProbability)) this.#weather.armCrash(kind)
      }
      const wantsDamage = damageKinds.some((kind) => plan.has(kind))
      const before = wantsDamage ? disk.copy() : null
      const historySeq = this.store.flushedSeq
      try {
        this.#start()
        statistics.add('starts')
        if (before !== null) this.#damage(before, historySeq)
        return
      } catch (error) {
        const end = endOfLife(error)
        trace.note(`while starting: ${end.message}`)
        statistics.add('starts that failed')
        isPower = end instanceof SimulatedCrash && end.power
      }
    }
  }

  /** Drains everything that is queued, then closes the journal. */
  shutDown(run: (name: ThreadName) => void): void {
    const { process } = this
    const { statistics, trace } = this.#outside
    trace.note('graceful end')
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
    const { plan, disk, clock } = this.#outside
    new Uint8Array(this.#journalRing).fill(0, 0, ringRecordsAt)
    disk.hazards = plan.isActive ? this.#weather : null
    const hasSmallRings = plan.happens('ring', 0.5)
    const layout = drawProcessPlan(this.#random, this.isMemory, hasSmallRings)
    const process = new SimulatedProcess(layout, {
      ...this.#outside,
      config: this.#config,
      journalRing: this.#journalRing,
      history: this.history,
      published: this.#published,
      store: this.store,
      acceptsLoss: this.isMemory,
    })
    this.#process = process
    clock.isAlarmed = () => process.core.state.clockAlarm
    clock.now = () => Math.max(process.core.state.nowMillis, process.clock.now)
    process.start((recovery) => this.#recovered(process, recovery))
    this.watch.checkBatch(process, null)
  }

  #recovered(process: SimulatedProcess, { resume, notes, loss }: CoreRecovery): void {
    const { trace, statistics, clients } = this.#outside
    const { acknowledgements } = clients
    const { batchNumber } = process.core.state
    trace.note(`recovered to batch ${batchNumber}, sequence ${resume.seqAfter}`)
    for (const note of notes) trace.note(note)
    if (resume.cutBytes > 0) statistics.add('tails cut')
    if (resume.batchCount > 0) statistics.add('batches replayed', resume.batchCount)
    if (this.isMemory) {
      const lostFrom = loss?.seq ?? resume.seqAfter
      // Events that only clients had seen may reappear with other contents. The history store's sequences are final.
      this.#published.forgetAfter(resume.seqAfter)
      this.store.goBack(lostFrom)
      acknowledgements.forgetAfter(lostFrom)
    }
    if (loss !== null) {
      this.store.pass(loss.border)
      statistics.add('losses accepted')
    }
    const isWhole = loss !== null || resume.nextBatchNumber === batchNumber + 1
    mustHold(isWhole, () => `recovered batch ${batchNumber}, not ${resume.nextBatchNumber - 1}`)
    this.watch.checkRecovery(process, this.#published.seqMax, acknowledgements, this.isMemory)
    this.history.truncate(batchNumber)
    this.#batchNumber = batchNumber
  }

  #damage(before: VirtualDisk, historySeq: number): void {
    const { plan, statistics, trace } = this.#outside
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
      trace.note(what)
    }
  }
}
