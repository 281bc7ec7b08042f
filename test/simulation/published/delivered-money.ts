import { DeliveryStatus, WithdrawalVerdict } from '../../../schemas/domain.js'
import {
  type AnyCommand,
  CommandType,
  JudgeWithdrawalCommand,
  SettleWithdrawalCommand,
  WithdrawUsdcCommand,
} from '../../../schemas/generated/commands.js'
import { Result } from '../../../schemas/results.js'
import { directiveIdOf, formatUuid } from '../../../schemas/uuid.js'

const withdraw = new WithdrawUsdcCommand()
const settled = new SettleWithdrawalCommand()
const judged = new JudgeWithdrawalCommand()

/** Withdrawals that have left for good, from the answers to settlement commands; a duplicate counts once. */
export class DeliveredMoney {
  /** Micros by directive. */
  readonly #asked = new Map<string, number>()
  readonly #delivered = new Set<string>()

  get micros(): bigint {
    let sum = 0n
    for (const key of this.#delivered) sum += BigInt(this.#asked.get(key) ?? 0)
    return sum
  }

  isWithdrawal({ recordType }: AnyCommand, result: number): boolean {
    return recordType === CommandType.WithdrawUsdc && result === Result.Accepted
  }

  /** Handles an answer to a command. */
  take(command: AnyCommand, result: number): void {
    if (command.recordType === CommandType.WithdrawUsdc) {
      // Counts with any answer: if a crash cut off the first one, the engine may have dropped the acknowledgement.
      const { amountMicros, u8, digestAt } = withdraw.of(command)
      this.#asked.set(formatUuid(directiveIdOf(u8, digestAt), 0), amountMicros)
    }
    if (result !== Result.Accepted) return
    if (command.recordType === CommandType.SettleWithdrawal) {
      const { delivery, u8, directiveIdAt } = settled.of(command)
      // Accepted for the first time or as a duplicate: either way the money has arrived.
      if (delivery === DeliveryStatus.Finalized) this.#delivered.add(formatUuid(u8, directiveIdAt))
    } else if (command.recordType === CommandType.JudgeWithdrawal) {
      const { verdict, u8, directiveIdAt } = judged.of(command)
      if (verdict === WithdrawalVerdict.Delivered) {
        this.#delivered.add(formatUuid(u8, directiveIdAt))
      }
    }
  }
}
