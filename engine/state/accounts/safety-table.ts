import { assert } from '../../../schemas/assert.js'
import type { CancelScope } from '../../../schemas/record-values.js'
import type { Result } from '../../../schemas/results.js'
import { addressBytes } from '../../../schemas/wallet.js'
import { areBytesEqual } from '../../memory/bytes.js'
import { DeadlineHeap, type Due } from '../../memory/deadline-heap.js'
import type { StateReader, StateSink } from '../../memory/state-codec.js'
import { HashKind } from '../../memory/state-hash.js'
import { isSession } from '../rfq/provider-table.js'
import { AccountRow, AccountRows } from './account-rows.js'

/** Maximum number of connections that one wallet may bind. */
export const boundConnectionsMax = 64

/** A connection of a gateway, by that gateway's number for it. */
export interface Connection {
  readonly gateway: number
  readonly session: number
}

/** A connection whose end cancels everything of a wallet. */
interface Bound extends Connection {
  /** Address of the agent that bound it; null for the wallet itself. */
  readonly agent: Uint8Array | null
}

/** A pending cancel-all of a wallet, within a scope. */
export interface Purge {
  readonly account: number
  /** Reason in each order update. */
  readonly reason: Result
  readonly scope: CancelScope
  /** Underlying or instrument of the scope; -1 for all. */
  readonly target: number
}

/** Dead-man timer and bound connections of one wallet. */
class SafetyRow extends AccountRow implements Due {
  readonly key: string
  /** 0 if there is no timer. */
  timeoutMillis = 0
  /** Time of the wallet's latest action; the timer fires `timeoutMillis` later. */
  renewedMillis = 0
  /** True if the timer runs; from its firing to the next action it is stopped. */
  isRunning = false
  /** Connections whose end cancels everything, oldest first. */
  bound: Bound[] = []
  /** Values in the heap, derived. A wallet that acts often is not moved in the heap each time. */
  deadlineMillis = Number.POSITIVE_INFINITY
  place = 0

  constructor(account: number) {
    super(account, HashKind.Safety)
    this.key = String(account)
  }

  get isEmpty(): boolean {
    return this.timeoutMillis === 0 && this.bound.length === 0
  }

  get dueMillis(): number {
    return this.isRunning ? this.renewedMillis + this.timeoutMillis : Number.POSITIVE_INFINITY
  }

  protected saveFacts(sink: StateSink): void {
    sink.f64(this.timeoutMillis)
    sink.f64(this.renewedMillis)
    sink.i32(this.isRunning ? 1 : 0)
    sink.i32(this.bound.length)
    for (const { gateway, session, agent } of this.bound) {
      sink.i32(gateway)
      sink.i32(session)
      sink.i32(agent === null ? 0 : 1)
      if (agent !== null) sink.bytes(agent)
    }
  }
}

/** Dead-man timers, and wallets whose orders end with a connection. */
export class SafetyTable extends AccountRows<SafetyRow> {
  /** Pending cancel-alls of this step. They are empty between batches, so they are not state. */
  readonly purges: Purge[] = []
  readonly #heap = new DeadlineHeap<SafetyRow>()

  /** Earliest time at which a timer may fire. */
  get nextMillis(): number {
    return this.#heap.nextMillis
  }

  /**
   * Sets the timer of a wallet.
   * @param timeoutMillis 0 removes it.
   */
  setDeadMan(account: number, timeoutMillis: number, nowMillis: number): void {
    assert(timeoutMillis >= 0, 'safety: the timeout is not negative')
    const row = this.rowOf(account)
    row.timeoutMillis = timeoutMillis
    row.renewedMillis = nowMillis
    row.isRunning = timeoutMillis > 0
    this.settle(row)
  }

  /** Restarts the wallet's timer after an action. */
  renew(account: number, nowMillis: number): void {
    if (this.size === 0) return
    const row = this.find(account)
    if (row === undefined || row.timeoutMillis === 0) return
    row.renewedMillis = nowMillis
    this.hash.note(row.cell)
    if (row.isRunning) return
    row.isRunning = true
    this.#heap.setDeadline(row, row.dueMillis)
  }

  /** Stops the next timer that has fired, and returns its wallet; -1 if there is none. */
  takeFired(nowMillis: number): number {
    while (this.#heap.nextMillis <= nowMillis) {
      const row = this.#heap.first
      // A renewed timer fires later. After a snapshot was loaded the heap may have its new time already.
      const isDue = row.dueMillis === row.deadlineMillis
      if (isDue) {
        row.isRunning = false
        this.hash.note(row.cell)
      }
      this.#heap.setDeadline(row, row.dueMillis)
      if (isDue) return row.account
    }
    return -1
  }

  /** Returns true if the wallet may bind one more connection, or this one again. */
  mayBind(account: number, connection: Connection): boolean {
    const bound = this.find(account)?.bound ?? []
    return bound.length < boundConnectionsMax || bound.some((one) => isSession(one, connection))
  }

  /**
   * Binds a connection: when it ends, everything of the wallet is canceled. A binding by the wallet itself stays one if
   * an agent binds the same connection again.
   * @param agent address of the agent that binds it, copied; null for the wallet itself.
   */
  bind(account: number, { gateway, session }: Connection, agent: Uint8Array | null): void {
    const row = this.rowOf(account)
    const place = row.bound.findIndex((one) => isSession(one, { gateway, session }))
    if (place < 0) row.bound.push({ gateway, session, agent: agent?.slice() ?? null })
    else if (agent === null) row.bound[place] = { gateway, session, agent }
    assert(
      row.bound.length <= boundConnectionsMax,
      'safety: the wallet has room for one more connection',
    )
    this.settle(row)
  }

  /** Removes the bindings that a revoked agent made. */
  unbindBy(account: number, source: Uint8Array, at: number): void {
    const row = this.find(account)
    if (row === undefined) return
    row.bound = row.bound.filter(
      ({ agent }) => agent === null || !areBytesEqual(agent, 0, source, at, addressBytes),
    )
    this.settle(row)
  }

  /**
   * Removes a binding.
   * @returns true if there was one.
   */
  unbind(account: number, connection: Connection): boolean {
    const row = this.find(account)
    if (row === undefined || !row.bound.some((one) => isSession(one, connection))) return false
    row.bound = row.bound.filter((one) => !isSession(one, connection))
    this.settle(row)
    return true
  }

  /**
   * Removes all bindings, because the process of all connections has ended.
   * @returns the wallets that had bound any.
   */
  unbindAll(): readonly number[] {
    const rows = [...this.rows()].filter(({ bound }) => bound.length > 0)
    for (const row of rows) {
      row.bound = []
      this.settle(row)
    }
    return rows.map(({ account }) => account)
  }

  get hasBound(): boolean {
    return [...this.rows()].some(({ bound }) => bound.length > 0)
  }

  protected newRow(account: number): SafetyRow {
    const row = new SafetyRow(account)
    this.#heap.add(row)
    return row
  }

  protected loadFacts(row: SafetyRow, reader: StateReader): void {
    row.timeoutMillis = reader.f64()
    row.renewedMillis = reader.f64()
    row.isRunning = reader.i32() === 1
    for (let bound = reader.i32(); bound > 0; bound--) {
      const connection = { gateway: reader.i32(), session: reader.i32() }
      const agent = reader.i32() === 1 ? reader.bytes(addressBytes).slice() : null
      row.bound.push({ ...connection, agent })
    }
  }

  protected override settle(row: SafetyRow): void {
    super.settle(row)
    if (row.isEmpty) this.#heap.remove(row)
    else this.#heap.setDeadline(row, row.dueMillis)
  }
}
