import type { Piscina } from 'piscina'
import { EngineTime } from '../../../engine/memory/engine-time.js'
import { type ExchangeMemory, logReaders } from '../../../engine/memory/exchange-memory.js'
import { LogCursor } from '../../../engine/memory/log-cursor.js'
import { errorOf } from '../../../engine/threads/error-of.js'
import { Envelope } from '../../../schemas/interface/answer.js'
import type { ReadRow } from '../../../schemas/interface/read.js'
import { historyReads } from '../../../schemas/interface/reads.js'
import { Result } from '../../../schemas/results.js'
import { readWaitMillisMax } from '../../link/read-protocol.js'
import { type Answer, refusedAnswer } from '../../wire/answers.js'
import type { HistoryReply } from './history-query.js'
import type { HistoryFault, HistoryTask } from './history-query-worker.js'
import { HistoryState } from './history-state.js'

export interface HistoryPoolOptions {
  readonly memory: ExchangeMemory
  readonly dataDir: string
  /** `compat.unknownFields`. */
  readonly refusesUnknown: boolean
  /** True if `reads.private` is `signed`. */
  readonly hidesWallets: boolean
  /** Maximum number of query threads. */
  readonly threadsMax: number
  /** Receives internal errors. The client gets 500 `internal_error`. */
  readonly onFault?: (error: Error) => void
}

/** Query that waits for the store to advance. */
interface Waiter {
  readonly isReached: () => boolean
  readonly deadlineMillis: number
  readonly resolve: (isReached: boolean) => void
}

const endpoints = new Map<string, ReadRow>(Object.entries(historyReads))
const pollMillis = 5
const idleMillis = 60_000
const queuedMax = 1024
const youngMegabytes = 6
/** Path of a task that only requests the sequence of the store. */
const noPath = ''

/** Client of the history store in a gateway. Waits until the store holds what the read must see, then queries it. */
export class HistoryPool {
  readonly #cursor: LogCursor
  readonly #state: HistoryState
  readonly #options: HistoryPoolOptions
  /** Settings that every task carries. */
  readonly #settings: Pick<HistoryTask, 'dataDir' | 'refusesUnknown' | 'hidesWallets'>
  readonly #time: EngineTime
  /** Loaded and started with the first query. */
  #pool: Promise<Piscina> | null = null
  #waiters: Waiter[] = []
  #timer: NodeJS.Timeout | null = null
  /** Sequence of the store in the latest reply. */
  #storeSeq = 0
  /** Number of queries that wait for a sequence. One probe serves all of them. */
  #seqWaiters = 0
  /** True while a probe requests the sequence of the store. */
  #isProbing = false
  /** Log offset of the store at the latest probe; NaN: probe again. */
  #probedOffset = Number.NaN

  constructor(options: HistoryPoolOptions) {
    this.#cursor = new LogCursor(options.memory.eventLog, logReaders.history)
    this.#state = new HistoryState(options.memory)
    this.#options = options
    const { dataDir, refusesUnknown, hidesWallets } = options
    this.#settings = { dataDir, refusesUnknown, hidesWallets }
    this.#time = new EngineTime(options.memory)
  }

