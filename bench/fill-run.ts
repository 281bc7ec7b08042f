import { tmpdir } from 'node:os'
import { bareFlushMillis } from './bare-flush.js'
import type { OpenLoop } from './load/open-loop.js'
import { unlimited } from './market-operator.js'
import { type QuietRepeats, repeatQuietly } from './quiet-repeats.js'
import type { StreamSocket } from './stream-socket.js'
import { VenueProcess } from './venue-process.js'

// What runs have in common that wait for providers to fill: a venue of their own, repeats, and an end.

export interface FillRunOptions {
  readonly repeats: number
  /** Where the journal is written: a folder on the disk to be measured. */
  readonly directory?: string
}

/** Takers and providers of a venue. */
export interface FillRig<Figures> {
  run(seed: number): Promise<Figures>
  close(): void
}

/** Bare flush of a repeat, ms. */
export interface Flushed {
  readonly flushMillis: number
}

/** Starts a venue, and measures repeats on it; one before them warms up, and is not counted. */
export async function repeatFills<Figures>(
  { repeats, directory = tmpdir() }: FillRunOptions,
  open: (venue: VenueProcess) => Promise<FillRig<Figures>>,
): Promise<QuietRepeats<Figures & Flushed>> {
  const venue = new VenueProcess({ arguments: unlimited, directory })
  try {
    await venue.start()
    const rig = await open(venue)
    try {
      const repeat = async (seed: number) => ({
        flushMillis: bareFlushMillis(directory),
        ...(await rig.run(seed + 1)),
      })
      await repeat(repeats)
      return await repeatQuietly(repeats, repeat)
    } finally {
      rig.close()
    }
  } finally {
    await venue.dispose()
  }
}

const overdueMillis = 10_000

/** Waits until each of so many has ended, or one connection or answer has failed. */
export class FillWait {
  readonly #words: string
  readonly #ended: Promise<void>
  #missing: number
  #resolve: () => void = () => {}
  #reject: (failure: Error) => void = () => {}

  /** @param words what those that are missing have not done, for the failure. */
  constructor(count: number, words: string) {
    this.#missing = count
    this.#words = words
    this.#ended = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  /** Hears what comes over a connection, whose failure ends the run. */
  hear(socket: StreamSocket, onText: (payload: Buffer) => void): void {
    socket.onFailure = this.#reject
    socket.onText = onText
  }

  endOne(): void {
    if (--this.#missing === 0) this.#resolve()
  }

  /** @param payload that is no part of the run. */
  fail(payload: Buffer): void {
    this.#reject(new Error(String(payload)))
  }

  /** Sends what is planned, and waits for the ends. @throws Error of a failure, or of ends that are overdue. */
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
