import { assert } from '../../schemas/assert.js'
import { commandsPerBatchMax, detailsCount } from '../../schemas/bounds.js'
import {
  AnyCommand,
  CancelByClientIdCommand,
  CancelOrderCommand,
  PlaceOrderCommand,
} from '../../schemas/generated/commands.js'
import { Signer } from '../../schemas/record-values.js'
import { noViews, type RecordViews } from '../../schemas/record-views.js'
import { grown } from '../memory/grown.js'
import { none } from '../memory/rows.js'
import { handleOf } from './orders/orders.js'

/** Orders cancelled per batch when instruments close: bounds the events that one batch may cause. */
export const closingCancelsMax = 4096

/** What still has to happen with a ticket. */
export const TicketState = {
  /** Refused, or a repeat: to be answered in its turn. */
  Decided: 0,
  /** With a matcher. */
  Matching: 1,
  /** Its answer is out. */
  Done: 2,
  /**
   * Decided once more when the others are done: a replace whose old order changed under it, or waits for quotes and was
   * named by an earlier item of its bulk, and an exempt order behind a replace of its wallet.
   */
  Again: 3,
  /** A cancel of an order that is in no book, or whose book is closed: the core carries it out alone, in its turn. */
  Unbooked: 4,
  /** A bulk item with the nonce of an earlier one: answered by what that one comes to. */
  Echo: 5,
} as const

export const TicketFlag = {
  /** Repeats an accepted action. */
  Repeat: 1,
  /** Its `ACKED` update is out. */
  Acked: 2,
  /** `details` holds values of its refusal. */
  Detailed: 4,
  /** Nobody's command: the core's own order, cancel or note to a matcher, in a liquidation. */
  Own: 8,
  /** An item of a bulk. */
  Item: 16,
  /** An agent of the wallet has signed it, not the wallet. */
  ByAgent: 32,
} as const

/**
 * The commands of one closed batch, as columns indexed by ticket. Records are read where they lie (command
 * ring or replay buffer), which stay untouched until the batch is over.
 */
export class Batch {
  count = 0
  /** Commands as they arrived, a bulk with all its items as one: what the journal keeps. */
  recordCount = 0
  /** Number of the batch: rises by one per batch. */
  number = 0
  readonly views: RecordViews[] = new Array(commandsPerBatchMax)
  readonly at = new Int32Array(commandsPerBatchMax)
  readonly type = new Int32Array(commandsPerBatchMax)
  readonly state = new Uint8Array(commandsPerBatchMax)
  readonly account = new Int32Array(commandsPerBatchMax)
  readonly matcher = new Int32Array(commandsPerBatchMax)
  /** Order concerned: the new one of a place or replace, the target of a cancel. */
  readonly slot = new Int32Array(commandsPerBatchMax)
  readonly oldSlot = new Int32Array(commandsPerBatchMax)
  /** Of an `Echo`: the ticket that has its nonce. */
  readonly earlier = new Int32Array(commandsPerBatchMax)
  /** Id of the order that a cancel or replace names: its slot may be another's once it has long ended. */
  readonly namedOrderId = new Float64Array(commandsPerBatchMax)
  readonly instrument = new Int32Array(commandsPerBatchMax)
  readonly result = new Int32Array(commandsPerBatchMax)
  readonly details = new Float64Array(commandsPerBatchMax * detailsCount)
  /** Why the new order was cancelled on its way, a Result; 0 otherwise. */
  readonly cause = new Int32Array(commandsPerBatchMax)
  /** TicketFlag bits. */
  readonly flags = new Uint8Array(commandsPerBatchMax)
  /** Earlier ticket of the same account in this batch, or `none`. */
  readonly previous = new Int32Array(commandsPerBatchMax)
  /** Tickets that are with a matcher, or wait behind one that is: what they do is not known yet. */
  undecided = 0
  /** Ticket whose turn it is: all before it are answered. */
  current = 0
  /** Orders of closed instruments that this batch may still cancel. */
  closingLeft = 0
  #lastOfAccount = new Int32Array(256).fill(none)
  #accountBatch = new Float64Array(256)
  /** Undecided orders, by handle, and a mark for each that is among them. */
  #touched = new Int32Array(2 * commandsPerBatchMax)
  #touchedCount = 0
  readonly #recordViews: RecordViews[] = new Array(commandsPerBatchMax)
  readonly #recordAt = new Int32Array(commandsPerBatchMax)
  #isTouched = new Uint8Array(1024)
  readonly #command = new AnyCommand()
  readonly #place = new PlaceOrderCommand()
  readonly #cancel = new CancelOrderCommand()
  readonly #cancelByClientId = new CancelByClientIdCommand()

