import type { StreamMessage } from '../../gateway/client/stream-types.js'
import { lotsPerContract } from '../../schemas/bounds.js'
import { parsePriceMicros, parseSizeLots } from '../../schemas/decimal.js'
import { orderStatusNames } from '../../schemas/domain.js'
import { type CommandPlan, LoadKind, loadKindNames } from './command-plan.js'

/** Answer of the venue to one command. */
export interface CommandAnswer {
  /** Status of the order if the engine decided the command; '' if it failed before. */
  readonly status: string
  /** Reason code of a rejection, or error code of a failure; '' for neither. */
  readonly code: string
  readonly orderId: number
  readonly filledLots: number
}

/** Order that works according to the ledger. */
export interface WorkingOrder {
  readonly index: number
  readonly orderId: number
  readonly priceMicros: number
  readonly sizeLots: number
  readonly filledLots: number
}

const CommandState = { Unsent: 0, Sent: 1, Executed: 2, Refused: 3 } as const
const Status = { None: 0, Acked: 1, Open: 2, Partial: 3, Filled: 4, Canceled: 5, Rejected: 6 }
const statusOf = new Map<unknown, number>(orderStatusNames.map((name, index) => [name, index]))
const finalFrom = Status.Filled
const notNew = -1

/**
 * Record of the commands sent, their answers, and the messages of the private streams. Finds differences between the three.
 */
export class OrderLedger {
  readonly plan: CommandPlan
  /** Signed lots filled in this run, by wallet x instruments + instrument. */
  readonly positionLots: Float64Array
  /** Faults found during the run. */
  readonly faults: string[] = []
  /** Fills of this run's orders against foreign orders. */
  strangersFills = 0
  fills = 0
  readonly #tag: string
  readonly #instruments: number
  readonly #state: Uint8Array
  readonly #ackStatus: Uint8Array
  readonly #ackFilledLots: Float64Array
  readonly #streamStatus: Uint8Array
  readonly #streamFilledLots: Float64Array
  readonly #fillLots: Float64Array
  readonly #orderIds: Float64Array
  /** Index of the command by order id. */
  readonly #indexes = new Map<number, number>()
  /** Trades with only one side seen so far. */
  readonly #halfTrades = new Map<unknown, string>()
  /** Fills of orders that are not known yet. */
  #earlyFills: StreamMessage[] = []

  constructor(plan: CommandPlan, tag: string, wallets: number, instruments: number) {
    this.plan = plan
    this.#tag = tag
    this.#instruments = instruments
    this.positionLots = new Float64Array(wallets * instruments)
    this.#state = new Uint8Array(plan.count)
    this.#ackStatus = new Uint8Array(plan.count)
    this.#ackFilledLots = new Float64Array(plan.count)
    this.#streamStatus = new Uint8Array(plan.count)
    this.#streamFilledLots = new Float64Array(plan.count)
    this.#fillLots = new Float64Array(plan.count)
    this.#orderIds = new Float64Array(plan.count)
  }

  sent(index: number): void {
    this.#state[index] = CommandState.Sent
  }

  isAwaited(index: number): boolean {
    return this.#state[index] === CommandState.Sent
  }

  /** Records an answer. @param kind as sent: a cancel may replace a planned replace. */
  answered(index: number, kind: number, answer: CommandAnswer): void {
    if (this.#state[index] !== CommandState.Sent) {
      this.faults.push(`command ${index}: an answer too many (${answer.status}${answer.code})`)
      return
    }
    if (answer.status === '') {
      this.#state[index] = CommandState.Refused
      return
    }
    this.#state[index] = CommandState.Executed
    const status = statusOf.get(answer.status) ?? Status.None
    this.#ackStatus[index] = status
    if (status === Status.None) this.faults.push(`command ${index}: status ${answer.status}`)
    if (kind === LoadKind.Cancel || status === Status.Rejected) return
    this.#ackFilledLots[index] = answer.filledLots
    if (answer.orderId > 0) this.#learnOrder(index, answer.orderId)
    else this.faults.push(`command ${index}: ${answer.status} without an order id`)
  }

  /** Returns true if the order of a command was acknowledged and is not known to have ended. */
  isWorking(index: number): boolean {
    const ack = this.#ackStatus[index]
    const isKnown = this.#state[index] === CommandState.Executed && this.#orderIds[index] > 0
    return isKnown && ack < finalFrom && this.#streamStatus[index] < finalFrom
  }

  /** Records an update. @returns the command's index if it is the first update of its order, else -1. */
  onOrderUpdate(message: StreamMessage): number {
    const index = this.#indexOf(message)
    if (index < 0) return notNew
    const status = statusOf.get(message['status']) ?? Status.None
    const filled = lotsOf(message['filled_size'])
    const before = this.#streamStatus[index]
    if (status === Status.Rejected) return notNew // no order came of it, so it has no states
    if (before >= finalFrom) {
      this.faults.push(`order of command ${index}: ${message['status']} after its end`)
    } else if (status < before || filled < this.#streamFilledLots[index]) {
      this.faults.push(`order of command ${index}: went back to ${message['status']}`)
    }
    this.#streamStatus[index] = status
    this.#streamFilledLots[index] = filled
    if (typeof message['order_id'] === 'number') this.#learnOrder(index, message['order_id'])
    return before === Status.None ? index : notNew
  }

  onFill(message: StreamMessage): void {
    const index = this.#indexOf(message)
    if (index < 0) {
      this.#earlyFills.push(message)
      return
    }
    this.fills++
    const lots = lotsOf(message['size'])
    this.#fillLots[index] += lots
    const { wallet, instrument, side } = this.plan
    const at = wallet[index] * this.#instruments + instrument[index]
    this.positionLots[at] += side[index] === 0 ? lots : -lots
    this.#matchTrade(message, lots)
  }

