import { OrderStatus } from '../../../schemas/domain.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import {
  type AnyEvent,
  EventType,
  FillEvent,
  OutcomeEvent,
} from '../../../schemas/generated/events.js'
import { OutcomeFlag } from '../../../schemas/record-values.js'
import { isRejection } from '../../../schemas/results.js'
import { formatAddress } from '../../../schemas/wallet.js'
import { mustHold } from '../run/simulation-errors.js'
import { outcomeOf } from './log-events.js'

const fill = new FillEvent()
const outcome = new OutcomeEvent()

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
  note(event: AnyEvent): void {
    const type = event.recordType
    if (type === EventType.Fill) this.#lastSeqs.set(fill.of(event).orderId, event.seq)
    else if (type === EventType.OrderUpdate) this.#noteUpdate(outcome.of(event))
    else if (type === EventType.Outcome) this.#checkAnswer(event)
  }

  #noteUpdate(update: OutcomeEvent): void {
    const { orderId, status } = update.facts
    if (orderId !== 0) this.#lastSeqs.set(orderId, update.seq)
    else if (status === OrderStatus.Rejected) {
      this.#rejectionSeqs.set(walletOf(update), update.seq)
    }
  }

  #checkAnswer(event: AnyEvent): void {
    const { command, flags, result } = outcome.of(event)
    if (!orderCommands.has(command) || (flags & OutcomeFlag.Repeat) !== 0) return
    const { seq, eventSeq, orderId, status } = outcomeOf(event)
    if (seq <= this.#heardSeq) return
    if (result < 0 && status !== OrderStatus.Canceled) {
      if (!isRejection(result)) return
      const told = this.#rejectionSeqs.get(walletOf(outcome))
      mustHold(
        told === seq && told === eventSeq - 1,
        () => `the rejection answered at ${eventSeq} was told at ${told}, its answer says ${seq}`,
      )
      return
    }
    // A refused cancel of an order that was cancelled before shows that order.
    const isRefusedCancel = isRejection(result) && seq === eventSeq - 1
    if (isRefusedCancel && this.#rejectionSeqs.get(walletOf(outcome)) === seq) return
    const last = this.#lastSeqs.get(orderId)
    mustHold(
      last === seq,
      () => `order ${orderId} was last told at ${last}, its answer says ${seq}`,
    )
  }
}

function walletOf({ u8, facts }: OutcomeEvent): string {
  return formatAddress(u8, facts.walletAt)
}
