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

/** Connections that one wallet may bind. */
export const boundConnectionsMax = 64

/** A connection of a gateway, by that gateway's number of it. */
export interface Connection {
  readonly gateway: number
  readonly session: number
}

/** A connection whose end ends everything of a wallet. */
interface Bound extends Connection {
  /** Address of the agent that has bound it; null: the wallet itself has. */
  readonly agent: Uint8Array | null
}

/** What of a wallet is ended together. */
export interface Purge {
  readonly account: number
  /** That each of them is told. */
  readonly reason: Result
  readonly scope: CancelScope
  /** Underlying, or instrument, of the scope; -1: of all. */
  readonly target: number
}

/** How one wallet is kept from orders that nobody looks after. */
class Guard extends AccountRow implements Due {
  readonly key: string
  /** 0: no timer. */
  timeoutMillis = 0
  /** When the wallet last did something; with the timer it is due that much later. */
  renewedMillis = 0
  /** Whether the timer runs: it stands still from its firing to the next action. */
  isRunning = false
  /** Whose end ends everything, the oldest first. */
  bound: Bound[] = []
  /** As the heap has them, derived: a wallet that acts often is not moved in it each time. */
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
export class SafetyTable extends AccountRows<Guard> {
  /** What is still to be ended in this step; no state, since all of it is. */
  readonly purges: Purge[] = []
  readonly #heap = new DeadlineHeap<Guard>()

  /** Earliest time at which a timer is to be looked at: none fires before. */
  get nextMillis(): number {
    return this.#heap.nextMillis
  }

  /** Sets the timer of a wallet. @param timeoutMillis 0 ends it. */
  setDeadMan(account: number, timeoutMillis: number, nowMillis: number): void {
    assert(timeoutMillis >= 0, 'safety: the timeout is not negative')
    const row = this.rowOf(account)
    row.timeoutMillis = timeoutMillis
    row.renewedMillis = nowMillis
    row.isRunning = timeoutMillis > 0
    this.settle(row)
  }

  /** The wallet has done something. */
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

  /** The next wallet whose timer is over, which stands still then; -1: there is none. */
  takeFired(nowMillis: number): number {
    while (this.#heap.nextMillis <= nowMillis) {
      const row = this.#heap.first
      // One that was renewed has its turn later: where a snapshot was loaded the heap has its time already.
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

  /** Whether the wallet may bind one more connection, or this one again. */
  mayBind(account: number, connection: Connection): boolean {
    const bound = this.find(account)?.bound ?? []
    return bound.length < boundConnectionsMax || bound.some((one) => isSession(one, connection))
  }

  /**
   * From now on everything of the wallet ends with the connection. One that the wallet itself has bound stays so whoever
   * binds it again.
   * @param agent address of the agent that binds it, copied; null: the wallet itself.
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

  /** Who is no agent any more ends nothing of the wallet with the connections that it has bound. */
  unbindBy(account: number, source: Uint8Array, at: number): void {
    const row = this.find(account)
    if (row === undefined) return
    row.bound = row.bound.filter(
      ({ agent }) => agent === null || !areBytesEqual(agent, 0, source, at, addressBytes),
    )
    this.settle(row)
  }

  /** The connection says nothing of the wallet any more. @returns whether it did. */
  unbind(account: number, connection: Connection): boolean {
    const row = this.find(account)
    if (row === undefined || !row.bound.some((one) => isSession(one, connection))) return false
    row.bound = row.bound.filter((one) => !isSession(one, connection))
    this.settle(row)
    return true
  }

  /** All connections have ended, with their process. @returns the wallets that had bound any. */
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

  protected newRow(account: number): Guard {
    const row = new Guard(account)
    this.#heap.add(row)
    return row
  }

  protected loadFacts(row: Guard, reader: StateReader): void {
    row.timeoutMillis = reader.f64()
    row.renewedMillis = reader.f64()
    row.isRunning = reader.i32() === 1
    for (let bound = reader.i32(); bound > 0; bound--) {
      const connection = { gateway: reader.i32(), session: reader.i32() }
      const agent = reader.i32() === 1 ? reader.bytes(addressBytes).slice() : null
      row.bound.push({ ...connection, agent })
    }
  }

  protected override settle(row: Guard): void {
    super.settle(row)
    if (row.isEmpty) this.#heap.remove(row)
    else this.#heap.setDeadline(row, row.dueMillis)
  }
}
