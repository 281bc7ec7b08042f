import {
  InstrumentState,
  isFinalRfq,
  OrderFlag,
  OrderStatus,
  RfqStatus,
} from '../../../schemas/domain.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import {
  type AnyEvent,
  ComboFillEvent,
  EventType,
  FillEvent,
  InstrumentEvent,
  OutcomeEvent,
  RfqEvent,
  RfqQuoteEvent,
} from '../../../schemas/generated/events.js'
import { CancelScope, OutcomeFlag, RfqQuoteChange } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { formatUuid } from '../../../schemas/uuid.js'
import { formatAddress } from '../../../schemas/wallet.js'
import { mustHold } from '../run/simulation-errors.js'
import type { InstrumentTerms } from './published-auctions.js'
import type { SentScope, SentScopes } from './sent-scopes.js'

const fill = new FillEvent()
const comboFill = new ComboFillEvent()
const instrumentEvent = new InstrumentEvent()
const outcome = new OutcomeEvent()
const quote = new RfqQuoteEvent()
const rfq = new RfqEvent()

interface Listed extends InstrumentTerms {
  isActive: boolean
}

/** Endable object: a working order, a request for quote, or a live quote for one. */
interface Ending {
  readonly wallet: string
  readonly instruments: readonly number[]
  /** Sequence of the event that ended it, after which it must not trade; 0 if none has. */
  endedSeq: number
}

const noCounts = { 'by cancel-all': 0, 'by timers': 0, 'by connections': 0, 'with requests': 0 }
/** Results of order updates that imply the end of everything of the wallet. */
const wholeReasons: ReadonlySet<number> = new Set([Result.DeadManFired, Result.Disconnected])
const endsQuote: ReadonlySet<number> = new Set([
  RfqQuoteChange.Replaced,
  RfqQuoteChange.Withdrawn,
  RfqQuoteChange.Expired,
  RfqQuoteChange.MarginRejected,
  RfqQuoteChange.Executed,
])

/**
 * Checks that nothing ended by a CancelAll, a dead-man's timer or the end of a connection trades after the event that
 * reports it: orders in books and in auctions, requests for quote, live quotes. It uses the events and the scope with
 * which each CancelAll was sent. A CancelAll counts exactly the orders that it ends.
 */
export class PurgeLedger {
  #counts = noCounts
  readonly #sent: SentScopes
  readonly #listed = new Map<number, Listed>()
  readonly #orders = new Map<number, Ending>()
  /** By id; quotes by request and quote. */
  readonly #rfqs = new Map<string, Ending>()
  readonly #quotes = new Map<string, Ending>()
  /** Live quotes of a request. */
  readonly #quotesOf = new Map<string, Set<string>>()
  #isBegun = false

  constructor(sent: SentScopes) {
    this.#sent = sent
  }

