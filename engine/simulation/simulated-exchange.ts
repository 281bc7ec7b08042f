import { JournalFailure } from '../journal/journal-errors.js'
import { Watch } from './checks/watch.js'
import { Clients } from './clients/clients.js'
import type { VirtualGateway } from './clients/virtual-gateway.js'
import { DiskWeather } from './disk/disk-weather.js'
import type { ExchangeParts } from './exchange-parts.js'
import { Lives } from './lives.js'
import { MatcherTurns } from './matcher-turns.js'
import { Random } from './random.js'
import { DiskError, mustHold, SimulatedCrash } from './simulation-errors.js'
import { type ThreadName, Threads } from './threads.js'
import { VirtualClock } from './virtual-clock.js'

const eventsPerTurn = [1, 10, 100, 10_000] as const
const pausesMax = 50_000
/** Looks of a core that waits for a journal whose flush does not return, until somebody ends it. */
const stuckPausesMax = 500
const finishTurnsMax = 50_000
/** Turns that the others take while a flush runs. */
const flushTurnsMax = 12
const gatewayMissesMax = 120
const crashes = ['crash', 'power'] as const
const crashProbability = { crash: 0.005, power: 0.009 } as const
/** Answers that a core may owe when it runs within a flush: its events fit the log without waiting. */
const flushRequestsMax = 24
const clockStepMillisMax = 20_000
const smallStepMillisMax = 1500
const quietMillisMax = 4_000
const retriesWhileFinishing = 50

/** One exchange with everybody around it: whose turn it is, what the clock says, what goes wrong. */
export class SimulatedExchange {
  readonly clock = new VirtualClock()
  readonly clients: Clients
  readonly #parts: ExchangeParts
  readonly #random: Random
  readonly #threads: Threads
  readonly #turns: MatcherTurns
  readonly #weather: DiskWeather
  readonly #watch: Watch
  readonly #lives: Lives
  readonly #running = new Set<ThreadName>()
  #step = 0
  #pauses = 0

