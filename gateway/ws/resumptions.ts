import { setImmediate } from 'node:timers'
import { resumedMessagesMax } from '../../schemas/bounds.js'
import { channelRows } from '../../schemas/interface/channels.js'
import { Result } from '../../schemas/results.js'
import { addressKeyOf } from '../limits/address-limits.js'
import { FairTurns, type Payer } from '../limits/fair-turns.js'
import type { RateVerdict } from '../limits/rate-windows.js'
import type { GatewayContext } from '../link/gateway-context.js'
import { Fault } from '../wire/fault.js'
import { type EventChannel, EventChannels } from './event-channels.js'
import { encode, errorMessage } from './messages.js'
import type { ResumedMember } from './resume-audience.js'
import { type ReplayContext, ResumeWalk, type WalkEnd } from './resume-walk.js'
import type { Session } from './session.js'
import type { Subscription } from './subscriptions.js'

export interface ResumptionsParts {
  readonly context: ReplayContext &
    Pick<GatewayContext, 'limits' | 'nowMillis' | 'socketMillis' | 'catchUp'>
  /** Has a subscription hear what happens from now on, or no longer. */
  readonly join: (session: Session, subscription: Subscription) => void
  readonly leave: (session: Session, subscription: Subscription) => void
  readonly reply: (session: Session, bytes: Uint8Array) => void
  readonly deliver: (session: Session, channel: EventChannel, bytes: Uint8Array) => void
  readonly flush: () => void
  /** Everything up to this sequence is told. */
  readonly toldSeq: () => number
}

/** A subscription of a connection that goes on from a sequence. */
interface Member extends ResumedMember {
  /** Whether it hears what happens just now. */
  isLive: boolean
  /** What its frame has named; null: it only waits until others have caught up. */
  readonly askedSeq: number | null
}

/** One connection and channel on its way. */
interface Resume {
  readonly session: Session
  readonly channel: EventChannel
  /** By the keys of their subscriptions. */
  readonly members: Map<string, Member>
  /** Asked for while others are told already: theirs begins when that is over. */
  readonly later: Map<string, Member>
  walk: ResumeWalk | null
  isTelling: boolean
}

const frameType = 'Subscribe'
// Out of a turn, in which orders wait: a resume may take longer, the others may not.
const turnMillisMax = 0.5
// Told again as the connection takes it, so that it is never the burst that fills its queue.
const queuedMessagesMax = 256
const queuedBytesMax = 256 * 1024

//  Subscribe ──► counting ──► telling ──► Resumed, live
//                    │           │ the others of the channel too: they stand still meanwhile, and hear the rest of it in
//                    ▼           ▼ its order
//      Error, then live      slow consumer: it never caught up before the log had gone round

/**
 * Subscriptions that go on from a sequence: what came behind it is made again from the event log, in turns beside
 * everything else, and the subscription joins those who hear the present where the two meet. Nothing is kept for it
 * beforehand, and while nobody resumes it costs nothing.
 */
export class Resumptions {
  readonly #parts: ResumptionsParts
  readonly #resumes = new FairTurns<Resume>()
  readonly #bySession = new Map<Session, Map<string, Resume>>()
  #isScheduled = false

  constructor(parts: ResumptionsParts) {
    this.#parts = parts
  }

  /** Under way. */
  get count(): number {
    return this.#resumes.size
  }

  /** @returns `EngineBusy` while the same subscription is on its way already. */
  refuses(session: Session, { channel, key }: Subscription): Fault | null {
    const resume = this.#of(session, channel)
    const member = resume?.members.get(key)
    const isUnderWay = resume?.later.has(key) || (member !== undefined && member.askedSeq !== null)
    return isUnderWay ? new Fault(Result.EngineBusy) : null
  }

  /**
   * Begins, behind the acknowledgement.
   * @param isLive whether the subscription hears the present already.
   * @returns false when that is not possible: it was said, and the subscription hears the present.
   */
  begin(session: Session, subscription: Subscription, fromSeq: number, isLive: boolean): boolean {
    const { channel, key } = subscription
    const member: Member = { subscription, fromSeq, askedSeq: fromSeq, isLive }
    if (!EventChannels.has(channel) || this.#firstRun(channel, fromSeq) === null) {
      const isHeld = this.addBeside(session, subscription)
      if (!isHeld && !isLive) this.#parts.join(session, subscription)
      this.#refuse(session, member)
      return false
    }
    const resume = this.#of(session, channel) ?? this.#add(session, channel)
    if (resume.isTelling) resume.later.set(key, member)
    else {
      resume.members.set(key, member)
      resume.walk = null
    }
    this.#schedule()
    return true
  }

