import { OrderStatus } from '../../../schemas/domain.js'
import {
  factsOrderIdAt,
  factsStatusAt,
  factsWalletAt,
  fillOrderIdAt,
  outcomeCommandAt,
  outcomeFactsAt,
  outcomeFlagsAt,
  outcomeResultAt,
} from '../../../schemas/events.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import { EventType } from '../../../schemas/generated/events.js'
import { OutcomeFlag } from '../../../schemas/record-values.js'
import type { RecordViews } from '../../../schemas/record-views.js'
import { isRejection, type Result } from '../../../schemas/results.js'
import { formatAddress } from '../../../schemas/wallet.js'
import { outcomeOf, seqOf, typeOf } from '../log-events.js'
import { mustHold } from '../simulation-errors.js'

/** Commands whose answers have an order status. */
const orderCommands: ReadonlySet<number> = new Set<number>([
  CommandType.PlaceOrder,
  CommandType.ReplaceOrder,
  CommandType.CancelOrder,
  CommandType.CancelByClientId,
])

/**
 * Answers and streams tell one order of events: an answer carries the sequence of the last event that the streams have
 * told of its order, and whatever is rejected has been told there, too. It goes by the events alone.
 */
export class ToldAnswers {
  /** By order: sequence of its latest event. */
  readonly #lastSeqs = new Map<number, number>()
  /** By wallet: sequence of the latest rejection that its stream was told. */
  readonly #rejectionSeqs = new Map<string, number>()

  /** What this reader has heard before: of it, it does not know how the events of a step followed each other. */
  #heardSeq = 0

  /** Reading goes on behind `seq`, where the events may be told a second time. */
  goOnBehind(seq: number): void {
    this.#lastSeqs.clear()
    this.#rejectionSeqs.clear()
    this.#heardSeq = seq
  }

  /** Takes an event that is none of a bootstrap's. */
  note(log: RecordViews, at: number): void {
    const type = typeOf(log, at)
    if (type === EventType.Fill) {
      this.#lastSeqs.set(log.f64[(at + fillOrderIdAt) >> 3], seqOf(log, at))
    } else if (type === EventType.OrderUpdate) this.#noteUpdate(log, at)
    else if (type === EventType.Outcome) this.#checkAnswer(log, at)
  }

  #noteUpdate(log: RecordViews, at: number): void {
    const facts = at + outcomeFactsAt
    const orderId = log.f64[(facts + factsOrderIdAt) >> 3]
    if (orderId !== 0) this.#lastSeqs.set(orderId, seqOf(log, at))
    else if (log.i32[(facts + factsStatusAt) >> 2] === OrderStatus.Rejected) {
      this.#rejectionSeqs.set(walletOf(log, at), seqOf(log, at))
    }
  }

  #checkAnswer(log: RecordViews, at: number): void {
    const command = log.i32[(at + outcomeCommandAt) >> 2]
    const isRepeat = (log.i32[(at + outcomeFlagsAt) >> 2] & OutcomeFlag.Repeat) !== 0
    if (!orderCommands.has(command) || isRepeat) return
    const { seq, eventSeq, orderId, status } = outcomeOf(log, at)
    if (seq <= this.#heardSeq) return
    const result = log.i32[(at + outcomeResultAt) >> 2] as Result
    if (result < 0 && status !== OrderStatus.Canceled) {
      if (!isRejection(result)) return
      const told = this.#rejectionSeqs.get(walletOf(log, at))
      mustHold(
        told === seq && told === eventSeq - 1,
        () => `the rejection answered at ${eventSeq} was told at ${told}, its answer says ${seq}`,
      )
      return
    }
    // A refused cancel of an order that was cancelled before shows that order.
    const isRefusedCancel = isRejection(result) && seq === eventSeq - 1
    if (isRefusedCancel && this.#rejectionSeqs.get(walletOf(log, at)) === seq) return
    const last = this.#lastSeqs.get(orderId)
    mustHold(
      last === seq,
      () => `order ${orderId} was last told at ${last}, its answer says ${seq}`,
    )
  }
}

function walletOf(log: RecordViews, at: number): string {
  return formatAddress(log.u8, at + outcomeFactsAt + factsWalletAt)
}
