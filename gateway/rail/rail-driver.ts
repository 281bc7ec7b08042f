import { setTimeout as sleep } from 'node:timers/promises'
import { isFinalDelivery } from '../../schemas/domain.js'
import { SettleWithdrawalCommand } from '../../schemas/generated/commands.js'
import { Result, resultRows } from '../../schemas/results.js'
import { commandOf } from '../operator/operator-commands.js'
import type { OperatorSender } from '../operator/operator-port.js'
import type { WithdrawalTold } from '../wire/withdrawal-told.js'
import type { DeliveryUpdate, SettlementRail } from './settlement-rail.js'
import type { WithdrawalTally } from './withdrawal-tally.js'

export interface RailDriverOptions {
  readonly rail: SettlementRail
  readonly sender: OperatorSender
  /** Something that an operator has to know. */
  readonly alarm: (text: string, directiveId: string) => void
  /** Counts what fails, and what is tried again. */
  readonly tally: Pick<WithdrawalTally, 'errors' | 'retries'>
  readonly retryMillisFirst?: number
}

const retryMillisMax = 30_000
/** Nothing was done, or nobody knows: the same again does no harm. */
const retried: readonly Result[] = [Result.EngineBusy, Result.NotReady, Result.InternalError]

/**
 * Brings withdrawals from the engine's events to the rail, and what the rail says back to the engine. Both may be told the
 * same twice: so whatever a crash has interrupted is simply begun again, with what the events of the start tell.
 */
export class RailDriver {
  readonly #options: RailDriverOptions
  /** Withdrawals that the rail was asked to deliver and the engine has no end of. */
  readonly #underWay = new Set<string>()
  /** What the engine is still to be told of each, in the order in which it was said. */
  readonly #telling = new Map<string, Promise<void>>()
  #isStopped = false

  constructor(options: RailDriverOptions) {
    this.#options = options
    options.rail.follow((update) => this.#tell(update))
  }

  /** Withdrawals that the rail has, or is about to get. */
  get underWay(): number {
    return this.#underWay.size
  }

  /** A withdrawal as a durable event has told it. */
  take({ directiveId, wallet, destination, amountMicros, delivery, seq }: WithdrawalTold): void {
    if (isFinalDelivery(delivery)) {
      this.#underWay.delete(directiveId)
      return
    }
    if (this.#underWay.has(directiveId)) return
    this.#underWay.add(directiveId)
    const { rail } = this.#options
    void this.#until(directiveId, async () => {
      await rail.deliver({ directiveId, wallet, destination, amountMicros, seq })
      return true
    })
  }

  stop(): void {
    this.#isStopped = true
  }

  #tell(update: DeliveryUpdate): void {
    const { directiveId } = update
    const before = this.#telling.get(directiveId) ?? Promise.resolve()
    const told = before.then(() => this.#until(directiveId, () => this.#settle(update)))
    this.#telling.set(directiveId, told)
    void told.then(() => {
      if (this.#telling.get(directiveId) === told) this.#telling.delete(directiveId)
    })
  }

  /** @returns whether the engine knows it now, or never will. */
  async #settle({ directiveId, delivery, txHash }: DeliveryUpdate): Promise<boolean> {
    const command = commandOf(SettleWithdrawalCommand, (settled) => {
      settled.u8.set(Buffer.from(directiveId.replaceAll('-', ''), 'hex'), settled.directiveIdAt)
      if (txHash !== null) settled.u8.set(Buffer.from(txHash.slice(2), 'hex'), settled.txHashAt)
      settled.delivery = delivery
    })
    const { result } = await this.#options.sender.send(command)
    if (retried.includes(result)) return false
    if (result !== Result.Accepted) {
      this.#fail(`refused: ${resultRows[result].code}`, directiveId)
    }
    return true
  }

  #fail(text: string, directiveId: string): void {
    const { alarm, tally } = this.#options
    tally.errors++
    alarm(text, directiveId)
  }

  /** Tries until it is done, each time a little later. */
  async #until(directiveId: string, work: () => Promise<boolean>): Promise<void> {
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
