import type { Channel } from '../../schemas/interface/channels.js'
import type { Audiences } from './audience-table.js'
import type { Session } from './session.js'
import type { Subscription } from './subscriptions.js'

/** One subscription of the connection, and what it wants to hear. */
export interface ResumedMember {
  readonly subscription: Subscription
  /** Only what came behind this sequence. */
  fromSeq: number
}

/** By the keys of their subscriptions. */
export type ResumedMembers = ReadonlyMap<string, ResumedMember>

/** One connection, as if nobody else heard the channel, and from each subscription's own sequence on. */
export class ResumeAudience implements Audiences {
  /** Messages so far. */
  count = 0
  /** Whether they are counted only, which spares to encode them. */
  readonly #isCounting: boolean
  readonly #session: Session
  readonly #channel: Channel
  readonly #wallet: string
  readonly #members: ResumedMembers

  /** @param members are looked at anew for each message. @param wallet '' on a public channel. */
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

  isHeard(channel: Channel): boolean {
    return channel === this.#channel
  }

  tell(...[channel, wallet, symbol, seq, encodeOnce, deliver]: Parameters<Audiences['tell']>) {
    if (channel !== this.#channel || wallet !== this.#wallet || !this.#hears(symbol, seq)) return
    this.count++
    if (!this.#isCounting) deliver(this.#session, encodeOnce())
  }

  #hears(symbol: string, seq: number): boolean {
    for (const { subscription, fromSeq } of this.#members.values()) {
      const { symbols } = subscription
      if (seq > fromSeq && (symbols === null || symbols.has(symbol))) return true
    }
    return false
  }
}
