import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { AcceptedLoss } from './core/core-start.js'
import type { SlowFlush } from './journal/flush-watch.js'
import type { HistoryEnd, LostNonce } from './journal/journal-loss.js'
import type { RecoveredJournal } from './journal/recovery.js'
import { Doorbell } from './memory/doorbell.js'
import {
  allocateExchangeMemory,
  doorbellOf,
  type ExchangeMemory,
  flagWords,
  touchExchangeMemory,
} from './memory/exchange-memory.js'
import { errorOf } from './threads/error-of.js'
import type {
  BreachMessage,
  ClockMessage,
  EngineMessage,
  EngineOptions,
  EngineThreadData,
  LossMessage,
  StoppedMessage,
} from './threads/thread-data.js'
import { type EndedThread, endOfThread } from './threads/thread-end.js'

/** A thread that the engine does not know: where its code is, and what it is told at its start. */
export interface ThreadEntry {
  readonly url: URL
  readonly data: (memory: ExchangeMemory, index: number) => unknown
  /** Hears what the thread posts, from its start on. */
  readonly onMessage?: (message: unknown) => void
}

/** Batches that a start replayed, and the time that it took. */
export interface RecoveryFacts {
  readonly lastBatch: number
  readonly replayedBatches: number
  readonly millis: number
}

/** What an exchange is made of. */
export interface ExchangePlan {
  readonly gateways: number
  /** Matcher threads; 0: the core runs the one matcher itself. */
  readonly matchers: number
  readonly options: EngineOptions
  /** Of `allocateVirtualTime`; null: time is that of the machine. */
  readonly virtualTime: SharedArrayBuffer | null
  /** What the history store has. */
  readonly historyEnd: HistoryEnd
  readonly readModel: ThreadEntry
  readonly history: ThreadEntry
  readonly gateway: ThreadEntry
  /**
   * A loss was accepted: the history store has to go back, before the core goes on.
   * @returns the nonces that it knows to have been used in what is lost.
   */
  readonly onLoss?: (loss: AcceptedLoss) => readonly LostNonce[]
  /** Receives the number of batches that the core replayed after its snapshot, and the time that it took. */
  readonly onRecovered?: (facts: RecoveryFacts) => void
  /** Something worth a line in the log: a cut tail, a snapshot passed over. */
  readonly onNote: (text: string) => void
  /** The clock was stepped, or can be followed again. */
  readonly onClock: (message: ClockMessage) => void
  /** Something does not hold that must: the market is halted until the operator opens it. */
  readonly onBreach: (message: BreachMessage) => void
  /** At the start if there are any, and at each change. */
  readonly onStopped: (message: StoppedMessage) => void
  /** A group of the journal took long to be durable. */
  readonly onSlowFlush: (slow: SlowFlush) => void
  /** A thread ended that should not have: the exchange has stopped and must be started again. */
  readonly onFailure: (role: string, error: Error) => void
}

/**
 * Young generation of the threads whose garbage dies at once, in megabytes: a third of it is filled between
 * two collections. V8 would let each have 48, which a thread that starts up is quick to take and never gives
 * back. Gateways keep that: what they make lives as long as a request.
 */
const youngMegabytes: Readonly<Record<string, number>> = {
  core: 12,
  journal: 6,
  snapshot: 6,
  history: 6,
  'read-model': 24,
}

/** Threads that open the history store. */
const storeRoles = ['history', 'read-model']
/** How long an end that is not graceful waits for them. */
const storesEndMillisMax = 3000
/** How long it waits before, for the core to close its batch and the journal to flush it. */
const flushMillisMax = 2000

/** A running exchange. */
export interface Exchange {
  readonly memory: ExchangeMemory
  /** Gateway threads in order; their messages are between them and whoever started the exchange. */
  readonly gateways: readonly Worker[]
  /** From here on commands are taken. */
  open(): void
  /** From here on nothing new is taken, and threads may end: to be called before the gateways are stopped. */
  drain(): void
  /**
   * Ends everything in the order in which things flow: the gateways have been stopped by the caller; the core
   * takes what waits and closes the journal, the journal flushes, the followers catch up. When one that others wait
   * for has failed, or fails meanwhile, the rest is ended as by a crash: what was acknowledged is on disk.
   */
  stop(): Promise<void>
  /** Flushes the journal where that is still possible, then ends the threads with a store; takes at most 5 seconds. */
  abandon(): Promise<void>
}

/**
 * Builds the whole exchange. Nothing else allocates shared memory or starts a thread of it.
 * @throws Error when a thread fails at its start, for example by refusing a damaged journal.
 */
