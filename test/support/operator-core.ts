import { EventLogWriter } from '../../engine/memory/event-log.js'
import { allocateExchangeMemory, type ExchangeMemory } from '../../engine/memory/exchange-memory.js'
import { recordBytesAt, recordTypeAt } from '../../engine/memory/layout.js'
import { Ring } from '../../engine/memory/ring.js'
import { commandGatewayAt, commandRequestAt } from '../../schemas/commands.js'
import {
  eventMillisAt,
  eventSeqAt,
  factsInstrumentAt,
  outcomeBytes,
  outcomeCommandAt,
  outcomeFactsAt,
  outcomeFlagsAt,
  outcomeGatewayAt,
  outcomeRequestAt,
  outcomeResultAt,
} from '../../schemas/events.js'
import { EventType } from '../../schemas/generated/events.js'
import { Result } from '../../schemas/results.js'

/** One operator command as it stood in the ring. */
export interface OperatorRecord {
  readonly type: number
  readonly bytes: Uint8Array
  readonly i32: Int32Array
  readonly f64: Float64Array
}

export interface OperatorVerdict {
  readonly result?: Result
  readonly flags?: number
  readonly instrument?: number
}

/** A core that decides nothing: it keeps the operator's commands and answers what the test says. */
export class OperatorCore {
  readonly memory: ExchangeMemory = allocateExchangeMemory(1, 0)
  readonly log = new EventLogWriter(this.memory.eventLog, [])
  readonly seen: OperatorRecord[] = []
  verdict: OperatorVerdict = {}
  /** While true nothing is answered. */
  isHeld = false
  seq = 0
  readonly #ring = new Ring(this.memory.commandRings[this.memory.gateways]!, 'consumer')
  readonly #timer = setInterval(() => this.#work(), 1)

  close(): void {
    clearInterval(this.#timer)
  }

  /** Publishes events that concern nobody. */
  publishNoise(count: number): void {
    for (let i = 0; i < count; i++) {
      const at = this.log.tryClaim(outcomeBytes, EventType.Outcome)
      this.log.i32[(at + outcomeGatewayAt) >> 2] = 0
    }
    this.log.storeDurable(this.log.publish())
  }

  #work(): void {
    if (this.isHeld) return
    for (let at = this.#ring.next(); at >= 0; at = this.#ring.next()) this.#answer(at)
    this.#ring.release()
  }

  #answer(at: number): void {
    const ring = this.#ring
    const bytes = ring.u8.slice(at, at + ring.i32[(at + recordBytesAt) >> 2])
    const type = ring.i32[(at + recordTypeAt) >> 2]
    const { buffer } = bytes
    this.seen.push({ type, bytes, i32: new Int32Array(buffer), f64: new Float64Array(buffer) })
    const out = this.log.tryClaim(outcomeBytes, EventType.Outcome)
    this.log.u8.fill(0, out + 8, out + outcomeBytes)
    this.log.f64[(out + eventSeqAt) >> 3] = ++this.seq
    this.log.f64[(out + eventMillisAt) >> 3] = 1000
    this.log.i32[(out + outcomeGatewayAt) >> 2] = ring.i32[(at + commandGatewayAt) >> 2]
    this.log.i32[(out + outcomeRequestAt) >> 2] = ring.i32[(at + commandRequestAt) >> 2]
    this.log.i32[(out + outcomeResultAt) >> 2] = this.verdict.result ?? Result.Accepted
    this.log.i32[(out + outcomeCommandAt) >> 2] = type
    this.log.i32[(out + outcomeFlagsAt) >> 2] = this.verdict.flags ?? 0
    const instrument = this.verdict.instrument ?? -1
    this.log.i32[(out + outcomeFactsAt + factsInstrumentAt) >> 2] = instrument
    this.log.storeDurable(this.log.publish())
  }
}
