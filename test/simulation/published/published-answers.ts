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
 * Checks that answers and streams agree on one order of events. An answer carries the sequence of the last event that
 * the streams published for its order, and every rejection was published there too. Uses the events alone.
 */
export class PublishedAnswers {
  /** Sequence of the latest event, by order. */
  readonly #lastSeqs = new Map<number, number>()
  /** Sequence of the latest rejection on the wallet's stream, by wallet. */
  readonly #rejectionSeqs = new Map<string, number>()

  /** Sequence up to which the reader does not know the order of events within a step. */
  #heardSeq = 0

  /** Continues after `seq`, where events may come a second time. */
  goOnBehind(seq: number): void {
    this.#lastSeqs.clear()
    this.#rejectionSeqs.clear()
    this.#heardSeq = seq
  }

  /** Handles an event outside a bootstrap. */
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
      const published = this.#rejectionSeqs.get(walletOf(outcome))
      mustHold(
        published === seq && published === eventSeq - 1,
        () =>
          `the rejection answered at ${eventSeq} was published at ${published}, its answer says ${seq}`,
      )
      return
    }
    // A rejected cancel of an order that was cancelled before shows that order.
    const isRefusedCancel = isRejection(result) && seq === eventSeq - 1
    if (isRefusedCancel && this.#rejectionSeqs.get(walletOf(outcome)) === seq) return
    const last = this.#lastSeqs.get(orderId)
    mustHold(
      last === seq,
      () => `order ${orderId} was last published at ${last}, its answer says ${seq}`,
    )
  }
}

function walletOf({ u8, facts }: OutcomeEvent): string {
  return formatAddress(u8, facts.walletAt)
}
