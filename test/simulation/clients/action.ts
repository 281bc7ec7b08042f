import { type AnyCommand, CommandType } from '../../../schemas/generated/commands.js'
import { isSigned } from '../../../schemas/record-rules/commands.js'
import { sameAddress } from '../../../schemas/wallet.js'
import type { Outcome } from '../published/log-events.js'
import { bulkOf } from './command-record.js'
import { addressOf } from './market-plan.js'

/** Action of a client or of the operator, sent until it has an answer. */
export class Action<Command extends AnyCommand = AnyCommand> {
  readonly command: Command
  /** Number of the wallet, or 0 for the operator. */
  readonly wallet: number
  /** Separately answered parts: the items of a bulk, or the action itself. */
  readonly parts: readonly Action[]
  /**
   * Wallet, nonce, and whether the wallet itself signed: the core accepts one action per key. An owner may revoke and
   * change modes under a nonce that its agent has used. Empty for the operator.
   */
  readonly key: string
  /** First answer, or null. */
  answer: Outcome | null = null
  /** Number of its requests in flight. */
  underWay = 0
  isSent = false
  /** Actions of one lane use one gateway, so that they arrive in order; null means any gateway. */
  lane: number | null = null

  constructor(command: Command, wallet = 0, items: readonly Action[] = []) {
    this.command = command
    this.wallet = wallet
    this.parts = items.length > 0 ? items : [this]
    const { recordType, nonceHigh, nonceLow, u8, signerAt } = command
    const isAction = isSigned(recordType) && recordType !== CommandType.Bulk
    const isOwner = sameAddress(u8, signerAt, addressOf(wallet), 0)
    this.key = isAction ? `${wallet}/${nonceHigh}/${nonceLow}/${isOwner ? 'owner' : 'agent'}` : ''
  }

  /** True if a client, not the operator, signed the first part, and therefore all of them. */
  get isSigned(): boolean {
    return this.parts[0].key !== ''
  }

  get isAnswered(): boolean {
    return this.parts.every(({ answer }) => answer !== null)
  }

  get isUnderWay(): boolean {
    return this.parts.some(({ underWay }) => underWay > 0)
  }
}

/** Returns one request of several orders and cancels. */
export function bulkAction(items: readonly Action[]): Action {
  return new Action(bulkOf(items.map(({ command }) => command)), items[0].wallet, items)
}
