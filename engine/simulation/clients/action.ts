import { isSigned } from '../../../schemas/commands.js'
import { type AnyCommand, CommandType } from '../../../schemas/generated/commands.js'
import { addressBytes } from '../../../schemas/wallet.js'
import { areBytesEqual } from '../../memory/bytes.js'
import { addressOf } from './market-plan.js'

/** How an action was answered; the first time, when it was answered several times. */
export interface Answer {
  readonly result: number
  readonly status: number
  readonly orderId: number
  /** Sequence of the outcome that carried the action out; of a repeat, the one it repeats. */
  readonly seq: number
  readonly isRepeat: boolean
}

/** One thing that a client, or the operator, wants: sent as often as it takes. */
export class Action<Command extends AnyCommand = AnyCommand> {
  readonly command: Command
  readonly wallet: number
  /** Items of a bulk, which are answered one by one; otherwise empty. */
  readonly items: readonly Action[]
  /**
   * Wallet, nonce, and whether the wallet itself has signed: what may be accepted once. An owner may revoke and change
   * modes under a nonce that its agent has used. Empty for the operator's.
   */
  readonly key: string
  answer: Answer | null = null
  /** Requests under way for it, now. */
  underWay = 0
  isSent = false

  constructor(command: Command, wallet: number, items: readonly Action[] = []) {
    this.command = command
    this.wallet = wallet
    this.items = items
    const { recordType, nonceHigh, nonceLow, u8, signerAt } = command
    const isAction = isSigned(recordType) && recordType !== CommandType.Bulk
    const isOwner = areBytesEqual(u8, signerAt, addressOf(wallet), 0, addressBytes)
    this.key = isAction ? `${wallet}/${nonceHigh}/${nonceLow}/${isOwner ? 'owner' : 'agent'}` : ''
  }

  /** What is answered: the items of a bulk, or the action itself. */
  get parts(): readonly Action[] {
    return this.items.length > 0 ? this.items : [this]
  }

  get isAnswered(): boolean {
    for (const part of this.parts) if (part.answer === null) return false
    return true
  }

  get isUnderWay(): boolean {
    for (const part of this.parts) if (part.underWay > 0) return true
    return false
  }
}
