import type { OperatorScope } from '../../schemas/interface/operator.js'

/** Owner of an operator token. */
export interface OperatorIdentity {
  readonly name: string
  readonly scopes: readonly OperatorScope[]
}

export function hasScope({ scopes }: OperatorIdentity, scope: OperatorScope): boolean {
  return scopes.includes(scope) || scopes.includes('all')
}
