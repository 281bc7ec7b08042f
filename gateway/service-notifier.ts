import { execFile } from 'node:child_process'

const command = 'systemd-notify'
/** Pings in one timeout of the watchdog. */
const pingsPerTimeout = 3

/**
 * Reports the state of this process to systemd (`Type=notify`, `WatchdogSec`). Uses the command `systemd-notify`, which comes
 * with systemd, because Node has no datagram sockets of the Unix domain. Does nothing if systemd did not start the
 * process.
 */
export class ServiceNotifier {
  readonly #socket: string
  readonly #path: string
  readonly #watchdogMillis: number
  readonly #onFault: (text: string) => void
  #timer: NodeJS.Timeout | null = null
  #isStopping = false
  #isFaulty = false

  /**
   * Removes the variables of systemd from the environment, so that no child reports in the name of this process.
   * @param onFault called once, when systemd cannot be reached.
   */
  constructor(environment: NodeJS.ProcessEnv, onFault: (text: string) => void) {
    const { NOTIFY_SOCKET = '', WATCHDOG_USEC = '0', PATH = '' } = environment
    this.#socket = NOTIFY_SOCKET
    this.#path = PATH
    this.#watchdogMillis = NOTIFY_SOCKET === '' ? 0 : Number(WATCHDOG_USEC) / 1000
    this.#onFault = onFault
    for (const name of ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID']) delete environment[name]
  }

  /** Reports that the service is up, and from then on pings the watchdog while `isAlive` returns true. */
  ready(status: string, isAlive: () => boolean): void {
    this.#notify('READY=1', `STATUS=${status}`)
    if (this.#watchdogMillis === 0) return
    const ping = () => {
      if (this.#isStopping || isAlive()) this.#notify('WATCHDOG=1')
    }
    this.#timer = setInterval(ping, this.#watchdogMillis / pingsPerTimeout)
    this.#timer.unref()
  }

  /** Reports that the service ends. Threads then end one by one, so the pings no longer depend on them. */
  stopping(): void {
    if (this.#isStopping) return
    this.#isStopping = true
    this.#notify('STOPPING=1', 'STATUS=stopping')
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
  }

  #notify(...assignments: readonly string[]): void {
    if (this.#socket === '') return
    const env = { NOTIFY_SOCKET: this.#socket, PATH: this.#path }
    execFile(command, assignments, { env }, (error) => {
      if (error === null || this.#isFaulty) return
      this.#isFaulty = true
      this.#onFault(
        `${command} failed, so systemd does not receive the state of the venue: ${error.message}`,
      )
    })
  }
}
