import {
  type AnyCommand,
  CancelAllCommand,
  CommandType,
} from '../../../schemas/generated/commands.js'
import type { CancelScope } from '../../../schemas/record-values.js'
import { formatAddress } from '../../../schemas/wallet.js'
import type { InstrumentTerms } from './told-auctions.js'

/** What a CancelAll was sent for. */
export interface SentScope {
  readonly scope: CancelScope
  readonly terms: InstrumentTerms
}

type Nonce = Pick<AnyCommand, 'nonceHigh' | 'nonceLow'>

const cancelAll = new CancelAllCommand()

/** Scopes of all that was sent to end something, by wallet and nonce: answers do not name them. */
export class SentScopes {
  /** null: sent for two scopes. */
  readonly #scopes = new Map<string, SentScope | null>()

  /** Notes a command, whatever it is. */
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

  /** @returns null where it cannot be told. */
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
