import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import type { Witness } from '../../engine/journal/journal-loss.js'
import { formatMicros } from '../../schemas/decimal.js'
import { DeliveryStatus, deliveryStatusNames } from '../../schemas/domain.js'
import { Result } from '../../schemas/results.js'
import type { Config } from '../config/config-schema.js'
import type { OperatorSender } from '../operator/operator-port.js'
import type { WithdrawalFigures } from '../operator/withdrawal-metrics.js'
import type { WithdrawalTold } from '../wire/withdrawal-told.js'
import { MissingWithdrawals, missingFile } from './missing-withdrawals.js'
import type { PreflightAnswer, PreflightQuestion } from './preflight-desk.js'
import { RailDriver } from './rail-driver.js'
import type { RecordedDelivery, SettlementRail } from './settlement-rail.js'
import { parseOutcomes, SimulatedRail } from './simulated-rail.js'
import { WithdrawalTally } from './withdrawal-tally.js'

/** Nothing has arrived, and nothing will. */
const neverArrived: readonly DeliveryStatus[] = [
  DeliveryStatus.CoreRejected,
  DeliveryStatus.Reverted,
]

/** The rail of a venue, on the thread that has started it: away from gateways and core. */
export class VenueRail {
  readonly #config: Config
  readonly #alarm: (text: string, directiveId: string) => void
  readonly #missing: MissingWithdrawals
  readonly #tally = new WithdrawalTally()
  #rail: SettlementRail | null = null
  /** What a rail has recorded in the folder that this process delivers nothing with. */
  #recorded: readonly RecordedDelivery[] = []
  #driver: RailDriver | null = null
  /** Told before the driver is there. */
  #told: WithdrawalTold[] = []

  /** @throws Error when the file of missing withdrawals cannot be read. */
  constructor(config: Config, alarm: (text: string, directiveId: string) => void) {
    this.#config = config
    this.#alarm = alarm
    this.#missing = new MissingWithdrawals(join(config.dataDir, missingFile))
  }

  /** What the rail's record shows of how far the journal once was. */
  get witnesses(): readonly Witness[] {
    let seq = 0
    for (const delivery of this.#deliveries()) seq = Math.max(seq, delivery.seq)
    return seq === 0 ? [] : [{ name: "the settlement rail's record", seq, batchNumber: 0 }]
  }

  /** The read model tells of a withdrawal. */
  onTold(told: WithdrawalTold): void {
    this.#tally.take(told)
    this.#missing.remove(told.directiveId)
    if (this.#driver === null) this.#told.push(told)
    else this.#driver.take(told)
  }

  /**
   * Opens the rail with its record. Without a rail the record is looked at all the same: what was sent is sent, and a
   * journal that lacks it must not go on as if it were not.
   * @throws Error when its record cannot be had, or an outcome that is asked for is none.
   */
  async open(): Promise<void> {
    const { dataDir, withdrawals } = this.#config
    if (withdrawals.rail !== 'simulated') {
      this.#recorded = SimulatedRail.recorded(dataDir)
      return
    }
    const outcomes = parseOutcomes(withdrawals.outcomes)
    if (outcomes === null) throw new Error('withdrawals.outcomes names an outcome that is none')
    const { stepMillis } = withdrawals
    const onError = (error: unknown, directiveId: string) => {
      this.#tally.errors++
      this.#tally.retries++
      this.#alarm(String(error), directiveId)
    }
    this.#rail = await SimulatedRail.open({ dataDir, outcomes, stepMillis, onError })
  }

  /**
   * The operator gives up what the journal held behind a sequence: of what the rail has taken over since nobody knows the
   * debit any more. Written down before the loss is.
   */
  onLoss(seq: number): void {
    const isMissing = (one: RecordedDelivery) =>
      one.seq > seq && !neverArrived.includes(one.delivery)
    this.#missing.add([...this.#deliveries()].filter(isMissing))
  }

  /** Lets gateways ask before a debit. */
  serve(gateways: readonly Worker[]): void {
    for (const worker of gateways) {
      worker.on('message', (asked: PreflightQuestion) => {
        if (asked.type === 'preflight') void this.#answer(worker, asked)
      })
    }
  }

  /** Delivers what was told so far, and from here on all that is. */
  start(sender: OperatorSender): void {
    this.#cryMissing()
    const told = this.#told
    this.#told = []
    const alarm = this.#alarm
    if (this.#rail !== null) {
      this.#driver = new RailDriver({ rail: this.#rail, sender, alarm, tally: this.#tally })
      for (const one of told) this.#driver.take(one)
      return
    }
    for (const { directiveId } of told) alarm('is under way, and there is no rail', directiveId)
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
    return this.#rail?.deliveries() ?? this.#recorded
  }

  #cryMissing(): void {
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
    // What has left once is not to leave a second time.
    const rail = this.#missing.hasWallet(wallet) ? null : this.#rail
    const asked = rail?.preflight(destination).catch(() => {
      this.#tally.errors++
      return failed
    })
    const result = (await asked) ?? Result.WithdrawalSourceUnavailable
    worker.postMessage({ type: 'preflighted', id, result } satisfies PreflightAnswer)
  }
}
