import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { SignedCommands, SigningJob, SigningThreadData } from './signing-thread.js'

export interface CommandSignerOptions {
  readonly data: SigningThreadData
  /** Largest number of unsent signed commands. The rest of a longer plan is signed during the run. */
  readonly aheadMax: number
}

const threadFile = join(import.meta.dirname, 'signing-thread.js')
const threadsMax = 4
const commandsPerJob = 2048

/**
 * Signed bytes of a plan. Threads sign ahead of the run: the whole plan if it fits into `aheadMax`, so that the run itself
 * signs nothing.
 */
export class CommandSigner {
  readonly #options: CommandSignerOptions
  readonly #threads: Worker[] = []
  readonly #chunks: (SignedCommands | undefined)[] = []
  readonly #chunkCount: number
  #nextJob = 0
  #signed = 0
  #taken = 0
  #onSigned: () => void = () => {}
  #failure: Error | null = null

  constructor(options: CommandSignerOptions) {
    this.#options = options
    this.#chunkCount = Math.ceil(options.data.count / commandsPerJob)
    const count = Math.min(threadsMax, availableParallelism(), this.#chunkCount)
    for (let i = 0; i < count; i++) this.#start()
  }

  /** Waits until as many commands as allowed are signed. @throws Error if a thread fails. */
  async ready(): Promise<void> {
    const { data, aheadMax } = this.#options
    const wanted = Math.min(data.count, Math.max(commandsPerJob, aheadMax - commandsPerJob))
    while (this.#signed < wanted) {
      if (this.#failure !== null) throw this.#failure
      await new Promise<void>((resolve) => {
        this.#onSigned = resolve
      })
    }
  }

  /**
   * Returns the bytes of a command. Call it in the order of the plan.
   * @throws Error if the run has overtaken the signing threads.
   */
  bytesOf(index: number): Uint8Array {
    const place = Math.floor(index / commandsPerJob)
    const chunk = this.#chunks[place]
    if (chunk === undefined) {
      throw this.#failure ?? new Error('the signing threads were overtaken: a lower --rate')
    }
    const i = index - chunk.from
    const bytes = chunk.bytes.subarray(i === 0 ? 0 : chunk.ends[i - 1], chunk.ends[i])
    if (index === chunk.to - 1) {
      this.#chunks[place] = undefined
      this.#taken += chunk.to - chunk.from
      for (const thread of this.#threads) this.#giveJob(thread)
    }
    return bytes
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.terminate()))
  }

  #start(): void {
    const thread = new Worker(threadFile, { workerData: this.#options.data })
    this.#threads.push(thread)
    thread.on('message', (signed: SignedCommands) => {
      this.#chunks[signed.from / commandsPerJob] = signed
      this.#signed += signed.to - signed.from
      this.#giveJob(thread)
      this.#onSigned()
    })
    thread.on('error', (failure) => {
      this.#failure = failure
      this.#onSigned()
    })
    // Two jobs per thread, so that a thread never waits for its next one.
    this.#giveJob(thread)
    this.#giveJob(thread)
  }

  #giveJob(thread: Worker): void {
    const from = this.#nextJob * commandsPerJob
    const isFull = from - this.#taken >= this.#options.aheadMax
    if (this.#nextJob === this.#chunkCount || isFull) return
    this.#nextJob++
    const job: SigningJob = { from, to: Math.min(from + commandsPerJob, this.#options.data.count) }
    thread.postMessage(job)
  }
}
