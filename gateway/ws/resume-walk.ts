import { AnyEvent, EventType } from '../../schemas/generated/events.js'
import { channelRows } from '../../schemas/interface/channels.js'
import type { GatewayContext } from '../link/gateway-context.js'
import { RfqBook } from '../link/rfq-book.js'
import { type EventChannel, EventChannels, eventsOfChannels } from './event-channels.js'
import { ResumeAudience, type ResumedMembers } from './resume-audience.js'
import { RfqReplay } from './rfq-replay.js'
import type { Session } from './session.js'

/** State that the walk reads from. */
export type ReplayContext = Pick<GatewayContext, 'config' | 'names' | 'rfqs' | 'eventWindow'>

/**
 * `more`: the time was used up. `lost`: the log has overwritten a needed event, or its state cannot be reconstructed.
 */
export type WalkEnd = 'more' | 'done' | 'lost'

export interface WalkParts {
  readonly context: ReplayContext
  readonly session: Session
  readonly channel: EventChannel
  /** Receiving subscriptions, checked for each message. */
  readonly members: ResumedMembers
  /** Number of the first run. */
  readonly firstRun: number
  readonly isCounting: boolean
}

const event = new AnyEvent()
// Events between two clock reads.
const eventsPerClockRead = 32

/** Replays recent events for one connection and channel, up to what the gateway has published so far. */
export class ResumeWalk {
  readonly #parts: WalkParts
  readonly #types: ReadonlySet<number>
  readonly #audience: ResumeAudience
  readonly #channels: EventChannels
  readonly #rfqs: RfqReplay | null
  /** Messages made in this turn. They are sent once the log is known to have retained their events. */
  #messages: Uint8Array[] = []
  #run: number
  /** Position in the log; null: start of the run. */
  #offset: number | null = null
  #isCut = false

  constructor(parts: WalkParts) {
    const { context, session, channel, members, isCounting } = parts
    this.#parts = parts
    this.#types = new Set(eventsOfChannels[channel])
    const isRfq = channel === 'rfq'
    this.#rfqs = isRfq ? new RfqReplay(session.wallet, context.rfqs) : null
    const wallet = channelRows[channel].isPrivate ? session.wallet : ''
    this.#audience = new ResumeAudience(session, channel, wallet, members, isCounting)
    this.#channels = new EventChannels({
      ...{ context, audiences: this.#audience, rfqs: this.#rfqs?.book ?? new RfqBook() },
      deliver: (_session, _channel, bytes) => this.#messages.push(bytes),
    })
    this.#run = parts.firstRun
  }

  /** Number of messages so far. */
  get count(): number {
    return this.#audience.count
  }

  /**
   * Continues until a limit is reached.
   * @param endMillis In terms of `performance.now`.
   * @param messagesMax Returns `more` after this many messages.
   * @param deliver Receives the messages in order, and none of the current batch if the walk is lost.
   */
  walk(endMillis: number, messagesMax: number, deliver: (bytes: Uint8Array) => void): WalkEnd {
    const { eventWindow } = this.#parts.context
    const { log } = eventWindow
    let end: WalkEnd = 'more'
    const countMax = this.count + messagesMax
    do {
      if (this.#run === eventWindow.nextRun) end = 'done'
      else {
        const run = eventWindow.run(this.#run)
        if (run === null) return 'lost'
        const begin = this.#offset ?? run.startOffset
        log.begin(begin)
        const hasEnded = this.#readSome(begin, run.endOffset)
        if (this.#isCut || !log.isKept(begin)) return 'lost'
        this.#offset = log.offset()
        if (hasEnded) {
          this.#channels.rfqs.onRunEnd(run.isStepComplete)
          this.#run++
          this.#offset = null
        }
      }
      for (const bytes of this.#messages) deliver(bytes)
      this.#messages = []
    } while (end === 'more' && this.count < countMax && performance.now() < endMillis)
    return end
  }

  /**
   * @returns True if the run has ended.
   */
  #readSome(begin: number, endOffset: number): boolean {
    const { log } = this.#parts.context.eventWindow
    try {
      for (let count = 0; count < eventsPerClockRead; count++) {
        const at = log.next(endOffset)
        if (at < 0) return true
        event.over(log, at)
        if (this.#types.has(event.recordType)) this.#take()
      }
    } catch (error) {
      // An overwritten record may contain anything. An intact record that throws is a bug.
      if (log.isKept(begin)) throw error
    }
    return false
  }

  #take(): void {
    if (event.recordType === EventType.Outcome) {
      this.#channels.onOutcome(event)
      return
    }
    if (this.#rfqs !== null) {
      const replayed = this.#rfqs.take(event)
      if (replayed === 'cut' && this.#isWanted(event.seq)) this.#isCut = true
      if (replayed !== 'published') return
    }
    this.#channels.onEvent(event)
  }

  #isWanted(seq: number): boolean {
    for (const { fromSeq } of this.#parts.members.values()) {
      if (seq > fromSeq) return true
    }
    return false
  }
}
