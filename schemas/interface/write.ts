import type { Result } from '../results.js'
import type { Answer } from './answer.js'
import type { Group } from './read.js'

/** A write of the public interface. Its key in a table is method and path. */
export interface WriteRow<Data = unknown> {
  readonly group: Group
  readonly summary: string
  readonly answer: Answer<Data>
  /** Errors in addition to those of every write. */
  readonly errors?: readonly Result[]
  /** Fields of its body, of a bulk those of an item, as an example, without wallet, nonce and signature. */
  readonly example?: Readonly<Record<string, unknown>>
}

/** Writes by method and path. */
// biome-ignore lint/suspicious/noExplicitAny: a table holds rows of every type
export type WriteTable = Readonly<Record<string, WriteRow<any>>>

/** A write of the public interface. */
export function write<Data>(row: WriteRow<Data>): WriteRow<Data> {
  return row
}
