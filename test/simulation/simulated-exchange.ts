import type { CoreState } from '../../engine/state/core-state.js'
import { Clients } from './clients/clients.js'
import { crashKinds, DiskWeather } from './disk/disk-weather.js'
import { VirtualDisk } from './disk/virtual-disk.js'
import { Lives } from './lives.js'
import { MatcherTurns } from './process/matcher-turns.js'
import { type LogReaderMaker, productionReader } from './published/log-events.js'
import { Random } from './run/random.js'
import type { Run } from './run/run.js'
import { DiskError, endOfLife, mustHold, SimulatedCrash } from './run/simulation-errors.js'
import { VirtualClock } from './run/virtual-clock.js'
import { type ThreadName, Threads } from './threads.js'

const eventsPerTurn = [1, 10, 100, 10_000] as const
const pausesMax = 50_000
/** Checks of a core that waits for a flush that does not return, until the process is killed. */
const stuckPausesMax = 500
const finishTurnsMax = 10_000
/** Turns that other threads take during a flush. */
const flushTurnsMax = 12
const gatewayMissesMax = 120
/** Threads that run while wallets fill up to their caps. */
const fillingThreads: readonly ThreadName[] = ['core', 'journal', 'gateways', 'market', 'history']
const crashProbability = { crash: 0.005, power: 0.009 } as const
/**
 * Maximum number of answers that a core may owe when it runs within a flush: its events then fit the log without
 * waiting.
 */
const flushRequestsMax = 24
const clockStepMillisMax = 20_000
const smallStepMillisMax = 1500
const quietMillisMax = 4_000

/** Parts that a test may replace with broken ones. */
export interface Seams {
  readonly disk?: () => VirtualDisk
  readonly reader?: LogReaderMaker
  /** Called after each batch. */
  readonly disturb?: (state: CoreState) => void
}

