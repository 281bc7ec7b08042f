import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { AcceptedLoss } from './core/core-start.js'
import type { SlowFlush } from './journal/flush-watch.js'
import type { HistoryEnd, LostNonce } from './journal/journal-loss.js'
import type { RecoveredJournal } from './journal/recovery.js'
import {
  allocateExchangeMemory,
  type ExchangeMemory,
  flagWords,
  touchExchangeMemory,
  wakeupOf,
} from './memory/exchange-memory.js'
import { Wakeup } from './memory/wakeup.js'
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

/** A thread from outside the engine: its module, and its start data. */
export interface ThreadEntry {
  readonly url: URL
  readonly data: (memory: ExchangeMemory, index: number) => unknown
  /** Receives the messages of the thread, from its start on. */
  readonly onMessage?: (message: unknown) => void
}

/** Batches that a start replayed, and the time that it took. */
export interface RecoveryFacts {
  readonly lastBatch: number
  readonly replayedBatches: number
  readonly millis: number
}

/** Parts and options of an exchange. */
export interface ExchangePlan {
  readonly gateways: number
  /** Number of matcher threads; with 0 the core runs the only matcher itself. */
  readonly matchers: number
  readonly options: EngineOptions
  /** Memory of `allocateVirtualTime`; null for the machine's time. */
  readonly virtualTime: SharedArrayBuffer | null
  /** End of the history store. */
  readonly historyEnd: HistoryEnd
  readonly readModel: ThreadEntry
  readonly history: ThreadEntry
  readonly gateway: ThreadEntry
  /**
   * Called for an accepted loss: the history store must be rolled back before the core continues.
   * @returns the nonces of lost commands that the store knows.
   */
  readonly onLoss?: (loss: AcceptedLoss) => readonly LostNonce[]
  /** Receives the number of batches that the core replayed after its snapshot, and the time that it took. */
  readonly onRecovered?: (facts: RecoveryFacts) => void
  /** Receives log-worthy events: a cut tail, a skipped snapshot. */
  readonly onNote: (text: string) => void
  /** The clock was stepped, or its alarm has ended. */
  readonly onClock: (message: ClockMessage) => void
  /** An invariant is violated: the market is halted until the operator opens it. */
  readonly onBreach: (message: BreachMessage) => void
  /** Called at the start if any wallets are stopped, and at each change. */
  readonly onStopped: (message: StoppedMessage) => void
  /** A flush of the journal was slow. */
  readonly onSlowFlush: (slow: SlowFlush) => void
  /** A thread ended unexpectedly: the exchange has stopped and must be started again. */
  readonly onFailure: (role: string, error: Error) => void
}

/**
 * Young generation, in megabytes, of the threads whose garbage is short-lived; a third of it fills between two
 * collections. V8's limit would be 48, which a starting thread takes quickly and never returns. Gateways keep that
 * limit, because their objects live until their request is answered.
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
/** Maximum wait for these threads in a shutdown that is not graceful. */
const storesEndMillisMax = 3000
/** Maximum wait before that for the core to close its batch and the journal to flush it. */
const flushMillisMax = 2000

/** A running exchange. */
export interface Exchange {
  readonly memory: ExchangeMemory
  /** Gateway threads in order. The creator of the exchange exchanges messages with them directly. */
  readonly gateways: readonly Worker[]
  /** Starts to accept commands. */
  open(): void
  /** Stops accepting commands and allows threads to end. Call it before stopping the gateways. */
  drain(): void
  /**
   * Stops everything in the order of the data flow. The caller has stopped the gateways. The core takes the waiting
   * commands and closes the journal, the journal flushes, and the followers catch up. If a thread that others wait for
   * has failed, or fails during the stop, the rest is terminated as in a crash: everything acknowledged is on disk.
   */
  stop(): Promise<void>
  /** Flushes the journal if possible, then ends the threads with a store; takes at most 5 seconds. */
  abandon(): Promise<void>
}

/**
 * Builds the whole exchange. No other code allocates its shared memory or starts its threads.
 * @throws Error if a thread fails at its start, for example on a damaged journal.
 */
export async function startExchange(plan: ExchangePlan): Promise<Exchange> {
  const { gateways, matchers, virtualTime } = plan
  const memory = allocateExchangeMemory(gateways, matchers, virtualTime) // 1. rings, event log, wakeup words
  if (plan.options.takesMemory) touchExchangeMemory(memory)
  const threads = new ThreadGroup(plan, memory)
  try {
    return await assemble(plan, memory, threads)
  } catch (error) {
    await threads.endStores()
    await threads.terminateAll()
    throw error
  }
}

