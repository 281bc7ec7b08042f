import type { Piscina } from 'piscina'
import { CounterName, Counters } from '../../../engine/memory/counters.js'
import { Doorbell } from '../../../engine/memory/doorbell.js'
import {
  doorbellOf,
  type ExchangeMemory,
  flagWords,
  logReaders,
} from '../../../engine/memory/exchange-memory.js'
import { LogCursor } from '../../../engine/memory/log-cursor.js'
import { errorOf } from '../../../engine/threads/error-of.js'
import { Result } from '../../../schemas/results.js'
import { readWaitMillisMax } from '../../link/read-protocol.js'
import { type Answer, Envelope, refusedAnswer } from '../../wire/answers.js'
import type { HistoryReply } from './history-query.js'
import type { HistoryFault, HistoryTask } from './history-query-worker.js'

export interface HistoryPoolOptions {
  readonly memory: ExchangeMemory
  readonly dataDir: string
  /** `compat.unknownFields`. */
  readonly refusesUnknown: boolean
  /** Query threads of this pool. */
  readonly threadsMax: number
  /** Told of a query that failed for a reason of ours; its asker gets 500 `internal_error`. */
  readonly onFault?: (error: Error) => void
}

/** A query that waits for the store to come further. */
interface Waiter {
  readonly isReached: () => boolean
  readonly deadlineMillis: number
  readonly resolve: (isReached: boolean) => void
}

const pollMillis = 5
const idleMillis = 60_000
const queuedMax = 1024
const youngMegabytes = 6

/**
 * A gateway's way to the history store: waits until the store holds what the read must see, then
 * asks.
 */
export class HistoryPool {
  readonly #cursor: LogCursor
  readonly #counters: Counters
  readonly #flags: Int32Array
  readonly #bell: Doorbell
  readonly #threadsMax: number
  /** Its library and first thread come with the first query. */
  #pool: Promise<Piscina> | null = null
  readonly #dataDir: string
  readonly #refusesUnknown: boolean
  readonly #onFault: (error: Error) => void
  #waiters: Waiter[] = []
  #timer: NodeJS.Timeout | null = null
  /** Rises with each call of `onHistoryProgress`, for queries that wait for a sequence. */
  #progress = 0

  constructor(options: HistoryPoolOptions) {
    this.#cursor = new LogCursor(options.memory.eventLog, logReaders.history)
    this.#counters = new Counters(options.memory.counters, doorbellOf.history)
    this.#flags = new Int32Array(options.memory.flags)
    this.#bell = new Doorbell(options.memory.doorbells, doorbellOf.history)
    this.#threadsMax = options.threadsMax
    this.#dataDir = options.dataDir
    this.#refusesUnknown = options.refusesUnknown
    this.#onFault = options.onFault ?? (() => {})
  }

  /**
   * Answers a GET route of the history store.
   * @param path as requested, for example `/orders` or `/trades/7`.
   * @param queryText text behind the question mark, as received.
   * @param position event-log offset that the answer must include.
   * @returns 503 `not_ready` when the store has not come that far within two seconds.
   */
  async query(path: string, queryText: string, position: number): Promise<Answer> {
    if (this.#isDown) return rebuilding(path)
    const deadlineMillis = performance.now() + readWaitMillisMax
    const isReached = () => this.#cursor.hasPassed(position)
    if (!isReached() && !(await this.#wait(isReached, deadlineMillis))) return notReady(path)
    const [dataDir, refusesUnknown] = [this.#dataDir, this.#refusesUnknown]
    const storeNumber = this.#storeNumber
    const task: HistoryTask = { path, query: queryText, refusesUnknown, dataDir, storeNumber }
    for (;;) {
      const progress = this.#progress
      const reply = await this.#run(task)
      if (reply === 'full') return notReady(path)
      if (this.#isDown || storeNumber !== this.#storeNumber) return rebuilding(path)
      if (reply === null) return failed(path)
      if ('fault' in reply) return this.#report(path, reply)
      if (!reply.isBehind) return { status: reply.status, body: reply.body }
      // It waits for `min_seq`: the next commit may bring it, or nothing does.
      await this.#wait(() => this.#progress !== progress, deadlineMillis)
      if (performance.now() >= deadlineMillis) return notReady(path)
    }
  }

  /**
   * To be called by the gateway's event pump, which the history thread wakes after each commit.
   */
  onHistoryProgress(): void {
    this.#progress++
    this.#look()
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
    for (const waiter of this.#waiters.splice(0)) waiter.resolve(false)
    await (await this.#pool)?.destroy()
  }

  get #isDown(): boolean {
    return this.#counters.read(doorbellOf.history, CounterName.HistoryDown) === 1
  }

  /** Rises with each store that was given up. */
  get #storeNumber(): number {
    return this.#counters.read(doorbellOf.history, CounterName.HistoryRebuilds)
  }

  /** The history thread sets the store aside, and fills another one. */
  #report(path: string, { fault }: HistoryFault): Answer {
    Atomics.store(this.#flags, flagWords.historyBroken, 1)
    this.#bell.ring()
    this.#onFault(new Error(`history store: ${fault}`))
    return rebuilding(path)
  }

  async #openPool(): Promise<Piscina> {
    const { Piscina } = await import('piscina')
    const pool = new Piscina({
      filename: new URL('./history-query-worker.js', import.meta.url).href,
      name: 'runHistoryQuery',
      minThreads: 1,
      maxThreads: this.#threadsMax,
      idleTimeout: idleMillis,
      maxQueue: queuedMax,
      // The rows of a query are garbage once it is answered.
      resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes },
    })
    // Without a listener a worker that dies between two tasks would take the gateway with it.
    pool.on('error', this.#onFault)
    return pool
  }

  async #run(task: HistoryTask): Promise<HistoryReply | HistoryFault | 'full' | null> {
    try {
      const pool = await (this.#pool ??= this.#openPool())
      if (pool.queueSize >= queuedMax) return 'full'
      return await pool.run(task)
    } catch (error) {
      this.#onFault(errorOf(error))
      return null
    }
  }

  #wait(isReached: () => boolean, deadlineMillis: number): Promise<boolean> {
    return new Promise((resolve) => {
      this.#waiters.push({ isReached, deadlineMillis, resolve })
      this.#timer ??= setInterval(() => this.onHistoryProgress(), pollMillis)
    })
  }

  #look(): void {
    if (this.#waiters.length === 0) return
    const nowMillis = performance.now()
    this.#waiters = this.#waiters.filter((waiter) => {
      const isReached = waiter.isReached()
      if (!isReached && nowMillis < waiter.deadlineMillis) return true
      waiter.resolve(isReached)
      return false
    })
    if (this.#waiters.length > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }
}

function notReady(path: string): Answer {
  return refused(path, Result.NotReady, 'the history store does not hold the wanted sequence yet')
}

function rebuilding(path: string): Answer {
  return refused(
    path,
    Result.NotReady,
    'the history store is out of service and being filled again',
  )
}

function failed(path: string): Answer {
  return refused(path, Result.InternalError, 'the history store could not be read')
}

function refused(path: string, result: Result, message: string): Answer {
  const envelope = path.startsWith('/historical-') ? Envelope.Data : Envelope.Success
  return refusedAnswer(envelope, { result, message })
}
