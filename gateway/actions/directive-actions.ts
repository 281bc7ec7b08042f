import type { StructType, TypedField } from '../../schemas/typed-data.js'
import { typedStructs } from './typed-structs.js'

/** What is asked for by POST /v1/actions/{actionKey}: a row for each key that is served. */
export interface SignedDirective {
  readonly key: DirectiveKey
  readonly struct: StructType
  /**
   * Domain of its signature. `apiSign`: the account's owner, an agent, or a key for trading; `managerSign`: the owner
   * alone.
   */
  readonly domain: 'apiSign' | 'managerSign'
}

const structs = {
  hl_limit_order: typedStructs.HLOrder,
  hl_cancel_by_oid: typedStructs.HLCancel,
  hl_cancel_by_cloid: typedStructs.HLCancelByCloid,
  hl_set_abstraction: typedStructs.HLSetAbstraction,
  hc_update_api_wallet: typedStructs.HCUpdateApiWallet,
} as const satisfies Readonly<Record<string, StructType>>
export type DirectiveKey = keyof typeof structs

const ownersKeys: readonly DirectiveKey[] = ['hl_set_abstraction', 'hc_update_api_wallet']

export const signedDirectives: readonly SignedDirective[] = Object.entries(structs).map(
  ([name, struct]) => {
    const key = name as DirectiveKey
    return { key, struct, domain: ownersKeys.includes(key) ? 'managerSign' : 'apiSign' }
  },
)

/** The action of a key that is served. */
export function directiveOf(key: DirectiveKey): SignedDirective {
  return signedDirectives.find((action) => action.key === key)!
}

/** Where it is taken, by POST. */
export function directivePathOf(key: DirectiveKey): string {
  return `/v1/actions/${key}`
}

/** What stands in `action` of a body, as the struct has it: its fields are those of the one struct within. */
export function termsOf({ struct }: SignedDirective): readonly TypedField[] {
  return Object.values(struct.nested)[0]!
}
