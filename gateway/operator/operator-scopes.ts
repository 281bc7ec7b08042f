/** What an identity of the operator interface may do, each with what it reaches; a token has one or several. */
export const scopeWords = {
  read: 'state, quote providers, names and requests that wait, the audit log; changes nothing',
  prices:
    'index prices, volatility surfaces and settlement prices; by marks, liquidations and what an ' +
    'expiry pays they move money from wallet to wallet, of any size',
  instruments: 'listing and delisting, and how high an index may rise',
  money: 'deposits, the insurance fund, what became of a withdrawal',
  halts:
    'halting and opening the market, resuming a stopped wallet, and the time after a step of the clock',
  all: 'everything, also tiers, builders, quote providers, names and competitions',
} as const

export type OperatorScope = keyof typeof scopeWords
export const operatorScopes = Object.keys(scopeWords) as readonly OperatorScope[]

/** Who speaks on the operator interface. */
export interface OperatorIdentity {
  readonly name: string
  readonly scopes: readonly OperatorScope[]
}

export function hasScope({ scopes }: OperatorIdentity, scope: OperatorScope): boolean {
  return scopes.includes(scope) || scopes.includes('all')
}
