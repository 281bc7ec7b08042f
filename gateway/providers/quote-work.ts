import { setImmediate } from 'node:timers'
import type { FullCause } from '../limits/arrivals.js'
import { providerWaitingBytesMax, quoteFramesMax } from '../limits/waiting-limits.js'
import type { QuotableInstruments } from './quotable-instruments.js'
import type { Publishing, QuoteDesk } from './quote-desk.js'
import { type QuoteFrame, scopedUpdate } from './quote-frame.js'

/** Whose frames are worked on. */
export interface FrameSource {
  readonly wallet: string
  readonly isClosed: boolean
  /** Number of its frames that wait, and their bytes. */
  waitingFrames: number
  waitingBytes: number
  /** Runs when too many frames or bytes wait. */
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
  readonly desk: QuoteDesk
  readonly instruments: QuotableInstruments
  /** A frame was read whole, and is no snapshot of quotes, or an unsound one. */
  readonly onMessage: (source: Source, frame: QuoteFrame) => void
  /** A snapshot is published, but for the rows that the frame has refused. */
  readonly onPublished: (source: Source, frame: QuoteFrame) => void
  /** Something was published: it may leave the thread. */
  readonly onProgress: () => void
}

// Longest work on quotes in one turn of the event loop.
const turnMillisMax = 1
const rowsPerStep = 64

/**
 * Frames on their way from the sockets to the board. A wallet's frames are worked on one after the other, wallets by
 * turns, some rows at a time; what does not fit into one turn of the event loop goes on in the next.
 */
export class QuoteWork<Source extends FrameSource> {
  readonly #parts: QuoteWorkParts<Source>
  readonly #jobs = new Map<string, Job<Source>[]>()
  /** Work of this turn of the event loop, and whether its end is awaited. */
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

  /** Works until the part of this turn is used up that frames have. */
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
    this.#parts.desk.commit()
    this.#parts.onProgress()
    this.#spentMillis += performance.now() - beginMillis
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(this.#runNext)
  }

  /** @returns whether the job is done. */
  #step(job: Job<Source>): boolean {
    const { source, frame } = job
    const { desk, instruments, onMessage, onPublished } = this.#parts
    if (source.isClosed) return true
    if (!frame.isRead) {
      frame.read(rowsPerStep, instruments, () => desk.instrumentsOf(source.wallet, scopeOf(frame)))
      return false
    }
    if (!frame.isSnapshot) {
      onMessage(source, frame)
      return true
    }
    job.publishing ??= desk.begin(source.wallet, scopeOf(frame), frame)
    if (!desk.advance(job.publishing, rowsPerStep)) return false
    onPublished(source, frame)
    return true
  }
}

/** Name of the scope that a frame is likely to be, or is, a snapshot of. */
function scopeOf({ type, scope }: QuoteFrame): string {
  return type === scopedUpdate && typeof scope === 'string' ? scope : ''
}
