import { tmpdir } from 'node:os'
import type { SigningContext } from '../gateway/client/signed-actions.js'
import { bareFlushMillis } from './bare-flush.js'
import { type FirmProvider, openFirmProviders } from './firm-providers.js'
import type { OpenLoop } from './load/open-loop.js'
import { MarketOperator, unlimited } from './market-operator.js'
import { type QuietRepeats, repeatQuietly } from './quiet-repeats.js'
import { StreamSocket } from './stream-socket.js'
import { ThreadLoad } from './thread-load.js'
import { withVenue } from './venue-process.js'

// Shared parts of the runs that measure fills by providers: the venue, the repeats, and the wait for the end.

export interface FillRunOptions {
  /** Length of each open-loop run. */
  readonly seconds: number
  /** Number of providers. The venue asks all of them about each request or order. */
  readonly providers: number
  readonly repeats: number
  /** Folder of the journal, on the disk to measure. */
  readonly directory?: string
}

/** Takers and providers of a venue, each with its stream. */
export interface FillParties {
  readonly operator: MarketOperator
  readonly takers: readonly SigningContext[]
  readonly streams: readonly StreamSocket[]
  readonly providers: readonly FirmProvider[]
  readonly load: ThreadLoad
}

/** Bare flush of a repetition in milliseconds. */
export interface Flushed {
  readonly flushMillis: number
}

export const takerCount = 4

/**
 * Starts a venue and measures repeats on it, after an uncounted warm-up repeat.
 * @param open returns the measurement of one repeat.
 */
export function repeatFills<Figures>(
  { repeats, providers: count, directory = tmpdir() }: FillRunOptions,
  open: (parties: FillParties) => Promise<(seed: number) => Promise<Figures>>,
): Promise<QuietRepeats<Figures & Flushed>> {
  return withVenue({ arguments: unlimited, directory }, async (venue) => {
    const { streamUrl } = venue
    const operator = new MarketOperator(venue)
    const wallets = Array.from({ length: takerCount }, () => operator.fundWallet())
    const takers = await Promise.all(wallets)
    const providers = await openFirmProviders(operator, streamUrl, count)
    const streams = await Promise.all(takers.map(() => StreamSocket.open(streamUrl)))
    const load = new ThreadLoad(venue.pid, (await operator.state()).threads)
    try {
      const measure = await open({ operator, takers, streams, providers, load })
      const repeat = async (seed: number) => ({
        flushMillis: bareFlushMillis(directory),
        ...(await measure(seed + 1)),
      })
      await repeat(repeats)
      return await repeatQuietly(repeats, repeat)
    } finally {
      for (const stream of streams) stream.close()
      for (const { socket } of providers) socket.close()
    }
  })
}

const overdueMillis = 10_000

/** Waits until `count` requests have ended, or a connection or an answer fails. */
export class FillWait {
  readonly #words: string
  readonly #ended: Promise<void>
  #missing: number
  #resolve: () => void = () => {}
  #reject: (failure: Error) => void = () => {}

  /** @param words describes missing requests in the error, after their number. */
  constructor(count: number, words: string) {
    this.#missing = count
    this.#words = words
    this.#ended = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  /** Sets the handler for messages of a connection. A failure of the connection ends the run. */
  listen(socket: StreamSocket, onText: (payload: Buffer) => void): void {
    socket.onFailure = this.#reject
    socket.onText = onText
  }

  endOne(): void {
    if (--this.#missing === 0) this.#resolve()
  }

  /** Fails the run. @param payload unexpected message, which becomes the error's text. */
  fail(payload: Buffer): void {
    this.#reject(new Error(String(payload)))
  }

  /** Sends the plan and waits until all requests have ended. @throws Error of a failure, or if some are overdue. */
  async until(loop: OpenLoop): Promise<void> {
    let overdue: NodeJS.Timeout | undefined
    const giveUp = () => this.#reject(new Error(`${this.#missing} ${this.#words}`))
    const sent = loop.run().then(() => {
      overdue = setTimeout(giveUp, overdueMillis)
    })
    try {
      await Promise.all([sent, this.#ended])
    } finally {
      clearTimeout(overdue)
    }
  }
}
