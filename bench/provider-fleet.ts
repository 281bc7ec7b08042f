import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** What a process of quote providers is started with. */
export interface FleetPlan {
  readonly streamUrl: string
  /** One for each provider, registered with the venue. */
  readonly privateKeys: readonly string[]
  /** What every one of them quotes, once a second. */
  readonly symbols: readonly string[]
}

/** What providers did between `begin` and `end`. */
export interface FleetReport {
  /** Times that one of them has quoted its whole market. */
  readonly rounds: number
  /** How often the one before had not left its socket then. */
  readonly blocked: number
}

const processFile = join(import.meta.dirname, 'quoting-providers.js')

/** Quote providers in a process of their own: what they do costs the measuring client nothing. */
export class ProviderFleet {
  readonly #child: ChildProcess
  readonly #exited: Promise<never>

  private constructor(child: ChildProcess) {
    this.#child = child
    this.#exited = once(child, 'exit').then(([code]) => {
      throw new Error(`the providers ended with code ${code}`)
    })
    this.#exited.catch(() => {}) // told to whoever waits
  }

  /** Starts the process, and waits until its frames are made. */
  static async start(plan: FleetPlan): Promise<ProviderFleet> {
    const fleet = new ProviderFleet(fork(processFile))
    await fleet.#ask(plan)
    return fleet
  }

  /** Connects all. @returns when each has quoted its market twice. @throws Error when one is refused. */
  async begin(): Promise<void> {
    await this.#ask('begin')
  }

  /** Ends all sessions. @throws Error when the venue had something to say against a quote. */
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
