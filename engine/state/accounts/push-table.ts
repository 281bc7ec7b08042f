import { assert } from '../../../schemas/assert.js'
import { pushKeyBytes, pushPerWalletMax, pushSubscriptionsMax } from '../../../schemas/bounds.js'
import { pushTopicsAll } from '../../../schemas/record-values.js'
import type { StateReader, StateSink } from '../../memory/state-codec.js'
import { HashCell, HashKind } from '../../memory/state-hash.js'
import { AccountRow, AccountRows } from './account-rows.js'

/** Where one browser is to be notified. */
export interface PushSubscription {
  readonly id: number
  readonly endpoint: string
  /** Its point and secret. */
  readonly keys: Uint8Array
}

/** What one wallet is notified of, and where. */
class PushWallet extends AccountRow {
  /** PushTopic bits. */
  topics: number = pushTopicsAll
  /** The oldest first, at most `pushPerWalletMax`. */
  subscriptions: PushSubscription[] = []

  constructor(account: number) {
    super(account, HashKind.PushWallet)
  }

  get isEmpty(): boolean {
    return this.subscriptions.length === 0 && this.topics === pushTopicsAll
  }

  protected saveFacts(sink: StateSink): void {
    sink.i32(this.topics)
    sink.i32(this.subscriptions.length)
    for (const { id, endpoint, keys } of this.subscriptions) {
      sink.f64(id)
      sink.text(endpoint)
      sink.bytes(keys)
    }
  }
}

/** Subscriptions to notifications. A wallet without any, which wants to hear of everything, has no row. */
export class PushTable extends AccountRows<PushWallet> {
  /** Subscriptions ever made. */
  #made = 0
  /** Subscriptions there are, derived. */
  #count = 0
  readonly #cell = new HashCell(HashKind.PushCount, { save: (sink) => sink.f64(this.#made) })

  topicsOf(account: number): number {
    return this.find(account)?.topics ?? pushTopicsAll
  }

  subscriptionsOf(account: number): readonly PushSubscription[] {
    return this.find(account)?.subscriptions ?? []
  }

  /** Whether there is room for one more; a wallet that has as many as it may have gives one of its own. */
  hasRoom(account: number): boolean {
    const isGivingWay = this.subscriptionsOf(account).length === pushPerWalletMax
    return isGivingWay || this.#count < pushSubscriptionsMax
  }

  /**
   * Adds a subscription, whose keys are copied. One with the same endpoint gives way, or the oldest of too many.
   * @returns which gave way, and the new one.
   */
  subscribe(account: number, endpoint: string, keys: Uint8Array) {
    assert(keys.length === pushKeyBytes, 'push: the keys have the right length')
    const row = this.rowOf(account)
    const kept = row.subscriptions.filter((one) => one.endpoint !== endpoint)
    if (kept.length === pushPerWalletMax) kept.shift()
    const removed = row.subscriptions.filter((one) => !kept.includes(one))
    const added: PushSubscription = { id: ++this.#made, endpoint, keys: keys.slice() }
    this.hash.note(this.#cell)
    this.#keep(row, [...kept, added])
    return { removed, added }
  }

  /** Ends those of the wallet's subscriptions. @returns them. */
  remove(
    account: number,
    isEnding: (subscription: PushSubscription) => boolean,
  ): readonly PushSubscription[] {
    const row = this.find(account)
    const removed = row?.subscriptions.filter(isEnding) ?? []
    if (row !== undefined && removed.length > 0) {
      const kept = row.subscriptions.filter((one) => !removed.includes(one))
      this.#keep(row, kept)
    }
    return removed
  }

  /** Sets what the wallet wants to be notified of. */
  setTopics(account: number, topics: number): void {
    assert((topics & ~pushTopicsAll) === 0, 'push: the topics exist')
    const row = this.rowOf(account)
    row.topics = topics
    this.#keep(row, row.subscriptions)
  }

  override save(sink: StateSink): void {
    sink.f64(this.#made)
    super.save(sink)
  }

  override load(reader: StateReader): void {
    this.#made = reader.f64()
    if (this.#made > 0) this.hash.note(this.#cell)
    super.load(reader)
  }

  protected newRow(account: number): PushWallet {
    return new PushWallet(account)
  }

  protected loadFacts(row: PushWallet, reader: StateReader): void {
    row.topics = reader.i32()
    const subscriptions: PushSubscription[] = []
    for (let left = reader.i32(); left > 0; left--) {
      const [id, endpoint] = [reader.f64(), reader.text()]
      subscriptions.push({ id, endpoint, keys: reader.bytes(pushKeyBytes).slice() })
    }
    this.#keep(row, subscriptions)
  }

  #keep(row: PushWallet, subscriptions: PushSubscription[]): void {
    assert(
      subscriptions.length <= pushPerWalletMax,
      'push: a wallet has at most its share of subscriptions',
    )
    this.#count += subscriptions.length - row.subscriptions.length
    row.subscriptions = subscriptions
    this.settle(row)
  }
}