export async function startExchange(plan: ExchangePlan): Promise<Exchange> {
  const { gateways, matchers, virtualTime } = plan
  const memory = allocateExchangeMemory(gateways, matchers, virtualTime) // 1. rings, event log, doorbells
  if (plan.options.takesMemory) touchExchangeMemory(memory)
  const crew = new Crew(plan, memory)
  try {
    return await assemble(plan, memory, crew)
  } catch (error) {
    await crew.endStores()
    await crew.dismiss()
    throw error
  }
}

async function assemble(plan: ExchangePlan, memory: ExchangeMemory, crew: Crew): Promise<Exchange> {
  const readModel = crew.hire('read-model', plan.readModel, 0) // 2. followers of the event log, before it flows
  const history = crew.hire('history', plan.history, 0)
  report(history, plan)
  const gateways = indexes(plan.gateways).map((i) => crew.hire(`gateway-${i}`, plan.gateway, i))
  const matchers = await crew.hireMatchers() // 3. each owns the books of its underlyings
  const begunMillis = performance.now()
  const core = crew.hireEngine('core', 'core-thread.js', 0, null) // 4. recovers, then tells everybody everything
  report(core, plan)
  const coreStarted = crew.awaitMessage(core, 'started')
  coreStarted.catch(() => {}) // a core that fails is reported by what is awaited first
  const { resume, notes, loss } = await crew.awaitMessage(core, 'recovered')
  plan.onRecovered?.({
    lastBatch: resume.nextBatchNumber - 1,
    replayedBatches: resume.batchCount,
    millis: Math.round(performance.now() - begunMillis),
  })
  for (const note of notes) plan.onNote(note)
  if (loss !== null) {
    const lostNonces: LossMessage = plan.onLoss?.(loss) ?? []
    core.postMessage(lostNonces)
    crew.raise(flagWords.historyWentBack)
  }
  const journal = crew.hireEngine('journal', 'journal-thread.js', 0, resume) // 5. goes on where recovery ended
  report(journal, plan)
  await crew.awaitMessage(journal, 'started')
  const snapshot = crew.hireEngine('snapshot', 'snapshot-thread.js', 0, null) // 6. proves replay in the background
  report(snapshot, plan)
  await coreStarted
  return {
    memory,
    gateways,
    open: () => crew.raise(flagWords.ready),
    drain: () => {
      crew.expectEnd()
      crew.raise(flagWords.draining)
    },
    stop: async () => {
      crew.expectEnd()
      crew.raise(flagWords.stopCore)
      const inOrder = async () => {
        await Promise.all([core, journal].map((worker) => crew.ended(worker)))
        crew.raise(flagWords.stopOthers)
        await Promise.all([readModel, history, snapshot].map((worker) => crew.ended(worker)))
      }
      // These wait for each other: where one has failed there is no order left, only what is on disk.
      const chain = [core, journal, readModel, history, ...matchers]
      await Promise.race([inOrder(), ...chain.map((worker) => crew.failed(worker))])
      await crew.endStores()
      await crew.dismiss()
    },
    abandon: async () => {
      await crew.flush(core, journal)
      await crew.endStores()
    },
  }
}

/** Hands to the plan what a thread of the engine reports, other than its start. */
function report(worker: Worker, plan: ExchangePlan): void {
  worker.on('message', (message: EngineMessage) => {
    if (message.type === 'note') plan.onNote(message.text)
    else if (message.type === 'clock') plan.onClock(message)
    else if (message.type === 'stopped') plan.onStopped(message)
    else if (message.type === 'slow-flush') plan.onSlowFlush(message.slow)
    else if (message.type === 'breach') plan.onBreach(message)
  })
}

/** The threads of one exchange, and what is known of their ends. */
class Crew {
  readonly #plan: ExchangePlan
  readonly #memory: ExchangeMemory
  readonly #workers: Worker[] = []
  readonly #stores: Worker[] = []
  readonly #ends = new Map<Worker, Promise<void>>()
  readonly #failures = new Map<Worker, Promise<void>>()
  readonly #starts = new Map<Worker, Omit<EndedThread, 'exitCode'>>()
  #isEndExpected = false

  constructor(plan: ExchangePlan, memory: ExchangeMemory) {
    this.#plan = plan
    this.#memory = memory
  }

  hire(role: string, entry: ThreadEntry, index: number): Worker {
    const worker = this.#start(role, entry.url, entry.data(this.#memory, index))
    if (entry.onMessage !== undefined) worker.on('message', entry.onMessage)
    return worker
  }