  /** Assigns fills of orders that were unknown. Call it once all messages have arrived. */
  settleEarlyFills(): void {
    this.#retryEarlyFills()
    if (this.#earlyFills.length > 0) {
      this.faults.push(`${this.#earlyFills.length} fills of orders that nobody placed`)
    }
    this.strangersFills = this.#halfTrades.size
  }

  /**
   * Returns true if the messages so far imply more: an update, a fill, or the other side of a trade. The other side never
   * arrives if it is a foreign order.
   */
  isIncomplete(): boolean {
    this.#retryEarlyFills()
    if (this.#earlyFills.length > 0 || this.#halfTrades.size > 0) return true
    for (let index = 0; index < this.plan.count; index++) {
      if (this.#problemOf(index) !== null) return true
    }
    return false
  }

  /** Returns the commands that were sent and not answered. */
  unanswered(): readonly number[] {
    return [...this.#state.keys()].filter((index) => this.isAwaited(index))
  }

  /** Returns the working orders according to the private streams. */
  working(): readonly WorkingOrder[] {
    const { plan } = this
    return [...this.#streamStatus.keys()]
      .filter((index) => this.#isOpenOnStream(index))
      .map((index) => ({
        index,
        orderId: this.#orderIds[index],
        priceMicros: plan.priceMicros[index],
        sizeLots: plan.sizeLots[index],
        filledLots: this.#streamFilledLots[index],
      }))
  }

  /** Returns the differences between acknowledgements, order updates and fills. */
  differences(): string[] {
    const differences = [...this.faults]
    for (let index = 0; index < this.plan.count; index++) {
      const problem = this.#problemOf(index)
      if (problem === null) continue
      const kind = loadKindNames[this.plan.kind[index]]
      differences.push(`command ${index} (${kind}, order ${this.#orderIds[index]}): ${problem}`)
    }
    return differences
  }

  #retryEarlyFills(): void {
    const early = this.#earlyFills
    this.#earlyFills = []
    for (const message of early) this.onFill(message)
  }

  #problemOf(index: number): string | null {
    const [ack, stream] = [this.#ackStatus[index], this.#streamStatus[index]]
    const filled = this.#streamFilledLots[index]
    if (this.#fillLots[index] !== filled) {
      return `fills of ${this.#fillLots[index]} lots, its updates say ${filled}`
    }
    if (stream === Status.Filled && filled !== this.plan.sizeLots[index]) {
      return `FILLED with ${filled} of ${this.plan.sizeLots[index]} lots`
    }
    const isRefused = this.#state[index] === CommandState.Refused
    if (stream !== Status.None && isRefused) return 'refused, but an order came of it'
    if (this.#state[index] !== CommandState.Executed) return null
    if (this.#isEndLost(index)) return 'acknowledged, but the order that it ends remains open'
    if (this.#orderIds[index] === 0) return null
    if (ack >= finalFrom && stream !== ack) {
      return `acknowledged as ${orderStatusNames[ack]}, ended as ${orderStatusNames[stream]}`
    }
    if (stream === Status.None) return 'acknowledged, but its wallet received no message about it'
    if (filled < this.#ackFilledLots[index]) return 'acknowledged with more fills than it has'
    return null
  }

  /** Returns true if a cancel or replace was executed, but its target was not cancelled. */
  #isEndLost(index: number): boolean {
    const { kind, target } = this.plan
    const isEnd = kind[index] === LoadKind.Cancel || kind[index] === LoadKind.Replace
    if (!isEnd || this.#ackStatus[index] === Status.Rejected) return false
    return this.#streamStatus[target[index]] !== Status.Canceled
  }

  #isOpenOnStream(index: number): boolean {
    const status = this.#streamStatus[index]
    return status !== Status.None && status < finalFrom
  }

  #learnOrder(index: number, orderId: number): void {
    if (this.#orderIds[index] === orderId) return
    if (this.#orderIds[index] !== 0) {
      this.faults.push(`command ${index}: order ${this.#orderIds[index]}, then ${orderId}`)
    }
    this.#orderIds[index] = orderId
    this.#indexes.set(orderId, index)
  }

  #indexOf(message: StreamMessage): number {
    const index = this.#indexes.get(message['order_id'] as number)
    if (index !== undefined) return index
    const clientId = message['client_id']
    if (typeof clientId !== 'string' || !clientId.startsWith(this.#tag)) return -1
    return Number(clientId.slice(this.#tag.length))
  }

  /** Compares the two sides of a trade among our wallets. */
  #matchTrade(message: StreamMessage, lots: number): void {
    const id = message['trade_id']
    const price = parsePriceMicros(String(message['price']))
    const other = this.#halfTrades.get(id)
    const isBuy = message['side'] === 'Buy'
    if (other === undefined) {
      this.#halfTrades.set(id, `${isBuy ? 'Sell' : 'Buy'} ${price} ${lots}`)
      return
    }
    this.#halfTrades.delete(id)
    const own = `${isBuy ? 'Buy' : 'Sell'} ${price} ${lots}`
    if (own !== other) this.faults.push(`trade ${id}: ${own}, its other side says ${other}`)
  }
}

/** Returns the lots of a size, given as text or as a JSON number; it may be 0. */
export function lotsOf(size: unknown): number {
  if (typeof size === 'number') return Math.round(size * lotsPerContract)
  const text = String(size)
  return Number(text) === 0 ? 0 : parseSizeLots(text)
}
