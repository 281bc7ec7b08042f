import type { InstrumentNames } from '../link/instrument-names.js'
import type { Audience } from './audience.js'
import { type IndexPrice, indexPriceMessage } from './messages.js'
import type { Session } from './session.js'

/** Dependencies of the channel. */
export interface IndexChannelParts {
  readonly audience: Audience<Session>
  readonly names: InstrumentNames
  /** Minimum and maximum time between two messages. */
  readonly intervalMillis: number
  readonly idleMillis: number
  readonly nowMillis: () => number
  readonly deliver: (session: Session, bytes: Uint8Array) => void
}

interface Observation {
  readonly priceMicros: number
  readonly observedMillis: number
}

/**
 * The `index_prices` channel. Sends all prices that a session subscribed to in one message, on a change and
 * periodically. Every message is complete, so a newer one replaces one that is still queued.
 */
export class IndexChannel {
  readonly #parts: IndexChannelParts
  /** By index of the underlying. */
  readonly #observations: (Observation | undefined)[] = []
  #seq = 0
  #sentMillis = 0
  #isChanged = false

  constructor(parts: IndexChannelParts) {
    this.#parts = parts
  }

  onPrice(underlying: number, priceMicros: number, observedMillis: number, seq: number): void {
    this.#seq = seq
    if (!(priceMicros > 0)) return // no observation yet
    this.#observations[underlying] = { priceMicros, observedMillis }
    this.#isChanged = true
  }

  /** Sends if due. Called after runs of events and by a timer. */
  publish(): void {
    const { audience, intervalMillis, idleMillis, nowMillis } = this.#parts
    const elapsedMillis = nowMillis() - this.#sentMillis
    if (elapsedMillis < (this.#isChanged ? intervalMillis : idleMillis)) return
    this.#sentMillis = nowMillis()
    this.#isChanged = false
    const encoded = new Map<string, Uint8Array | null>()
    for (const session of audience.members()) this.#sendTo(session, encoded)
  }

  /**
   * @param symbols Null: all underlyings.
   */
  sendSnapshot(session: Session, symbols: ReadonlySet<string> | null): void {
    const prices = this.#prices(symbols)
    if (prices.length === 0) return
    this.#parts.deliver(session, indexPriceMessage(prices, this.#seq, true))
  }

  #sendTo(session: Session, encoded: Map<string, Uint8Array | null>): void {
    const wanted = wantedUnderlyings(session)
    const key = wanted === null ? '*' : [...wanted].sort().join()
    let bytes = encoded.get(key)
    if (bytes === undefined) {
      const prices = this.#prices(wanted)
      bytes = prices.length === 0 ? null : indexPriceMessage(prices, this.#seq, false)
      encoded.set(key, bytes)
    }
    if (bytes !== null) this.#parts.deliver(session, bytes)
  }

  #prices(wanted: ReadonlySet<string> | null): IndexPrice[] {
    const prices: IndexPrice[] = []
    this.#observations.forEach((observation, index) => {
      const underlying = this.#parts.names.underlying(index)
      if (observation === undefined || underlying === undefined) return
      if (wanted === null || wanted.has(underlying)) prices.push({ underlying, ...observation })
    })
    return prices.sort((a, b) => (a.underlying < b.underlying ? -1 : 1))
  }
}

/** Returns the union of the underlyings in the session's subscriptions; null: all. */
function wantedUnderlyings(session: Session): ReadonlySet<string> | null {
  const wanted = new Set<string>()
  for (const { channel, symbols } of session.subscriptions.values()) {
    if (channel !== 'index_prices') continue
    if (symbols === null) return null
    for (const symbol of symbols) wanted.add(symbol)
  }
  return wanted
}