  hireEngine(role: string, file: string, index: number, resume: RecoveredJournal | null): Worker {
    const { options, historyEnd: history } = this.#plan
    const data: EngineThreadData = { memory: this.#memory, options, index, history, resume }
    return this.#start(role, new URL(`./threads/${file}`, import.meta.url), data)
  }

  async hireMatchers(): Promise<readonly Worker[]> {
    const matchers = indexes(this.#plan.matchers).map((i) =>
      this.hireEngine(`matcher-${i}`, 'matcher-thread.js', i, null),
    )
    await Promise.all(matchers.map((worker) => this.awaitMessage(worker, 'started')))
    return matchers
  }

  /** The thread's next message of this type. @throws what the thread threw, when it ends before. */
  awaitMessage<T extends EngineMessage['type']>(
    worker: Worker,
    type: T,
  ): Promise<Extract<EngineMessage, { type: T }>> {
    return new Promise((resolve, reject) => {
      worker.on('message', (message: EngineMessage) => {
        if (message.type === type) resolve(message as Extract<EngineMessage, { type: T }>)
      })
      worker.once('error', reject)
      worker.once('exit', (code) => reject(new Error(this.#endOf(worker, code))))
    })
  }

  /** Sets a flag and wakes every thread to see it. */
  raise(word: number): void {
    Atomics.store(new Int32Array(this.#memory.flags), word, 1)
    const { gateways, matchers, doorbells } = this.#memory
    const threads = doorbellOf.matcher({ gateways }, matchers)
    for (const index of indexes(threads)) new Doorbell(doorbells, index).ring()
  }

  /** Once the exchange drains, gateways end one by one, and that is as it should be. */
  #isEnding(): boolean {
    const flags = new Int32Array(this.#memory.flags)
    return this.#isEndExpected || Atomics.load(flags, flagWords.draining) === 1
  }

  ended(worker: Worker): Promise<void> {
    return this.#ends.get(worker) ?? Promise.resolve()
  }

  /** Comes true when the thread has thrown; never, when it ends as it should. */
  failed(worker: Worker): Promise<void> {
    return this.#failures.get(worker) ?? Promise.resolve()
  }

  expectEnd(): void {
    this.#isEndExpected = true
  }

  /** Has the core close its batch and the journal flush it, unless one of them has failed or takes too long. */
  async flush(core: Worker, journal: Worker): Promise<void> {
    this.expectEnd()
    this.raise(flagWords.stopCore)
    const pair = [core, journal]
    const flushed = Promise.all(pair.map((worker) => this.ended(worker)))
    const failed = pair.map((worker) => this.failed(worker))
    await Promise.race([flushed, ...failed, sleep(flushMillisMax, undefined, { ref: false })])
  }

  /** Lets threads with a store go: one that is ended inside of its native code aborts the whole process. */
  async endStores(): Promise<void> {
    this.expectEnd()
    this.raise(flagWords.stopOthers)
    const ended = Promise.all(this.#stores.map((worker) => this.ended(worker)))
    await Promise.race([ended, sleep(storesEndMillisMax, undefined, { ref: false })])
  }

  /** Ends whatever is left: threads that hold nothing durable. */
  async dismiss(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()))
  }

  #start(role: string, url: URL, workerData: unknown): Worker {
    const maxYoungGenerationSizeMb = youngMegabytes[role]
    const resourceLimits =
      maxYoungGenerationSizeMb === undefined ? {} : { maxYoungGenerationSizeMb }
    const worker = new Worker(url, { workerData, name: role, resourceLimits })
    this.#workers.push(worker)
    if (storeRoles.includes(role)) this.#stores.push(worker)
    this.#ends.set(worker, new Promise((resolve) => worker.once('exit', () => resolve())))
    this.#failures.set(worker, new Promise((resolve) => worker.once('error', () => resolve())))
    worker.once('error', (error) => this.#fail(role, error))
    const start = { role, url, lastMessage: null as string | null }
    this.#starts.set(worker, start)
    worker.on('message', ({ type }: EngineMessage) => {
      start.lastMessage = type
    })
    worker.once('exit', (code) => {
      if (!this.#isEnding()) this.#fail(role, new Error(this.#endOf(worker, code)))
    })
    return worker
  }

  #endOf(worker: Worker, exitCode: number): string {
    return endOfThread(this.#memory, { ...this.#starts.get(worker)!, exitCode })
  }

  #fail(role: string, error: unknown): void {
    this.raise(flagWords.failed)
    this.#plan.onFailure(role, errorOf(error))
  }
}

function indexes(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}
