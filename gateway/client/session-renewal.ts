import type { ReadSessions } from './read-sessions.js'

/** Shows a session to a connection. @param isFirst whether it is the first one of that connection. */
type Show = (text: string, isFirst: boolean) => void

/** A session is shown anew so long before it is over; `ReadSessions` has the next one by then. */
const renewMillis = 540_000
const renewMillisMin = 1000

/** Shows a connection a session of reads, and the next one before that is over. */
export class SessionRenewal {
  readonly #sessions: ReadSessions
  /** Counts connections: what was begun for an earlier one comes to nothing. */
  #connection = 0
  #timer: ReturnType<typeof setTimeout> | null = null
  /** Whether the connection of now was shown one. */
  isShown = false

  constructor(sessions: ReadSessions) {
    this.#sessions = sessions
  }

  /** @param fail hears that none was signed. */
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
