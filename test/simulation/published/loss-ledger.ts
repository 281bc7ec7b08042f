import {
  type AnyEvent,
  EventType,
  FundsEvent,
  LiquidationEvent,
  TransferEvent,
} from '../../../schemas/generated/events.js'
import {
  FundsChange,
  LiquidationChange,
  LiquidationState,
  TransferCause,
} from '../../../schemas/record-values.js'
import { mustHold } from '../run/simulation-errors.js'

const noneBorne = { insuranceMicros: 0, deleveragedMicros: 0, sharedMicros: 0, uncoveredMicros: 0 }
/** Parts of the loss of one liquidation by bearer, from the records so far. */
type Borne = Readonly<typeof noneBorne>

const fundsEvent = new FundsEvent()
const liquidation = new LiquidationEvent()
const transfer = new TransferEvent()

/**
 * Checks the loss waterfall, from the events alone. Each payment of the insurance fund is on a wallet's record. Nothing
 * is borne by others or left uncovered while the fund holds anything. Nobody is deleveraged on paper only. A liquidated
 * wallet ends with exactly the uncovered debt of its record.
 */
export class LossLedger {
  readonly #borne = new Map<number, Borne>()
  /** Accounts of positions that were deleveraged since their last record. */
  readonly #closed = new Set<number>()
  #insuranceMicros = 0
  /** Paid by the fund, and not on a record yet. */
  #paidMicros = 0
  #isBegun = false

  /** Handles any event. Events that a replay publishes before the bootstrap have no start and are ignored. */
  take(event: AnyEvent): void {
    const type = event.recordType
    if (type === EventType.BootstrapBegin) this.#begin()
    else if (!this.#isBegun) return
    else if (type === EventType.Funds) this.#fund(fundsEvent.of(event))
    else if (type === EventType.Liquidation) this.#record(liquidation.of(event))
    else if (type === EventType.Transfer) this.#transfer(transfer.of(event))
  }

  /** Checks, between two batches and after every wallet was checked, that every payment is on record. */
  checkBorder(): void {
    mustHold(this.#paidMicros === 0, () => `the fund paid ${this.#paidMicros} for nobody`)
  }

  #begin(): void {
    this.#isBegun = true
    this.#borne.clear()
    this.#closed.clear()
    this.#insuranceMicros = 0
    this.#paidMicros = 0
  }

  #fund({ insuranceMicros, change }: FundsEvent): void {
    const before = this.#insuranceMicros
    this.#insuranceMicros = insuranceMicros
    mustHold(this.#insuranceMicros >= 0, () => 'the insurance fund is below zero')
    const paidMicros = before - this.#insuranceMicros
    if (paidMicros <= 0) return
    const isLiquidation = change === FundsChange.Liquidation
    mustHold(isLiquidation, () => `the fund lost ${paidMicros} without a liquidation`)
    this.#paidMicros += paidMicros
  }

  #transfer({ cause, account }: TransferEvent): void {
    if (cause === TransferCause.Deleveraging) this.#closed.add(account)
  }

  #record(event: LiquidationEvent): void {
    const { account, change, state, equityMicros } = event
    const { insuranceMicros, deleveragedMicros, sharedMicros, uncoveredMicros } = event
    const isState = change === LiquidationChange.State
    const borne = { insuranceMicros, deleveragedMicros, sharedMicros, uncoveredMicros }
    if (change !== LiquidationChange.Bootstrap) {
      const isNew = isState && state === LiquidationState.PreLiquidation
      this.#compare(account, isNew ? noneBorne : (this.#borne.get(account) ?? noneBorne), borne)
    }
    // A wallet that is healthy again gets a new record with its next liquidation.
    if (state === LiquidationState.Healthy) this.#borne.delete(account)
    else this.#borne.set(account, borne)
    this.#closed.delete(account)
    if (!isState || state !== LiquidationState.Liquidated) return
    const what = () => `account ${account} ends at ${equityMicros}, ${uncoveredMicros} open`
    mustHold(Math.min(0, equityMicros) === -uncoveredMicros + 0, what)
  }

  #compare(account: number, before: Borne, after: Borne): void {
    const paidMicros = after.insuranceMicros - before.insuranceMicros
    const isPaid = paidMicros >= 0 && paidMicros <= this.#paidMicros
    mustHold(isPaid, () => `account ${account}: the fund paid ${paidMicros} on paper only`)
    this.#paidMicros -= paidMicros
    const hasRisen = (what: keyof Borne) => after[what] > before[what]
    const isBorne = hasRisen('deleveragedMicros')
    const costsOthers = isBorne || hasRisen('sharedMicros') || hasRisen('uncoveredMicros')
    const what = () => `account ${account} cost others, the fund holds ${this.#insuranceMicros}`
    mustHold(!costsOthers || this.#insuranceMicros === 0, what)
    const who = () => `account ${account}: nobody was deleveraged for it`
    mustHold(!isBorne || this.#closed.has(account), who)
  }
}
