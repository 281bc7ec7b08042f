import { Worker } from 'node:worker_threads'
import { Counters } from '../../engine/memory/counters.js'
import { type ExchangeMemory, flagWords, wakeupOf } from '../../engine/memory/exchange-memory.js'
import { steadyMillis } from '../../engine/memory/steady-clock.js'
import { endOfThread } from '../../engine/threads/thread-end.js'
import type { Config } from '../config/config-schema.js'
import type { PushReport, PushThreadData } from './push-thread.js'
import type { VapidKeys } from './vapid-keys.js'

export interface PushServiceOptions {
  readonly memory: ExchangeMemory
  readonly push: Config['push']
  readonly keys: VapidKeys
  readonly pinnedCore: number | undefined
  /** Makes the engine end a subscription durably. */
  readonly drop: (wallet: string, subscriptionId: number) => void
  readonly onNote: (text: string) => void
}

const threadUrl = new URL('./push-thread.js', import.meta.url)
/** Exit code of a thread that threw; its error was reported. */
const failedCode = 1
const pollMillis = 250
const restMillisFirst = 1000
const restMillisMax = 60_000
/** Heap limit of the thread, which is restarted when it exceeds it. */
const heapMegabytes = 128

/**
 * Runs the thread that sends notifications, starting with the first subscription. Nothing waits for it. Restarts it
 * after a failure, with backoff unless it has lived long. A restart loses notifications in progress, and does not
 * affect trading.
 */
export class PushService {
  readonly #options: PushServiceOptions
  readonly #flags: Int32Array
  #timer: NodeJS.Timeout | null = null
  #worker: Worker | null = null
  #restMillis = restMillisFirst
  #begunMillis = 0

  constructor(options: PushServiceOptions) {
    this.#options = options
    this.#flags = new Int32Array(options.memory.flags)
  }

  start(): void {
    if (this.#options.push.enabled) this.#wait(pollMillis)
  }

  /** Terminates the thread immediately: unsent notifications would be late anyway. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    const worker = this.#worker
    this.#worker = null
    await worker?.terminate()
  }

  #wait(millis: number): void {
    const poll = () => {
      if (Atomics.load(this.#flags, flagWords.pushWanted) === 1) this.#begin()
      else this.#wait(pollMillis)
    }
    this.#timer = setTimeout(poll, millis).unref()
  }

  #begin(): void {
    const { memory, push, keys, pinnedCore, drop, onNote } = this.#options
    const data: PushThreadData = { memory, push, keys, pinnedCore }
    const worker = new Worker(threadUrl, {
      workerData: data,
      name: 'push',
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    })
    this.#worker = worker
    this.#begunMillis = steadyMillis()
    worker.on('message', ({ wallet, id }: PushReport) => drop(wallet, id))
    worker.once('error', (error) => onNote(`push: the thread failed: ${String(error)}`))
    worker.once('exit', (exitCode) => {
      if (this.#worker === worker && exitCode !== failedCode) {
        const ended = { role: 'push', url: threadUrl, exitCode, lastMessage: null }
        onNote(`push: ${endOfThread(memory, ended)}`)
      }
      this.#restart(worker)
    })
  }

  #restart(worker: Worker): void {
    if (this.#worker !== worker) return
    this.#worker = null
    // Clears the heartbeat, so that health checks ignore the missing thread.
    new Counters(this.#options.memory.counters, wakeupOf.push).beat(0)
    const isFirstFailure = steadyMillis() - this.#begunMillis > restMillisMax
    if (isFirstFailure) this.#restMillis = restMillisFirst
    this.#wait(this.#restMillis)
    this.#restMillis = Math.min(2 * this.#restMillis, restMillisMax)
  }
}
