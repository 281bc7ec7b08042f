import { type AnyCommand, CommandType } from '../../../schemas/generated/commands.js'
import { isSigned } from '../../../schemas/record-rules/commands.js'
import { sameAddress } from '../../../schemas/wallet.js'
import type { Outcome } from '../told/log-events.js'
import { bulkOf } from './command-record.js'
import { addressOf } from './market-plan.js'

/** One thing that a client, or the operator, wants: sent as often as it takes. */
export class Action<Command extends AnyCommand = AnyCommand> {
  readonly command: Command
  /** Whose it is; 0: the operator's. */
  readonly wallet: number
  /** What is answered, each on its own: the items of a bulk, or the action itself. */
  readonly parts: readonly Action[]
  /**
   * Wallet, nonce, and whether the wallet itself has signed: what may be accepted once. An owner may revoke and change
   * modes under a nonce that its agent has used. Empty for the operator's.
   */
  readonly key: string
  /** How it was answered the first time. */
  answer: Outcome | null = null
  /** Requests under way for it, now. */
  underWay = 0
  isSent = false
  /** Actions of one lane go through one gateway, so that they arrive in their order; null: through any. */
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

  /** Whether the first of its parts, and so all of them, are clients' and not the operator's. */
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

/** One request of several orders and cancels. */
export function bulkAction(items: readonly Action[]): Action {
  return new Action(bulkOf(items.map(({ command }) => command)), items[0].wallet, items)
}
