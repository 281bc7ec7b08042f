import {
  type AnyCommand,
  CancelAllCommand,
  CommandType,
} from '../../../schemas/generated/commands.js'
import type { CancelScope } from '../../../schemas/record-values.js'
import { formatAddress } from '../../../schemas/wallet.js'
import type { InstrumentTerms } from './published-auctions.js'

/** Scope with which a CancelAll was sent. */
export interface SentScope {
  readonly scope: CancelScope
  readonly terms: InstrumentTerms
}

type Nonce = Pick<AnyCommand, 'nonceHigh' | 'nonceLow'>

const cancelAll = new CancelAllCommand()

/** Scopes of sent CancelAlls, by wallet and nonce: answers do not name them. */
export class SentScopes {
  /** null if sent with two different scopes. */
  readonly #scopes = new Map<string, SentScope | null>()

  /** Records a command of any type. */
  note(command: AnyCommand): void {
    if (command.recordType !== CommandType.CancelAll) return
    const { key, scope, u8, walletAt } = cancelAll.of(command)
    const { underlyingText, expiryDate, right, strikeMicros } = key
    const sent = { scope, terms: { underlyingText, expiryDate, right, strikeMicros } }
    const name = nameOf(formatAddress(u8, walletAt), command)
    const known = this.#scopes.get(name)
    const isOther = known !== undefined && (known === null || wordsOf(known) !== wordsOf(sent))
    this.#scopes.set(name, isOther ? null : sent)
  }

  /** @returns null if unknown or ambiguous */
  find(wallet: string, nonce: Nonce): SentScope | null {
    return this.#scopes.get(nameOf(wallet, nonce)) ?? null
  }
}

function wordsOf({ scope, terms }: SentScope): string {
  return [scope, ...Object.values(terms)].join(' ')
}

function nameOf(wallet: string, { nonceHigh, nonceLow }: Nonce): string {
  return `${wallet}/${nonceHigh | 0}/${nonceLow | 0}`
}
