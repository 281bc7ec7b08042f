/** What one connection has taken of the present turn; kept with the connection. */
export interface TurnShare {
  turn: number
  taken: number
}

export interface TurnBudgetOptions {
  /** An order that comes later than this in its turn is refused. */
  readonly turnMillisMax: number
  /** Taken in any turn, however long the thread was kept from it. */
  readonly ordersMin: number
  /** As `ordersMin`, after a calm turn: a burst that meets an idle thread is work, not overload. */
  readonly ordersBurst: number
  readonly nowMillis?: () => number
}

const quotaGrowth = 1.25

/**
 * Shares each turn of a gateway's event loop among the new orders that came in during it. A turn
 * reads every socket that has something, and nothing leaves the thread before its end; so when
 * orders arrive faster than their signatures can be checked, turns would grow without bound, and
 * answers and cancels would wait behind all of it. Beyond the budget an order is refused before
 * any work is spent on it, which costs a tenth of taking it.
 *
 * Sockets are read in the same order every turn. So once a turn was too long, each connection may
 * take an equal part of what that turn served, and the last in order gets as much as the first.
 */
export class TurnBudget {
  /** Orders refused so far. */
  refused = 0
  readonly #options: TurnBudgetOptions
  readonly #nowMillis: () => number
  #turn = 0
  #isOpen = false
  #beginMillis = 0
  #taken = 0
  #askers = 0
  #hasRefused = false
  #wasLate = false
  /** This turn took longer than it should, whether it refused or not. */
  #isLong = false
  /** The turn before was neither long nor refused anything. */
  #wasCalm = true
  #quota = Number.POSITIVE_INFINITY

  constructor(options: TurnBudgetOptions) {
    this.#options = options
    this.#nowMillis = options.nowMillis ?? performance.now.bind(performance)
  }

  /** @returns whether a new order of this connection may be taken in this turn. */
  take(share: TurnShare): boolean {
    const now = this.#nowMillis()
    if (!this.#isOpen) this.#begin(now)
    if (share.turn !== this.#turn) {
      share.turn = this.#turn
      share.taken = 0
      this.#askers++
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
   * A request that was taken as one order holds more: each costs a signature, and counts in what
   * the turn may take. The request itself is not refused any more, however many there are.
   */
  takeMore(orders: number): void {
    this.#taken += orders
  }

  #begin(now: number): void {
    this.#isOpen = true
    this.#beginMillis = now
    this.#turn++
    this.#taken = 0
    this.#askers = 0
    this.#hasRefused = false
    this.#wasLate = false
    this.#isLong = false
    // Runs when every socket that was ready has been read.
    setImmediate(this.#end)
  }

  readonly #end = (): void => {
    this.#isOpen = false
    this.#wasCalm = !this.#hasRefused && !this.#isLong
    if (!this.#hasRefused) this.#quota = Number.POSITIVE_INFINITY
    else if (this.#wasLate) this.#quota = Math.max(1, Math.ceil(this.#taken / this.#askers))
    else this.#quota = Math.ceil(this.#quota * quotaGrowth)
  }
}
