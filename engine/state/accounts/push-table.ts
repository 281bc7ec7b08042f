import { assert } from '../../../schemas/assert.js'
import { pushKeyBytes, pushPerWalletMax, pushSubscriptionsMax } from '../../../schemas/bounds.js'
import { pushTopicsAll } from '../../../schemas/record-values.js'
import type { StateReader, StateSink } from '../../memory/state-codec.js'
import { HashCell, HashKind } from '../../memory/state-hash.js'
import { AccountRow, AccountRows } from './account-rows.js'

/** Push subscription of one browser. */
export interface PushSubscription {
  readonly id: number
  readonly endpoint: string
  /** Public key and secret of the browser. */
  readonly keys: Uint8Array
}

/** Topics and subscriptions of one wallet. */
class PushWallet extends AccountRow {
  /** PushTopic bits. */
  topics: number = pushTopicsAll
  /** Oldest first, at most `pushPerWalletMax`. */
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

/** Push subscriptions. A wallet without any, and with all topics selected, has no row. */
export class PushTable extends AccountRows<PushWallet> {
  /** Number of subscriptions ever made. */
  #made = 0
  /** Number of current subscriptions, derived. */
  #count = 0
  readonly #cell = new HashCell(HashKind.PushCount, { save: (sink) => sink.f64(this.#made) })

  topicsOf(account: number): number {
    return this.find(account)?.topics ?? pushTopicsAll
  }

  subscriptionsOf(account: number): readonly PushSubscription[] {
    return this.find(account)?.subscriptions ?? []
  }

  /** Returns true if the wallet may add a subscription. A wallet at its own maximum may always replace its oldest. */
  hasRoom(account: number): boolean {
    const replacesOwn = this.subscriptionsOf(account).length === pushPerWalletMax
    return replacesOwn || this.#count < pushSubscriptionsMax
  }

  /**
   * Adds a subscription, and copies its keys. It replaces one with the same endpoint, or else the oldest if the wallet
   * has its maximum.
   * @returns the removed subscriptions and the new one.
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

  /**
   * Removes the matching subscriptions of the wallet.
   * @returns them.
   */
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

  /** Sets the topics of the wallet. */
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