/** One exchange with its environment: decides which thread runs, what the clocks say, and which faults strike. */
export class SimulatedExchange {
  readonly #run: Run
  readonly #disturb: Seams['disturb']
  readonly #clock = new VirtualClock()
  readonly #disk: VirtualDisk
  readonly #clients: Clients
  readonly #random: Random
  readonly #threads: Threads
  readonly #turns: MatcherTurns
  readonly #weather: DiskWeather
  readonly #lives: Lives
  readonly #running = new Set<ThreadName>()
  /** A turn of each thread; `limit` is the number of events it reads. */
  readonly #duties: Readonly<Record<ThreadName, (limit: number) => void>> = {
    clients: () => this.#runClients(),
    core: () => this.#runCore(),
    journal: () => this.#runJournal(),
    gateways: (limit) => this.#runGateways(limit),
    market: (limit) => this.#runMarket(limit),
    history: (limit) => this.#runHistory(limit),
    snapshots: () => this.#lives.process.runSnapshots(),
  }
  #pauses = 0

  constructor(run: Run, seams: Seams) {
    this.#run = run
    this.#disturb = seams.disturb
    this.#disk = seams.disk?.() ?? new VirtualDisk()
    this.#random = new Random(run.seed, 'exchange')
    this.#threads = new Threads(run)
    this.#turns = new MatcherTurns(run)
    this.#weather = new DiskWeather(run.plan, this.#disk, () => this.#duringFlush())
    this.#clients = new Clients(run, this.#clock)
    const outside = {
      ...run,
      disk: this.#disk,
      clock: this.#clock,
      clients: this.#clients,
      turns: this.#turns,
      makeReader: seams.reader ?? productionReader,
      pause: () => this.#pause(),
    }
    this.#lives = new Lives(outside, this.#weather)
  }

  start(): void {
    const { plan } = this.#run
    const { isCapped } = this.#clients
    plan.isActive = !isCapped
    this.#lives.begin(false)
    if (isCapped) this.#fillToCaps()
    plan.isActive = true
    this.#disk.hazards = this.#weather
  }

  /** Fills wallets up to their caps before the first fault. */
  #fillToCaps(): void {
    for (let turn = 0; turn < finishTurnsMax; turn++) {
      this.#clock.pass(1)
      if (!this.#clients.fillToCaps(this.#lives.process)) return
      for (const name of fillingThreads) this.#runThread(name)
      this.#clients.dropAnswered()
    }
    mustHold(false, () => 'wallets do not reach their caps')
  }

  /** Runs one turn of one thread, after any faults before it. */
  step(): void {
    this.#run.trace.step++
    this.#pauses = 0
    this.#passTime()
    this.#guard(() => {
      this.#strike()
      if (this.#random.below(300) === 0) this.#shutDown()
      const name = this.#threads.next()
      if (name !== null) this.#runThread(name)
    })
    this.#clients.dropAnswered()
  }

  /** Runs the liveness phase, without faults: every request gets an answer. */
  finish(): void {
    const { plan, trace } = this.#run
    plan.isActive = false
    this.#disk.hazards = null
    this.#weather.clear()
    this.#threads.release()
    for (const requester of this.#lives.process.requesters) requester.turnsMissed = 0
    trace.note('no more faults')
    for (let turn = 0; !this.#isQuiet(); turn++) {
      if (turn === finishTurnsMax) {
        this.#clients.mustBeAnswered()
        mustHold(false, () => 'the exchange does not come to an end')
      }
      this.#pauses = 0
      this.#clock.pass(this.#random.below(3))
      const name = this.#threads.next()
      if (name !== null) this.#runThread(name)
      this.#clients.dropAnswered()
    }
    this.#checkEnd()
    this.#shutDown()
    this.#checkEnd()
    this.#countWhole()
  }

  #checkEnd(): void {
    const { watch, process, isMemory } = this.#lives
    watch.checkEnd(process, this.#clients, isMemory)
  }

  #countWhole(): void {
    const { statistics } = this.#run
    const { process, store } = this.#lives
    const { batchNumber, tradeCount } = process.core.state
    const { directives, triggerCount, payouts, fundings } = store
    statistics.add('batches', batchNumber)
    statistics.add('trades', tradeCount)
    statistics.add('protections triggered', triggerCount)
    statistics.add('directives carried out', directives.counts.accepted)
    statistics.add('directives rejected', directives.counts.rejected)
    statistics.add('payouts', payouts.payoutCount)
    statistics.add('expiries settled', payouts.settledCount)
    statistics.add('payouts lowered', payouts.loweredCount)
    statistics.add('funding payments', fundings.paymentCount)
    statistics.add('fundings paid', fundings.paidCount)
  }

  #passTime(): void {
    const { plan } = this.#run
    this.#clock.pass(this.#random.below(4))
    if (this.#random.below(60) === 0) this.#clock.pass(this.#random.below(quietMillisMax))
    if (plan.happens('suspend', 0.003)) {
      this.#clock.suspend(plan.random('suspend').below(clockStepMillisMax))
    }
    if (!plan.happens('clock', 0.01)) return
    const random = plan.random('clock')
    // Steps and corrections are equally frequent; the venue follows small steps.
    if (random.chance(0.4)) this.#clock.correct()
    else {
      const most = random.pick([smallStepMillisMax, clockStepMillisMax])
      this.#clock.step(random.between(-most, most))
    }
  }

  #strike(): void {
    const { plan } = this.#run
    if (plan.strikes('disk-full', 0.004)) this.#weather.fill()
    for (const kind of crashKinds) {
      if (!plan.strikes(kind, crashProbability[kind])) continue
      if (plan.random(kind).chance(0.6)) {
        this.#weather.armCrash(kind)
      } else {
        plan.count(kind)
        throw new SimulatedCrash(kind === 'power')
      }
    }
  }

  /** Runs `action`. A crash or a failing disk ends the life and starts the next; any other error is a bug. */
  #guard(action: () => void): void {
    try {
      action()
    } catch (error) {
      const end = endOfLife(error)
      this.#threads.release()
      this.#run.trace.note(end.message)
      const isPower = end instanceof DiskError ? this.#run.plan.happens('power', 0.3) : end.power
      this.#lives.begin(isPower)
    }
  }

  #runThread(name: ThreadName): void {
    if (this.#running.has(name)) return
    this.#running.add(name)
    try {
      this.#work(name)
    } finally {
      this.#running.delete(name)
    }
    this.#run.trace.add(name.charCodeAt(0) * 256 + name.charCodeAt(1))
  }

  #work(name: ThreadName): void {
    const { process } = this.#lives
    // While the core recovers it does nothing else, and has no clients yet.
    if (!process.isReady && (name === 'core' || name === 'clients' || name === 'snapshots')) return
    this.#duties[name](this.#random.pick(eventsPerTurn))
  }

  #runClients(): void {
    const { process } = this.#lives
    if (this.#run.plan.isActive) this.#clients.act(process)
    else this.#clients.finish(process)
  }

  #runJournal(): void {
    const { process, watch } = this.#lives
    if (process.hasJournal && process.journal.doWork() > 0) watch.followJournal(process)
  }

  #runGateways(limit: number): void {
    const { plan, statistics } = this.#run
    const { requesters } = this.#lives.process
    if (plan.happens('stall', 0.02)) {
      plan.random('stall').pick(requesters).turnsMissed = plan
        .random('stall')
        .below(gatewayMissesMax)
      statistics.add('stalled gateway')
    }
    for (const requester of requesters) {
      if (requester.doWork(limit) < 0) statistics.add('gateway overtaken')
    }
  }

  #runMarket(limit: number): void {
    const { process, watch } = this.#lives
    process.market.doWork(limit)
    if (process.isReady && !this.#running.has('core')) watch.checkMarket(process)
  }

  #runHistory(limit: number): void {
    const { store } = this.#lives
    store.doWork(limit)
    if (this.#random.below(4) === 0) store.flush()
  }

  #runCore(): void {
    const { process } = this.#lives
    this.#turns.begin()
    if (process.isLogFull()) this.#run.statistics.add('full event log')
    const { wallMillis, steadyMillis } = this.#clock
    const seen = { wallMillis: wallMillis(), steadyMillis: steadyMillis() }
    if (process.core.doWork(process.clock.read()) === 0) return
    this.#disturb?.(process.core.state)
    const hasCommands = process.core.decidedCount > 0
    this.#lives.watch.checkBatch(process, { ...seen, hasCommands })
  }

  /** Runs while the core waits, for readers of the event log or for a flush of the journal. */
  #pause(): void {
    this.#pauses++
    mustHold(this.#pauses < pausesMax, () => 'the core waits for its readers for ever')
    // Within the flush it could never return, so the process is killed, as an operator would.
    if (this.#running.has('journal') && this.#pauses > stuckPausesMax)
      throw new SimulatedCrash(false)
    const name = this.#threads.next()
    const isOther = name === 'journal' || name === 'market' || name === 'history'
    if (isOther || name === 'gateways') this.#runThread(name)
  }

  #duringFlush(): void {
    const { process } = this.#lives
    for (let turns = this.#random.below(flushTurnsMax); turns > 0; turns--) {
      this.#clock.pass(this.#random.below(20))
      const name = this.#threads.next()
      if (name === null || name === 'snapshots') continue
      const isBusy = name === 'core' && process.underWayCount() > flushRequestsMax
      if (!isBusy) this.#runThread(name)
    }
  }

  /** Shuts down gracefully, draining everything, and starts a new life. */
  #shutDown(): void {
    this.#lives.shutDown((name) => this.#runThread(name))
    this.#guard(() => this.#lives.begin(this.#run.plan.strikes('power', 0.3)))
  }

  #isQuiet(): boolean {
    const { process } = this.#lives
    const hasRead = process.market.log.offset() === process.log.headOffset()
    const isWritten = process.journalDepthBytes === 0
    return this.#clients.open.length === 0 && !process.core.hasCommands() && isWritten && hasRead
  }
}
