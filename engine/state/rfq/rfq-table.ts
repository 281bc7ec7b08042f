import { assert } from '../../../schemas/assert.js'
import type { RfqStatus } from '../../../schemas/domain.js'
import type { Result } from '../../../schemas/results.js'
import { DeadlineHeap } from '../../memory/deadline-heap.js'
import type { StateReader, StateSink } from '../../memory/state-codec.js'
import { HashCell, HashKind, type StateHash } from '../../memory/state-hash.js'
import { RfqIds } from './rfq-ids.js'
import { Rfq, type RfqTerms } from './rfq-row.js'

/** A request that has ended, and the reason. */
export interface EndedRfq {
  readonly row: Rfq
  readonly reason: Result
}

/** Open requests for quote, and the ids of the latest ones; each id works once. */
export class RfqTable {
  readonly ids: RfqIds
  /** Ids of auctions, which are not requests of a client. */
  readonly auctionIds: RfqIds
  /** True if an event of this step may end requests; handled in the same step, so not state. */
  mayBeStale = false
  /** Ended requests whose fallback order is still to be placed in this batch; likewise not state. */
  readonly fallbacks: EndedRfq[] = []
  /**
   * Protections that reached a limit by legs of this step, and whose orders are still to be cancelled; likewise not
   * state.
   */
  readonly frozen: { readonly account: number; readonly underlying: number }[] = []
  /** By the text of its id, in order of their beginning. */
  readonly #rows = new Map<string, Rfq>()
  readonly #heap = new DeadlineHeap<Rfq>()
  /** Number of open requests by account. */
  readonly #openCounts = new Map<number, number>()
  readonly #hash: StateHash
  /** Number of quotes checked so far. */
  #quoteCount = 0
  readonly #cell = new HashCell(HashKind.Rfqs, { save: (sink) => sink.f64(this.#quoteCount) })

  constructor(hash: StateHash) {
    this.#hash = hash
    this.ids = new RfqIds(hash)
    this.auctionIds = new RfqIds(hash)
  }

  /** Returns the serial number of the next quote. */
  nextQuoteNumber(): number {
    this.#hash.note(this.#cell)
    return ++this.#quoteCount
  }

  get rows(): IterableIterator<Rfq> {
    return this.#rows.values()
  }

  get count(): number {
    return this.#rows.size
  }

  /** Earliest deadline of an open request. */
  get nextMillis(): number {
    return this.#heap.nextMillis
  }

  /** The request with the earliest deadline; there must be one. */
  get nextDue(): Rfq {
    return this.#heap.first
  }

  /** @returns null if no request with that id is open. */
  find(key: string): Rfq | null {
    return this.#rows.get(key) ?? null
  }

  /** Returns the final status of a request by its id; null if it is not remembered. */
  endOf(key: string): RfqStatus | null {
    return (this.ids.find(key) ?? this.auctionIds.find(key))?.status ?? null
  }

  /** Returns the number of an account's open requests, without auctions. */
  openCountOf(account: number): number {
    return this.#openCounts.get(account) ?? 0
  }

  /** Returns true if the id is used, so that a new request cannot have it. */
  isUsed(key: string): boolean {
    return this.#rows.has(key) || this.endOf(key) !== null
  }

  /** Opens a request, whose id is remembered from here on. */
  add(terms: RfqTerms): Rfq {
    const row = new Rfq(terms)
    this.#append(row)
    this.#idsOf(row).add(row.key, terms.id, terms.account, row.status)
    return row
  }

  /** Changes a request, and notes it for the hash. */
  amend(row: Rfq, change: (row: Rfq) => void): void {
    this.#assertOpen(row)
    change(row)
    this.#hash.note(row.cell)
    this.#heap.setDeadline(row, row.dueMillis)
  }

  /** Ends a request. */
  end(row: Rfq, status: RfqStatus): void {
    this.#assertOpen(row)
    row.status = status
    this.#rows.delete(row.key)
    this.#heap.remove(row)
    this.#hash.drop(row.cell)
    this.#count(row, -1)
    this.#idsOf(row).setStatus(row.key, status)
  }

  save(sink: StateSink): void {
    sink.f64(this.#quoteCount)
    this.ids.save(sink)
    sink.i32(this.#rows.size)
    for (const row of this.#rows.values()) row.save(sink)
  }

  /** Reads what `save` wrote into an empty table. */
  load(reader: StateReader): void {
    this.#quoteCount = reader.f64()
    // A state without quotes has no cell in the hash.
    if (this.#quoteCount > 0) this.#hash.note(this.#cell)
    this.ids.load(reader)
    for (let count = reader.i32(); count > 0; count--) {
      this.#append(Rfq.load(reader))
    }
  }

  #assertOpen(row: Rfq): void {
    assert(this.#rows.get(row.key) === row, 'rfq: the request is open')
  }

  #append(row: Rfq): void {
    const { legs, account } = row.terms
    assert(legs.length > 0 && account >= 0, 'rfq: the request has legs and an account')
    assert(!this.#rows.has(row.key), 'rfq: the id is new')
    row.deadlineMillis = row.dueMillis
    this.#rows.set(row.key, row)
    this.#heap.add(row)
    this.#hash.note(row.cell)
    this.#count(row, 1)
  }

  #idsOf({ isAuction }: Rfq): RfqIds {
    return isAuction ? this.auctionIds : this.ids
  }

  #count({ isAuction, terms: { account } }: Rfq, change: number): void {
    if (isAuction) return
    const count = this.openCountOf(account) + change
    assert(count >= 0, 'rfq: the open count is not negative')
    if (count === 0) this.#openCounts.delete(account)
    else this.#openCounts.set(account, count)
  }
}
