import { Fund } from '../../engine/state/money/funds.js'
import type { DeliveryStatus, WithdrawalVerdict } from '../../schemas/domain.js'
import {
  JudgeWithdrawalCommand,
  NoteFileCommand,
  SettleWithdrawalCommand,
  WithdrawUsdcCommand,
} from '../../schemas/generated/commands.js'
import type { NotedFile } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import { directiveIdOf, formatUuid } from '../../schemas/uuid.js'
import { LiquidationRig } from './liquidation-rig.js'
import { resultNames } from './rfq-rig.js'
import { type RigCommands, type RigOrder, walletOf } from './rig-commands.js'

const withdraw = new WithdrawUsdcCommand()
const settled = new SettleWithdrawalCommand()
const judged = new JudgeWithdrawalCommand()
const noted = new NoteFileCommand()

/** Destination of the tests' withdrawals. */
export const destination = 900

/**
 * Writes a WithdrawUsdc.
 * @returns the id of its directive, and the request number
 */
export function withdrawOf(
  rig: RigCommands,
  wallet: number,
  usd: number,
  signed: Partial<RigOrder> = {},
): { readonly id: Uint8Array; readonly request: number } {
  withdraw.claim(rig)
  rig.sign(withdraw, wallet, signed)
  withdraw.amountMicros = Math.round(usd * 1e6)
  withdraw.u8.set(walletOf(destination), withdraw.destinationAt)
  return { id: directiveIdOf(withdraw.u8, withdraw.digestAt), request: rig.requests }
}

/** Writes a SettleWithdrawal. */
export function settleOf(
  rig: RigCommands,
  id: Uint8Array,
  delivery: DeliveryStatus,
  hash = 0,
): number {
  settled.claim(rig)
  settled.u8.set(id, settled.directiveIdAt)
  settled.u8[settled.txHashAt + 31] = hash
  settled.delivery = delivery
  return rig.requests
}

/** Writes a JudgeWithdrawal. */
export function judgeOf(rig: RigCommands, id: Uint8Array, verdict: WithdrawalVerdict): number {
  judged.claim(rig)
  judged.u8.set(id, judged.directiveIdAt)
  judged.verdict = verdict
  return rig.requests
}

/** Writes a NoteFile. */
export function noteFileOf(rig: RigCommands, file: NotedFile, bytes: number): number {
  noted.claim(rig)
  noted.file = file
  noted.bytes = bytes
  return rig.requests
}

/** Core whose wallets withdraw; each call is a batch of its own. */
export class WithdrawalRig extends LiquidationRig {
  /** First detail of the latest acknowledgement. */
  lastDetail = 0

  /**
   * @returns the id of the directive
   * @throws Error if the core rejects it
   */
  withdraw(wallet: number, usd: number, signed: Partial<RigOrder> = {}): Uint8Array {
    const { id, request } = withdrawOf(this, wallet, usd, signed)
    const result = this.#resultOf(request)
    if (result !== 'Accepted') throw new Error(result)
    return id
  }

  /** @returns the name of the result */
  tryWithdraw(wallet: number, usd: number, signed: Partial<RigOrder> = {}): string {
    return this.#resultOf(withdrawOf(this, wallet, usd, signed).request)
  }

  settle(id: Uint8Array, delivery: DeliveryStatus, hash = 0): string {
    return this.#resultOf(settleOf(this, id, delivery, hash))
  }

  judge(id: Uint8Array, verdict: WithdrawalVerdict): string {
    return this.#resultOf(judgeOf(this, id, verdict))
  }

  /** Total in transit, in USD. */
  get inTransit(): number {
    return this.state.funds.balanceMicros[Fund.InTransit]! / 1e6
  }

  /** Returns a directive's status in the state: `delivery domain`, or `none`. */
  standing(id: Uint8Array): string {
    const key = formatUuid(id, 0)
    const found = this.state.withdrawals.find(key) ?? this.state.withdrawals.endOf(key)
    return found === null ? 'none' : `${found.delivery} ${found.domain}`
  }

  /** Returns the maximum that the engine lets the wallet withdraw, in USD, as a rejection states it; 0 for nothing. */
  withdrawable(wallet: number): number {
    const result = this.tryWithdraw(wallet, 2e9)
    if (resultNames[Result.NotWithdrawable] !== result) throw new Error(result)
    return this.lastDetail / 1e6
  }

  #resultOf(request: number): string {
    const outcome = this.outcome(request)
    this.lastDetail = outcome['detail0'] ?? Number.NaN
    return resultNames[outcome['result']!]!
  }
}
