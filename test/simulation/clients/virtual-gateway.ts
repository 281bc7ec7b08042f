import type { Ring } from '../../../engine/memory/ring.js'
import { AnyEvent, EventType } from '../../../schemas/generated/events.js'
import { type LogReader, type Outcome, outcomeOf } from '../published/log-events.js'
import { mustHold } from '../run/simulation-errors.js'
import type { Action } from './action.js'
import { sendCommand } from './command-record.js'

/** Receiver of the answers. */
interface Answered {
  take(action: Action, outcome: Outcome): void
}

const event = new AnyEvent()

/**
 * Gateway of one process: sends actions over its command ring and finds their answers in the event log. The log's
 * writer does not wait for it.
 */
export class VirtualGateway {
  readonly index: number
  readonly log: LogReader
  /** Number of turns that a stall makes it miss. */
  turnsMissed = 0
  readonly #ring: Ring
  readonly #underWay = new Map<number, Action>()
  /** Requests retried since the log overtook this gateway; answers may still arrive. */
  readonly #forgotten = new Map<number, Action>()
  readonly #clients: Answered

  constructor(index: number, ring: Ring, log: LogReader, clients: Answered) {
    this.index = index
    this.#ring = ring
    this.log = log
    this.#clients = clients
  }

  /** Number of answers still to come. */
  get underWayCount(): number {
    return this.#underWay.size
  }

  /** @param nextRequest number of the first request; no number is used twice */
  send(action: Action, nextRequest: number): boolean {
    const { parts } = action
    const requests = parts.map((_, index) => nextRequest + index)
    if (!sendCommand(this.#ring, action.command, this.index, requests)) return false
    for (const [index, part] of parts.entries()) {
      part.underWay++
      this.#underWay.set(requests[index], part)
    }
    action.isSent = true
    return true
  }

  /**
   * Reads up to `limit` events.
   * @returns the number read, or -1 when the writer has overtaken the reader
   */
  doWork(limit: number): number {
    if (this.turnsMissed > 0) {
      this.turnsMissed--
      return 0
    }
    const { log } = this
    let count = 0
    while (count < limit) {
      const at = log.next()
      if (at < 0) break
      event.over(log, at)
      const outcome = event.recordType === EventType.Outcome ? outcomeOf(event) : null
      if (log.lapped()) {
        log.skipToDurable()
        this.forgetRequests()
        return -1
      }
      if (outcome !== null && outcome.gateway === this.index) this.#take(outcome)
      log.release()
      count++
    }
    return count
  }

  /** Makes its clients retry: their answers passed unread, or the process is gone. */
  forgetRequests(): void {
    for (const [request, action] of this.#underWay) {
      action.underWay--
      this.#forgotten.set(request, action)
    }
    this.#underWay.clear()
  }

  #take(outcome: Outcome): void {
    const { request } = outcome
    const awaited = this.#underWay.get(request)
    const action = awaited ?? this.#forgotten.get(request)
    mustHold(action !== undefined, () => {
      return `gateway ${this.index}: request ${request} is answered, unasked or once more`
    })
    if (awaited !== undefined) awaited.underWay--
    this.#underWay.delete(request)
    this.#forgotten.delete(request)
    this.#clients.take(action, outcome)
  }
}
