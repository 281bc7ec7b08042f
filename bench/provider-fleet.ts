import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** First message to a process of quote providers. */
export interface FleetPlan {
  readonly streamUrl: string
  /** Key of each provider, registered with the venue. */
  readonly privateKeys: readonly string[]
  /** Symbols that every provider quotes once a second. */
  readonly symbols: readonly string[]
}

/** Activity of the providers between `begin` and `end`. */
export interface FleetReport {
  /** Number of times that a provider quoted its whole market. */
  readonly rounds: number
  /** Number of rounds that began before the previous one had left the socket. */
  readonly blocked: number
}

const processFile = join(import.meta.dirname, 'quoting-providers.js')

/** Quote providers in their own process, so that their work does not load the measuring client. */
export class ProviderFleet {
  readonly #child: ChildProcess
  readonly #exited: Promise<never>

  private constructor(child: ChildProcess) {
    this.#child = child
    this.#exited = once(child, 'exit').then(([code]) => {
      throw new Error(`the providers ended with code ${code}`)
    })
    this.#exited.catch(() => {}) // `#ask` reports it
  }

  /** Starts the process and waits until its frames are built. */
  static async start(plan: FleetPlan): Promise<ProviderFleet> {
    const fleet = new ProviderFleet(fork(processFile))
    await fleet.#ask(plan)
    return fleet
  }

  /** Connects all. Resolves when each has quoted its market twice. @throws Error if a session fails. */
  async begin(): Promise<void> {
    await this.#ask('begin')
  }

  /** Ends all sessions. @throws Error if the venue reported a fault in a quote. */
  async end(): Promise<FleetReport> {
    return (await this.#ask('end')) as FleetReport
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const exited = once(this.#child, 'exit')
    this.#child.disconnect()
    await exited
  }

  /** @returns its next message. */
  async #ask(order: string | FleetPlan): Promise<unknown> {
    const answered = once(this.#child, 'message')
    this.#child.send(order)
    const [answer] = await Promise.race([answered, this.#exited])
    return answer
  }
}
