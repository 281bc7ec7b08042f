import { CompetitionState } from '../../../schemas/domain.js'
import {
  type AnyEvent,
  CompetitionEvent,
  CompetitionMarksEvent,
  EventType,
  FillEvent,
  PayoutEvent,
  TransferEvent,
} from '../../../schemas/generated/events.js'
import { CompetitionChange } from '../../../schemas/record-values.js'
import { formatAddress } from '../../../schemas/wallet.js'
import { Ledger, type LedgerListener } from './ledger.js'

const competition = new CompetitionEvent()
const marks = new CompetitionMarksEvent()
const fill = new FillEvent()
const payout = new PayoutEvent()
const transfer = new TransferEvent()

/** Ledgers of active and imminent competitions, fed by events in order. Each event is applied once. */
export class LedgerBook {
  readonly #listener: LedgerListener
  readonly #hasRanks: boolean
  readonly #byId = new Map<number, Ledger>()
  #active: Ledger[] = []

  /**
   * @param hasRanks True to maintain ranks, which costs more than everything else.
   */
  constructor(listener: LedgerListener, hasRanks: boolean) {
    this.#listener = listener
    this.#hasRanks = hasRanks
  }

  get all(): Iterable<Ledger> {
    return this.#byId.values()
  }

  /** Ledgers of active competitions. */
  get active(): readonly Ledger[] {
    return this.#active
  }

  find(id: number): Ledger | null {
    return this.#byId.get(id) ?? null
  }

  /** Adds a stored ledger, still empty. It ignores events until `begin`. */
  restore(id: number): Ledger {
    const ledger = new Ledger(id, this.#listener, this.#hasRanks)
    this.#byId.set(id, ledger)
    return ledger
  }

  /** Activates a ledger, which applies events from here on. */
  begin(ledger: Ledger): void {
    ledger.isActive = true
    this.#active.push(ledger)
    this.#listener.onBegin?.(ledger)
  }

  /** True if events of this type may concern a ledger. */
  static concerns(type: number): boolean {
    return (
      type === EventType.Fill ||
      type === EventType.Competition ||
      type === EventType.Payout ||
      type === EventType.Transfer
    )
  }

  take(event: AnyEvent): void {
    const { recordType: type } = event
    if (type === EventType.Competition) this.#takeCompetition(event)
    else if (this.#active.length === 0) return
    else if (type === EventType.Fill) this.#takeFill(fill.of(event))
    else if (type === EventType.Payout) {
      const wallet = formatAddress(payout.of(event).u8, payout.walletAt)
      for (const ledger of this.#active) ledger.payout(wallet, payout)
    } else if (type === EventType.Transfer) {
      const wallet = formatAddress(transfer.of(event).u8, transfer.walletAt)
      for (const ledger of this.#active) ledger.transfer(wallet, transfer)
    }
  }

  #takeFill(event: FillEvent): void {
    const wallet = formatAddress(event.u8, event.walletAt)
    for (const ledger of this.#active) ledger.fill(wallet, event)
  }

  #takeCompetition(event: AnyEvent): void {
    const { change, competitionId: id, state } = competition.of(event)
    const known = this.find(id)
    if (change === CompetitionChange.Marks) this.#takeMarks(known ?? this.#open(id), event)
    else if (state === CompetitionState.Active && known?.isActive !== true) {
      this.begin(known ?? this.#open(id))
    } else if (state === CompetitionState.Post && known !== null) this.#end(known)
  }

  #takeMarks(ledger: Ledger, event: AnyEvent): void {
    const { count } = marks.of(event)
    for (let i = 0; i < count; i++) {
      const { instrument, markMicros } = marks.marks(i)
      ledger.noteMark(instrument, markMicros)
    }
  }

  #end(ledger: Ledger): void {
    ledger.end()
    this.#active = this.#active.filter((other) => other !== ledger)
    this.#byId.delete(ledger.id)
  }

  #open(id: number): Ledger {
    const ledger = this.restore(id)
    this.#listener.onOpen?.(ledger)
    return ledger
  }
}