  /** A further subscription of a channel: while another is told what it missed, it hears the present through that. */
  addBeside(session: Session, subscription: Subscription): boolean {
    const resume = this.#of(session, subscription.channel)
    if (resume === undefined || !resume.isTelling) return false
    const fromSeq = this.#parts.context.eventWindow.seq
    if (resume.members.has(subscription.key)) return true
    resume.members.set(subscription.key, { subscription, fromSeq, askedSeq: null, isLive: false })
    return true
  }

  /** A subscription ends. @returns whether it did not hear the present anyway. */
  remove(session: Session, { channel, key }: Subscription): boolean {
    const resume = this.#of(session, channel)
    if (resume === undefined) return false
    const member = resume.members.get(key) ?? resume.later.get(key)
    resume.members.delete(key)
    resume.later.delete(key)
    resume.walk = resume.isTelling ? resume.walk : null
    const isOver = resume.members.size + resume.later.size === 0
    if (isOver) this.#drop(resume)
    return member !== undefined && !member.isLive
  }

  /** Looks whether those that waited for room go on; called several times a second. */
  tick(): void {
    if (this.#resumes.size > 0) this.#schedule()
  }

  #of(session: Session, channel: string): Resume | undefined {
    return this.#bySession.get(session)?.get(channel)
  }

