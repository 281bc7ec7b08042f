import { AnyEvent, EventType } from '../../schemas/generated/events.js'
import { channelRows } from '../../schemas/interface/channels.js'
import type { GatewayContext } from '../link/gateway-context.js'
import { RfqBook } from '../link/rfq-book.js'
import { type EventChannel, EventChannels, eventsOfChannels } from './event-channels.js'
import { ResumeAudience, type ResumedMembers } from './resume-audience.js'
import { RfqReplay } from './rfq-replay.js'
import type { Session } from './session.js'

/** What the walk reads by. */
export type ReplayContext = Pick<GatewayContext, 'config' | 'names' | 'rfqs' | 'eventWindow'>

/** `more`: the time was over. `lost`: the log has overwritten what was to be read, or it cannot be told as it was. */
export type WalkEnd = 'more' | 'done' | 'lost'

export interface WalkParts {
  readonly context: ReplayContext
  readonly session: Session
  readonly channel: EventChannel
  /** Who hears it, looked at anew for each message. */
  readonly members: ResumedMembers
  /** Number of the run to begin with. */
  readonly firstRun: number
  readonly isCounting: boolean
}

const event = new AnyEvent()
// Between two looks at the clock.
const eventsPerLook = 32

/** Reads the latest events again for one connection and channel, up to what the gateway has passed on by now. */
export class ResumeWalk {
  readonly #parts: WalkParts
  readonly #types: ReadonlySet<number>
  readonly #audience: ResumeAudience
  readonly #channels: EventChannels
  readonly #rfqs: RfqReplay | null
  /** Made in this turn; they may leave once the log is known to have held what they are made of. */
  #messages: Uint8Array[] = []
  #run: number
  /** In the log; null: where its run begins. */
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

  /** Messages so far. */
  get count(): number {
    return this.#audience.count
  }

  /**
   * Goes on for a while.
   * @param endMillis of `performance.now`.
   * @param messagesMax made at most before it says `more`.
   * @param deliver takes what is to be sent, in order; nothing comes to it when the walk is lost.
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
        const isOver = this.#readSome(begin, run.endOffset)
        if (this.#isCut || !log.isKept(begin)) return 'lost'
        this.#offset = log.offset()
        if (isOver) {
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

  /** @returns whether the run is over. */
  #readSome(begin: number, endOffset: number): boolean {
    const { log } = this.#parts.context.eventWindow
    try {
      for (let count = 0; count < eventsPerLook; count++) {
        const at = log.next(endOffset)
        if (at < 0) return true
        event.over(log, at)
        if (this.#types.has(event.recordType)) this.#take()
      }
    } catch (error) {
      // An overwritten record may hold anything; a whole one that is wrong is a bug.
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
      if (replayed !== 'told') return
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
