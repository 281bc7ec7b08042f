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

/** Maximum orders that a batch cancels when instruments close; bounds the events that one batch may cause. */
export const closingCancelsMax = 4096

/** Next step of a ticket. */
export const TicketState = {
  /** Failed, or a duplicate: the core answers it when it is next. */
  Decided: 0,
  /** A matcher executes it. */
  Matching: 1,
  /** Answered. */
  Done: 2,
  /**
   * The core decides it again after the others. It is a replace whose old order has changed, a replace of an order that
   * waits for quotes and was named by an earlier item of the bulk, or a risk-reducing order after a replace of its wallet.
   */
  Again: 3,
  /** A cancel of an order that is in no open book. The core executes it without a matcher, when it is next. */
  Unbooked: 4,
  /** A bulk item with the nonce of an earlier item; it gets the answer of that item. */
  Echo: 5,
} as const

export const TicketFlag = {
  /** Duplicate of an accepted action. */
  Repeat: 1,
  /** Its `ACKED` update is published. */
  Acked: 2,
  /** `details` holds the details of its error. */
  Detailed: 4,
  /** The core's own order, cancel or position record; it has no command. */
  Own: 8,
  /** An item of a bulk. */
  Item: 16,
  /** Signed by an agent of the wallet, not by the wallet. */
  ByAgent: 32,
} as const

/**
 * The commands of one closed batch, as columns indexed by ticket. Records are read in place (command ring or replay
 * buffer), which stays untouched until the batch ends.
 */
export class Batch {
  count = 0
  /** Commands as they arrived, a bulk with all its items as one; the journal keeps these. */
  recordCount = 0
  /** Number of the batch; increases by one per batch. */
  number = 0
  readonly views: RecordViews[] = new Array(commandsPerBatchMax)
  readonly at = new Int32Array(commandsPerBatchMax)
  readonly type = new Int32Array(commandsPerBatchMax)
  readonly state = new Uint8Array(commandsPerBatchMax)
  readonly account = new Int32Array(commandsPerBatchMax)
  readonly matcher = new Int32Array(commandsPerBatchMax)
  /** The new order of a place or replace, the target of a cancel. */
  readonly slot = new Int32Array(commandsPerBatchMax)
  readonly oldSlot = new Int32Array(commandsPerBatchMax)
  /** Ticket with the same nonce, for an `Echo`. */
  readonly earlier = new Int32Array(commandsPerBatchMax)
  /**
   * Id of the order that a cancel or replace names: long after the order ended, its slot may belong to another order.
   */
  readonly namedOrderId = new Float64Array(commandsPerBatchMax)
  readonly instrument = new Int32Array(commandsPerBatchMax)
  readonly result = new Int32Array(commandsPerBatchMax)
  readonly details = new Float64Array(commandsPerBatchMax * detailsCount)
  /** Reason why the new order was canceled during execution, a Result; 0 otherwise. */
  readonly cause = new Int32Array(commandsPerBatchMax)
  /** TicketFlag bits. */
  readonly flags = new Uint8Array(commandsPerBatchMax)
  /** Earlier ticket of the same account in this batch, or `none`. */
  readonly previous = new Int32Array(commandsPerBatchMax)
  /** Number of tickets whose effect is not known yet: at a matcher, or waiting for one that is. */
  undecided = 0
  /** The next ticket to answer; all before it are answered. */
  current = 0
  /** Number of orders in closed instruments that this batch may still cancel. */
  closingLeft = 0
  #lastOfAccount = new Int32Array(256).fill(none)
  #accountBatch = new Float64Array(256)
  /** Handles of undecided orders, and a flag per handle. */
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
   * Drops all tickets after everything decided is executed and published, so that the core can open tickets of its own
   * before the batch closes. The commands stay, for the journal.
   */
  rewind(): void {
    assert(this.undecided === 0, 'batch: every ticket is decided before a reset')
    this.count = 0
    this.current = 0
  }

  /**
   * Clears the details of the ticket's answer. For so few values a loop is faster than `fill`.
   * @returns the position of the first one.
   */
  beginDetails(ticket: number): number {
    assert(ticket >= 0 && ticket < this.count, 'batch: the ticket exists')
    const { details, flags } = this
    flags[ticket] |= TicketFlag.Detailed
    const at = ticket * detailsCount
    for (let i = 0; i < detailsCount; i++) details[at + i] = 0
    return at
  }

  /** Keeps a command of the batch for the journal, after its tickets are opened. */
  addRecord({ views, at }: AnyCommand): void {
    assert(this.recordCount < commandsPerBatchMax, 'batch: it has room for a record')
    this.#recordViews[this.recordCount] = views
    this.#recordAt[this.recordCount++] = at
  }

  /** Returns one of the commands as they arrived. */
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

  /** Returns the record of a ticket as a generic command. Each call moves the same object, like the calls below. */
  command(ticket: number): AnyCommand {
    return this.#command.over(this.views[ticket], this.at[ticket])
  }

  /** Returns the record of a place or replace. */
  place(ticket: number): PlaceOrderCommand {
    return this.#place.over(this.views[ticket], this.at[ticket])
  }

  cancel(ticket: number): CancelOrderCommand {
    return this.#cancel.over(this.views[ticket], this.at[ticket])
  }

  cancelByClientId(ticket: number): CancelByClientIdCommand {
    return this.#cancelByClientId.over(this.views[ticket], this.at[ticket])
  }

  /** Opens a ticket without a command. */
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

  /** Returns the latest ticket of the account in this batch, or `none`. */
  lastOf(account: number): number {
    if (account < 0 || account >= this.#lastOfAccount.length) return none
    return this.#accountBatch[account] === this.number ? this.#lastOfAccount[account] : none
  }

  /** Marks an order as undecided in this batch: later commands that name it wait for the next batch. */
  touch(slot: number): void {
    assert(slot >= 0, 'batch: the order slot is valid')
    if (this.isTouched(slot)) return
    const handle = handleOf(slot)
    if (handle >= this.#isTouched.length) {
      const length = Math.max(handle + 1, this.#isTouched.length * 2)
      this.#isTouched = grown(this.#isTouched, new Uint8Array(length))
    }
    if (this.#touchedCount === this.#touched.length) {
      this.#touched = grown(this.#touched, new Int32Array(this.#touchedCount * 2))
    }
    this.#touched[this.#touchedCount++] = handle
    this.#isTouched[handle] = 1
  }

  /** Returns true if the effect of the ticket is not known yet. */
  isUndecided(ticket: number): boolean {
    const state = this.state[ticket]
    return state !== TicketState.Decided && state !== TicketState.Done
  }

  isTouched(slot: number): boolean {
    const handle = handleOf(slot)
    return handle < this.#isTouched.length && this.#isTouched[handle] === 1
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
 * Returns the signer of an accepted command, from the flag set when it was decided: its record, with the addresses, may
 * have left the caches by now.
 */
export function signerOfAccepted(batch: Batch, ticket: number): Signer {
  return (batch.flags[ticket] & TicketFlag.ByAgent) === 0 ? Signer.Owner : Signer.Agent
}
