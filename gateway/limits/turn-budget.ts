/** Part of the current turn that one connection used; stored with the connection. */
export interface TurnShare {
  turn: number
  taken: number
}

export interface TurnBudgetOptions {
  /** An order later than this in its turn fails. */
  readonly turnMillisMax: number
  /** Orders accepted in every turn, even when the thread is late. */
  readonly ordersMin: number
  /** The same after a calm turn: a burst on an idle thread is no overload. */
  readonly ordersBurst: number
  readonly nowMillis?: () => number
}

const quotaGrowth = 1.25

/**
 * Shares each turn of a gateway's event loop among the new orders that arrive in it. A turn reads
 * every ready socket, and nothing leaves the thread before it ends. If orders arrive faster than
 * their signatures can be checked, turns would grow without bound, and answers and cancels would
 * wait for the end. Beyond the budget an order fails before any work on it, at a tenth of the cost.
 *
 * Sockets are read in the same order every turn. So after a turn that was too long, each connection
 * may use an equal part of the orders of that turn, and the last in order gets as much as the first.
 */
export class TurnBudget {
  /** Orders that failed so far. */
  refused = 0
  readonly #options: TurnBudgetOptions
  readonly #nowMillis: () => number
  #turn = 0
  #isOpen = false
  #beginMillis = 0
  #taken = 0
  #requesters = 0
  #hasRefused = false
  #wasLate = false
  /** This turn took too long. */
  #isLong = false
  /** The previous turn was short, and no order failed in it. */
  #wasCalm = true
  #quota = Number.POSITIVE_INFINITY

  constructor(options: TurnBudgetOptions) {
    this.#options = options
    this.#nowMillis = options.nowMillis ?? performance.now.bind(performance)
  }

  /** Returns true if this turn accepts a new order of this connection. */
  take(share: TurnShare): boolean {
    const now = this.#nowMillis()
    if (!this.#isOpen) this.#begin(now)
    if (share.turn !== this.#turn) {
      share.turn = this.#turn
      share.taken = 0
      this.#requesters++
    }
    const { turnMillisMax, ordersMin, ordersBurst } = this.#options
    this.#isLong = now - this.#beginMillis >= turnMillisMax
    const isLate = this.#isLong && this.#taken >= (this.#wasCalm ? ordersBurst : ordersMin)
    if (isLate || share.taken >= this.#quota) {
      this.#wasLate ||= isLate
      this.#hasRefused = true
      this.refused++
      return false
    }
    share.taken++
    this.#taken++
    return true
  }

  /**
   * Counts the further orders of a request that was accepted as one: each costs a signature, and
   * counts in the budget. The request itself no longer fails, whatever their number.
   */
  takeMore(orders: number): void {
    this.#taken += orders
  }

  #begin(now: number): void {
    this.#isOpen = true
    this.#beginMillis = now
    this.#turn++
    this.#taken = 0
    this.#requesters = 0
    this.#hasRefused = false
    this.#wasLate = false
    this.#isLong = false
    // Runs after all ready sockets were read.
    setImmediate(this.#end)
  }

  readonly #end = (): void => {
    this.#isOpen = false
    this.#wasCalm = !this.#hasRefused && !this.#isLong
    if (!this.#hasRefused) this.#quota = Number.POSITIVE_INFINITY
    else if (this.#wasLate) this.#quota = Math.max(1, Math.ceil(this.#taken / this.#requesters))
    else this.#quota = Math.ceil(this.#quota * quotaGrowth)
  }
}
