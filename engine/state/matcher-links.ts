import { assert } from '../../schemas/assert.js'
import { commandsPerBatchMax } from '../../schemas/bounds.js'
import {
  MatcherMmp,
  MatcherMmpEntry,
  MatcherOrder,
  OrderRecord,
} from '../../schemas/generated/orders.js'
import { AnyResult, ResultRecord } from '../../schemas/generated/results.js'
import { MmpAction } from '../../schemas/record-values.js'
import { entryAt, measureCount } from '../matching/mmp-window.js'
import type { Ring } from '../memory/ring.js'
import type { MmpRow } from './accounts/mmp-table.js'
import { handleOf } from './orders/orders.js'

// Cannot fail: a batch is far smaller than the ring, and the ring is empty between batches.
const roomSentence = 'order ring: room for a whole batch'

/**
 * The core's ends of the rings to its matchers. `awaitMatcher` is called while the core waits for a matcher's results.
 * It runs a matcher that lives in the core's thread, and pauses briefly for one with its own thread.
 */
export class MatcherLinks {
  readonly count: number
  readonly results: readonly Ring[]
  readonly #orders: readonly Ring[]
  readonly #wake: (matcher: number) => void
  readonly #await: (matcher: number) => void
  readonly #dirty: Uint8Array
  readonly #order = new MatcherOrder()
  readonly #mmp = new MatcherMmp()
  readonly #entry = new MatcherMmpEntry()
  readonly #result = new AnyResult()
  /** Increases with each `commit`, when the core has applied all earlier results. */
  #round = 0

  constructor(
    orders: readonly Ring[],
    results: readonly Ring[],
    wake: (matcher: number) => void,
    awaitMatcher: (matcher: number) => void,
  ) {
    this.count = orders.length
    this.#orders = orders
    this.results = results
    this.#wake = wake
    this.#await = awaitMatcher
    this.#dirty = new Uint8Array(orders.length)
  }

  /** Returns the matcher that owns the books of an underlying. */
  of(underlying: number): number {
    return underlying % this.count
  }

  /**
   * Claims a record for the order in `slot`. The caller fills in the terms of a Place or Replace, as `send-order.ts`
   * does. Each call moves the same object.
   */
  claim(
    matcher: number,
    type: Parameters<MatcherOrder['claim']>[1],
    ticket: number,
    instrument: number,
    slot: number,
  ): MatcherOrder {
    const order = this.#order
    // The handle of `none` would equal the handle of the first order.
    assert(slot >= 0 && instrument >= 0, 'order ring: slot and instrument are valid')
    assert(order.claim(this.#orders[matcher], type), roomSentence)
    this.#dirty[matcher] = 1
    order.ticket = ticket
    order.instrument = instrument
    order.handle = handleOf(slot)
    order.round = this.#round
    return order
  }

  cancel(matcher: number, ticket: number, instrument: number, slot: number): void {
    this.claim(matcher, OrderRecord.Cancel, ticket, instrument, slot)
  }

  /** Sends the account's position, changed off the book, for its reduce-only orders there. */
  position(
    matcher: number,
    ticket: number,
    instrument: number,
    account: number,
    positionLots: number,
  ): void {
    const order = this.claim(matcher, OrderRecord.Position, ticket, instrument, 0)
    order.account = account
    order.positionLots = positionLots
  }

  /** Drops an instrument's book. Call it only between commands, when the matcher owes no other result. */
  closeBook(matcher: number, instrument: number): void {
    this.claim(matcher, OrderRecord.CloseBook, 0, instrument, 0)
    this.#awaitDone(matcher, 1)
  }

  /** Sets, resets or ends a protection. Call it only between commands, when the matcher owes no other result. */
  protect(matcher: number, action: MmpAction, row: MmpRow, nowMillis: number): void {
    const mmp = this.#mmp
    assert(mmp.claim(this.#orders[matcher]), roomSentence)
    this.#dirty[matcher] = 1
    mmp.ticket = 0
    mmp.action = action
    mmp.account = row.account
    mmp.underlying = row.underlying
    mmp.intervalMillis = row.intervalMillis
    mmp.frozenMillis = row.frozenMillis
    for (let i = 0; i < measureCount; i++) mmp.setLimits(i, row.limitMicros[i])
    mmp.frozenUntilMillis = row.frozenUntilMillis
    mmp.nowMillis = nowMillis
    this.#awaitDone(matcher, 1)
  }

  /** Sends a protection with its whole window to a matcher that starts. */
  restoreProtection(matcher: number, row: MmpRow, nowMillis: number): void {
    this.protect(matcher, MmpAction.Set, row, nowMillis)
    const entry = this.#entry
    let sent = 0
    for (let index = 0; index < row.count; index++) {
      assert(entry.claim(this.#orders[matcher]), roomSentence)
      this.#dirty[matcher] = 1
      const from = entryAt(row, index)
      entry.ticket = 0
      entry.account = row.account
      entry.underlying = row.underlying
      entry.entryMillis = row.entries[from]
      for (let i = 0; i < 2 * measureCount; i++) entry.setAmounts(i, row.entries[from + 1 + i])
      if (++sent === commandsPerBatchMax) {
        this.#awaitDone(matcher, sent)
        sent = 0
      }
    }
    this.#awaitDone(matcher, sent)
  }

  /** Makes everything sent since the last commit visible to the matchers. */
  commit(): void {
    this.#round = (this.#round + 1) | 0
    for (let matcher = 0; matcher < this.count; matcher++) {
      if (this.#dirty[matcher] === 0) continue
      this.#dirty[matcher] = 0
      this.#orders[matcher].commit()
      this.#wake(matcher)
    }
  }

  awaitMatcher(matcher: number): void {
    this.#await(matcher)
  }

  /** Reads the Done of each command sent, when no other result is due. */
  #awaitDone(matcher: number, count: number): void {
    this.commit()
    const ring = this.results[matcher]
    assert(count <= commandsPerBatchMax, roomSentence)
    for (let taken = 0; taken < count; taken++) {
      let at = ring.next()
      while (at < 0) {
        ring.release()
        this.awaitMatcher(matcher)
        at = ring.next()
      }
      const { recordType } = this.#result.over(ring, at)
      assert(recordType === ResultRecord.Done, 'matcher: the only answer is Done')
    }
    ring.release()
  }
}
