import { Result } from '../../schemas/results.js'
import type { OperatorCommand } from '../operator/operator-commands.js'
import type { GroupSender } from '../operator/operator-port.js'

/** Source of the commands to send at a time. */
export interface Feed {
  step(nowMillis: number): readonly OperatorCommand[]
}

export interface FeedDriverOptions {
  readonly feed: Feed
  readonly sender: GroupSender
  readonly onRefused: (result: Result) => void
  readonly stepMillis?: number
  readonly nowMillis?: () => number
}

const stepMillisDefault = 1000
// Far below the capacity of the operator's ring, so that other operator requests always fit.
const commandsUnderWayMax = 64

/**
 * Runs a feed, one step per second, and sends its commands as operator commands. Skips a step if the last one is not
 * done.
 */
export class FeedDriver {
  readonly #options: FeedDriverOptions
  #timer: NodeJS.Timeout | null = null
  #isStepping = false

  constructor(options: FeedDriverOptions) {
    this.#options = options
  }

  /** Runs the first step, which lists the market, then one per second. */
  async start(): Promise<void> {
    await this.step()
    this.#timer = setInterval(() => {
      this.step()
    }, this.#options.stepMillis ?? stepMillisDefault)
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
  }

  /** Sends the commands of one step. @returns once all are done. */
  async step(): Promise<void> {
    if (this.#isStepping) return
    this.#isStepping = true
    const { feed, sender, onRefused, nowMillis = Date.now } = this.#options
    const commands = feed.step(nowMillis())
    for (let first = 0; first < commands.length; first += commandsUnderWayMax) {
      const sent = commands.slice(first, first + commandsUnderWayMax)
      const outcomes = await sender.sendTogether(sent)
      for (const { result } of outcomes) if (result !== Result.Accepted) onRefused(result)
    }
    this.#isStepping = false
  }
}