  #add(session: Session, channel: EventChannel): Resume {
    const resume = newResume(session, channel)
    this.#resumes.add(resume, this.#payerOf(session))
    const resumes = this.#bySession.get(session) ?? new Map<string, Resume>()
    this.#bySession.set(session, resumes.set(channel, resume))
    return resume
  }

  #drop(resume: Resume): void {
    const { session, channel } = resume
    this.#resumes.delete(resume)
    const resumes = this.#bySession.get(session)
    resumes?.delete(channel)
    if (resumes?.size === 0) this.#bySession.delete(session)
  }

  /** Where the walk begins, for who wants to hear what came behind `fromSeq`; null when not all of that can be told. */
  #firstRun(channel: EventChannel, fromSeq: number): number | null {
    const { context } = this.#parts
    const { eventWindow } = context
    // Another gateway may have told of it before this one has read it.
    if (fromSeq > eventWindow.seq) context.catchUp()
    const nowMillis = context.socketMillis()
    const run = eventWindow.runBehind(fromSeq, nowMillis)
    // What a request for quote has come to depends on how it began.
    return run === null || channel !== 'rfq' ? run : eventWindow.oldestRun(nowMillis)
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(this.#turn)
  }

  readonly #turn = (): void => {
    this.#isScheduled = false
    const endMillis = performance.now() + turnMillisMax
    do {
      const resume = this.#resumes.next(canGoOn)
      if (resume === null) break
      if (resume.session.isClosed) this.#drop(resume)
      else this.#goOn(resume, endMillis)
    } while (performance.now() < endMillis)
    this.#parts.flush()
    if (this.#resumes.some(canGoOn)) this.#schedule()
  }

  #goOn(resume: Resume, endMillis: number): void {
    const { session, channel } = resume
    const walk = (resume.walk ??= this.#newWalk(resume))
    if (walk === null) {
      this.#giveUp(resume)
      return
    }
    const deliver = (bytes: Uint8Array) => this.#parts.deliver(session, channel, bytes)
    const end = walk.walk(endMillis, queuedMessagesMax, deliver)
    if (resume.isTelling) this.#onTold(resume, end)
    else if (end === 'lost' || walk.count > resumedMessagesMax) this.#giveUp(resume)
    else if (end === 'done') this.#pay(resume, walk.count)
  }

  #onTold(resume: Resume, end: WalkEnd): void {
    if (end === 'done') this.#finish(resume)
    if (end !== 'lost') return
    // Whoever stood still meanwhile would miss something: that must not happen unseen.
    this.#drop(resume)
    resume.session.closeSlow(channelRows[resume.channel].messageClass, 'message_age')
  }

  /** One that tells nothing costs, too: it was looked for. */
  #pay(resume: Resume, messages: number): void {
    const { limits, nowMillis } = this.#parts.context
    const { session } = resume
    const { account } = this.#resumes.payerOf(resume)!
    const client = addressKeyOf(session.socket.address)
    const full = limits.takeResumed(client, account, Math.max(1, messages), nowMillis())
    if (full === null) this.#beginTelling(resume)
    else this.#giveUp(resume, full)
  }

  /** A wallet has shown who it is by its session of reads; such without an account are made freely. */
  #payerOf({ socket, read }: Session): Payer {
    const address = Buffer.from(addressKeyOf(socket.address).bytes).toString('hex')
    const hasAccount = read !== null && this.#parts.context.limits.directory.hasAccount(read.wallet)
    return { address, account: hasAccount ? read.wallet : '' }
  }

  #beginTelling(resume: Resume): void {
    this.#pauseOthers(resume)
    resume.isTelling = true
    resume.walk = this.#newWalk(resume)
    if (resume.walk === null) this.#giveUp(resume)
  }

  #newWalk(resume: Resume): ResumeWalk | null {
    const { session, channel, members, isTelling } = resume
    const fromSeq = Math.min(...[...members.values()].map((member) => member.fromSeq))
    const firstRun = this.#firstRun(channel, fromSeq)
    if (firstRun === null) return null
    const { context } = this.#parts
    return new ResumeWalk({
      ...{ context, session, channel, members },
      ...{ firstRun, isCounting: !isTelling },
    })
  }

  /** From here on the walk tells all that the connection hears of the channel, in its order. */
  #pauseOthers(resume: Resume): void {
    const { session, channel, members } = resume
    const fromSeq = this.#parts.context.eventWindow.seq
    for (const subscription of session.subscriptions.values()) {
      if (subscription.channel !== channel) continue
      const member = members.get(subscription.key)
      if (member === undefined) {
        members.set(subscription.key, { subscription, fromSeq, askedSeq: null, isLive: true })
      }
    }
    for (const member of members.values()) {
      if (member.isLive) this.#parts.leave(session, member.subscription)
      member.isLive = false
    }
  }

  /** The walk has come to the present. */
  #finish(resume: Resume): void {
    const { session, channel, members, later } = resume
    this.#drop(resume)
    const asOfSeq = this.#parts.toldSeq()
    for (const { subscription, askedSeq } of members.values()) {
      this.#parts.join(session, subscription)
      if (askedSeq === null) continue
      const range = { from_seq: askedSeq, as_of_seq: asOfSeq }
      this.#parts.reply(session, encode({ type: 'Resumed', channel, ...range }))
    }
    for (const { subscription, askedSeq } of later.values()) {
      this.begin(session, subscription, askedSeq!, members.has(subscription.key))
    }
  }

  /** Nothing was told yet: everybody hears the present. */
  #giveUp(resume: Resume, full: RateVerdict | null = null): void {
    const { session, members } = resume
    this.#drop(resume)
    for (const member of members.values()) {
      if (!member.isLive) this.#parts.join(session, member.subscription)
      if (member.askedSeq !== null) this.#refuse(session, member, full)
    }
  }

  /** @param full the window that it does not fit into. */
  #refuse(session: Session, { subscription, askedSeq }: Member, full: RateVerdict | null = null) {
    const { channel } = subscription
    const asOfSeq = this.#parts.toldSeq()
    const told = { request_type: frameType, channel, from_seq: askedSeq!, as_of_seq: asOfSeq }
    if (full === null) {
      this.#parts.reply(session, errorMessage(new Fault(Result.ResumeUnavailable), told))
      return
    }
    const { limit, retryAfterSeconds } = full
    const message =
      `Resumes are told ${limit} messages a minute: what came behind this sequence can be told ` +
      `again in ${retryAfterSeconds} seconds`
    const fault = new Fault(Result.ResumeUnavailable, {}, message)
    const window = { retry_after_secs: retryAfterSeconds, limit }
    this.#parts.reply(session, errorMessage(fault, { ...told, ...window }))
  }
}

function newResume(session: Session, channel: EventChannel): Resume {
  const [members, later] = [new Map<string, Member>(), new Map<string, Member>()]
  return { session, channel, members, later, walk: null, isTelling: false }
}

/** One whose connection has gone is taken out by its turn. */
function canGoOn({ session: { isClosed, outbox } }: Resume): boolean {
  if (isClosed) return true
  return outbox.count < queuedMessagesMax && outbox.bytes < queuedBytesMax
}
