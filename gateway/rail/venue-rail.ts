import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import type { JournalEvidence } from '../../engine/journal/journal-loss.js'
import { formatMicros } from '../../schemas/decimal.js'
import { DeliveryStatus, deliveryStatusNames, isFinalDelivery } from '../../schemas/domain.js'
import { NotedFile } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import type { Config } from '../config/config-schema.js'
import { fileAt, LostFile, lossOf, noteOf, notingSender } from '../operator/noted-files.js'
import type { OperatorSender } from '../operator/operator-port.js'
import type { WithdrawalFigures } from '../operator/withdrawal-metrics.js'
import type { WithdrawalEntry } from '../wire/withdrawal-entry.js'
import { MissingWithdrawals, missingFile } from './missing-withdrawals.js'
import type { PreflightAnswer, PreflightQuestion } from './preflight-service.js'
import { RailDriver } from './rail-driver.js'
import { recordFile } from './rail-record.js'
import type { RecordedDelivery, SettlementRail } from './settlement-rail.js'
import { parseOutcomes, SimulatedRail } from './simulated-rail.js'
import { WithdrawalTally } from './withdrawal-tally.js'

/** Final statuses without a delivery. */
const neverArrived: readonly DeliveryStatus[] = [
  DeliveryStatus.CoreRejected,
  DeliveryStatus.Reverted,
]

/** Knowledge of the journal about withdrawals after recovery. */
export interface KnownWithdrawals {
  /** Minimum length of the rail's record. */
  readonly recordBytes: number
  /** Withdrawals without an end. */
  readonly openCount: number
  /** Sequence of the last event. */
  readonly seq: number
}

/** Rail of a venue, on the thread that started it, not on a gateway or the core. */
export class VenueRail {
  readonly #config: Config
  readonly #alarm: (text: string, directiveId: string | null) => void
  readonly #missing: MissingWithdrawals
  readonly #tally = new WithdrawalTally()
  readonly #recordPath: string
  #rail: SettlementRail | null = null
  /** Content of the record before the rail is open, or without a rail. */
  #recorded: ReturnType<typeof SimulatedRail.recorded> = { rows: [], bytes: 0 }
  /** Fault of the record, as a sentence with its name. While it is set, nothing is delivered. */
  #lost: string | null = null
  /** Withdrawals up to this sequence may have left although the record, whose loss was accepted, lacks them. */
  #doubtfulSeq = 0
  /** Number of those without an end in the journal. While it is above 0, the journal keeps the old record length. */
  #doubtfulCount = 0
  readonly #doubted = new Set<string>()
  #driver: RailDriver | null = null
  /** Sends the length of the record to the journal. */
  #note: () => void = () => {}
  /** Withdrawals received before the driver exists. */
  #waiting: WithdrawalEntry[] = []

  /** @throws Error if the file of missing withdrawals cannot be read. */
  constructor(config: Config, alarm: (text: string, directiveId: string | null) => void) {
    this.#config = config
    this.#alarm = alarm
    this.#missing = new MissingWithdrawals(join(config.dataDir, missingFile))
    this.#recordPath = join(config.dataDir, recordFile)
  }

