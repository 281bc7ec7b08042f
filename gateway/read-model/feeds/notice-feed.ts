import type { Counters } from '../../../engine/memory/counters.js'
import { CounterName } from '../../../engine/memory/counters.js'
import { type ExchangeMemory, flagWords, wakeupOf } from '../../../engine/memory/exchange-memory.js'
import { Ring } from '../../../engine/memory/ring.js'
import { Wakeup } from '../../../engine/memory/wakeup.js'
import { pushKeyBytes } from '../../../schemas/bounds.js'
import {
  type AnyEvent,
  EventType,
  FillEvent,
  LiquidationEvent,
  PayoutEvent,
  PushEvent,
} from '../../../schemas/generated/events.js'
import { NoticeRecord } from '../../../schemas/generated/notices.js'
import { LiquidationChange, PushChange, PushTopic } from '../../../schemas/record-values.js'
import { formatAddress } from '../../../schemas/wallet.js'
import { type Notice, noticeOfFill, noticeOfLiquidation, noticeOfPayout } from '../texts/notices.js'

/** Push subscription of one browser. Only the encrypting thread uses its keys. */
interface Subscription {
  readonly id: number
  readonly endpoint: string
  /** Base64. */
  readonly keys: string
}

interface Listener {
  readonly wallet: string
  topics: number
  readonly subscriptions: Map<number, Subscription>
}

const push = new PushEvent()
const fill = new FillEvent()
const payout = new PayoutEvent()
const liquidation = new LiquidationEvent()
const record = new NoticeRecord()

/**
 * Publishes notices for wallets with subscriptions to the push thread: fills, liquidation changes and settlements,
 * starting at the end of the bootstrap. Drops and counts what finds no room in the ring, so that nothing here waits for
 * a push service. A venue without subscriptions pays one comparison per event.
 */
export class NoticeFeed {
  readonly #ring: Ring
  readonly #bell: Wakeup
  readonly #flags: Int32Array
  readonly #counters: Counters
  readonly #symbolOf: (instrument: number) => string
  /** By account. */
  readonly #listeners = new Map<number, Listener>()
  #uncommitted = 0

  constructor(
    memory: Pick<ExchangeMemory, 'noticeRing' | 'wakeups' | 'flags'>,
    counters: Counters,
    symbolOf: (instrument: number) => string,
  ) {
    this.#ring = new Ring(memory.noticeRing, 'producer')
    this.#bell = new Wakeup(memory.wakeups, wakeupOf.push)
    this.#flags = new Int32Array(memory.flags)
    this.#counters = counters
    this.#symbolOf = symbolOf
  }

  /**
   * @param isLive True for a new event after the bootstrap.
   */
  take(event: AnyEvent, isLive: boolean): void {
    const { recordType: type } = event
    if (type === EventType.Push) this.#subscribe(push.of(event))
    else if (type === EventType.BootstrapBegin) this.#listeners.clear()
    else if (isLive && this.#listeners.size > 0) this.#notice(type, event)
  }

  /** Makes written notices visible. */
  flush(): void {
    if (this.#uncommitted === 0) return
    this.#uncommitted = 0
    this.#ring.commit()
    this.#bell.ring()
  }

  #notice(type: number, event: AnyEvent): void {
    if (type === EventType.Fill) {
      const { account, instrument } = fill.of(event)
      const listener = this.#listenerOf(account, PushTopic.Fills)
      if (listener !== null) this.#publish(listener, noticeOfFill(fill, this.#symbolOf(instrument)))
    } else if (type === EventType.Payout) {
      const { account, instrument } = payout.of(event)
      const listener = this.#listenerOf(account, PushTopic.Settlements)
      if (listener !== null)
        this.#publish(listener, noticeOfPayout(payout, this.#symbolOf(instrument)))
    } else if (type === EventType.Liquidation) {
      const { account, change } = liquidation.of(event)
      if (change !== LiquidationChange.State) return
      const listener = this.#listenerOf(account, PushTopic.Liquidations)
      if (listener !== null) this.#publish(listener, noticeOfLiquidation(liquidation))
    }
  }

  #listenerOf(account: number, topic: PushTopic): Listener | null {
    const listener = this.#listeners.get(account)
    if (listener === undefined || (listener.topics & topic) === 0) return null
    return listener.subscriptions.size === 0 ? null : listener
  }

  #publish({ wallet, subscriptions }: Listener, payload: Notice): void {
    for (const subscription of subscriptions.values()) {
      const text = JSON.stringify({ wallet, ...subscription, payload })
      const textBytes = Buffer.byteLength(text)
      if (!record.claim(this.#ring, NoticeRecord.bytesWith(textBytes))) {
        this.#counters.add(CounterName.PushDropped, 1)
        continue
      }
      record.textBytes = textBytes
      Buffer.from(record.u8.buffer, record.u8.byteOffset + record.textAt, textBytes).write(text)
      this.#uncommitted++
    }
  }

  #subscribe(event: PushEvent): void {
    const { account, change, subscriptionId: id, topics, u8, walletAt } = event
    const wallet = formatAddress(u8, walletAt)
    const known = this.#listeners.get(account)
    const listener = known ?? { wallet, topics, subscriptions: new Map() }
    if (known === undefined) this.#listeners.set(account, listener)
    listener.topics = topics
    if (change === PushChange.Removed) listener.subscriptions.delete(id)
    else if (id > 0) listener.subscriptions.set(id, subscriptionOf(event))
    if (listener.subscriptions.size > 0) Atomics.store(this.#flags, flagWords.pushWanted, 1)
    else this.#listeners.delete(account)
  }
}

function subscriptionOf(event: PushEvent): Subscription {
  const { u8, subscriptionId: id, endpointAt, endpointBytes, keysAt } = event
  const textOf = (at: number, bytes: number, encoding: 'latin1' | 'base64') =>
    Buffer.from(u8.subarray(at, at + bytes)).toString(encoding)
  return {
    id,
    endpoint: textOf(endpointAt, endpointBytes, 'latin1'),
    keys: textOf(keysAt, pushKeyBytes, 'base64'),
  }
}
