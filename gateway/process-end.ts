import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { DataLockHeld } from '../engine/journal/data-lock.js'
import type { Venue } from './venue.js'

const startRole = 'start'
const startMillisMax = 6000
/** Time in which a second signal is the same one: npm forwards the SIGINT that a terminal sends to its whole group. */
export const sameSignalMillis = 1000
export const exitOk = 0
export const exitFailure = 1
export const exitUsage = 2
/** The start failed for a reason that another start does not change. */
export const exitRefused = 3
/** Names of journal errors that every further start repeats. Errors of the core's thread arrive without their class. */
const refusals = ['JournalDamage', 'JournalRefusal', 'JournalLoss', 'ReplayDivergence']
/** Codes of temporary errors: a port that another process is about to free, or a lack of memory or files. */
const passingCodes = ['EADDRINUSE', 'EADDRNOTAVAIL', 'EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN']

/**
 * Ends the process: gracefully on the first signal, without a snapshot on a later one. After a failure it exits with 1,
 * or with 3 if the venue was never up and another start would fail in the same way.
 */
export class ProcessEnd {
  readonly #log: Logger
  readonly #nowMillis: () => number
  #venue: Venue | null = null
  #isFailed = false
  #signalMillis = 0
  #isHurried = false
  #endStart: () => void = () => {}
  readonly #stopping = new AbortController()
  readonly #startEnded = new Promise<void>((resolve) => {
    this.#endStart = resolve
  })

  constructor(log: Logger, nowMillis: () => number = performance.now.bind(performance)) {
    this.#log = log
    this.#nowMillis = nowMillis
  }

  /** Aborted at the first signal, also for a venue that is starting. */
  get stopping(): AbortSignal {
    return this.#stopping.signal
  }

  /**
   * Takes over a started venue. A signal may have arrived during the start, or a thread may have failed already.
   * @returns true if the venue continues.
   */
  begin(venue: Venue): boolean {
    this.#venue = venue
    if (this.#isFailed) {
      void venue.abandon().finally(this.#endStart)
      return false
    }
    if (!this.stopping.aborted) return true
    void this.#stop(venue)
    return false
  }

  onSignal(): void {
    const now = this.#nowMillis()
    if (!this.stopping.aborted) {
      this.#signalMillis = now
      this.#stopping.abort()
      if (this.#venue !== null) void this.#stop(this.#venue)
    } else if (now - this.#signalMillis >= sameSignalMillis) this.#hurry()
  }

  fail(role: string, error: Error): void {
    if (this.#isFailed || (this.stopping.aborted && this.#venue !== null)) return
    this.#isFailed = true
    this.#log.fatal({ role, err: error }, `${role} failed: ${error.message}${remedyOf(error)}`)
    // A thread that fails during the start fails the start, which first stops the other threads.
    const isRefused = this.#venue === null && isFinal(role, error)
    const code = isRefused ? exitRefused : exitFailure
    const closed = this.#venue?.abandon() ?? this.#awaitStart()
    closed.finally(() => process.exit(code))
  }

  /** Reports a failed start of which nothing runs any more. */
  failStart(error: Error): void {
    this.fail(startRole, error)
    this.#endStart()
  }

  /** Closes first: on an immediate `process.exit`, threads with open sockets would abort, and the journal must flush. */
  #hurry(): void {
    if (this.#isHurried) return
    this.#isHurried = true
    this.#log.warn('second signal: stopping immediately, without a snapshot')
    const closed = this.#venue?.abandon() ?? this.#awaitStart()
    closed.finally(() => process.exit(exitFailure))
  }

  /** Waits until a start that failed has ended, at most `startMillisMax`. */
  async #awaitStart(): Promise<void> {
    const waiting = new AbortController()
    const { signal } = waiting
    // The timer keeps the process alive, so that it exits with its code; it must not do so after the start has ended.
    const timeout = sleep(startMillisMax, undefined, { signal }).catch(() => {})
    await Promise.race([this.#startEnded, timeout])
    waiting.abort()
  }

  async #stop(venue: Venue): Promise<void> {
    this.#log.info('stopping')
    try {
      await venue.stop()
      this.#log.info('stopped')
      process.exit(exitOk)
    } catch (error) {
      this.#log.fatal({ err: error }, 'stopping failed')
      process.exit(exitFailure)
    }
  }
}

function remedyOf({ name }: Error): string {
  if (name !== 'JournalDamage') return ''
  return '. List the damage with `strikebook verify`, then restore a backup with `strikebook restore`'
}

/** Returns true if another start would fail in the same way. Any other failure of a thread may be temporary. */
function isFinal(role: string, error: Error): boolean {
  if (role !== startRole) return refusals.includes(error.name)
  const { code } = error as NodeJS.ErrnoException
  return !(error instanceof DataLockHeld || passingCodes.includes(code ?? ''))
}
