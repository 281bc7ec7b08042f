import type { LatencyKind, presetNames, rateCategoryNames } from '../domain.js'
import type { Result } from '../results.js'
import type { StructType } from '../typed-data.js'
import type { Answer } from './answer.js'
import { type BodyShape, structOfBody } from './body.js'
import type { Group } from './read.js'
import type { Shape } from './shape.js'

/** Permitted signers: the wallet or an agent of it, the wallet alone, or a signer of the operator. */
export type SignedBy = 'wallet' | 'owner' | 'operator'

/** Name of the list in the body of a bulk. */
export type BulkList = 'orders' | 'replacements' | 'cancels'

/** Signing domains, by their use. */
export type WriteDomain = 'options' | 'apiSign' | 'managerSign' | 'perp'

/** Facts that every operation of the interface has. */
interface Described<Data> {
  readonly group: Group
  readonly summary: string
  /** Sentences about use and effects, where the summary is not enough. */
  readonly description?: string
  readonly answer: Answer<Data>
  /** Errors in addition to those of every write. */
  readonly errors?: readonly Result[]
  /** Example of a body, of a bulk of an item, without wallet, nonce and signature. */
  readonly example?: Readonly<Record<string, unknown>>
}

/** A signed write of the public interface. Its key in a table is method and path. */
export interface WriteRow<F extends BodyShape = BodyShape, Data = unknown> extends Described<Data> {
  /** Fields of the body, of a bulk those of an item, without nonce and signature. Empty where `nested` has them. */
  readonly body: F
  /** Schema of a body with a nested action. */
  readonly nested: Shape<unknown> | null
  /** A signature covers one of them. */
  readonly structs: readonly StructType[]
  readonly domain: WriteDomain
  readonly signedBy: SignedBy
  /** Absent: not a bulk. */
  readonly list: BulkList | null
  /** Categories of the rate limit; one of them counts. Null: it counts as a failed signature. */
  readonly categories: readonly (typeof rateCategoryNames)[number][] | null
  /** Kind in the latency metrics; null: not measured. */
  readonly latency: LatencyKind | null
}

/** A signed write that changes an account, in one struct. */
export interface AccountRow<F extends BodyShape = BodyShape, Data = unknown>
  extends WriteRow<F, Data> {
  /** Name of the action. The client package has a method of this name. */
  readonly action: string
  /** True if an agent of the signer may not act for another wallet that the body names. */
  readonly isOwnersOnly: boolean
  /** True if the owner may send it even where the rate limit of the wallet is used up. */
  readonly isOwnersResort: boolean
  /** True if its effect outlives an agent: where private reads are signed, the owner alone may sign it. */
  readonly outlivesAgents: boolean
}

/** A write that nobody signs. */
export interface UnsignedRow<Data = unknown> extends Described<Data> {
  readonly body: Shape<unknown>
  /** Presets that serve it; its path is unknown on the others. */
  readonly presets: readonly (typeof presetNames)[number][]
}

type Own = 'nested' | 'domain' | 'signedBy' | 'list'

/** An order, a cancel, or a request for quote. */
export function write<const F extends BodyShape, Data>(
  row: Omit<WriteRow<F, Data>, Own> & { readonly list?: BulkList },
): WriteRow<F, Data> {
  return { nested: null, domain: 'options', signedBy: 'wallet', list: null, ...row }
}

/** A write whose body has a nested action. */
export function nestedWrite<Data>(
  row: Omit<WriteRow<Record<never, never>, Data>, 'body' | 'list' | 'latency'>,
): WriteRow<Record<never, never>, Data> {
  return { body: {}, list: null, latency: 'perp', ...row }
}

/** A write that changes an account. @param row `primaryType`: name of its struct, where it is not that of the action. */
export function accountWrite<const Name extends string, const F extends BodyShape, Data>({
  primaryType,
  ...row
}: Described<Data> & {
  readonly action: Name
  readonly body: F
  readonly primaryType?: string
} & Partial<
    Pick<AccountRow, 'signedBy' | 'isOwnersOnly' | 'isOwnersResort' | 'outlivesAgents'>
  >): AccountRow<F, Data> & { readonly action: Name } {
  return {
    ...{ signedBy: 'wallet', isOwnersOnly: false, isOwnersResort: false, outlivesAgents: false },
    ...{ nested: null, list: null, domain: 'options', latency: 'account' },
    ...{ categories: ['ApiRequest'], structs: [structOfBody(primaryType ?? row.action, row.body)] },
    ...row,
  }
}

/** A write that nobody signs. */
export function unsignedWrite<Data>(row: UnsignedRow<Data>): UnsignedRow<Data> {
  return row
}
