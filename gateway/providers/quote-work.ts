import { setImmediate } from 'node:timers'
import type { FullCause } from '../limits/arrivals.js'
import { providerWaitingBytesMax, quoteFramesMax } from '../limits/waiting-limits.js'
import type { QuotableInstruments } from './quotable-instruments.js'
import { type QuoteFrame, scopedUpdate } from './quote-frame.js'
import type { Publishing, QuoteService } from './quote-service.js'

/** Sender of frames. */
export interface FrameSource {
  readonly wallet: string
  readonly isClosed: boolean
  /** Number and bytes of its queued frames. */
  waitingFrames: number
  waitingBytes: number
  /** Called when too many frames or bytes are queued. */
  onFlood(cause: FullCause): void
}

interface Job<Source> {
  readonly source: Source
  readonly frame: QuoteFrame
  publishing: Publishing | null
  keptBytes: number
  isKept: boolean
  isDone: boolean
}

export interface QuoteWorkParts<Source> {
  readonly service: QuoteService
  readonly instruments: QuotableInstruments
  /** Called for a complete frame that is not a valid snapshot of quotes. */
  readonly onMessage: (source: Source, frame: QuoteFrame) => void
  /** Called when a snapshot is published, without the rows omitted by the frame. */
  readonly onPublished: (source: Source, frame: QuoteFrame) => void
  /** Called after quotes were published, which may now leave the thread. */
  readonly onProgress: () => void
}

// Time limit for quotes per turn of the event loop.
const turnMillisMax = 1
const rowsPerStep = 64

/**
 * Queue of frames between the sockets and the board. Processes a wallet's frames in order and wallets in turn, some
 * rows at a time. Rows that do not fit into one turn of the event loop wait for the next.
 */
export class QuoteWork<Source extends FrameSource> {
  readonly #parts: QuoteWorkParts<Source>
  readonly #jobs = new Map<string, Job<Source>[]>()
  /** Time spent in this turn of the event loop, and whether the next turn is scheduled. */
  #spentMillis = 0
  #isScheduled = false

  constructor(parts: QuoteWorkParts<Source>) {
    this.#parts = parts
  }

  /** Takes a frame, whose bytes are valid during the call. */
  take(source: Source, frame: QuoteFrame): void {
    const job: Job<Source> = {
      source,
      frame,
      publishing: null,
      keptBytes: 0,
      isKept: false,
      isDone: false,
    }
    const jobs = this.#jobs.get(source.wallet)
    if (jobs === undefined) this.#jobs.set(source.wallet, [job])
    else jobs.push(job)
    this.#run()
    if (job.isDone) return
    frame.keep()
    job.isKept = true
    job.keptBytes = frame.bytes.length
    source.waitingBytes += job.keptBytes
    source.waitingFrames++
    if (source.waitingBytes > providerWaitingBytesMax) source.onFlood('byte_limit')
    else if (source.waitingFrames > quoteFramesMax) source.onFlood('frame_limit')
  }

  readonly #runNext = (): void => {
    this.#isScheduled = false
    this.#spentMillis = 0
    if (this.#jobs.size > 0) this.#run()
  }

  /** Processes frames until their share of this turn is used up. */
  #run(): void {
    const beginMillis = performance.now()
    const endMillis = beginMillis + turnMillisMax - this.#spentMillis
    if (beginMillis >= endMillis) return
    while (this.#jobs.size > 0 && performance.now() < endMillis) {
      for (const [wallet, jobs] of this.#jobs) {
        const [job] = jobs as [Job<Source>]
        if (!this.#step(job)) continue
        job.isDone = true
        job.source.waitingBytes -= job.keptBytes
        if (job.isKept) job.source.waitingFrames--
        jobs.shift()
        if (jobs.length === 0) this.#jobs.delete(wallet)
      }
    }
    this.#parts.service.commit()
    this.#parts.onProgress()
    this.#spentMillis += performance.now() - beginMillis
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(this.#runNext)
  }

  /**
   * @returns True if the job is done.
   */
  #step(job: Job<Source>): boolean {
    const { source, frame } = job
    const { service, instruments, onMessage, onPublished } = this.#parts
    if (source.isClosed) return true
    if (!frame.isRead) {
      frame.read(rowsPerStep, instruments, () =>
        service.instrumentsOf(source.wallet, scopeOf(frame)),
      )
      return false
    }
    if (!frame.isSnapshot) {
      onMessage(source, frame)
      return true
    }
    job.publishing ??= service.begin(source.wallet, scopeOf(frame), frame)
    if (!service.advance(job.publishing, rowsPerStep)) return false
    onPublished(source, frame)
    return true
  }
}

/** Returns the scope of a frame, as far as it has been read. */
function scopeOf({ type, scope }: QuoteFrame): string {
  return type === scopedUpdate && typeof scope === 'string' ? scope : ''
}
