import { EventLogWriter } from '../../engine/memory/event-log.js'
import { allocateExchangeMemory, type ExchangeMemory } from '../../engine/memory/exchange-memory.js'
import { Ring } from '../../engine/memory/ring.js'
import { AnyCommand } from '../../schemas/generated/commands.js'
import { EventType, OutcomeEvent } from '../../schemas/generated/events.js'
import { viewsOfCopy } from '../../schemas/record-views.js'
import { Result } from '../../schemas/results.js'

export interface OperatorVerdict {
  readonly result?: Result
  readonly flags?: number
  readonly instrument?: number
}

/** Core that decides nothing: keeps the operator's commands and answers as the test says. */
export class OperatorCore {
  readonly memory: ExchangeMemory = allocateExchangeMemory(1, 0)
  readonly log = new EventLogWriter(this.memory.eventLog, [])
  /** Copies of the operator's commands. */
  readonly seen: AnyCommand[] = []
  verdict: OperatorVerdict = {}
  /** True to leave requests unanswered. */
  isHeld = false
  seq = 0
  readonly #ring = new Ring(this.memory.commandRings[this.memory.gateways]!, 'consumer')
  readonly #command = new AnyCommand()
  readonly #outcome = new OutcomeEvent()
  readonly #timer = setInterval(() => this.#work(), 1)

  close(): void {
    clearInterval(this.#timer)
  }

  /** Publishes events that affect no request. */
  publishNoise(count: number): void {
    for (let i = 0; i < count; i++) {
      this.#outcome.claim(this.log, EventType.Outcome)
      this.#outcome.gateway = 0
    }
    this.log.storeDurable(this.log.publish())
  }

  #work(): void {
    if (this.isHeld) return
    for (let at = this.#ring.next(); at >= 0; at = this.#ring.next()) {
      this.#answer(this.#command.over(this.#ring, at))
    }
    this.#ring.release()
  }

  #answer({ u8, at, recordBytes, recordType, gateway, request }: AnyCommand): void {
    this.seen.push(new AnyCommand().over(viewsOfCopy(u8.subarray(at), recordBytes), 0))
    const outcome = this.#outcome
    outcome.claim(this.log, EventType.Outcome)
    outcome.clear()
    Object.assign(outcome, {
      seq: ++this.seq,
      timeMillis: 1000,
      gateway,
      request,
      result: this.verdict.result ?? Result.Accepted,
      command: recordType,
      flags: this.verdict.flags ?? 0,
    })
    outcome.facts.instrument = this.verdict.instrument ?? -1
    this.log.storeDurable(this.log.publish())
  }
}