  /**
   * Answers a GET route of the history store.
   * @param path as requested, for example `/orders` or `/trades/7`.
   * @param queryText text after the question mark, as received.
   * @param logOffset offset that the answer must include.
   * @returns 503 `not_ready` if the store does not reach it within two seconds.
   */
  async query(path: string, queryText: string, logOffset: number): Promise<Answer> {
    const state = this.#state
    if (state.isDown) return rebuilding(path)
    const deadlineMillis = performance.now() + readWaitMillisMax
    const isReached = () => this.#cursor.hasPassed(logOffset)
    if (!isReached() && !(await this.#wait(isReached, deadlineMillis))) return notReady(path)
    const { storeNumber } = state
    const request = { path, query: queryText, ...this.#settings, storeNumber }
    for (;;) {
      const reply = await this.#run(request)
      if (reply === 'full') return notReady(path)
      if (state.isDown || storeNumber !== state.storeNumber) return rebuilding(path)
      if (reply === null) return failed(path)
      if ('fault' in reply) return this.#report(path, reply)
      if (!reply.isLagging) return { status: reply.status, body: reply.body }
      if (!(await this.#waitForSeq(reply.seqMin, deadlineMillis))) return notReady(path)
    }
  }

  /** Called by the gateway's event pump, which the history thread wakes after each commit. */
  onHistoryProgress(): void {
    const isIdle = this.#seqWaiters === 0 || this.#isProbing || this.#state.isDown
    if (!isIdle && this.#cursor.offset !== this.#probedOffset) void this.#probe()
    this.#checkWaiters()
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
    for (const waiter of this.#waiters.splice(0)) waiter.resolve(false)
    await (await this.#pool)?.destroy()
  }

  #report(path: string, { fault }: HistoryFault): Answer {
    this.#state.reportBroken()
    this.#options.onFault?.(new Error(`history store: ${fault}`))
    return rebuilding(path)
  }

  async #openPool(): Promise<Piscina> {
    const { Piscina } = await import('piscina')
    const pool = new Piscina({
      filename: new URL('./history-query-worker.js', import.meta.url).href,
      name: 'runHistoryQuery',
      minThreads: 1,
      maxThreads: this.#options.threadsMax,
      idleTimeout: idleMillis,
      maxQueue: queuedMax,
      // The rows of a query are garbage once it is answered.
      resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes },
    })
    // Without a listener, a worker that dies between two tasks would crash the gateway.
    pool.on('error', (error) => this.#options.onFault?.(error))
    return pool
  }

  async #run(
    request: Omit<HistoryTask, 'nowMillis'>,
  ): Promise<HistoryReply | HistoryFault | 'full' | null> {
    try {
      const pool = await (this.#pool ??= this.#openPool())
      if (pool.queueSize >= queuedMax) return 'full'
      const task: HistoryTask = { ...request, nowMillis: this.#time.millis() }
      const reply: HistoryReply | HistoryFault = await pool.run(task)
      if ('seq' in reply) this.#storeSeq = reply.seq
      return reply
    } catch (error) {
      this.#options.onFault?.(errorOf(error))
      return null
    }
  }

  /** Waits for a sequence, which may never arrive. Waiters share probes, so that none polls the store. */
  async #waitForSeq(seqMin: number, deadlineMillis: number): Promise<boolean> {
    this.#seqWaiters++
    // The store may have reached it since the reply, and replies may arrive out of order: probe again.
    this.#probedOffset = Number.NaN
    const isReached = await this.#wait(() => this.#storeSeq >= seqMin, deadlineMillis)
    this.#seqWaiters--
    return isReached
  }

  async #probe(): Promise<void> {
    this.#isProbing = true
    this.#probedOffset = this.#cursor.offset
    const { storeNumber } = this.#state
    const request = { path: noPath, query: '', ...this.#settings, storeNumber }
    const reply = await this.#run(request)
    const isReply = reply !== null && reply !== 'full'
    if (!isReply || 'fault' in reply) this.#probedOffset = Number.NaN
    if (isReply && 'fault' in reply && storeNumber === this.#state.storeNumber) {
      this.#report(noPath, reply)
    }
    this.#isProbing = false
  }

  #wait(isReached: () => boolean, deadlineMillis: number): Promise<boolean> {
    this.#state.ask()
    return new Promise((resolve) => {
      this.#waiters.push({ isReached, deadlineMillis, resolve })
      this.#timer ??= setInterval(() => this.onHistoryProgress(), pollMillis)
    })
  }

  #checkWaiters(): void {
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
  return refusedAnswer(envelopeOf(path), { result, message })
}

/** Returns the envelope of the endpoint. The gateway's internal queries have no endpoint. */
function envelopeOf(path: string): Envelope {
  const below = path.slice(0, path.lastIndexOf('/') + 1)
  return (
    (endpoints.get(`GET ${path}`) ?? endpoints.get(`GET ${below}`))?.answer.envelope ??
    Envelope.Success
  )
}
