import {
  commandNonceHighAt,
  commandNonceLowAt,
  commandSignerAt,
  isSigned,
} from '../../../schemas/commands.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import { areBytesEqual } from '../../memory/bytes.js'
import type { CommandRecord } from './command-record.js'
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
export class Action {
  readonly record: CommandRecord
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

  constructor(record: CommandRecord, wallet: number, items: readonly Action[] = []) {
    this.record = record
    this.wallet = wallet
    this.items = items
    const isAction = isSigned(record.type) && record.type !== CommandType.Bulk
    const high = record.u32[commandNonceHighAt >> 2]
    const low = record.u32[commandNonceLowAt >> 2]
    const isOwner = areBytesEqual(record.u8, commandSignerAt, addressOf(wallet), 0, 20)
    this.key = isAction ? `${wallet}/${high}/${low}/${isOwner ? 'owner' : 'agent'}` : ''
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
