import { typedStructs } from '../../gateway/actions/typed-structs.js'
import type { StructType } from '../../schemas/typed-data.js'
import { readProjectJson } from './project.js'

/** Entry of test/vectors/signing.json: integers are decimal text, booleans are JSON booleans. */
export interface SigningVector {
  readonly name: string
  readonly domain: { readonly name: string; readonly version: string; readonly chainId: number }
  readonly primaryType: string
  readonly types: readonly { readonly name: string; readonly type: string }[]
  readonly message: Readonly<Record<string, never>>
  readonly privateKeyName: string
  readonly digest: string
  readonly signature: string
  readonly action?: never
  readonly nonce?: string
  readonly msgpack?: string
}

export interface SigningVectors {
  readonly keys: Readonly<Record<string, { readonly privateKey: string; readonly address: string }>>
  readonly domainSeparators: readonly (SigningVector['domain'] & { readonly separator: string })[]
  readonly typeHashes: readonly {
    readonly primaryType: string
    readonly encodeType: string
    readonly typeHash: string
  }[]
  readonly encodings: readonly Readonly<Record<string, never>>[]
  readonly vectors: readonly SigningVector[]
}

export const signingVectors: SigningVectors = readProjectJson('test/vectors/signing.json')

/** Returns our struct with this primary type and number of fields (PlaceOrder has two layouts). */
export function structOf(primaryType: string, fieldCount: number): StructType {
  const struct = Object.values<StructType>(typedStructs).find(
    (candidate) => candidate.primaryType === primaryType && candidate.fields.length === fieldCount,
  )
  if (struct === undefined) throw new Error(`no struct ${primaryType} of ${fieldCount} fields`)
  return struct
}