  /** Highest sequence in the rail's record, which the journal must have reached. */
  get journalEvidence(): readonly JournalEvidence[] {
    let seq = 0
    for (const delivery of this.#deliveries()) seq = Math.max(seq, delivery.seq)
    return seq === 0 ? [] : [{ name: "the settlement rail's record", seq, batchNumber: 0 }]
  }

  /** Handles a withdrawal that the read model reports. */
  onEntry(withdrawal: WithdrawalEntry): void {
    this.#tally.take(withdrawal)
    this.#missing.remove(withdrawal.directiveId)
    if (this.#driver === null) this.#waiting.push(withdrawal)
    else this.#take(withdrawal)
  }

  /**
   * Reads the record, with or without a rail, to check that the journal has all deliveries.
   * @throws Error if a line cannot be read, or a configured result does not exist.
   */
  open(): void {
    const { dataDir, withdrawals } = this.#config
    parseOutcomes(withdrawals.outcomes)
    this.#lost = this.#lossOf(0)
    if (this.#lost === null) this.#recorded = SimulatedRail.recorded(dataDir)
  }

  /**
   * Opens the rail if its record has everything that the journal knows. Otherwise stops the rail, unless the operator
   * accepts the loss. Call it before the first withdrawal of this process.
   */
  async prepare(known: KnownWithdrawals): Promise<void> {
    this.#lost ??= this.#lossOf(known.recordBytes)
    if (this.#lost === null && known.openCount > 0 && fileAt(this.#recordPath) === null) {
      this.#lost = `${recordFile} is missing; the journal has ${known.openCount} withdrawals under way`
    }
    const isRegular = fileAt(this.#recordPath)?.isFile() ?? true
    if (this.#lost !== null && this.#config.acceptLostFiles && isRegular) {
      this.#alarm(`${this.#lost}; --accept-lost-files accepts the loss`, null)
      this.#lost = null
      this.#doubtfulSeq = known.seq
      this.#doubtfulCount = known.openCount
    }
    if (this.#lost === null && this.#config.withdrawals.rail === 'simulated') await this.#openRail()
  }

  async #openRail(): Promise<void> {
    const { dataDir, withdrawals } = this.#config
    const onError = (error: unknown, directiveId: string) => {
      this.#tally.errors++
      this.#tally.retries++
      if (error instanceof LostFile) this.#lose(error.message)
      else this.#alarm(String(error), directiveId)
    }
    const outcomes = parseOutcomes(withdrawals.outcomes)
    const { stepMillis } = withdrawals
    const onUnheard = () => this.#note()
    const options = { dataDir, outcomes, stepMillis, onError, onUnheard }
    this.#rail = await SimulatedRail.open(options)
  }

  /** Returns the fault of the record, as a sentence with its name; null: none. */
  fault(): string | null {
    if (this.#lost === null) {
      const fault = this.#rail?.fault() ?? null
      if (fault !== null) this.#lose(fault)
    }
    return this.#lost === null ? null : `${this.#lost}; the settlement rail is stopped`
  }

  /**
   * Records deliveries whose debits are lost, when the operator accepts the loss of the journal after a sequence. Runs
   * before the loss is journaled.
   */
  onLoss(seq: number): void {
    const isMissing = (one: RecordedDelivery) =>
      one.seq > seq && !neverArrived.includes(one.delivery)
    this.#missing.add([...this.#deliveries()].filter(isMissing))
  }

  /** Answers the preflight questions of gateways. */
  serve(gateways: readonly Worker[]): void {
    for (const worker of gateways) {
      worker.on('message', (question: PreflightQuestion) => {
        if (question.type === 'preflight') void this.#answer(worker, question)
      })
    }
  }

  /** Delivers all withdrawals that the read model has reported, and then each new one. */
  start(sender: OperatorSender): void {
    this.#raiseMissing()
    const waiting = this.#waiting
    this.#waiting = []
    const alarm = this.#alarm
    const rail = this.#rail
    if (rail === null) {
      const why = this.fault() ?? 'there is no rail'
      for (const { directiveId } of waiting) alarm(`is under way: ${why}`, directiveId)
      return
    }
    const bytesNow = () => (this.#doubtfulCount > 0 ? null : rail.recordBytes)
    const noting = notingSender(sender, NotedFile.Rail, bytesNow)
    this.#note = () => void sender.send(noteOf(NotedFile.Rail, rail.recordBytes))
    if (this.#doubtfulSeq > 0 && this.#doubtfulCount === 0) this.#note()
    this.#driver = new RailDriver({ rail, sender: noting, alarm, tally: this.#tally })
    for (const one of waiting) this.#take(one)
  }

  figures(): WithdrawalFigures {
    const { rows } = this.#missing
    const micros = rows.reduce((sum, { amountMicros }) => sum + amountMicros, 0)
    return { ...this.#tally.figures(), missing: { count: rows.length, micros } }
  }

  async stop(): Promise<void> {
    this.#driver?.stop()
    await this.#rail?.close()
  }

  #deliveries(): Iterable<RecordedDelivery> {
    return this.#rail?.deliveries() ?? this.#recorded.rows
  }

  /** Passes a withdrawal to the driver, unless it may have left although the record lacks it. */
  #take(withdrawal: WithdrawalEntry): void {
    const { delivery, directiveId, seq } = withdrawal
    const recorded = this.#rail?.status(directiveId) ?? null
    const isEnded = isFinalDelivery(recorded?.delivery ?? delivery) || isFinalDelivery(delivery)
    const isKnown = isEnded || (recorded !== null && recorded.delivery >= delivery)
    // A record that lost lines may have lost the latest line of this withdrawal.
    if (!isFinalDelivery(delivery) && seq <= this.#doubtfulSeq)
      this.#settleDoubt(withdrawal, isEnded)
    else if (isKnown || delivery === DeliveryStatus.Pending) this.#driver?.take(withdrawal)
    else {
      const status = deliveryStatusNames[delivery]
      this.#lose(
        `${recordFile} lacks withdrawal ${directiveId}, which the journal has as ${status}`,
      )
    }
  }

  /**
   * Settles a withdrawal that may have left: passes it to the driver if it has ended, or else reports it as
   * dead-lettered.
   * @param isEnded true if it is final in the record.
   */
  #settleDoubt(withdrawal: WithdrawalEntry, isEnded: boolean): void {
    const driver = this.#driver!
    if (this.#doubted.has(withdrawal.directiveId)) return
    this.#doubted.add(withdrawal.directiveId)
    if (isEnded) driver.take(withdrawal)
    const given = isEnded ? Promise.resolve(true) : driver.giveUp(withdrawal.directiveId)
    void given.then((isJournaled) => {
      if (isJournaled && --this.#doubtfulCount === 0) this.#note()
    })
  }

  #lossOf(notedBytes: number): string | null {
    const loss = lossOf(this.#recordPath, this.#recorded.bytes, notedBytes)
    return loss === null ? null : `${recordFile} ${loss}`
  }

  /** Stops deliveries until a later start finds the record complete, or the operator accepts the loss. */
  #lose(what: string): void {
    this.#lost ??= what
    this.#driver?.stop()
  }

  #raiseMissing(): void {
    for (const { amountMicros, delivery, destination, directiveId, wallet } of this.#missing.rows) {
      const terms = `${formatMicros(amountMicros)} USD of ${wallet} to ${destination}`
      const text = `an accepted loss has taken the debit, and the rail the money: ${terms}, ${deliveryStatusNames[delivery]}`
      this.#alarm(
        `${text}; the wallet withdraws nothing until ${missingFile} lacks it`,
        directiveId,
      )
    }
  }

  async #answer(worker: Worker, { id, destination, wallet }: PreflightQuestion): Promise<void> {
    const failed = Result.WithdrawalPreflightUnavailable
    // Money that has left must not be sent again.
    const isStopped = this.fault() !== null || this.#missing.hasWallet(wallet)
    const rail = isStopped ? null : this.#rail
    const reply = rail?.preflight(destination).catch(() => {
      this.#tally.errors++
      return failed
    })
    const result = (await reply) ?? Result.WithdrawalSourceUnavailable
    worker.postMessage({ type: 'preflighted', id, result } satisfies PreflightAnswer)
  }
}
