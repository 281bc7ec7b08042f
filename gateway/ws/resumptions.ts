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
  /** Adds a subscription to the live audience, or removes it. */
  readonly join: (session: Session, subscription: Subscription) => void
  readonly leave: (session: Session, subscription: Subscription) => void
  readonly reply: (session: Session, bytes: Uint8Array) => void
  readonly deliver: (session: Session, channel: EventChannel, bytes: Uint8Array) => void
  readonly flush: () => void
  /** Returns the sequence up to which everything has been sent. */
  readonly sentSeq: () => number
}

/** Subscription of a connection that takes part in a resume. */
interface Member extends ResumedMember {
  /** True while it receives live messages. */
  isLive: boolean
  /** Sequence that its frame requested; null: it only waits until the others have caught up. */
  readonly requestedSeq: number | null
}

/** Resume in progress on one connection and channel. */
interface Resume {
  readonly session: Session
  readonly channel: EventChannel
  /** Members by the key of their subscription. */
  readonly members: Map<string, Member>
  /** Requested while the resume is already sending; they start after it. */
  readonly later: Map<string, Member>
  walk: ResumeWalk | null
  isSending: boolean
}

const frameType = 'Subscribe'
// Time limit per turn, since orders wait during it.
const turnMillisMax = 0.5
// Sends as the connection drains, so that a resume never fills its queue.
const queuedMessagesMax = 256
const queuedBytesMax = 256 * 1024

//  Subscribe ──► counting ──► sending ──► Resumed, live
//                    │           │ also pauses the channel's other subscriptions, which receive its messages
//                    ▼           ▼ in order through the walk
//      Error, then live      slow consumer: the log wrapped around before it caught up

/**
 * Subscriptions that resume from a sequence. Encodes the missed messages again from the event log, in turns alongside
 * all other work, and joins the subscription to the live audience where the two meet. Retains nothing beforehand, so
 * idle resumption costs nothing.
 */
export class Resumptions {
  readonly #parts: ResumptionsParts
  readonly #resumes = new FairTurns<Resume>()
  readonly #bySession = new Map<Session, Map<string, Resume>>()
  #isScheduled = false

  constructor(parts: ResumptionsParts) {
    this.#parts = parts
  }

  /** Number of resumes in progress. */
  get count(): number {
    return this.#resumes.size
  }

  /**
   * @returns `EngineBusy` while the same subscription is already resuming.
   */
  refuses(session: Session, { channel, key }: Subscription): Fault | null {
    const resume = this.#of(session, channel)
    const member = resume?.members.get(key)
    const isUnderWay =
      resume?.later.has(key) || (member !== undefined && member.requestedSeq !== null)
    return isUnderWay ? new Fault(Result.EngineBusy) : null
  }

  /**
   * Starts a resume, after the acknowledgement.
   * @param isLive True if the subscription already receives live messages.
   * @returns False if the sequence is unavailable: the client gets an Error, and the subscription is live.
   */
  begin(session: Session, subscription: Subscription, fromSeq: number, isLive: boolean): boolean {
    const { channel, key } = subscription
    const member: Member = { subscription, fromSeq, requestedSeq: fromSeq, isLive }
    if (!EventChannels.has(channel) || this.#firstRun(channel, fromSeq) === null) {
      const isHeld = this.addToAddress(session, subscription)
      if (!isHeld && !isLive) this.#parts.join(session, subscription)
      this.#refuse(session, member)
      return false
    }
    const resume = this.#of(session, channel) ?? this.#add(session, channel)
    if (resume.isSending) resume.later.set(key, member)
    else {
      resume.members.set(key, member)
      resume.walk = null
    }
    this.#schedule()
    return true
  }

  /**
   * Adds a subscription of a channel that is resuming: it receives live messages through the walk. False if none is
   * sending.
   */
  addToAddress(session: Session, subscription: Subscription): boolean {
    const resume = this.#of(session, subscription.channel)
    if (resume === undefined || !resume.isSending) return false
    const fromSeq = this.#parts.context.eventWindow.seq
    if (resume.members.has(subscription.key)) return true
    resume.members.set(subscription.key, {
      subscription,
      fromSeq,
      requestedSeq: null,
      isLive: false,
    })
    return true
  }

  /** Removes a subscription. @returns True if it was not live. */
  remove(session: Session, { channel, key }: Subscription): boolean {
    const resume = this.#of(session, channel)
    if (resume === undefined) return false
    const member = resume.members.get(key) ?? resume.later.get(key)
    resume.members.delete(key)
    resume.later.delete(key)
    resume.walk = resume.isSending ? resume.walk : null
    const isOver = resume.members.size + resume.later.size === 0
    if (isOver) this.#drop(resume)
    return member !== undefined && !member.isLive
  }

  /** Reschedules resumes that waited for queue space. Called several times a second. */
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