async function assemble(
  plan: ExchangePlan,
  memory: ExchangeMemory,
  threads: ThreadGroup,
): Promise<Exchange> {
  const readModel = threads.start('read-model', plan.readModel, 0) // 2. followers of the event log, before the first event
  const history = threads.start('history', plan.history, 0)
  report(history, plan)
  const gateways = indexes(plan.gateways).map((i) => threads.start(`gateway-${i}`, plan.gateway, i))
  const matchers = await threads.startMatchers() // 3. each owns the books of its underlyings
  const begunMillis = performance.now()
  const core = threads.startEngine('core', 'core-thread.js', 0, null) // 4. recovers, then publishes the bootstrap
  report(core, plan)
  const coreStarted = threads.awaitMessage(core, 'started')
  coreStarted.catch(() => {}) // a failure of the core is reported by the await below
  const { resume, notes, loss } = await threads.awaitMessage(core, 'recovered')
  plan.onRecovered?.({
    lastBatch: resume.nextBatchNumber - 1,
    replayedBatches: resume.batchCount,
    millis: Math.round(performance.now() - begunMillis),
  })
  for (const note of notes) plan.onNote(note)
  if (loss !== null) {
    core.postMessage((plan.onLoss?.(loss) ?? []) satisfies LossMessage)
    threads.raise(flagWords.historyWentBack)
  }
  const journal = threads.startEngine('journal', 'journal-thread.js', 0, resume) // 5. continues where recovery ended
  report(journal, plan)
  await threads.awaitMessage(journal, 'started')
  const snapshot = threads.startEngine('snapshot', 'snapshot-thread.js', 0, null) // 6. proves replay in the background
  report(snapshot, plan)
  await coreStarted
  return {
    memory,
    gateways,
    open: () => threads.raise(flagWords.ready),
    drain: () => {
      threads.expectEnd()
      threads.raise(flagWords.draining)
    },
    stop: async () => {
      threads.expectEnd()
      threads.raise(flagWords.stopCore)
      const inOrder = async () => {
        await Promise.all([core, journal].map((worker) => threads.ended(worker)))
        threads.raise(flagWords.stopOthers)
        await Promise.all([readModel, history, snapshot].map((worker) => threads.ended(worker)))
      }
      // These threads wait for each other. If one fails there is no order left, only the data on disk.
      const chain = [core, journal, readModel, history, ...matchers]
      await Promise.race([inOrder(), ...chain.map((worker) => threads.failed(worker))])
      await threads.endStores()
      await threads.terminateAll()
    },
    abandon: async () => {
      await threads.flush(core, journal)
      await threads.endStores()
    },
  }
}

/** Passes the reports of an engine thread to the plan, except its start. */
function report(worker: Worker, plan: ExchangePlan): void {
  worker.on('message', (message: EngineMessage) => {
    if (message.type === 'note') plan.onNote(message.text)
    else if (message.type === 'clock') plan.onClock(message)
    else if (message.type === 'stopped') plan.onStopped(message)
    else if (message.type === 'slow-flush') plan.onSlowFlush(message.slow)
    else if (message.type === 'breach') plan.onBreach(message)
  })
}

/** The threads of one exchange, and their ends. */
class ThreadGroup {
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

  start(role: string, entry: ThreadEntry, index: number): Worker {
    const worker = this.#start(role, entry.url, entry.data(this.#memory, index))
    if (entry.onMessage !== undefined) worker.on('message', entry.onMessage)
    return worker
  }

  startEngine(role: string, file: string, index: number, resume: RecoveredJournal | null): Worker {
    const { options, historyEnd: history } = this.#plan
    const data: EngineThreadData = { memory: this.#memory, options, index, history, resume }
    return this.#start(role, new URL(`./threads/${file}`, import.meta.url), data)
  }

  async startMatchers(): Promise<readonly Worker[]> {
    const matchers = indexes(this.#plan.matchers).map((i) =>
      this.startEngine(`matcher-${i}`, 'matcher-thread.js', i, null),
    )
    await Promise.all(matchers.map((worker) => this.awaitMessage(worker, 'started')))
    return matchers
  }

  /** Returns the thread's next message of a type. @throws the thread's error if it ends before. */
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

  /** Sets a flag and wakes every thread. */
  raise(word: number): void {
    Atomics.store(new Int32Array(this.#memory.flags), word, 1)
    const { gateways, matchers, wakeups } = this.#memory
    const threads = wakeupOf.matcher({ gateways }, matchers)
    for (const index of indexes(threads)) new Wakeup(wakeups, index).ring()
  }

  /** Returns true while threads may end: once the exchange drains, gateways end one by one. */
  #isEnding(): boolean {
    const flags = new Int32Array(this.#memory.flags)
    return this.#isEndExpected || Atomics.load(flags, flagWords.draining) === 1
  }

  ended(worker: Worker): Promise<void> {
    return this.#ends.get(worker) ?? Promise.resolve()
  }

  /** Resolves if the thread has thrown; never resolves if it ends properly. */
  failed(worker: Worker): Promise<void> {
    return this.#failures.get(worker) ?? Promise.resolve()
  }

  expectEnd(): void {
    this.#isEndExpected = true
  }

  /** Lets the core close its batch and the journal flush it, unless one of them has failed or takes too long. */
  async flush(core: Worker, journal: Worker): Promise<void> {
    this.expectEnd()
    this.raise(flagWords.stopCore)
    const pair = [core, journal]
    const flushed = Promise.all(pair.map((worker) => this.ended(worker)))
    const failed = pair.map((worker) => this.failed(worker))
    await Promise.race([flushed, ...failed, sleep(flushMillisMax, undefined, { ref: false })])
  }

  /** Ends the threads with a store. Terminating one inside its native code would abort the whole process. */
  async endStores(): Promise<void> {
    this.expectEnd()
    this.raise(flagWords.stopOthers)
    const ended = Promise.all(this.#stores.map((worker) => this.ended(worker)))
    await Promise.race([ended, sleep(storesEndMillisMax, undefined, { ref: false })])
  }

  /** Terminates the remaining threads, which hold nothing durable. */
  async terminateAll(): Promise<void> {
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