  constructor(parts: ExchangeParts) {
    const { seed, plan, statistics, disk, trace } = parts
    this.#parts = parts
    this.#random = new Random(seed, 'exchange')
    this.#threads = new Threads(new Random(seed, 'threads'), plan, statistics)
    this.#turns = new MatcherTurns(new Random(seed, 'matchers'), plan, statistics)
    this.#weather = new DiskWeather(plan, disk, () => this.#duringFlush())
    this.clients = new Clients(new Random(seed, 'clients'), this.clock, plan, statistics)
    this.#watch = new Watch(new Random(seed, 'watch'), statistics, trace)
    this.#lives = new Lives({
      ...parts,
      clock: this.clock,
      clients: this.clients,
      watch: this.#watch,
      weather: this.#weather,
      schedule: this.#turns,
      pause: () => this.#pause(),
      step: () => this.#step,
    })
  }

  start(): void {
    this.#lives.begin(false)
  }

  /** One turn of one thread, and whatever strikes before it. */
  step(): void {
    this.#step++
    this.#pauses = 0
    this.#passTime()
    this.#guard(() => {
      this.#strike()
      if (this.#random.below(300) === 0) this.#shutDown()
      const name = this.#threads.next()
      if (name !== null) this.#run(name)
    })
    this.clients.dropAnswered()
  }

  /** The liveness phase: nothing goes wrong any more, and everybody gets an answer. */
  finish(): void {
    const { plan, trace, disk } = this.#parts
    plan.isActive = false
    disk.hazards = null
    this.#weather.clear()
    this.#threads.release()
    for (const asker of this.#lives.process.askers) asker.turnsMissed = 0
    trace.note(this.#step, 'no more faults')
    for (let turn = 0; !this.#isQuiet(); turn++) {
      if (turn === finishTurnsMax) {
        this.clients.mustBeAnswered()
        mustHold(false, () => 'the exchange does not come to an end')
      }
      this.#pauses = 0
      this.clock.pass(this.#random.below(3))
      const name = this.#threads.next()
      if (name !== null) this.#run(name)
      this.clients.dropAnswered()
    }
    this.#watch.checkEnd(this.#lives.process, this.clients, this.#lives.isMemory)
    this.#shutDown()
    this.#watch.checkEnd(this.#lives.process, this.clients, this.#lives.isMemory)
    this.#parts.statistics.add('batches', this.#lives.process.core.state.batchNumber)
    this.#parts.statistics.add('trades', this.#lives.process.core.state.tradeCount)
    const { triggerCount, payouts, fundings } = this.#lives.store
    this.#parts.statistics.add('protections triggered', triggerCount)
    this.#parts.statistics.add('payouts', payouts.payoutCount)
    this.#parts.statistics.add('expiries settled', payouts.settledCount)
    this.#parts.statistics.add('payouts lowered', payouts.loweredCount)
    this.#parts.statistics.add('funding payments', fundings.paymentCount)
    this.#parts.statistics.add('fundings paid', fundings.paidCount)
  }

  #passTime(): void {
    const { plan } = this.#parts
    this.clock.pass(this.#random.below(4))
    if (this.#random.below(60) === 0) this.clock.pass(this.#random.below(quietMillisMax))
    if (plan.strikes('suspend', 0.003)) {
      this.clock.suspend(plan.random('suspend').below(clockStepMillisMax))
      plan.count('suspend')
    }
    if (!plan.strikes('clock', 0.01)) return
    const random = plan.random('clock')
    // As often as somebody steps it, somebody sets it right; small steps are followed.
    if (random.chance(0.4)) this.clock.correct()
    else {
      const most = random.pick([smallStepMillisMax, clockStepMillisMax])
      this.clock.step(random.between(-most, most))
    }
    plan.count('clock')
  }

  #strike(): void {
    const { plan } = this.#parts
    if (plan.strikes('disk-full', 0.004)) this.#weather.fill()
    for (const kind of crashes) {
      if (!plan.strikes(kind, crashProbability[kind])) continue
      if (plan.random(kind).chance(0.6)) {
        this.#weather.armCrash(kind)
      } else {
        plan.count(kind)
        throw new SimulatedCrash(kind === 'power')
      }
    }
  }

  /** Crashes and failing disks end a life, and the next begins; anything else is a bug. */
  #guard(action: () => void): void {
    try {
      action()
    } catch (error) {
      const cause = causeOf(error)
      const isDisk = cause instanceof DiskError
      if (!isDisk && !(cause instanceof SimulatedCrash)) throw cause
      this.#threads.release()
      this.#parts.trace.note(this.#step, cause.message)
      const isPower = isDisk ? this.#parts.plan.strikes('power', 0.3) : cause.power
      if (isDisk && isPower) this.#parts.plan.count('power')
      this.#lives.begin(isPower)
    }
  }

  #run(name: ThreadName): void {
    if (this.#running.has(name)) return
    this.#running.add(name)
    try {
      this.#work(name)
    } finally {
      this.#running.delete(name)
    }
    this.#parts.trace.add(name.charCodeAt(0) * 256 + name.charCodeAt(1))
  }

  #work(name: ThreadName): void {
    const { process, store } = this.#lives
    // While the core recovers it does nothing else, and there are no clients yet.
    if (!process.isReady && (name === 'core' || name === 'clients' || name === 'snapshots')) return
    const limit = this.#random.pick(eventsPerTurn)
    switch (name) {
      case 'clients':
        if (this.#parts.plan.isActive) this.clients.act(process)
        else this.clients.retry(process, retriesWhileFinishing)
        break
      case 'core':
        this.#runCore()
        break
      case 'journal':
        if (process.hasJournal && process.journal.doWork() > 0) this.#watch.followJournal(process)
        break
      case 'gateways':
        this.#runGateways(process.askers, limit)
        break
      case 'market':
        process.market.doWork(limit)
        if (process.isReady && !this.#running.has('core')) this.#watch.checkMarket(process)
        break
      case 'history':
        store.doWork(limit)
        if (this.#random.below(4) === 0) store.flush()
        break
      case 'snapshots':
        process.runSnapshots()
        break
    }
  }

  #runGateways(askers: readonly VirtualGateway[], limit: number): void {
    const { plan, statistics } = this.#parts
    if (plan.strikes('stall', 0.02)) {
      plan.random('stall').pick(askers).turnsMissed = plan.random('stall').below(gatewayMissesMax)
      plan.count('stall')
      statistics.add('stalled gateway')
    }
    for (const asker of askers) {
      if (asker.doWork(limit) < 0) statistics.add('gateway overtaken')
    }
  }

  #runCore(): void {
    const { process } = this.#lives
    this.#turns.begin()
    if (process.isLogFull()) this.#parts.statistics.add('full event log')
    const { wallMillis, steadyMillis } = this.clock
    const seen = { wallMillis: wallMillis(), steadyMillis: steadyMillis() }
    if (process.core.doWork(process.clock.read()) === 0) return
    this.#parts.disturb(process.core.state)
    this.#watch.checkBatch(process, seen)
  }

  /** The core waits: for readers of the event log, or for the journal to flush. */
  #pause(): void {
    this.#pauses++
    mustHold(this.#pauses < pausesMax, () => 'the core waits for its readers for ever')
    // In here the flush could never return: as if somebody had lost patience with the disk.
    if (this.#running.has('journal') && this.#pauses > stuckPausesMax)
      throw new SimulatedCrash(false)
    const name = this.#threads.next()
    const isOther = name === 'journal' || name === 'market' || name === 'history'
    if (isOther || name === 'gateways') this.#run(name)
  }

  #duringFlush(): void {
    const { process } = this.#lives
    for (let turns = this.#random.below(flushTurnsMax); turns > 0; turns--) {
      this.clock.pass(this.#random.below(20))
      const name = this.#threads.next()
      if (name === null || name === 'snapshots') continue
      const isBusy = name === 'core' && process.underWayCount() > flushRequestsMax
      if (!isBusy) this.#run(name)
    }
  }

  /** A graceful end: everything flows out, and a new life begins. */
  #shutDown(): void {
    this.#lives.shutDown((name) => this.#run(name))
    this.#guard(() => this.#lives.begin(this.#parts.plan.strikes('power', 0.3)))
  }

  #isQuiet(): boolean {
    const { process } = this.#lives
    const hasRead = process.market.log.offset() === process.log.headOffset()
    const isWritten = process.journalDepthBytes === 0
    return this.clients.open.length === 0 && !process.core.hasCommands() && isWritten && hasRead
  }
}

/** What made the journal fail, when it was the journal that said so. */
function causeOf(error: unknown): unknown {
  return error instanceof JournalFailure ? error.cause : error
}