  /** Handles any event. Events that a replay publishes before the bootstrap have no start and are ignored. */
  take(event: AnyEvent): void {
    const type = event.recordType
    if (type === EventType.BootstrapBegin) this.#begin()
    else if (!this.#isBegun) return
    else if (type === EventType.Instrument) this.#noteInstrument(instrumentEvent.of(event))
    else if (type === EventType.OrderUpdate) this.#noteUpdate(outcome.of(event))
    else if (type === EventType.Outcome) this.#noteOutcome(outcome.of(event))
    else if (type === EventType.Rfq) this.#noteRfq(rfq.of(event))
    else if (type === EventType.RfqQuote) this.#noteQuote(quote.of(event))
    else if (type === EventType.Fill) this.#noteFill(event)
  }

  /** Returns how often something was ended since the last call, by cause. */
  takeCounts(): typeof noCounts {
    const counts = this.#counts
    this.#counts = noCounts
    return counts
  }

  /** Checks, after everything is read, that what was to end has ended. */
  checkBorder(): void {
    for (const [orderId, order] of this.#orders) {
      const isOver = order.endedSeq === 0 || !this.#isActive(order)
      mustHold(isOver, () => `order ${orderId} was ended at ${order.endedSeq} and works`)
    }
    for (const [id, { endedSeq }] of this.#rfqs) {
      mustHold(endedSeq === 0, () => `request ${id} was ended at ${endedSeq} and is open`)
    }
  }

  #begin(): void {
    this.#isBegun = true
    for (const rows of [this.#listed, this.#orders, this.#rfqs, this.#quotes, this.#quotesOf]) {
      rows.clear()
    }
  }

  #noteInstrument({
    instrument,
    state,
    nameText,
    expiryDate,
    right,
    strikeMicros,
  }: InstrumentEvent) {
    const isActive = state === InstrumentState.Active
    const terms = { underlyingText: nameText, expiryDate, right, strikeMicros }
    const known = this.#listed.get(instrument)
    if (known !== undefined) known.isActive = isActive
    else this.#listed.set(instrument, { ...terms, isActive })
  }

  #noteUpdate({ facts, result, seq }: OutcomeEvent): void {
    const { flags, instrument, orderId, status, u8, walletAt } = facts
    if (orderId === 0) return
    const wallet = formatAddress(u8, walletAt)
    const isFinal = status === OrderStatus.Filled || status === OrderStatus.Canceled
    if (status === OrderStatus.Canceled && wholeReasons.has(result)) {
      this.#count(result === Result.DeadManFired ? 'by timers' : 'by connections')
      this.#end(wallet, seq, null)
    }
    if (isFinal || status === OrderStatus.Rejected) this.#orders.delete(orderId)
    else if (!this.#orders.has(orderId) && (flags & OrderFlag.Liquidation) === 0) {
      this.#orders.set(orderId, { wallet, instruments: [instrument], endedSeq: 0 })
    }
  }

  #noteOutcome(event: OutcomeEvent): void {
    const { command, facts, flags, result, seq } = event
    if (result !== Result.Accepted || (flags & OutcomeFlag.Repeat) !== 0) return
    const wallet = formatAddress(facts.u8, facts.walletAt)
    if (command === CommandType.EndConnection) this.#end(wallet, seq, null)
    else if (command === CommandType.CancelAll) {
      const scope = this.#sent.find(wallet, event)
      if (scope === null) return
      const count = this.#end(wallet, seq, scope)
      const { canceledCount } = facts
      mustHold(count === canceledCount, () => {
        return `a cancel-all at ${seq} says ${canceledCount}, ${count} orders were working`
      })
      if (count > 0) this.#count('by cancel-all')
    }
  }

  #noteRfq(event: RfqEvent): void {
    const { count, orderId, reason, rfqIdAt, seq, status, u8, walletAt } = event
    const id = formatUuid(u8, rfqIdAt)
    const known = this.#rfqs.get(id)
    const endedSeq = known?.endedSeq ?? 0
    const trades = status === RfqStatus.Accepted || status === RfqStatus.Executed
    mustHold(endedSeq === 0 || !trades, () => `request ${id} was ended at ${endedSeq}, and trades`)
    if (isFinalRfq(status) && (wholeReasons.has(reason) || reason === Result.CanceledWithAll)) {
      this.#count('with requests')
      if (wholeReasons.has(reason)) this.#end(formatAddress(u8, walletAt), seq, null)
    }
    if (isFinalRfq(status)) {
      this.#rfqs.delete(id)
      for (const key of this.#quotesOf.get(id) ?? []) this.#quotes.delete(key)
      this.#quotesOf.delete(id)
    } else if (known === undefined && orderId === 0) {
      const instruments = Array.from({ length: count }, (_, leg) => event.legs(leg).instrument)
      this.#rfqs.set(id, { wallet: formatAddress(u8, walletAt), instruments, endedSeq: 0 })
    }
  }

  #noteQuote({ change, count, quoteIdAt, rfqIdAt, u8, walletAt }: RfqQuoteEvent): void {
    const id = formatUuid(u8, rfqIdAt)
    const key = formatUuid(u8, quoteIdAt)
    const isAgain = change === RfqQuoteChange.Bootstrap && count > 0
    if (change === RfqQuoteChange.Made || isAgain) {
      const instruments = this.#rfqs.get(id)?.instruments ?? []
      const wallet = formatAddress(u8, walletAt)
      this.#quotes.set(key, { wallet, instruments, endedSeq: 0 })
      this.#quotesOf.set(id, (this.#quotesOf.get(id) ?? new Set()).add(key))
    } else if (endsQuote.has(change)) {
      // The fills of an executed quote come after its execution event.
      if (change !== RfqQuoteChange.Executed) this.#quotes.delete(key)
    }
  }

  #noteFill(event: AnyEvent): void {
    const { orderId, seq } = fill.of(event)
    this.#mustTrade(`order ${orderId}`, this.#orders.get(orderId), seq)
    if (event.recordBytes !== ComboFillEvent.bytes) return
    const { quoteIdAt, rfqIdAt, u8 } = comboFill.of(event)
    const [id, key] = [formatUuid(u8, rfqIdAt), formatUuid(u8, quoteIdAt)]
    this.#mustTrade(`request ${id}`, this.#rfqs.get(id), seq)
    this.#mustTrade(`quote ${key}`, this.#quotes.get(key), seq)
  }

  #count(name: keyof typeof noCounts): void {
    this.#counts = { ...this.#counts, [name]: this.#counts[name] + 1 }
  }

  #mustTrade(name: string, ending: Ending | undefined, seq: number): void {
    const endedSeq = ending?.endedSeq ?? 0
    mustHold(endedSeq === 0, () => `${name} was ended at ${endedSeq} and is filled at ${seq}`)
  }

  /**
   * @param scope null for everything
   * @returns the number of its orders that were working
   */
  #end(wallet: string, seq: number, scope: SentScope | null): number {
    const isAll = scope === null || scope.scope === CancelScope.All
    const isEnded = (ending: Ending) =>
      ending.wallet === wallet &&
      (isAll || ending.instruments.some((each) => this.#isIn(each, scope)))
    let count = 0
    for (const order of this.#orders.values()) {
      if (!isEnded(order) || !this.#isActive(order)) continue
      count++
      if (order.endedSeq === 0) order.endedSeq = seq
    }
    for (const rows of [this.#rfqs, this.#quotes]) {
      for (const row of rows.values()) if (isEnded(row) && row.endedSeq === 0) row.endedSeq = seq
    }
    return count
  }

  #isActive({ instruments }: Ending): boolean {
    return this.#listed.get(instruments[0]!)?.isActive === true
  }

  #isIn(instrument: number, scope: SentScope): boolean {
    const listed = this.#listed.get(instrument)
    if (listed?.underlyingText !== scope.terms.underlyingText) return false
    if (scope.scope === CancelScope.Underlying) return true
    const { expiryDate, right, strikeMicros } = scope.terms
    const isSameTerms = listed.expiryDate === expiryDate && listed.right === right
    return isSameTerms && listed.strikeMicros === strikeMicros
  }
}
