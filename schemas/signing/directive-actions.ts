import { type DirectiveForm, type DirectiveKey, directives } from '../interface/directives.js'
import type { TypedField } from '../typed-data.js'

/** A directive that the venue serves. */
export interface SignedDirective extends Pick<DirectiveForm, 'struct' | 'domain'> {
  readonly key: DirectiveKey
}

export const signedDirectives: readonly SignedDirective[] = Object.entries(directives).map(
  ([key, { struct, domain }]) => ({ key: key as DirectiveKey, struct, domain }),
)

/** Returns the directive of a key. */
export function directiveOf(key: DirectiveKey): SignedDirective {
  return signedDirectives.find((action) => action.key === key)!
}

/** Returns the path of a directive. */
export function directivePathOf(key: DirectiveKey): string {
  return `/v1/actions/${key}`
}

/** Returns the fields of `action` in a body: those of the nested struct. */
export function termsOf({ struct }: SignedDirective): readonly TypedField[] {
  return Object.values(struct.nested)[0]!
}
