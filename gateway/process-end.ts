import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Venue } from './venue.js'

const startMillisMax = 6000
export const exitOk = 0
export const exitFailure = 1
export const exitUsage = 2

/** How the process ends: gracefully by the first signal, at once by the second, with 1 by a failure. */
export class ProcessEnd {
  readonly #log: Logger
  #venue: Venue | null = null
  #signals = 0
  #isFailed = false
  #endStart: () => void = () => {}
  readonly #startEnded = new Promise<void>((resolve) => {
    this.#endStart = resolve
  })

  constructor(log: Logger) {
    this.#log = log
  }

  /**
   * The venue is up; a signal may have come while it was starting, or one of its threads be gone already.
   * @returns whether it stays.
   */
  begin(venue: Venue): boolean {
    this.#venue = venue
    if (this.#isFailed) {
      void venue.abandon().finally(this.#endStart)
      return false
    }
    if (this.#signals > 0) void this.#stop(venue)
    return true
  }

  onSignal(): void {
    this.#signals++
    // Not process.exit: threads with open sockets would abort it, and nothing acknowledged can be lost.
    if (this.#signals > 1) process.kill(process.pid, 'SIGKILL')
    if (this.#venue !== null) void this.#stop(this.#venue)
  }

  fail(role: string, error: Error): void {
    if (this.#isFailed || (this.#signals > 0 && this.#venue !== null)) return
    this.#isFailed = true
    this.#log.fatal({ role, err: error }, `${role} failed: ${error.message}`)
    // A thread that fails while the venue starts fails the start, which first lets the other threads go.
    const closed = this.#venue?.abandon() ?? Promise.race([this.#startEnded, sleep(startMillisMax)])
    closed.finally(() => process.exit(exitFailure))
  }

  /** The venue has not come up, and nothing of it runs any more. */
  failStart(error: Error): void {
    this.fail('start', error)
    this.#endStart()
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
