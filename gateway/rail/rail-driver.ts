import { setTimeout as sleep } from 'node:timers/promises'
import { DeliveryStatus, isFinalDelivery } from '../../schemas/domain.js'
import { SettleWithdrawalCommand } from '../../schemas/generated/commands.js'
import { Result, resultRows } from '../../schemas/results.js'
import { commandOf } from '../operator/operator-commands.js'
import type { OperatorSender } from '../operator/operator-port.js'
import type { WithdrawalEntry } from '../wire/withdrawal-entry.js'
import type { DeliveryUpdate, SettlementRail } from './settlement-rail.js'
import type { WithdrawalTally } from './withdrawal-tally.js'

export interface RailDriverOptions {
  readonly rail: SettlementRail
  readonly sender: OperatorSender
  /** Reports a fault to the operator. */
  readonly alarm: (text: string, directiveId: string) => void
  /** Counts failures and retries. */
  readonly tally: Pick<WithdrawalTally, 'errors' | 'retries'>
  readonly retryMillisFirst?: number
}

const retryMillisMax = 30_000
/** Results after which a retry is safe: nothing was done, or it is unknown. */
const retried: readonly Result[] = [Result.EngineBusy, Result.NotReady, Result.InternalError]

/**
 * Passes withdrawals from the engine's events to the rail, and the reports of the rail to the engine. Both accept
 * duplicates, so after a crash the driver repeats everything that the events of the start contain.
 */
export class RailDriver {
  readonly #options: RailDriverOptions
  /** Withdrawals that the rail received and that are not final in the engine. */
  readonly #underWay = new Set<string>()
  /** Pending reports to the engine, in order, by withdrawal. */
  readonly #pendingReports = new Map<string, Promise<boolean>>()
  #isStopped = false

  constructor(options: RailDriverOptions) {
    this.#options = options
    options.rail.follow((update) => this.#report(update))
  }

  /** Number of withdrawals that the rail has, or will receive. */
  get underWay(): number {
    return this.#underWay.size
  }

  /** Handles a withdrawal of a durable event. */
  take({ directiveId, wallet, destination, amountMicros, delivery, seq }: WithdrawalEntry): void {
    if (isFinalDelivery(delivery)) {
      this.#underWay.delete(directiveId)
      return
    }
    if (this.#underWay.has(directiveId)) return
    this.#underWay.add(directiveId)
    const { rail } = this.#options
    void this.#retryUntilDone(directiveId, async () => {
      await rail.deliver({ directiveId, wallet, destination, amountMicros, seq })
      return true
    })
  }

  /** Reports a withdrawal as dead-lettered. It may have left, so the operator must find out where its money is. */
  giveUp(directiveId: string): Promise<boolean> {
    if (this.#underWay.has(directiveId)) return Promise.resolve(false)
    this.#underWay.add(directiveId)
    return this.#report({ directiveId, delivery: DeliveryStatus.DeadLettered, txHash: null })
  }

  stop(): void {
    this.#isStopped = true
  }

  /** Reports a step to the engine. @returns true if the engine has journaled it, once that is settled. */
  #report(update: DeliveryUpdate): Promise<boolean> {
    const { directiveId } = update
    const before = this.#pendingReports.get(directiveId) ?? Promise.resolve(true)
    let isJournaled = false
    const reported = before
      .then(() =>
        this.#retryUntilDone(directiveId, async () => {
          const result = await this.#settle(update)
          isJournaled = result === Result.Accepted
          return !retried.includes(result)
        }),
      )
      .then(() => isJournaled)
    this.#pendingReports.set(directiveId, reported)
    void reported.then(() => {
      if (this.#pendingReports.get(directiveId) === reported)
        this.#pendingReports.delete(directiveId)
    })
    return reported
  }

  async #settle({ directiveId, delivery, txHash }: DeliveryUpdate): Promise<Result> {
    const command = commandOf(SettleWithdrawalCommand, (settled) => {
      settled.u8.set(Buffer.from(directiveId.replaceAll('-', ''), 'hex'), settled.directiveIdAt)
      if (txHash !== null) settled.u8.set(Buffer.from(txHash.slice(2), 'hex'), settled.txHashAt)
      settled.delivery = delivery
    })
    const { result } = await this.#options.sender.send(command)
    if (result !== Result.Accepted && !retried.includes(result)) {
      this.#fail(`refused: ${resultRows[result].code}`, directiveId)
    }
    return result
  }

  #fail(text: string, directiveId: string): void {
    const { alarm, tally } = this.#options
    tally.errors++
    alarm(text, directiveId)
  }

  /** Retries the work until it is done, with increasing pauses. */
  async #retryUntilDone(directiveId: string, work: () => Promise<boolean>): Promise<void> {
    let waitMillis = this.#options.retryMillisFirst ?? 50
    while (!this.#isStopped) {
      try {
        if (await work()) return
      } catch (error) {
        this.#fail(error instanceof Error ? error.message : String(error), directiveId)
      }
      this.#options.tally.retries++
      await sleep(waitMillis, undefined, { ref: false })
      waitMillis = Math.min(2 * waitMillis, retryMillisMax)
    }
  }
}
