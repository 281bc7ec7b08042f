import type { Worker } from 'node:worker_threads'
import { Result } from '../../schemas/results.js'
import type { Config } from '../config/config-schema.js'
import type { OperatorSender } from '../operator/operator-port.js'
import type { WithdrawalTold } from '../wire/withdrawal-told.js'
import type { PreflightAnswer, PreflightQuestion } from './preflight-desk.js'
import { RailDriver } from './rail-driver.js'
import type { SettlementRail } from './settlement-rail.js'
import { parseOutcomes, SimulatedRail } from './simulated-rail.js'

/** The rail of a venue, on the thread that has started it: away from gateways and core. */
export class VenueRail {
  readonly #config: Config
  readonly #alarm: (text: string, directiveId: string) => void
  #rail: SettlementRail | null = null
  #driver: RailDriver | null = null
  /** Told before the driver is there. */
  #told: WithdrawalTold[] = []

  constructor(config: Config, alarm: (text: string, directiveId: string) => void) {
    this.#config = config
    this.#alarm = alarm
  }

  /** The read model tells of a withdrawal. */
  onTold(told: WithdrawalTold): void {
    if (this.#driver === null) this.#told.push(told)
    else this.#driver.take(told)
  }

  /** Opens the rail, so that gateways may ask it. @throws Error when its record cannot be had. */
  async open(gateways: readonly Worker[]): Promise<void> {
    const { dataDir, withdrawals } = this.#config
    if (withdrawals.rail === 'simulated') {
      const outcomes = parseOutcomes(withdrawals.outcomes) ?? new Map()
      const { stepMillis } = withdrawals
      this.#rail = await SimulatedRail.open({ dataDir, outcomes, stepMillis })
    }
    for (const worker of gateways) {
      worker.on('message', (asked: PreflightQuestion) => {
        if (asked.type === 'preflight') void this.#answer(worker, asked)
      })
    }
  }

  /** Delivers what was told so far, and from here on all that is. */
  start(sender: OperatorSender): void {
    const told = this.#told
    this.#told = []
    const alarm = this.#alarm
    if (this.#rail !== null) {
      this.#driver = new RailDriver({ rail: this.#rail, sender, alarm })
      for (const one of told) this.#driver.take(one)
      return
    }
    for (const { directiveId } of told) alarm('is under way, and there is no rail', directiveId)
  }

  async stop(): Promise<void> {
    this.#driver?.stop()
    await this.#rail?.close()
  }

  async #answer(worker: Worker, { id, destination }: PreflightQuestion): Promise<void> {
    const failed = Result.WithdrawalPreflightUnavailable
    const asked = this.#rail?.preflight(destination).catch(() => failed)
    const result = (await asked) ?? Result.WithdrawalSourceUnavailable
    worker.postMessage({ type: 'preflighted', id, result } satisfies PreflightAnswer)
  }
}
