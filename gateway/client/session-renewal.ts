import type { ReadSessions } from './read-sessions.js'

/** Presents a session to a connection. @param isFirst True for the connection's first session. */
type Show = (text: string, isFirst: boolean) => void

/** Time before its expiry at which a session is replaced. `ReadSessions` has the next one by then. */
const renewMillis = 540_000
const renewMillisMin = 1000

/** Presents a read session to a connection, and the next one before it expires. */
export class SessionRenewal {
  readonly #sessions: ReadSessions
  /** Counts connections. Work begun for an earlier one is dropped. */
  #connection = 0
  #timer: ReturnType<typeof setTimeout> | null = null
  /** True if the current connection was given a session. */
  isShown = false

  constructor(sessions: ReadSessions) {
    this.#sessions = sessions
  }

  /**
   * @param fail Called if a session cannot be signed.
   */
  begin(show: Show, fail: () => void): void {
    this.end()
    this.#next(this.#connection, show, fail)
  }

  end(): void {
    this.#connection++
    this.isShown = false
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  async #next(connection: number, show: Show, fail: () => void): Promise<void> {
    try {
      const { text, expiresMillis } = await this.#sessions.current()
      if (connection !== this.#connection) return
      const isFirst = !this.isShown
      this.isShown = true
      show(text, isFirst)
      const millis = Math.max(renewMillisMin, expiresMillis - Date.now() - renewMillis)
      this.#timer = setTimeout(() => this.#next(connection, show, fail), millis)
    } catch {
      if (connection === this.#connection) fail()
    }
  }
}