  /** Returns the run where a walk after `fromSeq` starts; null if not all of its messages are available. */
  #firstRun(channel: EventChannel, fromSeq: number): number | null {
    const { context } = this.#parts
    const { eventWindow } = context
    // Another gateway may have sent this sequence before this one has read it.
    if (fromSeq > eventWindow.seq) context.catchUp()
    const nowMillis = context.socketMillis()
    const run = eventWindow.firstAfter(fromSeq, nowMillis)
    // The result of an RFQ depends on its start.
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
      const resume = this.#resumes.next(canContinue)
      if (resume === null) break
      if (resume.session.isClosed) this.#drop(resume)
      else this.#continue(resume, endMillis)
    } while (performance.now() < endMillis)
    this.#parts.flush()
    if (this.#resumes.some(canContinue)) this.#schedule()
  }

  #continue(resume: Resume, endMillis: number): void {
    const { session, channel } = resume
    const walk = (resume.walk ??= this.#newWalk(resume))
    if (walk === null) {
      this.#giveUp(resume)
      return
    }
    const deliver = (bytes: Uint8Array) => this.#parts.deliver(session, channel, bytes)
    const end = walk.walk(endMillis, queuedMessagesMax, deliver)
    if (resume.isSending) this.#onWalked(resume, end)
    else if (end === 'lost' || walk.count > resumedMessagesMax) this.#giveUp(resume)
    else if (end === 'done') this.#charge(resume, walk.count)
  }

  #onWalked(resume: Resume, end: WalkEnd): void {
    if (end === 'done') this.#finish(resume)
    if (end !== 'lost') return
    // A paused subscription would miss messages without notice, so close the connection.
    this.#drop(resume)
    resume.session.closeSlow(channelRows[resume.channel].messageClass, 'message_age')
  }

  /** A resume without messages also costs, because it had to be searched. */
  #charge(resume: Resume, messages: number): void {
    const { limits, nowMillis } = this.#parts.context
    const { session } = resume
    const { account } = this.#resumes.payerOf(resume)!
    const client = addressKeyOf(session.socket.address)
    const full = limits.takeResumed(client, account, Math.max(1, messages), nowMillis())
    if (full === null) this.#beginSending(resume)
    else this.#giveUp(resume, full)
  }

  /**
   * Returns the payer: the wallet of the read session if it has an account, since sessions without one are free to
   * make.
   */
  #payerOf({ socket, read }: Session): Payer {
    const address = Buffer.from(addressKeyOf(socket.address).bytes).toString('hex')
    const hasAccount = read !== null && this.#parts.context.limits.directory.hasAccount(read.wallet)
    return { address, account: hasAccount ? read.wallet : '' }
  }

  #beginSending(resume: Resume): void {
    this.#pauseOthers(resume)
    resume.isSending = true
    resume.walk = this.#newWalk(resume)
    if (resume.walk === null) this.#giveUp(resume)
  }

  #newWalk(resume: Resume): ResumeWalk | null {
    const { session, channel, members, isSending } = resume
    const fromSeq = Math.min(...[...members.values()].map((member) => member.fromSeq))
    const firstRun = this.#firstRun(channel, fromSeq)
    if (firstRun === null) return null
    const { context } = this.#parts
    return new ResumeWalk({
      ...{ context, session, channel, members },
      ...{ firstRun, isCounting: !isSending },
    })
  }

  /** Pauses all subscriptions of the channel: from here on the walk sends their messages in order. */
  #pauseOthers(resume: Resume): void {
    const { session, channel, members } = resume
    const fromSeq = this.#parts.context.eventWindow.seq
    for (const subscription of session.subscriptions.values()) {
      if (subscription.channel !== channel) continue
      const member = members.get(subscription.key)
      if (member === undefined) {
        members.set(subscription.key, { subscription, fromSeq, requestedSeq: null, isLive: true })
      }
    }
    for (const member of members.values()) {
      if (member.isLive) this.#parts.leave(session, member.subscription)
      member.isLive = false
    }
  }

  /** Ends a resume that has caught up. */
  #finish(resume: Resume): void {
    const { session, channel, members, later } = resume
    this.#drop(resume)
    const asOfSeq = this.#parts.sentSeq()
    for (const { subscription, requestedSeq } of members.values()) {
      this.#parts.join(session, subscription)
      if (requestedSeq === null) continue
      const range = { from_seq: requestedSeq, as_of_seq: asOfSeq }
      this.#parts.reply(session, encode({ type: 'Resumed', channel, ...range }))
    }
    for (const { subscription, requestedSeq } of later.values()) {
      this.begin(session, subscription, requestedSeq!, members.has(subscription.key))
    }
  }

  /** Abandons a resume that has sent nothing yet, and makes its members live. */
  #giveUp(resume: Resume, full: RateVerdict | null = null): void {
    const { session, members } = resume
    this.#drop(resume)
    for (const member of members.values()) {
      if (!member.isLive) this.#parts.join(session, member.subscription)
      if (member.requestedSeq !== null) this.#refuse(session, member, full)
    }
  }

  /**
   * @param full The used-up rate window.
   */
  #refuse(
    session: Session,
    { subscription, requestedSeq }: Member,
    full: RateVerdict | null = null,
  ) {
    const { channel } = subscription
    const asOfSeq = this.#parts.sentSeq()
    const fields = { request_type: frameType, channel, from_seq: requestedSeq!, as_of_seq: asOfSeq }
    if (full === null) {
      this.#parts.reply(session, errorMessage(new Fault(Result.ResumeUnavailable), fields))
      return
    }
    const { limit, retryAfterSeconds } = full
    const message =
      `Resumes may send ${limit} messages a minute: this one can send the messages after its sequence ` +
      `in ${retryAfterSeconds} seconds`
    const fault = new Fault(Result.ResumeUnavailable, {}, message)
    const window = { retry_after_secs: retryAfterSeconds, limit }
    this.#parts.reply(session, errorMessage(fault, { ...fields, ...window }))
  }
}

function newResume(session: Session, channel: EventChannel): Resume {
  const [members, later] = [new Map<string, Member>(), new Map<string, Member>()]
  return { session, channel, members, later, walk: null, isSending: false }
}

/** True if a resume may continue. One of a closed connection is removed in its turn. */
function canContinue({ session: { isClosed, outbox } }: Resume): boolean {
  if (isClosed) return true
  return outbox.count < queuedMessagesMax && outbox.bytes < queuedBytesMax
}