  begin(number: number): void {
    assert(number >= this.number, 'batch: numbers never decrease')
    this.number = number
    this.count = 0
    this.recordCount = 0
    this.undecided = 0
    this.current = 0
    this.closingLeft = closingCancelsMax
    for (let i = 0; i < this.#touchedCount; i++) this.#isTouched[this.#touched[i]] = 0
    this.#touchedCount = 0
  }

  /**
   * Everything decided is carried out and told: tickets begin anew, for what the core does by itself before the batch is
   * closed. The commands stay, for the journal.
   */
  rewind(): void {
    assert(this.undecided === 0, 'batch: every ticket is decided before a reset')
    this.count = 0
    this.current = 0
  }

  /** The ticket's answer has `details`, empty now: for so few a loop is faster than `fill`. @returns their begin. */
  beginDetails(ticket: number): number {
    assert(ticket >= 0 && ticket < this.count, 'batch: the ticket exists')
    const { details, flags } = this
    flags[ticket] |= TicketFlag.Detailed
    const at = ticket * detailsCount
    for (let i = 0; i < detailsCount; i++) details[at + i] = 0
    return at
  }

  /** Keeps a command of the batch for the journal; its tickets have been opened. */
  addRecord({ views, at }: AnyCommand): void {
    assert(this.recordCount < commandsPerBatchMax, 'batch: it has room for a record')
    this.#recordViews[this.recordCount] = views
    this.#recordAt[this.recordCount++] = at
  }

  /** One of the commands as they arrived. */
  record(index: number): AnyCommand {
    return this.#command.over(this.#recordViews[index], this.#recordAt[index])
  }

  /** Opens a ticket for a command; `account` may be -1. */
  add(command: AnyCommand, account: number): number {
    const ticket = this.open(command.recordType, account)
    this.views[ticket] = command.views
    this.at[ticket] = command.at
    return ticket
  }

  /** The record of a ticket, by what all have. It is the same object at each call, moved, like those of the calls below. */
  command(ticket: number): AnyCommand {
    return this.#command.over(this.views[ticket], this.at[ticket])
  }

  /** That of a place or replace. */
  place(ticket: number): PlaceOrderCommand {
    return this.#place.over(this.views[ticket], this.at[ticket])
  }

  cancel(ticket: number): CancelOrderCommand {
    return this.#cancel.over(this.views[ticket], this.at[ticket])
  }

  cancelByClientId(ticket: number): CancelByClientIdCommand {
    return this.#cancelByClientId.over(this.views[ticket], this.at[ticket])
  }

  /** Opens a ticket that no command asks for. */
  open(type: number, account: number): number {
    const ticket = this.count++
    assert(ticket < commandsPerBatchMax, 'batch: it has room for a ticket')
    this.views[ticket] = noViews
    this.at[ticket] = 0
    this.type[ticket] = type
    this.state[ticket] = TicketState.Decided
    this.account[ticket] = account
    this.slot[ticket] = none
    this.oldSlot[ticket] = none
    this.namedOrderId[ticket] = 0
    this.instrument[ticket] = none
    this.result[ticket] = 0
    this.cause[ticket] = 0
    this.flags[ticket] = 0
    this.previous[ticket] = this.lastOf(account)
    if (account >= 0) this.#setLast(account, ticket)
    return ticket
  }

  /** Latest ticket of the account in this batch, or `none`. */
  lastOf(account: number): number {
    if (account < 0 || account >= this.#lastOfAccount.length) return none
    return this.#accountBatch[account] === this.number ? this.#lastOfAccount[account] : none
  }

  /** Marks an order as undecided in this batch: later commands that name it wait for the next one. */
  touch(slot: number): void {
    assert(slot >= 0, 'batch: the order slot is valid')
    if (this.isTouched(slot)) return
    const order = handleOf(slot)
    if (order >= this.#isTouched.length) {
      const length = Math.max(order + 1, this.#isTouched.length * 2)
      this.#isTouched = grown(this.#isTouched, new Uint8Array(length))
    }
    if (this.#touchedCount === this.#touched.length) {
      this.#touched = grown(this.#touched, new Int32Array(this.#touchedCount * 2))
    }
    this.#touched[this.#touchedCount++] = order
    this.#isTouched[order] = 1
  }

  /** Whether what the ticket does is not known yet. */
  isUndecided(ticket: number): boolean {
    const state = this.state[ticket]
    return state !== TicketState.Decided && state !== TicketState.Done
  }

  isTouched(slot: number): boolean {
    const order = handleOf(slot)
    return order < this.#isTouched.length && this.#isTouched[order] === 1
  }

  #setLast(account: number, ticket: number): void {
    if (account >= this.#lastOfAccount.length) {
      const length = Math.max(account + 1, this.#lastOfAccount.length * 2)
      this.#lastOfAccount = grown(this.#lastOfAccount, new Int32Array(length))
      this.#accountBatch = grown(this.#accountBatch, new Float64Array(length))
    }
    this.#lastOfAccount[account] = ticket
    this.#accountBatch[account] = this.number
  }
}

/**
 * Who has signed what was accepted, as it was found when it was decided: by now its record, with the addresses, may be
 * out of the caches.
 */
export function signerOfAccepted(batch: Batch, ticket: number): Signer {
  return (batch.flags[ticket] & TicketFlag.ByAgent) === 0 ? Signer.Owner : Signer.Agent
}
