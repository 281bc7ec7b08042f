import { Result } from '../../schemas/results.js'
import type { OperatorCommand } from '../operator/operator-commands.js'
import type { GroupSender } from '../operator/operator-port.js'

/** Whatever says what to send at a time. */
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
// Far below the room of the operator's ring: other operator requests always find some.
const commandsUnderWayMax = 64

/**
 * Drives a feed: one step per second, its commands through the engine like any operator's. A step that is still
 * under way when the next is due lets that one out.
 */
export class FeedDriver {
  readonly #options: FeedDriverOptions
  #timer: NodeJS.Timeout | null = null
  #isStepping = false

  constructor(options: FeedDriverOptions) {
    this.#options = options
  }

  /** Sends the first step, which lists the market, and goes on with one per second. */
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

  /** Sends what the feed says now; comes back when all of it is done. */
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
