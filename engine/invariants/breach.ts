import type { InvariantName } from '../../schemas/domain.js'
export interface BreachWallet {
  readonly account: number
  readonly address: string
}

/** Breach of an invariant. Plain data: it crosses threads on its way to the log. */
export interface Breach {
  readonly invariant: InvariantName
  /** Equal for the same breach by the same amount: the operator receives each once. */
  readonly key: string
  readonly text: string
  /** Exact integers, of any length. */
  readonly amounts: Readonly<Record<string, string>>
  /** Wallet of the breach, which alone is stopped; absent: the market is halted. */
  readonly wallet?: BreachWallet
}

/**
 * Builds a breach.
 * @param what distinguishes it from other breaches of the same invariant.
 */
export function breachOf(
  invariant: InvariantName,
  what: string,
  text: string,
  amounts: Readonly<Record<string, bigint | number>>,
): Breach {
  const texts = Object.entries(amounts).map(([name, amount]) => [name, String(amount)] as const)
  return { invariant, key: `${invariant} ${what}`, text, amounts: Object.fromEntries(texts) }
}
