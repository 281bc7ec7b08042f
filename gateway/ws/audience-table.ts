import { type Channel, channelRows } from '../../schemas/interface/channels.js'
import { Audience } from './audience.js'
import type { Session } from './session.js'
import type { Subscription } from './subscriptions.js'

/** Subscribers of channels. */
export interface Audiences {
  /** True if the private channel has a subscriber; otherwise no event needs its wallet looked up. */
  hasSubscribers(channel: Channel): boolean
  /**
   * Encodes a message once, if it has a subscriber, and delivers it to each.
   * @param wallet '' on a public channel. @param seq Sequence of the message.
   */
  tell(
    channel: Channel,
    wallet: string,
    symbol: string,
    seq: number,
    encodeOnce: () => Uint8Array,
    deliver: (session: Session, bytes: Uint8Array) => void,
  ): void
}

/** Audiences of all channels. A private channel has one per wallet that has a subscriber. */
export class AudienceTable implements Audiences {
  readonly #byKey = new Map<string, Audience<Session>>()
  /** Live subscriptions per private channel. */
  readonly #privateCounts = new Map<Channel, number>()

  /** Returns the audience of a public channel, which never changes. */
  ofChannel(channel: Channel): Audience<Session> {
    return this.#audience(audienceKey(channel, ''))
  }

  add(session: Session, { channel, symbols }: Subscription): void {
    this.#audience(keyFor(session, channel)).add(session, symbols)
    this.#countPrivate(channel, 1)
  }

  /** Reverts one `add`, made under the session's present wallet. */
  remove(session: Session, { channel, symbols }: Subscription): void {
    const key = keyFor(session, channel)
    const audience = this.#audience(key)
    audience.remove(session, symbols)
    this.#countPrivate(channel, -1)
    if (channelRows[channel].isPrivate && audience.isEmpty()) this.#byKey.delete(key)
  }

  hasSubscribers(channel: Channel): boolean {
    return this.#privateCounts.has(channel)
  }

  tell(
    channel: Channel,
    wallet: string,
    symbol: string,
    _seq: number,
    encodeOnce: () => Uint8Array,
    deliver: (session: Session, bytes: Uint8Array) => void,
  ): void {
    const audience = this.#byKey.get(audienceKey(channel, wallet))
    if (audience === undefined || !audience.hears(symbol)) return
    const bytes = encodeOnce()
    audience.visit(symbol, (session) => deliver(session, bytes))
  }

  #audience(key: string): Audience<Session> {
    let audience = this.#byKey.get(key)
    if (audience === undefined) this.#byKey.set(key, (audience = new Audience()))
    return audience
  }

  #countPrivate(channel: Channel, change: number): void {
    if (!channelRows[channel].isPrivate) return
    const count = (this.#privateCounts.get(channel) ?? 0) + change
    if (count > 0) this.#privateCounts.set(channel, count)
    else this.#privateCounts.delete(channel)
  }
}

function keyFor(session: Session, channel: Channel): string {
  return audienceKey(channel, channelRows[channel].isPrivate ? session.wallet : '')
}

function audienceKey(channel: Channel, wallet: string): string {
  return wallet === '' ? channel : `${channel} ${wallet}`
}
