import type { Channel } from '../../schemas/interface/channels.js'
import type { Audiences } from './audience-table.js'
import type { Session } from './session.js'
import type { Subscription } from './subscriptions.js'

/** Subscription that resumes, with its position. */
export interface ResumedMember {
  readonly subscription: Subscription
  /** Receives only messages after this sequence. */
  fromSeq: number
}

/** Members by the key of their subscription. */
export type ResumedMembers = ReadonlyMap<string, ResumedMember>

/** Audience of one connection only, with the position of each subscription. */
export class ResumeAudience implements Audiences {
  /** Messages so far. */
  count = 0
  /** Only counts messages, without encoding them. */
  readonly #isCounting: boolean
  readonly #session: Session
  readonly #channel: Channel
  readonly #wallet: string
  readonly #members: ResumedMembers

  /**
   * @param members Checked for each message. @param wallet '' on a public channel.
   */
  constructor(
    session: Session,
    channel: Channel,
    wallet: string,
    members: ResumedMembers,
    isCounting: boolean,
  ) {
    this.#session = session
    this.#channel = channel
    this.#wallet = wallet
    this.#members = members
    this.#isCounting = isCounting
  }

  hasSubscribers(channel: Channel): boolean {
    return channel === this.#channel
  }

  tell(...[channel, wallet, symbol, seq, encodeOnce, deliver]: Parameters<Audiences['tell']>) {
    if (channel !== this.#channel || wallet !== this.#wallet || !this.#matches(symbol, seq)) return
    this.count++
    if (!this.#isCounting) deliver(this.#session, encodeOnce())
  }

  #matches(symbol: string, seq: number): boolean {
    for (const { subscription, fromSeq } of this.#members.values()) {
      const { symbols } = subscription
      if (seq > fromSeq && (symbols === null || symbols.has(symbol))) return true
    }
    return false
  }
}
